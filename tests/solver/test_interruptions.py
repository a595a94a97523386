"""Ctrl-C: one search gives what it found; whoever makes many of them ends, and keeps nothing half done."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import dslgame
from dslgame.laboratory.level_games import Laboratory
from solver.entries import Entries
from solver.players import kept
from solver.players.candidates import Candidates
from solver.players.comparison import compared
from solver.players.levels import Level
from solver.players.margins import measured
from solver.players.matches import balanced_openings, play_match

ENDED = 20.0
"""Seconds within which everything ends; without the interruption it would take minutes."""


@contextmanager
def interruption(seconds: float = 0.3) -> Iterator[None]:
    """Have KeyboardInterrupt come after a while, as by Ctrl-C."""
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before, began = signal.signal(signal.SIGALRM, interrupt), time.monotonic()
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - began < ENDED


@pytest.mark.parametrize("level", ["alphabeta", "patterns", "mcts", "connecting"])
def test_a_search_gives_what_it_found(level: str) -> None:
    """And its report says so."""
    game = dslgame.load("hex", size=7)
    player = dslgame.player(game, f"{level} seconds=600")
    dslgame.player(game, f"{level} nodes=100").choose(game.start())  # compiles
    with interruption():
        choice = player.choose(game.start())
    assert choice.text in game.start().moves()
    assert choice.report is not None
    assert choice.report.interrupted
    with pytest.raises(KeyboardInterrupt):
        choice.check_interrupted()
    dslgame.player(game, f"{level} nodes=100").choose(game.start()).check_interrupted()


def matches_between_searches() -> None:
    compared(Candidates(Entries.of(dslgame.load("hex", size=9))))


def margins_of_a_value() -> None:
    measured(Entries.of(dslgame.load("hex", size=9)))


def games_of_a_level() -> None:
    Laboratory(dslgame.load("hex", size=7), 1).by_itself("alphabeta seconds=10", 50)


def openings() -> None:
    game = dslgame.load("hex", size=11)
    balanced_openings(game, 1_000, 2)


@pytest.mark.parametrize("work", [matches_between_searches, margins_of_a_value, games_of_a_level, openings])
def test_what_makes_many_searches_ends(work: Callable[[], None], monkeypatch: pytest.MonkeyPatch,
                                         tmp_path: Path) -> None:
    """What would have been kept on disk is not."""
    monkeypatch.setattr(kept, "cache_folder", lambda: tmp_path)
    with pytest.raises(KeyboardInterrupt), interruption(1.0):
        work()
    assert not list(tmp_path.rglob("*.json"))


def test_a_match_has_the_games_that_were_played() -> None:
    """The one that was interrupted does not count."""
    game = dslgame.load("hex", size=7)
    quick, slow = (Level.of(text).player(game) for text in ("random", "alphabeta seconds=600"))
    with interruption():
        assert play_match(game, quick, slow, 2).games == ()

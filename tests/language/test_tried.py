"""The cache of whether random play contradicts declared symmetries."""

from __future__ import annotations

from pathlib import Path

import attrs
import pytest

import dslgame
from dsl.diagnostics import Diagnostic
from interpreter.analysis import dynamic_checks, tried
from interpreter.analysis.dynamic_checks import check_symmetries
from interpreter.game import Game
from solver.game_space import solve_game

LOPSIDED = """\
game "Lopsided"
players X, O
board square(3, 3)
pieces x of X, o of O

move place(c in empty - "a1"):
    c := own

win mover when line(mine, 3)
draw when no moves
symmetry left right mirror
"""
"""The mirror does not hold: a1 stays empty, c1 does not."""


@pytest.fixture
def looked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The titles of the games that were checked, in order, with a cache folder of its own."""
    found: list[str] = []

    def look(game: Game, *, games: int, plies: int | None) -> list[Diagnostic]:
        found.append(game.title)
        return check_symmetries(game, games=games, plies=plies)

    monkeypatch.setenv("DSLGAME_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(dynamic_checks, "check_symmetries", look)
    return found


def test_nothing_is_looked_for_twice(looked: list[str]) -> None:
    """The same game is checked once, however often it is loaded."""
    for _ in range(2):
        assert tried.broken_symmetries(dslgame.load("nex", rows=2, columns=2)) == []
    assert looked == ["Nex"]


def test_what_differs_is_looked_for(looked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Other params, another text, more games, rules changed after reading, and another program are checked anew."""
    game = dslgame.load("nex", rows=2, columns=2)
    text = game.rules.source.text
    others = [
        game, dslgame.load("nex", rows=2, columns=3), dslgame.loads(f"{text}# another\n", rows=2, columns=2),
        attrs.evolve(game, rules=attrs.evolve(game.rules, illegal=(game.rules.ends[0].condition,)))]
    for other in others:
        assert tried.broken_symmetries(other) == []
    tried.broken_symmetries(game, games=2)
    tried.broken_symmetries(game, plies=2)
    monkeypatch.setattr(tried, "_modules", lambda: "another program")
    tried.broken_symmetries(game)
    assert len(looked) == 7
    monkeypatch.setattr(tried, "_modules", lambda: None)  # its text cannot be read
    tried.broken_symmetries(game)
    tried.broken_symmetries(game)
    assert len(looked) == 9


def test_broken_symmetry_is_told_each_time(looked: list[str]) -> None:
    """Only negative results are cached."""
    game = dslgame.loads(LOPSIDED)
    for _ in range(2):
        with pytest.raises(dslgame.GameFileError, match="G307"):
            solve_game(game)
    assert looked == ["Lopsided", "Lopsided"]


def test_damaged_file_counts_as_missing(looked: list[str], tmp_path: Path) -> None:
    """A damaged file is rewritten; without a usable cache all checks still run."""
    game = dslgame.load("nex", rows=2, columns=2)
    tried.broken_symmetries(game)
    kept, = (tmp_path / "cache").iterdir()
    for damaged in (b"", b"\xff", kept.read_bytes()[:-1]):
        kept.write_bytes(damaged)
        assert tried.broken_symmetries(game) == []
    assert tried.broken_symmetries(game) == []
    assert (len(looked), list((tmp_path / "cache").iterdir())) == (4, [kept])


def test_no_place_to_keep_anything(looked: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a cache every check runs."""
    monkeypatch.setenv("DSLGAME_CACHE", "/dev/null/kept")
    for _ in range(2):
        assert tried.broken_symmetries(dslgame.load("nex", rows=2, columns=2)) == []
    assert len(looked) == 2

"""Which search a solver leaves its moves to: what a match between the two shows, and how that is kept."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

import dslgame
from interpreter.model.state import State
from solver.entries import Entries
from solver.players import comparison
from solver.players.allowance import Allowance
from solver.players.analysis import Analyst
from solver.players.comparison import LEAD, LONGER, MOVING, Comparison, compare, compared
from solver.players.iterative_deepening import Deepening, Found, Limit
from solver.players.levels import SolvingPlayer


@pytest.mark.parametrize(("alphabeta", "mcts", "otherwise", "better"), [
    (7.0, 1.0, "mcts", "alphabeta"), (1.5, 6.5, "alphabeta", "mcts"),
    (5.0, 5.0, "mcts", "mcts"), (5.0, 5.0, "alphabeta", "alphabeta"), (3.0, 1.0, "mcts", "mcts")])
def test_a_clear_lead_decides(alphabeta: float, mcts: float, otherwise: comparison.Search, better: str) -> None:
    """A small one shows nothing: then it is what would be chosen without a match."""
    assert Comparison(alphabeta, mcts).better(otherwise) == better


def test_a_match_that_shows_nothing_goes_on_with_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Then the points of that one count, and any lead: one of the two may gain more by more time."""
    moving: list[float] = []

    def match(entries: Entries, one: comparison._Side, other: comparison._Side, *given: float) -> tuple[float, float]:
        moving.append(one.moving)
        return [(0.0, 0.0), (12.0, 12.0), (3.0, 4.0)][len(moving) - 1]

    monkeypatch.setattr(comparison, "_match", match)
    found = compare(Entries.of(dslgame.load("connect_four")))
    assert (found, found.better("alphabeta")) == (Comparison(3.0, 4.0, longer=True), "mcts")
    assert moving == [MOVING, MOVING, LONGER * MOVING]
    assert Comparison(4.0, 4.0, longer=True).better("alphabeta") == "alphabeta"


def test_every_game_of_a_match_counts() -> None:
    """Both search the same game; who moves first wins or loses it whoever that is, so that neither leads."""
    found = compare(Entries.of(dslgame.load("nim", a=1, b=2, c=0, d=1)), seconds=60.0, games=4)
    assert found.games == 4
    assert found.alphabeta == found.mcts == 2
    assert abs(found.alphabeta - found.mcts) < LEAD


def test_what_was_found_is_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """For each game's rules; a file that is damaged counts as missing, and nothing is compared for other rules."""
    monkeypatch.setattr("solver.players.kept.cache_folder", lambda: tmp_path)
    matches: list[Entries] = []

    def match(entries: Entries) -> Comparison:
        matches.append(entries)
        return Comparison(1.5, 7.5)

    monkeypatch.setattr(comparison, "compare", match)
    entries = Entries.of(dslgame.load("nim"))
    for _ in range(2):
        assert compared(entries) == Comparison(1.5, 7.5)
    assert len(matches) == 1
    (file,) = tmp_path.rglob("*.json")
    for text in ("", "[]", '{"alphabeta": "x", "mcts": 1}', "\0"):
        file.write_text(text, encoding="utf-8")
        assert compared(entries) == Comparison(1.5, 7.5)
    assert len(matches) == 5
    assert Analyst(entries.game).choose(entries) == "mcts"
    assert Analyst(entries.game, kept=False).choose(entries) == "mcts"
    assert len(matches) == 5


def test_tree_search_is_helped_where_that_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the solver took, and why, is the method of its report."""
    points = iter([(6.0, 0.0), (1.0, 7.0)])
    monkeypatch.setattr(comparison, "_match", lambda *given: next(points))
    entries = Entries.of(dslgame.load("hex", size=7))
    found = compare(entries)
    assert (found.rave, found.better("alphabeta")) == (True, "mcts")
    monkeypatch.setattr(comparison, "compared", lambda entries, trained: found)
    analyst = Analyst(entries.game)
    assert analyst.choose(entries) == "mcts"
    assert analyst.mcts(entries).options == comparison.RAVE
    report = analyst.analyse(entries.game.start(), seconds=0.2, every=False).report
    assert report is not None
    assert report.method == "mcts rave=500, which had 7 points to 1 in a match with alphabeta"


@pytest.mark.parametrize(("helped", "plain", "taken"), [
    (6.0, 0.0, True), (8.0, 2.0, True), (3.0, 0.0, True), (2.0, 0.0, False), (4.0, 1.0, False), (0.5, 7.5, False)])
def test_what_helps_few_games_must_win_clearly(helped: float, plain: float, taken: bool) -> None:
    """Four of five games come by chance too often where two of three games are lost by it."""
    assert comparison.clearly(helped, plain) == taken


def test_a_limit_of_the_processor_is_the_search_s_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """`cpu=` counts what the thread takes; the search gets what is left of it."""
    limits: list[Limit] = []
    search = Deepening.search

    def noted(self: Deepening, state: State, limit: Limit, **given: Any) -> Found:
        limits.append(limit)
        return search(self, state, limit, **given)

    monkeypatch.setattr(Deepening, "search", noted)
    game = dslgame.load("connect_four")
    player = dslgame.player(game, "solver cpu=0.2")
    assert isinstance(player, SolvingPlayer)
    player.analyst.chosen = "alphabeta"
    player.choose(game.start())
    assert limits[-1].processor
    assert limits[-1].seconds is not None
    assert 0 < limits[-1].seconds <= 0.2
    assert Allowance(0.2, None, strict=False, processor=True).now is time.thread_time

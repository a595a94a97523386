"""Pruning by margins in alpha-beta: how margins are measured and cached, and what stays proven."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import attrs
import pytest

import dslgame
from solver.entries import Entries
from solver.native.scores import MOST
from solver.players import margins
from solver.players.found import Found
from solver.players.iterative_deepening import Deepening, Margins
from solver.players.levels import Level
from solver.players.limits import Limit
from solver.players.margins import measure, measured
from solver.players.matches import random_openings

WIDE = Margins(((-1 << 41, 1 << 41),) * 4)


@pytest.fixture(scope="module")
def entries() -> Entries:
    """The entries of Connect Four, which has a `value` and threats."""
    return Entries.of(dslgame.load("connect_four", columns=5, rows=5))


def test_margins_say_what_searches_add_to_a_value(entries: Entries) -> None:
    """Measuring is repeatable, each depth has a margin, and a larger share outside gives narrower margins."""
    found = measure(entries, samples=60, seconds=None)
    assert found == measure(entries, samples=60, seconds=None)
    assert len(found.pairs) == margins.PLIES
    assert all(least < most for least, most in found.pairs)
    narrower = measure(entries, samples=60, seconds=None, share=0.3)
    assert all(one[0] <= other[0] and other[1] <= one[1]
               for one, other in zip(found.pairs, narrower.pairs, strict=True))


def test_nodes_end_the_measuring(entries: Entries, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number of nodes ends the measuring, not the time, which would give other margins on a busy machine."""
    spent = []

    def counted(self: Deepening, *given: Any, **named: Any) -> Found:
        spent.append(result := search(self, *given, **named))
        return result

    search = Deepening.search
    monkeypatch.setattr(Deepening, "search", counted)
    found = measure(entries, nodes=20_000, share=0.25)
    assert found.pairs
    visited = sum(one.report.nodes for one in spent)
    assert 20_000 <= visited < 20_000 + 2 * margins._MOST_NODES
    assert visited - sum(one.report.nodes for one in spent[-margins.PLIES:]) < 20_000
    assert found == measure(entries, nodes=20_000, share=0.25)


def test_most_scores_lie_between_the_margins(entries: Entries) -> None:
    """Most scores lie between the margins in games other than the measured ones."""
    found, search = measure(entries, samples=120, seconds=None), Deepening(entries, table_mib=1)
    inside = many = 0
    for opening in random_openings(entries.game, 60, 6, seed=3):
        position = entries.game.start()
        for move in opening:
            position = position.play(move)
        value = search.value(position.state)
        assert value == entries.game.heuristic(position.state)
        for plies, (least, most) in enumerate(found.pairs, 1):
            search.forget()
            score = search.search(position.state, Limit(plies=plies), first=plies).score
            if abs(score) <= MOST:
                many += 1
                inside += least <= score - value <= most
    assert many > 100
    assert inside > 0.7 * many


@pytest.mark.parametrize("width", [None, WIDE])
def test_margins_that_nothing_is_outside_of_leave_nothing_out(entries: Entries, width: Margins | None) -> None:
    state = entries.game.start().state
    plain = Deepening(entries, table_mib=1).search(state, Limit(plies=7))
    found = Deepening(entries, table_mib=1, margins=width).search(state, Limit(plies=7))
    assert (found.score, found.move, found.report.nodes) == (plain.score, plain.move, plain.report.nodes)
    assert found.report.pruned["the value"] == 0


def test_positions_are_left_out(entries: Entries) -> None:
    state, nodes = entries.game.start().state, []
    for given in (Margins(), measure(entries, samples=60, seconds=None)):
        found = Deepening(entries, table_mib=1, margins=given).search(state, Limit(plies=9))
        nodes.append(found.report.nodes)
    assert found.report.pruned["the value"] > 0
    assert nodes[1] < 0.9 * nodes[0]


def test_wins_that_are_told_are_proven(entries: Entries) -> None:
    """Wins found with margins of zero, which prune all but ends of games, are confirmed without them."""
    game = entries.game
    blind = Deepening(entries, table_mib=1, margins=Margins(((0, 0),) * 4))
    whole = Deepening(entries, table_mib=1, valued=False)
    told = 0
    for opening in random_openings(game, 30, 12, seed=5):
        position = game.start()
        for move in opening:
            position = position.play(move)
        one = blind.search(position.state, Limit(plies=6))
        if one.winner is not None and one.winner >= 0:
            assert whole.search(position.state, Limit(plies=13)).winner == one.winner, opening
            told += 1
    assert told > 5


def test_a_game_without_a_value_has_no_margins() -> None:
    assert measure(Entries.of(dslgame.load("tic_tac_toe"))) == Margins()


def test_what_was_measured_is_kept(entries: Entries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Margins are cached; a damaged file counts as missing, and with `kept=False` nothing is written."""
    calls = []

    def counted(*given: object, share: float) -> Margins:
        calls.append(given)
        return Margins(((1, 2),))

    monkeypatch.setattr("solver.players.kept.cache_folder", lambda: tmp_path)
    monkeypatch.setattr(margins, "measure", counted)
    assert measured(entries, kept=False) == Margins(((1, 2),))
    assert not list(tmp_path.rglob("*.json"))
    for _ in range(2):
        assert measured(entries) == Margins(((1, 2),))
    assert len(calls) == 2
    (path,) = tmp_path.rglob("*.json")
    for text in ("", "[1]", '{"a": 1}', "[[1, 2, 3]]"):
        path.write_text(text)
        assert measured(entries) == Margins(((1, 2),))
    assert len(calls) == 6


def test_what_time_ended_is_not_kept(entries: Entries, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Margins of a measurement that ran out of time are not cached, as another may be complete."""
    cut = measure(entries, seconds=1e-6)
    assert (cut.pairs, cut.whole) == ((), False)
    assert measure(entries, nodes=20_000).whole
    monkeypatch.setattr("solver.players.kept.cache_folder", lambda: tmp_path)
    monkeypatch.setattr(margins, "measure", lambda *given, share: attrs.evolve(Margins(((1, 2),)), whole=False))
    assert measured(entries) == Margins(((1, 2),))
    assert not list(tmp_path.rglob("*.json"))


def test_a_level_says_whether_there_are_margins(monkeypatch: pytest.MonkeyPatch) -> None:
    game = dslgame.load("connect_four", columns=5, rows=5)
    level = Level.of("alphabeta plies=3 probcut=measured")
    assert str(level) == "alphabeta plies=3 probcut=measured"
    monkeypatch.setattr("solver.players.level_players.measured", lambda *given, **named: Margins(((0, 0),)))
    reports = [attrs.asdict(level.player(game).choose(game.start()).report)["pruned"]["the value"]  # type: ignore[arg-type]
               for level in (level, Level.of("alphabeta plies=3 probcut=none"), Level.of("alphabeta plies=3"))]
    assert reports[0] > 0
    assert reports[1:] == [0, 0]


def test_a_level_says_how_many_scores_lie_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    """`probcut=` gives the share of scores outside; `measured` means the default of a tenth."""
    shares = []
    monkeypatch.setattr("solver.players.level_players.measured", lambda *given, share, kept: shares.append(share))
    game = dslgame.load("connect_four", columns=5, rows=5)
    for text in ("alphabeta nodes=9 probcut=measured", "alphabeta nodes=9 probcut=0.25"):
        assert str(Level.of(text)) == text
        Level.of(text).player(game)
    assert shares == [margins.SHARE, 0.25]
    assert Level.of("alphabeta nodes=9 probcut=none").outside is None


def test_a_search_that_is_given_up_is_left_out(entries: Entries, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sample whose search is given up is left out, and a depth at which most are has no margin."""
    whole = measure(entries, samples=60, seconds=None)
    monkeypatch.setattr(margins, "_MOST_NODES", 20)
    few = measure(entries, samples=60, seconds=None)
    assert 0 < len(few.pairs) < len(whole.pairs) == margins.PLIES
    monkeypatch.setattr(margins, "_MOST_NODES", 200)  # some searches of four plies need more
    few = measure(entries, samples=60, seconds=None)
    monkeypatch.setattr(margins, "GIVEN_UP", 1.0)
    assert len(few.pairs) < len(measure(entries, samples=60, seconds=None).pairs)

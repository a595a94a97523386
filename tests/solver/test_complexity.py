"""Sizes of games: known numbers of positions and games are counted, or estimated within their error."""

from __future__ import annotations

import json
import math

import pytest

import dslgame
from solver import complexity as module
from solver.complexity import Complexity, Estimate, complexity
from solver.entries import Entries
from tests.app.test_cli import run


def known(found: Complexity) -> Estimate:
    """The estimate of the number of positions."""
    assert found.positions is not None
    return found.positions


@pytest.mark.slow
def test_positions_and_games_of_a_known_game() -> None:
    """5,478 positions and 255,168 games are counted, and estimated."""
    game = dslgame.load("tic_tac_toe")
    entries, state = Entries.of(game), game.start().state
    counted = complexity(entries, state, samples=500)
    assert (known(counted).exact, known(counted).text, counted.excess) == (5478, "5,478", None)
    assert abs(10**counted.games.log10 / 255_168 - 1) < 4 * counted.games.error < 0.3
    assert abs(10**counted.nodes.log10 / 549_946 - 1) < 4 * counted.nodes.error
    assert (counted.shortest, counted.longest, counted.most_moves, counted.broken_off) == (5, 9, 9, 0)
    sampled = complexity(entries, state, samples=500, enumerate_most=1000)
    assert known(sampled).exact is None
    assert abs(10**known(sampled).log10 / 5478 - 1) < 4 * known(sampled).error + 0.01
    assert sampled.excess is not None
    assert abs(sampled.excess - 1) < 0.05
    again = complexity(entries, state, samples=500, enumerate_most=1000)
    assert again == sampled
    with pytest.raises(ValueError, match="expected at least 2"):
        complexity(entries, state, samples=1)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "params", "positions"), [
    ("connect_four", {"rows": 4, "columns": 4}, 161_029), ("connect_four", {"rows": 5, "columns": 5}, 69_763_700),
    ("nex", {}, 36_397), ("breakthrough", {"rows": 5, "columns": 3}, 2_418_400)], ids=str)
def test_positions_are_sampled_by_layers_where_ways_find_too_many(name: str, params: dict[str, int],
                                                                  positions: int) -> None:
    """The estimate lies within a factor of ten of the count, by enumerating 3,000 positions, and is repeatable."""
    game = dslgame.load(name, **params)
    entries, state = Entries.of(game), game.start().state
    found = complexity(entries, state, samples=800, enumerate_most=3_000)
    assert "layer by layer" in found.positions_by
    assert positions / 10 < 10**known(found).log10 < 10 * positions
    assert complexity(entries, state, samples=800, enumerate_most=3_000) == found


def test_positions_are_unknown_where_random_games_are_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for predecessors ends at a number of moves; there is no estimate, but the tree's size is the same."""
    monkeypatch.setattr(module, "MOST_TRIED", 100)
    game = dslgame.load("three_mens_morris")
    entries, state = Entries.of(game), game.start().state
    counted = complexity(entries, state, samples=5)
    found = complexity(entries, state, samples=5, enumerate_most=100)
    assert (found.positions, found.excess) == (None, None)
    assert dict(found.rows())["state-space size"].startswith("unknown: more than 82; random games are too long")
    assert (found.games, found.nodes, found.length) == (counted.games, counted.nodes, counted.length)


def test_long_random_games_are_sampled_by_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no position can recur, layer by layer, without predecessors."""
    monkeypatch.setattr(module, "MOST_TRIED", 10)
    game = dslgame.load("connect_four", rows=4, columns=4)
    found = complexity(Entries.of(game), game.start().state, samples=400, enumerate_most=3_000)
    assert 161_029 / 10 < 10**known(found).log10 < 10 * 161_029
    assert "layer by layer" in found.positions_by


def test_random_games_are_the_same_in_any_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Random games that stop within to look at the clock go on with the same moves."""
    game = dslgame.load("tic_tac_toe")
    entries, state = Entries.of(game), game.start().state
    whole = complexity(entries, state, samples=50, enumerate_most=1_000)
    monkeypatch.setattr(module, "_BATCH", 1e-9)
    assert complexity(entries, state, samples=50, enumerate_most=1_000) == whole


def test_interruption_within_a_random_game_keeps_those_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C between two moves ends the random games; the whole ones count."""
    def interrupt(number: int, what: str) -> None:
        if what == "random games" and number == 5:
            raise KeyboardInterrupt

    monkeypatch.setattr(module, "_BATCH", 1e-9)
    game = dslgame.load("tic_tac_toe")
    found = complexity(Entries.of(game), game.start().state, samples=50, enumerate_most=1_000, progress=interrupt)
    assert found.samples == 5


def test_command_shows_a_table_or_json() -> None:
    """The command prints a table or JSON, also from a position where the game is over."""
    shown = run("complexity", "tic_tac_toe", "--samples", "200")
    assert shown.exit_code == 0
    assert "  state-space size        5,478 positions (counted)\n" in shown.stdout
    assert "  game-tree complexity    5." in shown.stdout
    found = json.loads(run("complexity", "tic_tac_toe", "--samples", "200", "--json", "-m", "b2").stdout)
    assert found["played"] == ["b2"]
    assert found["positions"]["exact"] < 5478
    over = json.loads(run("complexity", "tic_tac_toe", "-m", "a1 b1 a2 b2 a3", "--samples", "2", "--json").stdout)
    assert (over["positions"]["exact"], over["length"], over["games"]["log10"]) == (1, 0, 0)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "params", "positions"), [
    ("hex", {"size": 3}, 5514), ("shift_tac_toe", {}, 108_786), ("nex", {}, 36_397),
    ("connect_four", {"rows": 4, "columns": 4}, 161_029),
])
def test_positions_of_games_are_those_published(name: str, params: dict[str, int], positions: int) -> None:
    """The count equals totals of other programs, and the estimate is not below them by more than its error."""
    game = dslgame.load(name, **params)
    entries, state = Entries.of(game), game.start().state
    assert known(complexity(entries, state, samples=10)).exact == positions
    found = complexity(entries, state, samples=300, enumerate_most=positions // 2)
    assert known(found).log10 > math.log10(positions) + math.log10(max(1 - 4 * known(found).error, 0.1))

"""Sizes of games: known numbers of positions and games are counted, or estimated within their error."""

from __future__ import annotations

import json
import math

import pytest

import dslgame
from solver.complexity import complexity
from solver.entries import Entries
from tests.app.test_cli import run


@pytest.mark.slow
def test_positions_and_games_of_a_known_game() -> None:
    """5,478 positions and 255,168 games are counted, and estimated."""
    game = dslgame.load("tic_tac_toe")
    entries, state = Entries.of(game), game.start().state
    counted = complexity(entries, state, samples=500)
    assert (counted.positions.exact, counted.positions.text, counted.excess) == (5478, "5,478", None)
    assert abs(10**counted.games.log10 / 255_168 - 1) < 4 * counted.games.error < 0.3
    assert abs(10**counted.nodes.log10 / 549_946 - 1) < 4 * counted.nodes.error
    assert (counted.shortest, counted.longest, counted.most_moves, counted.broken_off) == (5, 9, 9, 0)
    sampled = complexity(entries, state, samples=500, enumerate_most=1000)
    assert sampled.positions.exact is None
    assert abs(10**sampled.positions.log10 / 5478 - 1) < 4 * sampled.positions.error + 0.01
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
    assert positions / 10 < 10**found.positions.log10 < 10 * positions
    assert complexity(entries, state, samples=800, enumerate_most=3_000) == found


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
    assert complexity(entries, state, samples=10).positions.exact == positions
    found = complexity(entries, state, samples=300, enumerate_most=positions // 2)
    assert found.positions.log10 > math.log10(positions) + math.log10(max(1 - 4 * found.positions.error, 0.1))

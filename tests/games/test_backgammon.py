"""Backgammon against OpenSpiel: the positions after every play, and the player to move, in random games.

OpenSpiel lists some plays in both orders of the dice and others in one, so plays are compared by the positions after.
"""

from __future__ import annotations

import random
from typing import Any, NamedTuple

import pytest

import dslgame
from interpreter.game import Position

pyspiel = pytest.importorskip("pyspiel")

BAR = 24
PLAYERS = ("White", "Black")
WHITE = [f"{column}2" for column in "mlkjihfedcba"] + [f"{column}1" for column in "abcdefhijklm"]
"""White's points from 24 to 1: OpenSpiel's 0 to 23."""


class Table(NamedTuple):
    """The men of both players on the points, on the bars and off; the player to throw or move; the dice."""

    men: tuple[tuple[int, ...], tuple[int, ...]]
    bar: tuple[int, int]
    off: tuple[int, int]
    mover: str
    dice: tuple[int, ...]


def ours(position: Position) -> Table:
    """Read a position of the game file."""
    counts: list[list[int]] = [[0] * 24, [0] * 24]
    piles = position.piles
    for number, cell in enumerate(WHITE):
        pile = piles.get(cell, ())
        for player, piece in enumerate(("white", "black")):
            counts[player][number] = pile.count(piece)
    bar, off = (tuple(len(piles.get(f"{column}{row}", ())) for row in (1, 2)) for column in "gn")
    high, low = position.variables["high"], position.variables["low"]
    assert isinstance(high, int)
    assert isinstance(low, int)
    dice = tuple(sorted((high, low)))
    mover = "" if position.over else PLAYERS[position.state.to_move]
    return Table((tuple(counts[0]), tuple(counts[1])), (bar[0], bar[1]), (off[0], off[1]), mover, dice)


def theirs(state: Any, mover: str, dice: tuple[int, ...]) -> Table:
    """Read a state of OpenSpiel; the caller gives the player to throw or move and the dice."""
    men = [tuple(state.board(player, point) for point in range(24)) for player in (0, 1)]
    seen = state.observation_tensor(0)
    bars = round(seen[192]), round(seen[195])
    off = tuple(15 - sum(men[player]) - bars[player] for player in (0, 1))
    return Table((men[0], men[1]), bars, (off[0], off[1]), mover, dice)


def after_throw(state: Any, high: int, low: int) -> Any:
    """OpenSpiel's state after a throw of two dice. Raises AssertionError if there is no such throw."""
    for action, _ in state.chance_outcomes():
        text = state.action_to_string(-1, action)
        if sorted(map(int, text[-3:-1])) == [low, high] and "starts" not in text:
            return state.child(action)
    raise AssertionError("no such throw")


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow),
                                  pytest.param(4, marks=pytest.mark.slow)])
def test_every_play_leads_where_openspiels_does(seed: int) -> None:
    """Compare all plays of every position of a random game, the turn after them, and the winner."""
    dice, plies = random.Random(seed), 0
    state = pyspiel.load_game("backgammon").new_initial_state()
    action = dice.choice(state.chance_outcomes())[0]
    text = state.action_to_string(-1, action)
    low, high = sorted(map(int, text[-3:-1]))
    white = "X starts" in text
    state = state.child(action)
    position = dslgame.load("backgammon").start().play(f"{high}-{low}" if white else f"{low}-{high}")
    while not position.over:
        if position.by_chance:
            throw = dice.choice(position.moves())
            position = position.play(throw)
            assert state.is_chance_node()
            state = after_throw(state, int(throw[0]), int(throw[1]))
        assert state.current_player() == position.state.to_move
        followers = {ours(after): (move, after) for move, after in
                     ((move, position.play(move)) for move in position.moves())}
        found: dict[Table, Any] = {}
        for action in state.legal_actions():
            child = state.child(action)
            again = not child.is_terminal() and not child.is_chance_node()
            mover = "" if child.is_terminal() else (
                PLAYERS[position.state.to_move] if again else PLAYERS[1 - position.state.to_move])
            thrown = tuple(sorted(ours(position).dice)) if again else (0, 0)
            found[theirs(child, mover, thrown)] = child
        assert set(found) == set(followers), position.text
        key = dice.choice(sorted(found))
        state, position = found[key], followers[key][1]
        plies += 1
    assert state.is_terminal()
    assert state.returns() == ([1, -1] if position.outcome == "White" else [-1, 1])
    assert plies > 20

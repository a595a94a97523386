"""The interpreter beside OpenSpiel, where both know a game: the same counts, and the same random games.

OpenSpiel computes its counts here, in the test; `games/*.perft` holds them as numbers. Skipped where it is not
installed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import dslgame
from interpreter.engine import Engine
from interpreter.game import Game
from interpreter.state import State
from tests.discovery import FOLDER

pyspiel: Any = pytest.importorskip("pyspiel")  # it has no types


class Match(NamedTuple):
    """A game of ours, and how OpenSpiel loads it and numbers its moves."""

    name: str
    params: dict[str, int]
    loads_as: str
    text_of: Callable[[int], str]  # OpenSpiel's action to our move

    def ours(self) -> Game:
        return dslgame.load(FOLDER / f"{self.name}.game", **self.params)

    def theirs(self) -> Any:
        return pyspiel.load_game(self.loads_as).new_initial_state()


def hex_match(size: int) -> Match:
    def text_of(action: int) -> str:
        return f"{'abcdefghijk'[action % size]}{action // size + 1}"

    return Match("hex", {"size": size}, f"hex(board_size={size})", text_of)


def connect_four_match(rows: int, columns: int, length: int) -> Match:
    params = {"rows": rows, "columns": columns, "length": length}
    loads_as = f"connect_four(rows={rows},columns={columns},x_in_row={length})"
    return Match("connect_four", params, loads_as, lambda action: str(action + 1))


MATCHES = {
    "tic-tac-toe": Match("tic_tac_toe", {}, "tic_tac_toe", lambda action: f"{'abc'[action % 3]}{3 - action // 3}"),
    "connect four": connect_four_match(6, 7, 4),
    "connect four 4x4": connect_four_match(4, 4, 4),
    "connect three 4x5": connect_four_match(4, 5, 3),
    "connect five 7x6": connect_four_match(7, 6, 5),
    **{f"hex {size}x{size}": hex_match(size) for size in range(3, 12)},
}


# ---- counts


def their_perft(state: Any, depth: int) -> int:
    """How many sequences of so many moves OpenSpiel has; its successors are not made at the last move."""
    if depth == 0:
        return 1
    actions = state.legal_actions()
    return len(actions) if depth == 1 else sum(their_perft(state.child(action), depth - 1) for action in actions)


def our_perft(engine: Engine, state: State, depth: int) -> int:
    """The same walk over our states."""
    if depth == 0:
        return 1
    if depth == 1:
        return len(engine.legal(state))
    return sum(our_perft(engine, after, depth - 1) for _, after in engine.successors(state))


COUNTS = {
    "connect four": [7, 49, 343, 2401, 16807, 117649, 823536, 5673234],
    "hex 4x4": [16, 240, 3360, 43680, 524160, 5765760],
    "tic-tac-toe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "hex 3x3": [9, 72, 504, 3024, 15120, 54720, 146880, 207360, 120960],
}
"""As OpenSpiel 2.0.2 counts them, from depth 1."""


@pytest.mark.parametrize(
    ("name", "depth", "count"),
    [
        pytest.param(name, depth, count, marks=[pytest.mark.slow] if count > 60_000 else [], id=f"{name} perft {depth}")
        for name, counts in COUNTS.items()
        for depth, count in enumerate(counts, start=1)
    ],
)
def test_perft_is_openspiels(name: str, depth: int, count: int) -> None:
    """Walked twice, by OpenSpiel and by the interpreter, to depths at which games have ended."""
    match = MATCHES[name]
    engine = match.ours().engine
    assert our_perft(engine, engine.start(), depth) == count
    assert their_perft(match.theirs(), depth) == count


@pytest.mark.parametrize(("name", "depth"), [("connect four 4x4", 6), ("connect three 4x5", 6), ("hex 5x5", 3)])
def test_perft_is_openspiels_on_other_boards(name: str, depth: int) -> None:
    """Where no numbers are written down, the two are compared."""
    match = MATCHES[name]
    engine = match.ours().engine
    assert our_perft(engine, engine.start(), depth) == their_perft(match.theirs(), depth)


# ---- random games


@pytest.mark.parametrize("name", MATCHES)
@settings(max_examples=settings().max_examples // 5)
@given(data=st.data())
def test_random_games_are_openspiels(name: str, data: st.DataObject) -> None:
    """The same player to move and legal moves at every ply, and the same winner."""
    match = MATCHES[name]
    ours, theirs = match.ours().start(), match.theirs()
    players = ours.game.players
    while not theirs.is_terminal():
        actions = {match.text_of(action): action for action in theirs.legal_actions()}
        assert sorted(ours.moves()) == sorted(actions)
        assert ours.to_move == players[theirs.current_player()]
        assert ours.outcome is None
        text = sorted(actions)[data.draw(st.integers(0, len(actions) - 1), label="move")]
        theirs.apply_action(actions[text])
        ours = ours.play(text)
    assert ours.moves() == ()
    assert ours.outcome == {1.0: players[0], -1.0: players[1], 0.0: "draw"}[theirs.returns()[0]]

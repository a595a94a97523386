"""Hexagonal tic-tac-toe: X and O place stones on an unbounded plane of hexagonal cells, X one, then each `stones` per
turn. The first stone goes anywhere, every other one next to a stone. `length` or more in a row along one of the three
axes win.

The cells form columns; a row leads from each cell to the one below and to the right of it in the next column. A1 is
where the first column and the first row with stones meet; columns are A to Z, AA and so on, and @ left of A, rows 1, 2
and so on, and 0 above 1. A move names a cell; the first is @0.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"length": 3, "stones": 1}, {"length": 4, "stones": 3}, {"length": 5, "stones": 1}]

OTHER = {"X": "O", "O": "X"}
AXES = ((0, 1), (1, 0), (1, -1))
"""Down, down to the right, and up to the right, as (columns, rows)."""
AROUND = [step for column, row in AXES for step in ((column, row), (-column, -row))]

Place = tuple[int, int]
"""Column and row; A1 is (1, 1)."""


class State(NamedTuple):
    """The stones by place, with A1 at (1, 1); the player to move; the stones left in the turn."""

    stones: frozenset[tuple[Place, str]]
    mover: str
    left: int


class Reference(Rules[State]):
    """Hexagonal tic-tac-toe; `room` is ignored, as it does not matter while stones stay within it."""

    def __init__(self, *, length: int = 6, stones: int = 2, room: int = 20) -> None:
        self.length, self.stones = length, stones

    def start(self) -> State:
        return State(frozenset(), "X", 1)

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        on = dict(state.stones)
        for (column, row), player in on.items():
            for right, down in AXES:
                line = [(column + k * right, row + k * down) for k in range(self.length)]
                if all(on.get(place) == player for place in line):
                    return player
        return None

    def options(self, state: State) -> list[str]:
        if not state.stones:
            return ["@0"]
        taken = {place for place, _ in state.stones}
        near = {(column + right, row + down) for column, row in taken for right, down in AROUND}
        return [name(place) for place in sorted(near - taken)]

    def after(self, state: State, move: str) -> State:
        stones = {*state.stones, (place_of(move), state.mover)}
        first_column = min(column for (column, _), _ in stones)
        first_row = min(row for (_, row), _ in stones)
        moved = frozenset(((column - first_column + 1, row - first_row + 1), player)
                          for (column, row), player in stones)
        if state.left > 1:
            return State(moved, state.mover, state.left - 1)
        return State(moved, OTHER[state.mover], self.stones)

    def board(self, state: State) -> dict[str, str]:
        return {name(place): player.lower() for place, player in state.stones}


LETTERS = {0: "@", **{number: chr(ord("A") + number - 1) for number in range(1, 27)},
           **{number: "A" + chr(ord("A") + number - 27) for number in range(27, 53)}}


def name(place: Place) -> str:
    """Return the name of a place."""
    return f"{LETTERS[place[0]]}{place[1]}"


def place_of(text: str) -> Place:
    """Return the place with a name."""
    letters = text.rstrip("-0123456789")
    return next(number for number, known in LETTERS.items() if known == letters), int(text[len(letters):])

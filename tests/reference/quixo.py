"""Quixo, on a square board of any size; on the real one five cubes a side.

All cubes are blank at first. A player takes a cube from the border that is blank or shows their own sign, and pushes
it, own sign up, into the row or column from which it came, at an end other than the place it was taken from: the cubes
between move along by one. A player who makes a line of their own sign across the whole board (row, column or one of the
two diagonals) wins; a player who makes a line of the other sign loses, even if a line of their own sign is made as
well. A repeated position is a draw, which is left to the caller. Cells are named by column letter from the left and row
number from the bottom; `a3east` takes the cube on a3 and pushes it in from the east.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}, {"size": 4}, {"size": 3}, {"size": 2}]

OTHER = {"X": "O", "O": "X"}
SIDES = {"north": (0, 1), "east": (1, 0), "south": (0, -1), "west": (-1, 0)}


class State(NamedTuple):
    """The signs, row by row from the bottom, "." for a blank cube, and the player to move."""

    rows: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Quixo."""

    def __init__(self, *, size: int = 5) -> None:
        self.size = size

    def start(self) -> State:
        return State(("." * self.size,) * self.size, "X")

    def to_move(self, state: State) -> str:
        return state.mover

    def lines(self, rows: tuple[str, ...]) -> set[str]:
        """The signs that have a line across the board."""
        numbers = range(self.size)
        every = [*rows, *("".join(row[x] for row in rows) for x in numbers),
                 "".join(rows[x][x] for x in numbers), "".join(rows[x][-1 - x] for x in numbers)]
        return {line[0] for line in every if line[0] != "." and len(set(line)) == 1}

    def outcome(self, state: State) -> str | None:
        made = self.lines(state.rows)
        return state.mover if state.mover in made else OTHER[state.mover] if made else None

    def options(self, state: State) -> list[str]:
        last = self.size - 1
        return [
            f"{name((x, y))}{side}"
            for x, y in places(self.size, self.size)
            if (x in (0, last) or y in (0, last)) and state.rows[y][x] in (".", state.mover)
            for side, (right, up) in SIDES.items()
            if 0 <= x + right <= last and 0 <= y + up <= last
        ]

    def after(self, state: State, move: str) -> State:
        (x, y), side = self.parts(move)
        if side in ("east", "west"):
            row = state.rows[y][:x] + state.rows[y][x + 1:]
            row = row + state.mover if side == "east" else state.mover + row
            return State((*state.rows[:y], row, *state.rows[y + 1:]), OTHER[state.mover])
        column = [row[x] for row in state.rows]
        del column[y]
        column.insert(self.size if side == "north" else 0, state.mover)
        rows = tuple(row[:x] + sign + row[x + 1:] for row, sign in zip(state.rows, column, strict=True))
        return State(rows, OTHER[state.mover])

    def parts(self, move: str) -> tuple[Place, str]:
        """Parse the place and the side of a move."""
        found = re.fullmatch(r"([a-z])(\d+)([a-z]+)", move)
        assert found is not None
        return ("abcdefghijklmnopqrstuvwxyz".index(found[1]), int(found[2]) - 1), found[3]

    def board(self, state: State) -> dict[str, str]:
        return {name((x, y)): state.rows[y][x].lower() for x, y in places(self.size, self.size)
                if state.rows[y][x] != "."}

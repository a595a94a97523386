"""Lasca (Emanuel Lasker's draughts with columns), on a board of any size.

Played on the cells of one colour, a1 being one. White's soldiers fill `filled` rows at the bottom, Black's as many at
the top; White moves first. Pieces stand on each other in columns; the top piece of a column, its guide, says whose the
column is and how it moves: a soldier one cell diagonally ahead, an officer one cell in any diagonal direction. A column
jumps over a diagonally neighbouring column of the other side onto the empty cell behind it, soldiers ahead only, and
takes the guide of that column along under its own lowest piece; what was under that guide stays where it is. A player
who can jump must, with any column, and the same column must go on jumping while it can, also over a column that it
jumped before if the guide is again one of the other side's. A soldier that reaches the far row ends its move there and
becomes an officer. A player who cannot move loses. A repeated position is a draw, which is left to the caller. Cells
are named by column letter from the left and row number from the bottom; `c3-d4` is a step, `c3xe5xg7` a capture.
"""

from __future__ import annotations

from itertools import pairwise
from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"size": 4, "filled": 1}, {"size": 5, "filled": 2}, {"size": 6, "filled": 2}]

OTHER = {"White": "Black", "Black": "White"}
AHEAD = {"White": 1, "Black": -1}

Place = tuple[int, int]  # (column, row), from 0 at the bottom left
Column = tuple[str, ...]  # pieces such as "White soldier", the lowest first
Columns = dict[Place, Column]


class State(NamedTuple):
    """Places with the columns there, and the player to move."""

    columns: frozenset[tuple[Place, Column]]
    mover: str


class Reference(Rules[State]):
    """Lasca."""

    def __init__(self, *, size: int = 7, filled: int = 3) -> None:
        self.size, self.filled = size, filled

    def start(self) -> State:
        columns: Columns = {}
        for row in range(self.size):
            for column in range(self.size):
                if (column + row) % 2 == 0:
                    if row < self.filled:
                        columns[column, row] = ("White soldier",)
                    elif row >= self.size - self.filled:
                        columns[column, row] = ("Black soldier",)
        return State(frozenset(columns.items()), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def ways(self, guide: str) -> list[tuple[int, int]]:
        """The directions in which a column with this guide may move, in columns and rows."""
        player, kind = guide.split()
        return [(x, y) for y in (1, -1) if kind == "officer" or y == AHEAD[player] for x in (-1, 1)]

    def free(self, columns: Columns, place: Place) -> bool:
        """Whether a place is on the board and empty."""
        return all(0 <= number < self.size for number in place) and place not in columns

    def jumped(self, columns: Columns, at: Place, target: Place) -> Columns:
        """The columns after one jump."""
        over = (at[0] + target[0]) // 2, (at[1] + target[1]) // 2
        found = dict(columns)
        jumping, below = found.pop(at), found.pop(over)
        found[target] = (below[-1], *jumping)
        if below[:-1]:
            found[over] = below[:-1]
        return found

    def chains(self, columns: Columns, at: Place) -> list[list[Place]]:
        """All complete jumps of a column, as the places that it visits, beginning with its own."""
        guide = columns[at][-1]
        found = []
        for x, y in self.ways(guide):
            over, target = (at[0] + x, at[1] + y), (at[0] + 2 * x, at[1] + 2 * y)
            if over in columns and columns[over][-1].split()[0] != guide.split()[0] and self.free(columns, target):
                found += [[at, *chain] for chain in self.chains(self.jumped(columns, at, target), target)]
        return found or [[at]]

    def options(self, state: State) -> list[str]:
        columns = dict(state.columns)
        own = [place for place, column in columns.items() if column[-1].startswith(state.mover)]
        jumps = [chain for place in own for chain in self.chains(columns, place) if len(chain) > 1]
        if jumps:
            return ["x".join(map(name, chain)) for chain in jumps]
        return [f"{name(place)}-{name(target)}" for place in own for x, y in self.ways(columns[place][-1])
                if self.free(columns, target := (place[0] + x, place[1] + y))]

    def after(self, state: State, move: str) -> State:
        columns = dict(state.columns)
        way = [place_of(cell) for cell in move.replace("-", "x").split("x")]
        for before, now in pairwise(way):
            if "x" in move:
                columns = self.jumped(columns, before, now)
            else:
                columns[now] = columns.pop(before)
        if way[-1][1] == (self.size - 1 if state.mover == "White" else 0):
            columns[way[-1]] = (*columns[way[-1]][:-1], f"{state.mover} officer")
        return State(frozenset(columns.items()), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): column[-1] for place, column in state.columns}

    def piles(self, state: State) -> dict[str, Column]:
        """The pieces on each cell, from the bottom up."""
        return {name(place): column for place, column in state.columns}


def name(place: Place) -> str:
    """Return the name of a cell."""
    return f"{ascii_lowercase[place[0]]}{place[1] + 1}"


def place_of(cell: str) -> Place:
    """The column and row of a cell."""
    return ascii_lowercase.index(cell[0]), int(cell[1:]) - 1

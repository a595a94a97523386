"""2048 on a board of any size: a push moves all tiles to a side, and equal ones that meet merge, once per push."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"rows": 2, "doublings": 3}, {"rows": 2, "columns": 3, "doublings": 4},
                               {"rows": 1, "columns": 4, "doublings": 3}]
PIECES = {2: "two", 4: "four", 8: "eight", 16: "sixteen", **{2**n: f"n{2**n}" for n in range(5, 12)}}
Grid = tuple[tuple[int, ...], ...]


class State(NamedTuple):
    """The numbers, 0 for an empty cell, and how many new tiles are to come."""

    grid: Grid
    to_come: int


def pushed(line: tuple[int, ...]) -> tuple[int, ...]:
    """A row after a push towards its front."""
    found: list[int] = []
    free = False
    for number in filter(None, line):
        if free and found[-1] == number:
            found[-1] *= 2
            free = False
        else:
            found.append(number)
            free = True
    return (*found, *[0] * (len(line) - len(found)))


class Reference(Rules[State]):
    """2048 for one player."""

    def __init__(self, *, rows: int = 4, columns: int | None = None, doublings: int = 10) -> None:
        self.rows, self.columns, self.goal = rows, columns or rows, 2 ** (doublings + 1)

    def start(self) -> State:
        return State(((0,) * self.columns,) * self.rows, 2)

    def to_move(self, state: State) -> str:
        return "nature" if state.to_come else "Solver"

    def outcome(self, state: State) -> str | None:
        if max(map(max, state.grid)) >= self.goal:
            return "Solver"
        return None if state.to_come or self.options(state) else DRAW

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(9 if move.endswith("=2") else 1, 10 * sum(row.count(0) for row in state.grid))

    def options(self, state: State) -> list[str]:
        if state.to_come:
            return [f"{'abcde'[column]}{self.rows - row}={number}" for row in range(self.rows)
                    for column in range(self.columns) if not state.grid[row][column] for number in (2, 4)]
        return [way for way in ("north", "east", "south", "west") if self.after_push(state.grid, way) != state.grid]

    def after_push(self, grid: Grid, way: str) -> Grid:
        """The grid after a push."""
        if way in ("north", "south"):
            turned = tuple(zip(*grid, strict=True))
            return tuple(zip(*self.after_push(turned, "west" if way == "north" else "east"), strict=True))
        if way == "west":
            return tuple(pushed(row) for row in grid)
        return tuple(pushed(row[::-1])[::-1] for row in grid)

    def after(self, state: State, move: str) -> State:
        if not state.to_come:
            return State(self.after_push(state.grid, move), 1)
        cell, number = move.split("=")
        grid = [list(row) for row in state.grid]
        grid[self.rows - int(cell[1])]["abcde".index(cell[0])] = int(number)
        return State(tuple(map(tuple, grid)), state.to_come - 1)

    def board(self, state: State) -> dict[str, str]:
        return {f"{'abcde'[column]}{self.rows - row}": PIECES[state.grid[row][column]] for row in range(self.rows)
                for column in range(self.columns) if state.grid[row][column]}

    def variables(self, state: State) -> dict[str, object]:
        return {"to_come": state.to_come}

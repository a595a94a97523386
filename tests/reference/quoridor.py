"""Quoridor for two.

White's pawn begins in the middle of the bottom row, Black's in that of the top row; where there is no middle, White's
is to the right of it and Black's to the left. A player moves the pawn to one of the four cells beside it, if no wall is
between. Where the other pawn stands there, the pawn leaps over it to the cell behind; where a wall or the edge of the
board is behind that pawn, to a cell beside it at its left or right instead. Or a player builds a wall, which is two
cells long and lies between two rows, or stands between two columns, beginning and ending where cells meet. Walls may
not lie on each other or cross, and each pawn must have a way to the other side. A player who comes to the far row wins;
a player who cannot move loses. A repeated position is a draw, which is left to the caller. A wall is called by the cell
to the southwest of its middle and h or v, a pawn's move by the cell that it goes to.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{"size": 3, "walls": 2}, {"size": 4, "walls": 3}, {"size": 5, "walls": 3}, {}]

Cell = tuple[int, int]
"""Column and row, both from 0, rows from the bottom."""
Wall = tuple[int, int, str]
OTHER = {"White": "Black", "Black": "White"}


class State(NamedTuple):
    """The pawns' cells (White's first), the walls, the walls that each player has left, and the player to move."""

    pawns: tuple[Cell, Cell]
    walls: frozenset[Wall]
    left: tuple[int, int]
    mover: str


def name(cell: Cell) -> str:
    """Return the name of a cell."""
    return "abcdefghijklmnopqrs"[cell[0]] + str(cell[1] + 1)


class Reference(Rules[State]):
    """Quoridor."""

    def __init__(self, size: int = 9, walls: int = 10) -> None:
        self.size, self.walls = size, walls

    def start(self) -> State:
        return State(((self.size // 2, 0), ((self.size - 1) // 2, self.size - 1)), frozenset(),
                     (self.walls, self.walls), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if state.pawns[0][1] == self.size - 1:
            return "White"
        if state.pawns[1][1] == 0:
            return "Black"
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        return [name(cell) for cell in self.steps(state)] + [
            name((x, y)) + lie for x, y, lie in self.buildable(state)]

    def open_between(self, walls: frozenset[Wall], one: Cell, other: Cell) -> bool:
        """Whether a pawn can go from a cell to a neighbouring one: on the board, and no wall in between."""
        if not (0 <= other[0] < self.size and 0 <= other[1] < self.size):
            return False
        x, y = min(one[0], other[0]), min(one[1], other[1])
        if one[0] == other[0]:
            return (x, y, "h") not in walls and (x - 1, y, "h") not in walls
        return (x, y, "v") not in walls and (x, y - 1, "v") not in walls

    def steps(self, state: State) -> list[Cell]:
        """The cells that the mover's pawn can go to."""
        own, other = state.pawns if state.mover == "White" else state.pawns[::-1]
        found = set()
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            beside = own[0] + dx, own[1] + dy
            if not self.open_between(state.walls, own, beside):
                continue
            if beside != other:
                found.add(beside)
                continue
            behind = other[0] + dx, other[1] + dy
            if self.open_between(state.walls, other, behind):
                found.add(behind)
            else:
                for aside in ((other[0] + dy, other[1] + dx), (other[0] - dy, other[1] - dx)):
                    if self.open_between(state.walls, other, aside):
                        found.add(aside)
        return sorted(found)

    def buildable(self, state: State) -> list[Wall]:
        """The walls that the mover may build."""
        if state.left[state.mover == "Black"] == 0:
            return []
        found = []
        for x in range(self.size - 1):
            for y in range(self.size - 1):
                for lie in "hv":
                    near = ((x - 1, y, lie), (x + 1, y, lie)) if lie == "h" else ((x, y - 1, lie), (x, y + 1, lie))
                    blocked = {(x, y, "h"), (x, y, "v"), *near}
                    walls = state.walls | {(x, y, lie)}
                    if not blocked & state.walls and self.leads(walls, state.pawns[0], self.size - 1) and self.leads(
                            walls, state.pawns[1], 0):
                        found.append((x, y, lie))
        return found

    def leads(self, walls: frozenset[Wall], start: Cell, row: int) -> bool:
        """Whether there is a path from a cell to a row, ignoring pawns."""
        seen, waiting = {start}, [start]
        while waiting:
            x, y = waiting.pop()
            if y == row:
                return True
            for beside in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if beside not in seen and self.open_between(walls, (x, y), beside):
                    seen.add(beside)
                    waiting.append(beside)
        return False

    def after(self, state: State, move: str) -> State:
        pawns, left, walls = list(state.pawns), list(state.left), state.walls
        place = int(state.mover == "Black")
        cell = "abcdefghijklmnopqrs".index(move[0]), int(move[1:].rstrip("hv")) - 1
        if move[-1] in "hv":
            walls |= {(*cell, move[-1])}
            left[place] -= 1
        else:
            pawns[place] = cell
        return State((pawns[0], pawns[1]), walls, (left[0], left[1]), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(state.pawns[0]): "pawn", name(state.pawns[1]): "pawn"}

    def variables(self, state: State) -> dict[str, object] | None:
        return None

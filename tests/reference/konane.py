"""Konane, Hawaiian checkers, on a square board of any size.

The board is full, black and white in turn, a1 black. Black begins and takes off a black stone in a corner or in the
middle (the four middle cells, on odd boards the one); White takes off a white stone beside the gap. After that a move
jumps with one of the mover's stones over an orthogonally neighbouring stone of the other colour onto the empty cell
behind it, and on in the same direction as often as wanted; jumped stones are taken off. A player who cannot jump loses.
Cells are named by column letter from the left and row number from the bottom; `xd4` takes off, `a1-a5` is the whole
jump.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"size": 4}, {"size": 5}, {"size": 8}]

OTHER = {"Black": "White", "White": "Black"}
PIECE = {"Black": "black", "White": "white"}
SIDES = [(0, 1), (1, 0), (0, -1), (-1, 0)]

Place = tuple[int, int]  # (column, row), from 0 at the bottom left


class State(NamedTuple):
    """The stones as place and colour, and the player to move."""

    stones: frozenset[tuple[Place, str]]
    mover: str


class Reference(Rules[State]):
    """Konane."""

    def __init__(self, *, size: int = 6) -> None:
        self.size = size
        self.cells = size * size

    def start(self) -> State:
        numbers = range(self.size)
        stones = (((column, row), "white" if (column + row) % 2 else "black") for column in numbers for row in numbers)
        return State(frozenset(stones), "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        stones = dict(state.stones)
        if len(stones) == self.cells:
            last = self.size - 1
            half = {last // 2, self.size // 2}
            places = [(0, 0), (0, last), (last, 0), (last, last), *((column, row) for column in half for row in half)]
            return [f"x{name(place)}" for place in places if stones[place] == "black"]
        if len(stones) == self.cells - 1:
            return [
                f"x{name((column, row))}"
                for column, row in stones
                if any((column + x, row + y) not in stones and self.inside(column + x, row + y) for x, y in SIDES)
            ]
        found = []
        for (column, row), piece in stones.items():
            if piece != PIECE[state.mover]:
                continue
            for x, y in SIDES:
                at = column, row
                while stones.get((at[0] + x, at[1] + y)) == PIECE[OTHER[state.mover]]:
                    at = at[0] + 2 * x, at[1] + 2 * y
                    if at in stones or not self.inside(*at):
                        break
                    found.append(f"{name((column, row))}-{name(at)}")
        return found

    def inside(self, column: int, row: int) -> bool:
        """Whether a cell is on the board."""
        return 0 <= column < self.size and 0 <= row < self.size

    def after(self, state: State, move: str) -> State:
        stones = dict(state.stones)
        if move.startswith("x"):
            del stones[place_of(move[1:])]
        else:
            (column, row), end = map(place_of, move.split("-"))
            piece = stones.pop((column, row))
            while (column, row) != end:
                column += (end[0] > column) - (end[0] < column)
                row += (end[1] > row) - (end[1] < row)
                stones.pop((column, row), None)
            stones[end] = piece
        return State(frozenset(stones.items()), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): piece for place, piece in state.stones}


def name(place: Place) -> str:
    """Return the name of a cell."""
    return f"{ascii_lowercase[place[0]]}{place[1] + 1}"


def place_of(cell: str) -> Place:
    """The column and row of a cell."""
    return ascii_lowercase.index(cell[0]), int(cell[1:]) - 1

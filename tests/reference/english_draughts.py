"""English draughts (American checkers), on a board of any size.

Played on the dark cells, a1 being one. Black's men fill `filled` rows at the bottom, White's as many at the top; Black
moves first. A man steps one cell diagonally ahead, a king in any diagonal direction: `c3-d4`. A jump goes over a
diagonally neighbouring piece of the other side onto the empty cell behind it and captures it; men jump ahead only. A
player who can jump must, with any piece, and the same piece must go on jumping while it can: `c3xe5xg7`. A man that
reaches the far row ends its move there and becomes a king. A player who cannot move loses. A repeated position is a
draw, which is left to the caller. Cells are named by column letter from the left and row number from the bottom.
"""

from __future__ import annotations

from itertools import pairwise
from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"size": 4, "filled": 1}, {"size": 6, "filled": 2}, {"size": 7, "filled": 2}]

OTHER = {"Black": "White", "White": "Black"}
AHEAD = {"Black": 1, "White": -1}

Place = tuple[int, int]  # (column, row), from 0 at the bottom left
Pieces = dict[Place, tuple[str, str]]  # owner, and "man" or "king"


class State(NamedTuple):
    """The pieces as place with owner and kind, and the player to move."""

    pieces: frozenset[tuple[Place, tuple[str, str]]]
    mover: str


class Reference(Rules[State]):
    """English draughts."""

    def __init__(self, *, size: int = 8, filled: int = 3) -> None:
        self.size, self.filled = size, filled

    def start(self) -> State:
        pieces: Pieces = {}
        for row in range(self.size):
            for column in range(self.size):
                if (column + row) % 2 == 0:
                    if row < self.filled:
                        pieces[column, row] = "Black", "man"
                    elif row >= self.size - self.filled:
                        pieces[column, row] = "White", "man"
        return State(frozenset(pieces.items()), "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def diagonals(self, piece: tuple[str, str]) -> list[tuple[int, int]]:
        """The directions in which a piece may move, in columns and rows."""
        player, kind = piece
        return [(x, y) for y in (1, -1) if kind == "king" or y == AHEAD[player] for x in (-1, 1)]

    def free(self, pieces: Pieces, place: Place) -> bool:
        """Whether a place is on the board and empty."""
        return all(0 <= number < self.size for number in place) and place not in pieces

    def chains(self, pieces: Pieces, at: Place) -> list[list[Place]]:
        """All complete jumps of a piece, as the places that it visits, beginning with its own."""
        piece = pieces[at]
        found = []
        for x, y in self.diagonals(piece):
            over, target = (at[0] + x, at[1] + y), (at[0] + 2 * x, at[1] + 2 * y)
            if over in pieces and pieces[over][0] != piece[0] and self.free(pieces, target):
                left = {place: other for place, other in pieces.items() if place not in (at, over)}
                found += [[at, *chain] for chain in self.chains({**left, target: piece}, target)]
        return found or [[at]]

    def options(self, state: State) -> list[str]:
        pieces = dict(state.pieces)
        own = [place for place, (player, _) in pieces.items() if player == state.mover]
        jumps = [chain for place in own for chain in self.chains(pieces, place) if len(chain) > 1]
        if jumps:
            return ["x".join(map(name, chain)) for chain in jumps]
        return [
            f"{name(place)}-{name(target)}"
            for place in own
            for x, y in self.diagonals(pieces[place])
            if self.free(pieces, target := (place[0] + x, place[1] + y))
        ]

    def after(self, state: State, move: str) -> State:
        pieces = dict(state.pieces)
        way = [place_of(cell) for cell in move.replace("-", "x").split("x")]
        player, kind = pieces.pop(way[0])
        for before, now in pairwise(way):
            if "x" in move:
                del pieces[(before[0] + now[0]) // 2, (before[1] + now[1]) // 2]
        if way[-1][1] == (self.size - 1 if player == "Black" else 0):
            kind = "king"
        pieces[way[-1]] = player, kind
        return State(frozenset(pieces.items()), OTHER[player])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): f"{player} {kind}" for place, (player, kind) in state.pieces}


def name(place: Place) -> str:
    """Return the name of a cell."""
    return f"{ascii_lowercase[place[0]]}{place[1] + 1}"


def place_of(cell: str) -> Place:
    """The column and row of a cell."""
    return ascii_lowercase.index(cell[0]), int(cell[1:]) - 1

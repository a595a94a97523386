"""Amazons: a player moves an amazon like a chess queen, and from there it shoots an arrow that flies like a queen.

What an arrow hits is blocked for good; nothing passes over amazons and arrows, and the cell that the amazon left is
free for the arrow. A player who cannot move loses. White begins at the bottom: two amazons on the first row, (size - 1)
// 3 cells in from either side, and two on the border columns as far up; Black's mirror them. Cells are named by column
letter and row number from the bottom; `d1-d7/g10` moves from d1 to d7 and shoots to g10.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

PIECE = {"White": "white", "Black": "black"}
OTHER = {"White": "Black", "Black": "White"}
STEPS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]

CASES: list[dict[str, int]] = [{"size": 4}, {"size": 5}]

Place = tuple[int, int]  # (column, row from the bottom), both from 0


class State(NamedTuple):
    """Pieces by place, and the player to move."""

    pieces: frozenset[tuple[Place, str]]
    mover: str


class Reference(Rules[State]):
    """Amazons on a board of `size` x `size`."""

    def __init__(self, *, size: int = 10) -> None:
        self.size = size
        self.name = {(x, y): f"{ascii_lowercase[x]}{y + 1}" for x in range(size) for y in range(size)}
        self.place = {name: place for place, name in self.name.items()}

    def start(self) -> State:
        last = self.size - 1
        third = last // 3
        white = [(third, 0), (last - third, 0), (0, third), (last, third)]
        pieces = [(place, "white") for place in white] + [((x, last - y), "black") for x, y in white]
        return State(frozenset(pieces), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def reach(self, start: Place, taken: set[Place]) -> list[Place]:
        """The cells that a queen's move reaches; taken cells block it."""
        found = []
        for dx, dy in STEPS:
            x, y = start[0] + dx, start[1] + dy
            while (x, y) in self.name and (x, y) not in taken:
                found.append((x, y))
                x, y = x + dx, y + dy
        return found

    def options(self, state: State) -> list[str]:
        taken = {place for place, _ in state.pieces}
        return [
            f"{self.name[start]}-{self.name[end]}/{self.name[arrow]}"
            for start, piece in state.pieces
            if piece == PIECE[state.mover]
            for end in self.reach(start, taken)
            for arrow in self.reach(end, taken - {start} | {end})
        ]

    def after(self, state: State, move: str) -> State:
        start, end, arrow = (self.place[name] for name in move.replace("/", "-").split("-"))
        piece = PIECE[state.mover]
        return State(state.pieces - {(start, piece)} | {(end, piece), (arrow, "arrow")}, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {self.name[place]: piece for place, piece in state.pieces}

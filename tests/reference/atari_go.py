"""Atari Go: Go in which the first capture wins.

Black moves first; a move is the name of an empty cell. A move that leaves a chain of the other player without liberties
wins. A move that leaves a chain of the mover without liberties and captures nothing is illegal. There is no passing: a
player without a legal move loses. Cells are named by column letter and row number from the bottom.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.go import Place, Stones, beside, without_liberties
from tests.reference.rules import Rules

PIECE = {"Black": "black", "White": "white"}
OTHER = {"Black": "White", "White": "Black"}

CASES: list[dict[str, int]] = [{"size": 2}, {"size": 3}, {"size": 4}, {"size": 5}, {}]


class State(NamedTuple):
    """The stones, including captured ones, and the player to move."""

    stones: Stones
    mover: str


class Reference(Rules[State]):
    """Atari Go on a board of `size` x `size`."""

    def __init__(self, *, size: int = 9) -> None:
        self.size = size
        self.name: dict[Place, str] = {(x, y): f"{ascii_lowercase[x]}{y + 1}" for y in range(size) for x in range(size)}
        self.place = {name: place for place, name in self.name.items()}

    def start(self) -> State:
        return State(frozenset(), "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if without_liberties(state.stones, PIECE[state.mover], self.size):
            return OTHER[state.mover]
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        taken = {place for place, _ in state.stones}
        return [name for place, name in self.name.items() if place not in taken and self.is_legal(state, place, taken)]

    def is_legal(self, state: State, place: Place, taken: set[Place]) -> bool:
        """Whether a stone on an empty cell has a liberty, captures, or leaves its chain a liberty."""
        if not taken.issuperset(beside(place, self.size)):
            return True
        own, other = PIECE[state.mover], PIECE[OTHER[state.mover]]
        stones = state.stones | {(place, own)}
        return bool(without_liberties(stones, other, self.size)) or not without_liberties(stones, own, self.size)

    def after(self, state: State, move: str) -> State:
        return State(state.stones | {(self.place[move], PIECE[state.mover])}, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {self.name[place]: piece for place, piece in state.stones}

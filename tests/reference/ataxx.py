"""Ataxx: pieces grow to a neighbouring cell or jump two cells far, and turn their new neighbours to their colour.

`b2` puts a piece on an empty cell beside one's own (diagonals count), `a1c2` moves one by exactly two rows or columns
or both; after that all of the other's pieces beside the new place change colour. A player without a move has to `pass`.
A player who has taken all pieces wins at once; when neither can move more pieces win. Red begins, from the top left and
bottom right corners; Blue has the other two. Cells are named by column letter and row number from the bottom.

In play a repeated position, with the same player to move, is a draw; a state does not carry the history.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

OTHER = {"Red": "Blue", "Blue": "Red"}

CASES: list[dict[str, int]] = [{"size": 3}, {"size": 4}, {"size": 5}, {}]

Place = tuple[int, int]  # (column, row from the bottom), both from 0


class State(NamedTuple):
    """The cells of each player, and the player to move."""

    red: frozenset[Place]
    blue: frozenset[Place]
    mover: str


def distance(a: Place, b: Place) -> int:
    """The distance of two places in king's moves."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


class Reference(Rules[State]):
    """Ataxx on a board of `size` x `size`."""

    def __init__(self, *, size: int = 7) -> None:
        self.last = size - 1
        self.name = {(x, y): f"{ascii_lowercase[x]}{y + 1}" for y in range(size) for x in range(size)}
        self.place = {name: place for place, name in self.name.items()}

    def start(self) -> State:
        last = self.last
        return State(frozenset({(0, last), (last, 0)}), frozenset({(0, 0), (last, last)}), "Red")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        red, blue = len(state.red), len(state.blue)
        if red and blue and (self.steps(state) or self.steps(state._replace(mover=OTHER[state.mover]))):
            return None
        return "Red" if red > blue else "Blue" if blue > red else DRAW

    def steps(self, state: State) -> list[str]:
        """The moves other than `pass`."""
        own = state.red if state.mover == "Red" else state.blue
        empty = set(self.name) - state.red - state.blue
        grown = [self.name[to] for to in empty if any(distance(a, to) == 1 for a in own)]
        return grown + [self.name[a] + self.name[to] for a in own for to in empty if distance(a, to) == 2]

    def options(self, state: State) -> list[str]:
        return self.steps(state) or ["pass"]

    def after(self, state: State, move: str) -> State:
        if move == "pass":
            return State(state.red, state.blue, OTHER[state.mover])
        start, to = self.place.get(move[:-2]), self.place[move[-2:]]
        own, theirs = (state.red, state.blue) if state.mover == "Red" else (state.blue, state.red)
        turned = {cell for cell in theirs if distance(cell, to) == 1}
        own, theirs = own - {start} | turned | {to}, theirs - turned
        red, blue = (own, theirs) if state.mover == "Red" else (theirs, own)
        return State(red, blue, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        red = {self.name[place]: "red" for place in state.red}
        return red | {self.name[place]: "blue" for place in state.blue}

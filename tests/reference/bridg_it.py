"""Bridg-It, Gale's game: Red and Blue join neighbouring dots of their own; no bridge may cross another.

Red has size + 1 rows of size dots, Blue size rows of size + 1; each grid's dots lie in the middles of the other's
squares. So every place for a bridge is one for a red and one for a blue bridge, which cross. Red wins by joining the
top row of red dots to the bottom row, Blue by joining the left column of blue dots to the right one. Red moves first.

On a square of 2 * size + 1 rows and columns the dots of Red are where the row is even and the column odd, those of Blue
where the row is odd and the column even, and bridges are in between. Cells are named by column letter and row number
from the bottom; a move is the name of the cell of a bridge.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

OTHER = {"Red": "Blue", "Blue": "Red"}

CASES: list[dict[str, int]] = [{"size": 1}, {"size": 2}, {"size": 3}, {"size": 4}, {}]

Place = tuple[int, int]  # (row, column), both from 0
Bridge = tuple[Place, Place]


class State(NamedTuple):
    """The cells of each player's bridges, and the player to move."""

    red: frozenset[Place]
    blue: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Bridg-It with `size` dots in a row of Red."""

    def __init__(self, *, size: int = 5) -> None:
        self.last = 2 * size
        evens, odds = range(0, self.last + 1, 2), range(1, self.last, 2)
        self.dots = {
            "Red": {(row, column) for row in evens for column in odds},
            "Blue": {(row, column) for row in odds for column in evens},
        }
        self.places = {self.name(row, column): (row, column) for row in odds for column in odds}
        self.places |= {self.name(row, column): (row, column) for row in evens[1:-1] for column in evens[1:-1]}

    def name(self, row: int, column: int) -> str:
        return f"{ascii_lowercase[column]}{self.last - row + 1}"

    def start(self) -> State:
        return State(frozenset(), frozenset(), "Red")

    def to_move(self, state: State) -> str:
        return state.mover

    def bridge(self, player: str, place: Place) -> Bridge:
        """The two dots that a bridge of a player joins."""
        row, column = place
        across = ((row, column - 1), (row, column + 1))
        return across if set(across) <= self.dots[player] else ((row - 1, column), (row + 1, column))

    def outcome(self, state: State) -> str | None:
        if any(row == self.last for row, _ in self.joined("Red", state.red, 0)):
            return "Red"
        if any(column == self.last for _, column in self.joined("Blue", state.blue, 1)):
            return "Blue"
        return None

    def joined(self, player: str, places: frozenset[Place], axis: int) -> set[Place]:
        """The dots that bridges connect to the player's first side: row 0 or column 0."""
        bridges = [self.bridge(player, place) for place in places]
        found = {dot for dot in self.dots[player] if dot[axis] == 0}
        while new := {dot for bridge in bridges if found & set(bridge) for dot in bridge} - found:
            found |= new
        return found

    def options(self, state: State) -> list[str]:
        return [name for name, place in self.places.items() if place not in state.red | state.blue]

    def after(self, state: State, move: str) -> State:
        place = self.places[move]
        if state.mover == "Red":
            return State(state.red | {place}, state.blue, "Blue")
        return State(state.red, state.blue | {place}, "Red")

    def board(self, state: State) -> dict[str, str]:
        red = {self.name(*place): "red" for place in self.dots["Red"] | state.red}
        return red | {self.name(*place): "blue" for place in self.dots["Blue"] | state.blue}

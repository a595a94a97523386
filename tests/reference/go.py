"""Go by area scoring: chains without liberties are captured, two passes end the game, and more area wins.

Suicide is illegal: a stone that leaves its own chain without liberties after captures. Natural situational superko: no
stone may make a position that a stone of the same player made before. All stones on the board count as alive; a
player's area is the player's stones and the empty regions that border on these only. White gets `komi` half points.
Black moves first; a move is the name of a cell, or `pass`. Cells are named by column letter and row number from the
bottom.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

PIECE = {"Black": "black", "White": "white"}
OTHER = {"Black": "White", "White": "Black"}

CASES: list[dict[str, int]] = [{"size": 2}, {"size": 3}, {"size": 3, "komi": 5}, {"size": 4}, {"komi": 15}]

Place = tuple[int, int]  # (column, row), both from 0
Stones = frozenset[tuple[Place, str]]  # with their colours


def beside(place: Place, size: int) -> list[Place]:
    """The neighbours of a cell on a square board."""
    x, y = place
    around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
    return [(a, b) for a, b in around if 0 <= a < size and 0 <= b < size]


def region(place: Place, inside: set[Place], size: int) -> set[Place]:
    """The cells of a set that are connected to one of its cells."""
    found, waiting = {place}, [place]
    while waiting:
        for cell in beside(waiting.pop(), size):
            if cell in inside and cell not in found:
                found.add(cell)
                waiting.append(cell)
    return found


def without_liberties(stones: Stones, colour: str, size: int) -> set[Place]:
    """The stones of a colour whose chains have no empty neighbour."""
    empty = {(x, y) for x in range(size) for y in range(size)} - {place for place, _ in stones}
    waiting = {place for place, piece in stones if piece == colour}
    dead = set()
    while waiting:
        chain = region(next(iter(waiting)), waiting, size)
        waiting -= chain
        if not any(cell in empty for place in chain for cell in beside(place, size)):
            dead |= chain
    return dead


def put(stones: Stones, place: Place, colour: str, size: int) -> Stones | None:
    """The stones after a move and its captures; None if it is suicide."""
    other = "white" if colour == "black" else "black"
    stones |= {(place, colour)}
    stones -= {(dead, other) for dead in without_liberties(stones, other, size)}
    return None if without_liberties(stones, colour, size) else stones


class State(NamedTuple):
    """The stones, the player to move, the passes in a row, and the positions that each player's stones have made."""

    stones: Stones
    mover: str
    passes: int
    made: frozenset[tuple[Stones, str]]


class Reference(Rules[State]):
    """Go on a board of `size` x `size`; without `superko` positions may be repeated."""

    def __init__(self, *, size: int = 5, komi: int = 0, superko: bool = True) -> None:
        self.size, self.komi, self.superko = size, komi, superko
        self.name = {(x, y): f"{ascii_lowercase[x]}{y + 1}" for y in range(size) for x in range(size)}
        self.place = {name: place for place, name in self.name.items()}

    def start(self) -> State:
        return State(frozenset(), "Black", 0, frozenset())

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if state.passes < 2:
            return None
        lead = 2 * self.area(state.stones, "black") - 2 * self.area(state.stones, "white") - self.komi
        return "Black" if lead > 0 else "White" if lead < 0 else DRAW

    def area(self, stones: Stones, colour: str) -> int:
        """The area of a colour: its stones, and the empty cells that only they enclose."""
        piece = dict(stones)
        empty = {place for place in self.name if place not in piece}
        return sum(
            piece.get(place) == colour or (place in empty and self.borders(place, empty, piece) == {colour})
            for place in self.name
        )

    def borders(self, place: Place, empty: set[Place], piece: dict[Place, str]) -> set[str]:
        """The colours that border on the empty region of a cell."""
        cells = {cell for member in region(place, empty, self.size) for cell in beside(member, self.size)}
        return {piece[cell] for cell in cells - empty}

    def options(self, state: State) -> list[str]:
        taken = {place for place, _ in state.stones}
        places = []
        for place, name in self.name.items():
            if place not in taken:
                stones = put(state.stones, place, PIECE[state.mover], self.size)
                if stones is not None and (stones, state.mover) not in state.made:
                    places.append(name)
        return [*places, "pass"]

    def after(self, state: State, move: str) -> State:
        if move == "pass":
            return State(state.stones, OTHER[state.mover], state.passes + 1, state.made)
        stones = put(state.stones, self.place[move], PIECE[state.mover], self.size)
        if stones is None:
            raise ValueError(f"suicide: {move}")
        made = state.made | {(stones, state.mover)} if self.superko else state.made
        return State(stones, OTHER[state.mover], 0, made)

    def board(self, state: State) -> dict[str, str]:
        return {self.name[place]: piece for place, piece in state.stones}

    def variables(self, state: State) -> dict[str, object]:
        return {"passes": state.passes}

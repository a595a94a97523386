"""Three men's morris: on the nine points of a square with its middle lines and diagonals, White and Black in turn place
three men each (`men`), then move a man along a line to an empty point next to it, with `flying` to any empty point.
Three in a row, column or diagonal win, also while placing. A player who cannot move loses.

Points are a1 to c3, a1 at the bottom left. A move is a point (`b2`), later two (`b2-a3`). In play a repeated position
is a draw, which a state cannot tell.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"flying": 1}, {"men": 4}, {"men": 4, "flying": 1}]

POINTS = ("a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3")
LINES = ("a1 b1 c1", "a2 b2 c2", "a3 b3 c3", "a1 a2 a3", "b1 b2 b3", "c1 c2 c3", "a1 b2 c3", "a3 b2 c1")
PIECE = {"White": "white", "Black": "black"}
OTHER = {"White": "Black", "Black": "White"}


class State(NamedTuple):
    """The pieces in the order of POINTS, "" for an empty point, and the player to move."""

    pieces: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Three men's morris."""

    def __init__(self, *, men: int = 3, flying: int = 0) -> None:
        self.men = men
        self.flying = flying

    def start(self) -> State:
        return State(("",) * 9, "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        on = self.board(state)
        for player in ("White", "Black"):
            if any(all(on.get(point) == PIECE[player] for point in line.split()) for line in LINES):
                return player
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        on = self.board(state)
        empty = [point for point in POINTS if point not in on]
        if len(on) < 2 * self.men:
            return empty
        own = [point for point in POINTS if on.get(point) == PIECE[state.mover]]
        return [f"{here}-{there}" for here in own for there in empty if self.flying or next_to(here, there)]

    def after(self, state: State, move: str) -> State:
        pieces = list(state.pieces)
        here, _, there = move.rpartition("-")
        if here:
            pieces[POINTS.index(here)] = ""
        pieces[POINTS.index(there)] = PIECE[state.mover]
        return State(tuple(pieces), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {point: piece for point, piece in zip(POINTS, state.pieces, strict=True) if piece}


def next_to(here: str, there: str) -> bool:
    """Whether two points are neighbours on a line."""
    return any(f"{here} {there}" in line or f"{there} {here}" in line for line in LINES)

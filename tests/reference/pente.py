"""Pente (G. Gabrel, 1977): five or more in a row win, and so do five captured pairs.

A stone that encloses two stones of the opponent, which stand in one line between it and another stone of its own,
captures them. A full board is a draw.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from tests.reference.lines import holds_line, straight_lines
from tests.reference.rules import DRAW, Rules
from tests.reference.squares import name, places

CASES: list[dict[str, int]] = [{}, {"size": 5, "pairs": 2}, {"size": 7}, {"size": 9, "pairs": 1}]

OTHER = {"White": "Black", "Black": "White"}


class State(NamedTuple):
    """The stones as place and colour, the pairs captured by White and Black, and the player to move."""

    on: frozenset[tuple[tuple[int, int], str]]
    captured: tuple[int, int]
    mover: str


class Reference(Rules[State]):
    """Pente on a board of any size."""

    def __init__(self, *, size: int = 19, pairs: int = 5) -> None:
        self.places, self.pairs = places(size, size), pairs
        self.lines = straight_lines(size, size, 5)

    def start(self) -> State:
        return State(frozenset(), (0, 0), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        moved = OTHER[state.mover]
        if holds_line(self.board(state), moved.lower(), self.lines):
            return moved
        if state.captured[("White", "Black").index(moved)] >= self.pairs:
            return moved
        return DRAW if len(state.on) == len(self.places) else None

    def options(self, state: State) -> list[str]:
        on = dict(state.on)
        return [name(place) for place in self.places if place not in on]

    def after(self, state: State, move: str) -> State:
        x, y = next(place for place in self.places if name(place) == move)
        own, foreign = state.mover.lower(), OTHER[state.mover].lower()
        on = {**dict(state.on), (x, y): own}
        captured = list(state.captured)
        for i, j in product((-1, 0, 1), repeat=2):
            one, two, three = ((x + i * step, y + j * step) for step in (1, 2, 3))
            if on.get(one) == on.get(two) == foreign and on.get(three) == own:
                del on[one], on[two]
                captured[("White", "Black").index(state.mover)] += 1
        return State(frozenset(on.items()), (captured[0], captured[1]), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): piece for place, piece in state.on}

    def variables(self, state: State) -> dict[str, object]:
        return {"captured": list(state.captured)}

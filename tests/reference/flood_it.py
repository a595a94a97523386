"""Flood-It: the pool in the upper left corner takes a colour, and all cells of this colour that touch it join it."""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, beside, name, places

CASES: list[dict[str, int]] = [{}, {"size": 3, "seed": 2, "moves": 3}, {"size": 8, "seed": 7, "moves": 20}]

COLOURS = ("red", "green", "blue", "yellow")
SIGNS = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}


class State(NamedTuple):
    """The colours of the places, and the number of moves left."""

    colours: tuple[tuple[Place, str], ...]
    left_over: int


class Reference(Rules[State]):
    """Flood-It with colours computed from a seed."""

    def __init__(self, *, size: int = 5, seed: int = 1, moves: int = 12) -> None:
        self.size, self.seed, self.most = size, seed, moves

    def start(self) -> State:
        found = []
        for x, y in places(self.size, self.size):
            r = self.size - 1 - y
            shade = (r * r * self.seed + 3 * x * x + 5 * r * x + r + self.seed) % 7 % 4
            found.append(((x, y), COLOURS[shade]))
        return State(tuple(found), self.most)

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        if len({colour for _, colour in state.colours}) == 1:
            return "Player"
        return None if state.left_over else "draw"

    def options(self, state: State) -> list[str]:
        return [sign for sign, colour in SIGNS.items() if colour != state.colours[0][1] and state.left_over]

    def after(self, state: State, move: str) -> State:
        on = dict(state.colours)
        corner = state.colours[0][0]
        pool, waiting = {corner}, [corner]
        while waiting:
            for place in beside(waiting.pop()):
                if on.get(place) == on[corner] and place not in pool:
                    pool.add(place)
                    waiting.append(place)
        return State(tuple((place, SIGNS[move] if place in pool else colour) for place, colour in state.colours),
                     state.left_over - 1)

    def board(self, state: State) -> dict[str, str]:
        return {name(place): colour for place, colour in state.colours}

    def variables(self, state: State) -> dict[str, object]:
        return {"left_over": state.left_over}

"""Oware (Abapa): South and North have a row of houses each, South's below.

A player sows the seeds of a house of their own row one by one, counterclockwise; in a second round the house itself is
left out. If the last seed falls into a house of the other row and makes two or three there, these are captured, and so
are, going back, those of the houses before it in that row as long as they have two or three. A capture of all seeds of
the other row is not made; the sowing stands. A player must leave the other with seeds: if the other has none, only
moves that reach the other row are allowed. A player who has captured more than half of the seeds wins; when both have
half, it is a draw. A player who has no move ends the game; then each takes the seeds of their own row, and the player
with more seeds wins. A repeated position is a draw (which is left to the caller).

A move is the name of the house: column letter from the left, 1 for South's row and 2 for North's.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import DRAW, Rules
from tests.reference.squares import name

CASES: list[dict[str, int]] = [
    {},
    {"houses": 2, "seeds": 1},
    {"houses": 2, "seeds": 6},
    {"houses": 3, "seeds": 2},
    {"houses": 4, "seeds": 12},
]

OTHER = {"South": "North", "North": "South"}


class State(NamedTuple):
    """The seeds around the ring, South's from the left, then North's from the right; captures; player to move."""

    ring: tuple[int, ...]
    south: int
    north: int
    mover: str


class Reference(Rules[State]):
    """Oware with `houses` houses in a row and `seeds` seeds in each."""

    def __init__(self, *, houses: int = 6, seeds: int = 4) -> None:
        self.houses, self.seeds = houses, seeds

    def start(self) -> State:
        return State((self.seeds,) * (2 * self.houses), 0, 0, "South")

    def to_move(self, state: State) -> str:
        return state.mover

    def row(self, player: str) -> range:
        """The indices of a player's houses in the ring, in order of sowing."""
        return range(self.houses) if player == "South" else range(self.houses, 2 * self.houses)

    def house_name(self, place: int) -> str:
        return name((place, 0) if place < self.houses else (2 * self.houses - 1 - place, 1))

    def outcome(self, state: State) -> str | None:
        half = self.houses * self.seeds
        south, north = state.south, state.north
        if south <= half and north <= half and not (south == half and north == half):
            if self.options(state):
                return None
            south += sum(state.ring[: self.houses])
            north += sum(state.ring[self.houses :])
        return DRAW if south == north else "South" if south > north else "North"

    def options(self, state: State) -> list[str]:
        own, other = self.row(state.mover), self.row(OTHER[state.mover])
        starved = all(state.ring[place] == 0 for place in other)
        return [
            self.house_name(place)
            for place in own
            if state.ring[place] > 0 and (not starved or place + state.ring[place] > own[-1])
        ]

    def after(self, state: State, move: str) -> State:
        ring = list(state.ring)
        house = next(place for place in range(len(ring)) if self.house_name(place) == move)
        hand, ring[house] = ring[house], 0
        at = house
        while hand > 0:
            at = (at + 1) % len(ring)
            if at != house:
                ring[at] += 1
                hand -= 1
        other = self.row(OTHER[state.mover])
        taken = []
        while at in other and ring[at] in (2, 3):
            taken.append(at)
            at -= 1
        captured = sum(ring[place] for place in taken)
        if captured == sum(ring[place] for place in other):
            captured, taken = 0, []
        for place in taken:
            ring[place] = 0
        south = state.south + (captured if state.mover == "South" else 0)
        north = state.north + (captured if state.mover == "North" else 0)
        return State(tuple(ring), south, north, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        """The seeds by cell, from the upper left; the captures; `last`, which is always None after a move."""
        seeds = [*reversed(state.ring[self.houses :]), *state.ring[: self.houses]]
        return {"seeds_in": seeds, "score": [state.south, state.north], "last": None}

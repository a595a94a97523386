"""The rules that Kalah and Congkak share: two rows of houses, sown counterclockwise past the player's own store.

A player sows the seeds of a house of their own row one by one, counterclockwise: into the houses after it, their own
store, the other row and so on; the other's store is left out. If the last seed falls into their own store, the player
moves again. If it falls into an empty house of their own row and the house opposite has seeds, it and those go to the
store. The game ends when, after a move, a row has no seeds; each player has the seeds in their own store and row, and
the player with more seeds wins.

Cells are named on a grid of two rows: North's store is a2, the store of South, whose row is below, in the last column
of row 1. A move is the name of the house.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import DRAW, Rules
from tests.reference.squares import name

OTHER = {"South": "North", "North": "South"}


class State(NamedTuple):
    """Each player's houses in order of sowing, the stores, the player to move, and whether this is an extra turn."""

    houses: tuple[tuple[int, ...], tuple[int, ...]]
    """South's, North's."""
    stores: tuple[int, int]
    mover: str
    again: bool


class Sowing(Rules[State]):
    """A sowing game with `houses` houses in a row and `seeds` seeds in each."""

    relay: bool
    """Whether sowing goes on with the seeds of the house, if the last seed falls into one that is not empty."""

    def __init__(self, *, houses: int, seeds: int) -> None:
        self.houses, self.seeds = houses, seeds

    def start(self) -> State:
        row = (self.seeds,) * self.houses
        return State((row, row), (0, 0), "South", False)

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        south, north = (sum(row) for row in state.houses)
        if south > 0 and north > 0:
            return None
        south, north = south + state.stores[0], north + state.stores[1]
        return DRAW if south == north else "South" if south > north else "North"

    def house_name(self, player: int, number: int) -> str:
        """Return the name of a house by its number in order of sowing, from 0."""
        return name((number + 1, 0) if player == 0 else (self.houses - number, 1))

    def options(self, state: State) -> list[str]:
        player = 0 if state.mover == "South" else 1
        return [self.house_name(player, number) for number, seeds in enumerate(state.houses[player]) if seeds]

    def after(self, state: State, move: str) -> State:
        player = 0 if state.mover == "South" else 1
        # The ring from the mover's view: own houses, own store, the other's houses.
        own, other = list(state.houses[player]), list(state.houses[1 - player])
        ring = [*own, state.stores[player], *other]
        store = self.houses
        at = next(number for number in range(self.houses) if self.house_name(player, number) == move)
        hand, ring[at] = ring[at], 0
        while hand > 0:
            at = (at + 1) % len(ring)
            ring[at] += 1
            hand -= 1
            if self.relay and hand == 0 and at != store and ring[at] > 1:
                hand, ring[at] = ring[at], 0
        if at < store and ring[at] == 1:
            facing = 2 * self.houses - at
            if ring[facing] > 0:
                ring[store] += ring[at] + ring[facing]
                ring[at] = ring[facing] = 0
        rows = tuple(ring[:store]), tuple(ring[store + 1 :])
        again = at == store
        mover = state.mover if again else OTHER[state.mover]
        if player == 0:
            return State(rows, (ring[store], state.stores[1]), mover, again)
        return State((rows[1], rows[0]), (state.stores[0], ring[store]), mover, again)

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        """The seeds by cell, from the upper left; the mover's store, by cell number, if the last seed fell into it."""
        south, north = state.houses
        seeds = [state.stores[1], *reversed(north), *south, state.stores[0]]
        store = len(seeds) - 1 if state.mover == "South" else 0
        return {"seeds_in": seeds, "last": store if state.again else None}

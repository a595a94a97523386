"""Congkak, one round in turns: South and North have a row of houses each, and a store at its right-hand end.

A player takes up the seeds of a house of their own row and sows them one by one, counterclockwise: into the houses
after it, their own store, the other row and so on; the other's store is left out. If the last seed falls into a house
that has seeds, the player takes all of that house up and sows on. If it falls into their own store, the player moves
again. If it falls into an empty house of their own row and the house opposite has seeds, it and those go to the store.
The game ends when, after a move, a row has no seeds; each player has the seeds in their own store and row, and the
player with more seeds wins.

Cells are named on a grid of two rows: North's store is a2, the store of South, whose row is below, in the last column
of row 1. A move is the name of the house.
"""

from __future__ import annotations

from tests.reference.sowing import Sowing, State

CASES: list[dict[str, int]] = [{}, {"houses": 1, "seeds": 1}, {"houses": 2, "seeds": 12}, {"houses": 3, "seeds": 2},
                               {"houses": 5, "seeds": 3}]


class Reference(Sowing):
    """Congkak with `houses` houses in a row and `seeds` seeds in each."""

    relay = True

    def __init__(self, *, houses: int = 7, seeds: int = 7) -> None:
        super().__init__(houses=houses, seeds=seeds)

    def variables(self, state: State) -> dict[str, object]:
        return {**super().variables(state), "hand": 0}

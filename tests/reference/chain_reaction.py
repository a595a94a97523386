"""Chain Reaction: a player puts an orb on an empty cell or on orbs of their own colour.

A cell that has as many orbs as neighbours, or more, explodes: it gives one to each neighbour, whose orbs all become
the mover's. Cells explode one at a time, the first one in reading order first, until none can or the other player,
after both have moved, has no orb left. That player loses.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import beside, name, places

CASES: list[dict[str, int]] = [
    {},
    {"rows": 2, "columns": 2},
    {"rows": 2, "columns": 3},
    {"rows": 3, "columns": 3},
    {"rows": 4, "columns": 3},
    {"rows": 2, "columns": 6},
    {"rows": 5, "columns": 4},
]

OTHER = {"Red": "Green", "Green": "Red"}


class State(NamedTuple):
    """Owner ("" for nobody) and number of orbs of every cell in reading order, and the player to move."""

    owners: tuple[str, ...]
    orbs: tuple[int, ...]
    mover: str


class Reference(Rules[State]):
    """Chain Reaction on a board of rows x columns cells."""

    def __init__(self, *, rows: int = 6, columns: int = 5) -> None:
        on_board = places(rows, columns)
        self.names = [name(place) for place in on_board]
        self.near = [[on_board.index(other) for other in beside(place) if other in on_board] for place in on_board]

    def start(self) -> State:
        return State(("",) * len(self.names), (0,) * len(self.names), "Red")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        left = set(state.owners) - {""}
        return left.pop() if len(left) == 1 and sum(state.orbs) > 1 else None

    def options(self, state: State) -> list[str]:
        return [cell for cell, owner in zip(self.names, state.owners, strict=True) if owner in ("", state.mover)]

    def after(self, state: State, move: str) -> State:
        owners, orbs = list(state.owners), list(state.orbs)
        cell = self.names.index(move)
        owners[cell] = state.mover
        orbs[cell] += 1
        while OTHER[state.mover] in owners or sum(orbs) == 1:
            full = [cell for cell, near in enumerate(self.near) if orbs[cell] >= len(near)]
            if not full:
                break
            cell = full[0]
            orbs[cell] -= len(self.near[cell])
            if orbs[cell] == 0:
                owners[cell] = ""
            for other in self.near[cell]:
                owners[other] = state.mover
                orbs[other] += 1
        return State(tuple(owners), tuple(orbs), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {cell: owner.lower() for cell, owner in zip(self.names, state.owners, strict=True) if owner}

    def variables(self, state: State) -> dict[str, object]:
        return {"orbs": list(state.orbs)}

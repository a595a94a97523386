"""Toads and Frogs: on a row of cells toads move to the right and frogs to the left.

A move is a step onto the empty cell ahead, or a jump over one animal of the other kind onto the empty cell behind it.
Toads stand at the left end and begin. A player who cannot move loses. A move is the name of the cell where it begins.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import name

CASES: list[dict[str, int]] = [
    {},
    {"toads": 1, "gap": 1, "frogs": 1},
    {"toads": 2, "gap": 1, "frogs": 3},
    {"toads": 4, "gap": 4, "frogs": 2},
    {"toads": 5, "gap": 3, "frogs": 5},
]

OTHER = {"Toads": "Frogs", "Frogs": "Toads"}


class State(NamedTuple):
    """The row, one letter per cell: T, F or a dot; and the player to move."""

    row: str
    mover: str


class Reference(Rules[State]):
    """Toads and Frogs with any number of each, and of empty cells between them."""

    def __init__(self, *, toads: int = 3, gap: int = 2, frogs: int = 3) -> None:
        self.row = "T" * toads + "." * gap + "F" * frogs

    def start(self) -> State:
        return State(self.row, "Toads")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def reached(self, state: State) -> dict[str, str]:
        """Map the text of each move to the row after it."""
        changes = {"T.": ".T", "TF.": ".FT"} if state.mover == "Toads" else {".F": "F.", ".TF": "FT."}
        found = {}
        for at in range(len(state.row)):
            for before, after in changes.items():
                if state.row.startswith(before, at):
                    begins = at if state.mover == "Toads" else at + len(before) - 1
                    found[name((begins, 0))] = state.row[:at] + after + state.row[at + len(before) :]
        return found

    def options(self, state: State) -> list[str]:
        return list(self.reached(state))

    def after(self, state: State, move: str) -> State:
        return State(self.reached(state)[move], OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        piece = {"T": "toad", "F": "frog"}
        return {name((x, 0)): piece[letter] for x, letter in enumerate(state.row) if letter != "."}

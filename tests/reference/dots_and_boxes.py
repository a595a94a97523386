"""Dots and Boxes: a player who draws the fourth line of a box owns it and moves again; more boxes win.

There are rows x columns boxes. On a grid of (2 * rows + 1) x (2 * columns + 1) cells, lines across are where the row is
even and the column odd, lines down where the row is odd and the column even, boxes where both are odd. Cells are named
by column letter and row number from the bottom; a move is the cell of a line. First begins; equal numbers of boxes are
a draw.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

OTHER = {"First": "Second", "Second": "First"}

CASES: list[dict[str, int]] = [
    {"rows": 1, "columns": 1},
    {"rows": 1, "columns": 2},
    {"rows": 2, "columns": 1},
    {"rows": 2, "columns": 2},
    {"rows": 2, "columns": 3},
    {"rows": 3, "columns": 3},
    {},
]


class State(NamedTuple):
    """The lines and boxes by cell, boxes with their owners; the player to move; whether the last line closed a box."""

    lines: frozenset[str]
    boxes: frozenset[tuple[str, str]]
    mover: str
    closed: bool


class Reference(Rules[State]):
    """Dots and Boxes with rows x columns boxes."""

    def __init__(self, *, rows: int = 5, columns: int = 5) -> None:
        def name(row: int, column: int) -> str:
            return f"{ascii_lowercase[column]}{2 * rows - row + 1}"

        self.across = [name(2 * r, 2 * c + 1) for r in range(rows + 1) for c in range(columns)]
        self.down = [name(2 * r + 1, 2 * c) for r in range(rows) for c in range(columns + 1)]
        self.dots = [name(2 * r, 2 * c) for r in range(rows + 1) for c in range(columns + 1)]
        self.boxes = {
            name(2 * r + 1, 2 * c + 1): {
                name(2 * r, 2 * c + 1),
                name(2 * r + 2, 2 * c + 1),
                name(2 * r + 1, 2 * c),
                name(2 * r + 1, 2 * c + 2),
            }
            for r in range(rows)
            for c in range(columns)
        }

    def start(self) -> State:
        return State(frozenset(), frozenset(), "First", False)

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if len(state.boxes) < len(self.boxes):
            return None
        lead = sum(1 if owner == "First" else -1 for _, owner in state.boxes)
        return "First" if lead > 0 else "Second" if lead < 0 else DRAW

    def options(self, state: State) -> list[str]:
        return [line for line in self.across + self.down if line not in state.lines]

    def after(self, state: State, move: str) -> State:
        lines = state.lines | {move}
        owned = {box for box, _ in state.boxes}
        closed = {(box, state.mover) for box, sides in self.boxes.items() if box not in owned and sides <= lines}
        mover = state.mover if closed else OTHER[state.mover]
        return State(lines, state.boxes | closed, mover, bool(closed))

    def board(self, state: State) -> dict[str, str]:
        return {
            **dict.fromkeys(self.dots, "dot"),
            **dict.fromkeys(self.boxes, "box"),
            **{line: "across" if line in self.across else "down" for line in state.lines},
            **{box: owner.lower() for box, owner in state.boxes},
        }

    def variables(self, state: State) -> dict[str, object]:
        return {"closed": state.closed}

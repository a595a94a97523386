"""Notakto: tic-tac-toe with crosses only, on several 3x3 boards. A board with a line is dead. Players in turn put a
cross on an empty cell of a live board; a player who kills the last one loses.

The boards stand side by side with a column between them that has no cells: the first has columns a to c, the second e
to g, and so on. Rows are counted from the bottom. A move is the name of a cell.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{"boards": 1}, {"boards": 2}, {"boards": 3}, {"boards": 5}]

OTHER = {"First": "Second", "Second": "First"}
LINES = ("123", "456", "789", "147", "258", "369", "159", "357")


class State(NamedTuple):
    """The crosses of each board, by the cells' numbers from the top left ("1" to "9"), and the player to move."""

    boards: tuple[frozenset[str], ...]
    mover: str


class Reference(Rules[State]):
    """Notakto on any number of boards."""

    def __init__(self, *, boards: int = 3) -> None:
        self.boards = boards

    def start(self) -> State:
        return State((frozenset(),) * self.boards, "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return state.mover if all(dead(crosses) for crosses in state.boards) else None

    def options(self, state: State) -> list[str]:
        return [
            name(board, cell)
            for board, crosses in enumerate(state.boards)
            if not dead(crosses)
            for cell in "123456789"
            if cell not in crosses
        ]

    def after(self, state: State, move: str) -> State:
        boards = [
            crosses | {cell for cell in "123456789" if name(board, cell) == move}
            for board, crosses in enumerate(state.boards)
        ]
        return State(tuple(boards), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(board, cell): "x" for board, crosses in enumerate(state.boards) for cell in crosses}


def name(board: int, cell: str) -> str:
    """Return the name of a cell of a board."""
    row, column = divmod(int(cell) - 1, 3)
    return f"{ascii_lowercase[4 * board + column]}{3 - row}"


def dead(crosses: frozenset[str]) -> bool:
    """Whether a board has a line."""
    return any(crosses.issuperset(line) for line in LINES)

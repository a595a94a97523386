"""N queens: a queen is placed in each row, from the top, so that no two are in one column or diagonal.

The player wins with all queens on the board; without a move before that it is over. A move is the name of the cell.
"""

from __future__ import annotations

from tests.reference.rules import DRAW, Rules
from tests.reference.squares import name

CASES: list[dict[str, int]] = [{}, {"size": 1}, {"size": 3}, {"size": 5}, {"size": 12}]

State = tuple[int, ...]
"""The columns of the queens, from the top row."""


class Reference(Rules[State]):
    """The puzzle with as many queens as rows."""

    def __init__(self, *, size: int = 8) -> None:
        self.size = size

    def start(self) -> State:
        return ()

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        if len(state) == self.size:
            return "Player"
        return None if self.options(state) else DRAW

    def reached(self, state: State) -> dict[str, State]:
        """Map the text of each move to the state with one more queen."""
        row = len(state)
        return {
            name((column, self.size - 1 - row)): (*state, column)
            for column in range(self.size)
            if all(column != other and abs(column - other) != row - above for above, other in enumerate(state))
        }

    def options(self, state: State) -> list[str]:
        return [] if len(state) == self.size else list(self.reached(state))

    def after(self, state: State, move: str) -> State:
        return self.reached(state)[move]

    def board(self, state: State) -> dict[str, str]:
        return {name((column, self.size - 1 - row)): "queen" for row, column in enumerate(state)}

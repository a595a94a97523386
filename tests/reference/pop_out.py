"""Pop Out, a variant sold with Connect Four: instead of dropping a stone, a player may take one out at the bottom.

Players take only their own stones; those above fall. Four in a row win; if a move makes a row of both players, the
mover wins. A player who can neither drop nor take loses. A repeated position is a draw, which is left to the caller.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.lines import holds_line, straight_lines
from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"rows": 3, "columns": 3, "length": 3}, {"rows": 4, "columns": 4}]

OTHER = {"Yellow": "Red", "Red": "Yellow"}


class State(NamedTuple):
    """The stones of each column from the bottom, Y and R, and the player to move."""

    columns: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Pop Out; a move is the column's number, with `x` before it to take."""

    def __init__(self, *, rows: int = 6, columns: int = 7, length: int = 4) -> None:
        self.rows, self.columns = rows, columns
        self.lines = straight_lines(rows, columns, length)

    def start(self) -> State:
        return State(("",) * self.columns, "Yellow")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        on = self.board(state)
        for player in (OTHER[state.mover], state.mover):
            if holds_line(on, player.lower(), self.lines):
                return player
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        drops = [str(k + 1) for k, column in enumerate(state.columns) if len(column) < self.rows]
        return drops + [f"x{k + 1}" for k, column in enumerate(state.columns) if column[:1] == state.mover[0]]

    def after(self, state: State, move: str) -> State:
        columns = list(state.columns)
        k = int(move.lstrip("x")) - 1
        columns[k] = columns[k][1:] if move.startswith("x") else columns[k] + state.mover[0]
        return State(tuple(columns), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {f"{'abcdefghi'[k]}{high + 1}": "yellow" if sign == "Y" else "red"
                for k, column in enumerate(state.columns) for high, sign in enumerate(column)}

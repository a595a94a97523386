"""Phantom Tic-Tac-Toe: neither player sees the other's pieces; a player who tries a taken cell learns it and retries.

Cells that a player has found to be taken are not tried again. A full row, column or long diagonal wins, a full board is
a draw.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"size": 2}, {"size": 4}]

OTHER = {"X": "O", "O": "X"}


class State(NamedTuple):
    """The taken cells with their owners, those that the other player has found, the mover, and whether a try failed."""

    taken: frozenset[tuple[str, str]] = frozenset()
    found: frozenset[str] = frozenset()
    mover: str = "X"
    failed: bool = False


class Reference(Rules[State]):
    """Phantom Tic-Tac-Toe on `size` x `size` cells."""

    def __init__(self, *, size: int = 3) -> None:
        columns, rows = "abcd"[:size], range(size, 0, -1)
        self.cells = [f"{column}{row}" for row in rows for column in columns]
        self.lines = [
            *({f"{column}{row}" for column in columns} for row in rows),
            *({f"{column}{row}" for row in rows} for column in columns),
            {f"{column}{row}" for column, row in zip(columns, rows, strict=True)},
            {f"{column}{row}" for column, row in zip(columns, reversed(rows), strict=True)},
        ]

    def start(self) -> State:
        return State()

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        for player in OTHER:
            if any(all((cell, player) in state.taken for cell in line) for line in self.lines):
                return player
        return DRAW if len(state.taken) == len(self.cells) else None

    def options(self, state: State) -> list[str]:
        return [cell for cell in self.cells if (cell, state.mover) not in state.taken and cell not in state.found]

    def after(self, state: State, move: str) -> State:
        if (move, OTHER[state.mover]) in state.taken:
            return state._replace(found=state.found | {move}, failed=True)
        return State(state.taken | {(move, state.mover)}, state.found, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {cell: player.lower() for cell, player in state.taken}

    def variables(self, state: State) -> dict[str, object]:
        return {"found": [int(cell in state.found) for cell in self.cells], "failed": int(state.failed)}

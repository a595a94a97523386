"""The Icosian game: a closed walk through all twenty corners of a dodecahedron. It has 30 such cycles.

The corners are those of the Hamiltonian graph with LCF code [10, 7, 4, -4, -7, 10, -4, 7, -7, 4] twice, from 1 on.
"""

from __future__ import annotations

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"back": 0}]

CODE = [10, 7, 4, -4, -7, 10, -4, 7, -7, 4] * 2
NEAR = {v: {(v - 2) % 20 + 1, v % 20 + 1, (v - 1 + CODE[v - 1]) % 20 + 1} for v in range(1, 21)}

State = tuple[int, ...]
"""The visited corners, in order."""


class Reference(Rules[State]):
    """The puzzle; with `back` the walk must be closed."""

    def __init__(self, *, back: int = 1) -> None:
        self.back = back

    def start(self) -> State:
        return ()

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        if len(state) == 20 and (not self.back or state[0] in NEAR[state[-1]]):
            return "Player"
        return None if self.options(state) else "draw"

    def options(self, state: State) -> list[str]:
        return [str(v) for v in NEAR if not state or (v in NEAR[state[-1]] and v not in state)]

    def after(self, state: State, move: str) -> State:
        return (*state, int(move))

    def board(self, state: State) -> dict[str, str]:
        return {str(v): "walker" if v == state[-1] else "visited" for v in state}

    def variables(self, state: State) -> None:
        return None

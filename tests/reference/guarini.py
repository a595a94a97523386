"""Guarini's problem: two white and two black knights in the corners of 3 x 3 cells change places.

The shortest solution takes 16 moves. A move is the cell of a knight and an empty cell a knight's move away.
"""

from __future__ import annotations

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}]

State = tuple[frozenset[Place], frozenset[Place]]
"""The white and the black knights."""


class Reference(Rules[State]):
    """The problem with the white knights at the top at first."""

    def start(self) -> State:
        return frozenset({(0, 2), (2, 2)}), frozenset({(0, 0), (2, 0)})

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        return "Player" if state == tuple(reversed(self.start())) else None

    def options(self, state: State) -> list[str]:
        taken = state[0] | state[1]
        return [name(place) + name(to) for place in taken for to in places(3, 3)
                if to not in taken and {abs(place[0] - to[0]), abs(place[1] - to[1])} == {1, 2}]

    def after(self, state: State, move: str) -> State:
        start, end = (next(place for place in places(3, 3) if name(place) == cell) for cell in (move[:2], move[2:]))
        white, black = (side - {start} | {end} if start in side else side for side in state)
        return white, black

    def board(self, state: State) -> dict[str, str]:
        return {name(place): piece for piece, side in zip(("white", "black"), state, strict=True) for place in side}

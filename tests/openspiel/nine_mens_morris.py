"""OpenSpiel's nine_mens_morris: points are numbered row by row from the top; taking a man is an action of its own.

It has no rule for repetitions and stops after 200 turns, which no test reaches. States are equal here if they differ
only in the number of the turn, so that the tests can detect repetitions.
"""

from __future__ import annotations

import attrs

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{}]

ROWS = ("a7 d7 g7", "b6 d6 f6", "c5 d5 e5", "a4 b4 c4", "e4 f4 g4", "c3 d3 e3", "b2 d2 f2", "a1 d1 g1")
POINTS = [point for row in ROWS for point in row.split()]


class OpenSpiel(Adapter):
    """Nine men's morris."""

    players = ("White", "Black")

    def __init__(self) -> None:
        super().__init__("nine_mens_morris")

    def text_of(self, action: int, state: Played) -> str:
        if action < 24:
            taking = "Capture time" in str(state.spiel)
            return "x" * taking + POINTS[action]
        here, there = divmod(action - 24, 24)
        return f"{POINTS[here]}-{POINTS[there]}"

    def after(self, state: Played, move: str) -> Played:
        """Make states equal that show the same, whatever moves led to them."""
        after = super().after(state, move)
        content = [line for line in str(after.spiel).splitlines() if not line.startswith("Turn number")]
        return attrs.evolve(after, actions=tuple("\n".join(content).encode()))

    def board(self, state: Played) -> dict[str, str]:
        drawing = str(state.spiel).split("\n\n")[0]
        signs = [sign for sign in drawing if sign in ".WB"]
        return {
            point: {"W": "white", "B": "black"}[sign] for point, sign in zip(POINTS, signs, strict=True) if sign != "."
        }

"""Two-Dice Pig: a 1 on one die loses the turn's total, a 1 on both dice the score as well."""

from __future__ import annotations

from fractions import Fraction

from tests.reference import pig
from tests.reference.pig import PLAYERS, State

CASES: list[dict[str, int]] = [{}, {"goal": 2}, {"goal": 10}]


class Reference(pig.Reference):
    """Pig with two dice."""

    def options(self, state: State) -> list[str]:
        if state.rolling:
            return [f"{a}{b}" for a in range(1, 7) for b in range(1, 7)]
        return super().options(state)

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(1, 36)

    def after(self, state: State, move: str) -> State:
        if not state.rolling:
            return super().after(state, move)
        scores = list(state.scores)
        if move == "11":
            scores[state.turn] = 0
        if "1" in move:
            return State((scores[0], scores[1]), 0, False, 1 - state.turn)
        missing = self.goal - scores[state.turn]
        return state._replace(rolling=False, total=min(state.total + int(move[0]) + int(move[1]), missing))


__all__ = ["CASES", "PLAYERS", "Reference"]

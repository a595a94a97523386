"""Pig: a player throws a die as often as wanted and adds up; a 1 loses the turn's total, holding adds it to the score.

The turn's total is capped at what is missing to the goal; once it reaches that, the only move is to hold.

`chance_of_winning` computes the value of best play by value iteration over the scores, as described by Neller and
Presser.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"goal": 2}, {"goal": 10}]

PLAYERS = ("One", "Two")


class State(NamedTuple):
    """The scores, the turn's total, whether the die is to be thrown, and the turn."""

    scores: tuple[int, int]
    total: int
    rolling: bool
    turn: int


class Reference(Rules[State]):
    """Pig with one die."""

    def __init__(self, *, goal: int = 100) -> None:
        self.goal = goal

    def start(self) -> State:
        return State((0, 0), 0, False, 0)

    def to_move(self, state: State) -> str:
        return "nature" if state.rolling else PLAYERS[state.turn]

    def outcome(self, state: State) -> str | None:
        return next((name for name, score in zip(PLAYERS, state.scores, strict=True) if score >= self.goal), None)

    def options(self, state: State) -> list[str]:
        if state.rolling:
            return ["1", "2", "3", "4", "5", "6"]
        missing = self.goal - state.scores[state.turn]
        return ["roll"] * (state.total < missing) + ["hold"] * (state.total > 0)

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(1, 6)

    def after(self, state: State, move: str) -> State:
        if move == "roll":
            return state._replace(rolling=True)
        if move == "1":
            return State(state.scores, 0, False, 1 - state.turn)
        if move != "hold":
            missing = self.goal - state.scores[state.turn]
            return state._replace(rolling=False, total=min(state.total + int(move), missing))
        scores = list(state.scores)
        scores[state.turn] += state.total
        return State((scores[0], scores[1]), 0, False, 1 - state.turn)

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        return {"score": list(state.scores), "turn_total": state.total, "rolling": int(state.rolling)}


def chance_of_winning(goal: int) -> float:
    """The first player's winning probability under best play, by value iteration to changes of at most 1e-13."""
    worth = {(mine, theirs, total): 0.5 for mine in range(goal) for theirs in range(goal)
             for total in range(goal - mine + 1)}

    def at(mine: int, theirs: int, total: int) -> float:
        return 1.0 if mine + total >= goal else worth[mine, theirs, total]

    changed = 1.0
    while changed > 1e-13:
        changed = 0.0
        for (mine, theirs, total), before in worth.items():
            turned = 1.0 - at(theirs, mine, 0)
            rolled = (turned + sum(at(mine, theirs, total + d) for d in range(2, 7))) / 6
            held = 1.0 if mine + total >= goal else 1.0 - at(theirs, mine + total, 0)
            after = max(rolled, held) if total else rolled
            worth[mine, theirs, total] = after
            changed = max(changed, abs(after - before))
    return worth[0, 0, 0]

"""Can't Stop: four dice in two pairs, three climbers per turn; a player who busts loses the progress of the turn.

If both sums can be climbed together, they must be; else the player climbs one of those that can be. For two equal sums
the column is climbed twice, or once to its top.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import NamedTuple

from tests.reference.rules import Rules

SMALL = {"sides": 2, "shortest": 1, "growth": 1, "tops": 2}
CASES: list[dict[str, int]] = [{}, SMALL, {"sides": 3, "shortest": 2, "growth": 1, "tops": 2}]
PLAYERS = ("Ann", "Bob")
Places = tuple[int, ...]


class State(NamedTuple):
    """Both players' progress by column, the climbers of this turn (0: none), the dice, the stage, and the turn."""

    reached: tuple[Places, Places]
    climbers: Places
    dice: tuple[int, ...]
    stage: str
    turn: int


class Reference(Rules[State]):
    """Can't Stop with any dice, columns and number of columns to win."""

    def __init__(self, *, sides: int = 6, shortest: int = 3, growth: int = 2, tops: int = 3) -> None:
        self.sides, self.tops = sides, tops
        self.sums = range(2, 2 * sides + 1)
        self.lengths = {s: shortest + growth * min(s - 2, 2 * sides - s) for s in self.sums}
        self.throws = Counter("".join(map(str, sorted(dice, reverse=True)))
                              for dice in product(range(1, sides + 1), repeat=4))

    def start(self) -> State:
        nothing = (0,) * len(self.sums)
        return State((nothing, nothing), nothing, (), "throwing", 0)

    def to_move(self, state: State) -> str:
        return "nature" if state.stage == "throwing" else PLAYERS[state.turn]

    def outcome(self, state: State) -> str | None:
        for name, reached in zip(PLAYERS, state.reached, strict=True):
            if sum(reached[s - 2] == self.lengths[s] for s in self.sums) >= self.tops:
                return name
        return None

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(self.throws[move], self.sides**4)

    def climbed(self, state: State, sums: tuple[int, ...]) -> Places | None:
        """The climbers after climbing some columns; None if that is not possible."""
        climbers = list(state.climbers)
        for number, s in enumerate(sums):
            before = climbers[s - 2] or state.reached[state.turn][s - 2]
            top = self.lengths[s]
            if any(reached[s - 2] == top for reached in state.reached):
                return None
            if before == top:
                if number and sums[0] == s and state.climbers[s - 2] < top:
                    continue
                return None
            climbers[s - 2] = before + 1
        return tuple(climbers) if sum(climber > 0 for climber in climbers) <= 3 else None

    def pairings(self, state: State) -> dict[str, Places]:
        """Map each way to pair the dice to the climbers after it."""
        a, b, c, d = state.dice
        found = {}
        for one, other in ((a + b, c + d), (a + c, b + d), (a + d, b + c)):
            s, t = sorted((one, other))
            both = self.climbed(state, (s, t))
            if both:
                found[f"{s}+{t}"] = both
                continue
            for single in (s, t):
                alone = self.climbed(state, (single,))
                if alone:
                    found[str(single)] = alone
        return found

    def options(self, state: State) -> list[str]:
        if state.stage == "throwing":
            return list(self.throws)
        if state.stage == "deciding":
            return ["again", "stop"]
        return list(self.pairings(state)) or ["bust"]

    def after(self, state: State, move: str) -> State:
        if state.stage == "throwing":
            return state._replace(dice=tuple(map(int, move)), stage="pairing")
        if state.stage == "pairing" and move != "bust":
            return state._replace(climbers=self.pairings(state)[move], dice=(), stage="deciding")
        if move == "again":
            return state._replace(stage="throwing")
        reached = list(state.reached)
        if move == "stop":
            before = reached[state.turn]
            reached[state.turn] = tuple(new or old for new, old in zip(state.climbers, before, strict=True))
        return State((reached[0], reached[1]), (0,) * len(self.sums), (), "throwing", 1 - state.turn)

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        high, upper, lower, low = state.dice or (0, 0, 0, 0)
        return {"now": state.stage, "high": high, "upper": upper, "lower": lower, "low": low,
                "reached": [place for both in zip(*state.reached, strict=True) for place in both],
                "climber": list(state.climbers)}

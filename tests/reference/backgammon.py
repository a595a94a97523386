"""Backgammon, and similar games with fewer points, men and sides of the dice: a race in which single men are hit.

A player's men are counted by their distance travelled: 0 is the bar, then come the points, and last the men borne off.
Distances of the two players are the same point if they sum to one more than the number of points. Both dice must be
played if possible, else the higher one if possible; in some games a double is played twice.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]
PLAYERS = ("White", "Black")


class State(NamedTuple):
    """The number of each player's men by distance, the turn, the dice (0: to be thrown), and the phase of the turn."""

    men: tuple[tuple[int, ...], tuple[int, ...]]
    turn: int
    dice: tuple[int, int]
    second: bool
    stage: str


class Race(Rules[State]):
    """The rules that both games share."""

    points, sides, home = 24, 6, 6
    twice = True
    """Whether a double is played twice."""
    opening = True
    """Whether the first throw decides who begins."""
    setting: tuple[tuple[int, int], ...] = ((1, 2), (12, 5), (17, 3), (19, 5))
    """The initial distances, with the number of men at each."""

    def cell(self, player: int, way: int) -> str:
        """Return the cell of a player's man at a distance."""
        if way in (0, self.points + 1):
            return ("g" if way == 0 else "n") + "12"[player]
        step = way if player == 0 else 25 - way
        columns = "mlkjihfedcba"
        return columns[step - 1] + "2" if step <= 12 else columns[24 - step] + "1"

    def start(self) -> State:
        men = [0] * (self.points + 2)
        for way, count in self.setting:
            men[way] = count
        stage = "opening" if self.opening else "playing"
        return State((tuple(men), tuple(men)), 0, (0, 0), False, stage)

    def to_move(self, state: State) -> str:
        return PLAYERS[state.turn] if state.dice[0] else "nature"

    def outcome(self, state: State) -> str | None:
        for player in (0, 1):
            if state.men[player][-1] == sum(count for _, count in self.setting):
                return PLAYERS[player]
        return None

    def throws(self, state: State) -> dict[str, tuple[tuple[int, int], int]]:
        """Map the text of each throw to its dice and its weight."""
        sides = range(1, self.sides + 1)
        if state.stage == "opening":
            return {f"{a}-{b}": ((max(a, b), min(a, b)), 1) for a in sides for b in sides if a != b}
        return {f"{a}{b}": ((a, b), 1 if a == b else 2) for a in sides for b in sides if b <= a}

    def probability(self, state: State, move: str) -> Fraction:
        throws = self.throws(state)
        return Fraction(throws[move][1], sum(weight for _, weight in throws.values()))

    def steps(self, men: tuple[tuple[int, ...], tuple[int, ...]], player: int, die: int) -> list[int]:
        """The distances from which a man can move by a die."""
        own, other = men[player], men[1 - player]
        first = next(way for way in range(self.points + 2) if own[way])
        found = []
        for way in [0] if own[0] else range(1, self.points + 1):
            if not own[way]:
                continue
            target = way + die
            if target <= self.points:
                if other[self.points + 1 - target] < 2:
                    found.append(way)
            elif first > self.points - self.home and (target == self.points + 1 or way == first):
                found.append(way)
        return found

    def gone(self, men: tuple[tuple[int, ...], tuple[int, ...]], player: int, way: int,
             die: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The men after one man moves by a die."""
        own, other = list(men[player]), list(men[1 - player])
        target = min(way + die, self.points + 1)
        own[way] -= 1
        own[target] += 1
        if target <= self.points and other[self.points + 1 - target]:
            other[self.points + 1 - target] = 0
            other[0] += 1
        return (tuple(own), tuple(other)) if player == 0 else (tuple(other), tuple(own))

    def plays(self, state: State) -> dict[str, tuple[tuple[tuple[int, ...], tuple[int, ...]], bool]]:
        """Map each play to the men after it, and to whether it uses both dice."""
        player, (high, low) = state.turn, state.dice
        found = {}
        for die in {high, low}:
            for one in self.steps(state.men, player, die):
                between = self.gone(state.men, player, one, die)
                rest = high + low - die
                if sum(between[player]) == between[player][-1]:
                    continue
                for other in self.steps(between, player, rest):
                    text = f"{die}:{self.cell(player, one)}/{self.cell(player, other)}"
                    found[text] = self.gone(between, player, other, rest), True
        for die in (high, low):
            if not found:
                found = {f"{die}:{self.cell(player, one)}": (self.gone(state.men, player, one, die), False)
                         for one in self.steps(state.men, player, die)}
        return found or {"-": (state.men, False)}

    def options(self, state: State) -> list[str]:
        return list(self.plays(state) if state.dice[0] else self.throws(state))

    def after(self, state: State, move: str) -> State:
        if not state.dice[0]:
            dice, _ = self.throws(state)[move]
            if state.stage == "opening":
                mine, theirs = map(int, move.split("-"))
                return State(state.men, int(theirs > mine), dice, False, "playing" if mine > theirs else "giving")
            return state._replace(dice=dice, stage="playing")
        men, both = self.plays(state)[move]
        if self.twice and both and not state.second and state.dice[0] == state.dice[1] and not self.outcome(
                state._replace(men=men)):
            return state._replace(men=men, second=True)
        again = self.twice and both and not state.second and state.dice[0] == state.dice[1]  # the last man is off
        return State(men, state.turn if again else 1 - state.turn, state.dice if again else (0, 0), again, state.stage)

    def board(self, state: State) -> dict[str, str]:
        return {cell: pile[-1] for cell, pile in self.piles(state).items()}

    def piles(self, state: State) -> dict[str, tuple[str, ...]]:
        """The men on each cell."""
        return {self.cell(player, way): (PLAYERS[player].lower(),) * count
                for player in (0, 1) for way, count in enumerate(state.men[player]) if count}

    def variables(self, state: State) -> dict[str, object]:
        return {"high": state.dice[0], "low": state.dice[1], "second": int(state.second), "now": state.stage}


class Reference(Race):
    """Backgammon."""

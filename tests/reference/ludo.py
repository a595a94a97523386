"""Ludo on a cross with 24 squares around it.

A man's distance is -1 in the corner, 24 and 25 on the home column, and 26 at home. A player who throws a 6 throws
again, unless no man can move.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"men": 1}, {"men": 4}]
PLAYERS = ("Red", "Green", "Yellow", "Blue")
ROUND = [*("c1", "c2", "c3", "b3", "a3", "a4", "a5", "b5", "c5", "c6", "c7", "d7"),
         *("e7", "e6", "e5", "f5", "g5", "g4", "g3", "f3", "e3", "e2", "e1", "d1")]
UP = (("d2", "d3"), ("b4", "c4"), ("d6", "d5"), ("f4", "e4"))
CORNERS = ("a1", "a7", "g7", "g1")


class State(NamedTuple):
    """The distances of all players' men, sorted; the die (0: to be thrown), the turn, and if it is an extra turn."""

    men: tuple[tuple[int, ...], ...]
    die: int
    turn: int
    again: bool


class Reference(Rules[State]):
    """Ludo with any number of men."""

    def __init__(self, *, men: int = 2) -> None:
        self.men = men

    def start(self) -> State:
        return State(((-1,) * self.men,) * 4, 0, 0, False)

    def to_move(self, state: State) -> str:
        return PLAYERS[state.turn] if state.die else "nature"

    def outcome(self, state: State) -> str | None:
        return next((name for name, men in zip(PLAYERS, state.men, strict=True) if set(men) == {26}), None)

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(1, 6)

    def cell(self, player: int, way: int) -> str:
        """Return the cell of a player's man at a distance."""
        if way < 0:
            return CORNERS[player]
        return ROUND[(way + 6 * player) % 24] if way < 24 else (*UP[player], "d4")[way - 24]

    def _going(self, state: State) -> dict[str, tuple[int, int]]:
        found = {}
        for man in state.men[state.turn]:
            if man < 0 and state.die == 6:
                found["in"] = man, 0
            elif 0 <= man < 26 and man + state.die <= 26:
                found[self.cell(state.turn, man)] = man, man + state.die
        return found

    def options(self, state: State) -> list[str]:
        return list(self._going(state)) or ["-"] if state.die else list("123456")

    def after(self, state: State, move: str) -> State:
        if not state.die:
            return state._replace(die=int(move), again=False)
        following = (state.turn + 1) % 4
        if move == "-":
            return State(state.men, 0, following, False)
        man, target = self._going(state)[move]
        men = [list(own) for own in state.men]
        men[state.turn][men[state.turn].index(man)] = target
        for player in range(4):
            if player != state.turn and target < 24:
                place = self.cell(state.turn, target)
                men[player] = [-1 if 0 <= way < 24 and self.cell(player, way) == place else way for way in men[player]]
        again = state.die == 6
        return State(tuple(tuple(sorted(own)) for own in men), 0, state.turn if again else following, again)

    def board(self, state: State) -> dict[str, str]:
        return {cell: pile[-1] for cell, pile in self.piles(state).items()}

    def piles(self, state: State) -> dict[str, tuple[str, ...]]:
        """The men on each cell, without those at home."""
        return {self.cell(player, way): (PLAYERS[player].lower(),) * state.men[player].count(way)
                for player in range(4) for way in set(state.men[player]) if way < 26}

    def variables(self, state: State) -> dict[str, object]:
        return {"die": state.die, "again": int(state.again), "home": [men.count(26) for men in state.men]}

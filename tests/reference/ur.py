"""The Royal Game of Ur by Finkel's rules.

A piece's distance is 0 before the first square and 15 after the last one. The squares 5 to 12 are shared; the rosettes
are the squares 4, 8 and 14.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"men": 1}, {"men": 2}]
PLAYERS = ("Light", "Dark")
WEIGHTS = (1, 4, 6, 4, 1)


class State(NamedTuple):
    """The distances of both players' pieces, sorted; the throw (-1: to come), the turn, and if it is an extra turn."""

    pieces: tuple[tuple[int, ...], tuple[int, ...]]
    throw: int
    turn: int
    again: bool


class Reference(Rules[State]):
    """The Royal Game of Ur with any number of pieces."""

    def __init__(self, *, men: int = 7) -> None:
        self.men = men

    def start(self) -> State:
        return State(((0,) * self.men, (0,) * self.men), -1, 0, False)

    def to_move(self, state: State) -> str:
        return "nature" if state.throw < 0 else PLAYERS[state.turn]

    def outcome(self, state: State) -> str | None:
        return next((name for name, own in zip(PLAYERS, state.pieces, strict=True) if set(own) == {15}), None)

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(WEIGHTS[int(move)], 16)

    def _going(self, state: State) -> dict[str, int]:
        own, other = state.pieces[state.turn], state.pieces[1 - state.turn]
        found = {}
        for piece in own:
            target = piece + state.throw
            if not state.throw or target > 15 or piece == 15 or (target < 15 and target in own):
                continue
            if target == 8 and 8 in other:
                continue
            found[self.cell(state.turn, piece)] = piece
        return found

    def options(self, state: State) -> list[str]:
        return list("01234") if state.throw < 0 else list(self._going(state)) or ["-"]

    def after(self, state: State, move: str) -> State:
        if state.throw < 0:
            return state._replace(throw=int(move), again=False)
        if move == "-":
            return State(state.pieces, -1, 1 - state.turn, False)
        own, other = list(state.pieces[state.turn]), list(state.pieces[1 - state.turn])
        piece = self._going(state)[move]
        target = piece + state.throw
        own[own.index(piece)] = target
        if 5 <= target <= 12 and target in other:
            other[other.index(target)] = 0
        again = target in (4, 8, 14)
        both = tuple(sorted(own)), tuple(sorted(other))
        return State(both if state.turn == 0 else (both[1], both[0]), -1, state.turn ^ (not again), again)

    def cell(self, player: int, way: int) -> str:
        """Return the cell of a player's square."""
        if 5 <= way <= 12:
            return "abcdefgh"[way - 5] + "2"
        return ("edcba"[way] if way < 5 else "hgf"[way - 13]) + "13"[player]

    def board(self, state: State) -> dict[str, str]:
        return {cell: pile[-1] for cell, pile in self.piles(state).items()}

    def piles(self, state: State) -> dict[str, tuple[str, ...]]:
        """The pieces on each cell."""
        return {self.cell(player, way): (PLAYERS[player].lower(),) * state.pieces[player].count(way)
                for player in (0, 1) for way in set(state.pieces[player])}

    def variables(self, state: State) -> dict[str, object]:
        return {"throw": None if state.throw < 0 else state.throw, "again": int(state.again)}

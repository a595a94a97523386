"""Kayles: a player knocks down one pin of a row, or two that stand side by side.

The player who takes the last pin wins; with `misere`, loses. Pins are numbered from 1; `3` is one pin, `3+` this one
and the next.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"misere": 1}, {"pins": 1}, {"pins": 5, "misere": 1}, {"pins": 20}]

OTHER = {"First": "Second", "Second": "First"}


class State(NamedTuple):
    """The standing pins, and the player to move."""

    pins: frozenset[int]
    mover: str


class Reference(Rules[State]):
    """Kayles with one row of pins."""

    def __init__(self, *, pins: int = 13, misere: int = 0) -> None:
        self.pins = pins
        self.misere = misere

    def start(self) -> State:
        return State(frozenset(range(1, self.pins + 1)), "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if state.pins:
            return None
        return state.mover if self.misere else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        return [f"{pin}" for pin in state.pins] + [f"{pin}+" for pin in state.pins if pin + 1 in state.pins]

    def after(self, state: State, move: str) -> State:
        pin = int(move.rstrip("+"))
        hit = {pin, pin + 1} if move.endswith("+") else {pin}
        return State(state.pins - hit, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {f"a{pin}": "pin" for pin in state.pins}

"""Matching Pennies: Even and Odd show a side of a penny at once; Even wins if they are the same, else Odd."""

from __future__ import annotations

from tests.reference.hands import Hands

CASES: list[dict[str, int]] = [{}]


class Reference(Hands):
    """Matching Pennies."""

    players = ("Even", "Odd")
    choice = "s"

    @property
    def things(self) -> list[str]:
        return ["heads", "tails"]

    def result(self, first: str, second: str) -> str:
        return "Even" if first == second else "Odd"

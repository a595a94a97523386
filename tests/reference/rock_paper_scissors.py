"""Rock Paper Scissors, optionally with a well, the pit, into which rock and scissors fall, and which paper covers."""

from __future__ import annotations

from tests.reference.hands import Hands
from tests.reference.rules import DRAW

CASES: list[dict[str, int]] = [{}, {"well": 1}, {"rock_wins": 3}, {"well": 1, "rock_wins": 9}]

BEATEN = {"rock": ("scissors",), "paper": ("rock", "pit"), "scissors": ("paper",), "pit": ("rock", "scissors")}


class Reference(Hands):
    """One round; `rock_wins`, which changes only what a win counts, is ignored."""

    players = ("Ann", "Bob")
    choice = "h"

    def __init__(self, *, well: int = 0, rock_wins: int = 1) -> None:
        self.well = well

    @property
    def things(self) -> list[str]:
        return ["rock", "paper", "scissors"] + ["pit"] * self.well

    def result(self, first: str, second: str) -> str:
        if second in BEATEN[first]:
            return "Ann"
        return "Bob" if first in BEATEN[second] else DRAW

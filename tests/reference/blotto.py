"""Colonel Blotto: two players divide equally many soldiers among three fields, without knowing the other's division.

The player with the majority on more fields wins. A move gives the numbers on the left and in the middle, such as 3-4;
the others go to the right. Blotto chooses first, and his choice takes effect once the Enemy has chosen.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"soldiers": 1}, {"soldiers": 2}, {"soldiers": 3}, {"soldiers": 6}, {"soldiers": 20}]
PLAYERS = ("Blotto", "Enemy")


class State(NamedTuple):
    """The divisions chosen so far, Blotto's first."""

    divided: tuple[tuple[int, int, int], ...]


class Reference(Rules[State]):
    """Colonel Blotto, one round."""

    def __init__(self, *, soldiers: int = 10) -> None:
        self.soldiers = soldiers

    def start(self) -> State:
        return State(())

    def to_move(self, state: State) -> str:
        return PLAYERS[len(state.divided) % 2]

    def outcome(self, state: State) -> str | None:
        if len(state.divided) < 2:
            return None
        margins = [ours - theirs for ours, theirs in zip(*state.divided, strict=True)]
        won, lost = sum(margin > 0 for margin in margins), sum(margin < 0 for margin in margins)
        return DRAW if won == lost else PLAYERS[won < lost]

    def options(self, state: State) -> list[str]:
        return [f"{left}-{middle}" for left in range(self.soldiers + 1) for middle in range(self.soldiers + 1 - left)]

    def after(self, state: State, move: str) -> State:
        left, middle = map(int, move.split("-"))
        return State((*state.divided, (left, middle, self.soldiers - left - middle)))

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        over = len(state.divided) == 2
        blotto, enemy = state.divided if over else ((0, 0, 0), (0, 0, 0))
        first = state.divided[0] if len(state.divided) == 1 else (None, None)
        return {
            "blotto": list(blotto),
            "enemy": list(enemy),
            "rounds": int(over),
            "chosen": ["nothing" if first[0] is None else "divide", "nothing"],
            "chosen_a": [first[0], None],
            "chosen_b": [first[1], None],
        }

"""A small Yahtzee for one player: three dice, two more throws, and boxes for each number, a straight and three alike.

`expected` is the expected score of best play, computed from the boxes that are left and the dice.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"sides": 3}, {"sides": 6}]


class State(NamedTuple):
    """The filled boxes, the dice on the table (sorted), the throws left, and the points."""

    filled: frozenset[int]
    dice: tuple[int, ...]
    throws: int
    points: int


def score(box: int, dice: tuple[int, ...], sides: int) -> int:
    """The points of the dice in a box."""
    if box < sides:
        return (box + 1) * dice.count(box + 1)
    if box == sides:
        return 15 if sorted(dice) == list(range(min(dice), min(dice) + 3)) else 0
    return 25 if len(set(dice)) == 1 else 0


class Reference(Rules[State]):
    """Small Yahtzee; each die is a separate move of nature."""

    def __init__(self, *, sides: int = 4) -> None:
        self.sides = sides

    def start(self) -> State:
        return State(frozenset(), (), 2, 0)

    def to_move(self, state: State) -> str:
        return "nature" if len(state.dice) < 3 else "Solver"

    def outcome(self, state: State) -> str | None:
        return DRAW if len(state.filled) == self.sides + 2 else None

    def payoffs(self, state: State) -> list[int]:
        """The points."""
        return [state.points]

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(1, self.sides)

    def options(self, state: State) -> list[str]:
        if len(state.dice) < 3:
            return [str(n) for n in range(1, self.sides + 1)]
        boxes = ["abcdefgh"[box] + "1" for box in range(self.sides + 2) if box not in state.filled]
        if not state.throws:
            return boxes
        chosen = {tuple(sorted((die for die, taken in zip(state.dice, taking, strict=True) if taken), reverse=True))
                  for taking in product((True, False), repeat=3)} - {()}
        return boxes + ["again:" + "".join(map(str, (*dice, 0, 0)[:3])) for dice in chosen]

    def after(self, state: State, move: str) -> State:
        if len(state.dice) < 3:
            return state._replace(dice=tuple(sorted((*state.dice, int(move)))))
        kind, _, numbers = move.partition(":")
        if kind == "again":
            left = Counter(state.dice) - Counter(int(n) for n in numbers if n != "0")
            return state._replace(dice=tuple(sorted(left.elements())), throws=state.throws - 1)
        box = "abcdefgh".index(move[0])
        return State(state.filled | {box}, (), 2, state.points + score(box, state.dice, self.sides))

    def board(self, state: State) -> dict[str, str]:
        return {"abcdefgh"[box] + "1": "mark" for box in state.filled}

    def variables(self, state: State) -> dict[str, object]:
        shown = [state.dice.count(n) for n in range(1, self.sides + 1)]
        return {"shown": [*shown, 0, 0], "flying": 3 - len(state.dice), "throws": state.throws, "points": state.points}


def expected(sides: int) -> Fraction:
    """The expected result of best play from the start."""

    @cache
    def worth(left: frozenset[int], dice: tuple[int, ...], throws: int) -> Fraction:
        if len(dice) < 3:
            thrown = (worth(left, tuple(sorted((*dice, n))), throws) for n in range(1, sides + 1))
            return sum(thrown, Fraction(0)) / sides
        best = max(score(box, dice, sides) + (worth(left - {box}, (), 2) if len(left) > 1 else 0) for box in left)
        if throws:
            for keeping in product((True, False), repeat=3):
                if not all(keeping):
                    kept = tuple(die for die, stays in zip(dice, keeping, strict=True) if stays)
                    best = max(best, worth(left, kept, throws - 1))
        return Fraction(best)

    return worth(frozenset(range(sides + 2)), (), 2)

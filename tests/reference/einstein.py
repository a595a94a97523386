"""EinStein würfelt nicht!: the die selects the stone that steps towards the far corner, capturing any stone there.

If the number's stone is gone, the mover chooses between the next lower and the next higher one. White begins in the
corner a5 (on size 5) and goes right and down, Black the other way.
"""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"size": 3, "stones": 3}, {"size": 4, "stones": 5}]
OTHER = {"White": "Black", "Black": "White"}
NAMES = ("", "one", "two", "three", "four", "five", "six")
PLACES = ((0, 0), (0, 1), (1, 0), (1, 1), (0, 2), (2, 0))
"""The initial places of White's stones, row and column from the top left."""


class State(NamedTuple):
    """The stones as row, column, owner and number, sorted; the die (0: to be thrown); the player to move."""

    stones: tuple[tuple[int, int, str, int], ...]
    die: int
    mover: str


class Reference(Rules[State]):
    """EinStein würfelt nicht! with a fixed set-up."""

    def __init__(self, *, size: int = 5, stones: int = 6) -> None:
        self.size, self.stones = size, stones

    def start(self) -> State:
        placed: dict[tuple[int, int], tuple[str, int]] = {}
        last = self.size - 1
        for number in range(1, self.stones + 1):
            row, column = PLACES[number - 1]
            placed[row, column] = "White", number
            placed[last - row, last - column] = "Black", number
        return State(tuple(sorted((*place, *stone) for place, stone in placed.items())), 0, "White")

    def to_move(self, state: State) -> str:
        return state.mover if state.die or self.outcome(state) else "nature"

    def outcome(self, state: State) -> str | None:
        owners = {owner for *_, owner, _ in state.stones}
        just = OTHER[state.mover]
        if state.die:
            return None
        last = self.size - 1
        goal = (last, last) if just == "White" else (0, 0)
        if any((row, column, owner) == (*goal, just) for row, column, owner, _ in state.stones) or owners == {just}:
            return just
        return state.mover if owners == {state.mover} else None

    def options(self, state: State) -> list[str]:
        if not state.die:
            return [str(number) for number in range(1, self.stones + 1)]
        numbers = {number for *_, owner, number in state.stones if owner == state.mover}
        below = [number for number in numbers if number < state.die]
        above = [number for number in numbers if number > state.die]
        usable = {state.die} if state.die in numbers else {*below[:0], *([max(below)] if below else []),
                                                          *([min(above)] if above else [])}
        ahead = 1 if state.mover == "White" else -1
        found = []
        for row, column, owner, number in state.stones:
            if owner == state.mover and number in usable:
                for down, right in ((0, 1), (1, 0), (1, 1)):
                    place = row + down * ahead, column + right * ahead
                    if all(0 <= part < self.size for part in place):
                        found.append(self.name(row, column) + self.name(*place))
        return found

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(1, self.stones)

    def after(self, state: State, move: str) -> State:
        if not state.die:
            return state._replace(die=int(move))
        placed = {(row, column): (owner, number) for row, column, owner, number in state.stones}
        origin, target = self.place(move[:2]), self.place(move[2:])
        placed[target] = placed.pop(origin)
        return State(tuple(sorted((*place, *stone) for place, stone in placed.items())), 0, OTHER[state.mover])

    def name(self, row: int, column: int) -> str:
        return f"{'abcde'[column]}{self.size - row}"

    def place(self, name: str) -> tuple[int, int]:
        return self.size - int(name[1]), "abcde".index(name[0])

    def board(self, state: State) -> dict[str, str]:
        return {self.name(row, column): f"{owner} {NAMES[number]}" for row, column, owner, number in state.stones}

    def variables(self, state: State) -> dict[str, object]:
        return {"die": state.die}

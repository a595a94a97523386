"""Sokoban: a man pushes boxes onto marked cells, one at a time. A move is the cell that he steps to."""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, beside, name, places

CASES: list[dict[str, int]] = [{}, {"level": 2}, {"level": 3}]

LEVELS = {
    1: [" #    ", "      ", " # .#@", " $ #  ", " #    "],
    2: [" #    ", "   $ #", " ## #.", " .$   ", "@  #  "],
    3: [". @#  ", " ## ##", ".  $  ", "  #$$ ", " .    "],
}


class State(NamedTuple):
    """The places of the man and of the boxes."""

    man: Place
    boxes: frozenset[Place]


class Reference(Rules[State]):
    """One of the levels."""

    def __init__(self, *, level: int = 1) -> None:
        self.on = {(x, y): LEVELS[level][4 - y][x] for x, y in places(5, 6)}
        self.goals = {place for place, sign in self.on.items() if sign == "."}

    def start(self) -> State:
        man = next(place for place, sign in self.on.items() if sign == "@")
        return State(man, frozenset(place for place, sign in self.on.items() if sign == "$"))

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        return "Player" if state.boxes == self.goals else None

    def free(self, state: State, place: Place) -> bool:
        """Whether a cell is on the board with neither wall nor box."""
        return self.on.get(place, "#") != "#" and place not in state.boxes

    def options(self, state: State) -> list[str]:
        x, y = state.man
        return [name((i, j)) for i, j in beside(state.man) if self.free(state, (i, j))
                or ((i, j) in state.boxes and self.free(state, (2 * i - x, 2 * j - y)))]

    def after(self, state: State, move: str) -> State:
        to = next(place for place in self.on if name(place) == move)
        (x, y), (i, j) = state.man, to
        pushed = {(2 * i - x, 2 * j - y)} if to in state.boxes else set()
        return State(to, frozenset(state.boxes - {to} | pushed))

    def board(self, state: State) -> dict[str, str]:
        return {**{name(place): "wall" for place, sign in self.on.items() if sign == "#"},
                **{name(place): "box" for place in state.boxes}, name(state.man): "man"}

    def variables(self, state: State) -> None:
        return None

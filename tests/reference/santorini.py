"""Santorini without gods, for two, on a square board of any size.

First White, then Black sets both workers on empty cells. A turn moves one of the mover's workers to one of the eight
cells around it, which must be empty, without a dome, and at most one level higher (any number lower). The worker who
steps up to the third level wins at once. Else the worker builds one level on a cell around the one it came to, which
must be empty and without a dome; a fourth level is a dome. A player who cannot move and build loses. Cells are named by
column letter from the left and row number from the bottom; `a1+b1` sets workers, in the board's order, `a1-b2/c3` moves
and builds.
"""

from __future__ import annotations

from itertools import combinations
from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}, {"size": 3}, {"size": 2}, {"size": 4}]

OTHER = {"White": "Black", "Black": "White"}


class State(NamedTuple):
    """The workers of White and of Black, the level of each place in the board's order, and the player to move."""

    white: frozenset[Place]
    black: frozenset[Place]
    levels: tuple[int, ...]
    mover: str


class Reference(Rules[State]):
    """Santorini."""

    def __init__(self, *, size: int = 5) -> None:
        self.places = places(size, size)
        self.number = {place: number for number, place in enumerate(self.places)}
        self.of_name = {name(place): place for place in self.places}

    def start(self) -> State:
        return State(frozenset(), frozenset(), (0,) * len(self.places), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        before = OTHER[state.mover]
        workers = state.white if before == "White" else state.black
        if any(state.levels[self.number[place]] == 3 for place in workers):
            return before
        return None if self.options(state) else before

    def around(self, place: Place) -> list[Place]:
        """The up to eight places around a place."""
        x, y = place
        near = [(x + right, y + up) for right in (-1, 0, 1) for up in (-1, 0, 1) if right or up]
        return [other for other in near if other in self.number]

    def options(self, state: State) -> list[str]:
        own = state.white if state.mover == "White" else state.black
        workers = state.white | state.black
        if not own:
            free = [place for place in self.places if place not in workers]
            return [f"{name(one)}+{name(other)}" for one, other in combinations(free, 2)]
        found = []
        for start in own:
            height = state.levels[self.number[start]]
            for end in self.around(start):
                level = state.levels[self.number[end]]
                if end in workers or level == 4 or level > height + 1:
                    continue
                if level == 3:
                    found.append(f"{name(start)}-{name(end)}")
                    continue
                standing = workers - {start} | {end}
                found += [f"{name(start)}-{name(end)}/{name(built)}" for built in self.around(end)
                          if built not in standing and state.levels[self.number[built]] < 4]
        return found

    def after(self, state: State, move: str) -> State:
        own = set(state.white if state.mover == "White" else state.black)
        levels = list(state.levels)
        if "+" in move:
            own |= {self.of_name[text] for text in move.split("+")}
        else:
            step, _, built = move.partition("/")
            start, end = step.split("-")
            own.remove(self.of_name[start])
            own.add(self.of_name[end])
            if built:
                levels[self.number[self.of_name[built]]] += 1
        white = frozenset(own) if state.mover == "White" else state.white
        black = frozenset(own) if state.mover == "Black" else state.black
        return State(white, black, tuple(levels), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): piece for workers, piece in ((state.white, "white"), (state.black, "black"))
                for place in workers}

    def variables(self, state: State) -> dict[str, object]:
        return {"level": list(state.levels)}

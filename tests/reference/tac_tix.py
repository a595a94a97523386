"""Tac Tix, or Bulo (P. Hein): players take adjacent counters of a line; the last one loses, or wins with `normal`."""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}, {"size": 2}, {"size": 3, "normal": 1}, {"size": 6}]

OTHER = {"First": "Second", "Second": "First"}


class State(NamedTuple):
    """The counters, and the player to move."""

    counters: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Tac Tix; a move is the first and the last cell that are taken, from the left or from above."""

    def __init__(self, *, size: int = 4, normal: int = 0) -> None:
        self.places, self.normal = places(size, size), normal

    def start(self) -> State:
        return State(frozenset(self.places), "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if state.counters:
            return None
        return OTHER[state.mover] if self.normal else state.mover

    def runs(self, state: State) -> dict[str, set[Place]]:
        """Map the text of each move to the counters that it takes."""
        found = {}
        for x, y in state.counters:
            for i, j in ((1, 0), (0, -1)):
                run: list[tuple[int, int]] = []
                while (place := (x + i * len(run), y + j * len(run))) in state.counters:
                    run.append(place)
                    found[f"{name((x, y))}-{name(place)}"] = {*run}
        return found

    def options(self, state: State) -> list[str]:
        return [*self.runs(state)]

    def after(self, state: State, move: str) -> State:
        return State(state.counters - self.runs(state)[move], OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): "counter" for place in state.counters}

"""Halma, for two players on a square board.

White's camp is in the lower left corner, Black's in the upper right one: the cells whose two distances from the corner
are both less than `side`, and together at most `side`. A camp is full of its owner's men at first; White begins. A man
goes to one of the eight cells around it, if that is empty; or it hops over a man on one of these to the cell right
behind, if that is empty, and may hop on from there. A man in the other side's camp may move inside it only. A player
who has a man on each cell of the other camp wins; a player who cannot move loses. Repetitions are left to the caller.
Cells are named by column letter from the left and row number from the bottom; a move names the cells where it begins
and ends.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{"size": 4, "side": 2}, {"size": 6, "side": 2}, {"size": 8, "side": 3},
                               {"size": 16, "side": 5}]

OTHER = {"White": "Black", "Black": "White"}
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


class State(NamedTuple):
    """The places of White's and Black's men, and the player to move."""

    men: tuple[frozenset[Place], frozenset[Place]]
    mover: str


class Reference(Rules[State]):
    """Halma."""

    def __init__(self, *, size: int = 16, side: int = 5) -> None:
        self.cells = set(places(size, size))
        self.of_name = {name(place): place for place in self.cells}
        white = frozenset((x, y) for x, y in self.cells if x < side and y < side and x + y <= side)
        self.camps = {"White": white, "Black": frozenset((size - 1 - x, size - 1 - y) for x, y in white)}

    def start(self) -> State:
        return State((self.camps["White"], self.camps["Black"]), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        before = OTHER[state.mover]
        if state.men[0 if before == "White" else 1] == self.camps[state.mover]:
            return before
        return None if self.options(state) else before

    def ends(self, man: Place, others: frozenset[Place]) -> set[Place]:
        """The cells that a man can reach, given the cells of all other men."""
        steps = {(man[0] + x, man[1] + y) for x, y in AROUND}
        found, rest = {man}, [man]
        while rest:
            at = rest.pop()
            for x, y in AROUND:
                over, end = (at[0] + x, at[1] + y), (at[0] + 2 * x, at[1] + 2 * y)
                if over in others and end in self.cells and end not in others and end not in found:
                    found.add(end)
                    rest.append(end)
        return ((steps | found) & self.cells) - others - {man}

    def options(self, state: State) -> list[str]:
        both = state.men[0] | state.men[1]
        goal = self.camps[OTHER[state.mover]]
        return [f"{name(man)}-{name(end)}" for man in state.men[0 if state.mover == "White" else 1]
                for end in self.ends(man, both - {man}) if man not in goal or end in goal]

    def after(self, state: State, move: str) -> State:
        start, end = (self.of_name[text] for text in move.split("-"))
        own = 0 if state.mover == "White" else 1
        men = list(state.men)
        men[own] = men[own] - {start} | {end}
        return State((men[0], men[1]), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): piece for men, piece in zip(state.men, ("white", "black"), strict=True) for place in men}

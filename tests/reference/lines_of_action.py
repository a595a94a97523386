"""Lines of Action (Claude Soucie), as in Sackson's second edition, on any square board.

Black's men fill the top and bottom rows without the corners, White's the left and right columns; Black moves first. A
man moves along a row, column or diagonal, exactly as many cells as there are men of both colours on that whole line. It
may jump own men, not others, and may end on an empty cell or on another's man, which it captures. A player who has all
men connected (diagonals count) after a move has won; if both have, the mover. A player who cannot move loses. A
repeated position is a draw, which is left to the caller. Cells are named by column letter from the left and row number
from the bottom; a move is both its cells with `-` between them.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"size": 4}, {"size": 5}, {"size": 7}]

OTHER = {"Black": "White", "White": "Black"}
STEPS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]

Place = tuple[int, int]  # (column, row), both from 0, the bottom row being 0


class State(NamedTuple):
    """The men of both players, and the player to move."""

    black: frozenset[Place]
    white: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Lines of Action."""

    def __init__(self, *, size: int = 8) -> None:
        self.size = size

    def start(self) -> State:
        inner, last = range(1, self.size - 1), self.size - 1
        black = frozenset((column, row) for column in inner for row in (0, last))
        white = frozenset((column, row) for column in (0, last) for row in inner)
        return State(black, white, "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        moved = OTHER[state.mover]
        whole = [player for player in (moved, state.mover) if connected(self.men(state, player))]
        if whole and state != self.start():
            return whole[0]
        return None if self.options(state) else moved

    def men(self, state: State, player: str) -> frozenset[Place]:
        """A player's men."""
        return state.black if player == "Black" else state.white

    def options(self, state: State) -> list[str]:
        own, others = self.men(state, state.mover), self.men(state, OTHER[state.mover])
        found = []
        for column, row in own:
            for x, y in STEPS:
                line = [(column + x * n, row + y * n) for n in range(-self.size, self.size + 1)]
                steps = sum(place in own or place in others for place in line)
                way = [(column + x * n, row + y * n) for n in range(1, steps + 1)]
                target = way.pop()
                if not all(0 <= number < self.size for number in target):
                    continue
                if target not in own and not any(place in others for place in way):
                    found.append(f"{name((column, row))}-{name(target)}")
        return found

    def after(self, state: State, move: str) -> State:
        start, end = ((ascii_lowercase.index(cell[0]), int(cell[1:]) - 1) for cell in move.split("-"))
        if state.mover == "Black":
            return State(state.black - {start} | {end}, state.white - {end}, "White")
        return State(state.black - {end}, state.white - {start} | {end}, "Black")

    def board(self, state: State) -> dict[str, str]:
        return {name(place): "black" for place in state.black} | {name(place): "white" for place in state.white}


def name(place: Place) -> str:
    """Return the name of a cell."""
    return f"{ascii_lowercase[place[0]]}{place[1] + 1}"


def connected(men: frozenset[Place]) -> bool:
    """Whether all men are connected, diagonals included."""
    if not men:
        return False
    found = [min(men)]
    for column, row in found:  # the list grows during the loop
        found += [(column + x, row + y) for x, y in STEPS
                  if (column + x, row + y) in men and (column + x, row + y) not in found]
    return len(found) == len(men)

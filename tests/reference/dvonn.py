"""Dvonn, on a board of hexagonal cells whose rows are longest in the middle.

The board is a rhombus without its two acute corners: in row r and column k, both from 0, there are cells where r + k is
at least half the rows, rounded down, and less than the columns and half of all rows but one, rounded down. Players lay
a piece each in turn on an empty cell, the red pieces first, then own ones, until the board is full. White then makes
the first move. A stack belongs to the player of its top piece. A stack with fewer than six neighbouring stacks can
move: as a whole, in a straight line over stacks and empty cells, by as many cells as it has pieces, onto any stack.
After each such move, all stacks that are not connected by neighbouring stacks to a stack with a red piece leave the
board. A player who has no move passes; when nobody has one, the player with more pieces in their stacks wins. Cells are
named by column letter from the left and row number from the top; `c1` lays a piece, `a3-b3` moves a stack.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"rows": 3, "columns": 4, "reds": 1}, {"rows": 4, "columns": 5, "reds": 2},
                               {"rows": 2, "columns": 4, "reds": 1}]

OTHER = {"White": "Black", "Black": "White"}
NEXT = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))

Place = tuple[int, int]  # (row, column), from 0 at the top left
Stack = tuple[str, ...]  # "white", "black" or "red", the lowest first


class State(NamedTuple):
    """The stacks, the number of pieces laid, and the player to move."""

    stacks: frozenset[tuple[Place, Stack]]
    laid: int
    mover: str


class Reference(Rules[State]):
    """Dvonn."""

    def __init__(self, *, rows: int = 5, columns: int = 11, reds: int = 3) -> None:
        self.reds = reds
        self.cells = [(row, column) for row in range(rows) for column in range(columns)
                      if rows // 2 <= row + column < columns + (rows - 1) // 2]

    def start(self) -> State:
        return State(frozenset(), 0, "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def stackings(self, state: State, player: str) -> list[str]:
        """The stack moves of a player."""
        stacks = dict(state.stacks)
        found = []
        for (row, column), stack in stacks.items():
            near = sum((row + a, column + b) in stacks for a, b in NEXT)
            if stack[-1] == player.lower() and near < 6:
                for a, b in NEXT:
                    target = row + len(stack) * a, column + len(stack) * b
                    if target in stacks:
                        found.append(f"{name((row, column))}-{name(target)}")
        return found

    def outcome(self, state: State) -> str | None:
        if state.laid < len(self.cells) or any(self.stackings(state, player) for player in OTHER):
            return None
        white, black = (sum(len(stack) for _, stack in state.stacks if stack[-1] == side)
                        for side in ("white", "black"))
        return DRAW if white == black else "White" if white > black else "Black"

    def options(self, state: State) -> list[str]:
        if state.laid < len(self.cells):
            taken = dict(state.stacks)
            return [name(place) for place in self.cells if place not in taken]
        return self.stackings(state, state.mover) or ["pass"]

    def after(self, state: State, move: str) -> State:
        stacks = dict(state.stacks)
        if move == "pass":
            return state._replace(mover=OTHER[state.mover])
        if "-" not in move:
            stacks[place_of(move)] = ("red",) if state.laid < self.reds else (state.mover.lower(),)
            laid = state.laid + 1
            mover = "White" if laid == len(self.cells) else OTHER[state.mover]
            return State(frozenset(stacks.items()), laid, mover)
        start, end = map(place_of, move.split("-"))
        stacks[end] = stacks[end] + stacks.pop(start)
        return State(frozenset(self.joined(stacks).items()), state.laid, OTHER[state.mover])

    def joined(self, stacks: dict[Place, Stack]) -> dict[Place, Stack]:
        """The stacks that are connected to a stack with a red piece."""
        seen = {place for place, stack in stacks.items() if "red" in stack}
        waiting = list(seen)
        while waiting:
            row, column = waiting.pop()
            for place in ((row + a, column + b) for a, b in NEXT):
                if place in stacks and place not in seen:
                    seen.add(place)
                    waiting.append(place)
        return {place: stack for place, stack in stacks.items() if place in seen}

    def board(self, state: State) -> dict[str, str]:
        return {name(place): stack[-1] for place, stack in state.stacks}

    def piles(self, state: State) -> dict[str, Stack]:
        """The pieces on each cell, from the bottom up."""
        return {name(place): stack for place, stack in state.stacks}

    def variables(self, state: State) -> dict[str, object]:
        return {"laid": state.laid}


def name(place: Place) -> str:
    """Return the name of a cell."""
    return f"{'abcdefghijklmnopqrstuvwxyz'[place[1]]}{place[0] + 1}"


def place_of(cell: str) -> Place:
    """The row and column of a cell."""
    return int(cell[1:]) - 1, "abcdefghijklmnopqrstuvwxyz".index(cell[0])

"""Five Field Kono, a Korean game: seven pieces each change sides on a board of 5x5 cells.

White's pieces fill the bottom row and the two end cells of the row above it, Black's are opposite; White moves first. A
move takes one of the mover's pieces one cell diagonally to an empty cell. A player who has a piece on each of the seven
cells where the other side's were at first wins; a player who cannot move loses. A repeated position is a draw, which is
left to the caller. Cells are named by column letter from the left and row number from the bottom; a move is both its
cells with `-` between them.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

HOME = {
    "White": frozenset({"a1", "b1", "c1", "d1", "e1", "a2", "e2"}),
    "Black": frozenset({"a5", "b5", "c5", "d5", "e5", "a4", "e4"}),
}
OTHER = {"White": "Black", "Black": "White"}


class State(NamedTuple):
    """The cells of both players' pieces, and the player to move."""

    white: frozenset[str]
    black: frozenset[str]
    mover: str


class Reference(Rules[State]):
    """Five Field Kono."""

    def start(self) -> State:
        return State(HOME["White"], HOME["Black"], "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if state.white == HOME["Black"]:
            return "White"
        if state.black == HOME["White"]:
            return "Black"
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        found = []
        for cell in state.white if state.mover == "White" else state.black:
            column, row = "abcde".index(cell[0]), int(cell[1])
            for aside in (column - 1, column + 1):
                for up in (row - 1, row + 1):
                    if 0 <= aside < 5 and 1 <= up <= 5:
                        target = f"{'abcde'[aside]}{up}"
                        if target not in state.white and target not in state.black:
                            found.append(f"{cell}-{target}")
        return found

    def after(self, state: State, move: str) -> State:
        start, end = move.split("-")
        if state.mover == "White":
            return State(state.white - {start} | {end}, state.black, "Black")
        return State(state.white, state.black - {start} | {end}, "White")

    def board(self, state: State) -> dict[str, str]:
        return dict.fromkeys(state.white, "white") | dict.fromkeys(state.black, "black")

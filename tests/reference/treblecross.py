"""Treblecross ("Winning Ways"): both put crosses into a row of cells, and three side by side win."""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"cells_in_row": 3}, {"cells_in_row": 5}, {"cells_in_row": 20}]

OTHER = {"First": "Second", "Second": "First"}


class State(NamedTuple):
    """The cells, `x` or `.`, and the player to move."""

    row: str
    mover: str


class Reference(Rules[State]):
    """Treblecross; a move is the cell."""

    def __init__(self, *, cells_in_row: int = 9) -> None:
        self.length = cells_in_row

    def start(self) -> State:
        return State("." * self.length, "First")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return OTHER[state.mover] if "xxx" in state.row else None

    def options(self, state: State) -> list[str]:
        return [letters(place) + "1" for place, sign in enumerate(state.row) if sign == "."]

    def after(self, state: State, move: str) -> State:
        row = "".join("x" if letters(place) + "1" == move else sign for place, sign in enumerate(state.row))
        return State(row, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {letters(place) + "1": "x" for place, sign in enumerate(state.row) if sign == "x"}


def letters(column: int) -> str:
    """Return the letters of a column: a, ..., z, aa, ab, ..."""
    before, last = divmod(column, 26)
    return (letters(before - 1) if before else "") + chr(ord("a") + last)

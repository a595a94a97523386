"""Xiangqi, written from its rules.

Ten rows and nine columns, Red at the bottom, a river between the fifth and the sixth row. The chariot slides along rows
and columns; so does the cannon, which takes by leaping over exactly one piece. The horse goes one cell straight and one
diagonally outwards, and not over a piece on the straight one; the elephant goes two cells diagonally on its own side,
and not over a piece; the adviser one diagonally, the general one straight, both in the palace. The soldier goes one
cell ahead, and past the river also sideways. A general may neither be left where it can be taken nor face the other one
with nothing between. A player who has no move loses. Sixty moves of each side without a capture draw; the draw by
threefold repetition is left to the caller.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}]
NAMES = {"r": "chariot", "h": "horse", "e": "elephant", "a": "adviser", "g": "general", "c": "cannon", "s": "soldier"}
STRAIGHT = ((-1, 0), (0, 1), (1, 0), (0, -1))
SLANTED = ((-1, 1), (1, 1), (1, -1), (-1, -1))
START = ("rheagaehr", ".........", ".c.....c.", "s.s.s.s.s", ".........", ".........", "S.S.S.S.S", ".C.....C.",
         ".........", "RHEAGAEHR")
SIXTY = 120


class State(NamedTuple):
    """A position: rows from the top, Red in capitals."""

    rows: tuple[str, ...]
    red: bool
    quiet: int = 0


def at(rows: tuple[str, ...], row: int, column: int) -> str:
    """The content of a cell: a letter, '.' if it is empty, '' outside the board."""
    return rows[row][column] if 0 <= row < 10 and 0 <= column < 9 else ""


def goes(rows: tuple[str, ...], row: int, column: int) -> Iterator[tuple[int, int]]:
    """Yield the cells that a piece may go to, regardless of own pieces there and of the safety of its general."""
    piece = rows[row][column]
    kind, red = piece.lower(), piece.isupper()
    own = range(5, 10) if red else range(5)
    palace = range(7, 10) if red else range(3)
    if kind in "rc":
        for down, right in STRAIGHT:
            far, passed = 1, 0
            while (found := at(rows, row + far * down, column + far * right)) and passed < 2:
                target = row + far * down, column + far * right
                if found == ".":
                    if not passed:
                        yield target
                else:
                    passed += 1
                    if passed == (1 if kind == "r" else 2):
                        yield target
                far += 1
    elif kind == "h":
        for down, right in STRAIGHT:
            if at(rows, row + down, column + right) == ".":
                for side in (-1, 1):
                    yield row + 2 * down + side * right, column + 2 * right + side * down
    elif kind == "e":
        for down, right in SLANTED:
            if at(rows, row + down, column + right) == "." and row + 2 * down in own:
                yield row + 2 * down, column + 2 * right
    elif kind in "ag":
        for down, right in SLANTED if kind == "a" else STRAIGHT:
            if row + down in palace and column + right in range(3, 6):
                yield row + down, column + right
    else:
        yield row + (-1 if red else 1), column
        if row not in own:
            yield from ((row, column - 1), (row, column + 1))


def pieces(rows: tuple[str, ...], red: bool) -> Iterator[tuple[int, int]]:
    """Yield the places of a player's pieces."""
    for row, line in enumerate(rows):
        for column, piece in enumerate(line):
            if piece != "." and piece.isupper() == red:
                yield row, column


def in_danger(rows: tuple[str, ...], red: bool) -> bool:
    """Whether a player's general can be taken or faces the other one."""
    general = "G" if red else "g"
    if any(at(rows, *target) == general for place in pieces(rows, not red) for target in goes(rows, *place)):
        return True
    for column in range(9):
        file = "".join(line[column] for line in rows).replace(".", "")
        if "gG" in file:
            return True
    return False


def name(row: int, column: int) -> str:
    """Return the name of a cell."""
    return f"{chr(ord('a') + column)}{10 - row}"


def tried(state: State) -> dict[str, State]:
    """Map the legal moves to the states after them."""
    found = {}
    for row, column in pieces(state.rows, state.red):
        for to_row, to_column in goes(state.rows, row, column):
            there = at(state.rows, to_row, to_column)
            if not there or (there != "." and there.isupper() == state.red):
                continue
            lines = [list(line) for line in state.rows]
            lines[to_row][to_column], lines[row][column] = lines[row][column], "."
            rows = tuple("".join(line) for line in lines)
            if not in_danger(rows, state.red):
                quiet = 0 if there != "." else min(state.quiet + 1, SIXTY)
                found[name(row, column) + name(to_row, to_column)] = State(rows, not state.red, quiet)
    return found


class Reference(Rules[State]):
    """Xiangqi."""

    def start(self) -> State:
        return State(START, True)

    def to_move(self, state: State) -> str:
        return "Red" if state.red else "Black"

    def options(self, state: State) -> list[str]:
        return list(tried(state))

    def after(self, state: State, move: str) -> State:
        return tried(state)[move]

    def outcome(self, state: State) -> str | None:
        if state.quiet >= SIXTY:
            return DRAW
        return None if tried(state) else "Black" if state.red else "Red"

    def board(self, state: State) -> dict[str, str]:
        return {name(row, column): f"{'Red' if piece.isupper() else 'Black'} {NAMES[piece.lower()]}"
                for row, line in enumerate(state.rows) for column, piece in enumerate(line) if piece != "."}

    def variables(self, state: State) -> dict[str, object]:
        return {"quiet": state.quiet}

    def counts_for_repetition(self, state: State) -> object:
        """The state without the clock of quiet plies."""
        return state._replace(quiet=0)

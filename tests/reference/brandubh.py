"""Brandubh, the tafl game on 7x7, by the rules of A. Nielsen's "Historical Hnefatafl" with armed king.

Eight attackers stand in a cross around four defenders and their king, who is on the throne in the middle. Attackers
move first. All pieces move any number of empty cells along a row or column. Only the king may end on the throne or on a
corner; all may pass over the empty throne. A man is captured when a move closes a trap: enemies on two opposite sides,
where a corner counts as an enemy, and so does the throne if it is empty (the throne with the king is an enemy to
attackers anyway). The king helps to capture. The king is captured like a man, but on the throne only by attackers on
all four sides, and beside it by attackers on the three others. A piece may step between two enemies unharmed. The
defenders win when the king is on a corner, the attackers when he is captured; a player who cannot move loses. A
repeated position is a draw, which is left to the caller. Cells are named by column letter from the left and row number
from the bottom; a move is both its cells with `-` between them.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

OTHER = {"Attackers": "Defenders", "Defenders": "Attackers"}
SIDES = [(0, 1), (1, 0), (0, -1), (-1, 0)]
THRONE = (3, 3)
CORNERS = [(0, 0), (0, 6), (6, 0), (6, 6)]
FIRST = [
    "...a...",
    "...a...",
    "...d...",
    "aadkdaa",
    "...d...",
    "...a...",
    "...a...",
]

Place = tuple[int, int]  # (column, row), both from 0, the bottom row being 0


class State(NamedTuple):
    """The rows from the bottom, "." for an empty cell, else a, d or k; the player to move."""

    rows: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Brandubh."""

    def start(self) -> State:
        return State(tuple(FIRST), "Attackers")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        if any(at(state.rows, corner) == "k" for corner in CORNERS):
            return "Defenders"
        if not any("k" in row for row in state.rows):
            return "Attackers"
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        own = "a" if state.mover == "Attackers" else "dk"
        found = []
        for place in PLACES:
            piece = at(state.rows, place)
            if piece not in own:
                continue
            for x, y in SIDES:
                column, row = place[0] + x, place[1] + y
                while at(state.rows, (column, row)) == ".":
                    if piece == "k" or ((column, row) != THRONE and (column, row) not in CORNERS):
                        found.append(f"{name(place)}-{name((column, row))}")
                    column, row = column + x, row + y
        return found

    def after(self, state: State, move: str) -> State:
        start, end = (("abcdefg".index(cell[0]), int(cell[1:]) - 1) for cell in move.split("-"))
        cells = {place: at(state.rows, place) for place in PLACES}
        cells[end], cells[start] = cells[start], "."
        rows = rows_of(cells)
        for x, y in SIDES:
            victim = (end[0] + x, end[1] + y)
            if self.captured(rows, victim, (end[0] + 2 * x, end[1] + 2 * y), state.mover):
                cells[victim] = "."
        return State(rows_of(cells), OTHER[state.mover])

    def captured(self, rows: tuple[str, ...], victim: Place, beyond: Place, mover: str) -> bool:
        """Whether a move next to a piece captures it; `beyond` is the cell on the other side of the piece."""
        piece = at(rows, victim)
        if mover == "Defenders":
            return piece == "a" and enemy(rows, beyond, "dk")
        if piece == "d":
            return enemy(rows, beyond, "a")
        if piece == "k":
            around = [(victim[0] + x, victim[1] + y) for x, y in SIDES]
            if victim == THRONE or THRONE in around:
                return all(place == THRONE or at(rows, place) == "a" for place in around)
            return enemy(rows, beyond, "a")
        return False

    def board(self, state: State) -> dict[str, str]:
        names = {"a": "attacker", "d": "defender", "k": "king"}
        return {name(place): names[piece] for place in PLACES if (piece := at(state.rows, place)) != "."}


PLACES = [(column, row) for row in range(7) for column in range(7)]


def at(rows: tuple[str, ...], place: Place) -> str:
    """The content of a cell; "#" outside the board."""
    column, row = place
    return rows[row][column] if 0 <= column < 7 and 0 <= row < 7 else "#"


def rows_of(cells: dict[Place, str]) -> tuple[str, ...]:
    """The rows of a board, from the bottom."""
    return tuple("".join(cells[column, row] for column in range(7)) for row in range(7))


def enemy(rows: tuple[str, ...], place: Place, pieces: str) -> bool:
    """Whether a cell helps to capture: it holds one of the given pieces, or is a corner or the empty throne."""
    return at(rows, place) in pieces or place in CORNERS or (place == THRONE and at(rows, place) == ".")


def name(place: Place) -> str:
    """Return the name of a cell."""
    return f"{'abcdefg'[place[0]]}{place[1] + 1}"

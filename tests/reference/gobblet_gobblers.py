"""Gobblet Gobblers, on a board of three rows and three columns.

Each player has two small, two middle-sized and two big pieces. A move puts one of them that is not on the board on an
empty cell, or over smaller pieces, of either player; or it lifts a piece that nothing covers and puts it on another
cell in the same way, whereby what it covered can be seen again. Three pieces of one colour in a row, column or diagonal
that nothing covers win. If a move uncovers a line of the other player that still stands when the piece is put down,
that player wins, even if the move also makes a line of the mover's colour. A repeated position is a draw, which is left
to the caller. Cells are named by column letter from the left and row number from the bottom; `Sb2` puts a small piece
on b2, with a small letter for Blue's, `b2-c3` moves one.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

CELLS = [column + row for row in "321" for column in "abc"]
LINES = [CELLS[0:3], CELLS[3:6], CELLS[6:9], CELLS[0::3], CELLS[1::3], CELLS[2::3], CELLS[0::4], CELLS[2:7:2]]
OTHER = {"Orange": "Blue", "Blue": "Orange"}
SIZES = "SMB"
NAMES = {"S": "small", "M": "middle", "B": "big"}


class State(NamedTuple):
    """The pieces on each cell from the bottom up, Orange's in capitals; the player to move."""

    piles: tuple[str, ...]
    mover: str


def owner(piece: str) -> str:
    """The owner of a piece."""
    return "Orange" if piece.isupper() else "Blue"


def fits(piece: str, pile: str) -> bool:
    """Whether a piece can be put on a pile."""
    return not pile or SIZES.index(piece.upper()) > SIZES.index(pile[-1].upper())


class Reference(Rules[State]):
    """Gobblet Gobblers."""

    def start(self) -> State:
        return State(("",) * 9, "Orange")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        tops = {cell: owner(pile[-1]) for cell, pile in zip(CELLS, state.piles, strict=True) if pile}
        made = {player for player in OTHER for line in LINES if all(tops.get(cell) == player for cell in line)}
        return state.mover if state.mover in made else OTHER[state.mover] if made else None

    def options(self, state: State) -> list[str]:
        own = SIZES if state.mover == "Orange" else SIZES.lower()
        here = dict(zip(CELLS, state.piles, strict=True))
        found = [piece + cell for piece in own if "".join(state.piles).count(piece) < 2
                 for cell in CELLS if fits(piece, here[cell])]
        return found + [f"{start}-{end}" for start in CELLS if here[start] and here[start][-1] in own
                        for end in CELLS if end != start and fits(here[start][-1], here[end])]

    def after(self, state: State, move: str) -> State:
        here = dict(zip(CELLS, state.piles, strict=True))
        piece, end = move[0], move[-2:]
        if "-" in move:
            start = move[:2]
            piece = here[start][-1]
            here[start] = here[start][:-1]
        here[end] += piece
        return State(tuple(here[cell] for cell in CELLS), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {cell: pile[-1] for cell, pile in self.piles(state).items()}

    def piles(self, state: State) -> dict[str, list[str]]:
        """The pieces on each cell, from the bottom up."""
        return {cell: [f"{owner(piece)} {NAMES[piece.upper()]}" for piece in pile]
                for cell, pile in zip(CELLS, state.piles, strict=True) if pile}

"""The rules shared by chess games on small boards, without castling, double steps and captures in passing.

The board is a grid of letters, White's in capitals, rows from the top. Every move is tried, and check is detected by
listing the opponent's moves, which is slow but hard to get wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

NAMES = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}
ORTHOGONAL = ((-1, 0), (0, 1), (1, 0), (0, -1))
DIAGONAL = ((-1, 1), (1, 1), (1, -1), (-1, -1))
JUMPS = tuple((rows, columns) for rows in (-2, -1, 1, 2) for columns in (-2, -1, 1, 2) if abs(rows) != abs(columns))
SLIDES = {"b": DIAGONAL, "r": ORTHOGONAL, "q": (*ORTHOGONAL, *DIAGONAL)}
STEPS = {"n": JUMPS, "k": (*ORTHOGONAL, *DIAGONAL)}
FIFTY = 100


class State(NamedTuple):
    """A position: rows from the top, whether White moves, and the quiet plies."""

    rows: tuple[str, ...]
    white: bool
    quiet: int = 0


class SmallChess(Rules[State]):
    """A game of this kind; `rank` has the pieces of the first row, and a pawn promotes to any of them but the king."""

    rank = ""

    def start(self) -> State:
        size = len(self.rank)
        rows = [self.rank.lower(), "p" * size, *["." * size] * (size - 4), "P" * size, self.rank]
        return State(tuple(rows), True)

    def to_move(self, state: State) -> str:
        return "White" if state.white else "Black"

    def _goes(self, rows: tuple[str, ...], row: int, column: int) -> Iterator[tuple[int, int]]:
        size, piece = len(rows), rows[row][column]
        own = str.isupper if piece.isupper() else str.islower

        def there(at_row: int, at_column: int) -> str | None:
            return rows[at_row][at_column] if 0 <= at_row < size and 0 <= at_column < size else None

        kind = piece.lower()
        if kind == "p":
            ahead = row + (-1 if piece.isupper() else 1)
            if there(ahead, column) == ".":
                yield ahead, column
            for side in (column - 1, column + 1):
                taken = there(ahead, side)
                if taken is not None and taken != "." and not own(taken):
                    yield ahead, side
        for down, right in STEPS.get(kind, ()):
            found = there(row + down, column + right)
            if found is not None and not own(found):
                yield row + down, column + right
        for down, right in SLIDES.get(kind, ()):
            far = 1
            while (found := there(row + far * down, column + far * right)) is not None and not own(found):
                yield row + far * down, column + far * right
                if found != ".":
                    break
                far += 1

    def _checked(self, rows: tuple[str, ...], white: bool) -> bool:
        """Whether a player's king can be captured."""
        king = "K" if white else "k"
        return any(rows[to_row][to_column] == king for row, column in self._pieces(rows, not white)
                   for to_row, to_column in self._goes(rows, row, column))

    def _pieces(self, rows: tuple[str, ...], white: bool) -> Iterator[tuple[int, int]]:
        for row, line in enumerate(rows):
            for column, piece in enumerate(line):
                if piece.isalpha() and piece.isupper() == white:
                    yield row, column

    def _name(self, row: int, column: int) -> str:
        return f"{chr(ord('a') + column)}{len(self.rank) - row}"

    def _tried(self, state: State) -> dict[str, tuple[str, ...]]:
        """Map the legal moves to the boards after them."""
        found = {}
        for row, column in self._pieces(state.rows, state.white):
            piece = state.rows[row][column]
            for to_row, to_column in self._goes(state.rows, row, column):
                text = self._name(row, column) + self._name(to_row, to_column)
                becomes = [piece]
                if piece in "pP" and to_row in (0, len(self.rank) - 1):
                    kinds = sorted(set(self.rank) - {"K"})
                    becomes = kinds if state.white else [kind.lower() for kind in kinds]
                for other in becomes:
                    lines = [list(line) for line in state.rows]
                    lines[row][column] = "."
                    lines[to_row][to_column] = other
                    rows = tuple("".join(line) for line in lines)
                    if not self._checked(rows, state.white):
                        found[text + (f"={other}" if other != piece else "")] = rows
        return found

    def options(self, state: State) -> list[str]:
        return list(self._tried(state))

    def after(self, state: State, move: str) -> State:
        rows = self._tried(state)[move]
        pieces = [sum(line.count(letter) for line in state.rows) - sum(line.count(letter) for line in rows)
                  for letter in ".pP"]
        column, row = ord(move[0]) - ord("a"), len(self.rank) - int(move[1])
        moved_pawn = state.rows[row][column] in "pP"
        return State(rows, not state.white, 0 if moved_pawn or pieces[0] else min(state.quiet + 1, FIFTY))

    def outcome(self, state: State) -> str | None:
        if not self._tried(state):
            if self._checked(state.rows, state.white):
                return "Black" if state.white else "White"
            return DRAW
        return DRAW if state.quiet >= FIFTY else None

    def board(self, state: State) -> dict[str, str]:
        return {self._name(row, column): f"{'White' if piece.isupper() else 'Black'} {NAMES[piece.lower()]}"
                for row, line in enumerate(state.rows) for column, piece in enumerate(line) if piece != "."}

    def variables(self, state: State) -> dict[str, object]:
        return {"quiet": state.quiet}

    def counts_for_repetition(self, state: State) -> object:
        """The state without the clock of quiet plies."""
        return state._replace(quiet=0)

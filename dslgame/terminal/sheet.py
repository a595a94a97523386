"""Lines of text in which each cell of a board has a known place, so that it can be clicked and coloured."""

from __future__ import annotations

from collections.abc import Iterator

import attrs


@attrs.frozen
class Piece:
    """A segment of a line: its text, and the cell that it shows, or -1."""

    text: str
    cell: int = -1
    colour: str = ""
    """Its colour (`#rrggbb`); '' for the default colour of such cells."""


@attrs.frozen
class Drawn:
    """A board as lines of pieces."""

    lines: tuple[tuple[Piece, ...], ...]

    @property
    def width(self) -> int:
        """The length of the longest line, in columns."""
        return max((sum(len(piece.text) for piece in line) for line in self.lines), default=0)

    def places(self) -> Iterator[tuple[int, int, int, int]]:
        """Yield each cell with its line, its first column and the column after its last."""
        for number, line in enumerate(self.lines):
            column = 0
            for piece in line:
                if piece.cell >= 0:
                    yield piece.cell, number, column, column + len(piece.text)
                column += len(piece.text)

    def cell_at(self, line: int, column: int) -> int | None:
        """The cell at a line and column, or the nearest one next to it; None where there is none."""
        near = [(max(start - column, column - stop + 1, 0) + 2 * abs(line - row), cell)
                for cell, row, start, stop in self.places() if abs(line - row) <= 1]
        distance, cell = min(near, default=(9, -1))
        return cell if distance <= 2 else None

    def next(self, cell: int, down: int, right: int) -> int:
        """The nearest cell in a direction; `cell` itself where there is none."""
        places = {result: (row, (start + stop) / 2) for result, row, start, stop in self.places()}
        if cell not in places:
            return next(iter(places), cell)
        row, column = places[cell]
        best, nearest = cell, float("inf")
        for other, (line, middle) in places.items():
            ahead = (line - row) * 2 * down + (middle - column) * right
            aside = abs(middle - column) if down else abs(line - row) * 2
            if ahead > 0 and aside <= 2 * ahead and ahead + 3 * aside < nearest:
                best, nearest = other, ahead + 3 * aside
        return best

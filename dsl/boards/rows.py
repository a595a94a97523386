"""Boards with cells in rows, where each row is shifted by half a cell against the one above, or not at all."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import ClassVar

from dsl.boards.kind import Cells, Kind, Label, Placed, Shape, centred
from dsl.boards.outlines import Place

_TO_ROW, _TO_COLUMN = 0.85, 0.95
"""The distances of the labels of rows and columns from the cells beside them."""
_APART = 0.55
"""The minimum distance between the centres of two labels."""


class RowsOfCells(Kind):
    """A kind of board that is drawn with a line for each row."""

    halves: ClassVar[int] = 0
    """The shift of each row to the right of the one above it, in halves of a cell."""

    @property
    def _slant(self) -> float:
        return self.halves / 2

    @property
    def _height(self) -> float:
        return math.sqrt(0.75) if self.halves else 1.0

    def row_count(self, shape: Shape) -> int:
        return shape[0]

    def column_count(self, shape: Shape) -> int:
        return shape[1]

    def cell_count(self, shape: Shape) -> int:
        return math.prod(shape)

    def cells(self, shape: Shape) -> Sequence[tuple[int, int]]:
        return [(row, column) for row in range(self.row_count(shape)) for column in range(self.column_count(shape))]

    def place(self, shape: Shape, row: int, column: int) -> Place:
        return column + self._slant * row, self._height * row

    def columns_labelled_below(self, board: Cells) -> bool:
        """Whether the names of columns are below the board; else above it."""
        return board.rows_count_up

    def text(self, board: Cells, glyphs: Sequence[str], rows: range, columns: range) -> list[Placed]:
        row_labels = [board.row_label(row) for row in rows]
        column_labels = [board.column_label(column) for column in columns]
        width = max(map(len, (*glyphs, *column_labels)))
        pitch, slant, gap = width + 1, 0, 1
        if self.halves:
            pitch += pitch % 2
            gap = pitch // 2
            slant = self.halves * gap
        margin = max(map(len, row_labels))

        def column_at(row: int, column: int) -> int:
            return slant * row + pitch * column + margin + gap

        label_line = len(rows) if self.columns_labelled_below(board) else -1
        placed = [Placed(label_line, column_at(label_line, column), centred(label, width))
                  for column, label in enumerate(column_labels)]
        placed += [Placed(row, slant * row, label.rjust(margin)) for row, label in enumerate(row_labels)]
        for cell, (row, column) in enumerate(zip(board.row_of, board.column_of, strict=True)):
            if row in rows and column in columns:
                line, across = row - rows.start, column - columns.start
                placed.append(Placed(line, column_at(line, across), centred(glyphs[cell], width), cell))
        return placed

    def labels(self, board: Cells, shown: Sequence[int], places: Sequence[Place], left: float) -> Iterator[Label]:
        rows = sorted({board.row_of[cell] for cell in shown})
        columns = sorted({board.column_of[cell] for cell in shown})
        if self.halves:
            yield from self._beside_ends(board, shown)
            return
        for row in rows:
            yield Label((left + 0.5 - _TO_ROW, self._height * row), board.row_label(row))
        beyond = rows[-1] + _TO_COLUMN if self.columns_labelled_below(board) else rows[0] - _TO_COLUMN
        for column in columns:
            yield Label((float(column), self._height * beyond), board.column_label(column))

    def _beside_ends(self, board: Cells, shown: Sequence[int]) -> Iterator[Label]:
        """Labels for shifted rows: beside the first cell of each row, and above the first of each column.

        On boards with cells left out, two labels can need the same place; then that of the column is put at its other
        end, else that of the row.
        """
        ends: dict[str, dict[int, tuple[int, int]]] = {"row": {}, "column": {}}
        for cell in shown:
            row, column = board.row_of[cell], board.column_of[cell]
            for name, line, at in (("row", row, column), ("column", column, row)):
                low, high = ends[name].get(line, (at, at))
                ends[name][line] = min(low, at), max(high, at)

        def place(row: float, column: float) -> Place:
            return self._slant * row + column, self._height * row

        rows = {row: place(row, low - _TO_ROW) for row, (low, _) in sorted(ends["row"].items())}
        columns: dict[int, Place] = {}
        for column, (low, high) in sorted(ends["column"].items()):
            wanted = [place(low - _TO_COLUMN, column), place(high + _TO_COLUMN, column)]
            if self.columns_labelled_below(board):
                wanted.reverse()
            free = [at for at in wanted if not any(_close(at, other) for other in (*rows.values(), *columns.values()))]
            columns[column] = (free or wanted)[0]
            for row in [] if free else [row for row, at in rows.items() if _close(at, columns[column])]:
                rows[row] = place(row, ends["row"][row][1] + _TO_ROW)
        yield from (Label(at, board.row_label(row)) for row, at in rows.items())
        yield from (Label(at, board.column_label(column)) for column, at in columns.items())


def _close(one: Place, other: Place) -> bool:
    """Whether two labels would overlap."""
    return math.dist(one, other) < _APART

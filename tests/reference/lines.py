"""Square grids for the references: the names of cells and the straight lines.

A cell's name is its column letter from the left and its row number from the bottom: a1 is at the bottom left.
"""

from __future__ import annotations

from string import ascii_lowercase

Line = tuple[str, ...]


def cell_names(rows: int, columns: int) -> list[str]:
    """The names of all cells, row by row from the top."""
    return [f"{ascii_lowercase[column]}{rows - row}" for row in range(rows) for column in range(columns)]


def straight_lines(rows: int, columns: int, length: int) -> list[Line]:
    """Every run of `length` cells along a row, a column or a diagonal."""
    names = cell_names(rows, columns)
    found = []
    for row in range(rows):
        for column in range(columns):
            for down, right in ((0, 1), (1, 1), (1, 0), (1, -1)):
                places = [(row + down * step, column + right * step) for step in range(length)]
                if all(0 <= r < rows and 0 <= c < columns for r, c in places):
                    found.append(tuple(names[r * columns + c] for r, c in places))
    return found


def holds_line(on: dict[str, str], piece: str, lines: list[Line]) -> bool:
    """Whether all cells of one of the lines hold the piece."""
    return any(all(on.get(cell) == piece for cell in line) for line in lines)

"""A position as plain text: a short text for each cell, set out as its board is, with coordinates around it.

It draws what it is given and knows neither pieces nor games; colour is left to a `style` of the caller. The
command draws positions with it, and so do errors and tests. Widths count characters, so texts should keep
to characters of one column.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

import attrs

from interpreter.boards import Board, column_label, members, row_label

_GRID_NAME = re.compile(r"([a-z])([0-9]{1,2})")
_LARGEST_GRID = 18
"""Steps from one side of a graph on a grid to the other; a larger one is set out as a list."""
_CROSSING = "+"
Style = Callable[[int, str], str]
"""Called with a cell and its padded text; returns what to print, which must look as wide."""


@attrs.frozen
class _Placed:
    """A text on the page. Columns may start below 0; the page begins at the leftmost text."""

    line: int
    column: int
    text: str
    cell: int = -1
    """The cell that it shows, or -1 for a label."""


def draw(board: Board, glyphs: Sequence[str], *, style: Style | None = None, shown: int | None = None) -> str:
    """Draw a board with a short text in each cell, as lines without trailing spaces or a last line break.

    `glyphs` holds one text for each cell, usually of one character; shorter ones are centred in the width of
    the longest. Of a board with rows, only those rows and columns appear that `shown`, a set of cells, reaches into;
    None for all. `style` may wrap each in colour codes, after everything has its place:

    >>> from interpreter.boards import build
    >>> print(draw(build("square", (2, 3)), [".", "X", ".", "O", ".", "."]))
    2 . X .
    1 O . .
      a b c
    """
    if len(glyphs) != board.size:
        raise ValueError(f"{len(glyphs)} texts for a board of {board.size} cells")
    if shown is not None and board.kind in ("square", "unbounded square"):
        cells = members(shown)
        rows = range(min(board.row_of[cell] for cell in cells), max(board.row_of[cell] for cell in cells) + 1)
        columns = range(min(board.column_of[cell] for cell in cells), max(board.column_of[cell] for cell in cells) + 1)
        return _page(_rows(board, glyphs, rows, columns), style)
    return _page(_LAYOUTS[board.kind](board, glyphs), style)


def _rows(
    board: Board, glyphs: Sequence[str], rows: range | None = None, columns: range | None = None
) -> list[_Placed]:
    """Set out a square board, or a rhombus with each row half a cell to the right of the row above."""
    rows, columns = rows or range(board.row_count), columns or range(board.column_count)
    row_labels = [row_label(board, row) for row in rows]
    column_labels = [column_label(board, column) for column in columns]
    width = max(map(len, (*glyphs, *column_labels)))
    pitch, slant, gap = width + 1, 0, 1
    if board.kind == "rhombus":
        pitch += pitch % 2
        slant = gap = pitch // 2
    margin = max(map(len, row_labels))

    def column_at(row: int, column: int) -> int:
        return slant * row + pitch * column + margin + gap

    counts_up = board.coordinates is not None and board.coordinates.row.up
    label_line = len(rows) if counts_up else -1
    placed = [
        _Placed(label_line, column_at(label_line, column), _centred(label, width))
        for column, label in enumerate(column_labels)
    ]
    placed += [_Placed(row, slant * row, label.rjust(margin)) for row, label in enumerate(row_labels)]
    for cell, (row, column) in enumerate(zip(board.row_of, board.column_of, strict=True)):
        if row in rows and column in columns:
            line, across = row - rows.start, column - columns.start
            placed.append(_Placed(line, column_at(line, across), _centred(glyphs[cell], width), cell))
    return placed


def _hexagon(board: Board, glyphs: Sequence[str]) -> list[_Placed]:
    """Set out a hexagon: two lines a cell, neighbouring columns one line apart, labels at the left corner's sides.

    A row is a bent line of cells, as rows are counted within their columns: its label stands before its first
    cell. Where rows count up, they are bent the other way, and the columns' labels go below.
    """
    middle = board.shape[0] - 1
    width = max(map(len, glyphs))
    pitch = width + 2
    coordinates = board.coordinates
    assert coordinates is not None, "only graphs go without"

    def line_at(row: int, column: int) -> int:
        return 2 * row + abs(column - middle)

    def column_at(column: int) -> int:
        return pitch * column

    def flipped(line: int) -> int:
        return 4 * middle - line if coordinates.row.up else line

    placed = []
    for column in range(board.column_count):
        label = column_label(board, column)
        placed.append(_Placed(flipped(line_at(-1, column)), column_at(column), _centred(label, width)))
    for number in range(board.row_count):  # counted as the labels count
        index = board.row_count - 1 - number if coordinates.row.up else number
        label = coordinates.row.text(index, board.row_count)
        first = max(0, number - middle)
        line = flipped(line_at(number, first) + 1)
        placed.append(_Placed(line, column_at(first - 1) + width - len(label), label))
    for cell, (row, column) in enumerate(zip(board.row_of, board.column_of, strict=True)):
        placed.append(_Placed(line_at(row, column), column_at(column), _centred(glyphs[cell], width), cell))
    return placed


def grid_points(board: Board) -> tuple[tuple[int, int], ...] | None:
    """Column and row of each cell of a graph whose names are coordinates (`a4`), rows counted upwards.

    None for other boards, and where a link leads neither along a row, a column nor a diagonal, or over another cell.
    """
    if board.kind != "graph" or not any(board.neighbours):
        return None
    matches = [_GRID_NAME.fullmatch(name) for name in board.names]
    points = tuple((ord(match[1]) - ord("a"), int(match[2])) for match in matches if match is not None)
    if len(set(points)) < board.size:
        return None
    for cell, (column, row) in enumerate(points):
        for other in members(board.neighbours[cell]):
            across, up = points[other][0] - column, points[other][1] - row
            steps = max(abs(across), abs(up))
            if across and up and abs(across) != abs(up):
                return None
            if any((column + across * step // steps, row + up * step // steps) in points for step in range(1, steps)):
                return None
    return points


def _graph(board: Board, glyphs: Sequence[str]) -> list[_Placed]:
    """Set out a graph: as a grid with its links where it is one, else as a list."""
    points = grid_points(board)
    placed = None if points is None else _grid(board, glyphs, points)
    return placed or _listed(board, glyphs)


def _grid(board: Board, glyphs: Sequence[str], points: Sequence[tuple[int, int]]) -> list[_Placed] | None:
    """Set out a graph on a grid, links as lines between its cells; None where that would take too many lines."""
    lowest, top = min(row for _, row in points), max(row for _, row in points)
    first, last = min(column for column, _ in points), max(column for column, _ in points)
    if max(top - lowest, last - first) > _LARGEST_GRID:
        return None
    width = max(map(len, glyphs))
    pitch = width + 3 + (width + 3) % 2
    margin = len(str(top)) + 1

    def place(cell: int) -> tuple[int, int]:
        column, row = points[cell]
        return 2 * (top - row), margin + pitch * (column - first)

    placed = [_Placed(*place(cell), _centred(glyph, width), cell) for cell, glyph in enumerate(glyphs)]
    taken = {(item.line, column) for item in placed for column in range(item.column, item.column + width)}
    drawn: dict[tuple[int, int], str] = {}
    for cell, near in enumerate(board.neighbours):
        for other in members(near):
            if cell < other:
                _draw_link(place(cell), place(other), width, drawn)
    placed += [_Placed(line, column, sign) for (line, column), sign in drawn.items() if (line, column) not in taken]
    rows = {row for _, row in points}
    placed += [_Placed(2 * (top - row), 0, str(row).rjust(margin - 1)) for row in rows]
    columns = {column for column, _ in points}
    below = 2 * (top - lowest) + 1
    placed += [_Placed(below, margin + pitch * (column - first), _centred(chr(column + ord("a")), width))
               for column in columns]
    return placed


def _draw_link(start: tuple[int, int], end: tuple[int, int], width: int, drawn: dict[tuple[int, int], str]) -> None:
    """Note the signs of a straight link between two texts of some width, each with its line and column."""
    (line, column), (last_line, last_column) = sorted((start, end))
    if line == last_line:
        sign, places = "-", [(line, at) for at in range(column + width, last_column)]
    else:
        sign = "|" if column == last_column else "\\" if last_column > column else "/"
        middle, lines = column + (width - 1) // 2, last_line - line
        places = [(line + step, middle + (last_column - column) * step // lines) for step in range(1, lines)]
    for place in places:
        drawn[place] = sign if drawn.get(place, sign) == sign else _CROSSING


def _listed(board: Board, glyphs: Sequence[str]) -> list[_Placed]:
    """Set out a graph as a list: each cell's name, its text, and its neighbours' names."""
    margin = max(map(len, board.names))
    width = max(map(len, glyphs))
    placed = []
    for cell, name in enumerate(board.names):
        placed.append(_Placed(cell, 0, name.ljust(margin)))
        placed.append(_Placed(cell, margin + 1, _centred(glyphs[cell], width), cell))
        if board.neighbours[cell]:
            near = " ".join(board.names[other] for other in members(board.neighbours[cell]))
            placed.append(_Placed(cell, margin + 1 + width + 1, f"- {near}"))
    return placed


_LAYOUTS: Mapping[str, Callable[[Board, Sequence[str]], list[_Placed]]] = {
    "square": _rows,
    "unbounded square": _rows,
    "rhombus": _rows,
    "hexagon": _hexagon,
    "graph": _graph,
}


def _centred(text: str, width: int) -> str:
    return (" " * ((width - len(text)) // 2) + text).ljust(width)


def _page(placed: Sequence[_Placed], style: Style | None) -> str:
    """Write texts to their places, style those of cells, and trim."""
    lines = range(min(item.line for item in placed), max(item.line for item in placed) + 1)
    left = min(item.column for item in placed)
    page = []
    for line in lines:
        written, end = "", left
        for item in sorted((item for item in placed if item.line == line), key=lambda item: item.column):
            shown = style(item.cell, item.text) if style is not None and item.cell >= 0 else item.text
            written += " " * (item.column - end) + shown
            end = item.column + len(item.text)
        page.append(written.rstrip())
    return "\n".join(page)

"""Draws positions as plain text: a short text for each cell, laid out like the board, with coordinates around it.

The kind of board places each text (`dsl.boards`). This module knows neither pieces nor games; colour is left to a
`style` of the caller. The command line, error messages and tests draw positions with it. Widths count characters, so
texts should use characters of one column.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dsl.boards.kind import Placed
from interpreter.boards import Board, members

Style = Callable[[int, str], str]
"""Called with a cell and its padded text; returns the text to print, which must have the same visible width."""

Between = Callable[[list[Placed]], list[Placed]]
"""Called with the placed texts of a board; returns these and further ones, perhaps at other places."""


def draw(board: Board, glyphs: Sequence[str], *, style: Style | None = None, shown: int | None = None,
         between: Between | None = None) -> str:
    """Draw a board with a short text in each cell, as lines without trailing spaces or a last line break.

    `glyphs` holds one text for each cell, usually of one character; shorter ones are centred in the width of
    the longest. Of a board that can be drawn in part, only the rows and columns within the extent of `shown`, a bitset
    of cells, are drawn; None for all. `between` adds what is drawn between the cells. `style` may wrap each text in
    colour codes, after the layout is done:

    >>> from interpreter.boards import build
    >>> print(draw(build("square", (2, 3)), [".", "X", ".", "O", ".", "."]))
    2 . X .
    1 O . .
      a b c
    """
    if len(glyphs) != board.size:
        raise ValueError(f"{len(glyphs)} texts for a board of {board.size} cells")
    rows, columns = range(board.row_count), range(board.column_count)
    if shown is not None and board.kind.drawn_in_part:
        cells = members(shown)
        rows = range(min(board.row_of[cell] for cell in cells), max(board.row_of[cell] for cell in cells) + 1)
        columns = range(min(board.column_of[cell] for cell in cells), max(board.column_of[cell] for cell in cells) + 1)
    placed = board.kind.text(board, glyphs, rows, columns)
    return _page(placed if between is None else between(placed), style)


def _page(placed: Sequence[Placed], style: Style | None) -> str:
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

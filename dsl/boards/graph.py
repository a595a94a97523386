"""`board graph:` and paths of cells: any board, with the neighbours that its paths define."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from dsl.boards.kind import Cells, Kind, Label, Placed, centred
from dsl.boards.outlines import Place

_GRID_NAME = re.compile(r"([a-z])([0-9]{1,2})")
_LARGEST_GRID = 18
"""The maximum width and height, in steps, of a graph drawn on a grid; a larger one is drawn as a list."""
_CROSSING = "+"
_APART = 1.35
"""The distance in pictures of cells without neighbours."""


class Graph(Kind):
    """The paths define the cells and neighbours, and are also the straight lines of the board."""

    word = "graph"
    example = "graph:"
    also_called = ("network", "nodes", "vertices")
    regions = {"cells": lambda shape, row, column: True}
    symmetries = {"all symmetries": ("all symmetries",)}
    of_paths = True
    rows_and_columns = False

    def text(self, board: Cells, glyphs: Sequence[str], rows: range, columns: range) -> list[Placed]:
        """As a grid with its links where the names are coordinates, else as a list."""
        points = _grid_points(board)
        placed = None if points is None else _grid(board, glyphs, points)
        return placed or _listed(board, glyphs)

    def labels(self, board: Cells, shown: Sequence[int], places: Sequence[Place], left: float) -> Iterator[Label]:
        """Beside a grid; else each cell's name next to the cell, on the side away from the middle."""
        if _grid_points(board) is not None:
            left, bottom = min(x for x, _ in places) - 0.85, max(y for _, y in places) + 0.85
            for x, name in sorted({(place[0], name[0]) for place, name in zip(places, board.names, strict=True)}):
                yield Label((x, bottom), name)
            for y, name in sorted({(place[1], name[1:]) for place, name in zip(places, board.names, strict=True)}):
                yield Label((left, y), name)
            return
        if not any(board.neighbour_lists):
            for place, name in zip(places, board.names, strict=True):
                yield Label((place[0], place[1] + 0.62), name)
            return
        middle = [sum(values) / board.size for values in zip(*places, strict=True)]
        for place, name in zip(places, board.names, strict=True):
            across, down = place[0] - middle[0], place[1] - middle[1]
            far = math.hypot(across, down)
            if far < 0.1:
                yield Label((place[0] + 0.35, place[1] + 0.58), name, on_links=True)
            else:
                yield Label((place[0] + 0.66 * across / far, place[1] + 0.66 * down / far), name)

    def picture_places(self, board: Cells) -> tuple[Place, ...] | None:
        """On a grid where the names are coordinates, in a row where there are no links."""
        points = _grid_points(board)
        if points is not None:
            return tuple((float(column), -float(row)) for column, row in points)
        if not any(board.neighbour_lists):
            return tuple((_APART * cell, 0.0) for cell in range(board.size))
        return None

    def dot(self, board: Cells) -> float:
        return 0.4 if _grid_points(board) is None else 0.2


def _grid_points(board: Cells) -> tuple[tuple[int, int], ...] | None:
    """The column and row of each cell of a graph whose names are coordinates (`a4`), with rows counted upwards.

    None where a link is neither along a row, a column nor a diagonal, or passes over another cell, and where there are
    no links.
    """
    if not any(board.neighbour_lists):
        return None
    matches = [_GRID_NAME.fullmatch(name) for name in board.names]
    points = tuple((ord(match[1]) - ord("a"), int(match[2])) for match in matches if match is not None)
    if len(set(points)) < board.size:
        return None
    for cell, (column, row) in enumerate(points):
        for other in board.neighbour_lists[cell]:
            across, up = points[other][0] - column, points[other][1] - row
            steps = max(abs(across), abs(up))
            if across and up and abs(across) != abs(up):
                return None
            if any((column + across * step // steps, row + up * step // steps) in points for step in range(1, steps)):
                return None
    return points


def _grid(board: Cells, glyphs: Sequence[str], points: Sequence[tuple[int, int]]) -> list[Placed] | None:
    """Lay out a graph on a grid, with links as lines between its cells; None where it is too large."""
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

    placed = [Placed(*place(cell), centred(glyph, width), cell) for cell, glyph in enumerate(glyphs)]
    taken = {(item.line, column) for item in placed for column in range(item.column, item.column + width)}
    drawn: dict[tuple[int, int], str] = {}
    for cell, near in enumerate(board.neighbour_lists):
        for other in near:
            if cell < other:
                _draw_link(place(cell), place(other), width, drawn)
    placed += [Placed(line, column, sign) for (line, column), sign in drawn.items() if (line, column) not in taken]
    rows = {row for _, row in points}
    placed += [Placed(2 * (top - row), 0, str(row).rjust(margin - 1)) for row in rows]
    columns = {column for column, _ in points}
    below = 2 * (top - lowest) + 1
    placed += [Placed(below, margin + pitch * (column - first), centred(chr(column + ord("a")), width))
               for column in columns]
    return placed


def _draw_link(start: tuple[int, int], end: tuple[int, int], width: int, drawn: dict[tuple[int, int], str]) -> None:
    """Add the characters of a straight link between two texts of the given width, each with its line and column."""
    (line, column), (last_line, last_column) = sorted((start, end))
    if line == last_line:
        sign, places = "-", [(line, at) for at in range(column + width, last_column)]
    else:
        sign = "|" if column == last_column else "\\" if last_column > column else "/"
        middle, lines = column + (width - 1) // 2, last_line - line
        places = [(line + step, middle + (last_column - column) * step // lines) for step in range(1, lines)]
    for place in places:
        drawn[place] = sign if drawn.get(place, sign) == sign else _CROSSING


def _listed(board: Cells, glyphs: Sequence[str]) -> list[Placed]:
    """Lay out a graph as a list: each cell's name, its text, and its neighbours' names."""
    margin = max(map(len, board.names))
    width = max(map(len, glyphs))
    placed = []
    for cell, name in enumerate(board.names):
        placed.append(Placed(cell, 0, name.ljust(margin)))
        placed.append(Placed(cell, margin + 1, centred(glyphs[cell], width), cell))
        if board.neighbour_lists[cell]:
            near = " ".join(board.names[other] for other in board.neighbour_lists[cell])
            placed.append(Placed(cell, margin + 1 + width + 1, f"- {near}"))
    return placed


KIND = Graph()

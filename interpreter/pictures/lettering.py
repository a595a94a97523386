"""Texts around a board: coordinates, the values of variables that belong to no cell, a caption."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import interpreter.pictures.colours as colours
from interpreter import board_values
from interpreter.boards import Board, column_label, row_label
from interpreter.model.state import State
from interpreter.pictures.canvas import Canvas, Place, text_width
from interpreter.pictures.places import is_on_grid
from interpreter.pictures.sliding import sliding

if TYPE_CHECKING:
    from interpreter.game import Game

_SIZE, _SIZE_BELOW = 0.34, 0.36
_LEAST_WIDTH = 8.0
"""How wide a line under the board may be, also under smaller boards."""


def label_cells(canvas: Canvas, board: Board, shown: Sequence[int], places: Sequence[Place]) -> None:
    """Coordinates: beside rows and columns where they have names of their own, else each cell's name at the cell."""
    if board.kind == "graph":
        _label_graph(canvas, board, places)
    elif board.kind == "hexagon":
        _label_hexagon(canvas, board)
    else:
        _label_lattice(canvas, board, shown, places)


def _write(canvas: Canvas, at: Place, words: str) -> None:
    canvas.text(at, words, _SIZE, fill=colours.FAINT)


def _label_lattice(canvas: Canvas, board: Board, shown: Sequence[int], places: Sequence[Place]) -> None:
    rows = sorted({board.row_of[cell] for cell in shown})
    columns = sorted({board.column_of[cell] for cell in shown})
    slant, height = (0.5, 0.75**0.5) if board.kind == "rhombus" else (0.0, 1.0)
    left, _, _, _ = canvas.bounds
    for row in rows:
        first = slant * row + columns[0] if board.kind == "rhombus" else left + 0.5
        _write(canvas, (first - 0.85, height * row), row_label(board, row))
    below = board.coordinates is not None and board.coordinates.row.up
    beyond = rows[-1] + 0.95 if below else rows[0] - 0.95
    for column in columns:
        _write(canvas, (slant * beyond + column, height * beyond), column_label(board, column))


def _label_hexagon(canvas: Canvas, board: Board) -> None:
    """Columns above (or below) their first cell, rows where their bent line begins, as the text drawing has them."""
    coordinates = board.coordinates
    assert coordinates is not None, "only graphs go without"
    middle = board.shape[0] - 1
    width = 0.75**0.5

    def flipped(y: float) -> float:
        return 2 * middle - y if coordinates.row.up else y

    for column in range(board.column_count):
        above = abs(column - middle) / 2 - 0.85
        _write(canvas, (width * column, flipped(above)), column_label(board, column))
    for line in range(board.row_count):
        index = board.row_count - 1 - line if coordinates.row.up else line
        first = max(0, line - middle)
        beside = line + abs(first - middle) / 2 + 0.4
        _write(canvas, (width * (first - 1) + 0.15, flipped(beside)), coordinates.row.text(index, board.row_count))


def _label_graph(canvas: Canvas, board: Board, places: Sequence[Place]) -> None:
    if is_on_grid(board):
        left, bottom = min(x for x, _ in places) - 0.85, max(y for _, y in places) + 0.85
        for x, name in sorted({(place[0], name[0]) for place, name in zip(places, board.names, strict=True)}):
            _write(canvas, (x, bottom), name)
        for y, name in sorted({(place[1], name[1:]) for place, name in zip(places, board.names, strict=True)}):
            _write(canvas, (left, y), name)
        return
    if not any(board.neighbours):
        for place, name in zip(places, board.names, strict=True):
            _write(canvas, (place[0], place[1] + 0.62), name)
        return
    middle = [sum(values) / board.size for values in zip(*places, strict=True)]
    for place, name in zip(places, board.names, strict=True):
        across, down = place[0] - middle[0], place[1] - middle[1]
        far = math.hypot(across, down)
        if far < 0.1:
            canvas.text((place[0] + 0.35, place[1] + 0.58), name, _SIZE, fill=colours.FAINT, stroke="#ffffff",
                        stroke_width=0.14, stroke_linejoin="round", paint_order="stroke")  # links pass behind it
        else:
            _write(canvas, (place[0] + 0.66 * across / far, place[1] + 0.66 * down / far), name)


def _broken(line: str, width: float) -> list[str]:
    """A line of values in as many lines as a width takes."""
    rows = [""]
    for words in line.split(", "):
        longer = f"{rows[-1]}, {words}" if rows[-1] else words
        if rows[-1] and text_width(longer, _SIZE_BELOW) > width:
            rows[-1] += ","
            rows.append(words)
        else:
            rows[-1] = longer
    return rows


def below(canvas: Canvas, game: Game, state: State, caption: str) -> None:
    """What belongs to no cell, one line each, then the caption."""
    drawn = sliding(game)
    lines = [line for kind, line in board_values.below(game, state, telling=True)
             if drawn is None or game.rules.variables[drawn.number] is not kind]
    left, _, right, bottom = canvas.bounds
    middle = (left + right) / 2
    y = bottom + 0.45
    for line in [*lines, *board_values.seats(game, state)]:
        for words in _broken(line, max(right - left, _LEAST_WIDTH)):
            canvas.text((middle, y), words, _SIZE_BELOW, fill=colours.INK)
            y += 0.5
    if caption:
        canvas.text((middle, y + 0.05), caption, 0.42, fill=colours.INK, font_weight="bold")

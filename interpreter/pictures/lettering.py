"""Texts around a board: coordinates, the values of variables that belong to no cell, a caption."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import interpreter.pictures.colours as colours
from interpreter import board_values
from interpreter.model.state import State
from interpreter.pictures.canvas import Canvas, text_width
from interpreter.pictures.layout import Layout
from interpreter.pictures.sites import is_drawn
from interpreter.pictures.sliding import sliding

if TYPE_CHECKING:
    from interpreter.game import Game

LABEL_SIZE, SIZE_BELOW = 0.34, 0.36
LINE = 0.5
"""How far a line under the board is below the one before."""
LEAST_WIDTH = 8.0
"""How wide a line under the board may be, also under smaller boards."""


def label_cells(canvas: Canvas, layout: Layout, shown: Sequence[int]) -> None:
    """Coordinates: beside rows and columns where they have names of their own, else each cell's name at the cell."""
    board, (left, _, _, _) = layout.board, canvas.bounds
    for label in board.kind.labels(board, shown, layout.places, left):
        if label.on_links or (board.courses and not layout.long):  # the bends of tracks go round the board
            canvas.text(label.at, label.text, LABEL_SIZE, fill=colours.FAINT, stroke="#ffffff", stroke_width=0.14,
                        stroke_linejoin="round", paint_order="stroke")
        else:
            canvas.text(layout.moved(label.at), label.text, LABEL_SIZE, fill=colours.FAINT)


def unsaid(game: Game) -> frozenset[str]:
    """The variables that a picture draws on its board, and so does not say beside it."""
    drawn = sliding(game)
    return frozenset(kind.name for number, kind in enumerate(game.rules.variables)
                     if is_drawn(kind) or (drawn is not None and drawn.number == number))


def _broken(line: str, width: float) -> list[str]:
    """A line of values in as many lines as a width takes."""
    rows = [""]
    for words in line.split(", "):
        longer = f"{rows[-1]}, {words}" if rows[-1] else words
        if rows[-1] and text_width(longer, SIZE_BELOW) > width:
            rows[-1] += ","
            rows.append(words)
        else:
            rows[-1] = longer
    return rows


def below(canvas: Canvas, game: Game, state: State, caption: str) -> None:
    """What belongs to no cell in plain lines, then the caption."""
    hidden = unsaid(game)
    lines = [line for kind, line in board_values.below(game, state, telling=True) if kind.name not in hidden]
    left, _, right, bottom = canvas.bounds
    middle = (left + right) / 2
    y = bottom + 0.45
    for line in [*lines, *board_values.piles(game, state), *board_values.seats(game, state)]:
        for words in _broken(line, max(right - left, LEAST_WIDTH)):
            canvas.text((middle, y), words, SIZE_BELOW, fill=colours.INK)
            y += LINE
    write_caption(canvas, caption)


def write_caption(canvas: Canvas, caption: str) -> None:
    """A caption under all that is drawn already."""
    left, _, right, bottom = canvas.bounds
    if caption:
        canvas.text(((left + right) / 2, bottom + 0.5), caption, 0.42, fill=colours.INK, font_weight="bold")

"""Rows and columns that slide: where the moves of a game slide a whole row and count it in a variable of that row.

Each such row is drawn as a bar that sticks out of the board as far as it has been shifted.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs

import interpreter.pictures.colours as colours
from dsl import hir
from dsl.resolve.sorts import Integer
from interpreter.model.state import State
from interpreter.pictures.canvas import Canvas

if TYPE_CHECKING:
    from interpreter.game import Game

_BACK = {"west": "left", "north": "left", "east": "right", "south": "right"}


@attrs.frozen
class Sliding:
    """A variable that says how far each row (or column) is shifted."""

    number: int
    index: str
    low: int
    high: int
    grows_left: bool
    """Whether a greater value is further to the left, or up."""


def sliding(game: Game) -> Sliding | None:
    """The variable that says how far rows are shifted; None where none does."""
    rules, directions = game.rules, game.board.directions
    for number, kind in enumerate(rules.variables):
        if kind.index not in ("row", "column") or not isinstance(kind.sort, Integer):
            continue
        for move in rules.moves:
            effects = list(_effects(move.body))
            slides = [item for item in effects if isinstance(item, hir.Slide)]
            changes = [item for item in effects if isinstance(item, hir.SetVariable) and item.number == number]
            if len(slides) != 1 or len(changes) != 1 or not isinstance(slides[0].direction, hir.Literal):
                continue
            value, towards = changes[0].value, directions[slides[0].direction.value or 0]
            if isinstance(value, hir.Arithmetic) and value.operator in "+-" and towards in _BACK:
                left = (_BACK[towards] == "left") == (value.operator == "+")
                return Sliding(number, kind.index, kind.sort.low, kind.sort.high, left)
    return None


def _effects(body: Iterable[object]) -> Iterable[object]:
    for effect in body:
        yield effect
        yield from (part for part in hir.walk(effect) if part is not effect)


def draw_bars(canvas: Canvas, game: Game, state: State) -> bool:
    """Draw the sliding rows of a board that has any; whether it has."""
    result = sliding(game)
    if result is None or not game.board.row_of:
        return False
    board = game.board
    length = board.column_count if result.index == "row" else board.row_count
    reach = result.high - result.low
    for line in range(board.row_count if result.index == "row" else board.column_count):
        ends = (-0.5 - reach, length - 0.5 + reach)
        canvas.cover([(end, float(line)) if result.index == "row" else (float(line), end) for end in ends])
    for line, value in enumerate(game.variable_values(state, result.number)):
        before, after = (value or 0) - result.low, result.high - (value or 0)
        if not result.grows_left:
            before, after = after, before
        low, high = -before - 0.5, length - 0.5 + after
        across = (line - 0.46, line + 0.46)
        style = {"fill": colours.BOARD, "stroke": colours.LINES, "stroke_width": 0.04, "rx": 0.12}
        if result.index == "row":
            canvas.rectangle((low, across[0]), (high, across[1]), **style)
        else:
            canvas.rectangle((across[0], low), (across[1], high), **style)
    canvas.rectangle((-0.52, -0.52), (board.column_count - 0.48, board.row_count - 0.48), fill="none",
                     stroke=colours.INK, stroke_width=0.09)
    return True

"""Positions with their history as pictures: one with its last move marked, or a game drawn step by step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.model.state import State
from interpreter.pictures.board import drawing, svg
from interpreter.pictures.canvas import Canvas
from interpreter.pictures.marks import last_marks, marks_of
from interpreter.wording import finished

if TYPE_CHECKING:
    from interpreter.game import Game, Position

_GAP = 0.8


def svg_of(position: Position, *, pixels: float = 40) -> str:
    """A position as an SVG document: the last move and what it forced marked, who is to move or who won under it."""
    marks = last_marks(position)
    words = f"{position.to_move} to move" if not position.over else _result(position.game, position.state)
    return svg(position.game, position.state, last=marks.last, forced=marks.forced, caption=words, pixels=pixels)


def _result(game: Game, state: State) -> str:
    return finished(game.outcome_name(state.outcome) or "draw")


def strip(position: Position, *, columns: int = 6, coordinates: bool = False, pixels: float = 32) -> str:
    """The positions that led to a position, and itself, as an SVG document; so many of them in a row."""
    game = position.game
    states = [*position.history, position.state]
    drawings = []
    for number, state in enumerate(states):
        last: frozenset[int] = frozenset()
        forced: frozenset[int] = frozenset()
        caption = "start"
        if number:
            text = position.played[number - 1]
            result = game.notation.read(states[number - 1], text, game.engine.legal(states[number - 1]))
            marks = marks_of(game, states[number - 1], result[0])
            last, forced, caption = marks.last, marks.forced, f"{number}. {text}"
        if state.outcome is not None:
            caption += f": {_result(game, state)}"
        drawings.append(drawing(game, state, last=last, forced=forced, caption=caption, coordinates=coordinates))
    canvas = Canvas()
    top = 0.0
    for first in range(0, len(drawings), columns):
        row = drawings[first : first + columns]
        left, height = 0.0, max(item.height for item in row)
        for item in row:
            canvas.add(item.placed(left, top), [(left, top), (left + item.width, top + item.height)])
            left += item.width + _GAP
        top += height + _GAP
    return canvas.drawing().document(pixels=pixels, title=f"{game.title}: {' '.join(position.played)}")

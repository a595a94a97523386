"""Borders and vertices in pictures: a line where a condition holds between cells, or in the colour of its player."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import interpreter.pictures.colours as colours
from dsl import hir
from dsl.boards.borders import BORDER, VERTEX
from dsl.resolve.sorts import BOOLEAN, PIECE, PLAYER
from interpreter.pictures.canvas import Canvas, Place
from interpreter.pictures.places import side

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.model.state import State

_WIDTH = 0.16


def draw_sites(canvas: Canvas, game: Game, state: State, places: Sequence[Place]) -> None:
    """Draw what the variables of borders and vertices say."""
    board = game.board
    for number, kind in hir.drawn_variables(game.rules):
        if kind.index not in (BORDER, VERTEX):
            continue
        sites = board.sites(kind.index)
        for (cell, way), value in zip(sites.sides, game.variable_values(state, number), strict=True):
            draw_site(canvas, game, kind, places[cell], way, value)


def draw_site(canvas: Canvas, game: Game, kind: hir.VariableKind, at: Place, way: int, value: int | None) -> None:
    """Draw what a variable says of one border or vertex: that of a cell at a place, towards a direction."""
    board = game.board
    colour = _colour(game, kind, value)
    if colour and kind.index == BORDER:
        start, end = side(board, at, board.directions[way])
        canvas.line(start, end, stroke=colour, stroke_width=_WIDTH, stroke_linecap="round")
    elif colour:
        down, right = board.kind.steps[board.directions[way]]
        canvas.circle((at[0] + right / 2, at[1] + down / 2), _WIDTH / 2, fill=colour)


def is_drawn(kind: hir.VariableKind) -> bool:
    """Whether a variable is of borders or vertices and all its values are drawn."""
    return kind.index in (BORDER, VERTEX) and kind.sort in (BOOLEAN, PLAYER, PIECE)


def _colour(game: Game, kind: hir.VariableKind, value: int | None) -> str:
    """What a value is drawn in; '' for not at all."""
    if value is None or not is_drawn(kind):
        return ""
    if kind.sort == PLAYER:
        return colours.of_player(game.rules, value)
    if kind.sort == PIECE:
        return colours.of_piece(game.rules, game.rules.pieces[value]) if value else ""
    return colours.INK if value else ""

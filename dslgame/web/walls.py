"""Moves that are made by clicking a border between cells: those that change a variable of borders."""

from __future__ import annotations

from collections.abc import Sequence

from dsl.boards.borders import BORDER
from interpreter.errors import RuleError
from interpreter.game import Game, Position
from interpreter.pictures.layout import layout_of
from interpreter.pictures.places import side

Line = tuple[float, float, float, float]
MOST_TRIED = 400
"""The most legal moves that are tried out; with more, none is."""


def has_walls(game: Game) -> bool:
    """Whether a game has a variable of borders, and cells with sides."""
    return game.board.kind.outline is not None and any(kind.index == BORDER for kind in game.rules.variables)


def walls(position: Position) -> list[tuple[str, list[Line]]]:
    """For each move that changes borders, its text, and the lines on which a click makes it.

    The lines of a move of several borders are shrunk to the middle of them all, so that those of neighbouring walls do
    not overlap.
    """
    game = position.game
    if not has_walls(game) or position.over or len(position.legal()) > MOST_TRIED:
        return []
    before, result = _values(game, position), list[tuple[str, list[Line]]]()
    for move in position.legal():
        try:
            after = _values(game, position.play(move))
        except RuleError:
            continue
        changed = sorted(site for one, other in zip(before, after, strict=True)
                         for site, (was, now) in enumerate(zip(one, other, strict=True)) if was != now)
        if changed:
            result.append((game.notation.write(position.state, move), _lines(game, changed)))
    return result


def _values(game: Game, position: Position) -> list[Sequence[int | None]]:
    return [game.variable_values(position.state, number) for number, kind in enumerate(game.rules.variables)
            if kind.index == BORDER]


def _lines(game: Game, borders: Sequence[int]) -> list[Line]:
    board, places = game.board, layout_of(game).places
    ends = []
    for border in borders:
        cell, way = board.sites(BORDER).sides[border]
        (ax, ay), (bx, by) = side(board, places[cell], board.directions[way])
        ends.append((ax, ay, bx, by))
    x = sum(line[0] + line[2] for line in ends) / (2 * len(ends))
    y = sum(line[1] + line[3] for line in ends) / (2 * len(ends))
    scale = 1 / len(ends)
    return [(round(x + (ax - x) * scale, 3), round(y + (ay - y) * scale, 3),
             round(x + (bx - x) * scale, 3), round(y + (by - y) * scale, 3)) for ax, ay, bx, by in ends]

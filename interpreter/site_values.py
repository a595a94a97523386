"""The values of variables on borders and vertices, for drawings and texts.

A condition on borders, such as where there is a wall, is drawn at the borders where it holds, or listed by their names.
Other values are drawn where a picture has a colour for them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from dsl import hir
from dsl.boards.borders import BORDER, VERTEX
from dsl.boards.kind import Placed
from dsl.resolve.sorts import BOOLEAN

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.model.state import State

ALONG = {"north": "-", "south": "-", "east": "|", "west": "|"}
"""The sign of a border on a text board, by its direction from the cell."""
JOINT = "+"
"""The sign of a vertex on a text board."""


def is_places(kind: hir.VariableKind) -> bool:
    """Whether a variable is a condition on borders or vertices, shown by the places where it holds."""
    return kind.index in (BORDER, VERTEX) and kind.sort == BOOLEAN and not kind.or_none


def names_of(game: Game, kind: hir.VariableKind, values: tuple[int | None, ...]) -> list[str]:
    """The names of the places where a condition holds."""
    names = game.board.sites(kind.index).names
    return [name for name, value in zip(names, values, strict=True) if value]


def drawn_as_text(game: Game) -> frozenset[str]:
    """The variables that text boards draw between the cells."""
    if not game.board.kind.right_angles:
        return frozenset()
    return frozenset(kind.name for _, kind in hir.drawn_variables(game.rules) if is_places(kind))


def holding(game: Game, state: State, what: str) -> Iterator[int]:
    """The borders, or vertices, where some condition holds."""
    columns = [game.variable_values(state, number) for number, kind in hir.drawn_variables(game.rules)
               if is_places(kind) and kind.index == what]
    return (number for number, values in enumerate(zip(*columns, strict=True)) if any(values))


def between(game: Game, state: State, placed: list[Placed]) -> list[Placed]:
    """The placed texts of a board with lines spaced out, and with signs for borders and vertices where conditions hold.
    """
    result = [Placed(2 * item.line, item.column, item.text, item.cell) for item in placed]
    at = {item.cell: item for item in result if item.cell >= 0}
    for what in (BORDER, VERTEX):
        if not any(is_places(kind) and kind.index == what for _, kind in hir.drawn_variables(game.rules)):
            continue
        sites = game.board.sites(what)
        for number in holding(game, state, what):
            cell, way = sites.sides[number]
            item, name = at[cell], game.board.directions[way]
            line = item.line + ("south" in name) - ("north" in name)
            column = item.column + len(item.text) if "east" in name else item.column - ("west" in name)
            text = JOINT if what == VERTEX else ALONG[name]
            result.append(Placed(line, column, text if text != "-" else "-" * len(item.text)))
    return result

"""How large pieces are drawn: as `show ... sized` says, the largest size of a game fills a cell as other pieces do.

Bars keep their height and posts their width, so that one above the other they look like discs from the side.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.resolve.sorts import Integer
from interpreter.model.state import State

if TYPE_CHECKING:
    from interpreter.game import Game

SMALLEST = 0.3
"""What would be the size of a piece of size 0, next to the largest of its game."""
Scale = tuple[float, float]
"""How wide and how high a piece is, next to one that has no size."""
WHOLE: Scale = (1.0, 1.0)
_ONE_WAY: Mapping[str, tuple[bool, bool]] = {"bar": (True, False), "post": (False, True)}


@attrs.frozen
class Sizes:
    """What says how large the pieces of one kind are."""

    by: str
    """`row`, `column`, a variable's name, or '' where all pieces of the kind are alike."""
    least: int
    most: int


def sizes_of(game: Game, index: int) -> Sizes | None:
    """The sizes of a kind of piece; None where the file says none."""
    rules, board = game.rules, game.board
    piece = rules.pieces[index]
    if piece.size:
        return Sizes("", piece.size, max(kind.size for kind in rules.pieces))
    match piece.sized_by:
        case "":
            return None
        case "row":
            return Sizes("row", 1, board.row_count)
        case "column":
            return Sizes("column", 1, board.column_count)
    kind = next(kind for kind in rules.variables if kind.name == piece.sized_by)
    assert isinstance(kind.sort, Integer)
    return Sizes(kind.name, kind.sort.low, kind.sort.high)


def scale_of(piece: hir.PieceKind, sizes: Sizes, size: int) -> Scale:
    """How wide and high a piece of a size is."""
    low = min(sizes.least, 1) if not sizes.by else sizes.least
    share = (size - low + 1) / (sizes.most - low + 1)
    scale = SMALLEST + (1 - SMALLEST) * share
    wide, high = _ONE_WAY.get(piece.shape, (True, True))
    return scale if wide else 1.0, scale if high else 1.0


def size_at(game: Game, state: State, index: int, cell: int) -> int | None:
    """The size of a piece of a kind on a cell; None where it has none."""
    sizes = sizes_of(game, index)
    if sizes is None:
        return None
    match sizes.by:
        case "":
            return sizes.least
        case "row":
            return game.board.row_of[cell] + 1
        case "column":
            return game.board.column_of[cell] + 1
    number = next(place for place, kind in enumerate(game.rules.variables) if kind.name == sizes.by)
    return game.variable_values(state, number)[cell]


def scale_at(game: Game, state: State, index: int, cell: int) -> Scale:
    """How wide and high a piece of a kind on a cell is."""
    sizes, size = sizes_of(game, index), size_at(game, state, index, cell)
    return WHOLE if sizes is None or size is None else scale_of(game.rules.pieces[index], sizes, size)


def scale_alone(game: Game, index: int) -> Scale:
    """The same of a piece that stands nowhere, as in a hand: its size where all of its kind have one."""
    sizes = sizes_of(game, index)
    return WHOLE if sizes is None or sizes.by else scale_of(game.rules.pieces[index], sizes, sizes.least)

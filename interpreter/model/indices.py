"""Indices of variables: the cells, players, rows and other things that a variable can have a value for.

An `Index` has their number, their names, and their images under a symmetry. What a file may write in the brackets of a
variable, before there is a board, is defined in `dsl.resolve.indices`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, NamedTuple

from dsl import hir
from dsl.boards.borders import BORDER, VERTEX
from interpreter.boards import Board, BoardMap
from interpreter.model.board_maps import BoardError

if TYPE_CHECKING:
    from interpreter.game import Game


class Images(NamedTuple):
    """The images of cells, pieces and players under a symmetry."""

    cells: BoardMap
    pieces: Sequence[int]
    players: Sequence[int]


class Index(NamedTuple):
    """One kind of index that a variable can have."""

    size: Callable[[hir.Rules, Board], int]
    """The number of elements."""
    labels: Callable[[Game], Sequence[str]]
    images: Callable[[Board, Images], Sequence[int]]
    """The image of each element. Raises BoardError where the elements are not mapped onto each other."""


def site_images(what: str, board: Board, cells: BoardMap) -> tuple[int, ...]:
    """The image of each border or vertex."""
    sites = board.sites(what)
    return tuple(sites.of_cell[cells.cells[cell], cells.directions[way]] for cell, way in sites.sides)


def _images_of_lines(what: Literal["row", "column"]) -> Callable[[Board, Images], Sequence[int]]:
    def images(board: Board, result: Images) -> Sequence[int]:
        lines = result.cells.rows if what == "row" else result.cells.columns
        if lines is None:
            raise BoardError(f"'{result.cells.name}' does not map {what}s onto {what}s, "
                             f"but a variable has a value for each {what}")
        return lines

    return images


INDICES = {
    "cell": Index(lambda rules, board: board.size, lambda game: game.board.names,
                  lambda board, result: result.cells.cells),
    "row": Index(lambda rules, board: board.row_count,
                 lambda game: [game.board.row_label(row) for row in range(game.board.row_count)],
                 _images_of_lines("row")),
    "column": Index(lambda rules, board: board.column_count,
                    lambda game: [game.board.column_label(column) for column in range(game.board.column_count)],
                    _images_of_lines("column")),
    "player": Index(lambda rules, board: len(rules.players), lambda game: game.players,
                    lambda board, result: result.players),
    "direction": Index(lambda rules, board: len(board.directions), lambda game: game.board.directions,
                       lambda board, result: result.cells.directions),
    "piece": Index(lambda rules, board: len(rules.pieces),
                   lambda game: ["empty", *game.piece_names[1:]],
                   lambda board, result: result.pieces),
}


def index_of(name: str, rules: hir.Rules) -> Index:
    """The index of a name in a variable's brackets: one of `INDICES`, or an enumeration of the rules."""
    if name in INDICES:
        return INDICES[name]
    values = next(kind.values for kind in rules.enumerations if kind.name == name)
    return Index(lambda rules, board: len(values), lambda game: values,
                 lambda board, result: site_images(name, board, result.cells) if name in (BORDER, VERTEX)
                 else range(len(values)))

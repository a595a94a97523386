"""What variables have values for: cells, players, rows and whatever else their brackets name.

Of each it says how many there are, what they are called, and where a symmetry takes them. What a file may write in
those brackets, before there is a board, is `dsl.resolve.indices`.
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
    """What a symmetry makes of cells, pieces and players."""

    cells: BoardMap
    pieces: Sequence[int]
    players: Sequence[int]


class Index(NamedTuple):
    """One of the things that variables have values for."""

    size: Callable[[hir.Rules, Board], int]
    """How many there are."""
    labels: Callable[[Game], Sequence[str]]
    images: Callable[[Board, Images], Sequence[int]]
    """The image of each. Raises BoardError where they do not map onto each other."""


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
    """What a variable's brackets name: one of those above, or an enumeration of the rules."""
    if name in INDICES:
        return INDICES[name]
    values = next(kind.values for kind in rules.enumerations if kind.name == name)
    return Index(lambda rules, board: len(values), lambda game: values,
                 lambda board, result: site_images(name, board, result.cells) if name in (BORDER, VERTEX)
                 else range(len(values)))

"""Moves as sequences of clicks: each choice is a short text that says what to click.

A path is a move as a list: the number of its rule (-1 passes, -2 swaps), then the choices in order: `c12` a cell, `r2`
a row, `k3` a column, `p4` a piece or tile, `v1:north` any other value with its name. Choices that can be made in any
order give a path for each order. Where there are very many moves, only the beginnings of their paths are listed.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import attrs

from dsl import hir
from dsl.resolve.sorts import CELL, PIECE, Integer, SetOf, Sort
from dsl.syntax.source import NOWHERE
from interpreter.game import Game, Position
from interpreter.model.state import Move

Path = list[int | str]
MOST_LISTED = 1_200
"""The most moves that are listed at once."""
MOST_ORDERS = 24
"""The most paths of one move."""


@attrs.frozen
class Listing:
    """Legal moves, each with its text and its paths; where they are too many, only the possible next choices."""

    count: int
    moves: list[tuple[str, list[Path]]] | None
    next: list[Path] | None
    """The beginnings of paths, one choice longer than the choices so far; None where the moves are listed."""


class Chooser:
    """Writes the moves of one game as paths."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._sorts = [[sort for choice in rule.choices for sort in sorts_of(choice)] for rule in game.rules.moves]

    def paths(self, move: Move) -> list[Path]:
        """The paths of a move, at most `MOST_ORDERS`, the one in the order of the rules first."""
        result: list[Path] = []
        for number, values in enumerate(self.game.notation.orders(move)):
            if number == MOST_ORDERS:
                break
            result.append([move.rule, *self._written(Move(move.rule, values))])
        return result

    def _written(self, move: Move) -> Iterator[str]:
        for step in self.game.notation.steps(move):
            sorts = [sort for choice in step.choices for sort in sorts_of(choice)]
            values = move.values[step.start : step.start + step.count]
            for sort, value in zip(sorts, values, strict=False):  # a choice may be left out
                yield self._choice(sort, value)

    def _choice(self, sort: Sort, value: int) -> str:
        letter = choice_letter(self.game, sort)
        return f"{letter}{value}" if letter in "cp" else f"{letter}{value}:{choice_label(self.game, sort, value)}"

    def listing(self, position: Position, chosen: Sequence[int | str] = ()) -> Listing:
        """The legal moves of a position whose paths begin with the choices so far."""
        start = list(chosen)
        result: list[tuple[Move, list[Path]]] = []
        for move in position.legal():
            if not start or move.rule == start[0]:
                paths = [path for path in self.paths(move) if path[: len(start)] == start]
                if paths:
                    result.append((move, paths))
        if len(result) <= MOST_LISTED:
            write = self.game.notation.write
            return Listing(len(result), [(write(position.state, move), paths) for move, paths in result], None)
        depth = len(start) + (1 if start else 2)
        beginnings = {tuple(path[:depth]): None for _, paths in result for path in paths}
        return Listing(len(result), None, [list(path) for path in beginnings])

    def move(self, position: Position, path: Sequence[int | str]) -> Move | None:
        """The legal move of a path; None where there is none."""
        values = tuple(int(str(item)[1:].partition(":")[0]) for item in path[1:])
        legal = set(position.legal())
        given = Move(int(path[0]), values)
        if given in legal:
            return given
        if given.rule >= len(self._sorts) or given.rule < 0:
            return None
        wanted = list(path)
        return next((move for move in legal if move.rule == given.rule and sorted(move.values) == sorted(values)
                     and wanted in self.paths(move)), None)


def choice_letter(game: Game, sort: Sort) -> str:
    """The first letter of choices of a sort: `c` a cell, `p` a piece, `r` a row, `k` a column, `v` any other value."""
    if sort == CELL:
        return "c"
    if sort == PIECE:
        return "p"
    if isinstance(sort, Integer) and game.board.row_of:
        return {"row": "r", "column": "k"}.get(sort.role, "v")
    return "v"


def choice_label(game: Game, sort: Sort, value: int) -> str:
    """The label after the number in a choice that is neither a cell nor a piece."""
    match choice_letter(game, sort):
        case "r":
            return str(game.board.row_label(value) or value)
        case "k":
            return str(game.board.column_label(value) or value)
    field = hir.Field(hir.Literal(None, sort=sort, span=NOWHERE), "")
    return game.notation.value_text(field, value)


def sorts_of(choice: hir.Choice) -> list[Sort]:
    """The sort of each value of a choice."""
    sort = choice.domain.sort
    return [sort.element if isinstance(sort, SetOf) else sort] * len(choice.slots)

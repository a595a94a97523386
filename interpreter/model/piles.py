"""Piles: what lies on each cell, from the lowest piece to the top.

A state's sets of cells say which piece is the top of each pile. The pieces under it are digits of numbers: a cell has
one of each variable of the sort `Covered`, the first of which holds the highest covered pieces. `Piles` reads piles
from the values of a state, or of a `WorkingState`, and writes them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import attrs

from dsl import hir
from dsl.resolve.sorts import Covered
from interpreter.boards import members
from interpreter.model.state import State, WorkingState


@attrs.frozen
class Piles:
    """Where a game's states hold what lies in piles."""

    most: int
    """How many pieces a cell can hold."""
    start: int
    """Where the values of the first of the variables begin."""
    cells: int
    """How many values each has."""
    kinds: tuple[Covered, ...]
    """How the variables hold pieces, the highest ones first."""

    @classmethod
    def of(cls, rules: hir.Rules, cells: int, sizes: Sequence[int]) -> Piles | None:
        """Those of a game on a board of so many cells, by the numbers of values of all variables; None without any."""
        if not rules.piles:
            return None
        kinds = tuple(kind.sort for kind in rules.variables if isinstance(kind.sort, Covered))
        return cls(rules.piles, sum(sizes[: len(sizes) - len(kinds)]), cells, kinds)

    def under(self, values: Sequence[int | None], cell: int) -> list[int]:
        """The pieces under the top of a cell, the highest first."""
        result: list[int] = []
        for number, kind in enumerate(self.kinds):
            left = values[self.start + number * self.cells + cell] or 0
            while left:
                result.append(left & (1 << kind.bits) - 1)
                left >>= kind.bits
        return result

    def at(self, state: State | WorkingState, cell: int) -> tuple[int, ...]:
        """The pieces on a cell, the lowest first; () where it is empty."""
        top = next(piece for piece, cells in enumerate(state.pieces) if cells >> cell & 1)
        return (*reversed(self.under(state.values, cell)), top) if top else ()

    def put(self, table: WorkingState, cell: int, pile: Sequence[int]) -> None:
        """Make some pieces, the lowest first and at most as many as there can be, all that is on a cell."""
        table.put(1 << cell, pile[-1] if pile else 0)
        self.cover(table, cell, pile[-2::-1])

    def cover(self, table: WorkingState, cell: int, under: Sequence[int]) -> None:
        """Make some pieces, the highest first, all that is under the top of a cell."""
        first = 0
        for number, kind in enumerate(self.kinds):
            digits = under[first : first + kind.digits]
            table.values[self.start + number * self.cells + cell] = sum(
                piece << kind.bits * index for index, piece in enumerate(digits))
            first += kind.digits

    def clear(self, table: WorkingState, cells: int) -> None:
        """Take away all that is under the tops of some cells."""
        for cell in members(cells):
            self.cover(table, cell, ())

    def move(self, table: WorkingState, window: int, target: Callable[[int], int]) -> None:
        """Move what is under the tops of some cells, which have left them, to where these have gone; below 0 it is
        lost."""
        result = [(target(cell), self.under(table.values, cell)) for cell in members(window)]
        self.clear(table, window)
        for goal, under in result:
            if goal >= 0:
                self.cover(table, goal, under)


def of_pieces(kind: Covered, images: Sequence[int]) -> Callable[[int], int]:
    """How a number that holds covered pieces changes with each piece's image."""

    def convert(value: int) -> int:
        result = place = 0
        while value >> place:
            result |= images[value >> place & (1 << kind.bits) - 1] << place
            place += kind.bits
        return result

    return convert

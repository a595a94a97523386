"""Piles: the pieces on each cell, from the lowest to the top.

A state's sets of cells hold the top piece of each pile. The covered pieces are packed as digits of numbers: each
variable of the sort `Covered` has a number for each cell, and the first variable holds the highest covered pieces.
`Piles` reads piles from the values of a state, or of a `WorkingState`, and writes them.
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
    """The layout by which a game's states store piles."""

    most: int
    """The most pieces that a cell can hold."""
    start: int
    """The index of the first value of the first `Covered` variable."""
    cells: int
    """The number of values of each: one for each cell."""
    kinds: tuple[Covered, ...]
    """The sorts of the variables, that of the highest pieces first."""

    @classmethod
    def of(cls, rules: hir.Rules, cells: int, sizes: Sequence[int]) -> Piles | None:
        """The layout for a game on a board of `cells` cells; None for a game without piles.

        `sizes` has the number of values of each variable.
        """
        if not rules.piles:
            return None
        kinds = tuple(kind.sort for kind in rules.variables if isinstance(kind.sort, Covered))
        return cls(rules.piles, sum(sizes[: len(sizes) - len(kinds)]), cells, kinds)

    def under(self, values: Sequence[int | None], cell: int) -> list[int]:
        """The pieces under the top piece of a cell, the highest first."""
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
        """Replace the pile on a cell by some pieces, the lowest first; they must be no more than `most`."""
        table.put(1 << cell, pile[-1] if pile else 0)
        self.cover(table, cell, pile[-2::-1])

    def cover(self, table: WorkingState, cell: int, under: Sequence[int]) -> None:
        """Replace the pieces under the top piece of a cell by others, the highest first."""
        first = 0
        for number, kind in enumerate(self.kinds):
            digits = under[first : first + kind.digits]
            table.values[self.start + number * self.cells + cell] = sum(
                piece << kind.bits * index for index, piece in enumerate(digits))
            first += kind.digits

    def clear(self, table: WorkingState, cells: int) -> None:
        """Remove the pieces under the top pieces of some cells."""
        for cell in members(cells):
            self.cover(table, cell, ())

    def move(self, table: WorkingState, window: int, target: Callable[[int], int]) -> None:
        """Move the pieces under the top pieces of some cells to the cells that `target` gives; below 0 they are lost.
        """
        result = [(target(cell), self.under(table.values, cell)) for cell in members(window)]
        self.clear(table, window)
        for goal, under in result:
            if goal >= 0:
                self.cover(table, goal, under)


def of_pieces(kind: Covered, images: Sequence[int]) -> Callable[[int], int]:
    """The function that maps the pieces packed in a number to their images."""

    def convert(value: int) -> int:
        result = place = 0
        while value >> place:
            result |= images[value >> place & (1 << kind.bits) - 1] << place
            place += kind.bits
        return result

    return convert

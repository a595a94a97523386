"""Divides positions into tiers: each has a number that no move makes smaller, computed from packed positions.

Its digits are the number of moves made, as far as it counts, and the quantities that the rules use up
(`interpreter.analysis.termination`), the first as the highest digit. A solver that goes tier by tier needs in memory
only those that a move leads to.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING

import attrs

from interpreter.analysis.termination import RankingFunction
from interpreter.boards import mask_of
from interpreter.compiler.lowering.layout import split
from interpreter.compiler.lowering.packing import Field, Packing, planes_of

if TYPE_CHECKING:
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler

_MOST = 1 << 60
"""The upper bound of the numbers of tiers."""
_MOST_MASKS = 64
"""The most sets of cells that are counted for a sum of heights: larger sums make no tiers."""


@attrs.frozen
class Tiers:
    """What the number of a position's tier is computed from."""

    quantities: tuple[RankingFunction, ...]
    sizes: tuple[int, ...]
    """The number of values that each quantity can have."""
    names: tuple[str, ...]
    """The names of the quantities in the rules."""
    strict: bool
    """Whether every move leads to a later tier."""

    @classmethod
    def of(cls, compiler: KernelCompiler) -> Tiers:
        """The tiers of a game's positions."""
        result = compiler.descent
        quantities: list[RankingFunction] = []
        sizes: list[int] = []
        total = compiler.turns + 1
        for quantity in result.quantities:
            size = _most(compiler, quantity) + 1
            if total * size >= _MOST or len(_steps(quantity)) > _MOST_MASKS:
                break
            total *= size
            quantities.append(quantity)
            sizes.append(size)
        names = tuple(quantity.text(compiler.rules) for quantity in quantities)
        strict = result.complete and compiler.rules.no_moves != "passes" and len(quantities) == len(result.quantities)
        return cls(tuple(quantities), tuple(sizes), names, strict)


def _fields(compiler: KernelCompiler, quantity: RankingFunction) -> list[Field]:
    """The fields of the values of a variable."""
    sizes = compiler.program.evaluator.sizes
    first = sum(sizes[: -1 - quantity.number])
    return [field for field, _ in compiler.packing.values[first : first + sizes[-1 - quantity.number]]]


def _phases(compiler: KernelCompiler, quantity: RankingFunction) -> list[int]:
    """For each packed value of a variable its height; 0 for values that it cannot have."""
    sizes = compiler.program.evaluator.sizes
    field, low = compiler.packing.values[sum(sizes[: -1 - quantity.number])]
    result = [0] * (1 << field.bits)
    for value, height in quantity.phases:
        result[0 if value is None else value + low] = height
    return result


def _most(compiler: KernelCompiler, quantity: RankingFunction) -> int:
    """The largest value that a quantity, as a sum of packed values, can have."""
    if quantity.heights:
        return sum(max(heights) for heights in zip(*quantity.heights, strict=True))
    if quantity.phases:
        return max(height for _, height in quantity.phases)
    if quantity.number >= 0:
        return compiler.board.size
    return sum((1 << field.bits) - 1 for field in _fields(compiler, quantity))


def _steps(quantity: RankingFunction) -> list[tuple[int, int]]:
    """Pieces with the cells on which their height is at least 1, at least 2, and so on."""
    return [(piece, mask_of(cell for cell, height in enumerate(heights) if height > least))
            for piece, heights in enumerate(quantity.heights) for least in range(max(heights))]


def define(compiler: KernelCompiler) -> None:
    """Add the function `tier` to a kernel."""
    packing, tiers, tables = compiler.packing, compiler.tiers, compiler.program.tables
    counts: list[list[tuple[int, int, int]]] = []
    values: list[list[Field]] = []
    phases: list[int] = []
    first_phase: list[int] = []
    for quantity in tiers.quantities:
        counts.append([])
        values.append([])
        first_phase.append(len(phases) if quantity.phases else -1)
        if quantity.heights:
            for piece, cells in _steps(quantity):
                counts[-1] += _counts(packing, piece, cells)
        elif quantity.number >= 0:
            counts[-1] += _counts(packing, quantity.number, compiler.board.everything)
        else:
            values[-1] += _fields(compiler, quantity)
            phases += _phases(compiler, quantity) if quantity.phases else ()
    counted = [part for parts in counts for part in parts]
    fields = [field for result in values for field in result]
    named = {"value_word": "", "value_shift": "", "value_mask": "", "phases": ""}
    if fields:
        named = {"value_word": tables.table("tier_at", [field.word for field in fields]),
                 "value_shift": tables.table("tier_shift", [field.shift for field in fields]),
                 "value_mask": tables.table("tier_mask", [(1 << field.bits) - 1 for field in fields]),
                 "phases": tables.table("tier_phases", phases) if phases else ""}
    turn = packing.turn
    compiler.program.library.define(
        "tier_of_packed", "tier", counting=bool(compiler.turns), turn_word=turn.word, turn_shift=turn.shift,
        turn_mask=(1 << turn.bits) - 1, quantities=len(tiers.quantities), sizes=tiers.sizes,
        falling=[int(quantity.falls) for quantity in tiers.quantities],
        first_count=list(accumulate(map(len, counts), initial=0)), count_piece=[piece for piece, _, _ in counted],
        count_part=[part for _, part, _ in counted], count_cells=[cells for _, _, cells in counted],
        first_value=list(accumulate(map(len, values), initial=0)), first_phase=first_phase, **named,
        **planes_of(packing, compiler.program.layout.words))


def _counts(packing: Packing, piece: int, cells: int) -> list[tuple[int, int, int]]:
    """For each word that has some of the cells: the piece, the word's index in a set of cells, and the cells in it."""
    parts = enumerate(split(cells, len(packing.planes[0])))
    return [(piece, part, within) for part, within in parts if within]

"""Positions in tiers: a number that no move makes smaller, computed of packed positions.

It is put together of the number of moves made, as far as it counts, and of the quantities that the rules use up
(`interpreter.progress`), the first as the highest digit. A solver that takes tier after tier needs only those in memory
that a move leads to.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.boards import mask_of
from interpreter.kernel.packing import Field, Packing
from interpreter.kernel.writer import text_of
from interpreter.progress import Quantity

if TYPE_CHECKING:
    from interpreter.kernel.assembly import Assembly

_WORD = 64
"""Bits of a word of a set of cells."""
_MOST = 1 << 60
"""Tiers have smaller numbers."""
_MOST_MASKS = 64
"""Sets of cells that are counted for a sum of heights, at most: larger sums make no tiers."""


@attrs.frozen
class Tiers:
    """What the number of a position's tier is made of."""

    quantities: tuple[Quantity, ...]
    sizes: tuple[int, ...]
    """How many values each quantity can have."""
    names: tuple[str, ...]
    """What the quantities are called in the rules."""
    strict: bool
    """Whether every move leads to a later tier."""

    @classmethod
    def of(cls, assembly: Assembly) -> Tiers:
        """The tiers of a game's positions."""
        found = assembly.descent
        quantities: list[Quantity] = []
        sizes: list[int] = []
        total = assembly.turns + 1
        for quantity in found.quantities:
            size = _most(assembly, quantity) + 1
            if total * size >= _MOST or len(_steps(quantity)) > _MOST_MASKS:
                break
            total *= size
            quantities.append(quantity)
            sizes.append(size)
        names = tuple(quantity.text(assembly.rules) for quantity in quantities)
        return cls(tuple(quantities), tuple(sizes), names,
                   found.complete and len(quantities) == len(found.quantities))


def _fields(assembly: Assembly, quantity: Quantity) -> list[Field]:
    """Where the values of a variable stand."""
    sizes = assembly.program.evaluator.sizes
    first = sum(sizes[: -1 - quantity.number])
    return [field for field, _ in assembly.packing.values[first : first + sizes[-1 - quantity.number]]]


def _most(assembly: Assembly, quantity: Quantity) -> int:
    """The largest number that a quantity's sum of packed values can be."""
    if quantity.heights:
        return sum(max(heights) for heights in zip(*quantity.heights, strict=True))
    if quantity.number >= 0:
        return assembly.board.size
    return sum((1 << field.bits) - 1 for field in _fields(assembly, quantity))


def _steps(quantity: Quantity) -> list[tuple[int, int]]:
    """Pieces with the cells on which they have at least one height, at least the next, and so on."""
    return [(piece, mask_of(cell for cell, height in enumerate(heights) if height > least))
            for piece, heights in enumerate(quantity.heights) for least in range(max(heights))]


def text(assembly: Assembly) -> str:
    """The function `tier`."""
    packing, tiers = assembly.packing, assembly.tiers
    turn = packing.turn
    lines = ["found = 0"]
    if turn.bits:
        lines = [f"found = number((P[{turn.word}] >> {turn.shift}) & word({(1 << turn.bits) - 1}))"]
    for place, (quantity, size) in enumerate(zip(tiers.quantities, tiers.sizes, strict=True)):
        if quantity.heights:
            lines += ["many = 0", *(f"many += {counted}" for piece, cells in _steps(quantity)
                                    if (counted := _count(packing, piece, cells)))]
        elif quantity.number >= 0:
            lines += [f"many = {_count(packing, quantity.number, assembly.board.everything)}"]
        else:
            fields = _fields(assembly, quantity)
            tables = assembly.program.tables
            at = tables.table(f"tier_at_{place}", [field.word for field in fields])
            shift = tables.table(f"tier_shift_{place}", [field.shift for field in fields])
            mask = tables.table(f"tier_mask_{place}", [(1 << field.bits) - 1 for field in fields])
            lines += ["many = 0", f"for k in range({len(fields)}):",
                      f"    many += number((P[{at}[k]] >> {shift}[k]) & word({mask}[k]))"]
        lines.append(f"found = found * {size} + {f'{size - 1} - many' if quantity.falls else 'many'}")
    return text_of("tier", "P", "The number of a packed position's tier.", [*lines, "return found"])


def _count(packing: Packing, piece: int, cells: int) -> str:
    """The text of how many of some cells hold a piece."""
    parts = []
    for part in range(len(packing.planes[0])):
        terms = []
        for bit, fields in enumerate(packing.planes):
            field = fields[part]
            plane = f"(P[{field.word}] >> {field.shift})" if field.shift else f"P[{field.word}]"
            terms.append(plane if piece >> bit & 1 else f"~{plane}")
        mask = cells >> _WORD * part & (1 << packing.planes[0][part].bits) - 1
        if not mask:
            continue
        parts.append(f"popcount({' & '.join(terms)} & word(0x{mask:x}))")
    return " + ".join(parts)

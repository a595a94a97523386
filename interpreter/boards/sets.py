"""Sets of cells as ints: bit i stands for cell i."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache


@lru_cache(maxsize=1 << 14)
def members(mask: int) -> tuple[int, ...]:
    """Return the cells of a set in board order: `members(0b1010)` is `(1, 3)`."""
    cells = []
    while mask:
        lowest = mask & -mask
        cells.append(lowest.bit_length() - 1)
        mask ^= lowest
    return tuple(cells)


def mask_of(cells: Iterable[int]) -> int:
    """Return the set of some cells: `mask_of((3, 1))` is `0b1010`."""
    mask = 0
    for cell in cells:
        mask |= 1 << cell
    return mask

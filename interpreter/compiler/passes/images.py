"""Moves sets by symmetries as whole words: eight members at a time are looked up, not moved one by one.

An IR-to-IR pass: the functions that make images and compare them are replaced by those that look sets up; their callers
stay as they are. A table has, for every eight members in turn, the image of each of their subsets: an image is the OR
of a few look-ups. Images are compared with the least one so far while they are made, word by word in the interpreter's
order: most are given up after the first word. Sets whose tables would be large are moved member by member, and given up
after the first set.

Measured, least images a second of positions of 2 to 16 moves: on boards of one word 2.5 times as many as without the
pass under a group of 2, 5 under one of 4, 7 under one of 24; on 121 cells 8 times, on 576 cells with links 10 times
(`bench/README.md` has the games).
"""

from __future__ import annotations

from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.lowering.images import Images, Kind
from interpreter.compiler.lowering.layout import split

_LARGEST_TABLE: Final = 1 << 15
"""The most words of a table of subsets' images."""
_REPLACED: Final = frozenset({"image", "image_order", "recoloured_order", "canonical_row", "rotated_many",
                              "recoloured_many"})


def by_tables(module: ir.Module, images: Images) -> ir.Module:
    """A module without the functions that make images; the kernel's library defines others under their names.

    A module without symmetries is unchanged.
    """
    if not images.any:
        return module
    steps = list(map(_step, images.sets))
    strides = [stride(kind, step) if step else 0 for kind, step in zip(images.sets, steps, strict=True)]
    subsets = [images.tables.table(f"images_{kind.name}", table_of(kind, step), words=True) if step else ""
               for kind, step in zip(images.sets, steps, strict=True)]
    early = not images.compiler.board.unbounded
    images.define_orders(images.given(steps, subsets, strides, from_empty=not steps[0]), early=early)
    images.define_canonical(working=not early or not all(steps))
    return attrs.evolve(module, functions=tuple(
        function for function in module.functions if function.name not in _REPLACED))


def _step(kind: Kind) -> int:
    """The number of members of a set that are looked up at once; 0 where the table would be too large."""
    return next((step for step in (8, 4) if len(kind.images) * kind.words * stride(kind, step) <= _LARGEST_TABLE), 0)


def stride(kind: Kind, step: int) -> int:
    """The number of words of the table for one map and one word of the image."""
    return sum(1 << min(step, kind.size - first) for first in range(0, kind.size, step))


def table_of(kind: Kind, step: int) -> list[int]:
    """For each map, each word of the image, and each `step` members in turn: that word of the image of each subset."""
    result = []
    for image in kind.images:
        for part in range(kind.words):
            for first in range(0, kind.size, step):
                subsets = [0]
                for member in image[first : first + step]:
                    bit = split(1 << member, kind.words)[part]
                    subsets += [subset | bit for subset in subsets]
                result += subsets
    return result

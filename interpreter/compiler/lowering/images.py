"""The functions of a kernel that map positions by symmetries and find the least image, with their tables.

The functions are those of `interpreter.compiler.runtime.images`. A symmetry moves sets of cells and of links member by
member, until the pass `interpreter.compiler.passes.images` replaces these functions by others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import accumulate, product
from typing import TYPE_CHECKING

import attrs

from dsl.resolve.sorts import Covered
from interpreter.compiler.library import Given
from interpreter.compiler.lowering.layout import split
from interpreter.model.ranges import values_of
from interpreter.model.state_maps import StateMap

if TYPE_CHECKING:
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler

_MOST_UNROLLED = 4
"""The most words of a set, or of links, that are compared without a loop."""



@attrs.frozen
class Kind:
    """A kind of set that symmetries move: of cells, or of links."""

    name: str
    words: int
    starts: tuple[int, ...]
    """Where the sets begin in a row."""
    images: tuple[tuple[int, ...], ...]
    """The distinct maps, each with the image of every member."""
    which: tuple[int, ...]
    """For each symmetry the number of its map."""

    @classmethod
    def of(cls, name: str, words: int, starts: Sequence[int], images: Sequence[tuple[int, ...]]) -> Kind:
        """The kind of set that has these images, one for each symmetry."""
        result = list(dict.fromkeys(images))
        return cls(name, words, tuple(starts), tuple(result), tuple(result.index(image) for image in images))

    @property
    def size(self) -> int:
        """How many members a set can have."""
        return len(self.images[0])


class Images:
    """Adds the functions for symmetries to a kernel: the game's symmetries, and others that it needs."""

    def __init__(self, compiler: KernelCompiler, maps: Sequence[StateMap]) -> None:
        self.compiler, self.maps = compiler, maps
        layout = compiler.program.layout
        self.tables, self.layout, self.library = compiler.program.tables, layout, compiler.program.library
        self.count = len(layout.missing)
        self.sets: list[Kind] = []
        self.any = len(maps) > 1
        """Whether there are symmetries at all, besides the identity."""
        self.swapping = any(element.swapping for element in compiler.maps)
        """Whether some symmetry of the game swaps the players."""
        if not self.any:
            return
        cells = [element.cells.cells for element in maps]
        starts = range(0, layout.pieces * layout.words, layout.words)
        self.sets.append(Kind.of("cells", layout.words, starts, cells))
        for number, layer in enumerate(compiler.board.layers):
            self.sets.append(Kind.of(layer.name, layout.link_words[number], [layout.links[number]],
                                     [element.links[number] for element in maps]))

    def define(self) -> None:
        """Add all the functions to the kernel."""
        library = self.library
        if self.any:
            self.define_orders(self.given([0] * len(self.sets), [""] * len(self.sets)), early=False)
        else:
            library.define("no_image", "image")
        layout = self.layout
        parts = [(piece * layout.words, layout.words) for piece in range(layout.pieces)]
        parts += list(zip(layout.links, layout.link_words, strict=True))
        library.define("comes_less", "less", parts=len(parts), part_at=[start for start, _ in parts],
                       part_words=[count for _, count in parts], most=_MOST_UNROLLED)
        self._define_least()
        self.define_canonical(working=self.any)

    def define_orders(self, given: Mapping[str, Given], *, early: bool) -> None:
        """Add the functions that make an image and compare it to the kernel, with `given` put in.

        With `early` an image is compared while it is made.
        """
        order = "order_early" if early else "order_after_image"
        self.library.define("write_image", "image", **given)
        self.library.define(order, "image_order", staying=False, **given)
        if self.swapping:
            self.library.define(order, "recoloured_order", staying=True, **given)

    # ---- numbers and tables of the functions

    def given(self, steps: Sequence[int], subsets: Sequence[str], strides: Sequence[int] = (), *,
              from_empty: bool = False) -> dict[str, Given]:
        """The numbers and tables that are put into the functions (`interpreter.compiler.runtime.images`).

        For each kind of set: how many members are looked up at once, 0 for none, in which table, and how many words of
        the table belong to one map and one word of the image. With `from_empty` only the cells that hold a piece are
        moved.
        """
        tables, layout, kinds = self.tables, self.layout, self.sets
        strides = strides or [0] * len(kinds)
        places, goals = [], []
        for kind, step, stride in zip(kinds, steps, strides, strict=True):
            width = kind.words * stride if step else kind.size
            places.append(tables.table(f"image_at_{kind.name}", [number * width for number in kind.which]))
            goals.append("" if step else tables.table(
                f"image_{kind.name}", [member for image in kind.images for member in image]))
        return {
            **self._values(), "unbounded": self.compiler.board.unbounded,
            "kinds": len(kinds), "pieces": layout.pieces, "set_words": [kind.words for kind in kinds],
            "sizes": [kind.size for kind in kinds], "starts": [kind.starts[0] for kind in kinds],
            "steps": list(steps), "strides": list(strides), "places": places, "subsets": list(subsets), "goals": goals,
            "sources": tables.table("image_from", [element.pieces.index(piece) * layout.words
                                                   for element in self.maps for piece in range(layout.pieces)]),
            "from_empty": from_empty,
            "every": tables.table("every", split(self.compiler.board.everything, layout.words), words=True) if (
                from_empty) else "",
            "swaps": tables.table("image_swaps", [int(element.swapping) for element in self.maps])}

    def _values(self) -> dict[str, Given]:
        """The numbers and tables with which the values of variables are mapped."""
        tables = self.tables
        piles = self.compiler.program.evaluator.piles
        result: dict[str, Given] = {"value_count": self.count, "converting": False,
                                    "pile_from": piles.start if piles else self.count,
                                    "pile_bits": piles.kinds[0].bits if piles and piles.kinds else 1}
        result |= dict.fromkeys(("value_from", "value_at", "value_low", "values", "missing"), "")
        if not self.count:
            return result
        result["value_from"] = tables.table(
            "image_value_from", [place for element in self.maps for place in element.sources])
        converted: dict[tuple[int, ...], int] = {}
        kinds: list[int] = []
        lows: list[int] = []
        count = 0
        for element in self.maps:
            for index in range(self.count):
                low, values = self._converted(element, index)
                if values and values not in converted:
                    converted[values] = count
                    count += len(values)
                kinds.append(converted[values] if values else -1)
                lows.append(low)
        if not converted:
            return result
        return {**result, "converting": True, "value_at": tables.table("image_value_at", kinds),
                "value_low": tables.table("image_value_low", lows),
                "values": tables.table("image_value", [one for values in converted for one in values]),
                "missing": tables.table("none_value", list(self.layout.missing))}

    def _converted(self, element: StateMap, place: int) -> tuple[int, tuple[int, ...]]:
        """The lowest value that can be at a place, and a symmetry's images of the values from it on; () for no
        change."""
        convert = element.converters[place]
        if convert is None:
            return 0, ()
        evaluator = self.compiler.program.evaluator
        number = next(k for k in range(len(evaluator.sizes))
                      if evaluator.offsets[k] <= place < evaluator.offsets[k] + evaluator.sizes[k])
        rules = self.compiler.rules
        if isinstance(rules.variables[number].sort, Covered):
            return 0, element.pieces  # of each piece
        values = values_of(rules.variables[number].sort, rules, self.compiler.board)
        assert values is not None  # a variable's sort
        result = tuple(convert(value) for value in values)
        return (values.start, result) if result != tuple(values) else (0, ())

    # ---- the least image

    def _define_least(self) -> None:
        """Add the functions that find the least image to the kernel."""
        library = self.library
        library.define("least_of_images" if self.any else "least_of_one", "least_image")
        library.define("canonical_of_some", "canonical_among")
        library.define("canonical_many", "canonical_many")
        library.define("canonical_among_many", "canonical_among_many")
        if self.any and self.swapping:
            library.define("least_of_recoloured", "least_recoloured")

    def define_canonical(self, *, working: bool) -> None:
        """Add the functions that find the least image under the symmetries that are claimed to the kernel.

        `working` says whether comparing needs a scratch row.
        """
        library, (groups, elements, unswapped) = self.library, self._claimed
        starts = list(accumulate(map(len, groups), initial=0))
        chosen = self.tables.table("image_claimed", elements) if elements else ""
        group_from = self.tables.table("image_claimed_from", starts) if elements and (
            len(groups) > 1 or self.swapping) else ""
        library.define("canonical_of_row", "canonical_row", groups=len(groups), elements=len(elements), chosen=chosen,
                       group_from=group_from, working=working)
        if self.any and self.swapping:
            assert elements, "some symmetry swaps the players"
            for name, staying, until in (("rotated_many", False, unswapped), ("recoloured_many", True, starts[1:])):
                library.define("least_many", name, staying=staying, chosen=chosen, group_from=group_from,
                               group_until=self.tables.table("image_claimed_until", until))

    # ---- conditions

    @cached_property
    def _claimed(self) -> tuple[list[list[int]], list[int], list[int]]:
        """The groups, all their symmetries in turn, and where in these the swapping ones of each group begin."""
        groups = self._groups()
        starts = accumulate(map(len, groups), initial=0)
        unswapped = [start + sum(not self.maps[number].swapping for number in result)
                     for start, result in zip(starts, groups, strict=False)]
        return groups, [number for result in groups for number in result], unswapped

    def _groups(self) -> list[list[int]]:
        """For each combination of the conditions of symmetries, as bits, the symmetries claimed where they hold.

        The identity is left out; the symmetries that swap the players come last.
        """
        own, game = self.compiler.maps, self.compiler.game
        conditions = self.compiler.symmetry_conditions

        def swaps(number: int) -> tuple[bool, int]:
            return own[number].swapping, number

        if game is None or not conditions:
            return [sorted(range(1, len(own)), key=swaps)]
        numbers = {element.key: number for number, element in enumerate(own)}
        result = []
        for holding in product((False, True), repeat=len(conditions)):
            holds = dict(zip(conditions, reversed(holding), strict=True))
            group = game.group_where(tuple(
                symmetry.condition is None or holds[symmetry.condition] for symmetry, _ in game.declared))
            result.append(sorted((numbers[element.key] for element in group[1:]), key=swaps))
        return result

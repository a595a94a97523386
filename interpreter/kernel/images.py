"""The functions of a kernel's text that map positions by symmetries, and find the least image.

A symmetry moves sets of cells and of links as it moves their members. With the pass `images` a table has, for every
eight of them in turn, where each of their subsets goes: an image is a few look-ups, or'ed. Images are compared with
the least one so far as they are made, word by word in the interpreter's order: most are given up after the first word.
Sets of which the tables would be large are moved member by member, and given up after the first set.

Measured, least images a second of positions of 2 to 16 moves: on boards of one word 2.5 times as many as without the
pass under a group of 2, 5 under one of 4, 7 under one of 24; on 121 cells 8 times, on 576 cells with links 10 times
(`bench/README.md` has the games).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, product
from typing import TYPE_CHECKING

import attrs

from interpreter.kernel.batch import entry_over
from interpreter.kernel.layout import split
from interpreter.kernel.ranges import values_of
from interpreter.kernel.writer import text_of
from interpreter.symmetries import StateMap

if TYPE_CHECKING:
    from interpreter.kernel.assembly import Assembly

_LARGEST_TABLE = 1 << 15
"""Most words of a table of subsets' images."""
_MOST_UNROLLED = 4
"""More words of a set, or of links, are compared in a loop."""



@attrs.frozen
class _Sets:
    """One kind of set that symmetries move: of cells, or of links."""

    name: str
    words: int
    starts: tuple[int, ...]
    """Where the sets begin in a row."""
    images: tuple[tuple[int, ...], ...]
    """For each map where it takes each member; no two are equal."""
    which: tuple[int, ...]
    """For each symmetry the number of its map."""

    @classmethod
    def of(cls, name: str, words: int, starts: Sequence[int], images: Sequence[tuple[int, ...]]) -> _Sets:
        """The sets that move so."""
        found = list(dict.fromkeys(images))
        return cls(name, words, tuple(starts), tuple(found), tuple(found.index(image) for image in images))

    @property
    def size(self) -> int:
        """How many members a set can have."""
        return len(self.images[0])

    def step(self) -> int:
        """How many members are looked up at once; 0 where the table would be too large."""
        return next((step for step in (8, 4) if len(self.images) * self.words * self.stride(step) <= _LARGEST_TABLE), 0)

    def stride(self, step: int) -> int:
        """Words of the table for one map and one word of the image."""
        return sum(1 << min(step, self.size - first) for first in range(0, self.size, step))

    def table(self, step: int) -> list[int]:
        """For each map, each word of the image, and so many members at a time: that word of each subset's image."""
        found = []
        for image in self.images:
            for part in range(self.words):
                for first in range(0, self.size, step):
                    subsets = [0]
                    for member in image[first : first + step]:
                        bit = split(1 << member, self.words)[part]
                        subsets += [subset | bit for subset in subsets]
                    found += subsets
        return found


class Images:
    """Writes the functions that a kernel has for symmetries: the game's, and others that it needs."""

    def __init__(self, assembly: Assembly, maps: Sequence[StateMap]) -> None:
        self.assembly, self.maps = assembly, maps
        layout = assembly.program.layout
        self.tables, self.layout = assembly.program.tables, layout
        self.tabled = assembly.passes.images
        self.early = self.tabled and not assembly.board.unbounded
        """Whether images are compared as they are made."""
        self.count = len(layout.missing)
        self.sets: list[_Sets] = []
        self._steps: dict[str, int] = {}
        self.any = len(maps) > 1
        """Whether there are symmetries at all, besides the identity."""
        self.swapping = any(element.swapping for element in assembly.maps)
        """Whether some symmetry of the game swaps the players."""
        if not self.any:
            return
        cells = [element.cells.cells for element in maps]
        starts = range(0, layout.pieces * layout.words, layout.words)
        self.sets.append(_Sets.of("cells", layout.words, starts, cells))
        for number, layer in enumerate(assembly.board.layers):
            self.sets.append(_Sets.of(layer.name, layout.link_words[number], [layout.links[number]],
                                      [element.links[number] for element in maps]))
        for kind in self.sets:
            self._steps[kind.name] = kind.step() if self.tabled else 0

    def texts(self) -> list[str]:
        """All the functions."""
        if not self.any:
            return [text_of("image", "S, g, T", "There are no symmetries.", ["pass"]), self._less(), *self._least()]
        self._sources = self.tables.table("image_from", [
            element.pieces.index(piece) * self.layout.words
            for element in self.maps for piece in range(self.layout.pieces)])
        self._swaps = self.tables.table("image_swaps", [int(element.swapping) for element in self.maps])
        self._names = {kind.name: self.tables.name(f"moved_{kind.name}") for kind in self.sets}
        self._places = {kind.name: self._table_of_maps(kind) for kind in self.sets}
        values = self._value_lines()
        texts = [*(self._moved(kind) for kind in self.sets), self._image(values), self._less(),
                 self._image_order(values), *self._least()]
        return [*texts, *self._least_besides(values)] if self.swapping else texts

    # ---- sets

    def _table_of_maps(self, kind: _Sets) -> str:
        """The table of where each symmetry's part of the table of images begins."""
        step = self._steps[kind.name]
        stride = kind.words * kind.stride(step) if step else kind.size
        return self.tables.table(f"image_at_{kind.name}", [number * stride for number in kind.which])

    def _moved(self, kind: _Sets) -> str:
        """The function that gives one word of a set's image by table, or writes the image member by member."""
        step, name = self._steps[kind.name], self._names[kind.name]
        if not step:
            images = self.tables.table(f"image_{kind.name}", [member for image in kind.images for member in image])
            lines = [f"for part in range({kind.words}):", "    T[to + part] = EMPTY",
                     f"for part in range({kind.words}):", "    rest = S[at + part]", "    while rest != EMPTY:",
                     f"        c = {images}[place + (part << 6) + lowest(rest)]", "        rest &= rest - ONE",
                     "        T[to + (c >> 6)] |= ONE << (c & 63)"]
            if kind.name == "cells" and self.tabled:  # of what is empty the rest is moved, which is less for long
                every = self.tables.table("every", split(self.assembly.board.everything, kind.words), words=True)
                lines[4:4] = ["    if at == 0:", f"        rest ^= {every}[part]"]
                lines += ["if at == 0:", f"    for part in range({kind.words}):",
                          f"        T[to + part] ^= {every}[part]"]
            return text_of(name, "S, at, place, T, to", f"Write where {kind.name} at S[at] go to T[to].", lines)
        table = self.tables.table(f"images_{kind.name}", kind.table(step), words=True)
        lines = ["found = EMPTY"]
        sizes = [1 << min(step, kind.size - first) for first in range(0, kind.size, step)]
        for number, start in enumerate(accumulate(sizes, initial=0)):
            if number == len(sizes):
                break
            part, shift = divmod(number * step, 64)
            some = f"S[at + {part}]" if part else "S[at]"
            if shift:
                some = f"({some} >> word({shift}))"
            if shift + step < 64:
                some = f"({some} & word({(1 << step) - 1}))"
            lines.append(f"found |= {table}[word(place + {start}) + {some}]")
        return text_of(name, "S, at, place", f"A word of where {kind.name} at S[at] go, by table.",
                       [*lines, "return found"])

    def _parts(self, kind: _Sets, make: str, *, back: bool = False) -> list[str]:
        """Lines for each word of a tabled image; in `make` {value} stands for the word and {part} for its number."""
        stride, name = kind.stride(self._steps[kind.name]), self._names[kind.name]
        found = []
        for part in range(kind.words - 1, -1, -1) if back else range(kind.words):
            value = f"{name}(S, at, place + {part * stride})" if part else f"{name}(S, at, place)"
            found += make.format(value=value, part=f" + {part}" if part else "").split("\n")
        return found

    def _each_set(self, kind: _Sets, tabled: list[str], carried: list[str]) -> list[str]:
        """Lines for each set of a kind: `at` is where it is, `to` where its image belongs."""
        lines = [f"place = {self._places[kind.name]}[g]"]
        inner = tabled if self._steps[kind.name] else carried
        if kind.name == "cells":
            pieces = self.layout.pieces
            return [*lines, f"for p in range({pieces}):", f"    at = {self._sources}[g * {pieces} + p]",
                    f"    to = p * {kind.words}", *("    " + line for line in inner)]
        return [*lines, f"at = {kind.starts[0]}", "to = at", *inner]

    # ---- images

    def _image(self, values: list[str]) -> str:
        lines = []
        for kind in self.sets:
            tabled = self._parts(kind, "T[to{part}] = {value}") if self._steps[kind.name] else []
            lines += self._each_set(kind, tabled, [f"{self._names[kind.name]}(S, at, place, T, to)"])
        if self.count:
            lines += [f"for k in range({self.count}):", *("    " + line for line in values),
                      "    T[VALUES_FROM + k] = word(old)"]
        lines += ["for k in range(TO_MOVE, POSITION):", "    T[k] = S[k]", f"if {self._swaps}[g] != 0:",
                  "    T[TO_MOVE] = word(1 - number(S[TO_MOVE]))", "    if number(S[OUTCOME]) >= 0:",
                  "        T[OUTCOME] = word(1 - number(S[OUTCOME]))",
                  "for k in range(POSITION, WIDTH):", "    T[k] = EMPTY"]
        if self.assembly.board.unbounded:
            lines += ["settle(T)", "T[FAILED] = EMPTY"]
        return text_of("image", "S, g, T", "Write the image of a position under a symmetry into another row.", lines)

    def _value_lines(self) -> list[str]:
        """The lines that find the image's value at place k of the variables, as `old`."""
        if not self.count:
            return []
        sources = self.tables.table("image_value_from", [place for element in self.maps for place in element.sources])
        converted: dict[tuple[int, ...], int] = {}
        kinds: list[int] = []
        lows: list[int] = []
        many = 0
        for element in self.maps:
            for place in range(self.count):
                low, values = self._converted(element, place)
                if values and values not in converted:
                    converted[values] = many
                    many += len(values)
                kinds.append(converted[values] if values else -1)
                lows.append(low)
        find = f"old = number(S[VALUES_FROM + {sources}[g * {self.count} + k]])"
        if not converted:
            return [find]
        kind, low_table = self.tables.table("image_value_at", kinds), self.tables.table("image_value_low", lows)
        value = self.tables.table("image_value", [one for values in converted for one in values])
        missing = self.tables.table("none_value", list(self.layout.missing))
        return [find, f"by = {kind}[g * {self.count} + k]", f"if by >= 0 and old != {missing}[k]:",
                f"    old = {value}[by + old - {low_table}[g * {self.count} + k]]"]

    def _converted(self, element: StateMap, place: int) -> tuple[int, tuple[int, ...]]:
        """What a symmetry makes of each value that can stand at a place, from the lowest on; () for the same."""
        convert = element.converters[place]
        if convert is None:
            return 0, ()
        evaluator = self.assembly.program.evaluator
        number = next(k for k in range(len(evaluator.sizes))
                      if evaluator.offsets[k] <= place < evaluator.offsets[k] + evaluator.sizes[k])
        rules = self.assembly.rules
        values = values_of(rules.variables[number].sort, rules, self.assembly.board)
        assert values is not None  # a variable's sort
        found = tuple(convert(value) for value in values)
        return (values.start, found) if found != tuple(values) else (0, ())

    # ---- the least image

    def _less(self) -> str:
        """The function that tells whether a position comes before another in the order of the interpreter."""
        layout = self.layout
        parts = [(piece * layout.words, layout.words) for piece in range(layout.pieces)]
        parts += list(zip(layout.links, layout.link_words, strict=True))
        lines = []
        for start, many in parts:
            if many > _MOST_UNROLLED:
                lines += [f"for k in range({start + many - 1}, {start - 1}, -1):", "    if S[k] != T[k]:",
                          "        return S[k] < T[k]"]
                continue
            for place in reversed(range(start, start + many)):
                lines += [f"if S[{place}] != T[{place}]:", f"    return S[{place}] < T[{place}]"]
        lines += ["for k in range(VALUES_FROM, POSITION):", "    if S[k] != T[k]:",
                  "        return number(S[k]) < number(T[k])", "return False"]
        return text_of("less", "S, T", "Whether a position comes before another in the order of the interpreter.",
                       lines)

    def _image_order(self, values: list[str], *, staying: bool = False) -> str:
        """The function that compares an image with a position; with `staying` the image's player to move stays."""
        name, doc = "image_order", "Below 0 where the image of S under a symmetry comes before T, 0 where it is T."
        if staying:
            name, doc = "recoloured_order", f"{doc[:-1]}, who is to move staying."
        doc += " U is a row to work on."
        if not self.early:
            return text_of(name, "S, g, U, T", doc, [
                "image(S, g, U)", *(["U[TO_MOVE] = S[TO_MOVE]"] if staying else []), "if less(U, T):", "    return -1",
                "for k in range(POSITION):", "    if U[k] != T[k]:", "        return 1", "return 0"])
        lines = []
        for kind in self.sets:
            decide = "if {value} != T[to{part}]:\n    return -1 if {value} < T[to{part}] else 1"
            carried = [f"{self._names[kind.name]}(S, at, place, U, to)"]
            carried += [f"for k in range({kind.words}):", f"    part = {kind.words - 1} - k",
                        *("    " + line for line in decide.format(value="U[to + part]", part=" + part").split("\n"))]
            tabled = self._parts(kind, "found = {value}\n" + decide.replace("{value}", "found"), back=True) if (
                self._steps[kind.name]) else []
            lines += self._each_set(kind, tabled, carried)
        decide_number = ["if old != there:", "    return -1 if old < there else 1"]
        if self.count:
            lines += [f"for k in range({self.count}):", *("    " + line for line in values),
                      "    there = number(T[VALUES_FROM + k])", *("    " + line for line in decide_number)]
        lines += ["swaps = " + self._swaps + "[g] != 0"]
        for place in ("TURN", "OUTCOME", "SEATS") if staying else ("TO_MOVE", "TURN", "OUTCOME", "SEATS"):
            lines += [f"old = number(S[{place}])", f"there = number(T[{place}])"]
            if place in ("TO_MOVE", "OUTCOME"):
                lines += [f"if swaps{' and old >= 0' if place == 'OUTCOME' else ''}:", "    old = 1 - old"]
            lines += decide_number
        return text_of(name, "S, g, U, T", doc, [*lines, "return 0"])

    @property
    def _works(self) -> bool:
        """Whether comparing needs a row to work on."""
        return self.any and (not self.early or not all(self._steps.values()))

    def _least(self) -> list[str]:
        """The functions that find the least image, and those that are called from outside."""
        copy = ["for k in range(WIDTH):", "    T[k] = S[k]"]
        groups, elements, _ = self._claimed
        row = "row(WIDTH)" if self._works else "S"  # which is then not written to
        if not elements:
            least = copy
        else:
            chosen, first, last = self._bounds
            least = [*(["group = claimed(S)"] if len(groups) > 1 else []),
                     f"least_image(S, T, {row}, {chosen}, {first}, {last})"]
        many = ["many = 1", "for k in range(first, last):", "    g = chosen[k]", "    order = image_order(S, g, U, T)",
                "    if order == 0:", "        many += 1", "    elif order < 0:", "        image(S, g, T)",
                "        many = 1", "return many"]
        return [
            text_of("least_image", "S, T, U, chosen, first, last",
                    "Write the least of S and its images under some symmetries into T; how many of these, and the "
                    "identity, give it. U is a row to work on.", [*copy, *(many if self.any else ["return 1"])]),
            text_of("canonical_row", "S, T", "Write the least image of a position under the symmetries into T.", [
                *least, "return 0"], "@entry"),
            text_of("canonical_among", "S, T, U, chosen",
                    "Write the least image under some symmetries, of which the first is the identity, into T; how many "
                    "of them give it. U is a row to work on.", ["return least_image(S, T, U, chosen, 1, len(chosen))"],
                    "@entry"),
            entry_over("canonical_many", "images: Rows", "Write the least images of positions.", [], [
                "canonical_row(S, images[row_])", "if S[FAILED] != EMPTY:", "    return row_"]),
            entry_over(
                "canonical_among_many", "chosen, images: Rows, counts",
                "Write the least images of positions under some symmetries.", ["U = row(WIDTH)"], [
                    "counts[row_] = canonical_among(S, images[row_], U, chosen)"]),
        ]

    def _least_besides(self, values: list[str]) -> list[str]:
        """The functions that find the least image where players do not swap, or swap without who is to move."""
        _, elements, unswapped = self._claimed
        assert elements, "some symmetry swaps the players"
        chosen, first, last = self._bounds
        until = self.tables.table("image_rotated_until", unswapped)
        group, failed = "group = claimed(S)", ["if S[FAILED] != EMPTY:", "    return row_"]
        return [
            self._image_order(values, staying=True),
            text_of("least_recoloured", "S, T, U, chosen, first, last",
                    "Write the least of S and its images into T, who is to move staying. U is a row to work on.", [
                        "for k in range(WIDTH):", "    T[k] = S[k]",
                        "for k in range(first, last):", "    g = chosen[k]",
                        "    if recoloured_order(S, g, U, T) < 0:", "        image(S, g, T)",
                        "        T[TO_MOVE] = S[TO_MOVE]"]),
            entry_over("rotated_many", "images: Rows", "Write the least images under what leaves the players alone.", [
                "U = row(WIDTH)"], [
                    group, *failed, f"least_image(S, images[row_], U, {chosen}, {first}, {until}[group])"]),
            entry_over("recoloured_many", "images: Rows", "Write the least images, who is to move staying.", [
                "U = row(WIDTH)"], [
                    group, *failed, f"least_recoloured(S, images[row_], U, {chosen}, {first}, {last})"]),
        ]

    # ---- conditions

    @cached_property
    def _claimed(self) -> tuple[list[list[int]], list[int], list[int]]:
        """The groups, all their symmetries in turn, and where in these the swapping ones of each group begin."""
        groups = self._groups()
        starts = accumulate(map(len, groups), initial=0)
        unswapped = [start + sum(not self.maps[number].swapping for number in found)
                     for start, found in zip(starts, groups, strict=False)]
        return groups, [number for found in groups for number in found], unswapped

    @cached_property
    def _bounds(self) -> tuple[str, str, str]:
        """How a text names the table of the groups' symmetries, and where in it those of `group` begin and end."""
        groups, elements, _ = self._claimed
        chosen = self.tables.table("image_claimed", elements)
        if len(groups) == 1:
            return chosen, "0", str(len(elements))
        first = self.tables.table("image_claimed_from", list(accumulate(map(len, groups), initial=0)))
        return chosen, f"{first}[group]", f"{first}[group + 1]"

    def _groups(self) -> list[list[int]]:
        """For each set of the conditions of symmetries, by its bits, the symmetries that are claimed where they hold.

        The identity is left out; those that swap the players are the last.
        """
        own, game = self.assembly.maps, self.assembly.game
        conditions = self.assembly.symmetry_conditions

        def swaps(number: int) -> tuple[bool, int]:
            return own[number].swapping, number

        if game is None or not conditions:
            return [sorted(range(1, len(own)), key=swaps)]
        numbers = {element.key: number for number, element in enumerate(own)}
        found = []
        for holding in product((False, True), repeat=len(conditions)):
            holds = dict(zip(conditions, reversed(holding), strict=True))
            group = game.group_where(tuple(
                symmetry.condition is None or holds[symmetry.condition] for symmetry, _ in game.declared))
            found.append(sorted((numbers[element.key] for element in group[1:]), key=swaps))
        return found

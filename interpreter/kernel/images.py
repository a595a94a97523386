"""The functions of a kernel's text that map positions by symmetries, and tell which of two comes first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.kernel.ranges import values_of
from interpreter.kernel.writer import text_of
from interpreter.symmetries import StateMap

if TYPE_CHECKING:
    from interpreter.kernel.assembly import Assembly


def image_text(assembly: Assembly, maps: Sequence[StateMap]) -> str:
    """The function that writes the image of a position under a symmetry into another row."""
    layout, sets, tables = assembly.program.layout, assembly.sets, assembly.program.tables
    size, words, pieces = assembly.board.size, sets.words, len(assembly.rules.pieces)
    if not maps:
        return text_of("image", "S, g, T", "There are no symmetries.", ["pass"])
    cells = tables.table("image_cell", [cell for element in maps for cell in element.cells.cells])
    piece = tables.table("image_piece", [image for element in maps for image in element.pieces])
    lines = [f"for k in range({layout.values}):", "    T[k] = EMPTY", f"for p in range({pieces}):",
             f"    target = {piece}[g * {pieces} + p] * {words}", f"    for part in range({words}):",
             f"        rest = S[p * {words} + part]", "        while rest != EMPTY:",
             f"            c = {cells}[g * {size} + (part << 6) + lowest(rest)]", "            rest &= rest - ONE",
             "            T[target + (c >> 6)] |= ONE << (c & 63)"]
    for number, layer in enumerate(assembly.board.layers):
        many = len(layer.pairs)
        links = tables.table(f"image_{layer.name}", [link for element in maps for link in element.links[number]])
        start = layout.links[number]
        lines += [f"for part in range({layout.link_words[number]}):", f"    rest = S[{start} + part]",
                  "    while rest != EMPTY:",
                  f"        c = {links}[g * {many} + (part << 6) + lowest(rest)]", "        rest &= rest - ONE",
                  f"        T[{start} + (c >> 6)] |= ONE << (c & 63)"]
    count = len(layout.missing)
    if count:
        sources = tables.table("image_value_from", [place for element in maps for place in element.sources])
        converted: list[list[int]] = []
        kinds: list[int] = []
        lows: list[int] = []
        for element in maps:
            for place in range(count):
                low, values = _converted(assembly, element, place)
                if not values:
                    kinds.append(-1)
                    lows.append(0)
                    continue
                if values not in converted:
                    converted.append(values)
                kinds.append(sum(map(len, converted[: converted.index(values)])))
                lows.append(low)
        kind = tables.table("image_value_at", kinds)
        low_table = tables.table("image_value_low", lows)
        value = tables.table("image_value", [one for values in converted for one in values] or [0])
        missing = tables.table("none_value", list(layout.missing))
        lines += [f"for k in range({count}):",
                  f"    old = number(S[{layout.values} + {sources}[g * {count} + k]])",
                  f"    at = {kind}[g * {count} + k]", f"    if at >= 0 and old != {missing}[k]:",
                  f"        old = {value}[at + old - {low_table}[g * {count} + k]]",
                  f"    T[{layout.values} + k] = word(old)"]
    swaps = tables.table("image_swaps", [int(element.swapping) for element in maps])
    lines += ["for k in range(TO_MOVE, WIDTH):", "    T[k] = S[k]", f"if {swaps}[g] != 0:",
              "    T[TO_MOVE] = word(1 - number(S[TO_MOVE]))", "    if number(S[OUTCOME]) >= 0:",
              "        T[OUTCOME] = word(1 - number(S[OUTCOME]))"]
    lines += ["for k in range(POSITION, WIDTH):", "    T[k] = EMPTY"]
    if assembly.board.unbounded:
        lines.append("settle(T)")
    return text_of("image", "S, g, T", "Write the image of a position under a symmetry into another row.", lines)


def _converted(assembly: Assembly, element: StateMap, place: int) -> tuple[int, list[int]]:
    """What a symmetry makes of each value that can stand at a place, from the lowest on; [] for the same."""
    convert = element.converters[place]
    if convert is None:
        return 0, []
    evaluator = assembly.program.evaluator
    number = next(k for k in range(len(evaluator.sizes))
                  if evaluator.offsets[k] <= place < evaluator.offsets[k] + evaluator.sizes[k])
    values = values_of(assembly.rules.variables[number].sort, assembly.rules, assembly.board)
    assert values is not None  # a variable's sort
    return values.start, [convert(value) for value in values]


def less_text(assembly: Assembly) -> str:
    """The function that tells whether a position comes before another in the order of the interpreter."""
    layout = assembly.program.layout
    parts = [(piece * layout.words, layout.words) for piece in range(layout.pieces)]
    parts += list(zip(layout.links, layout.link_words, strict=True))
    lines = []
    for start, many in parts:
        for place in reversed(range(start, start + many)):
            lines += [f"if S[{place}] != T[{place}]:", f"    return S[{place}] < T[{place}]"]
    lines += ["for k in range(TO_MOVE - VALUES_FROM, 0, -1):", "    at = TO_MOVE - k",
              "    if S[at] != T[at]:", "        return number(S[at]) < number(T[at])",
              "for k in range(TO_MOVE, POSITION):", "    if S[k] != T[k]:",
              "        return number(S[k]) < number(T[k])", "return False"]
    return text_of("less", "S, T", "Whether a position comes before another in the order of the interpreter.",
                   lines)

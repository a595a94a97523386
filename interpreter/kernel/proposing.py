"""Patterns in a kernel: the function `propose`, which native search calls for the moves that patterns propose.

`propose(S, B, P, E, X)` writes a row into P for each proposed move and gives their number: the move as the kernel has
it, then the number of the pattern and its priority, in the order of `interpreter.patterns.Book.proposed`, which is the
definition. B is the row before the last move, S itself where there is none. What patterns share is written once: each
predicate is a function, and each pattern, in each way in which it can lie, a line of tables: so the time to compile
does not grow with the number of patterns.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from dsl import meaning
from dsl.pattern_meaning import Predicate, ResolvedPattern, Test
from dsl.sorts import CELL, CELLS
from interpreter.frames import Frame
from interpreter.kernel.dependence import Bound
from interpreter.kernel.general import FormTables
from interpreter.kernel.moves import VALUES
from interpreter.kernel.terms import Terms
from interpreter.kernel.writer import Writer, text_of
from interpreter.state import PASS, SWAP

if TYPE_CHECKING:
    from interpreter.kernel.assembly import Assembly
    from interpreter.patterns import Book, Site

_CELL = -1
"""The number of the value that is a place itself."""


@attrs.define
class _Tables:
    """What patterns are made of, one after another."""

    tests_from: list[int] = attrs.field(factory=lambda: [0])
    """For each variant where its tests begin."""
    test: list[int] = attrs.field(factory=list)
    """For each test its predicate."""
    places_from: list[int] = attrs.field(factory=lambda: [0])
    """For each test, or value, where its places begin."""
    place: list[int] = attrs.field(factory=list)
    """The steps to places."""
    outside_from: list[int] = attrs.field(factory=lambda: [0])
    outside: list[int] = attrs.field(factory=list)
    values_from: list[int] = attrs.field(factory=lambda: [0])
    value: list[int] = attrs.field(factory=list)
    value_places_from: list[int] = attrs.field(factory=lambda: [0])
    value_place: list[int] = attrs.field(factory=list)
    pattern: list[int] = attrs.field(factory=list)
    priority: list[int] = attrs.field(factory=list)
    rule: list[int] = attrs.field(factory=list)


class Proposing:
    """Writes the functions by which patterns propose moves."""

    def __init__(self, assembly: Assembly, book: Book) -> None:
        self.assembly, self.book = assembly, book
        self.sets, self.program = assembly.sets, assembly.program
        self.tables = _Tables()
        self.ranges: dict[tuple[int, tuple[Frame, ...]], tuple[int, int]] = {}
        self.goals: dict[int, int] = {}
        self.functions: list[str] = []
        for name in ("candidates", "propose", "proposals", "try_patterns", "pattern_holds", "pattern_value",
                     "is_offered", "placed", "pattern_matches", "pattern_move", "add_proposal"):
            self.program.tables.used.add(name)
        self._grid()

    # ---- places as steps in a padded table of cells

    def _grid(self) -> None:
        points = self.book.game.board.points
        rows, columns = zip(*points, strict=True)
        steps = [step for pattern in self.book.patterns for player in self.book.sites
                 for site in player[pattern.start] for frame in site.frames
                 for place in (*pattern.places, *pattern.outside) for step in frame.offset(*place)]
        pad = max(map(abs, steps), default=0)
        self.stride: int = max(columns) - min(columns) + 1 + 2 * pad
        cells = [-1] * (self.stride * (max(rows) - min(rows) + 1 + 2 * pad))
        self.base = [(row - min(rows) + pad) * self.stride + column - min(columns) + pad for row, column in points]
        for cell, place in enumerate(self.base):
            cells[place] = cell
        self.cells = cells

    def _step(self, frame: Frame, place: tuple[int, int]) -> int:
        down, across = frame.offset(*place)
        return down * self.stride + across

    # ---- patterns as lines of tables

    def variants(self, start: int, site: Site) -> tuple[int, int]:
        """The range of the variants of the patterns that begin at a site."""
        key = start, site.frames
        if key not in self.ranges:
            first = len(self.tables.pattern)
            for pattern in self.book.patterns:
                if pattern.start == start:
                    for frame in self.book.frames_of(pattern, site):
                        self._variant(pattern, frame)
            self.ranges[key] = first, len(self.tables.pattern)
        return self.ranges[key]

    def _variant(self, pattern: ResolvedPattern, frame: Frame) -> None:
        tables = self.tables
        for test in pattern.tests:
            tables.test.append(test.predicate)
            tables.place += [self._step(frame, place) for place in test.places]
            tables.places_from.append(len(tables.place))
        tables.tests_from.append(len(tables.test))
        tables.outside += [self._step(frame, place) for place in pattern.outside]
        tables.outside_from.append(len(tables.outside))
        for value in pattern.play.predicates:
            tables.value.append(_CELL if self._is_place(value) else value.predicate)
            tables.value_place += [self._step(frame, place) for place in value.places]
            tables.value_places_from.append(len(tables.value_place))
        tables.values_from.append(len(tables.value))
        tables.pattern.append(pattern.number)
        tables.priority.append(pattern.priority)
        tables.rule.append(pattern.play.rule)

    def _is_place(self, value: Test) -> bool:
        return isinstance(self.book.resolved.predicates[value.predicate].term, meaning.Local)

    def goal(self, cells: int) -> int:
        """The number of a goal."""
        return self.goals.setdefault(cells, len(self.goals))

    # ---- functions

    def texts(self) -> list[str]:
        """The functions, those before those that call them."""
        lines = self._starting()
        if not self.tables.pattern:
            lines = []
        names = {field.name: self.program.tables.table(f"pattern_{field.name}", getattr(self.tables, field.name) or [0])
                 for field in attrs.fields(_Tables)}
        names["grid"] = self.program.tables.table("pattern_grid", self.cells)
        names["base"] = self.program.tables.table("pattern_base", self.base)
        goals = self.sets.table("pattern_goals", list(self.goals) or [0])
        tests = {test.predicate for pattern in self.book.patterns for test in pattern.tests}
        values = {value.predicate for pattern in self.book.patterns for value in pattern.play.predicates
                  if not self._is_place(value)}
        self._choosing("pattern_holds", "pattern_test", tests, goals, names, "place", "False", asked=True)
        self._choosing("pattern_value", "pattern_choice", values, goals, names, "value_place", "-1", asked=False)
        self.functions += [self._offered_text(), self._trying_text(names)]
        propose = ["m = number(S[TO_MOVE]) ^ number(S[SEATS])", "mover = m", "offers = moves(S, E, X)", "n = 0",
                   "if offers == 0:", "    return n", *lines, *_SORTING, "return n"]
        self.functions.append(text_of("propose", "S, B, P: Lines, E, X",
                                      "The moves that patterns propose, the best first; how many.", propose))
        self.functions.append(text_of("proposals", "S, B, P: Lines, E", "The same, called from outside.", [
            "X = rows(SCRATCH, WIDTH)", "return propose(S, B, P, E, X)"], "@entry"))
        self.functions.append(self._candidates_text())
        return self.functions

    def _candidates_text(self) -> str:
        """The function that searches call: the proposed moves, and before them those that no pattern can propose."""
        rules = self.assembly.rules
        lines = ["n = propose(S, B, P, E, X)"]
        for rule, condition in ((PASS, "may_pass(S, mover)" if rules.passing is not None else ""),
                                (SWAP, "may_swap(S, mover) >= 0" if rules.pies else "")):
            if condition:
                lines += ["mover = number(S[TO_MOVE]) ^ number(S[SEATS])", f"if n > 0 and {condition}:",
                          "    if n >= len(P):", "        S[FAILED] = word(1)", "        return -1", "    k = n",
                          "    while k > 0:", "        for j in range(MOVE_WIDTH + 2):",
                          "            P[k, j] = P[k - 1, j]", "        k -= 1", f"    P[0, 0] = {rule}",
                          "    P[0, 1] = 0", "    P[0, MOVE_WIDTH] = -1", "    P[0, MOVE_WIDTH + 1] = 0", "    n += 1"]
        lines += ["if S[FAILED] != EMPTY:", "    return -1", "return n"]
        return text_of("candidates", "S, B, P: Lines, E, X",
                       "The moves that patterns propose, after swapping sides and "
                       "passing where that is allowed; how many, 0 where nothing is proposed.", lines, "@entry")

    def _starting(self) -> list[str]:
        """The lines that try the patterns of each start of the player to move."""
        lines: list[str] = []
        known: dict[object, str] = {}
        for mover, starts in enumerate(self.book.sites):
            body: list[str] = []
            for start, sites in enumerate(starts):
                for site in sites:
                    first, last = self.variants(start, site)
                    if first == last:
                        continue
                    name = self._begin(site, known)
                    call = f"{name}(S, B)" if site.cells is None else f"{name}(S)"
                    body += [f"begin = {call}", *self.sets.loop("begin", "c", [
                        f"n = try_patterns(S, mover, P, n, c, {first}, {last}, {self.goal(site.goal)}, E, offers, X)"])]
            if body:
                lines += [f"if mover == {mover}:", *("    " + line for line in body)]
        return lines

    def _begin(self, site: Site, known: dict[object, str]) -> str:
        """The name of the function that gives a site's cells."""
        if site.cells is None:
            if "placed" not in known:
                known["placed"] = "placed"
                words, pieces = self.sets.words, len(self.assembly.rules.pieces)
                parts = [" | ".join(f"(S[{piece * words + part}] & ~B[{piece * words + part}])"
                                    for piece in range(1, pieces)) for part in range(words)]
                self.functions.append(text_of("placed", "S, B", "The cells on which the last move put a piece.",
                                              ["return " + ", ".join(parts)]))
            return "placed"
        key = site.cells, site.player
        if key not in known:
            name = self.program.tables.name(f"begin_{len(known) + 1}")
            known[key] = name
            writer = Writer(("S",), self.program.tables.used)
            terms = Terms(self.program, writer, mover=str(site.player))
            writer.line(f"return {terms.cells(site.cells)}")
            self.functions.append(text_of(name, "S", "The cells at which patterns begin.", writer.lines))
        return known[key]

    def _choosing(self, name: str, part: str, numbers: set[int], goals: str, names: dict[str, str], places: str,
                  otherwise: str, *, asked: bool) -> None:
        """A function that asks the predicate, or gives the value, with a number."""
        lines: list[str] = []
        for number in sorted(numbers):
            predicate = self.book.resolved.predicates[number]
            own = self._predicate(f"{part}_{number + 1}", predicate, goals, asked=asked)
            given = [f"{names['grid']}[base + {names[places]}[at + {place}]]" for place in range(predicate.cells)]
            arguments = [f"place_{place + 1}" for place in range(predicate.cells)]
            lines.append(f"if kind == {number}:")
            lines += [f"    {argument} = {text}" for argument, text in zip(arguments, given, strict=True)]
            if arguments:
                lines += [f"    if {' or '.join(f'{argument} < 0' for argument in arguments)}:",
                          f"        return {otherwise}"]
            lines.append(f"    return {own}({', '.join(['S', 'mover', *arguments, 'goal'])})")
        doc = "Whether a predicate holds at its places." if asked else "A value over its places."
        self.functions.append(text_of(name, "S, mover, kind: Int, base: Int, at, goal: Int", doc,
                                      [*lines, f"return {otherwise}"]))

    def _predicate(self, wish: str, predicate: Predicate, goals: str, *, asked: bool) -> str:
        name = self.program.tables.name(wish)
        cells = [f"c{place + 1}_" for place in range(predicate.cells)]
        writer = Writer(("S", "mover", *cells, "g"), self.program.tables.used)
        terms = Terms(self.program, writer)
        for slot, cell in enumerate(cells):
            terms.bound[slot] = Bound(cell, False, CELL)
        if predicate.asks_goal:
            writer.line(f"goal_cells = {self.sets.of_table(goals, 'g')}")
            terms.bound[predicate.cells] = Bound("goal_cells", False, CELLS)
        writer.line(f"return {terms.test(predicate.term) if asked else terms.value(predicate.term)}")
        parameters = ", ".join(["S", "mover", *(f"{cell}: Int" for cell in cells), "g"])
        self.functions.append(text_of(name, parameters, "A condition of patterns." if asked else "A value of moves.",
                                      writer.lines))
        return name

    def _offered_text(self) -> str:
        """The function that tells whether a move is among entries."""
        sets, names = self.sets, FormTables.of(self.assembly.moves)
        rule, mask, low = names.rule, names.mask, names.low
        start, size, place, value = names.start, names.size_of, names.place, names.value_of
        inside = "(word(E[e, CHOICE + (v >> 6)]) >> (v & 63)) & ONE != EMPTY"
        return text_of("is_offered", "E, offers: Int, m", "Whether a move is among those that entries offer.", [
            "for e in range(offers):", "    form = E[e, 0]", f"    if {rule}[form] != m[0]:", "        continue",
            "    size = E[e, 2]", f"    first = {start}[form]", f"    last = {start}[form + 1]",
            f"    if m[1] != size + {mask}[form] + last - first:", "        continue", "    good = True",
            "    for i in range(size):", f"        if m[2 + i] != E[e, {VALUES} + i]:", "            good = False",
            f"    if good and {mask}[form] != 0:", f"        v = m[2 + size] - {low}[form]",
            f"        good = v >= 0 and v < {64 * sets.words}", "        if good:", f"            good = {inside}",
            "        size += 1",
            "    for i in range(last - first):", "        there = False",
            f"        for k in range({size}[first + i]):",
            f"            if {value}[{place}[first + i] + k] == m[2 + size + i]:", "                there = True",
            "        good = good and there", "    if good:", "        return True", "return False"])

    def _trying_text(self, names: dict[str, str]) -> str:
        """The function that tries patterns at a cell."""
        sort: list[str] = []
        for rule, move in enumerate(self.assembly.rules.moves):
            groups = {group for pattern in self.book.patterns if pattern.play.rule == rule
                      for group in pattern.play.sorted_values}
            for group in sorted(groups):
                sort += [f"if m[0] == {rule}:", f"    for i in range({2 + group[0]}, {2 + group[-1]}):",
                         f"        for j in range({2 + group[0]}, {2 + group[-1]}):", "            if m[j + 1] < m[j]:",
                         "                swapped = m[j]", "                m[j] = m[j + 1]",
                         "                m[j + 1] = swapped"]
            assert move is not None
        legal = ["if not is_offered(E, offers, m):", "    continue"]
        if self.assembly.rules.illegal:
            legal += ["T = X[0]", "for i in range(WIDTH):", "    T[i] = S[i]", "if act(T, m, X) != 0:", "    continue"]
        self.functions.append(text_of("pattern_matches", "S, mover, v: Int, base: Int, goal: Int",
                                      "Whether a pattern matches.", [
            f"for k in range({names['outside_from']}[v], {names['outside_from']}[v + 1]):",
            f"    if {names['grid']}[base + {names['outside']}[k]] >= 0:", "        return False",
            f"for k in range({names['tests_from']}[v], {names['tests_from']}[v + 1]):",
            f"    if not pattern_holds(S, mover, {names['test']}[k], base, {names['places_from']}[k], goal):",
            "        return False", "return True"]))
        self.functions.append(text_of("pattern_move", "S, mover, v: Int, base: Int, goal: Int, m",
                                      "Write the move of a pattern into m; whether its places are on the board.", [
            f"m[0] = {names['rule']}[v]", f"start = {names['values_from']}[v]",
            f"size = {names['values_from']}[v + 1] - start", "m[1] = size",
            "for i in range(size):", "    at = start + i",
            f"    if {names['value']}[at] == {_CELL}:",
            f"        chosen = {names['grid']}[base + {names['value_place']}[{names['value_places_from']}[at]]]",
            "    else:",
            f"        chosen = pattern_value(S, mover, {names['value']}[at], base, "
            f"{names['value_places_from']}[at], goal)",
            "    if chosen < 0:", "        return False", "    m[2 + i] = chosen", *sort, "return True"]))
        self.functions.append(text_of("add_proposal", "P: Lines, n, p: Int, worth: Int",
                                      "Keep the move in row n, unless it is in a row before; how many there are.", [
            "size = P[n, 1]", "for other in range(n):", "    same = True", "    for i in range(2 + size):",
            "        if P[other, i] != P[n, i]:", "            same = False", "            break", "    if same:",
            "        known, highest_yet = P[other, MOVE_WIDTH], P[other, MOVE_WIDTH + 1]",
            "        if worth > highest_yet or (worth == highest_yet and p < known):",
            "            P[other, MOVE_WIDTH] = p", "            P[other, MOVE_WIDTH + 1] = worth", "        return n",
            "P[n, MOVE_WIDTH] = p", "P[n, MOVE_WIDTH + 1] = worth", "return n + 1"]))
        body = [
            "if not pattern_matches(S, mover, v, base, goal):", "    continue",
            "if n >= len(P):", "    S[FAILED] = word(1)", "    return n", "m = P[n]",
            "if not pattern_move(S, mover, v, base, goal, m):", "    continue", *legal,
            f"n = add_proposal(P, n, {names['pattern']}[v], {names['priority']}[v])"]
        lines = [f"base = {names['base']}[c]", "for v in range(first, last):", *("    " + line for line in body),
                 "return n"]
        return text_of("try_patterns", "S, mover, P: Lines, n, c, first, last, goal: Int, E, offers: Int, X",
                       "Try the patterns that begin at a cell; how many moves are proposed then.", lines)


_SORTING = (
    "for i in range(1, n):", "    k = i",
    "    while k > 0 and comes_before(P[k], P[k - 1]):",
    "        for j in range(MOVE_WIDTH + 2):", "            moved = P[k, j]", "            P[k, j] = P[k - 1, j]",
    "            P[k - 1, j] = moved", "        k -= 1",
)


def texts(assembly: Assembly, book: Book) -> Iterator[str]:
    """The functions of a book of patterns, those before those that call them."""
    assembly.program.tables.used.add("comes_before")
    yield text_of("comes_before", "a: Line, b: Line", "Whether a proposed move comes before another.", [
        "if a[MOVE_WIDTH + 1] != b[MOVE_WIDTH + 1]:", "    return a[MOVE_WIDTH + 1] > b[MOVE_WIDTH + 1]",
        "if a[MOVE_WIDTH] != b[MOVE_WIDTH]:", "    return a[MOVE_WIDTH] < b[MOVE_WIDTH]",
        "if a[0] != b[0]:", "    return a[0] < b[0]",
        "for i in range(min(a[1], b[1])):", "    if a[2 + i] != b[2 + i]:", "        return a[2 + i] < b[2 + i]",
        "return a[1] < b[1]"])
    yield from Proposing(assembly, book).texts()


__all__ = ["Proposing", "texts"]

"""Patterns in a kernel: the function `propose`, which native search calls for the moves that patterns propose.

`propose` writes a row of `proposal_rows` for each proposed move and returns their number: the move as the kernel has
it, then the number of the pattern and its priority, in the order of `interpreter.patterns.Book.proposed`, which is the
reference. `before` is the row before the last move, `state` itself where there is none. What patterns share is written
once: each predicate is a function, and each pattern, in each of its orientations, a line of tables, so that compile
time does not grow with the number of patterns.
"""

from __future__ import annotations

from functools import partial, reduce
from itertools import groupby
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.patterns.meaning import Predicate, ResolvedPattern, Test
from dsl.resolve.sorts import CELL, CELLS
from interpreter.compiler import ir
from interpreter.compiler.build import (
    any_of,
    binary,
    call,
    compared,
    element,
    expr,
    inverted,
    line,
    named_number,
    plus,
    row,
)
from interpreter.compiler.each import without_each
from interpreter.compiler.lowering.bound import Bound
from interpreter.compiler.lowering.expressions import ExprLowering
from interpreter.compiler.lowering.general import form_tables
from interpreter.compiler.lowering.move_forms import VALUES
from interpreter.compiler.lowering.names import COUNT, ENTRIES, MOVER_NAME, POSITION, WORK
from interpreter.compiler.lowering.writer import Writer
from interpreter.patterns.frames import Frame

if TYPE_CHECKING:
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler
    from interpreter.patterns.matching import Book, Site

_CELL = -1
"""Stands for the number of a predicate where the value is a place itself."""
BEFORE = row("before")
"""The row before the last move."""
PROPOSALS = ir.Name("proposal_rows", ir.LINES)
"""The rows to which proposed moves are written."""
OFFERS = named_number("offers")
"""The number of entries for moves that the rules offer."""
_PARAMETERS = (POSITION, BEFORE, MOVER_NAME, PROPOSALS, COUNT, ENTRIES, OFFERS, WORK)
"""The parameters of the function that tries patterns."""


@attrs.define
class _Tables:
    """The tables of all variants, a variant being a pattern in one orientation."""

    tests_from: list[int] = attrs.field(factory=lambda: [0])
    """Where the tests of each variant begin."""
    test: list[int] = attrs.field(factory=list)
    """The predicate of each test."""
    passing_over: list[int] = attrs.field(factory=list)
    """For each variant the next one that has a different first test."""
    places_from: list[int] = attrs.field(factory=lambda: [0])
    """Where the places of each test begin."""
    place: list[int] = attrs.field(factory=list)
    """The steps to places, in the padded table of cells."""
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
    """Writes the functions with which patterns propose moves."""

    def __init__(self, compiler: KernelCompiler, book: Book) -> None:
        self.compiler, self.book = compiler, book
        self.sets, self.program = compiler.sets, compiler.program
        self.tables = _Tables()
        self.ranges: dict[tuple[int, tuple[Frame, ...]], tuple[int, int]] = {}
        self.goals: dict[int, int] = {}
        self.made: list[ir.Function] = []
        """The functions made for these rules and patterns alone."""
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

    # ---- variants of patterns as lines of tables

    def variants(self, start: int, site: Site) -> tuple[int, int]:
        """The range of the variants of the patterns that begin at a site, which are added on first use."""
        key = start, site.frames
        if key not in self.ranges:
            first = len(self.tables.pattern)
            lying = [(pattern, frame) for pattern in self.book.patterns if pattern.start == start
                     for frame in self.book.frames_of(pattern, site)]
            for _, alike in groupby(sorted(lying, key=self._first_test), self._first_test):
                variants = list(alike)
                onward = len(self.tables.pattern) + len(variants)
                for pattern, frame in variants:
                    self._variant(pattern, frame)
                    self.tables.passing_over.append(onward)
            self.ranges[key] = first, len(self.tables.pattern)
        return self.ranges[key]

    def _first_test(self, lying: tuple[ResolvedPattern, Frame]) -> tuple[int, ...]:
        """The first test of a pattern in an orientation, as a sort key."""
        pattern, frame = lying
        return () if not pattern.tests else (
            pattern.tests[0].predicate, *[self._step(frame, place) for place in pattern.tests[0].places])

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
        return isinstance(self.book.resolved.predicates[value.predicate].term, hir.Local)

    def goal(self, cells: int) -> int:
        """The number of a goal, which is added where it is new."""
        return self.goals.setdefault(cells, len(self.goals))

    # ---- functions

    def functions(self) -> list[ir.Function]:
        """Add the runtime functions of patterns to the kernel; return those made for these rules and patterns."""
        starting = self._starting()
        names = {field.name: self.program.tables.table(f"pattern_{field.name}", getattr(self.tables, field.name) or [0])
                 for field in attrs.fields(_Tables)}
        names["grid"] = self.program.tables.table("pattern_grid", self.cells)
        names["base_of"] = self.program.tables.table("pattern_base", self.base)
        goals = self.sets.table("pattern_goals", list(self.goals) or [0])
        tests = {test.predicate for pattern in self.book.patterns for test in pattern.tests}
        values = {value.predicate for pattern in self.book.patterns for value in pattern.play.predicates
                  if not self._is_place(value)}
        self._choosing("pattern_holds", "pattern_test", tests, goals, names, "place", asked=True)
        self._choosing("pattern_value", "pattern_choice", values, goals, names, "value_place", asked=False)
        rules, use = self.compiler.rules, self.program.use
        use("proposal_before", "comes_before")
        use("move_offered", "is_offered", values=VALUES, **form_tables(self.compiler.moves))
        use("variant_matches", "pattern_matches", **names)
        groups = [(rule, group) for rule in range(len(rules.moves)) for group in sorted({
            group for pattern in self.book.patterns if pattern.play.rule == rule
            for group in pattern.play.sorted_values})]
        table = self.program.tables.table
        use("variant_move", "pattern_move", groups=len(groups),
            group_rule=table("pattern_group_rule", [rule for rule, _ in groups] or [0]),
            group_first=table("pattern_group_first", [2 + group[0] for _, group in groups] or [0]),
            group_last=table("pattern_group_last", [2 + group[-1] for _, group in groups] or [0]), **names)
        use("proposal_added", "add_proposal")
        use("variants_tried", "try_patterns", taken_back=bool(rules.illegal), **names)
        use("proposed", "propose")
        use("proposals", "proposals")
        use("candidates", "candidates", passing=rules.passing is not None, swapping=bool(rules.pies))
        return [*self.made, starting]

    def _starting(self) -> ir.Function:
        """The function that tries the patterns of each start of the player to move."""
        body: list[ir.Statement] = []
        known: dict[object, str] = {}
        cell = ir.Name("c", ir.INT)
        for player, starts in enumerate(self.book.sites):
            tried: list[ir.Statement] = []
            for start, sites in enumerate(starts):
                for site in sites:
                    first, last = self.variants(start, site)
                    if first == last:
                        continue
                    begin = ir.Call(self._begin(site, known), (POSITION, BEFORE) if site.cells is None else (POSITION,),
                                    self.program.library.cells)
                    numbers = [ir.Literal(number, ir.INT) for number in (first, last, self.goal(site.goal))]
                    call = ir.Call("try_patterns", (POSITION, MOVER_NAME, PROPOSALS, COUNT, cell, *numbers, ENTRIES,
                                                    OFFERS, WORK), ir.INT)
                    tried.append(ir.ForEach(cell, begin, (ir.Assign(COUNT, call),)))
            if tried:
                body.append(ir.If(ir.Comparison(("==",), (MOVER_NAME, ir.Literal(player, ir.INT))), tuple(tried)))
        doc = "Try the patterns of each start of the player to move; how many moves are proposed then."
        made = ir.Function("try_starts", _PARAMETERS, ir.INT, doc, (*body, ir.Return(COUNT)))
        return attrs.evolve(made, body=without_each(made))

    def _begin(self, site: Site, known: dict[object, str]) -> str:
        """The name of the function that gives a site's cells."""
        if site.cells is None:
            if "placed" not in known:
                known["placed"] = "placed"
                words, pieces = self.sets.words, len(self.compiler.rules.pieces)
                parts = [reduce(partial(binary, "|"), [self._new(piece * words + part) for piece in range(1, pieces)])
                         for part in range(words)]
                result = parts[0] if words == 1 else ir.Tuple(tuple(parts))
                cells = self.sets.cells
                if isinstance(cells, ir.Vector):
                    result = ir.Call("of_words", (result,), cells)
                self.made.append(ir.Function("placed", (POSITION, BEFORE), cells,
                                             "The cells on which the last move put a piece.", (ir.Return(result),)))
            return "placed"
        key = site.cells, site.player
        if key not in known:
            name = self.program.tables.name(f"begin_{len(known) + 1}")
            known[key] = name
            writer = Writer((POSITION.name,))
            terms = ExprLowering(self.program, writer, mover=expr(site.player))
            writer.give(terms.cells(site.cells))
            self.made.append(ir.Function(name, (POSITION,), self.sets.cells, "The cells at which patterns begin.",
                                         writer.body))
        return known[key]

    def _new(self, place: int) -> ir.Expr:
        """The bits of a word of the row that are not set in the row before the last move."""
        return binary("&", element(POSITION, place), inverted(element(BEFORE, place)))

    def _choosing(self, name: str, part: str, numbers: set[int], goals: str, names: dict[str, str], places: str,
                  *, asked: bool) -> None:
        """Add the function that tests the predicate, or computes the value, with a given number."""
        kind, base, at, goal = map(named_number, ("kind", "base", "at", "goal"))
        otherwise = ir.Return(ir.FALSE if asked else expr(-1))
        body: list[ir.Statement] = []
        for choice in sorted(numbers):
            predicate = self.book.resolved.predicates[choice]
            own = self._predicate(f"{part}_{choice + 1}", predicate, goals, asked=asked)
            cells = [named_number(f"place_{index + 1}") for index in range(predicate.cells)]
            lines: list[ir.Statement] = [
                ir.Assign(cell, element(line(names["grid"]), plus(base, element(line(names[places]), plus(at, index)))))
                for index, cell in enumerate(cells)]
            if cells:
                lines.append(ir.If(any_of([compared(cell, "<", 0) for cell in cells]), (otherwise,)))
            lines.append(ir.Return(call(own, POSITION, MOVER_NAME, *cells, goal,
                                        gives=ir.BOOL if asked else ir.INT)))
            body.append(ir.If(compared(kind, "==", choice), tuple(lines)))
        doc = "Whether a predicate holds at its places." if asked else "A value over its places."
        self.made.append(ir.Function(name, (POSITION, MOVER_NAME, kind, base, at, goal),
                                     ir.BOOL if asked else ir.INT, doc, (*body, otherwise)))

    def _predicate(self, wish: str, predicate: Predicate, goals: str, *, asked: bool) -> str:
        name = self.program.tables.name(wish)
        cells = [named_number(f"c{index + 1}_") for index in range(predicate.cells)]
        parameters = (POSITION, MOVER_NAME, *cells, named_number("g"))
        writer = Writer([parameter.name for parameter in parameters])
        terms = ExprLowering(self.program, writer)
        for slot, cell in enumerate(cells):
            terms.bound[slot] = Bound(cell, False, CELL)
        if predicate.asks_goal:
            goal_cells = ir.Name("goal_cells", self.sets.cells)
            writer.assign(goal_cells, self.sets.of_table(goals, parameters[-1]))
            terms.bound[predicate.cells] = Bound(goal_cells, False, CELLS)
        writer.give(terms.test(predicate.term) if asked else terms.value(predicate.term))
        self.made.append(ir.Function(name, parameters, ir.BOOL if asked else ir.INT,
                                     "A condition of patterns." if asked else "A value of moves.", writer.body))
        return name

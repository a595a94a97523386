"""Lowers move rules to functions that list the moves, tell whether there is one, and carry one out.

Moves are listed as entries: the values of the first choices, and the set from which the last choice is made; choices
after it from fixed lists are left out. So a rule like `place(c in empty)` is one entry on a board of any size. To draw
a move at random, an entry is drawn with its number of moves as its weight, then a cell of its set, so that no move is
listed that is not looked at. The last three rows of the entries' array are scratch rows of the functions.
`interpreter.semantics.engine.Engine.candidates` defines which moves there are, and in which order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from math import prod
from typing import Final

import attrs

from dsl import hir
from dsl.resolve.sorts import CELL, CELLS, Integer, Sort
from interpreter.compiler import ir
from interpreter.compiler.build import (
    NO_BITS,
    any_of,
    as_number,
    as_word,
    binary,
    call,
    compared,
    element,
    expr,
    known,
    minus,
    named_number,
    negated,
    plus,
    popcount,
    times,
)
from interpreter.compiler.lowering import conditions
from interpreter.compiler.lowering.bound import Bound
from interpreter.compiler.lowering.continuations import ContinuationDraw, continuation_draw
from interpreter.compiler.lowering.dispatch import player_to_move
from interpreter.compiler.lowering.effects import Effects
from interpreter.compiler.lowering.expressions import ExprLowering
from interpreter.compiler.lowering.module_builder import ModuleBuilder
from interpreter.compiler.lowering.most_ways import MOST, most
from interpreter.compiler.lowering.move_forms import Form
from interpreter.compiler.lowering.move_lister import Lister, chosen_numbers
from interpreter.compiler.lowering.names import (
    AT,
    COUNT,
    DEPTH,
    ENTRIES,
    FAILED,
    LENGTH_SO_FAR,
    MOVE,
    MOVER_NAME,
    POSITION,
    SEED,
    VALUES_SO_FAR,
    WAY,
    WORK,
)
from interpreter.compiler.lowering.suppositions import suppose
from interpreter.compiler.lowering.writer import Writer

_LEAST_CHAIN, _MOST_CHAIN = 60, 200
"""Bounds of the room for the values of a move that goes on step by step, which can have a value for each cell."""
_LISTING: Final = (POSITION, MOVER_NAME, ENTRIES, COUNT, WORK)
"""The parameters of functions that list moves."""


def _chosen(choice: hir.Choice) -> Sort | None:
    """The sort of the values that a choice gives."""
    return CELL if choice.domain.sort == CELLS else getattr(choice.domain.sort, "element", None)


@attrs.define
class _Plan:
    """How the choices of a last stage are divided into loops, a set and fixed lists."""

    loops: tuple[hir.Choice, ...]
    last: hir.Choice | None
    low: int
    lists: tuple[tuple[int, ...], ...]


@attrs.frozen
class _Drawn:
    """The set that a rule's moves are drawn from, with their number."""

    cells: ir.Name
    many: ir.Name
    plan: _Plan
    is_cells: bool
    """Whether `cells` is a set of cells; else it is one of numbers."""

    @property
    def listed(self) -> int:
        """The number of combinations of values from the fixed lists."""
        return prod(map(len, self.plan.lists))


class Moves:
    """Writes the functions of a game's move rules."""

    def __init__(self, program: ModuleBuilder) -> None:
        self.program = program
        self.sets, self.rules = program.sets, program.rules
        self.forms: list[Form] = []
        self.functions: dict[str, ir.Function] = {}
        self.prefix = 1
        """The most values of an entry."""
        self.length = 1
        """The most values of a move."""
        self.scratch = 2
        """The most rows that the functions work on; the first two belong to other functions."""
        self.most_chain = max(_LEAST_CHAIN, min(program.board.size + 8, _MOST_CHAIN))
        """The most values of a move that goes on step by step."""
        self.tails: list[tuple[int, str]] = []
        """The rules whose moves can be drawn choice by choice, with the functions that list how their moves go on."""
        self.tried: list[ContinuationDraw] = []
        """The same with functions that try one way to go on, if all of these rules have one; then `tails` is empty."""
        self._onward: dict[tuple[int, int, bool, int], str] = {}
        self._acting: dict[tuple[int, int], str] = {}
        self.names = [program.tables.name(f"rule_{rule.name}")[5:] for rule in self.rules.moves]

    def form(self, form: Form) -> int:
        """The number of a form of entries, which is added where it is new."""
        if form not in self.forms:
            self.forms.append(form)
        return self.forms.index(form)

    @property
    def listed(self) -> list[hir.Move]:
        """The rules whose moves are listed, in the order of the functions that list them."""
        return [rule for rule in self.rules.moves if not rule.is_step]

    @property
    def chains(self) -> bool:
        """Whether some move goes on step by step."""
        return any(isinstance(part, hir.Proceed) for rule in self.rules.moves for part in hir.walk(rule.body))

    @property
    def _has_steps(self) -> bool:
        """Whether there are rules that only continue moves."""
        return any(rule.is_step for rule in self.rules.moves)

    # ---- listing

    def write(self, *, asking: bool) -> list[str]:
        """Write the functions that list each rule's moves, or (asking) tell whether it has one; return their names."""
        calls = []
        for number, rule in enumerate(self.rules.moves):
            if rule.is_step:
                continue
            name = f"{'can' if asking else 'moves'}_{self.names[number]}"
            terms = self._terms(_LISTING)
            writer = terms.writer
            without = ir.FALSE if asking else COUNT
            if rule.when is not None:
                condition = terms.test(rule.when)
                if condition != ir.TRUE:
                    writer.add(ir.If(negated(condition), (ir.Return(without),)))
            if not asking and any(isinstance(part, hir.Proceed) for part in hir.walk(rule.body)):
                writer.assign(VALUES_SO_FAR, element(ENTRIES, minus(call("len", ENTRIES, gives=ir.INT), 2)))
            lister = Lister(self, terms, number, asking)
            lister.stage(rule.choices, rule.body, [], depth=expr(2))
            writer.give(without)
            doc = f"{'Whether there is a move' if asking else 'Add the moves'} of the rule {rule.name}."
            parameters = (POSITION, MOVER_NAME, WORK) if asking else _LISTING
            self.functions[name] = ir.Function(name, parameters, without.sort, doc, writer.body, span=rule.span)
            calls.append(name)
        return calls

    def split(self) -> tuple[list[str], int] | None:
        """Write the functions that draw moves choice by choice.

        Returns the names of the functions that list first choices, and the most ways in which a move can go on; None
        where moves cannot be drawn like this, or it would not pay.
        """
        program = self.program
        if self.chains or self.rules.illegal or self._has_steps or (
                self.rules.has_chance or self.rules.has_precedence or self.rules.ranking is not None):
            return None
        if any(isinstance(part, hir.Then) and part.condition is not None
               for rule in self.rules.moves for part in hir.walk(rule.body)):
            return None
        bounds = []
        for rule in self.rules.moves:
            last = rule.body[-1] if rule.body else None
            if isinstance(last, hir.Then):
                choices: tuple[hir.Choice, ...] = ()
                while isinstance(last, hir.Then):
                    choices += last.choices
                    last = last.body[-1] if last.body else None
                bounds.append(most(choices, program))
        if not bounds or not 1 <= max(bounds) <= MOST:
            return None
        calls, split = [], []
        for number, rule in enumerate(self.rules.moves):
            last = rule.body[-1] if rule.body else None
            if not isinstance(last, hir.Then):
                calls.append(f"moves_{self.names[number]}")
                continue
            name = f"heads_{self.names[number]}"
            terms = self._terms(_LISTING)
            writer = terms.writer
            if rule.when is not None:
                writer.add(ir.If(negated(terms.test(rule.when)), (ir.Return(COUNT),)))
            Lister(self, terms, number, False, heads=True).final(rule.choices, [])
            writer.give(COUNT)
            self.functions[name] = ir.Function(
                name, _LISTING, ir.INT, f"Add the first choices of the rule {rule.name}.", writer.body, span=rule.span)
            calls.append(name)
            split.append((number, rule, last))
        tried = [continuation_draw(self, *parts) for parts in split]
        self.tried = [result for result in tried if result is not None]
        if len(self.tried) < len(split):
            self.tried.clear()
            for parts in split:
                self._write_tails(*parts)
        return calls, max(bounds)

    def direct(self) -> tuple[ir.Statement, ...] | None:
        """The statements that draw a move without listing, where each rule's moves are one set; else None."""
        rules = self.rules
        if self.chains or rules.illegal or rules.passing is not None or rules.pies or (
                self._has_steps or rules.has_chance or rules.has_precedence or rules.ranking is not None):
            return None
        plans = []
        for rule in rules.moves:
            plan = self.divided(rule.choices)
            if plan.loops or plan.last is None or (rule.body and isinstance(rule.body[-1], hir.Then)):
                return None
            plans.append(plan)
        terms = self._terms((POSITION, SEED, MOVE))
        writer = terms.writer
        writer.assign(MOVER_NAME, player_to_move())
        result = [self._drawn_from(terms, rule, plan) for rule, plan in zip(rules.moves, plans, strict=True)]
        total = writer.fresh("total")
        writer.assign(total, reduce(plus, [drawn.many for drawn in result[1:]], expr(result[0].many)))
        writer.add(ir.If(compared(total, "==", 0), (ir.Return(ir.Tuple((SEED, ir.FALSE))),)))
        writer.assign(SEED, call("stir", SEED, gives=ir.WORD))
        writer.assign(WAY, call("below", call("scramble", SEED, gives=ir.WORD), total, gives=ir.INT))
        for number, drawn in enumerate(result):
            last = number == len(result) - 1
            if not last:
                writer.open_if(compared(WAY, "<", drawn.many))
            self._draw(writer, number, drawn)
            if not last:
                writer.close()
                writer.update(WAY, "-", drawn.many)
        return writer.body

    def _drawn_from(self, terms: ExprLowering, rule: hir.Move, plan: _Plan) -> _Drawn:
        """Compute the set that a rule's moves are drawn from, and count its moves."""
        writer, choice = terms.writer, plan.last
        assert choice is not None
        is_cells = choice.domain.sort == CELLS
        nothing = self.sets.nothing if is_cells else NO_BITS
        cells, count = writer.fresh("set", nothing.sort), writer.fresh("many")
        condition = ir.TRUE if rule.when is None else terms.test(rule.when)
        if condition != ir.TRUE:
            writer.assign(cells, nothing)
            writer.open_if(condition)
        if is_cells:
            binding = hir.Binding(choice.slots[0], choice.names[0], choice.domain, choice.guard)
            whole = hir.Comprehension(binding, sort=CELLS, span=choice.span)
            writer.assign(cells, terms.cells(whole if choice.guard is not None else choice.domain))
        else:
            writer.assign(cells, chosen_numbers(terms, choice, plan.low))
        if condition != ir.TRUE:
            writer.close()
        drawn = _Drawn(cells, count, plan, is_cells)
        size = self.sets.count(cells) if is_cells else popcount(cells)
        writer.assign(count, size if drawn.listed == 1 else times(size, drawn.listed))
        return drawn

    def _draw(self, writer: Writer, number: int, drawn: _Drawn) -> None:
        """Store the move that has the number `WAY` among those of a rule, and return."""
        plan, listed = drawn.plan, drawn.listed
        writer.assign(element(MOVE, 0), number)
        writer.assign(element(MOVE, 1), 1 + len(plan.lists))
        place = WAY if listed == 1 else binary("//", WAY, listed)
        picked = self.sets.pick(drawn.cells, place) if drawn.is_cells else call(
            "nth", drawn.cells, place, gives=ir.INT)
        writer.assign(element(MOVE, 2), plus(picked, plan.low) if plan.low else picked)
        left = listed
        for at, choices in enumerate(plan.lists, start=3):
            left //= len(choices)
            digit = WAY if left == 1 else binary("//", WAY, left)
            table = self.program.tables.numbers("listed", list(choices))
            writer.assign(element(MOVE, at), element(table, binary("%", digit, len(choices))))
        writer.give(ir.Tuple((SEED, ir.TRUE)))

    def _write_tails(self, number: int, rule: hir.Move, then: hir.Then) -> None:
        name = f"tails_{self.names[number]}"
        parameters = (*_LISTING, MOVE)
        terms = self._terms(parameters)
        values = self.first_choices(terms, rule)
        lister = Lister(self, terms, number, False)
        terms.row = self.carried_out(terms, number, rule.body)
        lister.stage(then.choices, then.body, values, expr(3))
        terms.writer.give(COUNT)
        self.functions[name] = ir.Function(
            name, parameters, ir.INT, f"Add the moves of the rule {rule.name} whose first choices are those in m.",
            terms.writer.body, span=rule.span)
        self.tails.append((number, name))

    def _terms(self, parameters: Sequence[ir.Name]) -> ExprLowering:
        """The lowering of the terms of a function with some parameters."""
        names = [parameter.name for parameter in parameters]
        return ExprLowering(self.program, Writer(names))

    def first_choices(self, terms: ExprLowering, rule: hir.Move) -> list[ir.Expr]:
        """Read a rule's first choices from a move, and bind them; return their names."""
        values: list[ir.Expr] = []
        for choice in rule.choices:
            names: list[ir.Expr] = []
            for slot, wish in zip(choice.slots, choice.names, strict=True):
                name = terms.writer.let(wish, element(MOVE, 2 + len(values)))
                terms.bound[slot] = Bound(name, sort=_chosen(choice))
                values.append(name)
                names.append(name)
            suppose(terms, names, choice)
        return values

    def carried_out(self, terms: ExprLowering, number: int, body: Sequence[hir.Effect]) -> ir.Name:
        """Carry out the effects of a first stage on a copy of the position; return the copy's name."""
        return Lister(self, terms, number, False).copied(expr(2), body)

    def divided(self, choices: Sequence[hir.Choice]) -> _Plan:
        """Divide the choices of a last stage into those to loop over, the one left as a set, and fixed lists."""
        rest = list(choices)
        lists: list[tuple[int, ...]] = []
        probe = ExprLowering(self.program, Writer())
        while rest:
            choice = rest[-1]
            values = self._fixed_list(probe, choice)
            if values is None:
                break
            lists.insert(0, values)
            rest.pop()
        if rest and len(rest[-1].slots) == 1:
            low = self._low(rest[-1])
            if low is not None:
                return _Plan(tuple(rest[:-1]), rest[-1], low, tuple(lists))
        if not rest and lists and len(choices[0].slots) == 1 and choices[0].domain.sort == CELLS:
            return _Plan((), choices[0], 0, tuple(lists[1:]))
        return _Plan(tuple(rest), None, 0, tuple(lists))

    def _fixed_list(self, probe: ExprLowering, choice: hir.Choice) -> tuple[int, ...] | None:
        """The values of a choice from a constant list; None where they are not constant, or may be none at all."""
        if choice.guard is not None or len(choice.slots) != 1:
            return None
        if isinstance(choice.domain, hir.Listing):
            return choice.domain.values or None
        if choice.domain.sort == CELLS:
            return self.sets.members_of(probe.constant_cells(choice.domain) or 0) or None
        return None

    def _low(self, choice: hir.Choice) -> int | None:
        """The value that bit 0 of a choice's set stands for; None where its values cannot be a set."""
        if choice.domain.sort == CELLS:
            return 0
        if isinstance(choice.domain, hir.Numbers):
            low, high = choice.domain.low.sort, choice.domain.high.sort
            if isinstance(low, Integer) and isinstance(high, Integer) and high.high - low.low < 64:
                return low.low
        if isinstance(choice.domain, hir.Listing):
            values = choice.domain.values
            if list(values) == list(range(values[0], values[0] + len(values))) and len(values) <= 64:
                return values[0]
        return None

    def onward(self, proceed: hir.Proceed, asking: bool, root: int) -> str:
        """The name of the function that lists the ways in which a move goes on, which is written on first use."""
        key = proceed.rule, len(proceed.given), asking, root
        if key in self._onward:
            return self._onward[key]
        name = f"go_on_{self.names[proceed.rule]}_{len(proceed.given)}_from_{root}"
        self._onward[key] = name
        rule = self.rules.moves[proceed.rule]
        given = [named_number(f"given_{index}") for index in range(len(proceed.given))]
        parameters = (*_LISTING, VALUES_SO_FAR, DEPTH, LENGTH_SO_FAR, *given)
        terms = self._terms(parameters)
        writer = terms.writer
        lister = Lister(self, terms, root, asking, chain=True)
        most, stop = self.most_chain, (ir.Return(COUNT),)
        too_deep = compared(plus(DEPTH, 1), ">=", 2 + most)
        too_long = compared(plus(LENGTH_SO_FAR, len(rule.choices) + 2), ">=", most)
        failure = self.program.failure(f"moves of more than {most} values")
        writer.add(ir.If(any_of([too_deep, too_long]), (ir.Assign(element(POSITION, FAILED), as_word(failure)), *stop)))
        for choice, local in zip(rule.choices, given, strict=False):
            sort = _chosen(choice)
            terms.bound[choice.slots[0]] = Bound(local, sort=sort)
            chosen = hir.Local(choice.slots[0], local.name, sort=sort or CELL, span=choice.span)
            writer.add(ir.If(negated(conditions.is_in(terms, chosen, choice.domain)), stop))
            if choice.guard is not None:
                writer.add(ir.If(negated(terms.test(choice.guard)), stop))
        lister.stage(rule.choices[len(given):], rule.body, [], depth=DEPTH)
        writer.give(COUNT)
        doc = f"Add the ways in which a move goes on by the rule {rule.name}."
        self.functions[name] = ir.Function(name, parameters, ir.INT, doc, writer.body, span=rule.span)
        return name

    # ---- acting

    def write_acts(self) -> list[str]:
        """Write the functions that carry out each rule's moves; return their names."""
        names = []
        for number, rule in enumerate(self.rules.moves):
            name = f"do_{self.names[number]}"
            parameters = (POSITION, MOVER_NAME, MOVE)
            terms = self._terms(parameters)
            self._act(terms, rule.choices, rule.body, expr(2))
            self.functions[name] = ir.Function(
                name, parameters, ir.NOTHING, f"Carry out a move of the rule {rule.name}.", terms.writer.body,
                span=rule.span)
            names.append(name)
        if self.rules.ranking is not None:  # entries are rebuilt with all values of a move
            self.prefix = max(self.prefix, self.length)
        return names

    def _act(self, terms: ExprLowering, choices: Sequence[hir.Choice], body: Sequence[hir.Effect], start: ir.Expr,
             count: int = 0) -> None:
        """Carry out a stage whose values begin at the place `start` of the move; `count` of them are already taken."""
        writer = terms.writer

        def place() -> ir.Expr:
            first = known(start)
            return plus(start, count) if first is None else expr(first + count)

        for choice in choices:
            values = []
            for slot, wish in zip(choice.slots, choice.names, strict=True):
                value = writer.let(wish, element(MOVE, place()))
                terms.bound[slot] = Bound(value, sort=_chosen(choice))
                values.append(value)
                count += 1
            suppose(terms, values, choice)
        Effects(terms).block(body)
        last = body[-1] if body else None
        if isinstance(last, hir.Then):
            if last.condition is None:
                self._act(terms, last.choices, last.body, start, count)
            else:  # the number of values of the move tells whether it held
                with writer.when(compared(place(), "<", plus(element(MOVE, 1), 2))):
                    self._act(terms, last.choices, last.body, start, count)
        elif isinstance(last, hir.Proceed):
            self.length = self.most_chain
            given = [terms.bound_value(local.slot) for local in last.given]
            with writer.when(compared(place(), "<", plus(element(MOVE, 1), 2))):
                name = self._acting_on(last)
                writer.evaluate(call(name, POSITION, MOVER_NAME, MOVE, as_number(place()), *given, gives=ir.INT))
        self.length = max(self.length, (known(start) or 0) + count - 2)

    def _acting_on(self, proceed: hir.Proceed) -> str:
        key = proceed.rule, len(proceed.given)
        if key not in self._acting:
            name = f"go_on_doing_{self.names[proceed.rule]}_{len(proceed.given)}"
            self._acting[key] = name
            rule = self.rules.moves[proceed.rule]
            given = [named_number(f"given_{index}") for index in range(len(proceed.given))]
            parameters = (POSITION, MOVER_NAME, MOVE, AT, *given)
            terms = self._terms(parameters)
            for choice, local in zip(rule.choices, given, strict=False):
                terms.bound[choice.slots[0]] = Bound(local, sort=_chosen(choice))
            self._act(terms, rule.choices[len(given):], rule.body, AT)
            terms.writer.give(0)
            self.functions[name] = ir.Function(
                name, parameters, ir.INT, f"Go on with a move by the rule {rule.name}.", terms.writer.body,
                span=rule.span)
        return self._acting[key]

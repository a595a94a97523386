"""Lowering move rules: functions that list the moves, tell whether there is one, and carry one out.

Moves are listed as entries: the values of the first choices, and the set that the last choice is made from; choices
after it from fixed lists are left out. So a rule like `place(c in empty)` is one entry whatever the board's size, and a
move drawn at random is an entry drawn by its number of moves, then a cell of its set: nothing is listed that is not
looked at. The last three rows of the entries' array are for the functions' own use.
`interpreter.semantics.engine.Engine.candidates` says which moves there are, and in which order.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack
from math import prod

import attrs

from dsl import hir
from dsl.resolve.sorts import CELL, CELLS, Integer, Sort
from interpreter.kernel import conditions, fixed
from interpreter.kernel.dependence import Bound
from interpreter.kernel.effects import Effects
from interpreter.kernel.excluding import excludes
from interpreter.kernel.program import Program
from interpreter.kernel.splitting import MOST, most
from interpreter.kernel.terms import Terms
from interpreter.kernel.trying import Trial, trial
from interpreter.kernel.writer import Writer, text_of

TO_ENTRY = ("e = 0", "while k >= E[e, 1]:", "    k -= E[e, 1]", "    e += 1")
"""The lines that turn the number `k` of a move among all into its entry `e` and its number there."""
_LEAST_CHAIN, _MOST_CHAIN = 60, 200
"""A move that goes on step by step can have a value for each cell; there is room for so many at least and at most."""
FORM, MANY, LENGTH, VALUES = 0, 1, 2, 3
"""Where an entry has its form, its number of moves, how many values it gives, and the first of these."""


@attrs.frozen
class Form:
    """What entries of a kind leave to choose: from a set of cells or numbers from `low` on, then from fixed lists."""

    rule: int
    has_set: bool = False
    low: int = 0
    lists: tuple[tuple[int, ...], ...] = ()
    is_head: bool = False
    """Whether it is only the first choices of moves whose other choices depend on what these do."""

    @property
    def listed(self) -> int:
        """How many ways the fixed lists give."""
        many = 1
        for values in self.lists:
            many *= len(values)
        return many


def _chosen(choice: hir.Choice) -> Sort | None:
    """The sort of the values that a choice gives."""
    return CELL if choice.domain.sort == CELLS else getattr(choice.domain.sort, "element", None)


@attrs.define
class _Plan:
    """How the choices of a last stage are divided."""

    loops: tuple[hir.Choice, ...]
    last: hir.Choice | None
    low: int
    lists: tuple[tuple[int, ...], ...]


class Moves:
    """Writes the functions of a game's move rules."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.sets, self.rules = program.sets, program.rules
        self.forms: list[Form] = []
        self.functions: dict[str, str] = {}
        self.prefix = 1
        """How many values entries give at most."""
        self.length = 1
        """How many values moves have at most."""
        self.scratch = 2
        self.most_chain = max(_LEAST_CHAIN, min(program.board.size + 8, _MOST_CHAIN))
        """How many values a move has at most that goes on step by step."""
        """How many rows the functions work on at most, the first two being others'."""
        self.tails: list[tuple[int, str]] = []
        """The rules that can be drawn choice by choice, with the functions that list how their moves go on."""
        self.tried: list[Trial] = []
        """The same with the functions that try one way to go on, where all of these rules have one; then tails are not
        needed."""
        self._onward: dict[tuple[int, int, bool, int], str] = {}
        self._acting: dict[tuple[int, int], str] = {}
        self.names = [program.tables.name(f"rule_{rule.name}")[5:] for rule in self.rules.moves]

    def form(self, form: Form) -> int:
        """The number of a form of entries."""
        if form not in self.forms:
            self.forms.append(form)
        return self.forms.index(form)

    @property
    def chains(self) -> bool:
        """Whether some move goes on step by step."""
        return any(isinstance(part, hir.Proceed) for rule in self.rules.moves for part in hir.walk(rule.body))

    # ---- listing

    def write(self, *, asking: bool) -> list[str]:
        """Write the functions that list each rule's moves, or (asking) that tell whether it has one; their calls."""
        calls = []
        for number, rule in enumerate(self.rules.moves):
            name = f"{'can' if asking else 'moves'}_{self.names[number]}"
            writer = Writer(("S", "mover", "E", "n", "X"), self.program.tables.used)
            terms = Terms(self.program, writer)
            if number and not asking and self.program.passes.exclusion and all(
                    excludes(earlier.when, rule, self.program.shapes) for earlier in self.rules.moves[:number]):
                with writer.block("if n > 0:"):
                    writer.line("return n")
            if rule.when is not None:
                condition = terms.test(rule.when)
                if condition != "True":
                    with writer.block(f"if not {condition}:"):
                        writer.line("return False" if asking else "return n")
            if not asking and any(isinstance(part, hir.Proceed) for part in hir.walk(rule.body)):
                writer.line("V = E[len(E) - 2]")
            lister = _Lister(self, terms, number, asking)
            lister.stage(rule.choices, rule.body, [], depth="2")
            writer.line("return False" if asking else "return n")
            doc = f"{'Whether there is a move' if asking else 'Add the moves'} of the rule {rule.name}."
            parameters = "S, mover, X" if asking else "S, mover, E, n, X"
            self.functions[name] = text_of(name, parameters, doc, writer.lines)
            calls.append(name)
        return calls

    def split(self) -> tuple[list[str], int] | None:
        """Write the functions by which moves can be drawn choice by choice; the calls that list first choices, and the
        most ways in which a move can go on. None where that cannot be done or would not pay."""
        program = self.program
        if not program.passes.splitting or self.chains or self.rules.illegal:
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
            writer = Writer(("S", "mover", "E", "n", "X"), program.tables.used)
            terms = Terms(program, writer)
            if rule.when is not None:
                with writer.block(f"if not {terms.test(rule.when)}:"):
                    writer.line("return n")
            _Lister(self, terms, number, False, heads=True)._final(rule.choices, [])
            writer.line("return n")
            self.functions[name] = text_of(name, "S, mover, E, n, X", f"Add the first choices of the rule {rule.name}.",
                                           writer.lines)
            calls.append(name)
            split.append((number, rule, last))
        tried = [trial(self, *parts) for parts in split]
        self.tried = [found for found in tried if found is not None]
        if len(self.tried) < len(split):
            self.tried.clear()
            for parts in split:
                self._write_tails(*parts)
        return calls, max(bounds)

    def direct(self) -> list[str] | None:
        """The lines that draw a move of rules whose moves are a set each, without listing; None where some are not."""
        program, rules = self.program, self.rules
        if not program.passes.splitting or self.chains or rules.illegal or rules.passing is not None or rules.pies:
            return None
        plans = []
        for rule in rules.moves:
            plan = self.divided(rule.choices)
            if plan.loops or plan.last is None or (rule.body and isinstance(rule.body[-1], hir.Then)):
                return None
            plans.append(plan)
        writer = Writer(("S", "seed", "m"), program.tables.used)
        terms = Terms(program, writer)
        writer.line("mover = number(S[TO_MOVE]) ^ number(S[SEATS])")
        found = []
        for rule, plan in zip(rules.moves, plans, strict=True):
            choice = plan.last
            assert choice is not None
            cells, many = writer.fresh("set"), writer.fresh("many")
            is_cells = choice.domain.sort == CELLS
            condition = "True" if rule.when is None else terms.test(rule.when)
            if condition != "True":
                writer.line(f"{cells} = {self.sets.nothing if is_cells else 'EMPTY'}")
                writer.open(f"if {condition}:")
            if is_cells:
                binding = hir.Binding(choice.slots[0], choice.names[0], choice.domain, choice.guard)
                whole = hir.Comprehension(binding, sort=CELLS, span=choice.span)
                writer.line(f"{cells} = {terms.cells(whole if choice.guard is not None else choice.domain)}")
            else:
                values = writer.fresh("values")
                writer.line(f"{values} = EMPTY")
                with terms.choosing(choice) as value:
                    writer.line(f"{values} |= ONE << {value if not plan.low else f'({value} - {plan.low})'}")
                writer.line(f"{cells} = {values}")
            if condition != "True":
                writer.close()
            listed = prod(map(len, plan.lists))
            size = self.sets.count(cells) if is_cells else f"popcount({cells})"
            writer.line(f"{many} = {size if listed == 1 else f'{size} * {listed}'}")
            found.append((cells, many, plan, is_cells, listed))
        writer.line(f"total_ = {' + '.join(many for _, many, *_ in found)}")
        with writer.block("if total_ == 0:"):
            writer.line("return seed, False")
        writer.line("seed = stir(seed)")
        writer.line("k = below(scramble(seed), total_)")
        for number, (cells, many, plan, is_cells, listed) in enumerate(found):
            if number < len(found) - 1:
                writer.open(f"if k < {many}:")
            writer.line(f"m[0] = {number}")
            writer.line(f"m[1] = {1 + len(plan.lists)}")
            place = "k" if listed == 1 else f"k // {listed}"
            picked = self.sets.pick(cells, place) if is_cells else f"nth({cells}, {place})"
            writer.line(f"m[2] = {picked}{f' + {plan.low}' if plan.low else ''}")
            left = listed
            for at, choices in enumerate(plan.lists, start=3):
                left //= len(choices)
                table = self.program.tables.table("listed", list(choices))
                digit = "k" if left == 1 else f"k // {left}"
                writer.line(f"m[{at}] = {table}[{digit} % {len(choices)}]")
            writer.line("return seed, True")
            if number < len(found) - 1:
                writer.close()
                writer.line(f"k -= {many}")
        return writer.lines

    def _write_tails(self, number: int, rule: hir.Move, then: hir.Then) -> None:
        name = f"tails_{self.names[number]}"
        writer = Writer(("S", "mover", "E", "n", "X", "m"), self.program.tables.used)
        terms = Terms(self.program, writer)
        values = self.first_choices(terms, rule)
        lister = _Lister(self, terms, number, False)
        terms.row = self.carried_out(terms, number, rule.body)
        lister.stage(then.choices, then.body, values, "3")
        writer.line("return n")
        self.functions[name] = text_of(name, "S, mover, E, n, X, m",
                                       f"Add the moves of the rule {rule.name} whose first choices are those in m.",
                                       writer.lines)
        self.tails.append((number, name))

    def first_choices(self, terms: Terms, rule: hir.Move) -> list[str]:
        """Take a rule's first choices from a move; their names."""
        values: list[str] = []
        for choice in rule.choices:
            names = []
            for slot, wish in zip(choice.slots, choice.names, strict=True):
                name = terms.writer.fresh(wish)
                terms.writer.line(f"{name} = m[{2 + len(values)}]")
                terms.bound[slot] = Bound(name, sort=_chosen(choice))
                values.append(name)
                names.append(name)
            terms.contents.note(terms, names, choice)
        return values

    def carried_out(self, terms: Terms, number: int, body: Sequence[hir.Effect]) -> str:
        """Carry out the effects of a first stage on a copy of the position; the copy's name."""
        return _Lister(self, terms, number, False)._copied("2", body)

    def divided(self, choices: Sequence[hir.Choice]) -> _Plan:
        """Which choices of a last stage are gone through, which is left as a set, and which as fixed lists."""
        rest = list(choices)
        lists: list[tuple[int, ...]] = []
        probe = Terms(self.program, Writer())
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

    def _fixed_list(self, probe: Terms, choice: hir.Choice) -> tuple[int, ...] | None:
        """The values of a choice that is always the same; None where it is not, or may be none at all."""
        if choice.guard is not None or len(choice.slots) != 1:
            return None
        if isinstance(choice.domain, hir.Listing):
            return choice.domain.values or None
        if choice.domain.sort == CELLS:
            place = fixed.fixed_place(probe, choice.domain)
            if isinstance(place, int) and place:
                return self.sets.members_of(place)
        return None

    def _low(self, choice: hir.Choice) -> int | None:
        """What the first bit of the set of a choice stands for; None where a set will not do."""
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
        """The function that lists the ways in which a move goes on."""
        key = proceed.rule, len(proceed.given), asking, root
        if key in self._onward:
            return self._onward[key]
        name = f"go_on_{self.names[proceed.rule]}_{len(proceed.given)}_from_{root}"
        self._onward[key] = name
        rule = self.rules.moves[proceed.rule]
        given = [f"given_{place}" for place in range(len(proceed.given))]
        parameters = ("S", "mover", "E", "n", "X", "V", "depth", "length", *given)
        typed = ", ".join(f"{local}: Int" if local in given else local for local in parameters)
        writer = Writer(parameters, self.program.tables.used)
        terms = Terms(self.program, writer)
        lister = _Lister(self, terms, root, asking, chain=True)
        most = self.most_chain
        with writer.block(f"if depth + 1 >= {2 + most} or length + {len(rule.choices) + 2} >= {most}:"):
            writer.line(f"S[FAILED] = word({self.program.failure(f'moves of more than {most} values')})")
            writer.line("return n")
        for choice, local in zip(rule.choices, given, strict=False):
            sort = _chosen(choice)
            terms.bound[choice.slots[0]] = Bound(local, sort=sort)
            element = hir.Local(choice.slots[0], local, sort=sort or CELL, span=choice.span)
            terms_test = conditions.is_in(terms, element, choice.domain)
            with writer.block(f"if not {terms_test}:"):
                writer.line("return n")
            if choice.guard is not None:
                with writer.block(f"if not {terms.test(choice.guard)}:"):
                    writer.line("return n")
        lister.stage(rule.choices[len(given):], rule.body, [], depth="depth")
        writer.line("return n")
        self.functions[name] = text_of(name, typed,
                                       f"Add the ways in which a move goes on by the rule {rule.name}.", writer.lines)
        return name

    # ---- acting

    def write_acts(self) -> list[str]:
        """Write the functions that carry out each rule's moves; their names."""
        names = []
        for number, rule in enumerate(self.rules.moves):
            name = f"do_{self.names[number]}"
            writer = Writer(("S", "mover", "m"), self.program.tables.used)
            writer.steady = False
            terms = Terms(self.program, writer)
            self._act(terms, rule.choices, rule.body, 2)
            self.functions[name] = text_of(name, "S, mover, m", f"Carry out a move of the rule {rule.name}.",
                                           writer.lines)
            names.append(name)
        return names

    def _act(self, terms: Terms, choices: Sequence[hir.Choice], body: Sequence[hir.Effect], place: int,
             start: str = "") -> None:
        """Write the effects of a stage whose values stand from a place of the move on."""
        writer = terms.writer
        for choice in choices:
            values = []
            for slot, wish in zip(choice.slots, choice.names, strict=True):
                value = writer.fresh(wish)
                writer.line(f"{value} = m[{f'{start} + {place}' if start else place}]")
                terms.bound[slot] = Bound(value, sort=_chosen(choice))
                values.append(value)
                place += 1
            terms.contents.note(terms, values, choice)
        Effects(terms).block(body)
        last = body[-1] if body else None
        if isinstance(last, hir.Then):
            self._act(terms, last.choices, last.body, place, start)
        elif isinstance(last, hir.Proceed):
            self.length = self.most_chain
            given = [terms.bound[local.slot].name for local in last.given]
            here = f"{start} + {place}" if start else str(place)
            with writer.block(f"if {here} < m[1] + 2:"):
                name = self._acting_on(last)
                writer.line(f"{name}({', '.join(['S', 'mover', 'm', f'number({here})', *given])})")
        self.length = max(self.length, place - 2)

    def _acting_on(self, proceed: hir.Proceed) -> str:
        key = proceed.rule, len(proceed.given)
        if key not in self._acting:
            name = f"go_on_doing_{self.names[proceed.rule]}_{len(proceed.given)}"
            self._acting[key] = name
            rule = self.rules.moves[proceed.rule]
            given = [f"given_{place}" for place in range(len(proceed.given))]
            parameters = ("S", "mover", "m", "at", *given)
            typed = ", ".join(f"{local}: Int" if local in given else local for local in parameters)
            writer = Writer(parameters, self.program.tables.used)
            writer.steady = False
            terms = Terms(self.program, writer)
            for choice, local in zip(rule.choices, given, strict=False):
                terms.bound[choice.slots[0]] = Bound(local, sort=_chosen(choice))
            self._act(terms, rule.choices[len(given):], rule.body, 0, "at")
            writer.line("return 0")
            self.functions[name] = text_of(name, typed,
                                           f"Go on with a move by the rule {rule.name}.", writer.lines)
        return self._acting[key]


class _Lister:
    """Writes the nested loops that list the moves of one rule."""

    def __init__(self, moves: Moves, terms: Terms, rule: int, asking: bool, *, chain: bool = False,
                 heads: bool = False) -> None:
        self.heads = heads
        self.moves, self.terms, self.rule, self.asking, self.chain = moves, terms, rule, asking, chain
        self.writer, self.sets = terms.writer, terms.sets

    def stage(self, choices: Sequence[hir.Choice], body: Sequence[hir.Effect], values: list[str],
              depth: str) -> None:
        """The choices of a stage, then those after it."""
        last = body[-1] if body else None
        if isinstance(last, hir.Then):
            self._further(choices, body, last, values, depth)
        elif isinstance(last, hir.Proceed):
            self._going_on(choices, body, last, values, depth)
        else:
            self._final(choices, values)

    def _looped(self, stack: ExitStack, choices: Sequence[hir.Choice], values: list[str]) -> list[str]:
        """Open the loops of some choices."""
        values = list(values)
        for choice in choices:
            stack.enter_context(self.terms.choosing(choice))
            names = [self.terms.bound[slot].name for slot in choice.slots]
            self.terms.contents.note(self.terms, names, choice)
            values += names
        return values

    def _copied(self, depth: str, body: Sequence[hir.Effect]) -> str:
        """Carry out a stage's effects on a copy of the position; the copy's name."""
        row = self.writer.fresh("T")
        self.writer.line(f"{row} = X[{depth}]")
        width = self.moves.program.layout.position + 1
        place = self.writer.fresh("k")
        with self.writer.block(f"for {place} in range({width}):", loop=True):
            self.writer.line(f"{row}[{place}] = {self.terms.row}[{place}]")
        steady = self.writer.steady
        self.writer.steady = False
        before, self.terms.row = self.terms.row, row
        known = [dict(block.known) for block in self.writer._blocks]
        Effects(self.terms).block(body)
        for block, old in zip(self.writer._blocks, known, strict=False):
            block.known.update({key: name for key, name in old.items()
                                if isinstance(key, tuple) and key[0] == before})
        self.writer.steady = steady
        return row

    def _further(self, choices: Sequence[hir.Choice], body: Sequence[hir.Effect], then: hir.Then,
                 values: list[str], depth: str) -> None:
        with ExitStack() as stack:
            values = self._looped(stack, choices, values)
            before = self.terms.row
            held = dict(self.terms.contents.holding)
            row = self._copied(depth, body)
            deeper = str(int(depth) + 1) if depth.isdigit() else f"{depth} + 1"
            self.moves.scratch = max(self.moves.scratch, int(deeper) if deeper.isdigit() else 0)
            # What is computed on the copy must not move before the loops around it.
            self.writer._blocks[-1].names.add(row)
            self.stage(then.choices, then.body, values, deeper)
            self.terms.row = before
            self.terms.contents.holding = held

    def _going_on(self, choices: Sequence[hir.Choice], body: Sequence[hir.Effect],
                  proceed: hir.Proceed, values: list[str], depth: str) -> None:
        writer, moves = self.writer, self.moves
        moves.scratch = max(moves.scratch, 2 + moves.most_chain)
        moves.prefix = moves.most_chain
        with ExitStack() as stack:
            values = self._looped(stack, choices, values)
            if self.asking:
                writer.line("return True")
                return
            before = self.terms.row
            base = "length" if self.chain else "0"
            for place, value in enumerate(values):
                writer.line(f"V[{base} + {place}] = {value}" if self.chain else f"V[{place}] = {value}")
            row = self._copied(depth, body)
            given = [self.terms.bound[local.slot].name for local in proceed.given]
            size = f"length + {len(values)}" if self.chain else str(len(values))
            name = moves.onward(proceed, False, self.rule)
            earlier = writer.fresh("earlier")
            writer.line(f"{earlier} = n")
            # No constants: Numba would make a function of its own for them, which its cache cannot link.
            places = f"number({depth} + 1)", f"number({size})"
            writer.line(f"n = {name}({', '.join([row, 'mover', 'E', 'n', 'X', 'V', *places, *given])})")
            with writer.block(f"if {row}[FAILED] != EMPTY:"):
                writer.line(f"{self.terms.failing}[FAILED] = {row}[FAILED]")
                writer.line("return n")
            if not proceed.may_stop:
                writer.open(f"if n == {earlier}:")
            self._push(values, Form(self.rule), "")
            if not proceed.may_stop:
                writer.close()
            self.terms.row = before

    def _final(self, choices: Sequence[hir.Choice], values: list[str]) -> None:
        """The last choices of a move: some are gone through, the last is left as a set."""
        plan = self.moves.divided(choices)
        writer, terms = self.writer, self.terms
        with ExitStack() as stack:
            values = self._looped(stack, plan.loops, values)
            if plan.last is None:
                if self.asking:
                    writer.line("return True")
                else:
                    self._push(values, Form(self.rule, lists=plan.lists, is_head=self.heads), "")
                return
            choice = plan.last
            slot, name = choice.slots[0], choice.names[0]
            if choice.domain.sort == CELLS:
                binding = hir.Binding(slot, name, choice.domain, choice.guard)
                if self.asking and choice.guard is not None and terms.at_once(binding) is None:
                    stack.enter_context(terms.each(binding))
                    writer.line("return True")
                    return
                whole = hir.Comprehension(binding, sort=CELLS, span=choice.span)
                cells = terms.name(terms.cells(whole if choice.guard is not None else choice.domain), "cells")
                if self.asking:
                    with writer.block(f"if {self.sets.some(cells)}:"):
                        writer.line("return True")
                    return
                self._push(values, Form(self.rule, True, 0, plan.lists, self.heads), cells)
                return
            if self.asking:
                stack.enter_context(terms.choosing(choice))
                writer.line("return True")
                return
            found = writer.fresh("values")
            writer.line(f"{found} = EMPTY")
            with terms.choosing(choice) as value:
                place = value if not plan.low else f"({value} - {plan.low})"
                writer.line(f"{found} |= ONE << {place}")
            self._push(values, Form(self.rule, True, plan.low, plan.lists, self.heads), found, numbers=True)

    def _push_set(self, found: str) -> None:
        """Write the lines that put a set of more words than one into an entry."""
        if self.sets.wide:
            self.writer.line(f"write(E[n], CHOICE, {found})")
            return
        for part in range(self.sets.words):
            self.writer.line(f"E[n, CHOICE + {part}] = number({found}[{part}])")

    def _push(self, values: list[str], form: Form, found: str, *, numbers: bool = False) -> None:
        """Write the lines that add an entry."""
        writer, moves = self.writer, self.moves
        number = moves.form(form)
        if not self.chain:
            moves.prefix = max(moves.prefix, len(values))
        many = str(form.listed)
        if found:
            size = f"popcount({found})" if numbers else self.sets.count(found)
            count = writer.fresh("many")
            writer.line(f"{count} = {size}")
            writer.open(f"if {count} > 0:")
            many = count if form.listed == 1 else f"{count} * {form.listed}"
        with writer.block("if n >= len(E) - 3:"):
            writer.line("S[FAILED] = word(1)")
            writer.line("return n")
        writer.line(f"E[n, {FORM}] = {number}")
        writer.line(f"E[n, {MANY}] = {many}")
        if self.chain:
            writer.line(f"E[n, {LENGTH}] = length + {len(values)}")
            place_before = writer.fresh("k")
            with writer.block(f"for {place_before} in range(length):", loop=True):
                writer.line(f"E[n, {VALUES} + {place_before}] = V[{place_before}]")
            for place, value in enumerate(values):
                writer.line(f"E[n, {VALUES + place} + length] = {value}")
        else:
            writer.line(f"E[n, {LENGTH}] = {len(values)}")
            for place, value in enumerate(values):
                writer.line(f"E[n, {VALUES + place}] = {value}")
        if found:
            if numbers or self.sets.words == 1:
                writer.line(f"E[n, CHOICE] = number({found})")
                if self.sets.words > 1:
                    other = writer.fresh("other")
                    with writer.block(f"for {other} in range(1, {self.sets.words}):", loop=True):
                        writer.line(f"E[n, CHOICE + {other}] = 0")
            else:
                self._push_set(found)
        writer.line("n += 1")
        if found:
            writer.close()


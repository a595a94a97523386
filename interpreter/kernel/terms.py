"""Lowering terms: each becomes a Python expression of a kernel's text, with the lines that must stand before it.

`Terms.value` gives numbers (cells, players, ...; nothing is -1), `Terms.test` conditions, `Terms.cells` sets. What
`interpreter.evaluate` says they mean, these must mean. Terms that depend on nothing but the board and one or two bound
values become tables, filled by the interpreter.

Long because every form of term has its method here, and they call each other.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise, product

from dsl import meaning
from dsl.dispatch import dispatched
from dsl.sorts import (
    BOOLEAN,
    CELL,
    CELLS,
    NETWORK,
    NOTHING,
    Integer,
    Sort,
)
from interpreter.errors import RuleError
from interpreter.kernel.dependence import MOVER, Bound, depends_on, free_slots, shape_of
from interpreter.kernel.errors import NotLowered
from interpreter.kernel.layout import NO_NUMBER
from interpreter.kernel.loops import Letting, Looping
from interpreter.kernel.program import Program
from interpreter.kernel.ranges import values_of
from interpreter.kernel.sights import sight, sight_of
from interpreter.kernel.whole import Whole
from interpreter.kernel.writer import Writer

_MOST_COMPUTED = 20_000
"""Tables are filled for so many combinations of bound values at most."""
_MUCH = 9
"""Numbers and conditions of so many parts are looked up as well."""
_MOST_TABLE = 120_000
"""Tables have so many words at most: Numba does not keep what uses larger ones (a million bytes) on disk."""


class Terms:
    """Lowers the terms of one function of a kernel."""

    def __init__(self, program: Program, writer: Writer, *, row: str = "S", mover: str = "mover") -> None:
        self.program = program
        self.writer = writer
        self.sets = program.sets
        self.rules, self.board, self.layout = program.rules, program.board, program.layout
        self.row = row
        """The name of the row that holds the position."""
        self.mover = mover
        """The text of who moves."""
        self.failing = row
        """The row in which a failure is noted; the function's own, also where it works on a copy."""
        self.holding: dict[str, str] = {}
        """For names of cells the piece that is known to stand there: its number, or the text of the mover's."""
        self.filled: set[str] = set()
        """Names of cells on which something is known to stand."""
        self.facts: dict[meaning.Term, str] = {}
        """The same of cells that a choice's condition tells of, such as `c.south`; until something changes."""
        self.different: set[frozenset[str]] = set()
        """Pairs of names that are known to be different cells."""
        self.after_moves = False
        """Whether the function is asked after every move, so that it can look at what changed since it was asked."""
        self.bound: dict[int, Bound] = {}
        self.networks: dict[int, meaning.Term] = {}
        """The networks that parameters of definitions stand for."""

    # ---- what others call

    def name(self, text: str, wish: str) -> str:
        """A name for a value: the text itself where it is one."""
        if text.isidentifier() or _is_number(text):
            return text
        name = self.writer.fresh(wish)
        self.writer.line(f"{name} = {text}")
        return name

    def fail(self, code: str, condition: str = "") -> None:
        """Note that a rule failed, if a condition holds; the interpreter then says how."""
        line = f"{self.failing}[FAILED] = word({self.program.failure(code)})"
        if condition:
            with self.writer.block(f"if {condition}:"):
                self.writer.line(line)
        else:
            self.writer.line(line)

    def none_of(self, sort: Sort) -> str:
        """What stands for none among values of a sort."""
        return "NO_NUMBER" if isinstance(sort, Integer) else "-1"

    def may_be_none(self, term: meaning.Term) -> bool:
        """Whether a value may be none."""
        match term:
            case meaning.Local(slot=slot):
                return slot in self.bound and self.bound[slot].may_be_none
            case meaning.Literal(value=value):
                return value is None
            case meaning.Variable(number=number):
                return self.rules.variables[number].or_none
            case meaning.IfElse(yes=yes, no=no):
                return self.may_be_none(yes) or self.may_be_none(no)
            case meaning.Let(slot=slot, value=value, body=body):
                before = self.bound.get(slot)
                self.bound[slot] = Bound("", self.may_be_none(value))
                found = self.may_be_none(body)
                if before is None:
                    del self.bound[slot]
                else:
                    self.bound[slot] = before
                return found
            case meaning.Apply(function="cell", arguments=(row, column)):
                board = self.board
                return not (self._below(row, board.row_count) and self._below(column, board.column_count)
                            and board.row_count * board.column_count == board.size)
            case meaning.Apply(function="step" | "side" | "facing"):
                return True
            case meaning.Apply(function="piece", arguments=(cell,)):
                return self.may_be_none(cell)
        return False

    def _below(self, term: meaning.Term, limit: int) -> bool:
        """Whether a number is plainly from 0 to below a limit."""
        sort = term.sort
        if isinstance(term, meaning.Local) and term.slot in self.bound:
            sort = self.bound[term.slot].sort or sort
        return isinstance(sort, Integer) and sort.low >= 0 and sort.high < limit and not self.may_be_none(term)

    def known(self, term: meaning.Term) -> str:
        """A value that must not be none; a failure is noted when it is."""
        text = self.value(term)
        if not self.may_be_none(term) or term.sort == BOOLEAN:
            return text
        text = self.name(text, "value")
        self.fail("G406", f"{text} == {self.none_of(term.sort)}")
        return text

    def _hooked(self, term: meaning.Term) -> str | None:
        """The call of a hook that takes the place of a definition; None where there is none."""
        if term.used is None or term.used.name not in self.program.defined:
            return None
        arguments = [self.cells(part) if part.sort == CELLS else self.value(part) for part in term.used.arguments]
        return f"{self.program.defined[term.used.name]}({', '.join([self.row, self.mover, *arguments])})"

    def value(self, term: meaning.Term, sort: Sort | None = None) -> str:
        """The text of a number; `sort` says whose none a bare none is."""
        if term.used is not None and (hooked := self._hooked(term)) is not None:
            return hooked
        if term.sort == BOOLEAN and not isinstance(term, (meaning.Local, meaning.Variable, meaning.Literal)):
            return f"(1 if {self.test(term)} else 0)"
        if isinstance(term, meaning.Literal):
            if term.value is None:
                return self.none_of(sort or term.sort)
            return str(int(term.value))
        table = self._tabled(term, lambda value: self._number(value, sort or term.sort))
        if table is not None:
            return table
        return self._shared(term, "x", lambda: self._value(term, sort))

    def _number(self, value: object, sort: Sort) -> int:
        if value is None:
            return NO_NUMBER if isinstance(sort, Integer) else -1
        assert isinstance(value, int)
        return int(value)

    def test(self, term: meaning.Term) -> str:
        """The text of a condition."""
        if term.used is not None and (hooked := self._hooked(term)) is not None:
            return hooked
        match term:
            case meaning.Literal(value=value):
                return "True" if value else "False"
            case meaning.Local() | meaning.Variable():
                return f"({self.value(term)} > 0)"
        table = self._tabled(term, lambda value: int(bool(value)))
        if table is not None:
            return {"1": "True", "0": "False"}.get(table, f"({table} != 0)")
        return self._shared(term, "test", lambda: self._test(term))

    def _called(self, term: meaning.Term) -> str:
        """What a set is called in the text."""
        match term:
            case meaning.CellsOf(pieces=(piece,)):
                name = self.rules.pieces[piece].name if piece else "empty"
                return name if name.isidentifier() else "held"
            case meaning.CellsOf(pieces=pieces) if len(pieces) == len(self.rules.pieces) - 1 and 0 not in pieces:
                return "occupied"
            case meaning.Owned(mine=mine):
                return "mine" if mine else "theirs"
        return "cells"

    def note(self, names: Sequence[str], choice: meaning.Choice) -> None:
        """Note what is known of cells that were chosen: what stands there, and which are different."""
        if not self.program.passes.contents or choice.domain.sort != CELLS:
            return
        piece = self._all_hold(choice.domain)
        guards = choice.guard.operands if isinstance(choice.guard, meaning.All) else (choice.guard,)
        for guard in guards:
            if isinstance(guard, meaning.Contains) and guard.element.sort == CELL and guard.collection.sort == CELLS:
                there = self._all_hold(guard.collection)
                if there is not None:
                    self.facts[guard.element] = there
        for name in names:
            if piece is not None:
                self.holding[name] = piece
            if self._never_empty(choice.domain):
                self.filled.add(name)
            self.different |= {frozenset((name, other)) for other in names if other != name}
            domain = choice.domain
            while isinstance(domain, meaning.SetArithmetic) and domain.operator == "-":
                if isinstance(domain.right, meaning.CellSet):
                    self.different |= {frozenset((name, self.bound[item.slot].name)) for item in domain.right.items
                                       if isinstance(item, meaning.Local) and item.slot in self.bound}
                domain = domain.left

    def _all_hold(self, term: meaning.Term) -> str | None:
        """The piece that stands on every cell of a set; None where that is not known."""
        match term:
            case meaning.CellsOf(pieces=(piece,)):
                return str(piece)
            case meaning.Owned(mine=True) if not self.mover.isdigit():
                own = self.program.evaluator.own
                steps = {after[0] - before[0] for before, after in pairwise(own) if before and after}
                if all(len(pieces) == 1 for pieces in own) and steps == {1}:
                    return f"({own[0][0]} + {self.mover})"
            case meaning.SetArithmetic(operator="-", left=left):
                return self._all_hold(left)
            case meaning.SetArithmetic(operator="and", left=left, right=right):
                return self._all_hold(left) or self._all_hold(right)
            case meaning.Comprehension(binding=binding):
                return self._all_hold(binding.domain)
        return None

    def _never_empty(self, term: meaning.Term) -> bool:
        """Whether something stands on every cell of a set."""
        match term:
            case meaning.CellsOf(pieces=pieces):
                return 0 not in pieces
            case meaning.Owned():
                return True
            case meaning.SetArithmetic(operator="-", left=left):
                return self._never_empty(left)
            case meaning.SetArithmetic(operator="and", left=left, right=right):
                return self._never_empty(left) or self._never_empty(right)
            case meaning.Comprehension(binding=binding):
                return self._never_empty(binding.domain)
        return False

    def recall(self, name: str, term: meaning.Term) -> None:
        """Give a name for a cell what a choice's condition tells of the cell."""
        if term in self.facts and name not in self.holding:
            self.holding[name] = self.facts[term]

    def put_on(self, name: str, piece: str) -> None:
        """Note that a piece was put on a cell; what was known of cells that may be the same is forgotten."""
        self.facts.clear()
        before = self.holding.get(name)
        for other, there in list(self.holding.items()):
            apart = frozenset((name, other)) in self.different or (there == "0" and name in self.filled) or (
                before is not None and there != before and _is_certain(before) and _is_certain(there) and (
                    "0" in (before, there) or (before.isdigit() and there.isdigit())))
            if other != name and not apart:
                del self.holding[other]
            elif other != name:
                self.different.add(frozenset((name, other)))
        self.filled.discard(name)
        self.holding[name] = piece

    def cells(self, term: meaning.Term) -> str:
        """The text of a set of cells."""
        if term.used is not None and (hooked := self._hooked(term)) is not None:
            return hooked
        if isinstance(term, meaning.Local):
            return self.bound[term.slot].name
        fixed = self.fixed_cells(term)
        if fixed is not None:
            return fixed
        return self._shared(term, self._called(term), lambda: self._cells(term))

    # ---- tables

    def _values_of(self, slot: int) -> range | None:
        """The values that a bound name can have, none left out; None where that is not known or there are too many."""
        if slot == MOVER:
            return range(len(self.rules.players))
        bound = self.bound.get(slot)
        found = None if bound is None else values_of(bound.sort, self.rules, self.board)
        return None if found is None or len(found) > _MOST_COMPUTED else found

    def _computed(self, term: meaning.Term, most: int) -> tuple[list[int], list[range], list[object]] | None:
        """The slots of a fixed term, their values, and the term's value for each combination."""
        if isinstance(term, (meaning.Local, meaning.Role, meaning.Literal)) or not self.program.passes.tables:
            return None
        slots = depends_on(term, self.program.dependence)
        if slots is None or len(slots) > 2:
            return None
        order = sorted(slots)
        ranges, nones = [], set()
        for slot in order:
            found = self._values_of(slot)
            if found is None or not found:
                return None
            if slot in self.bound and self.bound[slot].may_be_none:
                if isinstance(self.bound[slot].sort, Integer):
                    return None
                nones.add(slot)
                found = range(-1, found.stop)
            ranges.append(found)
        many = 1
        for values in ranges:
            many *= len(values)
        if many > most:
            return None
        key = id(term), tuple(ranges)
        if key not in self.program.computed:
            self.program.computed[key] = (term, self._evaluated(term, order, ranges, nones))
        results = self.program.computed[key][1]
        return None if results is None else (order, ranges, results)

    def _evaluated(self, term: meaning.Term, order: list[int], ranges: list[range],
                   nones: set[int]) -> list[object] | None:
        slots = meaning.slots_of(term) + 1 + max(order, default=0)
        function = self.program.evaluator.compile(term)
        table = self.program.bare_table()
        values = []
        try:
            for combination in product(*ranges):
                bound: list[int | None] = [None] * slots
                table.mover = 0
                for slot, value in zip(order, combination, strict=True):
                    if slot == MOVER:
                        table.mover = value
                    else:
                        bound[slot] = None if value == -1 and slot in nones else value
                values.append(function(table, bound))
        except (RuleError, IndexError, TypeError, ValueError):
            return None
        return values

    def _index(self, order: list[int], ranges: list[range]) -> str:
        text = ""
        for slot, values in zip(order, ranges, strict=True):
            own = self.mover if slot == MOVER else self.bound[slot].name
            if values.start:
                own = f"({own} - {values.start})" if values.start > 0 else f"({own} + {-values.start})"
            text = own if not text else f"{text} * {len(values)} + {own}"
        return text

    def _tabled(self, term: meaning.Term, number: Callable[[object], int]) -> str | None:
        """The text of a fixed number or condition as a table's entry; None where the term is simpler or not fixed."""
        if isinstance(term, meaning.Apply) and term.function in ("step", "coordinate_row", "coordinate_column"):
            return None
        found = self._computed(term, _MOST_COMPUTED)
        if found is None:
            return None
        order, ranges, values = found
        numbers = [number(value) for value in values]
        if all(value == numbers[0] for value in numbers):
            return str(numbers[0]) if numbers[0] >= 0 else f"({numbers[0]})"
        if ranges and not _takes_long(term) and sum(1 for _ in meaning.walk(term)) < _MUCH:
            return None
        table = self.program.tables.table(_wish(term), numbers)
        return f"{table}[{self._index(order, ranges)}]"

    def fixed_cells(self, term: meaning.Term) -> str | None:
        """The text of a fixed set; None where the term is not fixed."""
        place = self.fixed_place(term)
        if place is None:
            return None
        if isinstance(place, int):
            return self.sets.constant(place, _wish(term)) if place else self.sets.nothing
        return self._shared(term, _wish(term), lambda: self.sets.of_table(*place))

    def fixed_place(self, term: meaning.Term) -> int | tuple[str, str] | None:
        """A constant set, or the table of sets and the index in it; None where a term is not fixed."""
        if isinstance(term, meaning.Region):
            return self.board.regions[term.name]
        found = self._computed(term, min(_MOST_COMPUTED, _MOST_TABLE // self.sets.words))
        if found is None:
            return None
        order, ranges, values = found
        sets = [value if isinstance(value, int) else 0 for value in values]
        if all(cells == sets[0] for cells in sets):
            return sets[0]
        return self.sets.table(_wish(term), sets), self._index(order, ranges)

    # ---- values used again

    def key(self, term: meaning.Term) -> tuple[object, ...]:
        """By what the writer knows the value of a term here."""
        shape, slots = shape_of(term, self.program.shapes)
        mover = self.mover if MOVER in free_slots(term, self.program.free) else ""
        return self.row, shape, (mover, *(
            (self.bound[slot].name or slot) if slot in self.bound else slot for slot in slots))

    def _shared(self, term: meaning.Term, wish: str, make: Callable[[], str]) -> str:
        """The value of a term: computed before loops it does not depend on, and once for all its uses there."""
        if not self.program.passes.sharing or isinstance(
                term, (meaning.Local, meaning.Role, meaning.Literal, meaning.Only)):
            return make()
        key = self.key(term)
        known = self.writer.known(key)
        if known is not None:
            return known
        if not self._worth(term):
            return make()
        if self._may_fail(term):  # computed here, where the rules ask for it, and used again only from here on
            name = self.writer.fresh(wish)
            self.writer.line(f"{name} = {make()}")
            self.writer.know(key, name)
            return name
        names = {self.row, *(text for text in key[2] if isinstance(text, str))}  # type: ignore[attr-defined]
        with self.writer.outside(names):
            text = make()
            if text.isidentifier() and text.isupper():
                return text
            name = self.writer.fresh(wish)
            self.writer.line(f"{name} = {text}")
            self.writer.know(key, name)
        return name

    def _worth(self, term: meaning.Term) -> bool:
        """Whether a value is worth a name: sets and what takes a loop are."""
        if term.sort == CELLS:
            return not isinstance(term, meaning.CellSet) or len(term.items) > 1
        return any(isinstance(part, (meaning.Quantified, meaning.Aggregate)) or (
            isinstance(part, meaning.Apply) and part.function in ("joined", "line", "distance", "count", "loop",
                                                                  "spans")) for part in meaning.walk(term))

    def _may_fail(self, term: meaning.Term) -> bool:
        """Whether a rule may fail in a term, so that it must not be computed where the rules do not ask for it."""
        bound: dict[int, bool] = {}
        for part in meaning.walk(term):
            if isinstance(part, meaning.Let):
                bound[part.slot] = not self._surely_some(part.value, bound)
        for part in meaning.walk(term):
            if isinstance(part, meaning.Only):
                return True
            if isinstance(part, meaning.Variable) and (self.rules.variables[part.number].or_none or (
                    part.index is not None and not (self._surely_some(part.index, bound) and self._fits(part)))):
                return True
            if isinstance(part, meaning.Apply) and part.function in (
                    "degree", "coordinate_row", "coordinate_column") and not isinstance(
                    part.arguments[0], meaning.Local):
                return True
            if isinstance(part, meaning.Apply) and part.function in ("side", "facing"):
                return True
        return False

    def _surely_some(self, term: meaning.Term, bound: dict[int, bool]) -> bool:
        """Whether a value is plainly one; `bound` tells of parameters inside a term whether they may be none."""
        if isinstance(term, meaning.Local):
            return not bound.get(term.slot, False) and not self.may_be_none(term)
        return isinstance(term, (meaning.Role, meaning.Literal, meaning.NamedCell)) and not self.may_be_none(term)

    def _fits(self, variable: meaning.Variable) -> bool:
        """Whether an index that is plainly a value is in its variable's range."""
        index = variable.index
        assert index is not None
        sort = index.sort
        if isinstance(index, meaning.Local) and index.slot in self.bound and self.bound[index.slot].sort is not None:
            sort = self.bound[index.slot].sort or sort
        size = self.program.variable(variable.number)[1]
        return not isinstance(sort, Integer) or (sort.low >= 0 and sort.high < size)

    # ---- numbers

    @dispatched
    def _value(self, term: meaning.Term, sort: Sort | None) -> str:
        raise NotLowered(f"a value of {type(term).__name__}")

    @_value.register
    def _(self, term: meaning.NamedCell, sort: Sort | None) -> str:
        cell = self.board.cell_named(term.name)
        return "-1" if cell is None else str(cell)

    @_value.register
    def _(self, term: meaning.Local, sort: Sort | None) -> str:
        return self.bound[term.slot].name

    @_value.register
    def _(self, term: meaning.Role, sort: Sort | None) -> str:
        if self.mover.isdigit():
            return self.mover if term.name == "mover" else str(1 - int(self.mover))
        return self.mover if term.name == "mover" else f"(1 - {self.mover})"

    @_value.register
    def _(self, term: meaning.OwnPiece, sort: Sort | None) -> str:
        player, pieces = self.known(term.player), term.pieces
        if player.isdigit():
            return str(pieces[int(player)])
        steps = {after - before for before, after in pairwise(pieces)}
        if len(steps) == 1:
            step = steps.pop()
            scaled = player if step == 1 else f"{step} * {player}"
            return f"({pieces[0]} + {scaled})"
        return f"{self.program.tables.table('own', list(pieces))}[{player}]"

    @_value.register
    def _(self, term: meaning.Variable, sort: Sort | None) -> str:
        return f"number({self.row}[{self.place(term.number, term.index)}])"

    def place(self, number: int, index: meaning.Term | None) -> str:
        """The text of where a variable's value stands in a row."""
        start, size = self.program.variable(number)
        if index is None:
            return str(start)
        at = self.value(index)
        if _is_number(at):
            return str(start + int(at))
        if self._out_of_range(index, size):
            at = self.name(at, "at")
            self.fail("G403", f"{at} < 0 or {at} >= {size}")
            safe = self.writer.fresh("at")
            self.writer.line(f"{safe} = {at} if 0 <= {at} < {size} else 0")
            at = safe
        return f"{start} + {at}"

    def _out_of_range(self, index: meaning.Term, size: int) -> bool:
        if self.may_be_none(index):
            return True
        sort = self.bound[index.slot].sort if isinstance(index, meaning.Local) else index.sort
        return isinstance(sort, Integer) and not (sort.low >= 0 and sort.high < size)

    @_value.register
    def _(self, term: meaning.Only, sort: Sort | None) -> str:
        found, many = self.writer.fresh(term.binding.name), self.writer.fresh("many")
        self.writer.line(f"{found} = 0")
        self.writer.line(f"{many} = 0")
        with self.each(term.binding) as value:
            self._guard(term.body)
            self.writer.line(f"{found} = {value}")
            self.writer.line(f"{many} += 1")
        self.fail("G404", f"{many} != 1")
        return found

    @_value.register
    def _(self, term: meaning.Aggregate, sort: Sort | None) -> str:
        if term.kind == "count" and term.binding.domain.sort == CELLS and term.body is None:
            comprehension = meaning.Comprehension(term.binding, sort=CELLS, span=term.span)
            return self.sets.count(self._comprehension(comprehension))
        total = self.writer.fresh("total")
        self.writer.line(f"{total} = 0")
        first = ""
        if term.kind in ("min", "max"):
            first = self.writer.fresh("none_yet")
            self.writer.line(f"{first} = True")
        with self.each(term.binding):
            value = "1" if term.body is None else self.known(term.body)
            if term.kind in ("sum", "count"):
                self.writer.line(f"{total} += {value}")
            else:
                value = self.name(value, "value")
                sign = "<" if term.kind == "min" else ">"
                with self.writer.block(f"if {first} or {value} {sign} {total}:"):
                    self.writer.line(f"{total} = {value}")
                self.writer.line(f"{first} = False")
        return total

    @_value.register
    def _(self, term: meaning.Let, sort: Sort | None) -> str:
        with Letting(self, term):
            return self.name(self.value(term.body, sort), "x")

    def let(self, term: meaning.Let) -> None:
        """Bind the name of a definition's parameter."""
        if term.value.sort == CELLS:
            text, none = self.name(self.cells(term.value), "cells"), False
        elif term.value.sort == NETWORK:
            self.networks[term.slot] = term.value
            text, none = "", False
        else:
            text, none = self.name(self.value(term.value), "x"), self.may_be_none(term.value)
        sort = term.value.sort
        if isinstance(term.value, meaning.Local) and self.bound[term.value.slot].sort is not None:
            sort = self.bound[term.value.slot].sort or sort
        self.bound[term.slot] = Bound(text, none, None if isinstance(sort, type(NOTHING)) else sort)

    @_value.register
    def _(self, term: meaning.Arithmetic, sort: Sort | None) -> str:
        left, right = self.known(term.left), self.known(term.right)
        sign = {"div": "//", "mod": "%"}.get(term.operator, term.operator)
        return f"({left} {sign} {right})"

    @_value.register
    def _(self, term: meaning.IfElse, sort: Sort | None) -> str:
        return self._branches(term, "x", lambda part: self.value(part, sort or term.sort))

    def _branches(self, term: meaning.IfElse, wish: str, lower: Callable[[meaning.Term], str]) -> str:
        """One value or another; each is computed only where it is taken."""
        condition = self.test(term.condition)
        if condition in ("True", "False"):
            return lower(term.yes if condition == "True" else term.no)
        result = self.writer.fresh(wish)
        self.writer.open(f"if {condition}:")
        self.writer.line(f"{result} = {lower(term.yes)}")
        self.writer.otherwise()
        self.writer.line(f"{result} = {lower(term.no)}")
        self.writer.close()
        return result

    @_value.register
    def _(self, term: meaning.Apply, sort: Sort | None) -> str:
        arguments = term.arguments
        match term.function:
            case "step":
                return self.step(*arguments)
            case "coordinate_row" | "coordinate_column":
                of = self.board.row_of if term.function == "coordinate_row" else self.board.column_of
                cell = self._some_cell(arguments[0])
                return f"{self.program.tables.table(term.function[11:] + '_of', list(of))}[{cell}]"
            case "cell":
                row, column = (self.name(self.known(part), "place") for part in arguments)
                rows, columns = self.board.row_count, self.board.column_count
                table = self.program.tables.table(
                    "cell_at", [self.board.cell_at(r, k) for r in range(rows) for k in range(columns)])
                if row.isdigit() and column.isdigit():
                    return str(self.board.cell_at(int(row), int(column)))
                tests = [f"0 <= {part} < {limit}" for part, limit, of in (
                    (row, rows, arguments[0]), (column, columns, arguments[1])) if not (
                    (part.isdigit() and int(part) < limit) or self._below(of, limit))]
                if not tests:
                    return f"{table}[{row} * {columns} + {column}]"
                return f"({table}[{row} * {columns} + {column}] if {' and '.join(tests)} else -1)"
            case "degree":
                degrees = [near.bit_count() for near in self.board.neighbours]
                return f"{self.program.tables.table('degree', degrees)}[{self._some_cell(arguments[0])}]"
            case "opposite":
                half = len(self.board.directions) // 2
                return f"(({self.known(arguments[0])} + {half}) % {2 * half})"
            case "piece":
                return self.program.piece_at(self, arguments[0])
            case "count":
                return self.sets.count(self.cells(arguments[0]))
            case "abs":
                return f"abs({self.known(arguments[0])})"
            case "min" | "max":
                return f"{term.function}({', '.join(self.known(part) for part in arguments)})"
            case "side":
                piece, way = self.name(self.value(arguments[0]), "piece"), self.known(arguments[1])
                table, count = self.program.sides()
                return f"({table}[{piece} * {count} + {way}] if {piece} >= 0 else -1)"
            case "facing":
                return self.program.facing(self, arguments)
            case "distance":
                network, others = self.program.network(self, term)
                return f"{network.question('distance')}({', '.join([*network.arguments, *others])})"
        raise NotLowered(f"the function {term.function}")

    def step(self, cell: meaning.Term, direction: meaning.Term) -> str:
        """The text of the next cell in a direction, -1 for none; from none there is none."""
        origin, way = self.value(cell), self.known(direction)
        count = len(self.board.directions)
        if way.isdigit():
            return f"{self.steps_one_way(int(way))}[{origin} + 1]"
        return f"{self.sets.steps_table()}[{origin} * {count} + {way} + {count}]"

    def steps_one_way(self, way: int) -> str:
        """The name of the table of the next cells in one direction: none's first, then each cell's."""
        values = [-1, *(steps[way] for steps in self.board.steps)]
        return self.program.tables.table(self.board.directions[way], values)

    def _some_cell(self, term: meaning.Term) -> str:
        text = self.value(term)
        if not self.may_be_none(term):
            return text
        text = self.name(text, "cell")
        self.fail("G403", f"{text} < 0")
        return text

    # ---- conditions

    @dispatched
    def _test(self, term: meaning.Term) -> str:
        raise NotLowered(f"a condition of {type(term).__name__}")

    @_test.register
    def _(self, term: meaning.Not) -> str:
        text = self.test(term.operand)
        return {"True": "False", "False": "True"}.get(text, f"(not {text})")

    @_test.register
    def _(self, term: meaning.All) -> str:
        return self._chain(term.operands, "and")

    @_test.register
    def _(self, term: meaning.Any) -> str:
        return self._chain(term.operands, "or")

    def _chain(self, operands: Sequence[meaning.Term], word: str) -> str:
        """Conditions joined; those that need lines of their own are asked only where those before leave it open."""
        stop = "False" if word == "and" else "True"
        go_on = "True" if word == "and" else "False"
        texts: list[str] = []
        rest: Sequence[meaning.Term] = ()
        for place, operand in enumerate(operands):
            trial = self._alone(operand)
            if trial is None:
                rest = operands[place:]
                break
            if trial == stop:
                return stop if not texts else f"({f' {word} '.join([*texts, stop])})"
            if trial != go_on:
                texts.append(trial)
        else:
            return go_on if not texts else texts[0] if len(texts) == 1 else f"({f' {word} '.join(texts)})"
        result = self.writer.fresh("test")
        before = f" {word} ".join(texts) if texts else go_on
        if not texts:
            self.writer.line(f"{result} = {self.test(rest[0])}")
            rest = rest[1:]
        else:
            self.writer.line(f"{result} = {before}")
        opened = 0
        for operand in rest:
            self.writer.open(f"if {result}:" if word == "and" else f"if not {result}:")
            opened += 1
            self.writer.line(f"{result} = {self.test(operand)}")
        self.writer.close(opened)
        return result

    def _alone(self, operand: meaning.Term) -> str | None:
        """The text of a condition that needs no lines before it where it stands; None where it does."""
        writer = self.writer
        place, before = writer.depth, len(writer._blocks[-1].lines)
        saved = self._saved()
        text = self.test(operand)
        if writer.depth == place and len(writer._blocks[-1].lines) == before:
            return text
        self._restore(saved)
        return None

    def _saved(self) -> list[tuple[list[str], dict[object, str], set[str]]]:
        return [(list(block.lines), dict(block.known), set(block.names)) for block in self.writer._blocks]

    def _restore(self, saved: list[tuple[list[str], dict[object, str], set[str]]]) -> None:
        for block, (lines, known, names) in zip(self.writer._blocks, saved, strict=True):
            block.lines[:], block.names = lines, names
            block.known.clear()
            block.known.update(known)

    def guard(self, condition: str, leave: str = "continue") -> None:
        """Leave the loop's round unless a condition holds."""
        if condition != "True":
            with self.writer.block(f"if not {condition}:"):
                self.writer.line(leave)

    def _guard(self, term: meaning.Term | None) -> None:
        """Go on in the loop's round only where a condition holds, its parts asked one after another."""
        if term is None:
            return
        parts = term.operands if isinstance(term, meaning.All) else (term,)
        for part in parts:
            self.guard(self.test(part))

    @_test.register
    def _(self, term: meaning.IfElse) -> str:
        return self._branches(term, "test", self.test)

    @_test.register
    def _(self, term: meaning.Let) -> str:
        with Letting(self, term):
            return self.name(self.test(term.body), "test")

    @_test.register
    def _(self, term: meaning.Comparison) -> str:
        left, right = term.left, term.right
        if CELLS in (left.sort, right.sort):
            equal = self.sets.equal(self.cells(left), self.cells(right))
            return equal if term.operator == "=" else f"(not {equal})"
        sort = right.sort if left.sort == NOTHING else left.sort
        other = left.sort if right.sort == NOTHING else right.sort
        one, two = self.value(left, sort), self.value(right, other)
        if term.operator in ("=", "!="):
            return f"({one} {'==' if term.operator == '=' else '!='} {two})"
        tests = []
        if self.may_be_none(left):
            one = self.name(one, "x")
            tests.append(f"{one} != {self.none_of(sort)}")
        if self.may_be_none(right):
            two = self.name(two, "x")
            tests.append(f"{two} != {self.none_of(other)}")
        return f"({' and '.join([*tests, f'{one} {term.operator} {two}'])})"

    @_test.register
    def _(self, term: meaning.Contains) -> str:
        return self.is_in(term.element, term.collection)

    def is_in(self, element: meaning.Term, collection: meaning.Term) -> str:
        """Whether an element is in a collection."""
        match collection:
            case meaning.Listing(values=values):
                value = self.name(self.value(element), "x")
                return f"({' or '.join(f'{value} == {one}' for one in values) or 'False'})"
            case meaning.Numbers(low=low, high=high):
                value = self.name(self.value(element, low.sort), "x")
                return f"({self.known(low)} <= {value} <= {self.known(high)})"
        cell = self.value(element)
        if self.may_be_none(element) or not cell.isidentifier():
            cell = self.name(cell, "cell")
        test = self._cell_is_in(cell, collection)
        if test in ("True", "False") and not self.may_be_none(element):
            return test
        return f"({cell} >= 0 and {test})" if self.may_be_none(element) else test

    def _cell_is_in(self, cell: str, collection: meaning.Term) -> str:
        """Whether a cell that there is stands in a set."""
        place = self.fixed_place(collection)
        if isinstance(place, int):
            if place == self.board.everything:
                return "True"
            return self.sets.has(self.sets.constant(place, _wish(collection)), cell) if place else "False"
        if place is not None:
            return self.sets.in_table(*place, cell)
        if self.sets.words > 1:  # a row can be asked without a copy of the set
            match collection:
                case meaning.CellsOf(pieces=pieces):
                    tests = [self.sets.in_row(self.row, str(piece * self.sets.words), cell) for piece in pieces]
                    return tests[0] if len(tests) == 1 else f"({' or '.join(tests)})"
                case meaning.SetArithmetic(operator=operator, left=left, right=right) if not self.program.has_loops(
                        collection):
                    one, other = self._cell_is_in(cell, left), self._cell_is_in(cell, right)
                    return {"+": f"({one} or {other})", "and": f"({one} and {other})",
                            "-": f"({one} and not {other})"}[operator]
        return self.sets.has(self.cells(collection), cell)

    @_test.register
    def _(self, term: meaning.Exists) -> str:
        if isinstance(term.collection, meaning.Comprehension):
            binding = term.collection.binding
            return self._quantified(meaning.Quantified("some", 0, binding, None, sort=BOOLEAN, span=term.span))
        return self.sets.some(self.cells(term.collection))

    @_test.register
    def _(self, term: meaning.Quantified) -> str:
        return self._quantified(term)

    def _quantified(self, term: meaning.Quantified) -> str:
        writer = self.writer
        if self.program.passes.whole_sets and _is_one_group(term):
            cells = self.name(self.cells(term.binding.domain), "cells")
            result = writer.fresh("united")
            writer.line(f"{result} = True")
            with writer.block(f"if {self.sets.some(cells)}:"):
                reached = self.sets.flood(self.sets.single(self.sets.first(cells)), cells)
                writer.line(f"{result} = {self.sets.equal(reached, cells)}")
            return result
        if term.kind != "every":
            whole = Whole.of(self, term.binding, term.body)
            if whole is not None and term.kind in ("some", "no"):
                found = self.sets.some(whole)
                return found if term.kind == "some" else f"(not {found})"
            if whole is not None:
                sign = {"exactly": "==", "at least": ">=", "at most": "<="}[term.kind]
                return f"({self.sets.count(whole)} {sign} {term.number})"
        if term.kind in ("some", "every", "no"):
            result = writer.fresh({"some": "found", "every": "all_hold", "no": "none_holds"}[term.kind])
            writer.line(f"{result} = {term.kind != 'some'}")
            with self.each(term.binding):
                if term.kind == "every":
                    body = "True" if term.body is None else self.test(term.body)
                    writer.open(f"if not {body}:")
                    writer.line(f"{result} = False")
                    writer.line("break")
                    writer.close()
                else:
                    self._guard(term.body)
                    writer.line(f"{result} = {term.kind == 'some'}")
                    writer.line("break")
            return result
        many = writer.fresh("many")
        writer.line(f"{many} = 0")
        with self.each(term.binding):
            self._guard(term.body)
            writer.line(f"{many} += 1")
            with writer.block(f"if {many} > {term.number}:"):
                writer.line("break")
        sign = {"exactly": "==", "at least": ">=", "at most": "<="}[term.kind]
        return f"({many} {sign} {term.number})"

    @_test.register
    def _(self, term: meaning.NoMoves) -> str:
        return self.program.no_moves(self, term.anyone)

    @_test.register
    def _(self, term: meaning.Apply) -> str:
        arguments = term.arguments
        match term.function:
            case "line":
                return self.program.line(self, arguments[0], arguments[1])
            case "free" | "linked":
                return self.program.link_test(self, term)
            case "joined" if (kept := self.program.new_joined(self, term)) is not None:
                return kept
            case "joined" | "loop" | "spans":
                network, others = self.program.network(self, term)
                return network.asked(term.function, others)
        raise NotLowered(f"the condition {term.function}")

    # ---- sets

    @dispatched
    def _cells(self, term: meaning.Term) -> str:
        raise NotLowered(f"a set of {type(term).__name__}")

    def of_pieces(self, pieces: Sequence[int]) -> str:
        """The cells that hold one of some pieces."""
        if not pieces:
            return self.sets.nothing
        words = self.sets.words
        whole = len(self.rules.pieces)
        if set(pieces) == set(range(1, whole)):
            empty = self.sets.at(self.row, "0")
            return self.sets.minus(self.sets.constant(self.board.everything), empty)
        text = self.sets.at(self.row, str(pieces[0] * words))
        for piece in pieces[1:]:
            text = self.sets.either(text, self.sets.at(self.row, str(piece * words)))
        return text

    @_cells.register
    def _(self, term: meaning.CellsOf) -> str:
        return self.of_pieces(term.pieces)

    @_cells.register
    def _(self, term: meaning.CellsHolding) -> str:
        piece = self.value(term.piece)
        words = self.sets.words
        if _is_number(piece):
            return self.of_pieces((int(piece),)) if int(piece) >= 0 else self.sets.nothing
        if self.may_be_none(term.piece):
            piece = self.name(piece, "piece")
            place = f"{piece} * {words}" if words > 1 else piece
            result = self.writer.fresh("cells")
            self.writer.line(f"{result} = {self.sets.nothing}")
            with self.writer.block(f"if {piece} >= 0:"):
                self.writer.line(f"{result} = {self.sets.at(self.row, place)}")
            return result
        return self.sets.at(self.row, f"{piece} * {words}" if words > 1 else piece)

    def place_of(self, term: meaning.Term) -> str | None:
        """Where a set stands in the row, if it is what one piece has; else None."""
        words = self.sets.words
        match term:
            case meaning.CellsOf(pieces=(piece,)):
                return str(piece * words)
            case meaning.Owned(mine=mine) if not self.mover.isdigit():
                owned = self.program.evaluator.own if mine else self.program.evaluator.others
                steps = {after[0] - before[0] for before, after in pairwise(owned) if before and after}
                if all(len(pieces) == 1 for pieces in owned) and len(steps) == 1:
                    step = steps.pop() * words
                    text = f"{owned[0][0] * words} + {step} * {self.mover}"
                    return text.replace(" + 1 *", " +").replace("+ -1 *", "-").replace("+ -", "- ")
        return None

    @_cells.register
    def _(self, term: meaning.Owned) -> str:
        owned = self.program.evaluator.own if term.mine else self.program.evaluator.others
        if self.mover.isdigit():
            return self.of_pieces(owned[int(self.mover)])
        if all(pieces == owned[0] for pieces in owned):
            return self.of_pieces(owned[0])
        place = self.place_of(term)
        if place is not None:
            return self.sets.at(self.row, place)
        result = self.writer.fresh("mine" if term.mine else "theirs")
        players = len(owned)
        for player, pieces in enumerate(owned):
            if player == 0:
                self.writer.open(f"if {self.mover} == 0:")
            elif player < players - 1:
                self.writer.otherwise()
                self.writer.open(f"if {self.mover} == {player}:")
            else:
                self.writer.otherwise()
            self.writer.line(f"{result} = {self.of_pieces(pieces)}")
        self.writer.close(max(1, players - 1))
        return result

    @_cells.register
    def _(self, term: meaning.Region) -> str:
        return self.sets.constant(self.board.regions[term.name], term.name)

    @_cells.register
    def _(self, term: meaning.CellSet) -> str:
        result = ""
        for item in term.items:
            if item.sort == CELL:
                cell = self.value(item)
                if self.may_be_none(item):
                    cell = self.name(cell, "cell")
                    part = self.writer.fresh("cells")
                    self.writer.line(f"{part} = {self.sets.nothing}")
                    with self.writer.block(f"if {cell} >= 0:"):
                        self.writer.line(f"{part} = {self.sets.single(cell)}")
                else:
                    part = self.sets.single(cell)
            else:
                part = self.cells(item)
            result = part if not result else self.sets.either(result, part)
        return result or self.sets.nothing

    @_cells.register
    def _(self, term: meaning.Comprehension) -> str:
        return self._comprehension(term)

    def _comprehension(self, term: meaning.Comprehension) -> str:
        if term.binding.guard is None:
            return self.cells(term.binding.domain)
        whole = self.at_once(term.binding)
        if whole is not None:
            return whole
        result = self.writer.fresh("found")
        self.writer.line(f"{result} = {self.sets.nothing}")
        with self.each(term.binding) as value:
            self.writer.line(f"{result} = {self.sets.either(result, self.sets.single(value))}")
        return result

    def at_once(self, binding: meaning.Binding) -> str | None:
        """The set of a comprehension computed for all cells at once; None where that cannot be done."""
        return Whole.of(self, binding)

    @_cells.register
    def _(self, term: meaning.SetArithmetic) -> str:
        left = self.cells(term.left)
        right = self.cells(term.right)
        return {"+": self.sets.either, "-": self.sets.minus, "and": self.sets.both}[term.operator](left, right)

    @_cells.register
    def _(self, term: meaning.IfElse) -> str:
        return self._branches(term, "cells", self.cells)

    @_cells.register
    def _(self, term: meaning.Let) -> str:
        with Letting(self, term):
            return self.name(self.cells(term.body), "cells")

    @_cells.register
    def _(self, term: meaning.Aggregate) -> str:
        assert term.body is not None  # a union
        looked = sight_of(term) if self.program.passes.sights else None
        if looked is not None and not self.may_be_none(looked.cell):
            within = self.sets.constant(self.board.everything) if looked.within is None else self.cells(looked.within)
            text = sight(self.sets, looked.directions, self.value(looked.cell), within)
            if text is not None:
                return text
        result = self.writer.fresh("union")
        self.writer.line(f"{result} = {self.sets.nothing}")
        with self.each(term.binding):
            body = self.cells(term.body) if term.body.sort == CELLS else self.sets.single(self.value(term.body))
            self.writer.line(f"{result} = {self.sets.either(result, body)}")
        return result

    @_cells.register
    def _(self, term: meaning.Apply) -> str:
        arguments = term.arguments
        match term.function:
            case "row" | "column":
                stripes = self.board.rows if term.function == "row" else self.board.columns
                at = self.name(self.known(arguments[0]), "at")
                table = self.sets.table(term.function + "s", stripes)
                result = self.writer.fresh("stripe")
                self.writer.line(f"{result} = {self.sets.nothing}")
                with self.writer.block(f"if 0 <= {at} < {len(stripes)}:"):
                    self.writer.line(f"{result} = {self.sets.of_table(table, at)}")
                return result
            case "neighbours":
                return self.sets.neighbours(self.cells(arguments[0]))
            case "leap":
                return self._leap(arguments)
            case "ray":
                return self._ray(arguments)
            case "lines":
                length = self.known(arguments[1])
                cells = self.name(self.cells(arguments[0]), "cells")
                if not length.isdigit() or int(length) < 1:
                    return self.by_length(arguments[1], length, self.sets.nothing,
                                          lambda number: self.sets.in_lines(cells, number))
                return self.sets.in_lines(cells, int(length))
            case "linked_to":
                return self.program.linked_to(self, term)
            case "arrivals" | "ways":
                network, others = self.program.network(self, term)
                return f"{network.question(term.function)}({', '.join([*network.arguments, *others])})"
            case "group":
                if arguments[1].sort == NETWORK:
                    network, others = self.program.network(self, term)
                    return f"{network.question('reached')}({', '.join([*network.arguments, *others])})"
                return self.sets.flood(self.cells(arguments[0]), self.cells(arguments[1]))
        raise NotLowered(f"the set {term.function}")

    def by_length(self, term: meaning.Term, length: str, nothing: str, make: Callable[[int], str]) -> str:
        """What is asked of straight lines of a length that the position decides; shorter than 1, a rule fails."""
        length = self.name(length, "length")
        result = self.writer.fresh("by_length")
        self.fail("G405", f"{length} < 1")
        self.writer.line(f"{result} = {nothing}")
        longest = term.sort.high if isinstance(term.sort, Integer) else self.board.size
        for number in range(1, longest + 1):
            if not self.board.lines(number):
                break
            with self.writer.block(f"if {length} == {number}:"):
                self.writer.line(f"{result} = {make(number)}")
        return result

    def _leap(self, arguments: Sequence[meaning.Term]) -> str:
        """The cells so many rows and columns away, either way round, by numbers that the position decides."""
        sets, board, tables = self.sets, self.board, self.program.tables
        rows, columns = board.row_count, board.column_count
        row_of, column_of = tables.table("row_of", list(board.row_of)), tables.table("column_of", list(board.column_of))
        cell_at = tables.table("cell_at", [board.cell_at(r, k) for r in range(rows) for k in range(columns)])
        name = sets.function("leap_by", "c, one: Int, other: Int",
                             "The cells so many rows and columns away, either way round.", lambda: [
            f"found = {sets.nothing}", "if c < 0:", "    return found", "for k in range(8):",
            "    down = one if k < 4 else other", "    across = other if k < 4 else one",
            f"    at_row = {row_of}[c] + (down if k & 1 == 0 else -down)",
            f"    at_column = {column_of}[c] + (across if k & 2 == 0 else -across)",
            f"    if 0 <= at_row < {rows} and 0 <= at_column < {columns}:",
            f"        target = {cell_at}[at_row * {columns} + at_column]", "        if target >= 0:",
            f"            found = {sets.either('found', sets.single('target'))}", "return found"])
        cell, one, other = self.value(arguments[0]), self.known(arguments[1]), self.known(arguments[2])
        return f"{name}({cell}, {one}, {other})"

    def _ray(self, arguments: Sequence[meaning.Term]) -> str:
        cell, direction, *rest = arguments
        within = self.cells(rest[0]) if rest else self.sets.constant(self.board.everything)
        origin, way = self.value(cell), self.known(direction)
        if not self.may_be_none(cell):
            return self.sets.ray(origin, way, within)
        origin = self.name(origin, "cell")
        result = self.writer.fresh("ray_cells")
        self.writer.line(f"{result} = {self.sets.nothing}")
        with self.writer.block(f"if {origin} >= 0:"):
            self.writer.line(f"{result} = {self.sets.ray(origin, way, within)}")
        return result

    # ---- loops

    def each(self, binding: meaning.Binding) -> Looping:
        """A loop over what a name ranges over; its rounds go on where the guard holds."""
        return Looping(self, (binding.slot,), (binding.name,), binding.domain, binding.guard)

    def choosing(self, choice: meaning.Choice) -> Looping:
        """A loop over the ways to make a choice."""
        return Looping(self, choice.slots, choice.names, choice.domain, choice.guard)


def _is_one_group(term: meaning.Quantified) -> bool:
    """Whether a condition is `every c in s: no (s - group(c, s))`: that a set is connected, asked of every cell of it.

    It is enough to ask its first cell. Measured: 3 times as fast in play with a dozen men a side.
    """
    domain = term.binding.domain
    match term:
        case meaning.Quantified(
            kind="every", binding=meaning.Binding(slot=slot, guard=None),
            body=meaning.Not(operand=meaning.Exists(collection=meaning.SetArithmetic(
                operator="-", left=left, right=meaning.Apply(function="group", arguments=(start, region))))),
        ):
            if isinstance(start, meaning.CellSet) and len(start.items) == 1:
                start = start.items[0]
            return (domain.sort == CELLS and left == region == domain and isinstance(start, meaning.Local)
                    and start.slot == slot)
    return False


def _is_certain(piece: str) -> bool:
    """Whether a text says which piece it is, or that it is the mover's, which is never none."""
    return piece.isdigit() or piece.startswith("(")


def _takes_long(term: meaning.Term) -> bool:
    """Whether a number or condition is better looked up than computed."""
    return any(isinstance(part, meaning.Binding) or (isinstance(part, meaning.Term) and part.sort == CELLS)
               for part in meaning.walk(term))


def _is_number(text: str) -> bool:
    return text.lstrip("-").isdigit() or (text.startswith("(-") and text[2:-1].isdigit())


def _wish(term: meaning.Term) -> str:
    """What a table of a term's values is called."""
    match term:
        case meaning.Apply(function=function):
            return function.removeprefix("coordinate_")
        case meaning.Region(name=name):
            return name
        case meaning.Comprehension(binding=binding):
            return f"{binding.name}_where"
    return type(term).__name__.lower()


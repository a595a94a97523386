"""What terms can stand for where only part of a position is known: a cautious estimate on the board.

`Estimate` knows for each cell which pieces it may hold, for one player as the mover, and what bound names stand for.
A set of cells is estimated by the cells that are certainly in it and those that may be, a number by the range it lies
in, a condition by true, false or None, anything else by what it may be and whether it may be none. What is left out is
certainly not so: nothing is learned from variables and links. Used by `interpreter.analysis.movement`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf
from typing import Any, NamedTuple

import attrs

from dsl import hir
from dsl.checks.contents import combined, compared, negated
from dsl.dispatch import dispatched
from dsl.resolve.sorts import BOOLEAN, CELL, CELLS, DIRECTION, PIECE, PLAYER, Enumerated, Integer, Sort
from interpreter.boards import Board, mask_of, members


class Unclear(Exception):
    """Nothing is said: the rules go beyond the estimate, or there is too much to look at."""


class Some(NamedTuple):
    """One of some values (a bit mask), or perhaps none."""

    values: int
    none: bool = False

    @property
    def single(self) -> int | None:
        """The value, where it is certain."""
        return self.values.bit_length() - 1 if self.values.bit_count() == 1 and not self.none else None


class Cells(NamedTuple):
    """A set: what is certainly in it, and what may be."""

    least: int
    most: int


class Span(NamedTuple):
    """A number that lies between two, both included."""

    low: float
    high: float

    @property
    def single(self) -> int | None:
        """The number, where it is certain."""
        return int(self.low) if self.low == self.high else None


_ANY_NUMBER = Span(-inf, inf)
Value = Any  # Some, Cells, Span, bool, or None for a condition that may hold or not


@attrs.define(eq=False)
class Estimate:
    """What is known while a rule is looked at."""

    rules: hir.Rules
    board: Board
    mover: int
    left: int
    """How many terms may still be looked at."""
    may_hold: list[int] = attrs.field(factory=list)
    """For each piece (0: empty) the cells that may hold it."""
    bound: dict[int, Value] = attrs.field(factory=dict)
    """What the slots stand for."""

    def __attrs_post_init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Any cell may hold anything."""
        self.may_hold = [self.board.everything] * len(self.rules.pieces)

    def at(self, cell: int) -> int:
        """The pieces that a cell may hold, as a bit mask."""
        return mask_of(piece for piece, cells in enumerate(self.may_hold) if cells >> cell & 1)

    def put(self, cell: int, pieces: int) -> None:
        """A cell holds one of some pieces."""
        for piece, cells in enumerate(self.may_hold):
            self.may_hold[piece] = cells | 1 << cell if pieces >> piece & 1 else cells & ~(1 << cell)

    @property
    def every_piece(self) -> int:
        """All pieces, and empty."""
        return (1 << len(self.rules.pieces)) - 1

    def owned(self, mine: bool) -> int:
        """The mover's pieces, or the others'."""
        return mask_of(index for index, piece in enumerate(self.rules.pieces)
                       if index and piece.owner is not None and (piece.owner == self.mover) == mine)

    # ---- what is asked

    def truth(self, condition: hir.Expr | None) -> bool | None:
        """Whether a condition certainly holds (one that is absent does), certainly does not, or None."""
        return True if condition is None else self.of(condition)

    def cells(self, term: hir.Expr) -> Cells:
        """A set of cells, or one cell as a set."""
        value = self.of(term)
        if isinstance(value, Cells):
            return value
        return Cells(value.values if value.single is not None else 0, value.values)

    def elements(self, domain: hir.Expr) -> Iterator[tuple[Value, bool]]:
        """Each element that a set may have, and whether it certainly has it. Raises Unclear."""
        if isinstance(domain, hir.Numbers):
            low, high = self.of(domain.low), self.of(domain.high)
            if max(abs(low.low), abs(high.high)) == inf:
                raise Unclear
            for number in range(int(low.low), int(high.high) + 1):
                yield Span(number, number), low.high <= number <= high.low
            return
        value = self.of(domain)
        if not isinstance(value, Cells):
            raise Unclear
        truths = getattr(domain.sort, "element", None) == BOOLEAN
        for element in members(value.most):
            yield bool(element) if truths else Some(1 << element), bool(value.least >> element & 1)

    def bound_values(self, binding: hir.Binding) -> Iterator[tuple[Value, bool]]:
        """Bind each element that may pass the guard; it, and whether it certainly passes. Raises Unclear."""
        for value, certain in self.elements(binding.domain):
            self.bound[binding.slot] = value
            passes = self.truth(binding.guard)
            if passes is not False:
                yield value, certain and passes is True

    def held(self, term: hir.Expr, cell: int) -> int:
        """The pieces that a cell may hold if it is in a set."""
        here = self.at(cell)
        match term:
            case hir.CellsOf() | hir.Owned() | hir.CellsHolding():
                return here & self._pieces_of(term)
            case hir.SetArithmetic(operator="+", left=left, right=right):
                return self.held(left, cell) | self.held(right, cell)
            case hir.SetArithmetic(operator="and", left=left, right=right):
                return self.held(left, cell) & self.held(right, cell)
            case hir.SetArithmetic(operator="-", left=left, right=right):
                return self.held(left, cell) & ~self._excluded(right, cell)
            case hir.Comprehension(binding=binding):
                found = self.held(binding.domain, cell)
                self.bound[binding.slot] = Some(1 << cell)
                return found & self.guarded(binding.guard, cell)
            case hir.Let(slot=slot, value=value, body=body):
                self.bound[slot] = self.of(value)
                return self.held(body, cell)
            case hir.CellSet(items=items):
                found = 0
                for item in items:
                    if self.cells(item).most >> cell & 1:
                        found |= here if item.sort == CELL else self.held(item, cell)
                return found
            case hir.Apply(function="ray", arguments=(_, _, within)):
                here = self.held(within, cell)
        return here if self.cells(term).most >> cell & 1 else 0

    def guarded(self, condition: hir.Expr | None, cell: int) -> int:
        """The pieces that a cell may hold if a condition is true."""
        found = self.at(cell)
        if condition is None:
            return found
        if self.truth(condition) is False:
            return 0
        for part in condition.operands if isinstance(condition, hir.All) else (condition,):
            if isinstance(part, hir.Contains) and part.element.sort == CELL:
                element = self.of(part.element)
                if element.single == cell:
                    found &= self.held(part.collection, cell)
        return found

    def assume(self, condition: hir.Expr | None) -> bool:
        """Learn which pieces cells hold from a condition that is true; False when it certainly is not."""
        if condition is None:
            return True
        if self.truth(condition) is False:
            return False
        match condition:
            case hir.All(operands=operands):
                return all(self.assume(operand) for operand in operands)
            case hir.Let(slot=slot, value=value, body=body):
                self.bound[slot] = self.of(value)
                return self.assume(body)
            case hir.IfElse(condition=test, yes=yes, no=no):
                holds = self.truth(test)
                return True if holds is None else self.assume(yes if holds else no)
            case hir.Quantified(kind="every", binding=binding, body=body) if body is not None:
                return all(self.assume(body) for _, certain in self.bound_values(binding) if certain)
            case hir.Contains(element=element, collection=collection) if element.sort == CELL:
                cell = self.of(element).single
                return cell is None or self._narrow(cell, collection)
            case hir.Exists(collection=collection):
                most = self.cells(collection).most
                return most.bit_count() != 1 or self._narrow(most.bit_length() - 1, collection)
        return True

    def _narrow(self, cell: int, collection: hir.Expr) -> bool:
        """Learn that a cell is in a set; False when it certainly is not."""
        held = self.at(cell) & self.held(collection, cell)
        self.put(cell, held)
        return held != 0

    def _pieces_of(self, term: hir.Expr) -> int:
        """The pieces that cells of an elementary set may hold."""
        match term:
            case hir.CellsOf(pieces=pieces):
                return mask_of(pieces)
            case hir.Owned(mine=mine):
                return self.owned(mine)
            case hir.CellsHolding(piece=piece):
                return int(self.of(piece).values)
        return self.every_piece

    def _excluded(self, term: hir.Expr, cell: int) -> int:
        """The pieces with which a cell is certainly in a set."""
        match term:
            case hir.CellsOf() | hir.Owned():
                return self._pieces_of(term)
            case hir.CellsHolding(piece=piece):
                return int(self.of(piece).values) if self.of(piece).single is not None else 0
            case hir.SetArithmetic(operator="+", left=left, right=right):
                return self._excluded(left, cell) | self._excluded(right, cell)
        return self.every_piece if self.cells(term).least >> cell & 1 else 0

    def anything(self, sort: Sort) -> Value:
        """What nothing is known of. Raises Unclear where there is no such thing."""
        sizes = {CELL: self.board.size, PIECE: len(self.rules.pieces), PLAYER: len(self.rules.players),
                 DIRECTION: len(self.board.directions)}
        if isinstance(sort, Integer):
            return _ANY_NUMBER
        if sort == BOOLEAN:
            return None
        if sort == CELLS:
            return Cells(0, self.board.everything)
        if sort in sizes:
            return Some((1 << sizes[sort]) - 1, True)
        if isinstance(sort, Enumerated):
            return Some((1 << len(sort.values)) - 1, True)
        raise Unclear

    # ---- by class of term

    def of(self, term: hir.Expr) -> Value:
        """The estimate of a term. Raises Unclear."""
        self.left -= 1
        if self.left < 0:
            raise Unclear
        return self._of(term)

    @dispatched
    def _of(self, term: hir.Expr) -> Value:
        return self.anything(term.sort)

    @_of.register
    def _(self, term: hir.Literal) -> Value:
        value = term.value
        if isinstance(term.sort, Integer):
            return _ANY_NUMBER if value is None else Span(value, value)
        if term.sort == BOOLEAN:
            return None if value is None else bool(value)
        return Some(0, True) if value is None else Some(1 << value)

    @_of.register
    def _(self, term: hir.NamedCell) -> Value:
        cell = self.board.cell_named(term.name)
        return Some(0, True) if cell is None else Some(1 << cell)

    @_of.register
    def _(self, term: hir.Local) -> Value:
        return self.bound[term.slot] if term.slot in self.bound else self.anything(term.sort)

    @_of.register
    def _(self, term: hir.Role) -> Value:
        return Some(1 << (self.mover if term.name == "mover" else 1 - self.mover))

    @_of.register
    def _(self, term: hir.OwnPiece) -> Value:
        return Some(mask_of(term.pieces[player] for player in members(self.of(term.player).values)))

    @_of.register
    def _(self, term: hir.CellsOf) -> Value:
        return self._holding(self._pieces_of(term), True)

    @_of.register
    def _(self, term: hir.Owned) -> Value:
        return self._holding(self._pieces_of(term), True)

    @_of.register
    def _(self, term: hir.CellsHolding) -> Value:
        piece = self.of(term.piece)
        return self._holding(piece.values, piece.single is not None)

    def _holding(self, pieces: int, certain: bool) -> Cells:
        most = other = 0
        for piece, cells in enumerate(self.may_hold):
            if pieces >> piece & 1:
                most |= cells
            else:
                other |= cells
        return Cells(self.board.everything & ~other if certain else 0, most)

    @_of.register
    def _(self, term: hir.Region) -> Value:
        cells = self.board.regions[term.name]
        return Cells(cells, cells)

    @_of.register
    def _(self, term: hir.Listing) -> Value:
        values = mask_of(term.values)
        return Cells(values, values)

    @_of.register
    def _(self, term: hir.CellSet) -> Value:
        least = most = 0
        for item in term.items:
            cells = self.cells(item)
            least, most = least | cells.least, most | cells.most
        return Cells(least, most)

    @_of.register
    def _(self, term: hir.Comprehension) -> Value:
        least = most = 0
        for value, certain in self.bound_values(term.binding):
            most |= value.values
            if certain:
                least |= value.values
        return Cells(least, most)

    @_of.register
    def _(self, term: hir.Quantified) -> Value:
        if term.kind not in ("some", "every", "no"):
            return None
        sought = term.kind != "every"
        found: bool | None = not sought
        for _, certain in self.bound_values(term.binding):
            holds = self.truth(term.body)
            if holds is sought and certain:
                found = sought
                break
            if holds is not (not sought):
                found = None
        return None if found is None else found != (term.kind == "no")

    @_of.register
    def _(self, term: hir.Aggregate) -> Value:
        if term.kind != "union" or term.body is None:
            return self.anything(term.sort)
        least = most = 0
        for _, certain in self.bound_values(term.binding):
            cells = self.cells(term.body)
            most |= cells.most
            if certain:
                least |= cells.least
        return Cells(least, most)

    @_of.register
    def _(self, term: hir.Let) -> Value:
        self.bound[term.slot] = self.of(term.value)
        return self.of(term.body)

    @_of.register
    def _(self, term: hir.Arithmetic) -> Value:
        left, right = self.of(term.left), self.of(term.right)
        match term.operator:
            case "+":
                return Span(left.low + right.low, left.high + right.high)
            case "-":
                return Span(left.low - right.high, left.high - right.low)
        one, other = left.single, right.single
        if one is None or other is None:
            return _ANY_NUMBER
        if term.operator == "*":
            return Span(one * other, one * other)
        if not other:
            return _ANY_NUMBER
        result = one // other if term.operator == "div" else one % other
        return Span(result, result)

    @_of.register
    def _(self, term: hir.SetArithmetic) -> Value:
        left, right = self.cells(term.left), self.cells(term.right)
        match term.operator:
            case "+":
                return Cells(left.least | right.least, left.most | right.most)
            case "-":
                return Cells(left.least & ~right.most, left.most & ~right.least)
        return Cells(left.least & right.least, left.most & right.most)

    @_of.register
    def _(self, term: hir.Comparison) -> Value:
        left, right = self.of(term.left), self.of(term.right)
        if isinstance(left, Span) and isinstance(right, Span):
            return compared(term.operator, left, right)
        if not isinstance(left, Some) or not isinstance(right, Some) or term.operator not in ("=", "!="):
            return None
        same = None
        if not left.values & right.values and not (left.none and right.none):
            same = False
        elif left.single is not None and left.single == right.single:
            same = True
        return same if term.operator == "=" else negated(same)

    @_of.register
    def _(self, term: hir.Contains) -> Value:
        element, collection = self.of(term.element), None
        if not isinstance(term.collection, hir.Numbers):
            collection = self.of(term.collection)
        if not isinstance(element, Some) or not isinstance(collection, Cells):
            return None
        if not element.values & collection.most:
            return False
        return True if not element.values & ~collection.least and not element.none else None

    @_of.register
    def _(self, term: hir.Exists) -> Value:
        cells = self.cells(term.collection)
        return True if cells.least else None if cells.most else False

    @_of.register
    def _(self, term: hir.Not | hir.All | hir.Any) -> Value:
        return combined(term, self.truth)

    @_of.register
    def _(self, term: hir.IfElse) -> Value:
        condition = self.truth(term.condition)
        if condition is not None:
            return self.of(term.yes if condition else term.no)
        yes, no = self.of(term.yes), self.of(term.no)
        match yes, no:
            case Some(), Some():
                return Some(yes.values | no.values, yes.none or no.none)
            case Cells(), Cells():
                return Cells(yes.least & no.least, yes.most | no.most)
            case Span(), Span():
                return Span(min(yes.low, no.low), max(yes.high, no.high))
        return yes if yes is no else self.anything(term.sort)

    @_of.register
    def _(self, term: hir.Apply) -> Value:
        estimate = _FUNCTIONS.get(term.function)
        return self.anything(term.sort) if estimate is None else estimate(self, *term.arguments)


# ---- functions of the language


def _step(known: Estimate, cell: hir.Expr, direction: hir.Expr) -> Some:
    origin, ways = known.of(cell), known.of(direction)
    targets = [known.board.steps[place][way] for place in members(origin.values) for way in members(ways.values)]
    return Some(mask_of(target for target in targets if target >= 0), origin.none or -1 in targets)


def _coordinate(of: Callable[[Board], tuple[int, ...]]) -> Callable[[Estimate, hir.Expr], Span]:
    def estimate(known: Estimate, cell: hir.Expr) -> Span:
        numbers = of(known.board)
        found = [numbers[place] for place in members(known.of(cell).values)]
        return Span(min(found), max(found)) if found else _ANY_NUMBER

    return estimate


def _cell(known: Estimate, row: hir.Expr, column: hir.Expr) -> Some:
    at, along = known.of(row).single, known.of(column).single
    if at is None or along is None:
        return Some(known.board.everything, True)
    found = known.board.cell_at(at, along)
    return Some(0, True) if found < 0 else Some(1 << found)


def _stripe(of: Callable[[Board], tuple[int, ...]]) -> Callable[[Estimate, hir.Expr], Cells]:
    def estimate(known: Estimate, number: hir.Expr) -> Cells:
        stripes, at = of(known.board), known.of(number).single
        if at is None:
            return Cells(0, known.board.everything)
        cells = stripes[at] if 0 <= at < len(stripes) else 0
        return Cells(cells, cells)

    return estimate


def _neighbours(known: Estimate, cells: hir.Expr) -> Cells:
    near = known.board.neighbours
    found = known.cells(cells)
    least = most = 0
    for cell in members(found.most):
        most |= near[cell]
    for cell in members(found.least):
        least |= near[cell]
    return Cells(least, most)


def _ray(known: Estimate, cell: hir.Expr, direction: hir.Expr, within: hir.Expr | None = None) -> Cells:
    origin, ways = known.of(cell), known.of(direction)
    allowed = known.cells(within) if within is not None else Cells(known.board.everything, known.board.everything)
    least = most = 0
    for place in members(origin.values):
        for way in members(ways.values):
            open_yet = True
            for target in known.board.ray(place, way):
                if not allowed.most >> target & 1:
                    break
                most |= 1 << target
                open_yet = open_yet and bool(allowed.least >> target & 1)
                if open_yet:
                    least |= 1 << target
    return Cells(least if origin.single is not None and ways.single is not None else 0, most)


def _leap(known: Estimate, cell: hir.Expr, one: hir.Expr, other: hir.Expr) -> Cells:
    origin, along, across = known.of(cell), known.of(one).single, known.of(other).single
    if along is None or across is None:
        return Cells(0, known.board.everything)
    leaps, most = known.board.leaps(along, across), 0
    for place in members(origin.values):
        most |= leaps[place]
    return Cells(most if origin.single is not None else 0, most)


def _opposite(known: Estimate, direction: hir.Expr) -> Some:
    half = len(known.board.directions) // 2
    ways = known.of(direction)
    return Some(mask_of((way + half) % (2 * half) for way in members(ways.values)), ways.none)


def _piece(known: Estimate, cell: hir.Expr) -> Some:
    place, found = known.of(cell), 0
    for here in members(place.values):
        found |= known.at(here)
    return Some(found, place.none)


def _count(known: Estimate, cells: hir.Expr) -> Span:
    found = known.cells(cells)
    return Span(found.least.bit_count(), found.most.bit_count())


def _abs(known: Estimate, number: hir.Expr) -> Span:
    low, high = known.of(number)
    return Span(0 if low <= 0 <= high else min(abs(low), abs(high)), max(abs(low), abs(high)))


def _extreme(choose: Callable[[float, float], float]) -> Callable[[Estimate, hir.Expr, hir.Expr], Span]:
    def estimate(known: Estimate, one: hir.Expr, other: hir.Expr) -> Span:
        left, right = known.of(one), known.of(other)
        return Span(choose(left.low, right.low), choose(left.high, right.high))

    return estimate


_FUNCTIONS: dict[str, Callable[..., Value]] = {
    "step": _step,
    "coordinate_row": _coordinate(lambda board: board.row_of),
    "coordinate_column": _coordinate(lambda board: board.column_of),
    "cell": _cell,
    "row": _stripe(lambda board: board.rows),
    "column": _stripe(lambda board: board.columns),
    "neighbours": _neighbours,
    "ray": _ray,
    "leap": _leap,
    "opposite": _opposite,
    "piece": _piece,
    "count": _count,
    "abs": _abs,
    "min": _extreme(min),
    "max": _extreme(max),
}

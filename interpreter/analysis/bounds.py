"""Abstract interpretation on a board: bounds of expressions where only part of a position is known.

`BoardBounds` is `dsl.checks.bounds.Bounds` for rules whose board is built. It tracks which pieces each cell may hold. A
cell is `OneOf` the cells' numbers, a set of cells `CellBounds`: the cells that are certainly in it and those that may
be. `interpreter.analysis.movement` and `interpreter.analysis.unreachable` analyse rules with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import inf

import attrs

from dsl import hir
from dsl.checks.bounds import ANY_NUMBER, Bounds, CellBounds, Interval, OneOf, Place, Value, compared, either, negated
from dsl.resolve.sorts import BOOLEAN, CELL, CELLS, Integer, Sort
from interpreter.boards import Board, mask_of, members
from interpreter.model.ranges import values_of
from interpreter.words import AGGREGATIONS, CHEAPEST, CLOSURES, MEANINGS


class Unclear(Exception):
    """No bound is known: an expression is not supported, or the limit of work is reached."""


@attrs.define(eq=False)
class BoardBounds(Bounds):
    """What is known of a board while a rule is analysed; places are the numbers of cells."""

    board: Board = attrs.field(kw_only=True)
    left: int = attrs.field(kw_only=True)
    """The number of expressions that may still be evaluated."""
    may_hold: list[int] = attrs.field(factory=list)
    """For each piece (0: empty) the cells that may hold it, a bitset."""

    def __attrs_post_init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Forget the contents of all cells: any cell may hold any piece."""
        self.may_hold = [self.board.everything] * len(self.rules.pieces)

    # ---- cells

    def place(self, term: hir.Expr) -> int | None:
        """The number of the cell that an expression denotes; None where that is not certain."""
        result: int | None = self.of(term).single
        return result

    def at(self, place: Place) -> int:
        """The pieces that a cell may hold, as a bit mask."""
        assert isinstance(place, int)
        return mask_of(piece for piece, cells in enumerate(self.may_hold) if cells >> place & 1)

    def put(self, place: Place, pieces: int) -> None:
        """Set the pieces that a cell may hold."""
        assert isinstance(place, int)
        for piece, cells in enumerate(self.may_hold):
            self.may_hold[piece] = cells | 1 << place if pieces >> piece & 1 else cells & ~(1 << place)

    # ---- queries

    def cells(self, term: hir.Expr) -> CellBounds:
        """The bounds of a set of cells, or of one cell as a set."""
        value = self.of(term)
        if isinstance(value, CellBounds):
            return value
        return CellBounds(value.values if value.single is not None else 0, value.values)

    def elements(self, domain: hir.Expr) -> Iterator[tuple[Value, bool]]:
        """Each element that a set may contain, and whether it certainly does. Raises Unclear."""
        if isinstance(domain, hir.Numbers):
            low, high = self.of(domain.low), self.of(domain.high)
            if max(abs(low.low), abs(high.high)) == inf:
                raise Unclear
            for number in range(int(low.low), int(high.high) + 1):
                yield Interval(number, number), low.high <= number <= high.low
            return
        value = self.of(domain)
        if not isinstance(value, CellBounds):
            raise Unclear
        truths = getattr(domain.sort, "element", None) == BOOLEAN
        for element in members(value.most):
            yield bool(element) if truths else OneOf(1 << element), bool(value.least >> element & 1)

    def bound_values(self, binding: hir.Binding) -> Iterator[tuple[Value, bool]]:
        """Bind each element that may pass the guard in turn; yield it, and whether it certainly does. Raises Unclear.
        """
        for value, certain in self.elements(binding.domain):
            self.bound[binding.slot] = value
            passes = self.truth(binding.guard)
            if passes is not False:
                yield value, certain and passes is True

    def spread(self, start: int, slot: int, beyond: Callable[[], int]) -> int:
        """The closure of a set of cells under `beyond`, which gives the successors of the cell bound to the slot.

        Raises Unclear.
        """
        fresh, result = start, 0
        while fresh:
            result |= fresh
            reached = 0
            for cell in members(fresh):
                self.bound[slot] = OneOf(1 << cell)
                reached |= beyond()
            fresh = reached & ~result
        return result

    def _held_by_those(self, binding: hir.Binding, place: Place) -> int:
        result = self.held(binding.domain, place)
        assert isinstance(place, int)
        self.bound[binding.slot] = OneOf(1 << place)
        return result & self._guarded(binding.guard, place)

    def _guarded(self, condition: hir.Expr | None, place: int) -> int:
        """The pieces that a cell may hold if a condition is true."""
        result = self.at(place)
        if condition is None:
            return result
        if self.truth(condition) is False:
            return 0
        for part in condition.operands if isinstance(condition, hir.All) else (condition,):
            if isinstance(part, hir.Contains) and part.element.sort == CELL and self.place(part.element) == place:
                result &= self.held(part.collection, place)
        return result

    def _held_by_item(self, item: hir.Expr, place: Place) -> int:
        if not self._may_have(item, place):
            return 0
        return self.at(place) if item.sort == CELL else self.held(item, place)

    def _held_otherwise(self, term: hir.Expr, place: Place) -> int:
        return self.at(place) if self._may_have(term, place) else 0

    def _may_have(self, term: hir.Expr, place: Place) -> bool:
        """Whether a cell may be in a set."""
        assert isinstance(place, int)
        return bool(self.cells(term).most >> place & 1)

    def _excluded_otherwise(self, term: hir.Expr, place: Place) -> int:
        assert isinstance(place, int)
        return self.every_piece if self.cells(term).least >> place & 1 else 0

    def assume(self, condition: hir.Expr | None) -> bool:
        """Narrow the contents of cells by a condition assumed true; False when it is certainly false."""
        if not super().assume(condition):
            return False
        match condition:
            case hir.Let(slot=slot, value=value, body=body):
                self.bound[slot] = self.of(value)
                return self.assume(body)
            case hir.IfElse(condition=test, yes=yes, no=no):
                holds = self.truth(test)
                return True if holds is None else self.assume(yes if holds else no)
            case hir.Quantified(kind="every", binding=binding, body=body) if body is not None:
                return all(self.assume(body) for _, certain in self.bound_values(binding) if certain)
            case hir.Exists(collection=collection):
                most = self.cells(collection).most
                return most.bit_count() != 1 or self.narrow(most.bit_length() - 1, collection)
        return True

    def anything(self, sort: Sort) -> Value:
        """The bounds of an unknown value of a sort. Raises Unclear where the sort has none."""
        if isinstance(sort, Integer):
            return ANY_NUMBER
        if sort == BOOLEAN:
            return None
        if sort == CELLS:
            return CellBounds(0, self.board.everything)
        values = values_of(sort, self.rules, self.board)
        if values is None:
            raise Unclear
        return OneOf((1 << len(values)) - 1, True)

    # ---- by class of term

    def of(self, term: hir.Expr) -> Value:
        """The bounds of an expression. Raises Unclear."""
        self.left -= 1
        if self.left < 0:
            raise Unclear
        return self._of(term)

    _of = Bounds._of.extended()

    @_of.register
    def _of_named_cell(self, term: hir.NamedCell) -> Value:
        cell = self.board.cell_named(term.name)
        return OneOf(0, True) if cell is None else OneOf(1 << cell)

    @_of.register
    def _of_cells_of(self, term: hir.CellsOf) -> Value:
        return self._holding(self._pieces_of(term), True)

    @_of.register
    def _of_owned(self, term: hir.Owned) -> Value:
        return self._holding(self._pieces_of(term), True)

    @_of.register
    def _of_cells_holding(self, term: hir.CellsHolding) -> Value:
        piece = self.of(term.piece)
        return self._holding(piece.values, piece.single is not None)

    def _holding(self, pieces: int, certain: bool) -> CellBounds:
        most = other = 0
        for piece, cells in enumerate(self.may_hold):
            if pieces >> piece & 1:
                most |= cells
            else:
                other |= cells
        return CellBounds(self.board.everything & ~other if certain else 0, most)

    @_of.register
    def _of_region(self, term: hir.Region) -> Value:
        cells = self.board.regions[term.name]
        return CellBounds(cells, cells)

    @_of.register
    def _of_listing(self, term: hir.Listing) -> Value:
        values = mask_of(term.values)
        return CellBounds(values, values)

    @_of.register
    def _of_cell_set(self, term: hir.CellSet) -> Value:
        least = most = 0
        for item in term.items:
            cells = self.cells(item)
            least, most = least | cells.least, most | cells.most
        return CellBounds(least, most)

    @_of.register
    def _of_comprehension(self, term: hir.Comprehension) -> Value:
        least = most = 0
        for value, certain in self.bound_values(term.binding):
            most |= value.values
            if certain:
                least |= value.values
        return CellBounds(least, most)

    @_of.register
    def _of_quantified(self, term: hir.Quantified) -> Value:
        if term.kind not in ("some", "every", "no"):
            return None
        sought = term.kind != "every"
        result: bool | None = not sought
        for _, certain in self.bound_values(term.binding):
            holds = self.truth(term.body)
            if holds is sought and certain:
                result = sought
                break
            if holds is not (not sought):
                result = None
        return None if result is None else result != (term.kind == "no")

    @_of.register
    def _of_aggregate(self, term: hir.Aggregate) -> Value:
        return AGGREGATIONS[term.kind].bounds(self, term)

    @_of.register
    def _of_closure(self, term: hir.Closure) -> Value:
        return CLOSURES["reached"].bounds(self, term)

    @_of.register
    def _of_cheapest(self, term: hir.Cheapest) -> Value:
        return CHEAPEST.bounds(self, term)

    @_of.register
    def _of_let(self, term: hir.Let) -> Value:
        self.bound[term.slot] = self.of(term.value)
        return self.of(term.body)

    @_of.register
    def _of_arithmetic(self, term: hir.Arithmetic) -> Value:
        left, right = self.of(term.left), self.of(term.right)
        match term.operator:
            case "+":
                return Interval(left.low + right.low, left.high + right.high)
            case "-":
                return Interval(left.low - right.high, left.high - right.low)
        one, other = left.single, right.single
        if one is None or other is None:
            return ANY_NUMBER
        if term.operator == "*":
            return Interval(one * other, one * other)
        if not other:
            return ANY_NUMBER
        result = one // other if term.operator == "div" else one % other
        return Interval(result, result)

    @_of.register
    def _of_set_arithmetic(self, term: hir.SetArithmetic) -> Value:
        left, right = self.cells(term.left), self.cells(term.right)
        match term.operator:
            case "+":
                return CellBounds(left.least | right.least, left.most | right.most)
            case "-":
                return CellBounds(left.least & ~right.most, left.most & ~right.least)
        return CellBounds(left.least & right.least, left.most & right.most)

    @_of.register
    def _of_comparison(self, term: hir.Comparison) -> Value:
        left, right = self.of(term.left), self.of(term.right)
        if isinstance(left, Interval) and isinstance(right, Interval):
            return compared(term.operator, left, right)
        if not isinstance(left, OneOf) or not isinstance(right, OneOf) or term.operator not in ("=", "!="):
            return None
        same = None
        if not left.values & right.values and not (left.none and right.none):
            same = False
        elif left.single is not None and left.single == right.single:
            same = True
        return same if term.operator == "=" else negated(same)

    @_of.register
    def _of_contains(self, term: hir.Contains) -> Value:
        element, collection = self.of(term.element), None
        if not isinstance(term.collection, hir.Numbers):
            collection = self.of(term.collection)
        if not isinstance(element, OneOf) or not isinstance(collection, CellBounds):
            return None
        if not element.values & collection.most:
            return False
        return True if not element.values & ~collection.least and not element.none else None

    @_of.register
    def _of_exists(self, term: hir.Exists) -> Value:
        cells = self.cells(term.collection)
        return True if cells.least else None if cells.most else False

    @_of.register
    def _of_if_else(self, term: hir.IfElse) -> Value:
        condition = self.truth(term.condition)
        if condition is not None:
            return self.of(term.yes if condition else term.no)
        yes, no = self.of(term.yes), self.of(term.no)
        if isinstance(yes, CellBounds) and isinstance(no, CellBounds):
            return CellBounds(yes.least & no.least, yes.most | no.most)
        return either(yes, no, self.anything(term.sort))

    @_of.register
    def _of_apply(self, term: hir.Apply) -> Value:
        return MEANINGS[term.function].bounds(self, term)

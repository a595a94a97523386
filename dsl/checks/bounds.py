"""Bounds of expressions without playing: an abstract interpreter, here without a board.

`Bounds` evaluates an expression with what is known of bound names and of the pieces on cells, for one player as the
mover. Each sort has its own bounds: a number an `Interval`, a player, piece, direction or word `OneOf` some, a
condition True, False or None, a cell and a set of cells the pieces that may be there (`held`), as bitsets. All bounds
are conservative: values outside of them are impossible. Nothing is learned from variables and links.

Without a board a cell is identified by the expression that names it. `interpreter.analysis.bounds` extends this to a
board, where a cell is a number and a set of cells has bounds of its own. Used by `dsl.checks.impossible` and
`interpreter.analysis.termination`.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from math import inf
from typing import Any, NamedTuple, Self

import attrs

from dsl import hir
from dsl.checks.reads import reads_position
from dsl.dispatch import dispatched
from dsl.resolve.sorts import BOOLEAN, CELL, CELLS, PIECE, Integer, Sort
from dsl.words import WORDS


class Interval(NamedTuple):
    """A range of a number, both ends included."""

    low: float
    high: float

    @property
    def single(self) -> int | None:
        """The number, where it is known."""
        return int(self.low) if self.low == self.high else None


class OneOf(NamedTuple):
    """One of some values (a bitset), or possibly none."""

    values: int
    none: bool = False

    @property
    def single(self) -> int | None:
        """The value, where it is certain."""
        return self.values.bit_length() - 1 if self.values.bit_count() == 1 and not self.none else None


class CellBounds(NamedTuple):
    """A set of cells on a board, as bitsets: the cells that are certainly in it, and those that may be."""

    least: int
    most: int


ANY_NUMBER = Interval(-inf, inf)
Value = Any
"""An `Interval`, a `OneOf`, a truth value or None for a condition; on a board `CellBounds`; None where nothing is
known."""
Place = Hashable
"""A cell about which something may be known: the expression that names it, or its number on a board; None for any cell.
"""


@attrs.define(eq=False)
class Bounds:
    """The knowledge during one rule, for one player as the mover."""

    rules: hir.Rules
    mover: int
    known: dict[Place, int] = attrs.field(factory=dict)
    """The pieces (a bitset; 0: empty) that cells may hold; cells that are missing may hold any."""
    bound: dict[int, Value] = attrs.field(factory=dict)
    """The bounds of the values of slots."""

    @property
    def every_piece(self) -> int:
        """All pieces, and empty."""
        return (1 << len(self.rules.pieces)) - 1

    def owned(self, mine: bool) -> int:
        """The mover's pieces, or those of the players on other sides."""
        return _mask((self.rules.own if mine else self.rules.others)[self.mover])

    def copy(self) -> Self:
        """A copy of the knowledge, to be extended separately."""
        return attrs.evolve(self, known=dict(self.known), bound=dict(self.bound))

    def changed(self) -> None:
        """Forget cells that are named by terms which read the position, after it changed."""
        self.known = {place: held for place, held in self.known.items() if not reads_position(place)}

    # ---- cells

    def place(self, term: hir.Expr) -> Place:
        """The cell that an expression stands for, if something can be known about it; else None."""
        return plain(term)

    def at(self, place: Place) -> int:
        """The pieces that a cell may hold."""
        return self.known.get(place, self.every_piece)

    def put(self, place: Place, pieces: int) -> None:
        """Set the pieces that a cell may hold."""
        self.known[place] = pieces

    def of_cell(self, term: hir.Expr) -> int:
        """The pieces that the cell of an expression may hold."""
        return self.at(self.place(term))

    # ---- sets of cells

    def held(self, term: hir.Expr, place: Place = None) -> int:
        """The pieces that a cell may hold if it is in a set; 0 where it certainly is not, or the set is empty."""
        match term:
            case hir.CellsOf() | hir.Owned() | hir.CellsHolding():
                return self.at(place) & self._pieces_of(term)
            case hir.SetArithmetic(operator="+", left=left, right=right):
                return self.held(left, place) | self.held(right, place)
            case hir.SetArithmetic(operator="and", left=left, right=right):
                return self.held(left, place) & self.held(right, place)
            case hir.SetArithmetic(operator="-", left=left, right=right):
                return self.held(left, place) & ~self.excluded(right, place)
            case hir.Comprehension(binding=binding):
                return self._held_by_those(binding, place)
            case hir.Let(slot=slot, value=value, body=body):
                self.bound[slot] = self.of(value)
                return self.held(body, place)
            case hir.CellSet(items=items):
                result = 0
                for item in items:
                    result |= self._held_by_item(item, place)
                return result
            case hir.Apply(function=function, arguments=arguments) if (
                    at := WORDS[function].inside) is not None and at < len(arguments):
                return self._held_otherwise(term, place) & self.held(arguments[at], place)
        return self._held_otherwise(term, place)

    def _held_by_those(self, binding: hir.Binding, place: Place) -> int:
        """`held` for `{c in S where P}`."""
        return self.held(binding.domain, place)

    def _held_by_item(self, item: hir.Expr, place: Place) -> int:
        """`held` for an item of a set, which is a cell or a set."""
        return self.at(place) & self.of_cell(item) if item.sort == CELL else self.held(item, place)

    def _held_otherwise(self, term: hir.Expr, place: Place) -> int:
        """`held` for any other set."""
        if isinstance(term, hir.Aggregate) and term.kind == "union" and term.body is not None:
            self.bound.pop(term.binding.slot, None)
            return self.held(term.body, place)
        return self.at(place)

    def _pieces_of(self, term: hir.Expr) -> int:
        """The pieces that the cells of an elementary set may hold."""
        match term:
            case hir.CellsOf(pieces=pieces):
                return _mask(pieces)
            case hir.Owned(mine=mine):
                return self.owned(mine)
            case hir.CellsHolding(piece=piece):
                return int(self.of(piece).values)
        return self.every_piece

    def excluded(self, term: hir.Expr, place: Place = None) -> int:
        """The pieces with which a cell is certainly in a set."""
        match term:
            case hir.CellsOf() | hir.Owned():
                return self._pieces_of(term)
            case hir.CellsHolding(piece=piece):
                result = self.of(piece)
                return int(result.values) if result.single is not None else 0
            case hir.SetArithmetic(operator="+", left=left, right=right):
                return self.excluded(left, place) | self.excluded(right, place)
        return self._excluded_otherwise(term, place)

    def _excluded_otherwise(self, term: hir.Expr, place: Place) -> int:
        """`excluded` for any other set."""
        return 0

    # ---- learning

    def choose(self, choice: hir.Choice) -> bool:
        """Learn from a choice; False where it certainly cannot be made."""
        if choice.domain.sort == CELLS:
            held = self.held(choice.domain)
            if not held:
                return False
            for slot, name in zip(choice.slots, choice.names, strict=True):
                self.put(hir.Local(slot, name, sort=CELL, span=choice.span), held)
        elif isinstance(choice.domain, hir.Listing) and getattr(choice.domain.sort, "element", None) != BOOLEAN:
            self.bound.update(dict.fromkeys(choice.slots, OneOf(_mask(choice.domain.values))))
        return self.assume(choice.guard)

    def assume(self, condition: hir.Expr | None) -> bool:
        """Learn which pieces cells hold from a condition that is assumed true; False where it certainly is not."""
        if condition is None:
            return True
        if self.truth(condition) is False:
            return False
        match condition:
            case hir.All(operands=operands):
                return all(map(self.assume, operands))
            case hir.Contains(element=element, collection=collection) if element.sort == CELL:
                place = self.place(element)
                return place is None or self.narrow(place, collection)
        return True

    def narrow(self, place: Place, collection: hir.Expr) -> bool:
        """Learn that a cell is in a set; False where it certainly is not."""
        held = self.at(place) & self.held(collection, place)
        self.put(place, held)
        return held != 0

    # ---- by class of expression

    def truth(self, condition: hir.Expr | None) -> bool | None:
        """True where a condition certainly holds (a missing one does), False where it certainly does not, else None."""
        if condition is None:
            return True
        result: bool | None = self.of(condition)
        return result

    def of(self, term: hir.Expr) -> Value:
        """The bounds of an expression."""
        return self._of(term)

    def anything(self, sort: Sort) -> Value:
        """The bounds of a value of which only the sort is known; the mask of all bits stands for sorts whose values are
        not counted here."""
        if isinstance(sort, Integer):
            return Interval(sort.low, sort.high)
        if sort == BOOLEAN:
            return None
        return OneOf(self.every_piece if sort == PIECE else -1, True)

    @dispatched
    def _of(self, term: hir.Expr) -> Value:
        return self.anything(term.sort)

    @_of.register
    def _of_literal(self, term: hir.Literal) -> Value:
        value = term.value
        if isinstance(term.sort, Integer):
            return ANY_NUMBER if value is None else Interval(value, value)
        if term.sort == BOOLEAN:
            return None if value is None else bool(value)
        return OneOf(0, True) if value is None else OneOf(1 << value)

    @_of.register
    def _of_local(self, term: hir.Local) -> Value:
        return self.bound[term.slot] if term.slot in self.bound else self.anything(term.sort)

    @_of.register
    def _of_role(self, term: hir.Role) -> Value:
        return OneOf(1 << (self.mover if term.name == "mover" else 1 - self.mover))

    @_of.register
    def _of_own_piece(self, term: hir.OwnPiece) -> Value:
        players = self.of(term.player).values
        return OneOf(_mask(piece for player, piece in enumerate(term.pieces) if players >> player & 1))

    @_of.register
    def _of_comparison(self, term: hir.Comparison) -> Value:
        left, right = self.of(term.left), self.of(term.right)
        if isinstance(left, Interval) and isinstance(right, Interval):
            return compared(term.operator, Interval(left.low, left.high), Interval(right.low, right.high))
        return None  # `mover = Red` stays open: each rule is evaluated for each player

    @_of.register
    def _of_contains(self, term: hir.Contains) -> Value:
        if term.element.sort != CELL:
            return None
        return None if self.held(term.collection, self.place(term.element)) else False

    @_of.register
    def _of_exists(self, term: hir.Exists) -> Value:
        return None if self.held(term.collection) else False

    @_of.register
    def _of_logic(self, term: hir.Not | hir.All | hir.Any) -> Value:
        return combined(term, self.truth)

    @_of.register
    def _of_if_else(self, term: hir.IfElse) -> Value:
        if term.sort == BOOLEAN:
            return None
        return either(self.of(term.yes), self.of(term.no), self.anything(term.sort))

    @_of.register
    def _of_apply(self, term: hir.Apply) -> Value:
        if WORDS[term.function].stands:
            return OneOf(self.of_cell(term.arguments[0]), True)
        return self.anything(term.sort)


def either(yes: Value, no: Value, otherwise: Value) -> Value:
    """The bounds of a value that has one of two bounds."""
    match yes, no:
        case OneOf(), OneOf():
            return OneOf(yes.values | no.values, yes.none or no.none)
        case Interval(), Interval():
            return Interval(min(yes.low, no.low), max(yes.high, no.high))
    return yes if yes is no else otherwise


def _mask(values: Iterable[int]) -> int:
    """A bitset of numbers."""
    result = 0
    for value in values:
        result |= 1 << value
    return result


def plain(term: hir.Expr) -> hir.Expr:
    """Inline the values of a term's outer `Let`s: each use of a definition with arguments has slots of its own."""
    while isinstance(term, hir.Let):
        term = _put_in(term.body, term.slot, term.value)
    return term


def _put_in(node: Any, slot: int, value: hir.Expr) -> Any:
    """Replace a slot by a term, in a term or a part of one."""
    if isinstance(node, hir.Local):
        return value if node.slot == slot else node
    return hir.with_parts(node, lambda part: _put_in(part, slot, value))


def certainly(term: hir.Expr) -> bool | None:
    """Whether a condition certainly holds, certainly does not, or None; decided by numbers alone."""
    return combined(term, certainly)


def combined(term: hir.Expr, truth: Callable[[hir.Expr], bool | None]) -> bool | None:
    """The truth of a condition by that of its parts, in three-valued logic: None where it is unknown."""
    match term:
        case hir.Literal(value=int(value)):
            return bool(value)
        case hir.Not(operand=operand):
            return negated(truth(operand))
        case hir.All(operands=operands):
            return _all_hold(map(truth, operands))
        case hir.Any(operands=operands):
            return negated(_all_hold(negated(truth(operand)) for operand in operands))
        case hir.Comparison():
            return _compared_by_sort(term)
    return None


def _all_hold(truths: Iterable[bool | None]) -> bool | None:
    """Whether all are true, in three-valued logic; stops at the first that is false."""
    result: bool | None = True
    for truth in truths:
        if truth is False:
            return False
        if truth is None:
            result = None
    return result


def negated(truth: bool | None) -> bool | None:
    """The negation, where the truth is known."""
    return None if truth is None else not truth


def compared(operator: str, left: Interval, right: Interval) -> bool | None:
    """Compare two numbers by their ranges."""
    match operator:
        case "<":
            return True if left.high < right.low else False if left.low >= right.high else None
        case ">":
            return compared("<", right, left)
        case "<=":
            return negated(compared("<", right, left))
        case ">=":
            return negated(compared("<", left, right))
        case "!=":
            return negated(compared("=", left, right))
    if left.high < right.low or left.low > right.high:
        return False
    return True if left.low == left.high == right.low == right.high else None


def _compared_by_sort(term: hir.Comparison) -> bool | None:
    """Compare numbers by the ranges of their sorts."""
    left, right = term.left.sort, term.right.sort
    if not isinstance(left, Integer) or not isinstance(right, Integer):
        return None
    if any(isinstance(part, hir.Literal) and part.value is None for part in (term.left, term.right)):
        return None
    return compared(term.operator, Interval(left.low, left.high), Interval(right.low, right.high))

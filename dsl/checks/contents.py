"""What cells can hold: a cautious estimate, for showing that a rule can never apply or that pieces only get fewer.

Everything here errs on the side of "may hold": a piece left out of a result is certainly not on the cell. Used by
`dsl.checks.impossible` and by `interpreter.analysis.termination`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol

import attrs

from dsl import hir
from dsl.checks.reads import reads_position
from dsl.resolve.sorts import CELL, CELLS, Integer

Pieces = frozenset[int]


@attrs.define
class Contents:
    """What is known of cells during one rule, for one player as the mover."""

    rules: hir.Rules
    mover: int
    known: dict[hir.Expr, Pieces] = attrs.field(factory=dict)
    """For plain terms that stand for one cell: the pieces it may hold (0: empty)."""

    @property
    def everything(self) -> Pieces:
        """All pieces, and empty."""
        return frozenset(range(len(self.rules.pieces)))

    def copy(self) -> Contents:
        """The same knowledge, to be extended separately."""
        return Contents(self.rules, self.mover, dict(self.known))

    def changed(self) -> None:
        """After a change of the position: forget the cells that are named by what may have changed with it."""
        self.known = {term: held for term, held in self.known.items() if not reads_position(term)}

    # ---- sets of cells

    def of_cells(self, term: hir.Expr) -> Pieces:
        """The pieces that cells of a set may hold; none when the set is certainly empty."""
        exact = self.exactly(term)
        if exact is not None:
            return exact
        match term:
            case hir.SetArithmetic(operator="+"):
                return self.of_cells(term.left) | self.of_cells(term.right)
            case hir.SetArithmetic(operator="and"):
                return self.of_cells(term.left) & self.of_cells(term.right)
            case hir.SetArithmetic(operator="-"):
                return self.of_cells(term.left) - (self.exactly(term.right) or frozenset())
            case hir.Comprehension(binding=binding):
                return self.of_cells(binding.domain)
            case hir.Aggregate(kind="union", body=hir.Expr() as body):
                return self.of_cells(body)
            case hir.Let(body=body):
                return self.of_cells(body)
            case hir.Apply(function="ray", arguments=(_, _, within)):
                return self.of_cells(within)
            case hir.CellSet(items=items):
                found: Pieces = frozenset()
                for item in items:
                    found |= self.of_cell(item) if item.sort == CELL else self.of_cells(item)
                return found
        return self.everything

    def exactly(self, term: hir.Expr) -> Pieces | None:
        """The pieces P when a set is exactly the cells that hold one of P; None when it is not known to be so."""
        match term:
            case hir.CellsOf(pieces=pieces):
                return frozenset(pieces)
            case hir.Owned(mine=mine):
                return frozenset(i for i, piece in enumerate(self.rules.pieces) if i and piece.owner is not None
                                 and (piece.owner == self.mover) == mine)
            case hir.CellsHolding(piece=piece):
                index = self.piece(piece)
                return None if index is None else frozenset((index,))
            case hir.SetArithmetic(operator="+", left=left, right=right):
                one, other = self.exactly(left), self.exactly(right)
                return None if one is None or other is None else one | other
        return None

    # ---- single cells and pieces

    def of_cell(self, term: hir.Expr) -> Pieces:
        """The pieces that one cell may hold."""
        return self.known.get(plain(term), self.everything)

    def piece(self, term: hir.Expr) -> int | None:
        """The piece that a term stands for, where that is certain."""
        match term:
            case hir.Literal(value=int(value)):
                return value
            case hir.OwnPiece(player=hir.Role(name=name), pieces=pieces):
                return pieces[self.mover if name == "mover" else 1 - self.mover]
            case hir.OwnPiece(player=hir.Literal(value=int(value)), pieces=pieces):
                return pieces[value]
        return None

    # ---- learning

    def choose(self, choice: hir.Choice) -> bool:
        """Learn from a choice; False when it certainly cannot be made."""
        if choice.domain.sort == CELLS:
            held = self.of_cells(choice.domain)
            if not held:
                return False
            for term in self._locals(choice):
                self.known[term] = held
        return choice.guard is None or self.assume(choice.guard)

    def _locals(self, choice: hir.Choice) -> list[hir.Expr]:
        return [hir.Local(slot, name, sort=CELL, span=choice.span)
                for slot, name in zip(choice.slots, choice.names, strict=True)]

    def assume(self, condition: hir.Expr) -> bool:
        """Learn that a condition holds; False when it certainly does not."""
        if self.truth(condition) is False:
            return False
        parts = condition.operands if isinstance(condition, hir.All) else (condition,)
        for part in parts:
            if isinstance(part, hir.Contains) and part.element.sort == CELL:
                held = self.of_cell(part.element) & self.of_cells(part.collection)
                if not held:
                    return False
                self.known[plain(part.element)] = held
        return True

    # ---- truth

    def truth(self, term: hir.Expr) -> bool | None:
        """Whether a condition certainly holds, certainly does not, or None."""
        match term:
            case hir.Contains(element=element, collection=collection) if element.sort == CELL:
                return None if self.of_cell(element) & self.of_cells(collection) else False
            case hir.Exists(collection=collection):
                return None if self.of_cells(collection) else False
        return combined(term, self.truth)


def plain(term: hir.Expr) -> hir.Expr:
    """A term with arguments put in where it is a definition with arguments: each use has slots of its own."""
    while isinstance(term, hir.Let):
        term = _put_in(term.body, term.slot, term.value)
    return term


def _put_in(node: Any, slot: int, value: hir.Expr) -> Any:
    """A term, or a part of one, with what a slot stands for instead of the slot."""
    if isinstance(node, hir.Local):
        return value if node.slot == slot else node
    return hir.with_parts(node, lambda part: _put_in(part, slot, value))


def certainly(term: hir.Expr) -> bool | None:
    """Whether a condition certainly holds, certainly does not, or None; by numbers alone."""
    return combined(term, certainly)


def combined(term: hir.Expr, truth: Callable[[hir.Expr], bool | None]) -> bool | None:
    """The truth of a condition by that of its parts: three-valued logic, None where something is not known."""
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
    """Whether all are true; looks no further than the first that is false."""
    found: bool | None = True
    for truth in truths:
        if truth is False:
            return False
        if truth is None:
            found = None
    return found


def negated(truth: bool | None) -> bool | None:
    """The contrary, where it is known."""
    return None if truth is None else not truth


class Ranged(Protocol):
    """A number that is known to lie between two, both included."""

    @property
    def low(self) -> float:
        """The least it may be."""
        ...

    @property
    def high(self) -> float:
        """The most it may be."""
        ...


def compared(operator: str, left: Ranged, right: Ranged) -> bool | None:
    """A comparison of two numbers by the ranges they lie in."""
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
    """A comparison of numbers, by the ranges of their sorts."""
    left, right = term.left.sort, term.right.sort
    if not isinstance(left, Integer) or not isinstance(right, Integer):
        return None
    if any(isinstance(part, hir.Literal) and part.value is None for part in (term.left, term.right)):
        return None
    return compared(term.operator, left, right)

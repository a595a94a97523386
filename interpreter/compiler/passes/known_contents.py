"""What is known to stand on cells while a function is lowered, so that it need not be looked up."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

import attrs

from dsl import hir
from dsl.resolve.sorts import CELL, CELLS
from interpreter.compiler import ir
from interpreter.compiler.build import expr, known, plus

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering

NO_PIECE: Final = expr(0)
"""The number of no piece: of an empty cell."""


@attrs.define(eq=False)
class Contents:
    """Known contents of cells that have names; nothing is known where the pass is off."""

    on: bool
    """Whether the pass is."""

    holding: dict[ir.Expr, ir.Expr] = attrs.field(factory=dict)
    """For cells, by what names them, the piece that is known to stand there: its number, or the mover's."""
    filled: set[ir.Expr] = attrs.field(factory=set)
    """Cells on which something is known to stand."""
    facts: dict[hir.Expr, ir.Expr] = attrs.field(factory=dict)
    """The same of cells that a choice's condition tells of, such as `c.south`; until something changes."""
    different: set[frozenset[ir.Expr]] = attrs.field(factory=set)
    """Pairs of cells that are known to be different cells."""

    def forget(self) -> None:
        """Nothing is known of cells any more."""
        self.holding.clear()
        self.facts.clear()
        self.filled.clear()

    def note(self, terms: ExprLowering, names: Sequence[ir.Expr], choice: hir.Choice) -> None:
        """Note what is known of cells that were chosen: what stands there, and which are different."""
        if not self.on or choice.domain.sort != CELLS:
            return
        piece = _all_hold(terms, choice.domain)
        guards = choice.guard.operands if isinstance(choice.guard, hir.All) else (choice.guard,)
        for guard in guards:
            if isinstance(guard, hir.Contains) and guard.element.sort == CELL and guard.collection.sort == CELLS:
                there = _all_hold(terms, guard.collection)
                if there is not None:
                    self.facts[guard.element] = there
        for name in names:
            if piece is not None:
                self.holding[name] = piece
            if _never_empty(choice.domain):
                self.filled.add(name)
            self.different |= {frozenset((name, other)) for other in names if other != name}
            domain = choice.domain
            while isinstance(domain, hir.SetArithmetic) and domain.operator == "-":
                if isinstance(domain.right, hir.CellSet):
                    self.different |= {frozenset((name, terms.bound_value(item.slot))) for item in domain.right.items
                                       if isinstance(item, hir.Local) and item.slot in terms.bound}
                domain = domain.left

    def recall(self, name: ir.Expr, term: hir.Expr) -> None:
        """Give a name for a cell what a choice's condition tells of the cell."""
        if self.on and term in self.facts and name not in self.holding:
            self.holding[name] = self.facts[term]

    def put_on(self, name: ir.Expr, piece: ir.Expr) -> None:
        """Note that a piece was put on a cell; what was known of cells that may be the same is forgotten."""
        self.facts.clear()
        before = self.holding.get(name)
        for other, there in list(self.holding.items()):
            apart = frozenset((name, other)) in self.different or (there == NO_PIECE and name in self.filled) or (
                before is not None and there != before and _is_certain(before) and _is_certain(there) and (
                    NO_PIECE in (before, there) or (isinstance(before, ir.Literal) and isinstance(there, ir.Literal))))
            if other != name and not apart:
                del self.holding[other]
            elif other != name:
                self.different.add(frozenset((name, other)))
        self.filled.discard(name)
        self.holding[name] = piece


def _all_hold(terms: ExprLowering, term: hir.Expr) -> ir.Expr | None:
    """The piece that stands on every cell of a set; None where that is not known."""
    match term:
        case hir.CellsOf(pieces=(piece,)):
            return expr(piece)
        case hir.Owned(mine=True) if known(terms.mover) is None:
            own = terms.program.evaluator.own
            steps = {after[0] - before[0] for before, after in pairwise(own) if before and after}
            if all(len(pieces) == 1 for pieces in own) and steps == {1}:
                return plus(own[0][0], terms.mover)
        case hir.SetArithmetic(operator="-", left=left):
            return _all_hold(terms, left)
        case hir.SetArithmetic(operator="and", left=left, right=right):
            return _all_hold(terms, left) or _all_hold(terms, right)
        case hir.Comprehension(binding=binding):
            return _all_hold(terms, binding.domain)
    return None


def _never_empty(term: hir.Expr) -> bool:
    """Whether something stands on every cell of a set."""
    match term:
        case hir.CellsOf(pieces=pieces):
            return 0 not in pieces
        case hir.Owned():
            return True
        case hir.SetArithmetic(operator="-", left=left):
            return _never_empty(left)
        case hir.SetArithmetic(operator="and", left=left, right=right):
            return _never_empty(left) or _never_empty(right)
        case hir.Comprehension(binding=binding):
            return _never_empty(binding.domain)
    return False


def _is_certain(piece: ir.Expr) -> bool:
    """Whether it is known which piece it is, or that it is the mover's, which is never none."""
    return isinstance(piece, (ir.Literal, ir.Binary))

"""Whether a move goes on is asked before its effects, as far as they cannot change it.

`then CHOICES when P` is asked of a copy of the position on which the effects before it were carried out. Where a part
of P that they cannot change (`interpreter.analysis.beforehand`) does not hold, the move ends, and no copy is needed:
few men reach the row in which they are promoted. But effects that may fail must fail where moves are listed: the copy
is left out only where they plainly cannot, or where the cells are there without which they do, which is asked as well.
Measured: 1.8 times as fast where positions with promotions on 64 cells are counted, 1.36 times where such games are
played.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.resolve.sorts import Integer
from interpreter.analysis.beforehand import Written, known_before
from interpreter.analysis.bounds import Unclear
from interpreter.analysis.dependence import Depending, depends_on
from interpreter.compiler.lowering.failing import compared_in, index_may_fail, may_fail
from interpreter.effects import EFFECTS

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering


@attrs.frozen
class Before:
    """What is asked before the effects, and then after them."""

    parts: tuple[hir.Expr, ...]
    """The move ends where one of these does not hold."""
    cells: tuple[hir.Expr, ...]
    """Unless one of these is none, so that an effect may fail."""
    after: tuple[hir.Expr, ...]
    """What is asked after the effects where all of the parts hold, or a cell is none."""


def before_effects(terms: ExprLowering, condition: hir.Expr, effects: Sequence[hir.Effect]) -> Before | None:
    """What of a condition is asked before the effects that it follows; None where nothing is."""
    look = Failing(terms, Written.by(effects))
    parts, after = known_before(condition, effects, look.may_fail)
    if not parts:
        return None
    try:
        cells = look.block(effects)
    except Unclear:
        return None
    return Before(parts, cells, (*parts, *after) if cells else after)


@attrs.frozen
class Failing:
    """Finds out where effects can fail."""

    terms: ExprLowering
    written: Written
    """What they change."""

    def block(self, effects: Sequence[hir.Effect]) -> tuple[hir.Expr, ...]:
        """The cells without which effects fail. Raises Unclear where they may fail for another reason."""
        return tuple(cell for effect in effects for cell in EFFECTS[type(effect)].fails_without(self, effect))

    def may_fail(self, term: hir.Expr) -> bool:
        """Whether a rule may fail in a term, or it reads a name that may be none."""
        sides = compared_in(term)
        return may_fail(self.terms, term, compared=sides) or any(
            self.terms.may_be_none(part) for part in hir.walk(term)
            if isinstance(part, (hir.Local, hir.Literal)) and id(part) not in sides)

    def certain(self, *parts: hir.Expr | None) -> None:
        """Some terms, those that are there, are asked. Raises Unclear where a rule may fail in one."""
        if any(part is not None and self.may_fail(part) for part in parts):
            raise Unclear

    def some(self, *parts: hir.Expr) -> None:
        """Some values are found. Raises Unclear where that may fail, or one may be none."""
        self.certain(*parts)
        if any(map(self.terms.may_be_none, parts)):
            raise Unclear

    def value(self, term: hir.Expr, low: int | None, high: int | None, *, or_none: bool) -> None:
        """A value is kept that must be in a range, where one is given. Raises Unclear where it may not be."""
        if isinstance(term, hir.IfElse):
            self.certain(term.condition)
            self.value(term.yes, low, high, or_none=or_none)
            self.value(term.no, low, high, or_none=or_none)
            return
        if isinstance(term, hir.Literal) and term.value is None and or_none:
            return
        self.certain(term)
        if self.terms.may_be_none(term) and not or_none:
            raise Unclear
        if low is not None and high is not None and not (
                isinstance(term.sort, Integer) and low <= term.sort.low and term.sort.high <= high):
            raise Unclear

    def index(self, variable: int, index: hir.Expr | None) -> None:
        """A variable is set at an index. Raises Unclear where it may have none there."""
        self.certain(index)
        if index is not None and index_may_fail(self.terms, variable, index):
            raise Unclear

    def cells(self, *parts: hir.Expr) -> tuple[hir.Expr, ...]:
        """Of some cells those that may be none. Raises Unclear where that is not known before the effects."""
        self.certain(*parts)
        found = tuple(part for part in parts if self.terms.may_be_none(part))
        for part in found:
            slots = depends_on(part, Depending())
            if slots is None or slots & self.written.slots:
                raise Unclear
        return found

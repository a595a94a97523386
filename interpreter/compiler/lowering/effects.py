"""Lowers effects: each becomes statements that change the row that a kernel's function works on.

The lowering of each effect is in `interpreter.effects`, beside its interpretation, which the statements must match. A
failure of a rule is noted in the row, and the function goes on with something harmless, so that it needs no early exit;
the interpreter says what failed.
"""

from __future__ import annotations

from collections.abc import Sequence

from dsl import hir
from interpreter.compiler import ir
from interpreter.compiler.build import call, compared
from interpreter.compiler.library import Given
from interpreter.compiler.lowering.expressions import ExprLowering
from interpreter.effects import EFFECTS
from interpreter.effects.pieces import code_of_no_piece


class Effects:
    """Lowers the effects of one function."""

    def __init__(self, terms: ExprLowering) -> None:
        self.terms = terms
        self.program = terms.program
        self.writer = terms.writer
        self.sets = terms.sets

    def block(self, effects: Sequence[hir.Effect]) -> None:
        """Write effects in sequence, without further choices."""
        for effect in effects:
            if not isinstance(effect, (hir.Then, hir.Proceed)):
                self._lower(effect)

    def _lower(self, effect: hir.Effect) -> None:
        """Write one effect."""
        EFFECTS[type(effect)].write(self, effect)

    def unless(self, code: str, condition: ir.Expr) -> int:
        """Note a failure where a condition holds, and open the block for the other case; 1, the number of open
        blocks."""
        self.writer.open_if(condition)
        self.terms.fail(code)
        self.writer.otherwise()
        return 1

    # ---- pieces

    def ends(self, *parts: hir.Expr) -> tuple[ir.Expr, ir.Expr, list[ir.Expr]]:
        """The cells from and to which an effect goes, and the conditions that they are none, for those that may be."""
        terms = self.terms
        here, there = (terms.name(terms.value(part), wish) for part, wish in zip(parts, ("here", "there"), strict=True))
        none = [compared(cell, "<", 0) for cell, part in zip((here, there), parts, strict=True)
                if terms.may_be_none(part)]
        return here, there, none

    def piece(self, piece: hir.Expr) -> ir.Expr:
        """A piece that an effect puts on cells; a failure is noted where it is none."""
        terms = self.terms
        value = terms.value(piece)
        if terms.may_be_none(piece):
            value = terms.name(value, "piece")
            terms.fail(code_of_no_piece(piece), compared(value, "<", 0))
            value = call("max", value, 0, gives=ir.INT)
        return terms.name(value, "piece")

    def put(self, cells: ir.Expr, piece: ir.Expr, *, single: bool) -> None:
        """Put a piece on one cell, or on every cell of a set."""
        name = self.program.library.put("put" if single else "put_all", pieces=len(self.program.rules.pieces))
        if single:
            self.sets.asked_put = name
        self.writer.evaluate(self.sets.called(name, self.terms.row, cells, piece))

    # ---- what lies under the tops of piles

    def clear_covered(self, cells: ir.Expr, *, single: bool) -> None:
        """Remove what is under the tops of cells on which a piece is put that replaces everything."""
        if self.terms.rules.piles > 1:
            name = self.program.piles.put("clear_covered" if single else "clear_all_covered")
            self.writer.evaluate(self.sets.called(name, self.terms.row, cells))

    def carry_covered(self, here: ir.Expr, there: ir.Expr) -> None:
        """Carry what is under the top of a cell along with it to another cell."""
        if self.terms.rules.piles > 1:
            name = self.program.piles.put("carry_covered")
            self.writer.evaluate(self.sets.called(name, self.terms.row, here, there))

    def slide_covered(self, window: ir.Expr, way: ir.Expr) -> None:
        """Move what is under the tops of a set that slides."""
        if self.terms.rules.piles > 1:
            name = self.program.piles.put("slide_covered", steps=self.sets.steps_table(),
                                          directions=len(self.terms.board.directions))
            self.writer.evaluate(self.sets.called(name, self.terms.row, window, way))

    def turn_covered(self, window: ir.Expr, **given: Given) -> None:
        """Turn what is under the tops of a set that is turned."""
        if self.terms.rules.piles > 1:
            name = self.program.piles.put("turn_covered", **given)
            self.writer.evaluate(self.sets.called(name, self.terms.row, window))

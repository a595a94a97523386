"""Lowering piles: the effects that build them and take them apart, and what words ask of them.

The functions are those of `interpreter.compiler.runtime.piles`; `Piles.put` gives them where a game's rows hold what
lies under the tops of piles. What `interpreter.semantics.piles` does, these must do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from dsl import hir
from interpreter.compiler import ir
from interpreter.compiler.build import all_of, any_of, compared, plus
from interpreter.compiler.library import Given
from interpreter.compiler.runtime_sources import runtime

if TYPE_CHECKING:
    from interpreter.compiler.lowering.effects import Effects
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.compiler.lowering.module_builder import ModuleBuilder


@attrs.frozen
class Piles:
    """Where a kernel's rows hold what lies in piles."""

    program: ModuleBuilder
    given: dict[str, int]
    """The numbers that are put into the runtime functions."""

    @classmethod
    def of(cls, program: ModuleBuilder) -> Piles:
        """Those of a game with piles."""
        found = program.evaluator.piles
        assert found is not None  # asked in games with piles
        first = found.kinds[0] if found.kinds else None
        return cls(program, {
            "start": program.layout.values + found.start, "size": found.cells, "parts": len(found.kinds),
            "bits": first.bits if first else 1, "digits": first.digits if first else 1,
            "pieces": len(program.rules.pieces)})

    def put(self, function: str, **given: Given) -> str:
        """The name in the kernel of a runtime function."""
        takes = runtime().source(function).static
        known = {name: value for name, value in self.given.items() if name in takes}
        return self.program.library.put(function, **known, **given)

    def height(self, terms: ExprLowering, cell: ir.Expr) -> ir.Expr:
        """How many pieces lie on a cell."""
        return terms.sets.called(self.put("pile_height"), terms.row, cell)


# ---- effects


def carry_pile(effects: Effects, effect: hir.CarryPile) -> None:
    """The pile of a cell, or the top of it, joins that of another."""
    terms, writer, piles = effects.terms, effects.writer, effects.program.piles
    many = None if effect.amount is None else terms.name(terms.known(effect.amount), "many")
    here, there = (terms.name(terms.value(part), wish) for part, wish in
                   ((effect.origin, "here"), (effect.destination, "there")))
    none = [compared(cell, "<", 0) for cell, part in ((here, effect.origin), (there, effect.destination))
            if terms.may_be_none(part)]
    blocks = effects.unless("G401", any_of(none)) if none else 0
    high = writer.let("high", piles.height(terms, here))
    if many is None:
        many = high
    else:
        blocks += effects.unless("G425", any_of([compared(many, "<", 0), compared(many, ">", high)]))
    above = writer.let("above", plus(piles.height(terms, there), many))
    blocks += effects.unless("G424", all_of([
        compared(here, "!=", there), compared(above, ">", terms.rules.piles)]))
    name = piles.put("pile_carry_under" if effect.under else "pile_carry_onto")
    writer.evaluate(terms.sets.called(name, terms.row, here, many, there))
    writer.close(blocks)
    writer.forget()


def put(effects: Effects, effect: hir.Put) -> None:
    """A piece comes onto, or under, a pile."""
    terms, writer, piles = effects.terms, effects.writer, effects.program.piles
    piece = effects.piece(effect.piece)
    there = terms.name(terms.value(effect.cell), "there")
    blocks = effects.unless("G401", compared(there, "<", 0)) if terms.may_be_none(effect.cell) else 0
    blocks += effects.unless("G426", compared(piece, "==", 0))
    high = writer.let("high", piles.height(terms, there))
    blocks += effects.unless("G424", compared(high, ">=", terms.rules.piles))
    name = piles.put("pile_tuck" if effect.under else "pile_push")
    writer.evaluate(terms.sets.called(name, terms.row, there, piece))
    writer.close(blocks)
    writer.forget()


def remove(effects: Effects, effect: hir.Remove) -> None:
    """Pieces leave a pile, from its top or from under it."""
    terms, writer, piles = effects.terms, effects.writer, effects.program.piles
    many = terms.name(terms.known(effect.amount), "many")
    here = terms.name(terms.value(effect.cell), "here")
    blocks = effects.unless("G401", compared(here, "<", 0)) if terms.may_be_none(effect.cell) else 0
    high = writer.let("high", piles.height(terms, here))
    blocks += effects.unless("G425", any_of([compared(many, "<", 0), compared(many, ">", high)]))
    name = piles.put("pile_drop_lowest" if effect.under else "pile_drop")
    writer.evaluate(terms.sets.called(name, terms.row, here, many))
    writer.close(blocks)
    writer.forget()


# ---- effects on what is not only the top


def clear(effects: Effects, cells: ir.Expr, *, single: bool) -> None:
    """Take away what is under the tops of cells on which a piece is put that replaces everything."""
    if effects.terms.rules.piles > 1:
        name = effects.program.piles.put("clear_covered" if single else "clear_all_covered")
        effects.writer.evaluate(effects.sets.called(name, effects.terms.row, cells))


def carry_covered(effects: Effects, here: ir.Expr, there: ir.Expr) -> None:
    """Carry what is under the top of a cell that is carried to another."""
    if effects.terms.rules.piles > 1:
        name = effects.program.piles.put("carry_covered")
        effects.writer.evaluate(effects.sets.called(name, effects.terms.row, here, there))


def slide_covered(effects: Effects, window: ir.Expr, way: ir.Expr) -> None:
    """Move what is under the tops of a set that slides."""
    if effects.terms.rules.piles > 1:
        name = effects.program.piles.put("slide_covered", steps=effects.sets.steps_table(),
                                             directions=len(effects.terms.board.directions))
        effects.writer.evaluate(effects.sets.called(name, effects.terms.row, window, way))


def turn_covered(effects: Effects, window: ir.Expr, **given: Given) -> None:
    """Turn what is under the tops of a set that is turned."""
    if effects.terms.rules.piles > 1:
        name = effects.program.piles.put("turn_covered", **given)
        effects.writer.evaluate(effects.sets.called(name, effects.terms.row, window))


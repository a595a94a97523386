"""Effects on pieces: put a piece on cells, or carry what is on a cell to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.reads import reads_itself
from dsl.resolve.sorts import CELL, PIECE
from interpreter.analysis.change import Change
from interpreter.compiler import ir
from interpreter.compiler.build import any_of, compared, expr, negated
from interpreter.effects.meaning import Action, EffectMeaning
from interpreter.errors import RuleError
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import Bound

if TYPE_CHECKING:
    from interpreter.analysis.movement import Look
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.analysis.termination import Watch
    from interpreter.compiler.lowering.effects import Effects as EffectsLowering
    from interpreter.semantics.effects import Effects


def code_of_no_piece(piece: hir.Expr) -> str:
    """The error code where the piece to put is none: G401 if it is read from the position by a word, else G406."""
    asked = any(isinstance(part, hir.Apply) and part.sort == PIECE and reads_itself(part) for part in hir.walk(piece))
    return "G401" if asked else "G406"


class _SetPiece(EffectMeaning[hir.SetPiece]):
    """`c := own if P`: puts a piece on one cell, or on all cells of a set."""

    def action(self, effects: Effects, effect: hir.SetPiece) -> Action:
        evaluator, span = effects.evaluator, effect.span
        cells, piece = evaluator.compile(effect.cells), evaluator.compile(effect.piece)
        single, code = effect.cells.sort == CELL, code_of_no_piece(effect.piece)
        piles = evaluator.piles

        def set_piece(table: WorkingState, bound: Bound) -> None:
            target = cells(table, bound)
            if target is None:
                raise RuleError("G401", "a piece is put on no cell: a step left the board", span)
            index = piece(table, bound)
            if index is None:
                raise RuleError(code, "the piece of no cell is put somewhere: a step left the board" if code == "G401"
                                else "the piece that is put somewhere is none, expected one that is known", span)
            place = 1 << target if single else target
            table.put(place, index)
            if piles is not None:
                piles.clear(table, place)

        return effects.guarded(effect.guard, set_piece)

    def write(self, effects: EffectsLowering, effect: hir.SetPiece) -> None:
        terms, writer = effects.terms, effects.writer
        condition = ir.TRUE if effect.guard is None else terms.test(effect.guard)
        if condition == ir.FALSE:
            return
        if condition != ir.TRUE:
            writer.open_if(condition)
        if effect.cells.sort == CELL:
            cell = terms.value(effect.cells)
            if terms.may_be_none(effect.cells):
                cell = terms.name(cell, "cell")
                terms.fail("G401", compared(cell, "<", 0))
                writer.open_if(compared(cell, ">=", 0))
                effects.put(terms.name(cell, "cell"), effects.piece(effect.piece), single=True)
                effects.clear_covered(cell, single=True)
                writer.close()
            else:
                cell = terms.name(cell, "cell")
                effects.put(cell, effects.piece(effect.piece), single=True)
                effects.clear_covered(cell, single=True)
        else:
            cells = terms.name(terms.cells(effect.cells), "cells")
            effects.put(cells, effects.piece(effect.piece), single=False)
            effects.clear_covered(cells, single=False)
        if condition != ir.TRUE:
            writer.close()

    def image(self, renaming: Renaming, effect: hir.SetPiece) -> Key:
        return ("put", renaming.term(effect.cells), renaming.term(effect.piece), renaming.optional(effect.guard))

    def change(self, watch: Watch, effect: hir.SetPiece) -> Change:
        change = watch.put(effect.cells, effect.piece, effect.guard)
        return change if effect.guard is None else change.perhaps()

    def touched(self, watch: Watch, effect: hir.SetPiece) -> int:
        known = watch.afresh().contents
        return known.every_piece if effect.cells.sort == CELL else known.held(effect.cells)

    def move(self, look: Look, effect: hir.SetPiece, certain: bool) -> None:
        known = look.known
        guarded = known.truth(effect.guard)
        if guarded is not False:
            look.put(known.cells(effect.cells), known.of(effect.piece).values, certain and guarded is True)


class _Carry(EffectMeaning[hir.Carry]):
    """`carry c to d`: moves the whole contents of a cell to another, replacing what is there."""

    def action(self, effects: Effects, effect: hir.Carry) -> Action:
        evaluator, span = effects.evaluator, effect.span
        origin, destination = evaluator.compile(effect.origin), evaluator.compile(effect.destination)
        piles = evaluator.piles

        def carry(table: WorkingState, bound: Bound) -> None:
            here, there = origin(table, bound), destination(table, bound)
            if here is None or there is None:
                raise RuleError("G401", "a piece is carried from or to no cell: a step left the board", span)
            piece = table.piece_at(here)
            if table.moved is not None:
                table.moved.append({here: there})
            if piles is not None:
                under = piles.under(table.values, here)
                piles.clear(table, 1 << here)
                piles.cover(table, there, under)
            table.put(1 << here, 0)
            table.put(1 << there, piece)

        return carry

    def write(self, effects: EffectsLowering, effect: hir.Carry) -> None:
        terms, writer = effects.terms, effects.writer
        here, there, none = effects.ends(effect.origin, effect.destination)
        if none:
            terms.fail("G401", any_of(none))
            writer.open_if(negated(any_of(none)))
        piece = writer.let("piece", effects.sets.called(effects.program.piece_function(), terms.row, here))
        effects.carry_covered(here, there)
        effects.put(here, expr(0), single=True)
        effects.put(there, piece, single=True)
        if none:
            writer.close()

    def image(self, renaming: Renaming, effect: hir.Carry) -> Key:
        return ("carry", renaming.term(effect.origin), renaming.term(effect.destination))

    def change(self, watch: Watch, effect: hir.Carry) -> Change:
        return watch.carry(effect.origin, effect.destination)

    def move(self, look: Look, effect: hir.Carry, certain: bool) -> None:
        look.carry(look.known.of(effect.origin), look.known.of(effect.destination), certain)


EFFECTS = {hir.SetPiece: _SetPiece(), hir.Carry: _Carry()}

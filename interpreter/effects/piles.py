"""Effects on piles: put a piece onto or under a pile, remove pieces, or carry them to another pile.

A pile is a tuple of pieces here, the lowest first. The lowered code calls the functions of
`interpreter.compiler.runtime.piles`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from dsl import hir
from dsl.checks.bounds import ANY_NUMBER
from dsl.syntax.source import Span
from interpreter.analysis.change import Change
from interpreter.compiler.build import all_of, any_of, compared, plus
from interpreter.effects.meaning import Action, EffectMeaning
from interpreter.errors import RuleError
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import Bound

if TYPE_CHECKING:
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.analysis.termination import Watch
    from interpreter.compiler.lowering.effects import Effects as EffectsLowering
    from interpreter.semantics.effects import Effects

_Effect = TypeVar("_Effect", bound=hir.Effect)


class _OnPile(EffectMeaning[_Effect]):
    """An effect that uncovers pieces, or covers them."""

    def change(self, watch: Watch, effect: _Effect) -> Change:
        watch.contents.known.clear()
        return Change(dict.fromkeys(range(len(watch.rules.pieces)), ANY_NUMBER))


class _CarryPile(_OnPile[hir.CarryPile]):
    """`carry 2 of c onto d`: moves the pile of a cell, or the top of it, onto or under that of another."""

    def action(self, effects: Effects, effect: hir.CarryPile) -> Action:
        evaluator, piles, span, under = effects.evaluator, effects.piles, effect.span, effect.under
        amount = None if effect.amount is None else evaluator.known(effect.amount)
        origin, destination = evaluator.compile(effect.origin), evaluator.compile(effect.destination)

        def carry_pile(table: WorkingState, bound: Bound) -> None:
            count = None if amount is None else amount(table, bound)
            here, there = origin(table, bound), destination(table, bound)
            if here is None or there is None:
                raise RuleError("G401", "a piece is carried from or to no cell: a step left the board", span)
            left, taken = _divided(effects, piles.at(table, here), count, here, span)
            piles.put(table, here, left)
            before = piles.at(table, there)
            _placed(effects, table, there, taken + before if under else before + taken, span)

        return carry_pile

    def write(self, effects: EffectsLowering, effect: hir.CarryPile) -> None:
        terms, writer, piles = effects.terms, effects.writer, effects.program.piles
        count = None if effect.amount is None else terms.name(terms.known(effect.amount), "many")
        here, there, none = effects.ends(effect.origin, effect.destination)
        blocks = effects.unless("G401", any_of(none)) if none else 0
        high = writer.let("high", piles.height(terms, here))
        if count is None:
            count = high
        else:
            blocks += effects.unless("G425", any_of([compared(count, "<", 0), compared(count, ">", high)]))
        above = writer.let("above", plus(piles.height(terms, there), count))
        blocks += effects.unless("G424", all_of([
            compared(here, "!=", there), compared(above, ">", terms.rules.piles)]))
        name = piles.put("pile_carry_under" if effect.under else "pile_carry_onto")
        writer.evaluate(terms.sets.called(name, terms.row, here, count, there))
        writer.close(blocks)

    def image(self, renaming: Renaming, effect: hir.CarryPile) -> Key:
        return ("carry pile", renaming.optional(effect.amount), renaming.term(effect.origin),
                renaming.term(effect.destination), effect.under)


class _Put(_OnPile[hir.Put]):
    """`put own onto c`: puts a piece onto, or under, a pile."""

    def action(self, effects: Effects, effect: hir.Put) -> Action:
        evaluator, piles, span, under = effects.evaluator, effects.piles, effect.span, effect.under
        piece, cell = evaluator.known(effect.piece), evaluator.compile(effect.cell)

        def put(table: WorkingState, bound: Bound) -> None:
            one, there = piece(table, bound), cell(table, bound)
            if one is None or there is None:
                raise RuleError("G401", "a piece is put on no cell, or that of no cell is: a step left the board", span)
            if not one:
                raise RuleError("G426", "nothing is put on a pile, expected a piece", span)
            before = piles.at(table, there)
            _placed(effects, table, there, (one, *before) if under else (*before, one), span)

        return put

    def write(self, effects: EffectsLowering, effect: hir.Put) -> None:
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

    def image(self, renaming: Renaming, effect: hir.Put) -> Key:
        return ("pile", renaming.term(effect.piece), renaming.term(effect.cell), effect.under)


class _Remove(_OnPile[hir.Remove]):
    """`remove 2 of c`: removes pieces from the top, or from the bottom, of a pile."""

    def action(self, effects: Effects, effect: hir.Remove) -> Action:
        evaluator, piles, span, under = effects.evaluator, effects.piles, effect.span, effect.under
        amount, cell = evaluator.known(effect.amount), evaluator.compile(effect.cell)

        def remove(table: WorkingState, bound: Bound) -> None:
            count, here = amount(table, bound), cell(table, bound)
            if here is None:
                raise RuleError("G401", "pieces are removed from no cell: a step left the board", span)
            pile = piles.at(table, here)
            left, _ = _divided(effects, pile, count, here, span)
            piles.put(table, here, pile[count:] if under else left)

        return remove

    def write(self, effects: EffectsLowering, effect: hir.Remove) -> None:
        terms, writer, piles = effects.terms, effects.writer, effects.program.piles
        count = terms.name(terms.known(effect.amount), "many")
        here = terms.name(terms.value(effect.cell), "here")
        blocks = effects.unless("G401", compared(here, "<", 0)) if terms.may_be_none(effect.cell) else 0
        high = writer.let("high", piles.height(terms, here))
        blocks += effects.unless("G425", any_of([compared(count, "<", 0), compared(count, ">", high)]))
        name = piles.put("pile_drop_lowest" if effect.under else "pile_drop")
        writer.evaluate(terms.sets.called(name, terms.row, here, count))
        writer.close(blocks)

    def image(self, renaming: Renaming, effect: hir.Remove) -> Key:
        return ("remove", renaming.term(effect.amount), renaming.term(effect.cell), effect.under)


def _divided(effects: Effects, pile: tuple[int, ...], count: int | None, cell: int,
             span: Span) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Split a pile into what is left and the top `count` pieces, or all of it without a count.

    Raises RuleError where the pile has fewer pieces.
    """
    if count is None:
        return (), pile
    if not 0 <= count <= len(pile):
        name = effects.evaluator.board.names[cell]
        raise RuleError("G425", f"{count} pieces are taken off {name}, which has {len(pile)}", span)
    return pile[: len(pile) - count], pile[len(pile) - count :]


def _placed(effects: Effects, table: WorkingState, cell: int, pile: tuple[int, ...], span: Span) -> None:
    """Replace what is on a cell by a pile. Raises RuleError where the pile is too high."""
    piles = effects.piles
    if len(pile) > piles.most:
        name = effects.evaluator.board.names[cell]
        raise RuleError(
            "G424", f"the pile on {name} would be {len(pile)} pieces high, above 'piles up to {piles.most}'", span)
    piles.put(table, cell, pile)


EFFECTS = {hir.CarryPile: _CarryPile(), hir.Put: _Put(), hir.Remove: _Remove()}

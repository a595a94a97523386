"""Piles at work: the effects that build them and take them apart, registered with `interpreter.semantics.effects`.

A pile is a tuple of pieces here, the lowest first. The words that ask for piles are in `interpreter.words.piles`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dsl import hir
from dsl.syntax.source import Span
from interpreter.boards import members
from interpreter.errors import RuleError
from interpreter.model.piles import Piles
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import Bound

if TYPE_CHECKING:
    from interpreter.semantics.effects import Action, Effects


def carry_pile(effects: Effects, effect: hir.CarryPile) -> Action:
    """The pile of a cell, or the top of it, joins that of another."""
    evaluator, piles, span, under = effects.evaluator, effects.piles, effect.span, effect.under
    amount = None if effect.amount is None else evaluator.known(effect.amount)
    origin, destination = evaluator.compile(effect.origin), evaluator.compile(effect.destination)

    def run(table: WorkingState, bound: Bound) -> None:
        many = None if amount is None else amount(table, bound)
        here, there = origin(table, bound), destination(table, bound)
        if here is None or there is None:
            raise RuleError("G401", "a piece is carried from or to no cell: a step left the board", span)
        left, taken = _divided(effects, piles.at(table, here), many, here, span)
        piles.put(table, here, left)
        before = piles.at(table, there)
        _placed(effects, table, there, taken + before if under else before + taken, span)

    return run


def put(effects: Effects, effect: hir.Put) -> Action:
    """A piece comes onto, or under, a pile."""
    evaluator, piles, span, under = effects.evaluator, effects.piles, effect.span, effect.under
    piece, cell = evaluator.known(effect.piece), evaluator.compile(effect.cell)

    def run(table: WorkingState, bound: Bound) -> None:
        one, there = piece(table, bound), cell(table, bound)
        if one is None or there is None:
            raise RuleError("G401", "a piece is put on no cell, or that of no cell is: a step left the board", span)
        if not one:
            raise RuleError("G426", "nothing is put on a pile, expected a piece", span)
        before = piles.at(table, there)
        _placed(effects, table, there, (one, *before) if under else (*before, one), span)

    return run


def remove(effects: Effects, effect: hir.Remove) -> Action:
    """Pieces leave a pile, from its top or from under it."""
    evaluator, piles, span, under = effects.evaluator, effects.piles, effect.span, effect.under
    amount, cell = evaluator.known(effect.amount), evaluator.compile(effect.cell)

    def run(table: WorkingState, bound: Bound) -> None:
        many, here = amount(table, bound), cell(table, bound)
        if here is None:
            raise RuleError("G401", "pieces are removed from no cell: a step left the board", span)
        pile = piles.at(table, here)
        left, _ = _divided(effects, pile, many, here, span)
        piles.put(table, here, pile[many:] if under else left)

    return run


def _divided(effects: Effects, pile: tuple[int, ...], many: int | None, cell: int,
             span: Span) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """What is left of a pile, and so many pieces of its top. Raises RuleError where it has fewer."""
    if many is None:
        return (), pile
    if not 0 <= many <= len(pile):
        name = effects.evaluator.board.names[cell]
        raise RuleError("G425", f"{many} pieces are taken off {name}, which has {len(pile)}", span)
    return pile[: len(pile) - many], pile[len(pile) - many :]


def _placed(effects: Effects, table: WorkingState, cell: int, pile: tuple[int, ...], span: Span) -> None:
    """Make a pile all that is on a cell. Raises RuleError where it is too high."""
    piles = effects.piles
    if len(pile) > piles.most:
        name = effects.evaluator.board.names[cell]
        raise RuleError(
            "G424", f"the pile on {name} would be {len(pile)} pieces high, above 'piles up to {piles.most}'", span)
    piles.put(table, cell, pile)


def moved(piles: Piles, table: WorkingState, window: int, target: Callable[[int], int]) -> None:
    """Move what is under the tops of some cells, which have left them, to where these have gone; below 0 it is lost."""
    found = [(target(cell), piles.under(table.values, cell)) for cell in members(window)]
    piles.clear(table, window)
    for goal, under in found:
        if goal >= 0:
            piles.cover(table, goal, under)

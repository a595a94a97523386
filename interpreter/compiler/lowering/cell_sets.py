"""Lowers sets of cells: each becomes an IR expression, with the statements that must precede it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from itertools import pairwise
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELL
from interpreter.compiler import ir
from interpreter.compiler.build import binary, compared, expr, known, times
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.words import AGGREGATIONS, CLOSURES, MEANINGS

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering



@singledispatch
def set_of(term: hir.Expr, terms: ExprLowering) -> ir.Expr:
    """Lower a set by its form. Raises NotLowered."""
    raise NotLowered(f"a set of {type(term).__name__}")


def of_pieces(terms: ExprLowering, pieces: Sequence[int]) -> ir.Expr:
    """The cells that hold one of some pieces."""
    if not pieces:
        return terms.sets.nothing
    words = terms.sets.words
    whole = len(terms.rules.pieces)
    if set(pieces) == set(range(1, whole)):
        return terms.sets.minus(terms.sets.everything, terms.sets.at(terms.row, 0))
    result = terms.sets.at(terms.row, pieces[0] * words)
    for piece in pieces[1:]:
        result = terms.sets.either(result, terms.sets.at(terms.row, piece * words))
    return result


@set_of.register(hir.CellsOf)
def _cells_of(term: hir.CellsOf, terms: ExprLowering) -> ir.Expr:
    return of_pieces(terms, term.pieces)


@set_of.register(hir.CellsHolding)
def _cells_holding(term: hir.CellsHolding, terms: ExprLowering) -> ir.Expr:
    piece = terms.value(term.piece)
    words = terms.sets.words
    plain = known(piece)
    if plain is not None:
        return of_pieces(terms, (plain,)) if plain >= 0 else terms.sets.nothing
    if terms.may_be_none(term.piece):
        piece = terms.name(piece, "piece")
        place = times(piece, words) if words > 1 else piece
        return terms.where("cells", compared(piece, ">=", 0), lambda: terms.sets.at(terms.row, place))
    return terms.sets.at(terms.row, times(piece, words) if words > 1 else piece)


def place_of(terms: ExprLowering, term: hir.Expr) -> ir.Expr | None:
    """The place in the row of a set that is the cells of a single piece; None for other sets."""
    words = terms.sets.words
    match term:
        case hir.CellsOf(pieces=(piece,)):
            return expr(piece * words)
        case hir.Owned(mine=mine) if known(terms.mover) is None:
            owned = terms.rules.own if mine else terms.rules.others
            steps = {after[0] - before[0] for before, after in pairwise(owned) if before and after}
            if all(len(pieces) == 1 for pieces in owned) and len(steps) == 1:
                step = steps.pop() * words
                scaled = terms.mover if abs(step) == 1 else times(abs(step), terms.mover)
                return binary("+" if step > 0 else "-", owned[0][0] * words, scaled)
    return None


@set_of.register(hir.Owned)
def _owned(term: hir.Owned, terms: ExprLowering) -> ir.Expr:
    owned = terms.rules.own if term.mine else terms.rules.others
    if (who := known(terms.mover)) is not None:
        return of_pieces(terms, owned[who])
    if all(pieces == owned[0] for pieces in owned):
        return of_pieces(terms, owned[0])
    place = place_of(terms, term)
    if place is not None:
        return terms.sets.at(terms.row, place)
    result = terms.writer.fresh("mine" if term.mine else "theirs", terms.sets.cells)
    players = len(owned)
    for player, pieces in enumerate(owned):
        if player == 0:
            terms.writer.open_if(compared(terms.mover, "==", 0))
        elif player < players - 1:
            terms.writer.otherwise()
            terms.writer.open_if(compared(terms.mover, "==", player))
        else:
            terms.writer.otherwise()
        terms.writer.assign(result, of_pieces(terms, pieces))
    terms.writer.close(max(1, players - 1))
    return result


@set_of.register(hir.Region)
def _region(term: hir.Region, terms: ExprLowering) -> ir.Expr:
    return terms.sets.constant(terms.board.regions[term.name], term.name)


@set_of.register(hir.CellSet)
def _cell_set(term: hir.CellSet, terms: ExprLowering) -> ir.Expr:
    result: ir.Expr | None = None
    for item in term.items:
        part = _one_cell(terms, item) if item.sort == CELL else terms.cells(item)
        result = part if result is None else terms.sets.either(result, part)
    return terms.sets.nothing if result is None else result


def _one_cell(terms: ExprLowering, term: hir.Expr) -> ir.Expr:
    """The set of one cell; the empty set where the cell is none."""
    cell = terms.value(term)
    if not terms.may_be_none(term):
        return terms.sets.single(cell)
    named = terms.name(cell, "cell")
    return terms.where("cells", compared(named, ">=", 0), lambda: terms.sets.single(named))


@set_of.register(hir.Comprehension)
def _comprehension(term: hir.Comprehension, terms: ExprLowering) -> ir.Expr:
    binding = term.binding
    if binding.guard is None:
        return terms.cells(binding.domain)
    result = terms.writer.let("found", terms.sets.nothing)
    with terms.each(binding) as value:
        terms.writer.assign(result, terms.sets.either(result, terms.sets.single(value)))
    return result


@set_of.register(hir.SetArithmetic)
def _set_arithmetic(term: hir.SetArithmetic, terms: ExprLowering) -> ir.Expr:
    left = terms.cells(term.left)
    right = terms.cells(term.right)
    return {"+": terms.sets.either, "-": terms.sets.minus, "and": terms.sets.both}[term.operator](left, right)


@set_of.register(hir.IfElse)
def _if_else(term: hir.IfElse, terms: ExprLowering) -> ir.Expr:
    return terms.branches(term, "cells", terms.cells, terms.sets.cells)


@set_of.register(hir.Let)
def _let(term: hir.Let, terms: ExprLowering) -> ir.Expr:
    with terms.scope(term.slot):
        terms.let(term)
        return terms.name(terms.cells(term.body), "cells")


@set_of.register(hir.Aggregate)
def _aggregate(term: hir.Aggregate, terms: ExprLowering) -> ir.Expr:
    return AGGREGATIONS[term.kind].lowered(terms, term)


@set_of.register(hir.Closure)
def _closure(term: hir.Closure, terms: ExprLowering) -> ir.Expr:
    return CLOSURES["reached"].lowered(terms, term)


@set_of.register(hir.Apply)
def _apply(term: hir.Apply, terms: ExprLowering) -> ir.Expr:
    return MEANINGS[term.function].lowered(terms, term)

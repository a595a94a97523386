"""Words of pieces: the piece on a cell, a piece's owner and kind, a player's piece of a kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import OneOf
from interpreter.boards import members
from interpreter.compiler import ir
from interpreter.compiler.build import compared, element, expr, plus, times
from interpreter.model.pieces import kinds, owners, pieces_by_kind
from interpreter.model.state import WorkingState
from interpreter.words.meaning import Meaning, Unbounded

if TYPE_CHECKING:
    from interpreter.analysis.bounds import BoardBounds
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


class _Piece(Meaning):
    """`piece(c)`: the piece on a cell, or empty; none where there is no cell."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        (cell,) = evaluator.arguments(term)

        def piece(table: WorkingState, bound: Bound) -> int | None:
            place = cell(table, bound)
            return None if place is None else table.piece_at(place)

        return piece

    def bounds(self, known: BoardBounds, term: hir.Apply) -> OneOf:
        place, result = known.of(term.arguments[0]), 0
        for here in members(place.values):
            result |= known.at(here)
        return OneOf(result, place.none)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        (cell,) = term.arguments
        value, function = terms.value(cell), terms.program.piece_function
        if not terms.may_be_none(cell):
            return terms.sets.called(function(), terms.row, value)
        value = terms.name(value, "cell")
        there = terms.sets.called(function(), terms.row, value)
        return ir.Conditional(compared(value, ">=", 0), there, expr(-1))

    def may_be_none(self, terms: ExprLowering, term: hir.Apply) -> bool:
        return terms.may_be_none(term.arguments[0])


class _OfPiece(Unbounded):
    """`owner(p)`: a constant property of each piece, stored as -1 for none."""

    def __init__(self, table: str, values: Callable[[hir.Rules], Sequence[int]]) -> None:
        self.table, self.values = table, values

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        result = [None if value < 0 else value for value in self.values(evaluator.rules)]
        (piece,) = evaluator.arguments(term)

        def of_piece(table: WorkingState, bound: Bound) -> int | None:
            index = piece(table, bound)
            return None if index is None else result[index]

        return of_piece

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        piece = terms.value(term.arguments[0])
        values = [-1, *self.values(terms.rules)]
        return element(terms.program.tables.numbers(self.table, values), plus(piece, 1))


class _Kind(_OfPiece):
    """`kind(p)`: the kind of a piece, none for empty and for tiles."""

    def image(self, renaming: Renaming, term: hir.Apply) -> Key:
        """Every kind must have an image, whichever piece is given."""
        renaming.keeps_kinds()
        return (term.function, *renaming.arguments(term))


class _PieceOf(Unbounded):
    """`kind(p)[mover]`: a player's piece of a kind, none where there is none."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        kind, player = evaluator.arguments(term)
        pieces = pieces_by_kind(evaluator.rules)

        def piece_of(table: WorkingState, bound: Bound) -> int | None:
            number = kind(table, bound)
            result = -1 if number is None else pieces[number][player(table, bound)]
            return None if result < 0 else result

        return piece_of

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        kind, player = terms.value(term.arguments[0]), terms.known(term.arguments[1])
        count = len(terms.rules.players)
        values = [-1] * count + [piece for row in pieces_by_kind(terms.rules) for piece in row]
        place = plus(plus(times(kind, count), count), player)
        return element(terms.program.tables.numbers("pieces_by_kind", values), place)


MEANINGS = {
    "piece": _Piece(),
    "owner": _OfPiece("owner", owners),
    "kind": _Kind("kind", kinds),
    "piece_of": _PieceOf(),
}

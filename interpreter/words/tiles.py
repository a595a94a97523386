"""Words of tiles: the owner of the track at a side of a tile, and of the one that meets a side of a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from interpreter.compiler import ir
from interpreter.compiler.build import compared, element, expr, line, plus, times
from interpreter.model.state import WorkingState
from interpreter.semantics.networks import Tracks
from interpreter.words.meaning import Unbounded

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


class _Side(Unbounded):
    """`t.north`: the owner of the track at a side of a tile, none where there is no track."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        piece, direction = evaluator.arguments(term)
        sides = [kind.sides for kind in evaluator.rules.pieces]

        def side(table: WorkingState, bound: Bound) -> int | None:
            index = piece(table, bound)
            result = sides[index][direction(table, bound)] if index is not None and sides[index] else -1
            return None if result < 0 else result

        return side

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        piece, way = terms.name(terms.value(term.arguments[0]), "piece"), terms.known(term.arguments[1])
        table, count = terms.program.sides()
        result = element(line(table), plus(times(piece, count), way))
        return ir.Conditional(compared(piece, ">=", 0), result, expr(-1))


class _Facing(Unbounded):
    """`facing(c, d)`: the owner of the track that meets a side of a cell from the adjacent cell."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, (cell, direction) = evaluator.board, evaluator.arguments(term)
        tracks = Tracks.of(evaluator.rules, board)

        def facing(table: WorkingState, bound: Bound) -> int | None:
            origin = cell(table, bound)
            if origin is None:
                return None
            way = direction(table, bound)
            target = board.steps[origin][way]
            return None if target < 0 else tracks.owner(table, target, (way + tracks.half) % (2 * tracks.half))

        return facing

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cell, direction = term.arguments
        table, count = terms.program.sides()
        name = terms.sets.library.put("facing", sides=table, steps=terms.sets.steps_table(), count=count,
                                      piece_on=terms.program.piece_function())
        return terms.sets.called(name, terms.row, terms.value(cell), terms.known(direction))


MEANINGS = {"side": _Side(), "facing": _Facing()}

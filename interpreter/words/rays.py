"""Words of rays from a cell: the cells as far as a set reaches, the first occupied one, the cells in reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import CellBounds, OneOf
from dsl.resolve.sorts import CELLS
from interpreter.boards import members
from interpreter.compiler import ir
from interpreter.compiler.build import compared
from interpreter.model.state import WorkingState
from interpreter.words.meaning import Meaning

if TYPE_CHECKING:
    from interpreter.analysis.bounds import BoardBounds
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


class _Ray(Meaning):
    """`ray(c, d, S)`: the cells after one in a direction, before the first outside a set; all without a set."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, (cell, direction, *rest) = evaluator.board, evaluator.arguments(term)
        within = rest[0] if rest else None

        def ray(table: WorkingState, bound: Bound) -> int:
            origin = cell(table, bound)
            allowed = board.everything if within is None else within(table, bound)
            way = direction(table, bound)
            if origin is None:
                return 0
            result = 0
            for place in board.ray(origin, way):
                if not allowed >> place & 1:
                    break
                result |= 1 << place
            return result

        return ray

    def bounds(self, known: BoardBounds, term: hir.Apply) -> CellBounds:
        cell, direction, *rest = term.arguments
        origin, ways, everything = known.of(cell), known.of(direction), known.board.everything
        allowed = known.cells(rest[0]) if rest else CellBounds(everything, everything)
        least = most = 0
        for place in members(origin.values):
            for way in members(ways.values):
                open_yet = True
                for target in known.board.ray(place, way):
                    if not allowed.most >> target & 1:
                        break
                    most |= 1 << target
                    open_yet = open_yet and bool(allowed.least >> target & 1)
                    if open_yet:
                        least |= 1 << target
        return CellBounds(least if origin.single is not None and ways.single is not None else 0, most)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cell, direction, *rest = term.arguments
        origin = terms.value(cell)
        within = terms.cells(rest[0]) if rest else terms.sets.everything
        way = terms.known(direction)
        if not terms.may_be_none(cell):
            return terms.sets.ray(origin, way, within)
        start = terms.name(origin, "cell")
        return terms.where("ray_cells", compared(start, ">=", 0), lambda: terms.sets.ray(start, way, within))


class _Sight(Meaning):
    """`sight(c, d)`: the first occupied cell in a direction, none where there is none."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, (cell, direction) = evaluator.board, evaluator.arguments(term)

        def sight(table: WorkingState, bound: Bound) -> int | None:
            origin, way = cell(table, bound), direction(table, bound)
            if origin is None:
                return None
            return next((place for place in board.ray(origin, way) if table.piece_at(place)), None)

        return sight

    def bounds(self, known: BoardBounds, term: hir.Apply) -> OneOf:
        cell, direction = term.arguments
        origin, ways = known.of(cell), known.of(direction)
        seen, none = 0, origin.none
        for place in members(origin.values):
            for way in members(ways.values):
                ends = False
                for target in known.board.ray(place, way):
                    held = known.at(target)
                    seen |= 1 << target if held & ~1 else 0
                    ends = not held & 1
                    if ends:
                        break
                none = none or not ends
        return OneOf(seen, none)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cell, direction = term.arguments
        empty = terms.cells(hir.CellsOf((0,), sort=CELLS, span=term.span))
        return terms.sets.first_seen(terms.value(cell), terms.known(direction), empty)


class _Reach(Meaning):
    """`reach(c, d, S)`: the cells after one in a direction, up to and including the first outside a set."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, (cell, direction, through) = evaluator.board, evaluator.arguments(term)

        def reach(table: WorkingState, bound: Bound) -> int:
            origin, way, free = cell(table, bound), direction(table, bound), through(table, bound)
            result = 0
            for place in () if origin is None else board.ray(origin, way):
                result |= 1 << place
                if not free >> place & 1:
                    break
            return result

        return reach

    def bounds(self, known: BoardBounds, term: hir.Apply) -> CellBounds:
        cell, direction, through = term.arguments
        origin, ways, free = known.of(cell), known.of(direction), known.cells(through)
        least = most = 0
        for place in members(origin.values):
            for way in members(ways.values):
                certain = True
                for target in known.board.ray(place, way):
                    most |= 1 << target
                    least |= 1 << target if certain else 0
                    certain = certain and bool(free.least >> target & 1)
                    if not free.most >> target & 1:
                        break
        return CellBounds(least if origin.single is not None and ways.single is not None else 0, most)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cell, direction, through = term.arguments
        within = terms.cells(through)
        return terms.sets.cells_reached(terms.value(cell), terms.known(direction), within)


MEANINGS = {"ray": _Ray(), "sight": _Sight(), "reach": _Reach()}

"""Effects on all pieces in a set of cells: slide them one step, or rotate them."""

from __future__ import annotations

from math import inf
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import Interval
from interpreter.analysis.change import Change
from interpreter.boards import mask_of, members
from interpreter.compiler.build import negated
from interpreter.effects.meaning import Action, EffectMeaning
from interpreter.errors import RuleError
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import Bound

if TYPE_CHECKING:
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.analysis.termination import Watch
    from interpreter.compiler.library import Given
    from interpreter.compiler.lowering.effects import Effects as EffectsLowering
    from interpreter.semantics.effects import Effects


class _Slide(EffectMeaning[hir.Slide]):
    """`slide row(r) east`: moves each piece in a set one step; pieces that leave the set are removed."""

    def action(self, effects: Effects, effect: hir.Slide) -> Action:
        evaluator = effects.evaluator
        cells, direction = evaluator.compile(effect.cells), evaluator.known(effect.direction)
        steps, piles = evaluator.board.steps, evaluator.piles

        def slide(table: WorkingState, bound: Bound) -> None:
            window, way = cells(table, bound), direction(table, bound)

            def target(cell: int) -> int:
                goal = steps[cell][way]
                return goal if goal >= 0 and window >> goal & 1 else -1

            if piles is not None:
                piles.move(table, window, target)
            held = [holding & window for holding in table.pieces]
            if table.moved is not None:
                table.moved.append({cell: target(cell) for holding in held[1:] for cell in members(holding)})
            table.put(window, 0)
            for piece, holding in enumerate(held):
                if piece:
                    for cell in members(holding):
                        goal = target(cell)
                        if goal >= 0:
                            table.put(1 << goal, piece)

        return slide

    def write(self, effects: EffectsLowering, effect: hir.Slide) -> None:
        terms = effects.terms
        window = terms.name(terms.cells(effect.cells), "window")
        way = terms.known(effect.direction)
        name = effects.program.library.put(
            "slide", steps=effects.sets.steps_table(), directions=len(terms.board.directions),
            pieces=len(terms.rules.pieces))
        way = terms.name(way, "way")
        effects.slide_covered(window, way)
        effects.writer.evaluate(effects.sets.called(name, terms.row, window, way))

    def image(self, renaming: Renaming, effect: hir.Slide) -> Key:
        return ("slide", renaming.term(effect.cells), renaming.term(effect.direction))

    def change(self, watch: Watch, effect: hir.Slide) -> Change:
        watch.contents.known.clear()
        return Change({piece: Interval(-inf, 0) if piece else Interval(0, inf)
                       for piece in range(len(watch.rules.pieces))})


class _Rotate(EffectMeaning[hir.Rotate]):
    """`turn S clockwise`: rotates all pieces in a set that the turn maps onto itself."""

    def action(self, effects: Effects, effect: hir.Rotate) -> Action:
        evaluator, clockwise, span = effects.evaluator, effect.clockwise, effect.span
        cells, board, piles = evaluator.compile(effect.cells), evaluator.board, evaluator.piles

        def rotate(table: WorkingState, bound: Bound) -> None:
            window = cells(table, bound)
            turn = board.turned_within(window, clockwise=clockwise)
            if turn is None:
                phrase = "the set that is turned does not come onto itself, expected one that does"
                raise RuleError("G409", phrase, span)
            if piles is not None:
                piles.move(table, window, turn.__getitem__)
            held = [holding & window for holding in table.pieces]
            if table.moved is not None:
                table.moved.append({cell: turn[cell] for holding in held[1:] for cell in members(holding)})
            table.put(window, 0)
            for piece, holding in enumerate(held):
                if piece:
                    table.put(mask_of(turn[cell] for cell in members(holding)), piece)

        return rotate

    def write(self, effects: EffectsLowering, effect: hir.Rotate) -> None:
        terms, board, tables = effects.terms, effects.terms.board, effects.program.tables
        window = terms.name(terms.cells(effect.cells), "window")
        (a, b), (c, d) = board.kind.matrices[board.kind.turn]
        if not effect.clockwise:  # the inverse: the determinant is 1
            a, b, c, d = d, -b, -c, a
        low_x, low_y = (min(point[axis] for point in board.points) for axis in (0, 1))
        wide = max(point[1] for point in board.points) - low_y + 1
        high = max(point[0] for point in board.points) - low_x + 1
        grid = [-1] * (wide * high)
        for cell, (x, y) in enumerate(board.points):
            grid[(x - low_x) * wide + y - low_y] = cell
        given: dict[str, Given] = {
            "xs": tables.table("point_x", [point[0] for point in board.points]),
            "ys": tables.table("point_y", [point[1] for point in board.points]),
            "from_x": a, "from_y": b, "to_x": c, "to_y": d, "low_x": low_x, "low_y": low_y, "high": high, "wide": wide,
            "cell_of": tables.table("cell_of_point", grid)}
        name = effects.program.library.put(
            "turn", "turn_clockwise" if effect.clockwise else "turn_counterclockwise", pieces=len(terms.rules.pieces),
            **given)
        effects.turn_covered(window, **given)
        terms.fail("G409", negated(effects.sets.called(name, terms.row, window)))

    def image(self, renaming: Renaming, effect: hir.Rotate) -> Key:
        return ("turn", renaming.term(effect.cells), renaming.turning(effect.clockwise))

    def change(self, watch: Watch, effect: hir.Rotate) -> Change:
        watch.contents.known.clear()
        return Change()


EFFECTS = {hir.Slide: _Slide(), hir.Rotate: _Rotate()}

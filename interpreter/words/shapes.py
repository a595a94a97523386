"""Words of the shapes drawn in a `values` declaration: the cells that one covers, its distinct orientations, its size.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import ANY_NUMBER, CellBounds, Interval, OneOf
from dsl.resolve.shapes import Shape
from dsl.resolve.sorts import Enumerated
from interpreter.boards import Board, members
from interpreter.compiler import ir
from interpreter.compiler.build import all_of, binary, compared, element, plus, times
from interpreter.model.state import WorkingState
from interpreter.words.meaning import Meaning

if TYPE_CHECKING:
    from dsl.checks.bounds import Value
    from interpreter.analysis.bounds import BoardBounds
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


_MOST_LOOKED_UP = 120_000
"""The most words of a table of the cells that shapes can cover; beyond it the cells are computed in each call.

With the table, random games with five drawn cards on 25 cells are 1.7 times as fast.
"""


def _shapes(term: hir.Apply) -> tuple[Shape, ...]:
    """The shapes of the values of a word's first argument."""
    sort = term.arguments[0].sort
    return sort.shapes if isinstance(sort, Enumerated) else ()


def _turned(board: Board, shape: Shape, up: int, right: int) -> tuple[tuple[int, int], ...]:
    """The (rows down, columns right) of each mark of a turned drawing; () for directions not at right angles."""
    steps = list(board.kind.steps.values())
    (up_down, up_across), (right_down, right_across) = steps[up], steps[right]
    if up_down * right_down + up_across * right_across:
        return ()
    return tuple((mark_up * up_down + mark_right * right_down, mark_up * up_across + mark_right * right_across)
                 for mark_up, mark_right in shape)


def _pairs(board: Board) -> list[tuple[int, int]]:
    """All pairs of directions at right angles."""
    ways = range(len(board.directions))
    return [(up, right) for up in ways for right in ways if _turned(board, ((1, 0), (0, 1)), up, right)]


def _clockwise(board: Board, up: int) -> int:
    """The direction a right angle clockwise of another: boards list directions in the order of the compass."""
    count = len(board.directions)
    return (up + count // 4) % count


def _covered(board: Board, shape: Shape, cell: int, up: int, right: int) -> int:
    """The cells of the board that a turned drawing covers when it is laid at a cell."""
    row, column = board.row_of[cell], board.column_of[cell]
    result = 0
    for down, across in _turned(board, shape, up, right):
        target = board.cell_at(row + down, column + across)
        result |= 1 << target if target >= 0 else 0
    return result


def _differences(board: Board, shape: Shape) -> list[bool]:
    """For each pair of directions, up first, whether the turned drawing differs from those of all pairs before it."""
    count, seen, result = len(board.directions), set[tuple[tuple[int, int], ...]](), []
    for up in range(count):
        for right in range(count):
            marks = _turned(board, shape, up, right)
            top, left = (min((mark[axis] for mark in marks), default=0) for axis in (0, 1))
            looks = tuple(sorted((down - top, across - left) for down, across in marks))
            result.append(bool(looks) and looks not in seen)
            seen.add(looks)
    return result


class _Laid(Meaning):
    """`laid(k, c, d, e)`: the cells that a shape at c covers, with the drawing's up towards d and right towards e."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, shapes, (kind, cell, up, *rest) = evaluator.board, _shapes(term), evaluator.arguments(term)

        def laid(table: WorkingState, bound: Bound) -> int:
            shape, origin, north = kind(table, bound), cell(table, bound), up(table, bound)
            if shape is None or origin is None:
                return 0
            east = rest[0](table, bound) if rest else _clockwise(board, north)
            return _covered(board, shapes[shape], origin, north, east)

        return laid

    def bounds(self, known: BoardBounds, term: hir.Apply) -> CellBounds:
        kind, up, *rest = (known.of(part).single for part in (term.arguments[0], *term.arguments[2:]))
        origin, board = known.of(term.arguments[1]), known.board
        if kind is None or up is None or None in rest:
            return CellBounds(0, board.everything)
        right = _clockwise(board, up) if not rest else rest[0] or 0
        most = 0
        for place in members(origin.values):
            most |= _covered(board, _shapes(term)[kind], place, up, right)
        return CellBounds(most if origin.single is not None else 0, most)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        kind, cell, up, *rest = term.arguments
        count = len(terms.board.directions)
        shape, origin, north = terms.value(kind), terms.value(cell), terms.name(terms.known(up), "up")
        east = terms.known(rest[0]) if rest else binary("%", plus(north, count // 4), count)
        pairs = _pairs(terms.board)
        if len(_shapes(term)) * len(pairs) * terms.board.size * terms.sets.words > _MOST_LOOKED_UP:
            return terms.sets.called(self._function(terms, term), shape, origin, north, east)
        sets = [_covered(terms.board, drawn, place, *pair)
                for drawn in _shapes(term) for pair in pairs for place in range(terms.board.size)]
        numbers = [pairs.index((i, j)) if (i, j) in pairs else -1 for i in range(count) for j in range(count)]
        table = terms.program.tables.numbers("pair", numbers)
        pair = terms.name(element(table, plus(times(north, count), east)), "pair")
        drawn, place = terms.name(shape, "shape"), terms.name(origin, "cell")
        there = all_of([compared(part, ">=", 0) for part, needed in (
            (drawn, terms.may_be_none(kind)), (place, terms.may_be_none(cell)), (pair, bool(rest))) if needed])
        index = plus(times(plus(times(drawn, len(pairs)), pair), terms.board.size), place)
        covered = terms.sets.table(f"laid_{kind.sort}", sets)
        return terms.where("covered", there, lambda: terms.sets.of_table(covered, index))

    def _function(self, terms: ExprLowering, term: hir.Apply) -> str:
        """The runtime function that computes the covered cells from a shape's marks."""
        board, tables, shapes = terms.board, terms.program.tables, _shapes(term)
        marks = [mark for shape in shapes for mark in shape]
        rows, columns = board.row_count, board.column_count
        steps = list(board.kind.steps.values())
        return terms.sets.library.put(
            "laid", f"laid_{term.arguments[0].sort}",
            first=tables.table("first_mark", [sum(map(len, shapes[:k])) for k in range(len(shapes) + 1)]),
            mark_up=tables.table("mark_up", [mark[0] for mark in marks]),
            mark_right=tables.table("mark_right", [mark[1] for mark in marks]),
            down_of=tables.table("down_of", [step[0] for step in steps]),
            across_of=tables.table("across_of", [step[1] for step in steps]),
            row_of=tables.table("row_of", list(board.row_of)),
            column_of=tables.table("column_of", list(board.column_of)),
            row_count=rows, column_count=columns,
            cell_at=tables.table("cell_at", [board.cell_at(r, k) for r in range(rows) for k in range(columns)]))

    def image(self, renaming: Renaming, term: hir.Apply) -> Key:
        """A symmetry maps both directions; where one is given, only turns preserve the direction to its right."""
        if len(term.arguments) == 3 and not renaming.turning(True):
            renaming.unclear()
        return super().image(renaming, term)


class _Differs(Meaning):
    """`differs(k, d, e)`: whether a drawing so turned differs from those of all pairs of directions before these."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        count = len(evaluator.board.directions)
        looks = [_differences(evaluator.board, shape) for shape in _shapes(term)]
        kind, up, right = evaluator.arguments(term)

        def differs(table: WorkingState, bound: Bound) -> bool:
            shape = kind(table, bound)
            return shape is not None and looks[shape][up(table, bound) * count + right(table, bound)]

        return differs

    def bounds(self, known: BoardBounds, term: hir.Apply) -> Value:
        kind, up, right = (known.of(part).single for part in term.arguments)
        if kind is None or up is None or right is None:
            return known.anything(term.sort)
        return OneOf(1 << _differences(known.board, _shapes(term)[kind])[up * len(known.board.directions) + right])

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        kind, up, right = term.arguments
        count = len(terms.board.directions)
        looks = [0] * count**2 + [int(new) for shape in _shapes(term) for new in _differences(terms.board, shape)]
        place = plus(times(plus(times(plus(terms.value(kind), 1), count), terms.known(up)), count), terms.known(right))
        return compared(element(terms.program.tables.numbers("differs", looks), place), "!=", 0)

    def image(self, renaming: Renaming, term: hir.Apply) -> Key:
        """Which of the directions that look the same comes first depends on their order, which no renaming sees."""
        if renaming.element is not None and list(renaming.element.cells.directions) != sorted(
                renaming.element.cells.directions):
            renaming.unclear()
        return super().image(renaming, term)


class _Area(Meaning):
    """`area(k)`: the number of cells that a shape covers."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        sizes, (kind,) = [len(shape) for shape in _shapes(term)], evaluator.arguments(term)

        def area(table: WorkingState, bound: Bound) -> int:
            shape = kind(table, bound)
            return 0 if shape is None else sizes[shape]

        return area

    def bounds(self, known: BoardBounds, term: hir.Apply) -> Interval:
        kinds = known.of(term.arguments[0])
        result = [len(_shapes(term)[kind]) for kind in members(kinds.values)] + [0] * kinds.none
        return Interval(min(result), max(result)) if result else ANY_NUMBER

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        sizes = [0, *map(len, _shapes(term))]
        return element(terms.program.tables.numbers("area", sizes), plus(terms.value(term.arguments[0]), 1))


MEANINGS = {"laid": _Laid(), "differs": _Differs(), "area": _Area()}

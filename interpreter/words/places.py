"""Words of the board itself: steps, rows and columns, cells by row and column, neighbours, leaps, directions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import ANY_NUMBER, CellBounds, Interval, OneOf
from interpreter.boards import Board, mask_of, members
from interpreter.compiler import ir
from interpreter.compiler.build import all_of, between, binary, compared, element, expr, known, line, plus, times
from interpreter.model.state import WorkingState
from interpreter.semantics.functions import some_cell
from interpreter.words.meaning import Meaning

if TYPE_CHECKING:
    from interpreter.analysis.bounds import BoardBounds
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


class _Step(Meaning):
    """`c.north`: the next cell in a direction, none past the border."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        steps, (cell, direction) = evaluator.board.steps, evaluator.arguments(term)

        def step(table: WorkingState, bound: Bound) -> int | None:
            origin = cell(table, bound)
            if origin is None:
                return None
            target = steps[origin][direction(table, bound)]
            return None if target < 0 else target

        return step

    def bounds(self, known: BoardBounds, term: hir.Apply) -> OneOf:
        cell, direction = term.arguments
        origin, ways = known.of(cell), known.of(direction)
        targets = [known.board.steps[place][way] for place in members(origin.values) for way in members(ways.values)]
        return OneOf(mask_of(target for target in targets if target >= 0), origin.none or -1 in targets)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cell, direction = term.arguments
        origin, way = terms.value(cell), terms.known(direction)
        count = len(terms.board.directions)
        plain = known(way)
        if plain is not None:
            return element(terms.program.steps_one_way(plain), plus(origin, 1))
        return element(line(terms.sets.steps_table()), plus(plus(times(origin, count), way), count))


class _Next(Meaning):
    """`next(c, d, n)`: the cell n steps away in a direction, backwards if n is negative; none past the border."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, (cell, direction, *rest) = evaluator.board, evaluator.arguments(term)
        number = rest[0] if rest else None

        def steps_ahead(table: WorkingState, bound: Bound) -> int | None:
            origin, way = cell(table, bound), direction(table, bound)
            count = 1 if number is None else number(table, bound)
            return None if origin is None else _ahead(board, origin, way, count)

        return steps_ahead

    def bounds(self, known: BoardBounds, term: hir.Apply) -> OneOf:
        cell, direction, *rest = term.arguments
        origin, ways = known.of(cell), known.of(direction)
        number = known.of(rest[0]).single if rest else 1
        if number is None:
            return OneOf(known.board.everything, True)
        targets = [_ahead(known.board, place, way, number)
                   for place in members(origin.values) for way in members(ways.values)]
        return OneOf(mask_of(target for target in targets if target is not None), origin.none or None in targets)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cell, direction, *rest = term.arguments
        return terms.sets.steps_ahead(
            terms.value(cell), terms.known(direction), terms.known(rest[0]) if rest else expr(1))


def _ahead(board: Board, cell: int, direction: int, number: int) -> int | None:
    """The cell a number of steps away in a direction, backwards where it is negative; None off the board."""
    count = len(board.directions)
    way = direction if number >= 0 else (direction + count // 2) % count
    line = (cell, *board.ray(cell, way))
    return line[abs(number)] if abs(number) < len(line) else None


class _Coordinate(Meaning):
    """`c.row`, `c.column`."""

    def __init__(self, table: str, of: Callable[[Board], tuple[int, ...]]) -> None:
        self.table, self.of = table, of

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        numbers, (cell,) = self.of(evaluator.board), evaluator.arguments(term)
        return lambda table, bound: numbers[some_cell(cell(table, bound), "a row or column", term.span)]

    def bounds(self, known: BoardBounds, term: hir.Apply) -> Interval:
        numbers = self.of(known.board)
        result = [numbers[place] for place in members(known.of(term.arguments[0]).values)]
        return Interval(min(result), max(result)) if result else ANY_NUMBER

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cell = terms.some_cell(term.arguments[0])
        return element(terms.program.tables.numbers(self.table, list(self.of(terms.board))), cell)


class _Cell(Meaning):
    """`cell(r, k)`: the cell in a row and a column, none where there is none."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, (row, column) = evaluator.board, evaluator.arguments(term)

        def cell(table: WorkingState, bound: Bound) -> int | None:
            result = board.cell_at(row(table, bound), column(table, bound))
            return None if result < 0 else result

        return cell

    def bounds(self, known: BoardBounds, term: hir.Apply) -> OneOf:
        at, along = (known.of(part).single for part in term.arguments)
        if at is None or along is None:
            return OneOf(known.board.everything, True)
        result = known.board.cell_at(at, along)
        return OneOf(0, True) if result < 0 else OneOf(1 << result)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        row, column = (terms.name(terms.known(part), "place") for part in term.arguments)
        rows, columns = terms.board.row_count, terms.board.column_count
        table = terms.program.tables.numbers(
            "cell_at", [terms.board.cell_at(r, k) for r in range(rows) for k in range(columns)])
        at_row, at_column = known(row), known(column)
        if at_row is not None and at_column is not None and min(at_row, at_column) >= 0:
            return expr(terms.board.cell_at(at_row, at_column))
        tests = [between(0, part, limit) for part, limit, of in (
            (row, rows, term.arguments[0]), (column, columns, term.arguments[1])) if not (
            0 <= (-1 if (value := known(part)) is None else value) < limit or terms.below(of, limit))]
        result = element(table, plus(times(row, columns), column))
        return ir.Conditional(all_of(tests), result, expr(-1)) if tests else result

    def may_be_none(self, terms: ExprLowering, term: hir.Apply) -> bool:
        board, (row, column) = terms.board, term.arguments
        return not (terms.below(row, board.row_count) and terms.below(column, board.column_count)
                    and board.row_count * board.column_count == board.size)


class _Stripe(Meaning):
    """`row(r)`, `column(k)`: the cells of a row or column; empty where there is no such one."""

    def __init__(self, table: str, of: Callable[[Board], tuple[int, ...]]) -> None:
        self.table, self.of = table, of

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        stripes, (number,) = self.of(evaluator.board), evaluator.arguments(term)

        def stripe(table: WorkingState, bound: Bound) -> int:
            at = number(table, bound)
            return stripes[at] if 0 <= at < len(stripes) else 0

        return stripe

    def bounds(self, known: BoardBounds, term: hir.Apply) -> CellBounds:
        stripes, at = self.of(known.board), known.of(term.arguments[0]).single
        if at is None:
            return CellBounds(0, known.board.everything)
        cells = stripes[at] if 0 <= at < len(stripes) else 0
        return CellBounds(cells, cells)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        stripes = self.of(terms.board)
        at = terms.name(terms.known(term.arguments[0]), "at")
        table = terms.sets.table(self.table, stripes)
        return terms.where("stripe", between(0, at, len(stripes)), lambda: terms.sets.of_table(table, at))


class _Neighbours(Meaning):
    """`neighbours(S)`: the neighbours of the cells of a set."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        near, (cells,) = evaluator.board.neighbours, evaluator.arguments(term)

        def neighbours(table: WorkingState, bound: Bound) -> int:
            result = 0
            for cell in members(cells(table, bound)):
                result |= near[cell]
            return result

        return neighbours

    def bounds(self, known: BoardBounds, term: hir.Apply) -> CellBounds:
        near = known.board.neighbours
        result = known.cells(term.arguments[0])
        least = most = 0
        for cell in members(result.most):
            most |= near[cell]
        for cell in members(result.least):
            least |= near[cell]
        return CellBounds(least, most)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        return terms.sets.neighbours(terms.cells(term.arguments[0]))


class _The(Meaning):
    """`the(S)`: the only cell of a set; none where there is no cell or several."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        (cells,) = evaluator.arguments(term)

        def the(table: WorkingState, bound: Bound) -> int | None:
            result: int = cells(table, bound)
            return result.bit_length() - 1 if result.bit_count() == 1 else None

        return the

    def bounds(self, known: BoardBounds, term: hir.Apply) -> OneOf:
        result = known.cells(term.arguments[0])
        return OneOf(result.most, not (result.least == result.most and result.most.bit_count() == 1))

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cells = terms.writer.let("cells", terms.cells(term.arguments[0]), terms.sets.cells)
        result = terms.writer.let("the", expr(-1))
        with terms.writer.when(compared(terms.sets.count(cells), "==", 1)):
            terms.writer.assign(result, terms.sets.first(cells))
        return result


class _Degree(Meaning):
    """`degree(c)`: the number of a cell's neighbours."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        degrees = [len(members(near)) for near in evaluator.board.neighbours]
        (cell,) = evaluator.arguments(term)
        return lambda table, bound: degrees[some_cell(cell(table, bound), "degree(...)", term.span)]

    def bounds(self, known: BoardBounds, term: hir.Apply) -> Interval:
        result = [known.board.neighbours[place].bit_count() for place in members(known.of(term.arguments[0]).values)]
        return Interval(min(result), max(result)) if result else ANY_NUMBER

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        degrees = [near.bit_count() for near in terms.board.neighbours]
        return element(terms.program.tables.numbers("degree", degrees), terms.some_cell(term.arguments[0]))


class _Opposite(Meaning):
    """`opposite(d)`. Boards list their directions in the order of the compass."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        half, (direction,) = len(evaluator.board.directions) // 2, evaluator.arguments(term)
        return lambda table, bound: (direction(table, bound) + half) % (2 * half)

    def bounds(self, known: BoardBounds, term: hir.Apply) -> OneOf:
        half = len(known.board.directions) // 2
        ways = known.of(term.arguments[0])
        return OneOf(mask_of((way + half) % (2 * half) for way in members(ways.values)), ways.none)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        half = len(terms.board.directions) // 2
        return binary("%", plus(terms.known(term.arguments[0]), half), 2 * half)


class _Leap(Meaning):
    """`leap(c, 1, 2)`: the cells 1 row and 2 columns away, or 2 rows and 1 column."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, (cell, one, other) = evaluator.board, evaluator.arguments(term)

        def leap(table: WorkingState, bound: Bound) -> int:
            origin, rows, columns = cell(table, bound), one(table, bound), other(table, bound)
            return 0 if origin is None else board.leaps(rows, columns)[origin]

        return leap

    def bounds(self, known: BoardBounds, term: hir.Apply) -> CellBounds:
        cell, one, other = term.arguments
        origin, along, across = known.of(cell), known.of(one).single, known.of(other).single
        if along is None or across is None:
            return CellBounds(0, known.board.everything)
        leaps, most = known.board.leaps(along, across), 0
        for place in members(origin.values):
            most |= leaps[place]
        return CellBounds(most if origin.single is not None else 0, most)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        sets, board, tables = terms.sets, terms.board, terms.program.tables
        rows, columns = board.row_count, board.column_count
        name = sets.library.put(
            "leap", "leap_by", row_of=tables.table("row_of", list(board.row_of)),
            column_of=tables.table("column_of", list(board.column_of)), row_count=rows, column_count=columns,
            cell_at=tables.table("cell_at", [board.cell_at(r, k) for r in range(rows) for k in range(columns)]))
        cell, one, other = term.arguments
        return sets.called(name, terms.value(cell), terms.known(one), terms.known(other))


MEANINGS = {
    "step": _Step(),
    "next": _Next(),
    "coordinate_row": _Coordinate("row_of", lambda board: board.row_of),
    "coordinate_column": _Coordinate("column_of", lambda board: board.column_of),
    "cell": _Cell(),
    "row": _Stripe("rows", lambda board: board.rows),
    "column": _Stripe("columns", lambda board: board.columns),
    "neighbours": _Neighbours(),
    "the": _The(),
    "degree": _Degree(),
    "opposite": _Opposite(),
    "leap": _Leap(),
}

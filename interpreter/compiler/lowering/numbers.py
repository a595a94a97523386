"""Lowering numbers: cells, players, pieces, directions and counts become expressions in IR; none is -1."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from dsl import hir
from dsl.resolve.sorts import CELLS, Integer, Sort
from interpreter.compiler import ir
from interpreter.compiler.build import (
    all_of,
    any_of,
    as_number,
    between,
    binary,
    call,
    compared,
    element,
    expr,
    known,
    line,
    minus,
    plus,
    times,
)
from interpreter.compiler.lowering import courses, piles, sites
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.loops import Letting
from interpreter.semantics import functions
from interpreter.words import MEANINGS

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering

_OPERATORS: Final[dict[str, ir.Operator]] = {"+": "+", "-": "-", "*": "*", "div": "//", "mod": "%"}


@singledispatch
def number_of(term: hir.Expr, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    """A number, by its form; `sort` says whose none a bare none is. Raises NotLowered."""
    raise NotLowered(f"a value of {type(term).__name__}")


@number_of.register(hir.NamedCell)
def _named_cell(term: hir.NamedCell, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    cell = terms.board.cell_named(term.name)
    return expr(-1 if cell is None else cell)


@number_of.register(hir.Local)
def _local(term: hir.Local, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    return terms.bound_value(term.slot)


@number_of.register(hir.Role)
def _role(term: hir.Role, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    if term.name == "mover":
        return terms.mover
    who = known(terms.mover)
    return minus(1, terms.mover) if who is None else expr(1 - who)


@number_of.register(hir.OwnPiece)
def _own_piece(term: hir.OwnPiece, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    player, pieces = terms.known(term.player), term.pieces
    who = known(player)
    if who is not None:
        return expr(pieces[who])
    steps = {after - before for before, after in pairwise(pieces)}
    if len(steps) == 1:
        step = steps.pop()
        return plus(pieces[0], player if step == 1 else times(step, player))
    return element(terms.program.tables.numbers("own", list(pieces)), player)


@number_of.register(hir.Pair)
def _pair(term: hir.Pair, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    first, second = terms.value(term.first), terms.value(term.second)
    missing = []
    if _out_of_range(terms, term.first, 1 << 40):
        first = terms.name(first, "first")
        missing.append(compared(first, "<", 0))
    if _out_of_range(terms, term.second, term.count):
        second = terms.name(second, "second")
        missing += [compared(second, "<", 0), compared(second, ">=", term.count)]
    place = plus(times(first, term.count), second)
    return ir.Conditional(any_of(missing), expr(-1), place) if missing else place


@number_of.register(hir.Variable)
def _variable(term: hir.Variable, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    return as_number(element(terms.row, place(terms, term.number, term.index)))


def place(terms: ExprLowering, variable: int, index: hir.Expr | None) -> ir.Expr:
    """Where a variable's value stands in a row."""
    start, size = terms.program.variable(variable)
    if index is None:
        return expr(start)
    at = terms.value(index)
    if (plain := known(at)) is not None:
        if not 0 <= plain < size:
            terms.fail("G403")
            plain = 0
        return expr(start + plain)
    if _out_of_range(terms, index, size):
        at = terms.name(at, "at")
        terms.fail("G403", any_of([compared(at, "<", 0), compared(at, ">=", size)]))
        at = terms.writer.let("at", ir.Conditional(between(0, at, size), at, expr(0)))
    return plus(start, at)


def _out_of_range(terms: ExprLowering, index: hir.Expr, size: int) -> bool:
    if isinstance(index, hir.Pair):
        return _out_of_range(terms, index.first, size // index.count) or _out_of_range(terms, index.second, index.count)
    if terms.may_be_none(index):
        return True
    sort = terms.bound[index.slot].sort if isinstance(index, hir.Local) else index.sort
    return isinstance(sort, Integer) and not (sort.low >= 0 and sort.high < size)


@number_of.register(hir.Only)
def _only(term: hir.Only, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    found, many = terms.writer.fresh(term.binding.name), terms.writer.fresh("many")
    terms.writer.assign(found, 0)
    terms.writer.assign(many, 0)
    with terms.each(term.binding) as value:
        terms.guard_all(term.body)
        terms.writer.assign(found, value)
        terms.writer.update(many, "+", 1)
    terms.fail("G404", compared(many, "!=", 1))
    return found


@number_of.register(hir.Aggregate)
def _aggregate(term: hir.Aggregate, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    if term.kind == "count" and term.binding.domain.sort == CELLS and term.body is None:
        comprehension = hir.Comprehension(term.binding, sort=CELLS, span=term.span)
        return terms.sets.count(terms.made_cells(comprehension))
    total = terms.writer.let("total", 0)
    best = term.kind in ("min", "max")
    first = terms.writer.let("none_yet", ir.TRUE) if best else ir.TRUE
    with terms.each(term.binding):
        value = expr(1) if term.body is None else terms.known(term.body)
        if isinstance(first, ir.Literal):
            terms.writer.update(total, "+", value)
        else:
            value = terms.name(value, "value")
            with terms.writer.when(any_of([first, compared(value, "<" if term.kind == "min" else ">", total)])):
                terms.writer.assign(total, value)
            terms.writer.assign(first, ir.FALSE)
    return total


@number_of.register(hir.Let)
def _let(term: hir.Let, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    with Letting(terms, term):
        return terms.name(terms.value(term.body, sort), "x")


@number_of.register(hir.Arithmetic)
def _arithmetic(term: hir.Arithmetic, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    left, right = terms.known(term.left), terms.known(term.right)
    return binary(_OPERATORS[term.operator], left, right)


@number_of.register(hir.IfElse)
def _if_else(term: hir.IfElse, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    return terms.branches(term, "x", lambda part: terms.value(part, sort or term.sort), ir.INT)


@number_of.register(hir.Apply)
def _apply(term: hir.Apply, terms: ExprLowering, sort: Sort | None) -> ir.Expr:
    arguments = term.arguments
    if term.function in MEANINGS:
        return MEANINGS[term.function].lowered(terms, term)
    match term.function:
        case "step":
            return step(terms, *arguments)
        case "coordinate_row" | "coordinate_column":
            of = terms.board.row_of if term.function == "coordinate_row" else terms.board.column_of
            cell = terms.some_cell(arguments[0])
            return element(terms.program.tables.numbers(term.function[11:] + "_of", list(of)), cell)
        case "cell":
            return _cell(terms, arguments)
        case "degree":
            degrees = [near.bit_count() for near in terms.board.neighbours]
            return element(terms.program.tables.numbers("degree", degrees), terms.some_cell(arguments[0]))
        case "opposite":
            half = len(terms.board.directions) // 2
            return binary("%", plus(terms.known(arguments[0]), half), 2 * half)
        case "border" | "vertex":
            return sites.site(terms, term.function, arguments)
        case "next":
            return courses.next_cell(terms, arguments)
        case "track_back":
            return binary("^", terms.known(arguments[0]), 1)
        case "piece":
            return terms.program.piece_at(terms, arguments[0])
        case "height":
            return piles.height(terms, terms.some_cell(arguments[0]))
        case "below":
            return piles.below(terms, *arguments)
        case "copies":
            return piles.copies(terms, *arguments)
        case "count":
            return terms.sets.count(terms.cells(arguments[0]))
        case "abs":
            return call("abs", terms.known(arguments[0]), gives=ir.INT)
        case "min" | "max":
            return call(term.function, *map(terms.known, arguments), gives=ir.INT)
        case "side":
            piece, way = terms.name(terms.value(arguments[0]), "piece"), terms.known(arguments[1])
            table, count = terms.program.sides()
            found = element(line(table), plus(times(piece, count), way))
            return ir.Conditional(compared(piece, ">=", 0), found, expr(-1))
        case "owner" | "kind":
            values = (functions.owners if term.function == "owner" else functions.kinds)(terms.rules)
            piece = terms.value(arguments[0])
            return element(terms.program.tables.numbers(term.function, [-1, *values]), plus(piece, 1))
        case "piece_of":
            kind, player = terms.value(arguments[0]), terms.known(arguments[1])
            pieces = functions.pieces_by_kind(terms.rules)
            count = len(terms.rules.players)
            values = [-1] * count + [piece for row in pieces for piece in row]
            place = plus(plus(times(kind, count), count), player)
            return element(terms.program.tables.numbers("pieces_by_kind", values), place)
        case "facing":
            return terms.program.facing(terms, arguments)
        case "distance":
            network, others = terms.program.network(terms, term)
            return network.asked("distance", others)
    raise NotLowered(f"the function {term.function}")


def step(terms: ExprLowering, cell: hir.Expr, direction: hir.Expr) -> ir.Expr:
    """The next cell in a direction, -1 for none; from none there is none."""
    origin, way = terms.value(cell), terms.known(direction)
    count = len(terms.board.directions)
    plain = known(way)
    if plain is not None:
        return element(steps_one_way(terms, plain), plus(origin, 1))
    return element(line(terms.sets.steps_table()), plus(plus(times(origin, count), way), count))


def steps_one_way(terms: ExprLowering, way: int) -> ir.Name:
    """The table of the next cells in one direction: none's first, then each cell's."""
    values = [-1, *(steps[way] for steps in terms.board.steps)]
    return terms.program.tables.numbers(terms.board.directions[way], values)


def _cell(terms: ExprLowering, arguments: Sequence[hir.Expr]) -> ir.Expr:
    """The cell in a row and a column, -1 for none."""
    row, column = (terms.name(terms.known(part), "place") for part in arguments)
    rows, columns = terms.board.row_count, terms.board.column_count
    table = terms.program.tables.numbers(
        "cell_at", [terms.board.cell_at(r, k) for r in range(rows) for k in range(columns)])
    at_row, at_column = known(row), known(column)
    if at_row is not None and at_column is not None and min(at_row, at_column) >= 0:
        return expr(terms.board.cell_at(at_row, at_column))
    tests = [between(0, part, limit) for part, limit, of in (
        (row, rows, arguments[0]), (column, columns, arguments[1])) if not (
        0 <= (-1 if (value := known(part)) is None else value) < limit or terms.below(of, limit))]
    found = element(table, plus(times(row, columns), column))
    return ir.Conditional(all_of(tests), found, expr(-1)) if tests else found

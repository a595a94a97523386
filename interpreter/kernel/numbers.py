"""Lowering numbers: cells, players, pieces, directions and counts become expressions of a kernel's text; none is -1."""

from __future__ import annotations

from functools import singledispatch
from itertools import pairwise
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELLS, Integer, Sort
from interpreter.kernel import cell_sets
from interpreter.kernel.errors import NotLowered
from interpreter.kernel.loops import Letting
from interpreter.kernel.texts import is_number

if TYPE_CHECKING:
    from interpreter.kernel.terms import Terms



@singledispatch
def number_of(term: hir.Expr, terms: Terms, sort: Sort | None) -> str:
    """The text of a number, by its form; `sort` says whose none a bare none is. Raises NotLowered."""
    raise NotLowered(f"a value of {type(term).__name__}")


@number_of.register(hir.NamedCell)
def _(term: hir.NamedCell, terms: Terms, sort: Sort | None) -> str:
    cell = terms.board.cell_named(term.name)
    return "-1" if cell is None else str(cell)


@number_of.register(hir.Local)
def _(term: hir.Local, terms: Terms, sort: Sort | None) -> str:
    return terms.bound[term.slot].name


@number_of.register(hir.Role)
def _(term: hir.Role, terms: Terms, sort: Sort | None) -> str:
    if terms.mover.isdigit():
        return terms.mover if term.name == "mover" else str(1 - int(terms.mover))
    return terms.mover if term.name == "mover" else f"(1 - {terms.mover})"


@number_of.register(hir.OwnPiece)
def _(term: hir.OwnPiece, terms: Terms, sort: Sort | None) -> str:
    player, pieces = terms.known(term.player), term.pieces
    if player.isdigit():
        return str(pieces[int(player)])
    steps = {after - before for before, after in pairwise(pieces)}
    if len(steps) == 1:
        step = steps.pop()
        scaled = player if step == 1 else f"{step} * {player}"
        return f"({pieces[0]} + {scaled})"
    return f"{terms.program.tables.table('own', list(pieces))}[{player}]"


@number_of.register(hir.Variable)
def _(term: hir.Variable, terms: Terms, sort: Sort | None) -> str:
    return f"number({terms.row}[{place(terms, term.number, term.index)}])"


def place(terms: Terms, number: int, index: hir.Expr | None) -> str:
    """The text of where a variable's value stands in a row."""
    start, size = terms.program.variable(number)
    if index is None:
        return str(start)
    at = terms.value(index)
    if is_number(at):
        known = int(at.strip("()"))
        if not 0 <= known < size:
            terms.fail("G403")
            known = 0
        return str(start + known)
    if _out_of_range(terms, index, size):
        at = terms.name(at, "at")
        terms.fail("G403", f"{at} < 0 or {at} >= {size}")
        safe = terms.writer.fresh("at")
        terms.writer.line(f"{safe} = {at} if 0 <= {at} < {size} else 0")
        at = safe
    return f"{start} + {at}"


def _out_of_range(terms: Terms, index: hir.Expr, size: int) -> bool:
    if terms.may_be_none(index):
        return True
    sort = terms.bound[index.slot].sort if isinstance(index, hir.Local) else index.sort
    return isinstance(sort, Integer) and not (sort.low >= 0 and sort.high < size)


@number_of.register(hir.Only)
def _(term: hir.Only, terms: Terms, sort: Sort | None) -> str:
    found, many = terms.writer.fresh(term.binding.name), terms.writer.fresh("many")
    terms.writer.line(f"{found} = 0")
    terms.writer.line(f"{many} = 0")
    with terms.each(term.binding) as value:
        terms.guard_all(term.body)
        terms.writer.line(f"{found} = {value}")
        terms.writer.line(f"{many} += 1")
    terms.fail("G404", f"{many} != 1")
    return found


@number_of.register(hir.Aggregate)
def _(term: hir.Aggregate, terms: Terms, sort: Sort | None) -> str:
    if term.kind == "count" and term.binding.domain.sort == CELLS and term.body is None:
        comprehension = hir.Comprehension(term.binding, sort=CELLS, span=term.span)
        return terms.sets.count(cell_sets.comprehension(terms, comprehension))
    total = terms.writer.fresh("total")
    terms.writer.line(f"{total} = 0")
    first = ""
    if term.kind in ("min", "max"):
        first = terms.writer.fresh("none_yet")
        terms.writer.line(f"{first} = True")
    with terms.each(term.binding):
        value = "1" if term.body is None else terms.known(term.body)
        if term.kind in ("sum", "count"):
            terms.writer.line(f"{total} += {value}")
        else:
            value = terms.name(value, "value")
            sign = "<" if term.kind == "min" else ">"
            with terms.writer.block(f"if {first} or {value} {sign} {total}:"):
                terms.writer.line(f"{total} = {value}")
            terms.writer.line(f"{first} = False")
    return total


@number_of.register(hir.Let)
def _(term: hir.Let, terms: Terms, sort: Sort | None) -> str:
    with Letting(terms, term):
        return terms.name(terms.value(term.body, sort), "x")


@number_of.register(hir.Arithmetic)
def _(term: hir.Arithmetic, terms: Terms, sort: Sort | None) -> str:
    left, right = terms.known(term.left), terms.known(term.right)
    sign = {"div": "//", "mod": "%"}.get(term.operator, term.operator)
    return f"({left} {sign} {right})"


@number_of.register(hir.IfElse)
def _(term: hir.IfElse, terms: Terms, sort: Sort | None) -> str:
    return terms.branches(term, "x", lambda part: terms.value(part, sort or term.sort))


@number_of.register(hir.Apply)
def _(term: hir.Apply, terms: Terms, sort: Sort | None) -> str:
    arguments = term.arguments
    match term.function:
        case "step":
            return step(terms, *arguments)
        case "coordinate_row" | "coordinate_column":
            of = terms.board.row_of if term.function == "coordinate_row" else terms.board.column_of
            cell = _some_cell(terms, arguments[0])
            return f"{terms.program.tables.table(term.function[11:] + '_of', list(of))}[{cell}]"
        case "cell":
            row, column = (terms.name(terms.known(part), "place") for part in arguments)
            rows, columns = terms.board.row_count, terms.board.column_count
            table = terms.program.tables.table(
                "cell_at", [terms.board.cell_at(r, k) for r in range(rows) for k in range(columns)])
            if row.isdigit() and column.isdigit():
                return str(terms.board.cell_at(int(row), int(column)))
            tests = [f"0 <= {part} < {limit}" for part, limit, of in (
                (row, rows, arguments[0]), (column, columns, arguments[1])) if not (
                (part.isdigit() and int(part) < limit) or terms.below(of, limit))]
            if not tests:
                return f"{table}[{row} * {columns} + {column}]"
            return f"({table}[{row} * {columns} + {column}] if {' and '.join(tests)} else -1)"
        case "degree":
            degrees = [near.bit_count() for near in terms.board.neighbours]
            return f"{terms.program.tables.table('degree', degrees)}[{_some_cell(terms, arguments[0])}]"
        case "opposite":
            half = len(terms.board.directions) // 2
            return f"(({terms.known(arguments[0])} + {half}) % {2 * half})"
        case "piece":
            return terms.program.piece_at(terms, arguments[0])
        case "count":
            return terms.sets.count(terms.cells(arguments[0]))
        case "abs":
            return f"abs({terms.known(arguments[0])})"
        case "min" | "max":
            return f"{term.function}({', '.join(terms.known(part) for part in arguments)})"
        case "side":
            piece, way = terms.name(terms.value(arguments[0]), "piece"), terms.known(arguments[1])
            table, count = terms.program.sides()
            return f"({table}[{piece} * {count} + {way}] if {piece} >= 0 else -1)"
        case "facing":
            return terms.program.facing(terms, arguments)
        case "distance":
            network, others = terms.program.network(terms, term)
            return f"{network.question('distance')}({', '.join([*network.arguments, *others])})"
    raise NotLowered(f"the function {term.function}")


def step(terms: Terms, cell: hir.Expr, direction: hir.Expr) -> str:
    """The text of the next cell in a direction, -1 for none; from none there is none."""
    origin, way = terms.value(cell), terms.known(direction)
    count = len(terms.board.directions)
    if way.isdigit():
        return f"{steps_one_way(terms, int(way))}[{origin} + 1]"
    return f"{terms.sets.steps_table()}[{origin} * {count} + {way} + {count}]"


def steps_one_way(terms: Terms, way: int) -> str:
    """The name of the table of the next cells in one direction: none's first, then each cell's."""
    values = [-1, *(steps[way] for steps in terms.board.steps)]
    return terms.program.tables.table(terms.board.directions[way], values)


def _some_cell(terms: Terms, term: hir.Expr) -> str:
    text = terms.value(term)
    if not terms.may_be_none(term):
        return text
    text = terms.name(text, "cell")
    terms.fail("G403", f"{text} < 0")
    return text

# ---- conditions

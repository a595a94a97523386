"""Lowering sets of cells: each becomes an expression of a kernel's text, with the lines that must stand before it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import singledispatch
from itertools import pairwise
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELL, CELLS, NETWORK, Integer
from interpreter.kernel.errors import NotLowered
from interpreter.kernel.loops import Letting
from interpreter.kernel.masks import narrowed
from interpreter.kernel.sights import sight, sight_of
from interpreter.kernel.texts import is_number

if TYPE_CHECKING:
    from interpreter.kernel.terms import Terms



@singledispatch
def set_of(term: hir.Expr, terms: Terms) -> str:
    """The text of a set, by its form. Raises NotLowered."""
    raise NotLowered(f"a set of {type(term).__name__}")


def of_pieces(terms: Terms, pieces: Sequence[int]) -> str:
    """The cells that hold one of some pieces."""
    if not pieces:
        return terms.sets.nothing
    words = terms.sets.words
    whole = len(terms.rules.pieces)
    if set(pieces) == set(range(1, whole)):
        empty = terms.sets.at(terms.row, "0")
        return terms.sets.minus(terms.sets.constant(terms.board.everything), empty)
    text = terms.sets.at(terms.row, str(pieces[0] * words))
    for piece in pieces[1:]:
        text = terms.sets.either(text, terms.sets.at(terms.row, str(piece * words)))
    return text


@set_of.register(hir.CellsOf)
def _(term: hir.CellsOf, terms: Terms) -> str:
    return of_pieces(terms, term.pieces)


@set_of.register(hir.CellsHolding)
def _(term: hir.CellsHolding, terms: Terms) -> str:
    piece = terms.value(term.piece)
    words = terms.sets.words
    if is_number(piece):
        return of_pieces(terms, (int(piece),)) if int(piece) >= 0 else terms.sets.nothing
    if terms.may_be_none(term.piece):
        piece = terms.name(piece, "piece")
        place = f"{piece} * {words}" if words > 1 else piece
        result = terms.writer.fresh("cells")
        terms.writer.line(f"{result} = {terms.sets.nothing}")
        with terms.writer.block(f"if {piece} >= 0:"):
            terms.writer.line(f"{result} = {terms.sets.at(terms.row, place)}")
        return result
    return terms.sets.at(terms.row, f"{piece} * {words}" if words > 1 else piece)


def place_of(terms: Terms, term: hir.Expr) -> str | None:
    """Where a set stands in the row, if it is what one piece has; else None."""
    words = terms.sets.words
    match term:
        case hir.CellsOf(pieces=(piece,)):
            return str(piece * words)
        case hir.Owned(mine=mine) if not terms.mover.isdigit():
            owned = terms.program.evaluator.own if mine else terms.program.evaluator.others
            steps = {after[0] - before[0] for before, after in pairwise(owned) if before and after}
            if all(len(pieces) == 1 for pieces in owned) and len(steps) == 1:
                step = steps.pop() * words
                text = f"{owned[0][0] * words} + {step} * {terms.mover}"
                return text.replace(" + 1 *", " +").replace("+ -1 *", "-").replace("+ -", "- ")
    return None


@set_of.register(hir.Owned)
def _(term: hir.Owned, terms: Terms) -> str:
    owned = terms.program.evaluator.own if term.mine else terms.program.evaluator.others
    if terms.mover.isdigit():
        return of_pieces(terms, owned[int(terms.mover)])
    if all(pieces == owned[0] for pieces in owned):
        return of_pieces(terms, owned[0])
    place = place_of(terms, term)
    if place is not None:
        return terms.sets.at(terms.row, place)
    result = terms.writer.fresh("mine" if term.mine else "theirs")
    players = len(owned)
    for player, pieces in enumerate(owned):
        if player == 0:
            terms.writer.open(f"if {terms.mover} == 0:")
        elif player < players - 1:
            terms.writer.otherwise()
            terms.writer.open(f"if {terms.mover} == {player}:")
        else:
            terms.writer.otherwise()
        terms.writer.line(f"{result} = {of_pieces(terms, pieces)}")
    terms.writer.close(max(1, players - 1))
    return result


@set_of.register(hir.Region)
def _(term: hir.Region, terms: Terms) -> str:
    return terms.sets.constant(terms.board.regions[term.name], term.name)


@set_of.register(hir.CellSet)
def _(term: hir.CellSet, terms: Terms) -> str:
    result = ""
    for item in term.items:
        if item.sort == CELL:
            cell = terms.value(item)
            if terms.may_be_none(item):
                cell = terms.name(cell, "cell")
                part = terms.writer.fresh("cells")
                terms.writer.line(f"{part} = {terms.sets.nothing}")
                with terms.writer.block(f"if {cell} >= 0:"):
                    terms.writer.line(f"{part} = {terms.sets.single(cell)}")
            else:
                part = terms.sets.single(cell)
        else:
            part = terms.cells(item)
        result = part if not result else terms.sets.either(result, part)
    return result or terms.sets.nothing


@set_of.register(hir.Comprehension)
def _(term: hir.Comprehension, terms: Terms) -> str:
    return comprehension(terms, term)


def comprehension(terms: Terms, term: hir.Comprehension) -> str:
    """The text of what a name ranges over and a condition holds for."""
    if term.binding.guard is None:
        return terms.cells(term.binding.domain)
    whole = terms.at_once(term.binding)
    if whole is not None:
        return whole
    binding = narrowed(terms, term.binding)
    if binding.guard is None:
        return terms.cells(binding.domain)
    result = terms.writer.fresh("found")
    terms.writer.line(f"{result} = {terms.sets.nothing}")
    with terms.each(binding) as value:
        terms.writer.line(f"{result} = {terms.sets.either(result, terms.sets.single(value))}")
    return result


@set_of.register(hir.SetArithmetic)
def _(term: hir.SetArithmetic, terms: Terms) -> str:
    left = terms.cells(term.left)
    right = terms.cells(term.right)
    return {"+": terms.sets.either, "-": terms.sets.minus, "and": terms.sets.both}[term.operator](left, right)


@set_of.register(hir.IfElse)
def _(term: hir.IfElse, terms: Terms) -> str:
    return terms.branches(term, "cells", terms.cells)


@set_of.register(hir.Let)
def _(term: hir.Let, terms: Terms) -> str:
    with Letting(terms, term):
        return terms.name(terms.cells(term.body), "cells")


@set_of.register(hir.Aggregate)
def _(term: hir.Aggregate, terms: Terms) -> str:
    assert term.body is not None  # a union
    looked = sight_of(term) if terms.program.passes.sights else None
    if looked is not None and not terms.may_be_none(looked.cell):
        within = terms.sets.constant(terms.board.everything) if looked.within is None else terms.cells(looked.within)
        text = sight(terms.sets, looked.directions, terms.value(looked.cell), within)
        if text is not None:
            return text
    result = terms.writer.fresh("union")
    terms.writer.line(f"{result} = {terms.sets.nothing}")
    with terms.each(term.binding):
        body = terms.cells(term.body) if term.body.sort == CELLS else terms.sets.single(terms.value(term.body))
        terms.writer.line(f"{result} = {terms.sets.either(result, body)}")
    return result


@set_of.register(hir.Apply)
def _(term: hir.Apply, terms: Terms) -> str:
    arguments = term.arguments
    match term.function:
        case "row" | "column":
            stripes = terms.board.rows if term.function == "row" else terms.board.columns
            at = terms.name(terms.known(arguments[0]), "at")
            table = terms.sets.table(term.function + "s", stripes)
            result = terms.writer.fresh("stripe")
            terms.writer.line(f"{result} = {terms.sets.nothing}")
            with terms.writer.block(f"if 0 <= {at} < {len(stripes)}:"):
                terms.writer.line(f"{result} = {terms.sets.of_table(table, at)}")
            return result
        case "neighbours":
            return terms.sets.neighbours(terms.cells(arguments[0]))
        case "leap":
            return _leap(terms, arguments)
        case "ray":
            return _ray(terms, arguments)
        case "lines":
            length = terms.known(arguments[1])
            cells = terms.name(terms.cells(arguments[0]), "cells")
            if not length.isdigit() or int(length) < 1:
                return by_length(terms, arguments[1], length, terms.sets.nothing,
                                      lambda number: terms.sets.in_lines(cells, number))
            return terms.sets.in_lines(cells, int(length))
        case "linked_to":
            return terms.program.linked_to(terms, term)
        case "arrivals" | "ways":
            network, others = terms.program.network(terms, term)
            return f"{network.question(term.function)}({', '.join([*network.arguments, *others])})"
        case "group":
            if arguments[1].sort == NETWORK:
                network, others = terms.program.network(terms, term)
                return f"{network.question('reached')}({', '.join([*network.arguments, *others])})"
            return terms.sets.flood(terms.cells(arguments[0]), terms.cells(arguments[1]))
    raise NotLowered(f"the set {term.function}")


def by_length(terms: Terms, term: hir.Expr, length: str, nothing: str, make: Callable[[int], str]) -> str:
    """What is asked of straight lines of a length that the position decides; shorter than 1, a rule fails."""
    length = terms.name(length, "length")
    result = terms.writer.fresh("by_length")
    terms.fail("G405", f"{length} < 1")
    terms.writer.line(f"{result} = {nothing}")
    longest = term.sort.high if isinstance(term.sort, Integer) else terms.board.size
    for number in range(1, longest + 1):
        if not terms.board.lines(number):
            break
        with terms.writer.block(f"if {length} == {number}:"):
            terms.writer.line(f"{result} = {make(number)}")
    return result


def _leap(terms: Terms, arguments: Sequence[hir.Expr]) -> str:
    """The cells so many rows and columns away, either way round, by numbers that the position decides."""
    sets, board, tables = terms.sets, terms.board, terms.program.tables
    rows, columns = board.row_count, board.column_count
    row_of, column_of = tables.table("row_of", list(board.row_of)), tables.table("column_of", list(board.column_of))
    cell_at = tables.table("cell_at", [board.cell_at(r, k) for r in range(rows) for k in range(columns)])
    name = sets.function("leap_by", "c, one: Int, other: Int",
                         "The cells so many rows and columns away, either way round.", lambda: [
        f"found = {sets.nothing}", "if c < 0:", "    return found", "for k in range(8):",
        "    down = one if k < 4 else other", "    across = other if k < 4 else one",
        f"    at_row = {row_of}[c] + (down if k & 1 == 0 else -down)",
        f"    at_column = {column_of}[c] + (across if k & 2 == 0 else -across)",
        f"    if 0 <= at_row < {rows} and 0 <= at_column < {columns}:",
        f"        target = {cell_at}[at_row * {columns} + at_column]", "        if target >= 0:",
        f"            found = {sets.either('found', sets.single('target'))}", "return found"])
    cell, one, other = terms.value(arguments[0]), terms.known(arguments[1]), terms.known(arguments[2])
    return f"{name}({cell}, {one}, {other})"


def _ray(terms: Terms, arguments: Sequence[hir.Expr]) -> str:
    cell, direction, *rest = arguments
    origin = terms.value(cell)
    within = terms.cells(rest[0]) if rest else terms.sets.constant(terms.board.everything)
    way = terms.known(direction)
    if not terms.may_be_none(cell):
        return terms.sets.ray(origin, way, within)
    origin = terms.name(origin, "cell")
    result = terms.writer.fresh("ray_cells")
    terms.writer.line(f"{result} = {terms.sets.nothing}")
    with terms.writer.block(f"if {origin} >= 0:"):
        terms.writer.line(f"{result} = {terms.sets.ray(origin, way, within)}")
    return result

# ---- loops

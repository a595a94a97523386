"""Words of straight lines: whether a set contains one, and the cells of all that it contains."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import CellBounds
from dsl.resolve.sorts import Integer
from interpreter.compiler import ir
from interpreter.compiler.build import compared, known
from interpreter.errors import RuleError
from interpreter.model.state import WorkingState
from interpreter.words.meaning import Meaning

if TYPE_CHECKING:
    from interpreter.analysis.bounds import BoardBounds
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


class _OfLines(Meaning):
    """A query of the straight lines of a length."""

    asked: str
    """What the word asks for, as in messages, without the length."""

    def given(self, evaluator: Evaluator, term: hir.Apply) -> Callable[[WorkingState, Bound], tuple[int, int]]:
        """A function that gives the set and the length of a call. It raises RuleError for a length below 1."""
        cells, length = evaluator.arguments(term)

        def found(table: WorkingState, bound: Bound) -> tuple[int, int]:
            number, region = length(table, bound), cells(table, bound)
            if number < 1:
                raise RuleError("G405", f"{term.function}(..., {number}) asks for {self.asked} of {number} cells, "
                                "expected at least 1", term.span)
            return region, number

        return found

    def image(self, renaming: Renaming, term: hir.Apply) -> Key:
        """Lines must be mapped to lines, which is certain except for those along declared paths."""
        renaming.keeps_lines(term.arguments[1])
        return (term.function, *renaming.arguments(term))


class _Line(_OfLines):
    """`line(S, n)`: whether a set contains a straight line of n cells."""

    asked = "a line"

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, given = evaluator.board, self.given(evaluator, term)

        def line(table: WorkingState, bound: Bound) -> bool:
            return board.has_line(*given(table, bound))

        return line

    def bounds(self, known: BoardBounds, term: hir.Apply) -> bool | None:
        cells, length = term.arguments
        result, number = known.cells(cells), known.of(length).single
        if number is None or number < 1:
            return None
        return True if known.board.has_line(result.least, number) else (
            None if known.board.has_line(result.most, number) else False)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cells, length = term.arguments
        long = terms.known(length)
        plain = known(long)
        if plain is None or plain < 1:
            whole = terms.name(terms.cells(cells), "cells")
            return _by_length(terms, length, long, ir.FALSE, lambda count: terms.sets.has_line(whole, count))
        return terms.sets.has_line(terms.cells(cells), plain)


class _Lines(_OfLines):
    """`lines(S, n)`: the cells of all straight lines of n cells in a set."""

    asked = "lines"

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, given = evaluator.board, self.given(evaluator, term)

        def lines(table: WorkingState, bound: Bound) -> int:
            return board.in_lines(*given(table, bound))

        return lines

    def bounds(self, known: BoardBounds, term: hir.Apply) -> CellBounds:
        cells, length = term.arguments
        result, number = known.cells(cells), known.of(length).single
        if number is None or number < 1:
            return CellBounds(0, known.board.everything)
        return CellBounds(known.board.in_lines(result.least, number), known.board.in_lines(result.most, number))

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        length = terms.known(term.arguments[1])
        cells = terms.name(terms.cells(term.arguments[0]), "cells")
        plain = known(length)
        if plain is None or plain < 1:
            return _by_length(terms, term.arguments[1], length, terms.sets.nothing,
                              lambda number: terms.sets.in_lines(cells, number))
        return terms.sets.in_lines(cells, plain)


def _by_length(terms: ExprLowering, term: hir.Expr, length: ir.Expr, nothing: ir.Expr,
               make: Callable[[int], ir.Expr]) -> ir.Expr:
    """Write a query of lines whose length depends on the position, by cases; a length below 1 is a failure."""
    length = terms.name(length, "length")
    result = terms.writer.fresh("by_length", nothing.sort)
    terms.fail("G405", compared(length, "<", 1))
    terms.writer.assign(result, nothing)
    longest = term.sort.high if isinstance(term.sort, Integer) else terms.board.size
    for number in range(1, longest + 1):
        if not terms.board.lines(number):
            break
        with terms.writer.when(compared(length, "==", number)):
            terms.writer.assign(result, make(number))
    return result


MEANINGS = {"line": _Line(), "lines": _Lines()}

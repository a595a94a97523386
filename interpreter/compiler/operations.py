"""The operations of runtime functions on sets of cells, for each representation: a word, a tuple of words or a vector.

`OPERATIONS` has their signatures. On boards of up to 64 cells they become operators on a word (`ON_WORD`); on tuples
they are functions of `interpreter.compiler.runtime.sets`, which join the kernel when they are used; on vectors most of
them are primitives.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from interpreter.compiler import ir

CELLS: Final = ir.Scalar("cells")
"""Stands for the sort of sets in `OPERATIONS`."""

OPERATIONS: Final[dict[str, tuple[tuple[ir.Sort, ...], ir.Sort]]] = {
    "both": ((CELLS, CELLS), CELLS),
    "either": ((CELLS, CELLS), CELLS),
    "minus": ((CELLS, CELLS), CELLS),
    "equal": ((CELLS, CELLS), ir.BOOL),
    "some": ((CELLS,), ir.BOOL),
    "count": ((CELLS,), ir.INT),
    "has": ((CELLS, ir.INT), ir.BOOL),
    "single": ((ir.INT, ir.INT), CELLS),
    "first": ((CELLS,), ir.INT),
    "pick": ((CELLS, ir.INT), ir.INT),
    "nothing": ((ir.INT,), CELLS),
    "at": ((ir.ROW, ir.INT, ir.INT), CELLS),
    "store": ((ir.ROW, ir.INT, CELLS), ir.NOTHING),
    "holds": ((ir.ROW, ir.INT, ir.INT), ir.BOOL),
    "of_table": ((ir.ROW, ir.INT, ir.INT), CELLS),
    "moved": ((CELLS, ir.INT), CELLS),
}
"""The signature of each operation; a last parameter that `interpreter.compiler.runtime.sets` calls `words` is the
number of words of sets. `at` is the set that begins at an index of a row or table, `of_table` the set with a number in
a table of sets, `moved` a set shifted by a known number of cells."""

_ONE, _EMPTY = ir.Name("ONE", ir.WORD), ir.Name("EMPTY", ir.WORD)


def _bit(cells: ir.Expr, cell: ir.Expr) -> ir.Expr:
    shifted = ir.Binary(">>", cells, cell, ir.WORD)
    return ir.Comparison(("!=",), (ir.Binary("&", shifted, _ONE, ir.WORD), _EMPTY))


def _word(row: ir.Expr, place: ir.Expr) -> ir.Element:
    return ir.Element(row, (place,), ir.WORD)


ON_WORD: Final[dict[str, Callable[..., ir.Expr]]] = {
    "both": lambda one, other: ir.Binary("&", one, other, ir.WORD),
    "either": lambda one, other: ir.Binary("|", one, other, ir.WORD),
    "minus": lambda one, other: ir.Binary("&", one, ir.Unary("~", other, ir.WORD), ir.WORD),
    "equal": lambda one, other: ir.Comparison(("==",), (one, other)),
    "some": lambda cells: ir.Comparison(("!=",), (cells, _EMPTY)),
    "count": lambda cells: ir.Call("popcount", (cells,), ir.INT),
    "has": _bit,
    "single": lambda cell, words: ir.Binary("<<", _ONE, cell, ir.WORD),
    "first": lambda cells: ir.Call("lowest", (cells,), ir.INT),
    "pick": lambda cells, place: ir.Call("nth", (cells, place), ir.INT),
    "at": lambda row, place, words: _word(row, place),
    "holds": lambda row, place, cell: _bit(_word(row, place), cell),
    "of_table": lambda row, place, words: _word(row, place),
    "moved": lambda cells, by: _moved(cells, by),
}
"""Operations on sets that are one word, as expressions; `store` is a statement."""


def _moved(cells: ir.Expr, by: ir.Expr) -> ir.Expr:
    distance = known_distance(by)
    operator: ir.Operator = "<<" if distance > 0 else ">>"
    return ir.Binary(operator, cells, ir.Literal(abs(distance), ir.INT), ir.WORD) if distance else cells


def known_distance(by: ir.Expr) -> int:
    """The distance by which `moved` shifts a set, which must be a literal."""
    assert isinstance(by, ir.Literal)
    return by.value


def stored(statement: ir.Statement, cells: ir.Sort) -> ir.Statement:
    """Lower a `store` of a set that is a word or a vector; other statements are returned as they are."""
    match statement:
        case ir.Evaluate(call=ir.Call(function="store", arguments=(row, place, given))) if cells == ir.WORD:
            return ir.Assign(_word(row, place), given)
        case ir.Evaluate(call=ir.Call(function="store", arguments=arguments)) if isinstance(cells, ir.Vector):
            return ir.Evaluate(ir.Call("write", arguments, ir.NOTHING))
    return statement


def on_vector(name: str, arguments: tuple[ir.Expr, ...], empty: ir.Expr) -> ir.Expr | None:
    """Lower an operation on sets that are vectors to an expression; None where it is a function of the kernel.

    `empty` is the empty set, which gives primitives that make a set its sort.
    """
    match name, arguments:
        case ("both" | "either" | "minus" | "equal" | "some" | "count"), _:
            return ir.Call(name, arguments, sorts_of(name, empty.sort)[1])
        case "moved", (cells, by):
            distance = known_distance(by)
            return ir.Call("shift", (cells, ir.Literal(distance, ir.INT)), empty.sort) if distance else cells
        case "single", (cell, _):
            return ir.Call("single", (cell, empty), empty.sort)
        case "at", (row, place, _):
            return ir.Call("read", (row, place, empty), empty.sort)
        case "of_table", (table, index, words):
            return ir.Call("read", (table, ir.Binary("*", index, words, ir.INT), empty), empty.sort)
    return None


def sorts_of(name: str, cells: ir.Sort) -> tuple[tuple[ir.Sort, ...], ir.Sort]:
    """The signature of an operation on sets of a sort. Raises KeyError."""
    parameters, result = OPERATIONS[name]
    return tuple(cells if sort == CELLS else sort for sort in parameters), cells if result == CELLS else result

"""The sort of a term's value in a kernel, and the name to give it."""

from __future__ import annotations

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, CELLS, Sort
from interpreter.compiler import ir


def wish_of(term: hir.Expr) -> str:
    """The name to give a table of a term's values."""
    match term:
        case hir.Apply(function=function):
            return function.removeprefix("coordinate_")
        case hir.Region(name=name):
            return name
        case hir.Comprehension(binding=binding):
            return f"{binding.name}_where"
    return type(term).__name__.lower()


def gives_of(sort: Sort, cells: ir.Sort) -> ir.Sort:
    """The sort in a kernel of values of a sort; `cells` is the sort of sets of cells."""
    return {CELLS: cells, BOOLEAN: ir.BOOL}.get(sort, ir.INT)

"""The names of sorts, in annotations of functions that are read or printed, and in messages."""

from __future__ import annotations

import ast
from typing import Final

from interpreter.compiler import ir

NAMED_SORTS: Final[dict[str, ir.Sort]] = {
    "Int": ir.INT, "Bool": ir.BOOL, "Word": ir.WORD, "None": ir.NOTHING, "Row": ir.ROW, "Rows": ir.ROWS,
    "Line": ir.LINE, "Lines": ir.LINES, "Pages": ir.PAGES, "Flags": ir.Array(ir.BOOL),
    "FlagRows": ir.Array(ir.BOOL, 2), "Static": ir.INT, "Table": ir.LINE, "WordTable": ir.ROW, "StaticBool": ir.BOOL,
    "Tables": ir.LINES, "WordTables": ir.ROWS,
    "IntOf": ir.INT, "BoolOf": ir.BOOL}
"""The sorts by their names in annotations, for function types the sort of the result; without those of sets, which
depend on the board."""
FUNCTIONS: Final[frozenset[str]] = frozenset({"CellsOf", "IntOf", "BoolOf"})
"""Annotations of parameters that are functions; each names the sort of the result."""
STATIC: Final = frozenset({"Static", "StaticBool", "Table", "WordTable", "Tables", "WordTables", "Sets", *FUNCTIONS})
"""Annotations of runtime functions' parameters that are substituted when a game's kernel is made."""


def sort_text(sort: ir.Sort, cells: ir.Sort | None = None) -> str:
    """The name of a sort; `cells`, the sort of sets of cells, is named Cells where sets have more than one word."""
    if sort == cells != ir.WORD:
        return "Cells"
    for name, known in NAMED_SORTS.items():
        if known == sort:
            return name
    match sort:
        case ir.Product(items=items):
            return f"tuple[{', '.join(sort_text(item, cells) for item in items)}]"
        case ir.Vector(words=words):
            return f"Vector[{words}]"
        case ir.Array(element=element, dimensions=dimensions):
            return f"Array[{sort_text(element)}, {dimensions}]"
        case ir.Scalar(name=name):
            return name


def sort_of(annotation: ast.expr, cells: ir.Sort) -> ir.Sort:
    """The sort that an annotation names. Raises ValueError."""
    match annotation:
        case ast.Name(id="Cells" | "CellsOf"):
            return cells
        case ast.Name(id="Sets"):  # of which there may be more
            return ir.Product((cells,))
        case ast.Name(id=name) if name in NAMED_SORTS:
            return NAMED_SORTS[name]
        case ast.Constant(value=None):
            return ir.NOTHING
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            return ir.Product(tuple(sort_of(item, cells) for item in items))
        case ast.Subscript(value=ast.Name(id="tuple"), slice=item):
            return ir.Product((sort_of(item, cells),))
        case ast.Subscript(value=ast.Name(id="Vector"), slice=ast.Constant(value=int(words))):
            return ir.Vector(words)
        case ast.Subscript(value=ast.Name(id="Array"), slice=ast.Tuple(elts=[item, ast.Constant(value=int(many))])):
            element = sort_of(item, cells)
            if isinstance(element, ir.Scalar):
                return ir.Array(element, many)
    raise ValueError(f"'{ast.unparse(annotation)}' is no sort, expected one of: Cells, {', '.join(NAMED_SORTS)}")

"""Resolves shapes that a `values` declaration draws: `values tile = ell as "x./xx", bar as "xx"`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.syntax import rules

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver

Shape = tuple[tuple[int, int], ...]
"""How far up and to the right each cell of a shape is from the cell that it is laid on."""


def drawn_shapes(resolver: DeclarationResolver, item: rules.Enumeration) -> tuple[Shape, ...]:
    """The shapes of a declaration's values, () where it draws none; mistakes in them are reported."""
    drawn = [value for value in item.values if value.drawing is not None]
    if not drawn:
        return ()
    for value in item.values:
        if value.drawing is None:
            resolver.error("G249", f"{value.name.text!r} has no shape, expected one as the other values have",
                           value.span, f'write {value.name.text} as "x", or leave out all shapes')
    return tuple(() if value.drawing is None else _shape(resolver, value.drawing) for value in item.values)


def _shape(resolver: DeclarationResolver, drawing: rules.Text) -> Shape:
    rows = drawing.value.split("/")
    places = {(row, column): sign for row, line in enumerate(rows) for column, sign in enumerate(line) if sign != "."}
    strange = next((sign for sign in places.values() if sign not in "xXo"), None)
    origins = [place for place, sign in places.items() if sign in "Xo"]
    cells = [place for place, sign in places.items() if sign in "xX"]
    problem = (f"found {strange!r} in a shape, expected 'x', '.', 'o', 'X' and '/'" if strange else
               "a shape covers no cell, expected an 'x'" if not cells else
               "a shape is laid on one cell, expected at most one 'o' or 'X'" if len(origins) > 1 else "")
    if problem:
        resolver.error("G249", problem, drawing.span,
                       "rows are drawn from the top, with '/' between them: \"x./xx\"")
        return ()
    row, column = origins[0] if origins else min(cells)
    return tuple((row - down, across - column) for down, across in cells)

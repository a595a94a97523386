"""Turns a drawn start, `start as "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"`, into effects that set pieces.

Rows are listed from the top, separated by `/`; pieces are written by their glyphs, and a number stands for that many
empty cells. Effects below the drawing are applied after it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dsl import hir
from dsl.syntax import rules
from dsl.syntax.source import Span

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver


def drawn_effects(resolver: DeclarationResolver, drawing: rules.Text, pieces: Sequence[hir.PieceKind],
                  empty: str, *, holes: bool) -> tuple[rules.Effect, ...]:
    """The effects that set the pieces of a drawing; mistakes in it are reported."""
    world = resolver.world
    if not world.shape or world.doubtful("pieces"):
        return ()
    if not world.board.rows_and_columns or not world.board.bounded or holes:
        resolver.error("G294", "a start is drawn row by row, expected a board of fixed rows and columns without holes",
                       drawing.span, "write 'start:' and effects below it")
        return ()
    rows = drawing.value.split("/")
    widths = Counter(row for row, _ in world.board.cells(world.shape))
    if len(rows) != len(widths):
        resolver.error("G294", f"{len(rows)} rows are drawn, expected {len(widths)}", drawing.span,
                       "rows come from the top, with '/' between them")
        return ()
    signs = {piece.glyph: number for number, piece in enumerate(pieces) if number} | {empty: 0}
    places: dict[int, list[tuple[int, int]]] = {}
    for row, text in enumerate(rows):
        row_signs = signs_in(text, signs, empty)
        unknown = next((sign for sign in row_signs if sign not in signs), None)
        if unknown is not None:
            known = ", ".join(f"{piece.glyph} {piece.name}" for piece in pieces[1:])
            resolver.error("G294", f"row {text!r} has {unknown!r}, the sign of no piece, expected what pieces are "
                           f"shown as", drawing.span, f"{known}; {empty} or a number for empty cells")
            return ()
        result = [signs[sign] for sign in row_signs]
        if len(result) != widths[row]:
            resolver.error("G294", f"row {text!r} has {len(result)} cells, expected {widths[row]}", drawing.span,
                           "a number is that many empty cells")
            return ()
        for column, number in enumerate(result):
            if number:
                places.setdefault(number, []).append((row, column))
    return tuple(_set(resolver, number, cells, drawing.span) for number, cells in sorted(places.items()))


def signs_in(text: str, signs: Iterable[str], empty: str) -> list[str]:
    """The signs of the cells of a row, that of an empty cell as often as a number says; what is no sign stands alone.

    A sign that begins with another one, or is a number, goes before it.
    """
    longest, result = sorted(signs, key=len, reverse=True), list[str]()
    while text:
        sign = next((sign for sign in longest if text.startswith(sign)), None)
        count = None if sign is not None else re.match(r"[0-9]{1,3}(?![0-9])", text)
        result += [sign or text[0]] if count is None else [empty] * int(count.group())
        text = text[len(count.group() if count is not None else sign or text[0]) :]
    return result


def _set(resolver: DeclarationResolver, number: int, cells: list[tuple[int, int]], span: Span) -> rules.Effect:
    """An assignment `{cell(0, 1), ...} := pawn[White]`, as if it were in the file."""
    def argument(value: rules.Expression) -> rules.Argument:
        return rules.Argument(value, None, None, span=span)

    def name(text: str) -> rules.Name:
        return rules.Name(text, span=span)

    places = [rules.Call(name("cell"), tuple(argument(rules.Number(at, span=span)) for at in place), span=span)
              for place in cells]
    world = resolver.world
    known, owner = next((known, known.indices) for known in world.piece_names.values() if number in known.indices)
    word = next(text for text, other in world.piece_names.items() if other is known)
    player = world.pieces[number].owner
    value: rules.Expression = name(word)
    if len(owner) > 1 and player is not None:
        value = rules.Index(name(word), name(world.players[player]), span=span)
    return rules.Assign((rules.Braces(tuple(map(argument, places)), span=span),), value, None, span=span)

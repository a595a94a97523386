"""Resolves the board of a game: its kind, its size, and the cells that it leaves out."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.boards import KINDS
from dsl.boards.kind import Kind
from dsl.diagnostics import did_you_mean
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.scope import MAX_CELLS, DefinitionName, Scope
from dsl.syntax import rules

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver


_SHAPES = {
    **dict.fromkeys(("line", "row", "strip", "linear", "track"), "a line of cells is one row: board square(1, 9)"),
    **dict.fromkeys(("ring", "circle", "star", "cube"), "cells that no grid has are named by paths: board graph:"),
}
"""Advice for other words for boards."""


def board_kind(resolver: DeclarationResolver) -> hir.BoardKind | None:
    """The board, with its kind, size and the cells left out; None, with an error, where it is not known."""
    boards = [item for item in resolver.file.declarations if isinstance(item, (rules.Board, rules.PathBoard))]
    for other in boards[1:]:
        resolver.error("G219", "a second board, expected only one", other.span)
    coordinates = resolver.one(rules.Coordinates, "'coordinates' declaration")
    template = coordinates.template if coordinates else None
    if not boards:
        return None
    item = boards[0]
    words = _kind(resolver, item)
    if words is None:
        return None
    if isinstance(item, rules.PathBoard):
        if coordinates is not None:
            resolver.error("G233", f"{words.title} has no coordinates: its paths name its cells", coordinates.span)
        return _of_paths(resolver, item, words)
    if item.diagonals and "diagonals" not in words.direction_sets:
        resolver.error("G215", f"'with diagonals' needs a square board, found {words.title}", item.span,
                       "all neighbours of a hexagonal cell share a side with it")
    if item.diagonals == "alternate" and not words.bounded:
        resolver.error("G215", "'with alternate diagonals' needs a board with borders, found an unbounded one",
                       item.span, "cells of an unbounded board are all alike")
    shape = _shape(resolver, item, words)
    if shape is None:
        return None
    resolver.world.board, resolver.world.shape = words, shape
    if resolver.world.cell_count > MAX_CELLS:
        phrase = f"the board has {resolver.world.cell_count} cells, expected at most {MAX_CELLS}"
        resolver.error("G224", phrase, item.span)
        return None
    if item.without is not None and not resolver.world.board.bounded:
        phrase = "an unbounded board has no cells to leave out, expected no 'without'"
        resolver.error("G241", phrase, item.without.span)
    without = None if item.without is None else _left_out(resolver, item.without)
    return hir.BoardKind(words.word, shape, (), without, template.value if template else None, span=item.span,
                         coordinates_span=template.span if template else None, diagonals=item.diagonals)


def _left_out(resolver: DeclarationResolver, node: rules.Expression) -> hir.Expr:
    """The cells left out, on the full board; definitions are known there as far as they are about cells and numbers."""
    definitions: dict[str, DefinitionName] = {}
    for item in resolver.all(rules.Definition):
        known = definitions.setdefault(item.name.text, DefinitionName(item.name.text, item.name.span, []))
        known.bodies.append(item)
    world = attrs.evolve(resolver.world, definitions=definitions)
    result = ExprResolver(world, Scope(nobody="the board")).cells(node)
    resolver.world.expanded = world.expanded
    resolver.world.used |= {part.text for part in rules.walk(node) if isinstance(part, rules.Name)} & set(definitions)
    return result


def _kind(resolver: DeclarationResolver, item: rules.Board | rules.PathBoard) -> Kind | None:
    """The kind of board that a declaration names; None, with an error, where no kind is written this way."""
    word = " ".join(part.text for part in item.words)
    span = item.words[0].span.to(item.words[-1].span)
    paths = isinstance(item, rules.PathBoard)
    result = KINDS.get(word)
    if result is not None and result.of_paths == paths:
        return result
    kinds = [name for name, kind in KINDS.items() if not kind.of_paths]
    if result is not None:
        phrase = (f"{result.title} brings its own cells, expected no ':' and paths" if paths else
                  f"{result.title} is made of paths, expected ':' and a line for each path")
        resolver.error("G223", phrase, span, "" if paths else f"for instance: board {result.example} and lines such as "
                    "a - b - c")
        return None
    arguments = len(item.arguments) if isinstance(item, rules.Board) else 0
    fitting = [name for name in kinds if len(KINDS[name].arguments) == arguments
               or (not arguments and KINDS[name].default is not None)] or kinds
    help_text, suggestion = did_you_mean(word, fitting)
    if not suggestion:
        help_text, suggestion = did_you_mean(word, kinds)
    help_text = help_text or _SHAPES.get(word.lower(), "")
    of_paths = " or ".join(name for name, kind in KINDS.items() if kind.of_paths)
    resolver.error("G223", f"unknown board '{word}', expected {', '.join(kinds)} or {of_paths}", span, help_text,
                suggestion)
    return None


def _shape(resolver: DeclarationResolver, item: rules.Board, kind: Kind) -> tuple[int, ...] | None:
    """The numbers that give the size of a board; None, with an error, where they are invalid."""
    if not item.arguments and kind.default is not None:
        return kind.default
    if len(item.arguments) != len(kind.arguments):
        expected = ", ".join(kind.arguments)
        resolver.error("G216", f"{kind.word}(...) has {len(item.arguments)} arguments, expected {expected}", item.span,
                    f"for instance: board {kind.word}({', '.join(['3'] * len(kind.arguments))})")
        return None
    shape = []
    for argument, what in zip(item.arguments, kind.arguments, strict=True):
        if argument.guard is not None or argument.loop is not None:
            resolver.error("G212", "found 'for' or 'where' in the board's size, expected plain numbers", argument.span)
            return None
        size = resolver.constant(argument.value, f"the number of {what}" if what.endswith("s") else f"the {what}")
        if size is None:
            return None
        if not 1 <= size <= MAX_CELLS:
            resolver.error("G224", f"the board has {what} = {size}, expected 1 to {MAX_CELLS}", argument.span)
            return None
        shape.append(size)
    return tuple(shape)


def _of_paths(resolver: DeclarationResolver, item: rules.PathBoard, kind: Kind) -> hir.BoardKind:
    """A board with the cells and neighbours that its paths define."""
    resolver.world.board = kind
    for path in item.paths:
        for before, after in pairwise(path):
            if before.text == after.text:
                resolver.error("G225", f"'{before.text}' is linked to itself, expected two different cells",
                            after.span)
        for name in path:
            resolver.world.graph_cells.setdefault(name.text, len(resolver.world.graph_cells))
    paths = tuple(tuple(name.text for name in path) for path in item.paths)
    return hir.BoardKind(kind.word, (), paths, None, None, span=item.span)

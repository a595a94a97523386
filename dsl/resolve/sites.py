"""Resolves borders and vertices, the sites between cells, for games that refer to them.

`declare_sites(resolver)` adds an enumeration to the world for each kind of site that the file names, as a `values`
declaration would: variables can be indexed by them, moves can choose among them, and symmetries map them as they map
the cells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl.boards.borders import BORDER, INNER, PLURALS, VERTEX, has_sites, sites
from dsl.resolve.sorts import Enumerated
from dsl.syntax import rules
from dsl.syntax.source import Span
from dsl.words import WORDS

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver


def declare_sites(resolver: DeclarationResolver, *, holes: bool) -> None:
    """Declare the kinds of sites that a file names; a kind that the board does not have is reported."""
    world = resolver.world
    for what, span in _named(resolver).items():
        if world.doubtful("board") or (has_sites(world.board, what) and not world.shape):
            continue
        if not has_sites(world.board, what):
            resolver.error("G284", f"{world.board.title} board has no places called '{what}'", span,
                           "vertices are on square boards, borders on bounded boards that are no graphs")
        elif holes:
            resolver.error("G284", f"found '{what}' on a board that leaves cells out, expected a full board", span)
        sound = has_sites(world.board, what) and not holes
        names = sites(world.board, world.shape, what).names if sound else ("none",)
        world.enumerations[what] = Enumerated(what, names)


def _named(resolver: DeclarationResolver) -> dict[str, Span]:
    """The kinds of sites that the file names, each with the span where it does so first."""
    result: dict[str, Span] = {}
    declared = {item.name.text for item in resolver.file.declarations if isinstance(
        item, (rules.Definition, rules.Variable, rules.Enumeration))}
    for declaration in resolver.file.declarations:
        for node in rules.walk(declaration):
            name = node.text if isinstance(node, rules.Name) else ""
            what = (PLURALS | INNER).get(name, name)
            if isinstance(node, rules.Call) and node.name.text in WORDS:
                what = WORDS[node.name.text].gives
            if what in (BORDER, VERTEX) and name not in declared:
                result.setdefault(what, node.span)
    return result

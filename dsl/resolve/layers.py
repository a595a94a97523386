"""Resolves kinds of links, with the cells they can connect: `links bridge between c and leap(c, 1, 2)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.reads import reads_position
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.scope import Scope
from dsl.resolve.sorts import CELL
from dsl.syntax import rules

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver


def declared_layers(resolver: DeclarationResolver) -> tuple[hir.LayerKind, ...]:
    """The kinds of links of a file."""
    world = resolver.world
    result: list[hir.LayerKind] = []
    for item in resolver.all(rules.LinksLayer):
        if not world.declare(item.name, "kind of link"):
            continue
        if not world.board.bounded:
            resolver.error("G241", "an unbounded board has no links, expected a board with fixed cells", item.span)
        terms = ExprResolver(world, Scope(nobody="'links'"))
        local = terms.scope.bind(item.cell, CELL, world)
        others = terms.cells(item.others)
        if reads_position(others):
            resolver.error("G242", "what can be linked cannot depend on the position, expected cells by their places",
                               item.others.span)
        world.layers[item.name.text] = len(result)
        result.append(hir.LayerKind(item.name.text, local.slot, terms.scope.slots, others, item.never_crossing,
                                       span=item.span))
    return tuple(result)

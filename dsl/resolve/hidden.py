"""Resolves hidden information: `hidden hand[p] from others of p`, `hidden c in theirs where not found[c]`.

In these declarations `mover` is the player who looks, so that `theirs` are the pieces of that player's opponents;
`from` is a condition on the viewer. `interpreter.semantics.hidden` derives what a player sees.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.indices import index_sort
from dsl.resolve.scope import BUILTIN_VALUES, Scope, World
from dsl.resolve.sorts import BOOLEAN, CELLS, PIECE, PLAYER, UNKNOWN, Unknown
from dsl.syntax import rules

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver

EVERYONE = "everyone"
"""The word after `from` for something that no player sees."""
_NOBODY = frozenset(("mover", "opponent", "opponents", "others", "other", "theirs", "enemies", "enemy", "all",
                     "everybody"))
"""Words that must not follow `from`: they depend on who looks, which is `mover` in the declaration, or mean several
players."""


def hidden_things(resolver: DeclarationResolver) -> tuple[hir.Hidden, ...]:
    """The information that is hidden from some players."""
    return tuple(_hidden(resolver, item) for item in resolver.all(rules.Hidden))


def _hidden(resolver: DeclarationResolver, item: rules.Hidden) -> hir.Hidden:
    terms = ExprResolver(resolver.world, Scope())
    conditions: list[hir.Expr] = []
    variable, index, cells = _what(resolver, terms, item, conditions)
    shown = None
    if item.shown is not None:
        shown = terms.value(item.shown, PIECE)
        if cells is None:
            resolver.error("G296", "'as' says what hidden cells seem to hold, expected cells and not a variable",
                           item.shown.span)
    if item.condition is not None:
        conditions.append(terms.condition(item.condition))
    viewer = item.viewer
    everyone = isinstance(viewer, rules.Name) and viewer.text == EVERYONE and EVERYONE not in resolver.world.declared
    if isinstance(viewer, rules.Name) and viewer.text in _NOBODY and viewer.text not in resolver.world.declared:
        resolver.error("G296", f"'{viewer.text}' says nothing of who looks, expected a player, 'others of' a player, "
                       "or 'everyone'", viewer.span, _meant(item, resolver.world))
    elif viewer is not None and not everyone:
        who = terms.value(viewer, PLAYER)
        looker = hir.Role("mover", sort=PLAYER, span=viewer.span)
        conditions.insert(0, hir.Comparison("!=" if item.others else "=", looker, who, sort=BOOLEAN, span=viewer.span))
    condition = None if not conditions else conditions[0] if len(conditions) == 1 else hir.All(
        tuple(conditions), sort=BOOLEAN, span=item.span)
    return hir.Hidden(variable, index, cells, condition, shown, terms.scope.slots, span=item.span)


def _meant(item: rules.Hidden, world: World) -> str:
    """How to write that others do not see something."""
    what = item.what
    if isinstance(what, rules.Index) and isinstance(what.index, rules.Name):
        return f"write: hidden {what.name.text}[{what.index.text}] from others of {what.index.text}"
    if isinstance(what, rules.Choice):
        return "of cells this is said by whose pieces they hold: hidden c in theirs"
    return f"write: from others of {world.players[0]}" if world.players else ""


def _means_something(world: World, name: str) -> bool:
    """Whether a name in brackets has a meaning; else it is bound to every index in turn."""
    return name in {*world.declared, *world.board.directions, *BUILTIN_VALUES}


def _what(resolver: DeclarationResolver, terms: ExprResolver, item: rules.Hidden,
          conditions: list[hir.Expr]) -> tuple[int | None, int | None, hir.Binding | None]:
    """The hidden variable and the slot of its index, or the cells whose contents are hidden."""
    world, what = resolver.world, item.what
    if isinstance(what, rules.Choice):
        binding = terms.binding(what)
        return None, None, attrs.evolve(binding, domain=terms.converted(binding.domain, CELLS))
    name = what if isinstance(what, rules.Name) else what.name
    number = world.variables.get(name.text)
    if number is not None:
        kind = world.variable_kinds[number]
        if isinstance(what, rules.Name):
            return number, None, None
        if not kind.index:
            resolver.error("G296", f"'{kind.name}' is one value for the whole game, expected no [...] after it",
                           what.span, f"write: hidden {kind.name}")
            _bind_unknown(terms, what)
            return number, None, None
        if len(kind.indices) > 1:
            resolver.error("G296", f"'{kind.name}' has two indices, and is hidden whole or not at all", what.span,
                           f"write: hidden {kind.name}")
            _bind_unknown(terms, what)
            return number, None, None
        sort = index_sort(kind.index, world)
        if isinstance(what.index, rules.Name) and not _means_something(world, what.index.text):
            return number, terms.scope.bind(what.index, sort, world).slot, None
        local = hir.Local(terms.scope.fresh(), kind.index, sort=sort, span=what.index.span)
        value = terms.value(what.index, sort)
        conditions.append(hir.Comparison("=", local, value, sort=BOOLEAN, span=what.index.span))
        return number, local.slot, None
    if isinstance(what, rules.Index):
        if not world.doubtful("var"):
            resolver.error("G296", f"'{name.text}' is no variable, expected a variable or cells to hide", what.span,
                           "cells are hidden by: hidden c in theirs where ...")
        _bind_unknown(terms, what)
        return None, None, None
    domain = terms.cells(what)
    if isinstance(domain.sort, Unknown):
        return None, None, None
    return None, None, hir.Binding(terms.scope.fresh(), "", domain, None)


def _bind_unknown(terms: ExprResolver, what: rules.Index) -> None:
    """Bind the names in brackets that cannot be used, so that the rest of the line is not reported for them."""
    for index in (what.index, what.second):
        if (isinstance(index, rules.Name) and index.text not in terms.scope.names
                and not _means_something(terms.world, index.text)):
            terms.scope.bind(index, UNKNOWN, terms.world)

"""Resolves local names: `let e = c.d` in an expression, between the choices of a rule, and among effects.

In an expression the name is bound to its value, like a parameter of a definition. In a rule, a term that does not read
the position is inlined wherever its name stands. The value of one that does is kept: choices evaluate it before the
rule's effects, where it is the same at any time, and effects use its value at the place of the `let` (`hir.Keep`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.reads import reads_position
from dsl.diagnostics import warning
from dsl.resolve.scope import World
from dsl.resolve.sorts import CELLS, LAYER, NETWORK, NOTHING, SetOf, Sort
from dsl.syntax import rules

if TYPE_CHECKING:
    from dsl.resolve.expressions import ExprResolver


def let_in(resolver: ExprResolver, node: rules.LetIn, wanted: Sort | None) -> hir.Expr:
    """`let e = c.d: P`."""
    inner = resolver.inner()
    value = named(resolver, node.name, node.value)
    local = inner.scope.bind(node.name, value.sort, resolver.world)
    if _is_put_in(value):
        inner.scope.names[node.name.text] = value
        return inner.resolve(node.body, wanted)
    body = inner.resolve(node.body, wanted)
    return hir.Let(local.slot, value, body, sort=body.sort, span=node.span)


def named(resolver: ExprResolver, name: rules.Name, node: rules.Expression) -> hir.Expr:
    """The term that a name stands for; none is an error."""
    value = resolver.resolve(node, None)
    if value.sort == NOTHING:
        resolver.report("G252", f"'{name.text}' would stand for none, expected a value", node.span,
                        "write 'none' itself where it is meant")
        return resolver.unknown(node.span)
    return value


def bind(resolver: ExprResolver, name: rules.Name, value: hir.Expr) -> hir.Local:
    """Bind a name in a rule to a term, which is inlined for it."""
    taken = name.text in resolver.scope.names
    local = resolver.scope.bind(name, value.sort, resolver.world)
    resolver.scope.names[name.text] = resolver.unknown(name.span) if taken else value
    return local


def kept(local: hir.Local, value: hir.Expr) -> hir.Keep | None:
    """The effect that keeps a value which effects may change; None where they cannot."""
    if _is_put_in(value) or not reads_position(value):
        return None
    return hir.Keep(local.slot, local.name, value, span=value.span)


def check_used(world: World, declarations: Iterable[rules.Declaration]) -> None:
    """Report local names that are never used."""
    texts = {name.text: " ".join(template.value for template in item.templates)
             for item in declarations if isinstance(item, rules.Notation) for name in item.moves}
    for item in declarations:
        nodes = list(rules.walk(item))
        named = [node for node in nodes if isinstance(node, (rules.LetIn, rules.LetClause, rules.LetEffect))]
        if not named:
            continue
        names = Counter(node.text for node in nodes if isinstance(node, rules.Name))
        lets = Counter(node.name.text for node in named)
        shown = texts.get(item.name.text, "") if isinstance(item, rules.MoveRule) else ""
        for node in named:
            text = node.name.text
            if names[text] == lets[text] and not re.search(rf"\b{text}\b", shown):
                world.report(warning("G255", f"the local name '{text}' is never used", node.name.span,
                                     help="leave the 'let' out"))


def _is_put_in(value: hir.Expr) -> bool:
    """Whether a term has no value that could be kept: a network, a kind of link, or values to choose from."""
    return value.sort in (NETWORK, LAYER) or (isinstance(value.sort, SetOf) and value.sort != CELLS)

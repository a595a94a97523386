"""Expands uses of definitions: the body replaces the name, resolved anew with the arguments bound.

`dsl.resolve.expressions` calls `expand`; `dsl.resolve.definitions` resolves each body once by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.diagnostics import Label, error
from dsl.resolve.scope import DefinitionName
from dsl.resolve.sorts import BOOLEAN, CELLS, PIECE, SetOf, Sort, Unknown, join
from dsl.syntax import rules
from dsl.syntax.source import Span

if TYPE_CHECKING:
    from dsl.resolve.expressions import ExprResolver

MAX_EXPANDED_WORDS = 200_000
"""The maximum total length of the definitions expanded in all rules."""
MAX_EXPANDED = 100
"""The maximum nesting depth of definitions, summed over their bodies."""


def expand(terms: ExprResolver, definition: DefinitionName, arguments: Sequence[rules.Expression],
           index: rules.Expression | None, node: rules.Expression, wanted: Sort | None) -> hir.Expr:
    """Expand a use of a definition: its body, resolved anew with the arguments bound."""
    if _too_much(terms, definition) or not _fits(terms, definition, arguments, index, node):
        return terms.unknown(node.span)
    first = definition.bodies[0]
    given = tuple(terms.value(argument) for argument in arguments)
    inner = type(terms)(terms.world, terms.scope.empty(definition, _call(first, given, node)))
    if index is None:
        used = hir.Use(definition.name, given)
        return attrs.evolve(_body(inner, first, given, wanted, node.span), span=node.span, used=used)
    at = _index(terms, definition, inner, index)
    result: hir.Expr | None = None
    for body in reversed(definition.bodies):
        assert body.case is not None
        test = _is_case(inner, at, body.case, node.span)
        term = _body(inner.inner(), body, given, wanted, node.span)
        if result is None:
            result = term
        else:
            term, result = inner.alike(term, result, wanted)
            result = hir.IfElse(test, term, result, sort=join(term.sort, result.sort), span=node.span)
    assert result is not None
    return attrs.evolve(result, span=node.span, used=hir.Use(definition.name, (at, *given)))


def _too_much(terms: ExprResolver, definition: DefinitionName) -> bool:
    """Whether a definition cannot be expanded: it would contain itself, or the total would be too long or too deep."""
    world, scope = terms.world, terms.scope
    if definition.name in scope.expanding:
        circle = " -> ".join([*scope.expanding, definition.name])
        if not definition.failed:
            world.report(error("G217", f"'{definition.name}' is defined by itself: {circle}", definition.span))
        for name in scope.expanding:
            world.definitions[name].failed = True
        return True
    if world.expanded > MAX_EXPANDED_WORDS:
        return True
    world.expanded += definition.weight
    if world.expanded > MAX_EXPANDED_WORDS:
        whole = world.definitions[scope.expanding[0]] if scope.expanding else definition
        phrase = f"with '{whole.name}' put in, the rules grow past {MAX_EXPANDED_WORDS} words"
        world.report(error("G236", phrase, whole.span,
                           help="every use of a definition counts, and the uses inside it again"))
        return True
    if scope.depth + definition.depth > MAX_EXPANDED:
        world.report_once(error("G007", f"definitions inside definitions nest more than {MAX_EXPANDED} deep",
                                definition.span))
        return True
    return False


def _fits(terms: ExprResolver, definition: DefinitionName, arguments: Sequence[rules.Expression],
          index: rules.Expression | None, node: rules.Expression) -> bool:
    """Whether a use has the brackets and the number of arguments of its definition."""
    first = definition.bodies[0]
    if first.case is not None and index is None:
        terms.report("G211", f"'{definition.name}' is defined by cases, expected {definition.name}[...]", node.span)
        return False
    needless = first.case is None and index is not None
    if needless or len(arguments) != len(first.parameters):
        names = ", ".join(parameter.text for parameter in first.parameters)
        shape = definition.name + ("[...]" if first.case is not None else "") + (f"({names})" if names else "")
        phrase = f"'{definition.name}' is used with {len(arguments)} argument{'s' * (len(arguments) != 1)}" \
                 f"{' and an index' * needless}, expected {shape}"
        terms.report("G216", phrase, node.span)
        return False
    return True


def _body(terms: ExprResolver, body: rules.Definition, given: Sequence[hir.Expr], wanted: Sort | None,
          span: Span) -> hir.Expr:
    """Resolve the body of a definition with its parameters bound."""
    named: list[tuple[hir.Local, hir.Expr]] = []
    for parameter, value in zip(body.parameters, given, strict=True):
        local = terms.scope.bind(parameter, value.sort, terms.world)
        if isinstance(value.sort, SetOf) and value.sort != CELLS:
            terms.scope.names[parameter.text] = value  # not a value to keep: the set replaces the name
        else:
            named.append((local, value))
    term = terms.resolved(body.body, wanted)
    for local, value in reversed(named):
        term = hir.Let(local.slot, value, term, sort=term.sort, span=span)
    return term


def _call(body: rules.Definition, given: Sequence[hir.Expr], node: rules.Expression) -> tuple[Label, ...]:
    """The label of a call, with the sorts of its parameters; () for a definition without parameters."""
    sorts = [f"{parameter.text} is a {value.sort}" for parameter, value in zip(body.parameters, given, strict=True)
             if not isinstance(value.sort, Unknown)]
    return (Label(node.span, f"in this call {', '.join(sorts)}"),) if sorts else ()


# ---- cases


def _index(terms: ExprResolver, definition: DefinitionName, inner: ExprResolver, index: rules.Expression) -> hir.Expr:
    """Resolve the index that selects the case: a value of the sort of the cases."""
    cases = [body.case for body in definition.bodies if body.case is not None]
    sort = inner.case(cases[0]).sort
    sort = sort.element if isinstance(sort, SetOf) else sort
    name = index.text if isinstance(index, rules.Name) and index.text not in terms.scope.names else ""
    piece = terms.world.piece_names.get(name)
    if piece is not None and sort == PIECE and all(isinstance(case, rules.Name) for case in cases):
        return hir.Literal(piece.indices[0], sort=PIECE, span=index.span)  # each player's has the same case
    return terms.value(index, sort)


def _is_case(inner: ExprResolver, at: hir.Expr, node: rules.Name | rules.Index, span: Span) -> hir.Expr:
    """A test whether an index selects a case."""
    case = inner.case(node)
    if isinstance(case.sort, SetOf):
        return hir.Contains(at, case, sort=BOOLEAN, span=span)
    return hir.Comparison("=", at, inner.converted(case, at.sort), sort=BOOLEAN, span=span)

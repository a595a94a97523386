"""Resolves the kind and the owner of a piece, and the piece of the same kind that another player has.

`p is knight`, `p is mine`, `kind(p) is king`; `kind(p)[mover]`. A kind is a name of the `pieces` declarations, whoever
owns the piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.braces import contains
from dsl.resolve.scope import PieceName, World
from dsl.resolve.sorts import BOOLEAN, PIECE, PLAYER, UNKNOWN, Kind, SetOf, Unknown
from dsl.resolve.turns import owned
from dsl.syntax import rules
from dsl.syntax.source import Span

if TYPE_CHECKING:
    from dsl.resolve.expressions import ExprResolver


def sort_of_kinds(world: World) -> Kind:
    """The sort of the kinds of a game's pieces."""
    return Kind("kind", hir.kinds_of(world.pieces))


def literal(world: World, piece: PieceName, span: Span) -> hir.Expr:
    """The kind that a name stands for."""
    sort = sort_of_kinds(world)
    return hir.Literal(sort.values.index(piece.name), sort=sort, span=span)


def asked(resolver: ExprResolver, element: hir.Expr, node: rules.IsIn) -> hir.Expr | None:
    """`p is ...` for a piece or a kind; None where the right side has to be read as a set."""
    collection, span = node.collection, node.span
    if element.sort == PIECE:
        if isinstance(collection, rules.Name) and collection.text not in resolver.scope.names:
            if collection.text in ("mine", "theirs") or (collection.text == "allies" and resolver.world.teams):
                return _owned(resolver, element, collection, span)
            if collection.text == "occupied":
                everything = tuple(range(1, len(resolver.world.pieces)))
                return hir.Contains(element, hir.Listing(everything, sort=SetOf(PIECE), span=span), sort=BOOLEAN,
                                    span=span)
        either = resolver.either(collection)
        if either is not None:
            return hir.Contains(element, either, sort=BOOLEAN, span=span)
    elif not isinstance(element.sort, Kind):
        return None
    if isinstance(collection, rules.Braces):
        return None
    term = resolver.resolve(collection, element.sort)
    if term.sort == element.sort:
        return hir.Comparison("=", element, term, sort=BOOLEAN, span=span)
    if term.sort == SetOf(element.sort):
        return contains(element, term, span, resolver.world, resolver.scope.fresh)
    return resolver.unknown(span) if isinstance(term.sort, Unknown) else None


def _owned(resolver: ExprResolver, piece: hir.Expr, name: rules.Name, span: Span) -> hir.Expr:
    """A test whether a piece belongs to the mover, an ally, or another player."""
    if resolver.resolve(name, None).sort == UNKNOWN:  # nobody moves here, which was reported
        return resolver.unknown(span)
    if resolver.world.teams:
        return owned(resolver.world, piece, name.text, span)
    owner = hir.Apply("owner", (piece,), sort=PLAYER, span=span)
    mover = hir.Role("mover", sort=PLAYER, span=span)
    if name.text == "mine":
        return hir.Comparison("=", owner, mover, sort=BOOLEAN, span=span)
    nobody = hir.Literal(None, sort=PLAYER, span=span)
    tests = tuple(hir.Comparison("!=", owner, other, sort=BOOLEAN, span=span) for other in (mover, nobody))
    return hir.All(tests, sort=BOOLEAN, span=span)


def picked(resolver: ExprResolver, node: rules.Picked, wanted: object) -> hir.Expr:
    """`kind(p)[mover]`: the piece of a kind that a player has."""
    return piece_of(resolver, resolver.resolve(node.base, None), node.index, node.span)


def piece_of(resolver: ExprResolver, kind: hir.Expr, index: rules.Expression, span: Span) -> hir.Expr:
    """The piece of a kind that a player has; none where the player has none of it."""
    player = resolver.value(index, PLAYER)
    if not isinstance(kind.sort, (Kind, Unknown)):
        resolver.report("G256", f"found a {kind.sort} before [...], expected a kind of piece", kind.span,
                        "the mover's piece of the kind of p is kind(p)[mover]")
        return resolver.unknown(span)
    return hir.Apply("piece_of", (kind, player), sort=PIECE, span=span)

"""Resolves the symmetries that a game declares."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.checks.bounds import certainly
from dsl.diagnostics import did_you_mean
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.scope import Scope
from dsl.resolve.sorts import Integer
from dsl.syntax import rules

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver


def all_symmetries(resolver: DeclarationResolver) -> Iterator[hir.Symmetry]:
    """The declared symmetries, each with its condition, except those whose condition never holds with these params."""
    for item in resolver.all(rules.SymmetryRule):
        condition = None
        if item.condition is not None:
            terms = ExprResolver(resolver.world, Scope(nobody="a symmetry"))
            condition = hir.Condition(terms.condition(item.condition), terms.scope.slots, span=item.span)
        certain = None if condition is None else certainly(condition.term)
        result = _symmetry(resolver, item, None if certain else condition)
        if certain is not False:
            yield result


def _symmetry(resolver: DeclarationResolver, item: rules.SymmetryRule, condition: hir.Condition | None) -> hir.Symmetry:
    phrase = " ".join(word.text for word in item.phrase).replace("turns mirrors", "turns and mirrors")
    known = resolver.world.board.symmetries
    span = item.phrase[0].span.to(item.phrase[-1].span) if item.phrase else item.span
    clause = next((word for word in item.phrase if word.text in ("if", "where", "unless", "for")), None)
    if clause is not None:
        resolver.error("G101", f"found '{clause.text}', expected 'when'", clause.span,
                       "the positions for which a symmetry is claimed: symmetry half turn when some occupied", "when")
    elif phrase and phrase not in known and not resolver.world.doubtful("board"):
        help_text, suggestion = did_you_mean(phrase, known)
        resolver.error("G229", f"unknown symmetry '{phrase}' of {resolver.world.board.title} board, expected "
                       + ", ".join(known), span, help_text, suggestion)
    if not phrase and not item.swapping and not item.reversing:
        resolver.error("G229", "the symmetry is empty, expected for instance 'half turn' or 'swapping players'",
                       item.span)
    if item.swapping:
        _check_swapping(resolver, item)
    reversing = []
    for name in item.reversing:
        number = resolver.world.variables.get(name.text)
        if number is None or not isinstance(resolver.world.variable_kinds[number].sort, Integer):
            numbers = [name for name, number in resolver.world.variables.items()
                       if isinstance(resolver.world.variable_kinds[number].sort, Integer)]
            resolver.world.unknown(name, iter(numbers), "variable with a range")
        else:
            reversing.append(number)
    return hir.Symmetry(phrase, bool(item.swapping), tuple(reversing), condition, span=item.span)


def _check_swapping(resolver: DeclarationResolver, item: rules.SymmetryRule) -> None:
    span = item.swapping[0].span.to(item.swapping[-1].span)
    named = attrs.evolve(item.swapping[0], text=" ".join(word.text for word in item.swapping), span=span)
    if not resolver.choose(named, ("players",), "thing to swap"):
        return
    if resolver.world.doubtful("players") or resolver.world.doubtful("pieces"):
        return
    if len(resolver.world.players) != 2:
        resolver.error("G306", f"swapping players needs two players, found {len(resolver.world.players)}", span)
        return
    counts = [sum(piece.owner == player for piece in resolver.world.pieces) for player in (0, 1)]
    if counts[0] != counts[1]:
        first, second = resolver.world.players
        phrase = f"{first} has {counts[0]} pieces and {second} {counts[1]}, expected as many to swap the players"
        resolver.error("G306", phrase, span)

"""Resolves chance: the weight of a chance rule, and after which chance moves the turn passes.

Otherwise chance rules are move rules (`dsl.resolve.declarations`) whose moves no player chooses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.effects import Effects
from dsl.resolve.sorts import ANY_INTEGER, Integer
from dsl.syntax import rules

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver


NATURE = "nature"
"""The player to move where chance decides."""


def chance_weight(effects: Effects, item: rules.MoveRule) -> hir.Expr | None:
    """The weight of a chance rule, which can use its choices; None where none is given."""
    if not isinstance(item, rules.ChanceRule) or item.weight is None:
        return None
    term = effects.terms.value(item.weight, ANY_INTEGER)
    if not isinstance(term.sort, Integer):
        return term  # an error, already reported
    if term.sort.high < 0:
        effects.terms.report("G290", f"the weight is negative, {term.sort.high} at most, expected 0 or more",
                             item.weight.span)
    elif term.sort.high == 0:
        effects.terms.report("G291", "the weight is always 0, so that this never happens", item.weight.span)
    return term


def turn_passes(resolver: DeclarationResolver) -> tuple[hir.Condition, ...]:
    """The conditions of `turn passes when`, evaluated after chance moves; an error where there is no chance rule."""
    result = resolver.all(rules.TurnPasses)
    if result and not resolver.all(rules.ChanceRule) and not resolver.world.doubtful("chance"):
        resolver.error("G292", "'turn passes when' is asked after moves of chance, and there is no 'chance' rule",
                       result[0].span, "after a player's move the turn passes by itself")
    return tuple(resolver.condition(item.condition, item.span) for item in result)


def check_names(resolver: DeclarationResolver, players: rules.Players) -> None:
    """Report a player with the name of chance, which would make the player to move ambiguous."""
    for name in players.names:
        if name.text == NATURE and resolver.all(rules.ChanceRule):
            resolver.error("G293", f"a player is called '{NATURE}', which is who moves by a 'chance' rule", name.span)

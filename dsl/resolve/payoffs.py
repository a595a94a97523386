"""Resolves payoffs at the end of a game: `payoff X = won[X] - won[O]`, `payoff each = chips[mover]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.scope import Scope
from dsl.resolve.sorts import ANY_INTEGER, Integer
from dsl.syntax import rules

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver


MOST_PAYOFF = 10**15
"""The largest absolute value of a payoff: solvers calculate with means of payoffs, which hold 53 bits."""


def payoffs(resolver: DeclarationResolver) -> tuple[hir.Payoff, ...]:
    """The payoff of each player, in their order; () where the file declares none."""
    players = resolver.world.players
    result: dict[int, hir.Payoff] = {}
    items = resolver.all(rules.Payoff)
    for item in items:
        terms = ExprResolver(resolver.world, Scope())
        value = terms.value(item.value, ANY_INTEGER)
        if isinstance(value.sort, Integer) and max(-value.sort.low, value.sort.high) > MOST_PAYOFF:
            resolver.error("G113", f"a payoff can grow past {MOST_PAYOFF}", item.value.span,
                           "bound it, for instance by min(..., 1000000)")
        if item.player.text == "each":
            whose = list(range(len(players)))
        elif item.player.text in players:
            whose = [players.index(item.player.text)]
        else:
            resolver.world.unknown(item.player, iter([*players, "each"]), "player")
            continue
        for player in whose:
            if player in result:
                resolver.error("G298", f"a second payoff of {players[player]}, expected one", item.span)
            result[player] = hir.Payoff(player, player, value, terms.scope.slots, span=item.span)
    if len(players) == 2 and len(result) == 1:
        (player, given), = result.items()
        result[1 - player] = _opposite(given)
    elif result and len(result) < len(players):
        missing = ", ".join(name for number, name in enumerate(players) if number not in result)
        resolver.error("G298", f"no payoff of {missing}, expected one of every player", items[-1].span,
                       "payoff each = ... says it of all, each of them as mover")
    return tuple(result[player] for player in sorted(result))


def _opposite(given: hir.Payoff) -> hir.Payoff:
    """The payoff of the other of two players: the negated payoff of the one given."""
    span, value = given.span, given.value
    low, high = (value.sort.low, value.sort.high) if isinstance(value.sort, Integer) else (0, 0)
    zero = hir.Literal(0, sort=Integer(0, 0), span=span)
    negative = hir.Arithmetic("-", zero, value, sort=Integer(-high, -low), span=span)
    return hir.Payoff(1 - given.player, given.mover, negative, given.slots, negated=True, span=span)

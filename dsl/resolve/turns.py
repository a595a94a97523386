"""Resolves the order of turns and the teams: `turn order` and `team`."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, CELLS, PIECE, PLAYER, SetOf
from dsl.syntax import rules
from dsl.syntax.source import Span

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver
    from dsl.resolve.scope import World

MOST_TURNS = 1_000
"""The maximum number of places of a turn order."""


def turn_order(resolver: DeclarationResolver) -> tuple[tuple[int, ...], int]:
    """The players in turn order, and the place that follows the last one; no players without an order."""
    item = resolver.one(rules.TurnOrder, "'turn order'")
    if item is None:
        return (), 0
    world = resolver.world
    names = (*item.first, *item.cycle)
    if world.doubtful("players"):
        return (), 0
    for name in names:
        if name.text not in world.players:
            world.unknown(name, iter(world.players), "player")
            return (), 0
    missing = [player for player in world.players if all(name.text != player for name in item.cycle)]
    if missing:
        resolver.error("G287", f"{missing[0]} has no turn in the part of the order that comes again and again",
                       item.span, "name every player there; what happens once stands before 'then'")
    if len(names) > MOST_TURNS:
        resolver.error("G287", f"the turn order has {len(names)} places, expected at most {MOST_TURNS}", item.span)
    for pie in resolver.all(rules.PieRule):
        resolver.error("G288", "a pie rule in a game with a turn order: after a swap it would be open whose turn it is",
                       pie.span, "say the swap as a move of its own, with a variable for who has which goal")
    order = tuple(world.players.index(name.text) for name in names)
    for symmetry in resolver.all(rules.SymmetryRule):
        if symmetry.swapping:
            resolver.error("G288", "players cannot be swapped where a turn order says who moves when", symmetry.span,
                           "leave 'swapping players' out")
    return order, len(item.first)


def declare_teams(resolver: DeclarationResolver) -> None:
    """Declare the teams, each as a set of players."""
    world = resolver.world
    taken: dict[str, str] = {}
    for item in resolver.all(rules.Team):
        result = []
        for name in item.players:
            if name.text not in world.players:
                if not world.doubtful("players"):
                    world.unknown(name, iter(world.players), "player")
            elif name.text in taken:
                resolver.error("G289", f"{name.text} is in team {taken[name.text]} already", name.span,
                               "a player is in one team, or alone")
            else:
                taken[name.text] = item.name.text
                result.append(world.players.index(name.text))
        if world.declare(item.name, "team") and result:
            world.teams[item.name.text] = tuple(sorted(result))
            world.used.add(item.name.text)
    teams = [*world.teams.values()]
    if len(teams) == 1 and len(teams[0]) == len(world.players) > 1:
        resolver.error("G289", "all players are in one team, so that nobody plays against anybody",
                       resolver.all(rules.Team)[0].span)


def allies(world: World, span: Span) -> hir.Expr:
    """The cells with a piece of an ally of the mover: of another player in the same team."""
    return _by_mover([hir.CellsOf(_pieces_of(world, _allies_of(world, player)), sort=CELLS, span=span)
                      for player in range(len(world.players))])


def owned(world: World, piece: hir.Expr, name: str, span: Span) -> hir.Expr:
    """A test whether a piece is `mine`, one of `allies`, or `theirs`: of the players on other sides."""
    everyone = range(len(world.players))
    tests = []
    for player in everyone:
        allied = _allies_of(world, player)
        whose = {"mine": {player}, "allies": allied}.get(name, {*everyone} - {player} - allied)
        pieces = hir.Listing(_pieces_of(world, whose), sort=SetOf(PIECE), span=span)
        tests.append(hir.Contains(piece, pieces, sort=BOOLEAN, span=span))
    return _by_mover(tests)


def _by_mover(found: Sequence[hir.Expr]) -> hir.Expr:
    """The term of the player who is the mover, of one for each."""
    result = found[-1]
    for player in reversed(range(len(found) - 1)):
        item = found[player]
        result = hir.IfElse(_is_mover(player, item.span), item, result, sort=item.sort, span=item.span)
    return result


def _allies_of(world: World, player: int) -> set[int]:
    """The other players in the same team."""
    return {ally for team in world.teams.values() if player in team for ally in team} - {player}


def _pieces_of(world: World, players: Collection[int]) -> tuple[int, ...]:
    return tuple(index for index, piece in enumerate(world.pieces) if index and piece.owner in players)


def _is_mover(player: int, span: Span) -> hir.Expr:
    mover, wanted = hir.Role("mover", sort=PLAYER, span=span), hir.Literal(player, sort=PLAYER, span=span)
    return hir.Comparison("=", mover, wanted, sort=BOOLEAN, span=span)

"""Lowers turn orders and shared wins of teams; `interpreter.semantics.turns` is the reference."""

from __future__ import annotations

from interpreter.compiler import ir
from interpreter.compiler.build import as_number, as_word, element, expr, minus
from interpreter.compiler.lowering.expressions import ExprLowering
from interpreter.compiler.lowering.names import DRAW, POSITION, TURN
from interpreter.semantics.turns import Turns


def go_on_in_order(terms: ExprLowering) -> None:
    """Advance a position to the next place in the turn order, and return who moves there."""
    turns, tables = Turns(terms.rules), terms.program.tables
    place = terms.writer.let("place", element(tables.numbers("next_turns", [*turns.nexts]),
                                              as_number(element(POSITION, TURN))))
    terms.writer.assign(element(POSITION, TURN), as_word(place))
    terms.writer.give(element(tables.numbers("turn_order", [*turns.order]), place))


def winner_with(terms: ExprLowering, who: ir.Expr) -> ir.Expr:
    """The number by which a player's win is recorded: that of the first player of the team."""
    if not terms.rules.teams:
        return who
    return element(terms.program.tables.numbers("sides", [*terms.rules.sides]), who)


def winner_against(terms: ExprLowering, who: ir.Expr) -> ir.Expr:
    """Who wins when a player loses."""
    players = len(terms.rules.players)
    if not terms.rules.teams:
        return minus(1, who) if players == 2 else expr(DRAW)
    turns = Turns(terms.rules)
    return element(terms.program.tables.numbers("other_sides", [turns.other(player) for player in range(players)]), who)

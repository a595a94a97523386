"""Static bounds on who can still win, for pruning searches.

In games in which pieces are only put on empty cells, and stay there, a player's set of cells can only grow into the
empty cells. So a player who has no line with all empty cells added can no longer make one. `hoping(game)` is the same
game with a `value` that encodes this besides the game's own value: searches cut off where the players in question can
no longer win (`solver.native.alphabeta`). Whether four in a line can be forced on 4 x 4 cells takes 38,000 positions
with it, 61,000 without.

The conditions of ends are bounded through terms that are monotone in sets of cells: unions, intersections, differences,
`line` and `joined`; any other condition is assumed possible at any time. Games in which pieces leave the board or
change, with forced rules or pie rules, or where a player without moves wins or loses, are not supported.
"""

from __future__ import annotations

from typing import Literal

import attrs

from dsl import hir
from dsl.checks.reads import grows
from dsl.resolve.sorts import Boolean, Cell, Integer, SetOf
from dsl.syntax.source import Span
from interpreter.game import Game
from interpreter.remembered import remembered

OWN, OTHER = 1, 2
"""Flags in the lowest two bits of the value: the player to move can still win, and the opponent can."""
SCALE = 4
"""The factor of the game's own value in the value."""
_Bound = Literal["most", "least"]


@remembered
def hoping(game: Game) -> Game | None:
    """The same game with the flags in its value; None where it is not supported, or both players can always still win.
    """
    rules = game.rules
    if game.board.unbounded or not _only_fills(rules):
        return None
    mine, theirs = _Hopes(rules, swapped=False).hope(), _Hopes(rules, swapped=True).hope()
    if _always(mine) and _always(theirs):
        return None
    span = rules.ends[0].span
    flags = _sum(_flag(mine, OWN, span), _flag(theirs, OTHER, span), span)
    own, slots = rules.value, rules.ends[0].condition.slots
    if own is not None and isinstance(own.term.sort, Integer):
        sort = own.term.sort
        scaled = hir.Arithmetic("*", own.term, _number(SCALE, span), sort=Integer(SCALE * sort.low, SCALE * sort.high),
                                span=span)
        flags, slots = _sum(scaled, flags, span), max(slots, own.slots)
    elif own is not None:
        return None
    slots = max([slots, *(end.condition.slots for end in rules.ends)])
    return attrs.evolve(game, rules=attrs.evolve(rules, value=hir.Condition(flags, slots, span=span)))


def _only_fills(rules: hir.Rules) -> bool:
    """Whether moves only put pieces on empty cells or set variables, and only `win`, `lose` and `draw` decide the game.
    """
    elsewhere = (rules.layers, rules.courses, rules.after, rules.forced, rules.pies, rules.hidden, rules.payoffs,
                 rules.order, rules.teams, rules.piles, rules.together, rules.ranking)
    plain = len(rules.players) == 2 and not any(elsewhere) and rules.no_moves in ("", "draws")
    return bool(plain and rules.ends and all(end.kind in ("win", "lose", "draw") for end in rules.ends)
                and all(map(_puts_on_empty, rules.moves)))


def _puts_on_empty(move: hir.Move) -> bool:
    empty = {choice.slots[0] for choice in move.choices if len(choice.slots) == 1 and _within_empty(choice.domain)}
    return not move.is_chance and not move.is_step and all(
        isinstance(effect, hir.SetVariable) or (
            isinstance(effect, hir.SetPiece) and isinstance(effect.cells, hir.Local) and effect.cells.slot in empty)
        for effect in move.body)


def _within_empty(domain: hir.Expr) -> bool:
    """Whether a set contains only empty cells."""
    match domain:
        case hir.CellsOf(pieces=(0,)):
            return True
        case hir.SetArithmetic(operator="and", left=left, right=right):
            return _within_empty(left) or _within_empty(right)
        case hir.SetArithmetic(operator="-", left=left):
            return _within_empty(left)
    return False


# ---- terms


def _always(term: hir.Expr) -> bool:
    return isinstance(term, hir.Literal) and term.value is True


def _literal(value: bool, span: Span) -> hir.Expr:
    return hir.Literal(value, sort=Boolean(), span=span)


def _number(value: int, span: Span) -> hir.Expr:
    return hir.Literal(value, sort=Integer(value, value), span=span)


def _flag(condition: hir.Expr, bit: int, span: Span) -> hir.Expr:
    if _always(condition):
        return _number(bit, span)
    return hir.IfElse(condition, _number(bit, span), _number(0, span), sort=Integer(0, bit), span=span)


def _sum(left: hir.Expr, right: hir.Expr, span: Span) -> hir.Expr:
    one, other = left.sort, right.sort
    assert isinstance(one, Integer)
    assert isinstance(other, Integer)
    return hir.Arithmetic("+", left, right, sort=Integer(one.low + other.low, one.high + other.high), span=span)


@attrs.frozen
class _Hopes:
    """Builds the condition that a player can still win: the player to move, or with `swapped` the opponent.

    The rules test an end after a move, and either player may be the one who makes that move.
    """

    rules: hir.Rules
    swapped: bool

    def hope(self) -> hir.Expr:
        """A condition that holds wherever the player can still win."""
        span, result = self.rules.ends[0].span, []
        for end in self.rules.ends:
            if end.kind == "draw":
                continue
            for turned in (False, True):  # which player makes the move after which it is tested
                who = self._winner(end, turned)
                held = _Limit(turned).of(end.condition.term, "most")
                if who is None or _never(held):
                    continue
                result.append(held if _always(who) else hir.All((who, held), sort=Boolean(), span=span))
        if any(map(_always, result)):
            return _literal(True, span)
        return hir.Any(tuple(result), sort=Boolean(), span=span) if result else _literal(False, span)

    def _winner(self, end: hir.End, turned: bool) -> hir.Expr | None:
        """The condition that this player wins by an end; None where it never does."""
        span, player = end.span, end.player
        if isinstance(player, hir.Role) and player.name in ("mover", "opponent"):
            by_mover = (player.name == "mover") == (end.kind == "win")
            wins = (by_mover != turned) != self.swapped
            return _literal(True, span) if wins else None
        if isinstance(player, hir.Literal):
            role = "mover" if (end.kind == "win") != self.swapped else "opponent"
            return hir.Comparison("=", hir.Role(role, sort=player.sort, span=span), player, sort=Boolean(), span=span)
        return _literal(True, span)


def _never(term: hir.Expr) -> bool:
    return isinstance(term, hir.Literal) and term.value is False


@attrs.frozen
class _Limit:
    """Bounds of conditions and sets over all continuations of a position, whatever is put on its empty cells."""

    turned: bool
    """Whether the mover is the opponent of the player to move now."""

    def of(self, term: hir.Expr, bound: _Bound) -> hir.Expr:
        """A condition implied by `term` holding in any continuation (`most`), or that implies it in all (`least`)."""
        unknown = _literal(bound == "most", term.span)
        match term:
            case hir.Literal():
                return term
            case hir.Not(operand=operand):
                result = self.of(operand, "least" if bound == "most" else "most")
                if isinstance(result, hir.Literal):
                    return _literal(not result.value, term.span)
                return attrs.evolve(term, operand=result)
            case hir.All(operands=operands) | hir.Any(operands=operands):
                return self._joined(term, [self.of(item, bound) for item in operands])
            case hir.Exists(collection=cells):
                limit = self._cells(cells, bound)
                return unknown if limit is None else attrs.evolve(term, collection=limit)
            case hir.Apply(arguments=(cells, *rest)) if grows(term):  # if the rest does not change
                limit = self._cells(cells, bound)
                if limit is None or not all(isinstance(item, hir.Literal | hir.Region) for item in rest):
                    return unknown
                return attrs.evolve(term, arguments=(limit, *rest))
        return unknown

    def _joined(self, term: hir.All | hir.Any, limits: list[hir.Expr]) -> hir.Expr:
        """A conjunction or disjunction of bounds, simplified by its constants."""
        neutral = isinstance(term, hir.All)
        if any(isinstance(item, hir.Literal) and item.value is not neutral for item in limits):
            return _literal(not neutral, term.span)
        left = [item for item in limits if not isinstance(item, hir.Literal)]
        return attrs.evolve(term, operands=tuple(left)) if left else _literal(neutral, term.span)

    def _cells(self, term: hir.Expr, bound: _Bound) -> hir.Expr | None:
        """A superset of a set in all continuations (`most`), or a subset of it in all (`least`); None where unknown."""
        empty = hir.CellsOf((0,), sort=SetOf(Cell()), span=term.span)
        match term:
            case hir.Region():
                return term
            case hir.Owned(mine=mine):
                own = attrs.evolve(term, mine=mine != self.turned)
                return own if bound == "least" else hir.SetArithmetic("+", own, empty, sort=term.sort, span=term.span)
            case hir.CellsOf(pieces=pieces):
                if bound == "least":
                    kept = tuple(piece for piece in pieces if piece)
                    return attrs.evolve(term, pieces=kept) if kept else None
                return attrs.evolve(term, pieces=tuple(sorted({0, *pieces}))) if pieces != (0,) else term
            case hir.SetArithmetic(operator=operator, left=left, right=right):
                other: _Bound = bound if operator != "-" else "least" if bound == "most" else "most"
                one, two = self._cells(left, bound), self._cells(right, other)
                if one is None or (two is None and operator != "-"):
                    return None
                if two is None:  # the subtrahend is unknown: it may be empty, or everything
                    return one if bound == "most" else None
                return attrs.evolve(term, left=one, right=two)
        return None

"""Which ends of a game are only for positions in which the player to move has no move.

They are asked only there, and so need not be asked after every move.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import takewhile

import attrs

from dsl import hir
from interpreter.analysis.dependence import MOVER, Free, free_slots


def _is_not_no_moves(term: hir.Expr) -> bool:
    """Whether a condition is another one than that the player to move has no move."""
    return not isinstance(term, hir.NoMoves) or term.anyone


class Endings:
    """The ends of a game, divided into those that only ask whether there is a move, and all others."""

    def __init__(self, rules: hir.Rules, may_fail: Callable[[hir.Expr], bool], free: Free) -> None:
        """`may_fail` tells whether a rule may fail in a condition, so that it must be asked where the rules ask it, and
        only there; `free` remembers what terms depend on."""
        self.rules, self._may_fail, self._free = rules, may_fail, free

    @property
    def late(self) -> bool:
        """Whether it can be left to the next listing of moves to see that there is none."""
        return self.rules.no_moves != "passes" and not any(
            isinstance(part, hir.NoMoves) for end in self.first if end not in self._while_moves
            for part in hir.walk(end.condition.term))

    @cached_property
    def _while_moves(self) -> tuple[hir.End, ...]:
        """The last ends, where one before them is `when no moves` and they ask nothing about moves.

        They hold only while there is a move, and say so here, so that they can be asked before those about no moves.
        """
        ends = self.rules.ends
        last = max((index for index, end in enumerate(ends) if isinstance(end.condition.term, hir.NoMoves)
                    and not end.condition.term.anyone), default=len(ends))
        result = []
        for end in ends[last + 1:]:
            term = end.condition.term
            if any(isinstance(part, hir.NoMoves) for part in hir.walk(term)) or self._may_fail(term):
                return ()
            moves = hir.Not(hir.NoMoves(False, sort=term.sort, span=term.span), sort=term.sort, span=term.span)
            whole = hir.All((term, moves), sort=term.sort, span=term.span)
            result.append(attrs.evolve(end, condition=attrs.evolve(end.condition, term=whole)))
        return tuple(result)

    @cached_property
    def knows_mover(self) -> bool:
        """Whether a position tells who moved last: the other one of two players."""
        return len(self.rules.players) == 2 and not (self.rules.again or self.rules.pies or self.rules.order) and (
            not self.rules.has_chance)

    @cached_property
    def stuck(self) -> tuple[hir.End, ...]:
        """The last ends of all, as far as they ask that there is no move; each without that condition.

        They can be told from the position alone, as far as that tells who moved last. Rules fail as if the ends were
        asked in turn: what stands before `no moves` in an end must not fail itself, and `no moves` must be asked later
        where it is false, as a rule may fail in a move that is tried for that.
        """
        result: list[hir.End] = []
        asked = self.rules.no_moves in ("loses", "wins", "draws")
        for end in reversed(self.rules.ends[:len(self.rules.ends) - len(self._while_moves)]):
            term = end.condition.term
            terms = term.operands if isinstance(term, hir.All) else (term,)
            rest = tuple(filter(_is_not_no_moves, terms))
            whole = hir.All(rest, sort=term.sort, span=term.span) if rest else hir.Literal(
                True, sort=term.sort, span=term.span)
            by_mover = MOVER in free_slots(whole, self._free) or isinstance(end.player, hir.Role)
            if len(rest) == len(terms) or (by_mover and not self.knows_mover) or any(
                    isinstance(part, hir.NoMoves) for part in hir.walk(whole)):
                break
            before = tuple(takewhile(_is_not_no_moves, terms))
            asked = asked or not before
            if not asked or any(map(self._may_fail, before)):
                break
            result.insert(0, attrs.evolve(end, condition=attrs.evolve(end.condition, term=whole)))
        return tuple(result)

    @property
    def first(self) -> tuple[hir.End, ...]:
        """The others, in the order in which they are asked."""
        later = self._while_moves
        return (*self.rules.ends[:len(self.rules.ends) - len(self.stuck) - len(later)], *later)

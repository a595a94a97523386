"""Classifies the ends of a game by whether they only apply where the player to move has no move.

Such ends need not be tested after every move, but only where no move is found.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from itertools import takewhile

import attrs

from dsl import hir
from interpreter.analysis.dependence import MOVER, Free, free_slots


def _is_not_no_moves(term: hir.Expr) -> bool:
    """Whether a condition is not `no moves` of the player to move."""
    return not isinstance(term, hir.NoMoves) or term.anyone


class Endings:
    """Divides the ends of a game into those that only apply where there is no move, and all others."""

    def __init__(self, rules: hir.Rules, may_fail: Callable[[hir.Expr], bool], free: Free) -> None:
        """Analyse the ends of `rules`; `may_fail` says whether a rule may fail in a condition, which must then be
        tested exactly where the rules test it; `free` caches the free slots of terms."""
        self.rules, self._may_fail, self._free = rules, may_fail, free

    @property
    def late(self) -> bool:
        """Whether lack of moves can be detected by the next listing of moves, instead of after each move."""
        return self.rules.no_moves != "passes" and not any(
            isinstance(part, hir.NoMoves) for end in self.first if end not in self._while_moves
            for part in hir.walk(end.condition.term))

    @cached_property
    def _while_moves(self) -> tuple[hir.End, ...]:
        """The ends after the last `when no moves`, if none of them tests for moves itself.

        They apply only where there is a move; that is added to their conditions here, so that they can be tested before
        the ends about no moves.
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
        """Whether a position determines who moved last: the opponent of the player to move, of two players."""
        return len(self.rules.players) == 2 and not (self.rules.again or self.rules.pies or self.rules.order) and (
            not self.rules.has_chance)

    @cached_property
    def stuck(self) -> tuple[hir.End, ...]:
        """The last ends that require `no moves`, each without that condition.

        They depend on the position alone, if that determines who moved last. Rules must fail as if the ends were tested
        in turn: conditions before `no moves` in an end must not be able to fail, and `no moves` must be tested later
        where it is false, as a rule may fail in a move that is tried for it.
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
        """All other ends, in the order in which they are tested."""
        later = self._while_moves
        return (*self.rules.ends[:len(self.rules.ends) - len(self.stuck) - len(later)], *later)

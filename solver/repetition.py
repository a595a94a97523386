"""Solving games whose repetition rule makes the value of a position depend on the moves before.

This is so where a repetition loses or is forbidden, and where a draw by repetition ignores variables that are `aside`:
play can then return to what counts as the same position although no position occurs twice.

The value is that of the root with no position before it. All positions are enumerated without symmetries, as an image
of a position is not a repetition of it. Then lines of play are searched, each with the set of positions met on it. Two
sound reductions keep this finite in practice:

- Only the positions met that can still be reached count, which are those of the same strongly connected component. The
  value of a position is cached with this set, and reused on other lines that have met the same set.
- A player who could force a win without the repetition rule does so by a strategy that lowers the plies to the win with
  every move, so that no position occurs twice. Where no position met is a win of this player in fewer plies, the
  position is therefore a win under any repetition rule.

The remoteness of a win is not determined: a repetition can be the fastest win.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import attrs
import networkx

from interpreter.model.state import DRAW, Move, State
from solver.budget import Budget, OutOfBudget
from solver.methods import ALL
from solver.solve import VALUED, Solution, answer_from, answer_of
from solver.strong import Strong, Value

if TYPE_CHECKING:
    from solver.game_space import GameSpace

Met = frozenset[tuple[int, int]]
"""The positions met on a line of play, each with how often; positions that the repetition rule equates count as one."""
_MOST = 2_000_000
"""The default limit on the positions searched on lines of play, which can be too many to end."""


@attrs.define(eq=False)
class _Paths:
    """Searches lines of play; positions are given by their numbers in the enumeration."""

    space: GameSpace
    rule: str
    least: int
    """How often a position must have been met for a move to it to count as a repetition."""
    strong: Strong[State, Move]
    budget: Budget
    component: dict[int, int] = attrs.field(factory=dict)
    same: list[int] = attrs.field(factory=list)
    """For each position the first position that the repetition rule equates with it."""
    answers: dict[tuple[int, Met], int] = attrs.field(factory=dict)
    visits: int = 0

    def __attrs_post_init__(self) -> None:
        repetition, first = self.space.game.repetition, dict[State, int]()
        self.same = [first.setdefault(repetition.seen_as(state), index)
                     for index, state in enumerate(self.strong.states)]
        same = self.same
        graph = networkx.DiGraph()
        graph.add_nodes_from(same)
        graph.add_edges_from((same[index], same[kid]) for index, kids in enumerate(self.strong.children)
                             for kid in kids)
        for number, members in enumerate(networkx.strongly_connected_components(graph)):
            for index in members:
                self.component[index] = number

    def winner(self, index: int, met: Met) -> int:
        """The winner from a position, or DRAW, when the positions in `met` occurred before it. Raises OutOfBudget."""
        outcome = self.space.outcome(self.strong.states[index])
        if outcome is not None:
            return outcome
        mine = self.same[index]
        here, before = self.component[mine], dict(met)
        met = frozenset((place, times) for place, times in met if self.component[place] == here and place != mine) | {
            (mine, before.get(mine, 0) + 1)}
        known = self._undisturbed(index, met)
        if known is not None:
            return known
        key = index, met
        if key not in self.answers:
            self.answers[key] = self._search(index, met)
        return self.answers[key]

    def _undisturbed(self, index: int, met: Met) -> int | None:
        """The winner by a strategy that repeats no position; None where none is known."""
        if self.space.game.repetition.aside:  # such a strategy may still meet positions that the rule equates
            return None
        winners, plies = self.strong.winners, self.strong.remoteness
        won = winners[index]
        if won == DRAW or any(winners[place] == won and plies[place] < plies[index] for place, _ in met):
            return None
        return won

    def _search(self, index: int, met: Met) -> int:
        self.visits += 1
        limit = _MOST if self.budget.nodes is None else self.budget.nodes
        if self.visits > limit:
            raise OutOfBudget(f"the limit of {limit:,} positions on lines of play is reached")
        self.budget.spend(self.visits, len(self.strong.states), "following lines of play")
        mover = self.space.to_move(self.strong.states[index])
        other = 1 - mover if self.space.players == 2 and self.rule != "draws" else DRAW
        best, times = None, dict(met)
        kids = self.strong.children[index]
        for kid in sorted(kids, key=lambda kid: self.strong.winners[kid] != mover):
            ended = self.space.outcome(self.strong.states[kid]) is not None
            if not ended and times.get(self.same[kid], 0) >= self.least:
                if self.rule == "forbidden":
                    continue
                result = other
            else:
                result = self.winner(kid, met)
            if result == mover:
                return mover
            best = result if best is None or result == DRAW else best
        return self._stuck(index) if best is None else best

    def _stuck(self, index: int) -> int:
        """The outcome where every move would be a forbidden repetition. Raises RuleError where no rule gives one."""
        space, state = self.space, self.strong.states[index]
        rules = space.game.rules
        if rules.no_moves in ("loses", "wins", "draws"):
            return space.engine.ends.of_no_moves(space.to_move(state))
        problem = space.game.all_repeat(state)
        problem.source, problem.position = rules.source, space.game.drawing(state)
        raise problem


def solve_with_history(space: GameSpace, rule: str, budget: Budget) -> Solution[State, Move]:
    """Solve a space, which must have no symmetries, under a repetition rule that makes values depend on history.

    `rule` is "loses", "forbidden", or "draws" where the repetition rule ignores variables that are `aside`. Raises
    RuleError where a rule fails, or where none gives the outcome.
    """
    strong: Strong[State, Move] = Strong(space, budget)
    try:
        strong.enumerate_until()
        strong.value_all()
    except OutOfBudget as limit:
        return _answer(space, strong, None, str(limit))
    if not strong.cyclic() and not space.game.repetition.aside:
        return answer_from(space, strong, len(strong.states), f"{VALUED}, and none comes back")
    paths = _Paths(space, rule, space.game.repetition.at - 1, strong, budget)
    reason = f"positions come back, and 'repetition {rule}' makes their values depend on the moves before"
    return _answer(space, strong, paths, reason)


def _answer(space: GameSpace, strong: Strong[State, Move], paths: _Paths | None, reason: str) -> Solution[State, Move]:
    root = space.start()
    values: list[tuple[Move, int, Value | None]] = []
    complete = paths is not None
    limit = sys.getrecursionlimit()
    try:
        sys.setrecursionlimit(max(limit, 100_000))
        for index, (move, after) in enumerate([] if space.outcome(root) is not None else space.successors(root)):
            outcome = space.outcome(after)
            value = None if outcome is None else Value(outcome, 0)
            if value is None and paths is not None and complete:
                kid = strong.number[after]
                if paths.same[kid] == 0 and paths.least == 1:  # a move that changes nothing
                    if paths.rule == "forbidden":
                        continue
                    mover = space.to_move(root)
                    value = Value(1 - mover if space.players == 2 and paths.rule != "draws" else DRAW, 0)
                else:
                    try:
                        value = Value(paths.winner(kid, frozenset(((0, 1),))), None)
                    except OutOfBudget as problem:
                        reason, complete = str(problem), False
            values.append((move, index, value))
    finally:
        sys.setrecursionlimit(limit)
    outcome = space.outcome(root)
    if outcome is None and not values and paths is not None:  # each move changes nothing, which is forbidden
        outcome = paths._stuck(0)
    count = len(strong.states)
    result = answer_of(space, values, None if outcome is None else Value(outcome, 0), count, count, ALL, reason,
                       None if paths is None else True, None)
    return attrs.evolve(result, complete=complete)

"""Search for the values of the root's moves without enumerating all positions.

Two bounds are kept for each position and player: the player cannot force a win within `lo` plies, but can within `hi`.
The question "can this player force a win within n plies?" is answered by depth-first search, and every answer tightens
bounds permanently. The bounds do not depend on the path to a position, so they stay valid with cycles, transpositions
and symmetries. The root's moves are searched with increasing n, always the cheapest next; the first n that wins is the
exact remoteness, as n - 1 was refuted before. A draw is proven when neither player can force a win in any number of
plies: `lo` reaches infinity where all play ends, or is raised to it by `_close_circles` where play can cycle.

Positions are expanded once. Children are tried in order of the fewest answers left to the other side (a third fewer
expansions on a board of 16 cells), then of the most work spent on them before, then of the history score of the move.
"""

from __future__ import annotations

import heapq
import sys
from itertools import count
from typing import Generic

import attrs

from solver.budget import Budget
from solver.space import DRAW, MoveT, Space, StateT
from solver.strong import Value

NEVER = 1 << 30
"""Infinitely many plies."""


@attrs.define(eq=False)
class Search(Generic[StateT, MoveT]):
    """A growing graph of positions with bounds; `solve_moves` searches the children of the root."""

    space: Space[StateT, MoveT]
    budget: Budget
    number: dict[StateT, int] = attrs.field(factory=dict)
    states: list[StateT] = attrs.field(factory=list)
    children: list[list[int] | None] = attrs.field(factory=list)
    """The distinct children of each position, the latest refutation first; None before expansion."""
    moves: list[dict[int, MoveT]] = attrs.field(factory=list)
    """For each position a move to each child."""
    movers: list[int] = attrs.field(factory=list)
    lo: tuple[list[int], list[int]] = attrs.field(factory=lambda: ([], []))
    hi: tuple[list[int], list[int]] = attrs.field(factory=lambda: ([], []))
    work: tuple[list[int], list[int]] = attrs.field(factory=lambda: ([], []))
    history: tuple[dict[MoveT, int], dict[MoveT, int]] = attrs.field(factory=lambda: ({}, {}))
    """The history score of each move, by player to move: the sum of the squared plies of its cutoffs."""
    expanded: int = 0
    visits: int = 0
    _closed: int = 0
    """The value of `visits` at the last search for cycles."""

    # ---- the graph

    def node(self, state: StateT) -> int:
        """Return the number of a representative, which is added to the graph if it is new."""
        index = self.number.get(state)
        if index is not None:
            return index
        index = self.number[state] = len(self.states)
        self.states.append(state)
        self.children.append(None)
        self.moves.append({})
        self.movers.append(self.space.to_move(state))
        outcome = self.space.outcome(state)
        for player in (0, 1):
            won = outcome == player
            self.lo[player].append(0 if outcome is None else -1 if won else NEVER)
            self.hi[player].append(0 if won else NEVER)
            self.work[player].append(0)
        if self.space.players == 1:
            self.lo[1][index] = NEVER
        return index

    def expand(self, index: int) -> list[int]:
        """Add the children of a position that is not finished to the graph, and return them."""
        moves = self.moves[index]
        for move, after in self.space.successors(self.states[index]):
            moves.setdefault(self.node(self.space.canonical(after)), move)
        self.expanded += 1
        kids = self.children[index] = list(moves)
        self.tighten(index)
        return kids

    def tighten(self, index: int) -> None:
        """Tighten the bounds of a position by those of its children."""
        kids = self.children[index]
        if not kids:
            return
        us = self.movers[index]
        them = 1 - us
        for player, pick in ((us, min), (them, max)):
            lo, hi = self.lo[player], self.hi[player]
            least = pick([hi[kid] for kid in kids]) + 1
            if least < hi[index]:
                hi[index] = least
                self.lo[1 - player][index] = NEVER
            most = pick([lo[kid] for kid in kids]) + 1
            if most > lo[index]:
                lo[index] = min(most, NEVER)

    # ---- the question

    def wins(self, index: int, plies: int, player: int) -> bool:
        """Search whether a player can force a win from a position within `plies`. Raises OutOfBudget past a limit."""
        self.visits += 1
        self.budget.spend(self.expanded, len(self.states), "searching")
        lo, hi = self.lo[player], self.hi[player]
        kids = self.children[index]
        if kids is None:
            kids = self.expand(index)
        else:
            self.tighten(index)
        if hi[index] <= plies:
            return True
        if lo[index] >= plies:
            return False
        started = self.visits
        attacking = self.movers[index] == player
        history = self.history[self.movers[index]]
        moves = self.moves[index]
        plies -= 1
        open_kids = [kid for kid in kids if (lo[kid] < plies if attacking else hi[kid] > plies)]
        if len(open_kids) > 1:
            open_kids.sort(key=lambda kid: (self._answers(kid, plies - 1, player, index),
                                            -self.work[player][kid], -history.get(moves[kid], 0)))
        answer = not attacking
        while open_kids:
            kid = open_kids.pop(0)
            if self.wins(kid, plies, player) == attacking:
                history[moves[kid]] = history.get(moves[kid], 0) + plies * plies
                if kids[0] != kid:
                    kids.remove(kid)
                    kids.insert(0, kid)
                answer = attacking
                break
            self._try_refutation_next(kid, open_kids, moves)
        self.tighten(index)
        self.work[player][index] += self.visits - started + 1
        return answer

    def _answers(self, kid: int, plies: int, player: int, index: int) -> int:
        """The number of moves after a child that may still refute the choice of it.

        Where that is unknown, or the same player moves again, the number of this position's moves.
        """
        kids = self.children[kid]
        if not kids or self.movers[kid] == self.movers[index]:
            return len(self.moves[index])
        if self.movers[index] == player:
            hi = self.hi[player]
            return sum(1 for other in kids if hi[other] > plies)
        lo = self.lo[player]
        return sum(1 for other in kids if lo[other] < plies)

    def _try_refutation_next(self, kid: int, open_kids: list[int], moves: dict[int, MoveT]) -> None:
        """Try next the move that refuted `kid`, if it is among the open moves."""
        kids = self.children[kid]
        if not kids or not open_kids:
            return
        refutation = self.moves[kid][kids[0]]
        for index, other in enumerate(open_kids):
            if moves[other] == refutation:
                open_kids.insert(0, open_kids.pop(index))
                return

    # ---- the root

    def known(self, index: int) -> Value | None:
        """The value of a position if the bounds determine it; a win's remoteness may still be unknown."""
        for player in (0, 1):
            plies = self.hi[player][index]
            if plies < NEVER:
                return Value(player, plies if self.lo[player][index] == plies - 1 else None)
        if all(self.lo[player][index] >= NEVER for player in (0, 1)):
            return Value(DRAW, None)
        return None

    def solve_moves(self, kids: list[int]) -> None:
        """Determine the values of some positions, the cheapest question first. Raises OutOfBudget past a limit."""
        players = range(self.space.players)
        questions = [(0, index, kid, player) for index, (kid, player) in
                     enumerate((kid, player) for kid in kids for player in players)]
        limit = sys.getrecursionlimit()
        try:
            sys.setrecursionlimit(max(limit, 100_000))
            while questions:
                _, place, kid, player = heapq.heappop(questions)
                plies = self.lo[player][kid] + 1
                if plies > NEVER or plies == self.hi[player][kid]:
                    continue
                before = self.expanded + 0.1 * self.visits
                self.wins(kid, plies, player)
                cost = int(self.expanded + 0.1 * self.visits - before)
                heapq.heappush(questions, (cost, place, kid, player))
                if not self.space.acyclic and self.visits - self._closed >= len(self.states):
                    self._closed = self.visits
                    for either in players:
                        self._close_circles(either)
        finally:
            sys.setrecursionlimit(limit)

    def _close_circles(self, player: int) -> None:
        """Find positions from which a player can never force a win although play may go on for ever.

        The `lo` of a position is at most one more than the least of its children's where the player moves, and at most
        one more than the greatest where the opponent moves. So where no position has `lo == gap`, the positions above
        the gap form a trap: all moves of the player stay in it (or are refuted for good), the opponent has a move that
        stays in it, and none of its positions is a win. A gap arises eventually, as every refuted question raises a
        `lo` and the number of positions is finite.
        """
        lo = self.lo[player]
        bounds = set(lo)
        gap = next(number for number in count(1) if number not in bounds)
        for index, bound in enumerate(lo):
            if gap < bound < NEVER:
                lo[index] = NEVER

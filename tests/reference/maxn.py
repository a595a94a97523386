"""Max^n for any number of players, straight from its definition: every way to break ties is tried.

The outcomes of a position are those of its equilibria: for every choice of one outcome per move, the mover takes any
move whose outcome is best for the mover. Takes exponential time, and needs a space without cycles.
"""

from __future__ import annotations

from itertools import product
from typing import Any

from solver.space import DRAW, Space


def result(outcome: int, player: int) -> int:
    """A player's result of an outcome: 2 for a win, 1 for a draw, 0 for a loss."""
    return 2 if outcome == player else 1 if outcome == DRAW else 0


def equilibria(space: Space[Any, Any], state: Any, known: dict[Any, frozenset[int]] | None = None) -> frozenset[int]:
    """The outcomes of all subgame-perfect equilibria from a state."""
    known = {} if known is None else known
    if state not in known:
        outcome = space.outcome(state)
        found = set() if outcome is None else {outcome}
        if outcome is None:
            mover = space.to_move(state)
            below = [equilibria(space, after, known) for _, after in space.successors(state)]
            for chosen in product(*below):
                best = max(result(one, mover) for one in chosen)
                found |= {one for one in chosen if result(one, mover) == best}
        known[state] = frozenset(found)
    return known[state]


def can_force(space: Space[Any, Any], state: Any, player: int) -> int:
    """The result that a player can force from a state against all others, who minimise it."""
    outcome = space.outcome(state)
    if outcome is not None:
        return result(outcome, player)
    below = [can_force(space, after, player) for _, after in space.successors(state)]
    return max(below) if space.to_move(state) == player else min(below)

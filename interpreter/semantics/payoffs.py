"""Payoffs of a finished game: by the file's `payoff` declarations, else 1 for a win, -1 for a loss and 0 for a draw.

The solvers of games with chance, hidden information or simultaneous moves use them; others use the winner.
"""

from __future__ import annotations

from dsl import hir
from dsl.resolve.sorts import Integer
from interpreter.model.state import DRAW, State, WorkingState
from interpreter.semantics.evaluate import Evaluator


class Payoffs:
    """Computes the payoffs of a game."""

    def __init__(self, rules: hir.Rules, evaluator: Evaluator) -> None:
        self.players, self.sides = len(rules.players), rules.sides
        self._items = rules.payoffs
        self._exchanged = any(pie.by_seats for pie in rules.pies)
        self._declared = [(evaluator.compile(item.value), item.slots) for item in rules.payoffs]

    @property
    def declared(self) -> bool:
        """Whether the file declares payoffs."""
        return bool(self._declared)

    @property
    def cancel(self) -> bool:
        """Whether the payoffs of all players add up to 0 at every end by their declaration: several players of whom
        none, or only one of two, has a payoff declared."""
        return self.players > 1 and (not self._items or any(item.negated for item in self._items))

    @property
    def limits(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The least and the greatest payoffs by the declarations, each after a 0; (0,) twice where there are none."""
        sorts = [item.value.sort for item in self._items if isinstance(item.value.sort, Integer)]
        return (0, *(sort.low for sort in sorts)), (0, *(sort.high for sort in sorts))

    def limits_of(self, player: int) -> tuple[int, int]:
        """The least and the greatest payoff of a player, by the declarations; -1 and 1 without any."""
        if not self._items:
            return -1, 1
        items = self._items if self._exchanged else (self._items[player],)
        sorts = [item.value.sort for item in items if isinstance(item.value.sort, Integer)]
        return min(sort.low for sort in sorts), max(sort.high for sort in sorts)

    def of(self, state: State) -> tuple[int, ...]:
        """The payoff of each player in a finished state, in player order."""
        if self._declared:
            return tuple(self._of_player(state, player) for player in range(self.players))
        if state.outcome is None or state.outcome == DRAW:
            return (0,) * self.players
        return tuple(1 if side == state.outcome else -1 for side in self.sides)

    def _of_player(self, state: State, player: int) -> int:
        side = player ^ state.seats  # the rules are about sides, and who plays which may have been exchanged
        value, slots = self._declared[side]
        return int(value(WorkingState(state, self._items[side].mover), [None] * slots))

"""The repetition rule: which positions count as the same, and when a position has occurred often enough.

`Game.repetition` has the rule of a game. It is the only rule that depends on the history, so it is not a part of the
engine, which has none: positions, environments, comparisons and searches call it with the states that they keep.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence

import attrs

from dsl import hir
from interpreter.model.state import DRAW, State


@attrs.frozen
class Repetition:
    """The repetition rule of a game."""

    result: str
    """'draws', 'loses', 'forbidden', or '' where repetitions have no effect."""
    at: int
    """At which occurrence of a position the rule holds, 2 or more."""
    aside: frozenset[int]
    """The indices of the values of a state that the rule ignores."""
    players: int

    @classmethod
    def of(cls, rules: hir.Rules, sizes: Iterable[int]) -> Repetition:
        """The repetition rule of a game; `sizes` has the number of values of each variable."""
        places: list[int] = []
        start = 0
        for kind, size in zip(rules.variables, sizes, strict=True):
            places += range(start, start + size) if kind.aside else ()
            start += size
        return cls(rules.repetition, rules.repetition_at, frozenset(places), len(rules.players))

    @property
    def forbids(self) -> bool:
        """Whether moves that repeat a position are illegal."""
        return self.result == "forbidden"

    @property
    def simple(self) -> bool:
        """Whether the rule holds as soon as a state recurs: at the second occurrence, with no values ignored."""
        return self.at == 2 and not self.aside

    def seen_as(self, state: State) -> State:
        """A state without the values that the rule ignores: equal for positions that the rule counts as the same."""
        if not self.aside:
            return state
        values = tuple([None if index in self.aside else value for index, value in enumerate(state.values)])
        return state._replace(values=values)

    def holds(self, after: State, before: Iterable[State]) -> bool:
        """Whether the rule holds for a state, given the earlier states of the game."""
        if not self.result or after.outcome is not None:
            return False
        if self.simple and isinstance(before, Collection):
            return after in before
        seen, times = self.seen_as(after), 1
        for state in before:
            times += self.seen_as(state) == seen
            if times >= self.at:
                return True
        return False

    def spent(self, before: Sequence[State]) -> list[State]:
        """The earlier states of a game for which the rule would hold at their next occurrence."""
        if self.simple:
            return list(before)
        times = Counter(map(self.seen_as, before))
        return [state for state in dict.fromkeys(before) if times[self.seen_as(state)] >= self.at - 1]

    def outcome(self, mover: int) -> int | None:
        """The outcome where a player repeats a position; None where that is forbidden or has no effect."""
        if self.result == "draws":
            return DRAW
        if self.result == "loses":
            return 1 - mover if self.players == 2 else DRAW
        return None

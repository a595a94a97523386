"""The repetition rule: which positions count as the same, and when a position has been there often enough.

`Game.repetition` has the rule of a game. It is the one rule that looks back, so that it is not a part of the engine,
which knows no history: positions, environments, comparisons and searches ask it with the positions that they keep.
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
    """'draws', 'loses', 'forbidden', or '' where repetitions mean nothing."""
    at: int
    """Which time a position is there for the rule to hold, 2 or more."""
    aside: frozenset[int]
    """The places among the values of a state that do not tell positions apart for it."""
    players: int

    @classmethod
    def of(cls, rules: hir.Rules, sizes: Iterable[int]) -> Repetition:
        """The rule of some rules; `sizes` has the number of values of each variable."""
        places: list[int] = []
        start = 0
        for kind, size in zip(rules.variables, sizes, strict=True):
            places += range(start, start + size) if kind.aside else ()
            start += size
        return cls(rules.repetition, rules.repetition_at, frozenset(places), len(rules.players))

    @property
    def forbids(self) -> bool:
        """Whether repeating moves are not legal."""
        return self.result == "forbidden"

    @property
    def simple(self) -> bool:
        """Whether it holds as soon as a state is there again: the second time, with all that states say."""
        return self.at == 2 and not self.aside

    def seen_as(self, state: State) -> State:
        """A state with what does not count for the rule left out, so that equal ones are the same position for it."""
        if not self.aside:
            return state
        values = tuple([None if index in self.aside else value for index, value in enumerate(state.values)])
        return state._replace(values=values)

    def holds(self, after: State, before: Iterable[State]) -> bool:
        """Whether the rule holds for a state that comes after some others, in which the game went on."""
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
        """Those of some states of a game that cannot come again without the rule holding."""
        if self.simple:
            return list(before)
        times = Counter(map(self.seen_as, before))
        return [state for state in dict.fromkeys(before) if times[self.seen_as(state)] >= self.at - 1]

    def outcome(self, mover: int) -> int | None:
        """The outcome of a game in which a player repeats a position; None where that is forbidden or means nothing."""
        if self.result == "draws":
            return DRAW
        if self.result == "loses":
            return 1 - mover if self.players == 2 else DRAW
        return None

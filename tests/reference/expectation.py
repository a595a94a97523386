"""The first player's winning probability in a reference game with chance, by naive value iteration over all positions.

A game with chance has a method `probability(state, move)` besides those of `Rules`, and the player "nature" makes the
random moves.
"""

from __future__ import annotations

from collections.abc import Hashable
from fractions import Fraction
from typing import Protocol, TypeVar

StateT = TypeVar("StateT", bound=Hashable)


class WithChance(Protocol[StateT]):
    """A reference game with chance."""

    def start(self) -> StateT: ...
    def to_move(self, state: StateT) -> str: ...
    def outcome(self, state: StateT) -> str | None: ...
    def options(self, state: StateT) -> list[str]: ...
    def after(self, state: StateT, move: str) -> StateT: ...
    def probability(self, state: StateT, move: str) -> Fraction: ...


def worth(rules: WithChance[StateT], first: str, tolerance: float = 1e-13) -> float:
    """The probability that `first` wins a game without draws; sweeps until changes are at most `tolerance`."""
    states = [rules.start()]
    after: dict[StateT, list[tuple[float, StateT]]] = {}
    for state in states:
        if state in after:
            continue
        options = [] if rules.outcome(state) is not None else rules.options(state)
        chance = rules.to_move(state) == "nature"
        after[state] = [(float(rules.probability(state, move)) if chance else 1.0, rules.after(state, move))
                        for move in options]
        states += [kid for _, kid in after[state]]
    values = {state: float(rules.outcome(state) == first) for state in after}
    changed = 1.0
    while changed > tolerance:
        changed = 0.0
        for state in reversed(after):
            if not after[state]:
                continue
            mover = rules.to_move(state)
            if mover == "nature":
                found = sum(chance * values[kid] for chance, kid in after[state])
            else:
                found = (max if mover == first else min)(values[kid] for _, kid in after[state])
            changed, values[state] = max(changed, abs(found - values[state])), found
    return values[rules.start()]

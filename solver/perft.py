"""Counting move sequences (perft), the usual check that two implementations of the rules agree.

The counts are those of the tree without merging positions. With `memo`, the counts below equal positions at equal depth
are computed once, which does not change the results.
"""

from __future__ import annotations

from typing import Any

import attrs

from solver.budget import Budget, Progress
from solver.space import MoveT, Space, StateT

MOST_REMEMBERED = 1_000_000
"""The most positions whose counts are cached; further ones are counted again each time."""


@attrs.frozen
class PerftCount:
    """The sizes of a game tree."""

    counts: tuple[int, ...]
    """For each depth from 1 the number of sequences of exactly as many moves; games that ended earlier do not count."""
    nodes: int
    """The number of nodes of the tree to the last of these depths, the root included."""
    games: int
    """The number of sequences of at most as many moves after which the game is over."""


@attrs.define
class _Counter:
    space: Space[Any, Any]
    memo: bool
    budget: Budget
    remembered: dict[tuple[Any, int], tuple[tuple[int, ...], int]] = attrs.field(factory=dict)
    visited: int = 0

    def count(self, state: Any, depth: int) -> tuple[tuple[int, ...], int]:
        """Count the sequences of each length from 1 to `depth`, and the finished games."""
        if depth == 0 or self.space.outcome(state) is not None:
            return (0,) * depth, int(self.space.outcome(state) is not None)
        key = (state, depth)
        if key in self.remembered:
            return self.remembered[key]
        successors = self.space.successors(state)
        self.visited += 1
        self.budget.spend(self.visited, 0, "counting")
        totals = [0] * depth
        totals[0] = len(successors)
        games = int(not successors)
        for _, after in successors:
            further, ended = self.count(after, depth - 1)
            games += ended
            for index, number in enumerate(further, start=1):
                totals[index] += number
        result = tuple(totals), games
        if self.memo and depth > 1 and len(self.remembered) < MOST_REMEMBERED:
            self.remembered[key] = result
        return result


def perft(space: Space[StateT, MoveT], depth: int, *, memo: bool = True,
          progress: Progress | None = None) -> PerftCount:
    """Count the tree of a space to a depth. Raises ValueError for a negative depth."""
    if depth < 0:
        raise ValueError(f"the depth is {depth}, expected 0 or more")
    counts, games = _Counter(space, memo, Budget(progress=progress)).count(space.start(), depth)
    return PerftCount(counts, 1 + sum(counts), games)


def divide(space: Space[StateT, MoveT], depth: int, *, memo: bool = True,
           progress: Progress | None = None) -> list[tuple[MoveT, int]]:
    """Count, for each move of the root, the sequences of exactly `depth` moves that begin with it.

    Raises ValueError for a depth less than 1.
    """
    if depth < 1:
        raise ValueError(f"the depth is {depth}, expected 1 or more")
    counter = _Counter(space, memo, Budget(progress=progress))
    return [(move, 1 if depth == 1 else counter.count(after, depth - 1)[0][-1])
            for move, after in space.successors(space.start())]

"""Strong solving: values every reachable position by enumeration and retrograde analysis.

Positions are merged by the symmetries that fix the root, enumerated breadth first, and valued backwards from the
finished ones: a position is a win for the mover when some move leads to a win of the mover, a loss when all moves lead
to losses, and a draw when neither holds. Cycles need no special treatment: where nobody can force a win, it is a draw.

Remoteness is the number of plies to the end when the winner hurries and the loser delays. That of a draw is the length
of the shortest path through drawn positions to a drawn end, or None where there is none: play then goes on for ever.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Callable, Iterator
from typing import Generic

import attrs

from interpreter.model.outcomes import result_of
from solver.budget import Budget
from solver.space import DRAW, MoveT, Space, StateT

_OPEN = -2
"""No value yet."""
_NEVER = -1
"""No remoteness: a draw that goes on for ever."""


@attrs.frozen
class Value:
    """The value of a position: its winner (DRAW for nobody) and its remoteness."""

    winner: int
    remoteness: int | None


@attrs.frozen(eq=False)
class _Parents:
    """The parents of all positions in one array, an eighth of the memory of a list for each position."""

    first: array[int]
    """The index of each position's first parent in `numbers`; one entry more than there are positions."""
    numbers: array[int]

    def of(self, index: int) -> array[int]:
        """The numbers of the positions from which a move leads to a position."""
        return self.numbers[self.first[index]:self.first[index + 1]]


@attrs.define(eq=False)
class Strong(Generic[StateT, MoveT]):
    """Enumerates a space, and then values its positions."""

    space: Space[StateT, MoveT]
    budget: Budget
    number: dict[StateT, int] = attrs.field(factory=dict)
    """The number of each representative, in breadth-first order; 0 is the root."""
    states: list[StateT] = attrs.field(factory=list)
    children: list[tuple[int, ...]] = attrs.field(factory=list)
    winners: array[int] = attrs.field(factory=lambda: array("b"))
    remoteness: array[int] = attrs.field(factory=lambda: array("i"))
    layers: list[int] = attrs.field(factory=lambda: [0])
    """The number of the first position of each breadth-first layer."""
    moves_from: list[int] = attrs.field(factory=list)
    """The number of moves from each expanded layer."""
    whole: int = 1
    """The end of the last complete layer: one past the number of its last position."""
    until: Callable[[Strong[StateT, MoveT]], None] | None = None
    """Called before each position is expanded; may stop the work by raising an exception."""
    edges: int = 0

    def __attrs_post_init__(self) -> None:
        root = self.space.canonical(self.space.start())
        self.number[root] = 0
        self.states.append(root)

    # ---- enumerating

    @property
    def enumerated(self) -> bool:
        """Whether all positions have been enumerated."""
        return len(self.children) == len(self.states)

    def enumerate_until(self, limit: int | None = None) -> bool:
        """Enumerate by layers until the next would probably exceed `limit`; return whether all positions are known.

        Raises OutOfBudget past a limit of the budget; the positions found before it are kept.
        """
        while not self.enumerated:
            end = len(self.states)
            newest = end - self.layers[-1]
            if limit is not None and end + newest * self.growth() > limit:
                return False
            before = self.edges
            self._expand_to(end)
            self.layers.append(end)
            self.moves_from.append(self.edges - before)
            self.whole = len(self.states)
        return True

    def _expand_to(self, end: int) -> None:
        space, number, states, children = self.space, self.number, self.states, self.children
        until, canonical = self.until, space.canonical
        for index in range(len(children), end):
            if until is not None:
                until(self)
            after = [canonical(state) for _, state in space.successors(states[index])]
            self.edges += len(after)
            known, kids = len(states), list[int]()
            for state in dict.fromkeys(after):
                kid = number.setdefault(state, known)
                if kid == known:
                    states.append(state)
                    known += 1
                kids.append(kid)
            children.append(tuple(kids))
            self.budget.spend(index + 1, known, "enumerating positions")

    def growth(self) -> float:
        """The ratio of the newest layer's size to that of the layer before; 1 for the first layer."""
        if len(self.layers) < 2:
            return 1.0
        newest = len(self.states) - self.layers[-1]
        return newest / max(1, self.layers[-1] - self.layers[-2])

    # ---- valuing

    def value_all(self) -> None:
        """Value all positions, which must have been enumerated.

        Raises OutOfBudget past a limit; the wins found before it are correct.
        """
        space, states = self.space, self.states
        count = len(states)
        self.winners = array("b", [_OPEN]) * count
        self.remoteness = array("i", [_NEVER]) * count
        parents = self._parents()
        waiting = array("i", [len(kids) for kids in self.children])
        """For each position the number of its different successors that are not known to lose for the mover."""
        movers = [space.to_move(state) for state in states]
        drawn_ends = []
        queue: deque[int] = deque()
        for index, state in enumerate(states):
            outcome = space.outcome(state)
            if outcome is None:
                continue
            if outcome == DRAW:
                drawn_ends.append(index)
            else:
                self.winners[index], self.remoteness[index] = outcome, 0
                queue.append(index)
        self._spread_wins(queue, parents, waiting, movers)
        self._spread_draws(drawn_ends, parents)

    def _parents(self) -> _Parents:
        """Reverse the edges."""
        count = len(self.states)
        ends = array("I", [0]) * (count + 1)
        for kids in self.children:
            for kid in kids:
                ends[kid] += 1
        total = 0
        for index in range(count + 1):
            total += ends[index]
            ends[index] = total
        result = array("I", [0]) * total
        for index, kids in enumerate(self.children):
            for kid in kids:
                ends[kid] -= 1
                result[ends[kid]] = index
            self.budget.spend(index + 1, count, "turning moves round")
        return _Parents(ends, result)

    def _spread_wins(self, queue: deque[int], parents: _Parents, waiting: array[int], movers: list[int]) -> None:
        """Propagate wins backwards from won ends, breadth first: the first win found is the fastest, the last loss the
        slowest."""
        winners, remoteness = self.winners, self.remoteness
        count, done = len(winners), 0
        while queue:
            index = queue.popleft()
            done += 1
            self.budget.spend(done, count, "valuing positions")
            winner = winners[index]
            for parent in parents.of(index):
                if winners[parent] != _OPEN:
                    continue
                waiting[parent] -= movers[parent] != winner
                if movers[parent] == winner or waiting[parent] == 0:
                    winners[parent], remoteness[parent] = winner, remoteness[index] + 1
                    queue.append(parent)

    def _spread_draws(self, ends: list[int], parents: _Parents) -> None:
        """Mark the remaining positions as draws, and propagate their remoteness backwards from the drawn ends."""
        winners, remoteness = self.winners, self.remoteness
        for index in range(len(winners)):
            if winners[index] == _OPEN:
                winners[index] = DRAW
        for index in ends:
            remoteness[index] = 0
        queue = deque(ends)
        while queue:
            index = queue.popleft()
            for parent in parents.of(index):
                if winners[parent] == DRAW and remoteness[parent] == _NEVER:
                    remoteness[parent] = remoteness[index] + 1
                    queue.append(parent)

    # ---- looking up values

    def value(self, state: StateT) -> Value | None:
        """The value of any reachable state; None for one that is not, or before `value_all`."""
        index = self.number.get(self.space.canonical(state))
        if index is None or not self.winners or self.winners[index] == _OPEN:
            return None
        remoteness = self.remoteness[index]
        return Value(self.winners[index], None if remoteness == _NEVER else remoteness)

    def unmerged(self) -> int:
        """The number of positions without merging by symmetry.

        It is exact because the symmetries fix the root: the images of a reachable position are reachable.
        """
        return sum(self.space.orbit_size(state) for state in self.states)

    def tally(self) -> dict[str, int]:
        """The numbers of unmerged positions that the player to move wins, loses and draws; finished ones included."""
        totals = {"win": 0, "lose": 0, "draw": 0}
        for index, state in enumerate(self.states):
            winner = self.winners[index]
            name = result_of(winner, self.space.to_move(state), self.space.players)
            totals[name] += self.space.orbit_size(state)
        return totals

    def longest(self) -> int:
        """The largest remoteness; 0 where best play never ends."""
        return max([0, *self.remoteness])

    def cyclic(self) -> bool:
        """Whether a position can repeat."""
        if self.space.acyclic:
            return False
        before = array("i", [0]) * len(self.states)
        for kids in self.children:
            for kid in kids:
                before[kid] += 1
        free = [index for index, number in enumerate(before) if number == 0]
        removed = 0
        while free:
            index = free.pop()
            removed += 1
            for kid in self.children[index]:
                before[kid] -= 1
                if before[kid] == 0:
                    free.append(kid)
        return removed < len(self.states)

    def line(self, state: StateT, limit: int = 200) -> Iterator[MoveT]:
        """Best play from a state: the winner hurries, the loser delays, and drawn play heads for a drawn end."""
        return best_line(self.space, self.value, state, limit)


def best_line(space: Space[StateT, MoveT], value: Callable[[StateT], Value | None], state: StateT,
              limit: int) -> Iterator[MoveT]:
    """Yield best play from a state by the values of positions, at most `limit` moves."""
    for _ in range(limit):
        here = value(state)
        if here is None or space.outcome(state) is not None or here.remoteness is None:
            return
        for move, after in space.successors(state):
            there = value(after)
            if there is not None and there.winner == here.winner and there.remoteness == here.remoteness - 1:
                yield move
                state = after
                break
        else:
            return

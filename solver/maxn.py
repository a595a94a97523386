"""Strong solving for more than two players: max^n with all equilibria, and what each player can force alone.

Every player maximises their own result: a win before a draw before a loss; they do not care who else wins. A player who
chooses between equal results may thus decide who of the others wins, and a position has a set of outcomes:

- An outcome is possible where a move leads to it and it is, for the mover, at least as good as the worst outcome of
  every other move. Without cycles these are exactly the outcomes of the game's subgame-perfect equilibria (Luckhardt
  and Irani's max^n, 1986, with every way to break ties).
- Where positions can repeat, outcomes that are worse for a player than what this player can force against all others
  are removed first, then those that no move supports. The outcomes of all equilibria are among those that remain;
  endless play is a draw.

For two players this is the value of `solver.strong`. A remoteness is known where a player can force a win alone: that
of the player hurrying and all others delaying.
"""

from __future__ import annotations

from array import array
from collections import deque

import attrs

from interpreter.model.outcomes import bits_of, number_of, outcomes_in, results
from solver.space import DRAW, MoveT, StateT, sides_of
from solver.strong import _NEVER, Strong, _Parents

_DRAWN = 1
"""The bit of a draw in a set of outcomes."""


@attrs.define(eq=False)
class MaxN(Strong[StateT, MoveT]):
    """Enumerates a space for any number of players, and then values its positions.

    `winners` holds the numbers of sets of outcomes: see `interpreter.model.outcomes`.
    """

    sides: tuple[int, ...] = ()
    """For each player the player that stands for the same team, called a side."""
    sets: array[int] = attrs.field(factory=lambda: array("q"))
    """For each position its possible outcomes as a bit set."""
    deciders: array[int] = attrs.field(factory=lambda: array("q"))
    """For each position with several outcomes, the bit set of sides whose choice between equal results decides."""
    forced: dict[int, array[int]] = attrs.field(factory=dict)
    """For each side and position what the side can force alone: 2 for a win, 1 for a draw, 0 for nothing."""

    def value_all(self) -> None:
        """Find the possible outcomes of all positions, which must have been enumerated.

        Raises OutOfBudget past a limit.
        """
        states, space = self.states, self.space
        self.sides = sides_of(space)
        count = len(states)
        parents = self._parents()
        movers = [self.sides[space.to_move(state)] for state in states]
        ends = [space.outcome(state) for state in states]
        self.remoteness = array("i", [_NEVER]) * count
        self.sets = self._reachable(ends, parents)
        for side in sorted(set(self.sides)):
            self.forced[side] = self._force(side, movers, ends, parents)
        self._narrow(movers, ends, parents)
        self.deciders = self._find_deciders(movers, parents)
        self.winners = array("i", [number_of(result) for result in self.sets])

    # ---- reachable ends, and what one side can force

    def _reachable(self, ends: list[int | None], parents: _Parents) -> array[int]:
        """The outcomes of the ends that are reachable from each position, and a draw if the space has a cycle."""
        endless = _DRAWN if self.cyclic() else 0
        result = array("q", [endless if end is None else bits_of([end]) for end in ends])
        queue = deque(index for index, end in enumerate(ends) if end is not None)
        while queue:
            index = queue.popleft()
            for parent in parents.of(index):
                if result[index] & ~result[parent]:
                    result[parent] |= result[index]
                    queue.append(parent)
        return result

    def _force(self, side: int, movers: list[int], ends: list[int | None], parents: _Parents) -> array[int]:
        """What a side can force against all others together in each position; narrows `sets` accordingly."""
        won = self._attract([index for index, end in enumerate(ends) if end == side],
                            [mover == side for mover in movers], parents)
        lost = self._attract([index for index, end in enumerate(ends) if end not in (None, DRAW, side)],
                             [mover != side for mover in movers], parents)
        result = array("b", [1]) * len(movers)
        win, others = bits_of([side]), ~(bits_of([side]) | _DRAWN)
        for index in range(len(movers)):
            if won[index] != _NEVER:
                result[index], self.remoteness[index] = 2, won[index]
                self.sets[index] = win
            elif lost[index] != _NEVER:
                result[index] = 0
            elif self.sets[index] & ~others:  # the side can force at least a draw, so nobody else wins
                self.sets[index] &= ~others
        return result

    def _attract(self, ends: list[int], chooses: list[bool], parents: _Parents) -> array[int]:
        """The attractor of some ends: for each position the plies in which the movers in `chooses` can force one of the
        ends, else _NEVER."""
        result = array("i", [_NEVER]) * len(chooses)
        waiting = array("i", [len(kids) for kids in self.children])
        queue = deque(ends)
        for index in ends:
            result[index] = 0
        done = 0
        while queue:
            index = queue.popleft()
            done += 1
            self.budget.spend(done, len(chooses), "valuing positions")
            for parent in parents.of(index):
                if result[parent] != _NEVER:
                    continue
                waiting[parent] -= not chooses[parent]
                if chooses[parent] or waiting[parent] == 0:
                    result[parent] = result[index] + 1
                    queue.append(parent)
        return result

    # ---- equilibria

    def _narrow(self, movers: list[int], ends: list[int | None], parents: _Parents) -> None:
        """Remove outcomes that no choice of the mover supports, until all outcomes are supported."""
        sets, children = self.sets, self.children
        waiting = array("i", [len(kids) for kids in children])
        queue = deque(index for index, end in enumerate(ends) if end is not None)
        order = array("q")
        while queue:  # each position after its successors, as far as there are no cycles
            index = queue.popleft()
            order.append(index)
            for parent in parents.of(index):
                waiting[parent] -= 1
                if waiting[parent] == 0:
                    queue.append(parent)
        order.extend(index for index in range(len(sets)) if waiting[index] > 0)
        queue.extend(order)
        queued = bytearray(b"\x01") * len(sets)
        while queue:
            index = queue.popleft()
            queued[index] = 0
            kids = children[index]
            if not kids:
                continue
            left = self._supported(kids, movers[index]) & sets[index]
            if left and left != sets[index]:
                sets[index] = left
                for parent in parents.of(index):
                    if not queued[parent]:
                        queued[parent] = 1
                        queue.append(parent)

    def _supported(self, kids: tuple[int, ...], mover: int) -> int:
        """The outcomes of the successors that are no worse for the mover than the worst outcome of any other move."""
        sets, win = self.sets, 1 << mover + 1
        union, least = 0, 0
        for kid in kids:
            there = sets[kid]
            union |= there
            worst = 2 if there == win else 1 if not there & ~(win | _DRAWN) else 0
            least = max(least, worst)
        return union if least == 0 else union & (win | _DRAWN) if least == 1 else union & win

    def _find_deciders(self, movers: list[int], parents: _Parents) -> array[int]:
        """For each position with several outcomes, the bit set of sides whose choices between equal results decide."""
        sets, children = self.sets, self.children
        result = array("q", [0]) * len(sets)
        queue: deque[int] = deque()
        for index, kids in enumerate(children):
            here = sets[index]
            if kids and here & here - 1:
                win = 1 << movers[index] + 1
                others = here & ~(win | _DRAWN)
                if others & others - 1 and len({sets[kid] & others for kid in kids if sets[kid] & others}) > 1:
                    result[index] = 1 << movers[index]
                    queue.append(index)
        while queue:
            index = queue.popleft()
            for parent in parents.of(index):
                here = sets[parent]
                if here & here - 1 and sets[index] & here and result[index] & ~result[parent]:
                    result[parent] |= result[index]
                    queue.append(parent)
        return result

    # ---- looking up values

    def who_decides(self, state: StateT) -> tuple[int, ...]:
        """The sides whose choices between equal results decide a position's outcome."""
        index = self.number[self.space.canonical(state)]
        return tuple(side for side in sorted(set(self.sides)) if self.deciders[index] >> side & 1)

    def forces(self, state: StateT) -> dict[int, int]:
        """What each side can force against all others: 2 for a win, 1 for a draw, 0 for nothing."""
        index = self.number[self.space.canonical(state)]
        return {side: result[index] for side, result in self.forced.items()}

    def tally(self) -> dict[str, int]:
        """The numbers of unmerged positions that the player to move wins, loses and draws, or "open" ones whose result
        for this player is not determined."""
        totals = {"win": 0, "lose": 0, "draw": 0, "open": 0}
        for index, state in enumerate(self.states):
            own = self.sides[self.space.to_move(state)]
            least, most = results(self.winners[index], own)
            drawn = outcomes_in(self.winners[index]) == (DRAW,)
            name = "open" if least != most else "draw" if drawn else "win" if least == 2 else "lose"
            totals[name] += self.space.orbit_size(state)
        return totals

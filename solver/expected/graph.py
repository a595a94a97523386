"""The graph of all positions of a game with chance, enumerated by the interpreter or by the game's kernel.

Position 0 is the root; positions are numbered in the order in which they were found, breadth first. Positions that are
equal by a symmetry that fixes the root and does not swap the players are merged.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

import attrs
import numpy as np
from numpy.typing import NDArray

from interpreter.arrays import Numbers, Reals, Truths, Words
from interpreter.compiler.lowering.layout import GOING
from interpreter.errors import RuleError
from solver.budget import Budget
from solver.expected.utility import Utility, of_outcome, unequal
from solver.space import DRAW

if TYPE_CHECKING:
    from interpreter.compiler.lowering.packing import Field
    from interpreter.kernel.kernel import Kernel
    from interpreter.model.state import State
    from solver.game_space import GameSpace
    from solver.tables.enumeration import Worker

NATURE, OVER = 2, 3
"""The movers where chance decides, and where the game is over; players are 0 and 1."""


@attrs.frozen(eq=False)
class Graph:
    """Positions, who moves in each, and their successors."""

    movers: NDArray[np.uint8]
    """uint8[n]: a player's number, NATURE or OVER."""
    payoffs: Reals
    """float64[n]: the first player's payoff where the game is over; 0 elsewhere."""
    starts: Numbers
    """int64[n + 1]: the index of each position's first move in `kids` and `shares`."""
    kids: NDArray[np.uint32]
    """uint32[m]: the positions that moves lead to."""
    shares: Numbers
    """int64[m]: the weight of a chance move relative to the others of its position; 0 for moves of players. Python
    numbers (object[m]) where a sum may leave 64 bits."""
    find: Callable[[State], int]
    """The number of a position. Raises KeyError for one that cannot be reached."""
    count: int
    """The number of positions without merging by symmetry."""

    def __len__(self) -> int:
        return len(self.movers)

    @property
    def chances(self) -> Reals:
        """float64[m]: the probability of each move of chance, 0 for those of players."""
        sizes = np.diff(self.starts)
        sums = np.add.reduceat(np.append(self.shares, 0), self.starts[:-1]) * (sizes > 0)
        whole = np.repeat(sums, sizes)
        if self.shares.dtype == object:  # the quotient of two Python numbers is rounded once, however large they are
            return np.array([share / total if total else 0.0 for share, total in zip(self.shares, whole, strict=True)])
        result: Reals = np.divide(self.shares, whole, out=np.zeros(len(self.shares)), where=whole > 0)
        return result


def by_interpreter(space: GameSpace, budget: Budget, limit: int | None = None) -> Graph | None:
    """Enumerate the graph by the interpreter; None for more than `limit` positions. Raises OutOfBudget, RuleError."""
    engine, root, worth = space.engine, space.canonical(space.root), Utility.of(space.game)
    numbers: dict[State, int] = {root: 0}
    states, sizes = [root], [space.orbit_size(root)]
    movers, payoffs, starts, kids, shares = [], [], [0], [], []
    for state in states:
        followers = []
        if state.outcome is not None:
            movers.append(OVER)
        elif engine.chance.decides(state):
            movers.append(NATURE)
            result = engine.chance.probabilities(state)
            whole = math.lcm(*(chance.denominator for _, chance in result))
            for move, chance in result:
                after = engine.apply(state, move)
                assert after is not None  # the move is legal
                followers.append((after, int(chance * whole)))
        else:
            movers.append(state.to_move)
            followers = [(after, 0) for _, after in space.successors(state)]
        payoffs.append(0.0 if state.outcome is None else worth.end(state))
        for after, share in followers:
            least = space.canonical(after)
            if least not in numbers:
                numbers[least] = len(states)
                states.append(least)
                sizes.append(space.orbit_size(least))
            kids.append(numbers[least])
            shares.append(share)
        starts.append(len(kids))
        budget.spend(len(movers), len(states), "enumerating positions")
        if limit is not None and len(states) > limit:
            return None
    return Graph(np.array(movers, np.uint8), np.array(payoffs), np.array(starts, np.int64), np.array(kids, np.uint32),
                 _whole_numbers(shares), lambda state: numbers[space.canonical(state)], sum(sizes))


def by_kernel(space: GameSpace, kernel: Kernel, budget: Budget) -> Graph:
    """Enumerate the graph by the game's compiled kernel. Raises OutOfBudget, TooLarge, RuleError."""
    from solver.tables.columns import Tier
    from solver.tables.enumeration import Enumeration, Worker

    worth = Utility.of(space.game)
    enumeration = Enumeration(kernel, kernel.elements(space.maps), flat=True, threads=1)
    enumeration.begin(space.root)

    def after(tier: Tier) -> None:
        if budget.due(tier.count):
            budget.tell(tier.expanded, tier.count, "enumerating positions")
            _mind_memory(budget)

    enumeration.run(after)
    tier = enumeration.tiers[0]
    keys = np.ascontiguousarray(tier.all_keys(None))
    kids = tier.column("kids", None)
    starts = np.zeros(tier.count + 1, np.int64)
    np.cumsum(tier.column("counts", None), out=starts[1:])
    shares = np.zeros(len(kids), np.int64)
    worker = Worker(kernel, enumeration.elements, flat=True)
    _weigh(worker, keys, starts, shares, int(np.diff(starts).max(initial=0)))
    packing = kernel.assembled.packing
    outcomes = _field(keys, packing.outcome) + GOING
    movers = _field(keys, packing.to_move).astype(np.uint8)
    first = np.minimum(starts[:-1], max(0, len(shares) - 1))
    if len(shares):
        movers[(shares[first] > 0) & (np.diff(starts) > 0)] = NATURE
    movers[outcomes != GOING] = OVER
    payoffs = np.zeros(tier.count)
    if worth.declared:
        payoffs[:] = _declared(kernel, keys, movers == OVER)
    for outcome in (DRAW, *range(space.players)) if not worth.declared else ():
        payoffs[outcomes == outcome] = of_outcome(outcome, space.players)
    sames = tier.all_sames(None).astype(np.int64)
    order: dict[bytes, int] = {}

    def find(state: State) -> int:
        if not order:
            order.update((key.tobytes(), number) for number, key in enumerate(keys))
        return order[enumeration.represent(state)[0].tobytes()]

    return Graph(movers, payoffs, starts, kids, shares, find, int((len(space.maps) // sames).sum()))


def _whole_numbers(numbers: list[int]) -> Numbers:
    """Numbers that are not negative as an array in which they can be added up: int64, or Python numbers if too large.
    """
    fits = sum(numbers) < 1 << 63
    return np.array(numbers, np.int64 if fits else object)


def _declared(kernel: Kernel, keys: Words, over: Truths) -> Reals:
    """The first player's declared payoffs: float64[n], 0 where the game goes on. Raises RuleError, Refused."""
    game, worth = kernel.game, []
    for player in range(len(game.players)):
        result = np.zeros(len(keys), np.int64)
        row = np.zeros(kernel.assembled.layout.width, np.uint64)
        stopped = int(kernel.functions["payoffs_of"](keys, 0, len(keys), player, row, result))
        if stopped < len(keys):
            code = int(row[kernel.assembled.layout.failed])
            raise kernel.assembled.problem(code, "a payoff fails", game.rules.payoffs[player].span)
        worth.append(result)
    sums = np.flatnonzero((np.sum(worth, axis=0) != 0) & over)
    if len(worth) > 1 and len(sums):
        raise unequal(game, [int(result[sums[0]]) for result in worth])
    return np.where(over, worth[0], 0).astype(np.float64)


def _weigh(worker: Worker, keys: Words, starts: Numbers, shares: Numbers, most: int) -> None:
    """Write the weights of chance moves to `shares`. Raises RuleError where a rule fails."""
    parts, kernel = worker.kernel.assembled, worker.kernel
    room = max(most + 8, 512)
    width = parts.layout.width
    row, after = np.zeros(width, np.uint64), np.zeros((room, width), np.uint64)
    moves, entries = np.zeros((room, parts.move_width), np.int64), np.zeros((room, parts.entry_width), np.int64)
    scratch = np.zeros((parts.scratch, width), np.uint64)
    weigh = kernel.functions["weigh_moves"]
    stopped = int(weigh(keys, 0, len(keys), starts, shares, row, after, moves, entries, scratch))
    if stopped < len(keys):
        raise RuleError("G430", "a rule of chance fails", kernel.game.rules.moves[0].span)


def _field(keys: Words, field: Field) -> Numbers:
    """The values of a field in packed positions: int64[n]."""
    bits = keys[:, field.word] >> np.uint64(field.shift) & np.uint64((1 << field.bits) - 1)
    result: Numbers = bits.astype(np.int64)
    return result


def _mind_memory(budget: Budget) -> None:
    from solver.budget import OutOfBudget, memory_used

    if budget.memory is not None and memory_used() > budget.memory:
        raise OutOfBudget(f"the limit of {budget.memory:,} MiB of memory is reached")

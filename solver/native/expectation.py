"""Interval iteration: value iteration with lower and upper bounds of the values of positions.

Each sweep goes through the positions from the last found to the first, and sets both bounds of each by those of its
successors: the maximum for player 0, the minimum for player 1, the mean where chance decides. Lower bounds only rise
and upper bounds only fall (Haddad and Monmege, Theoretical Computer Science 735, 2018).

Arrays: `movers` uint8[positions], `starts` int64[positions + 1], the index of each position's first move in `kids`
uint32[moves], its successors, and `chances` float64[moves], their probabilities; `low` and `high` float64[positions].
"""

from __future__ import annotations

from solver.native.functions import Bytes, Indices, Line, Reals, compiled, inlined

_FIRST, _NATURE, _OVER = 0, 2, 3


@inlined
def _best(mover: int, first: int, last: int, kids: Indices, chances: Reals, values: Reals) -> float:
    """The value of a position for player 0, by the values of its successors."""
    if mover == _NATURE:
        mean = 0.0
        for k in range(first, last):
            mean += chances[k] * values[kids[k]]
        return mean
    result: float = values[kids[first]]
    for k in range(first + 1, last):
        value = values[kids[k]]
        if (value > result) == (mover == _FIRST):
            result = value
    return result


@compiled
def sweeps(movers: Bytes, starts: Line, kids: Indices, chances: Reals, low: Reals, high: Reals, limit: int,
           tolerance: float) -> int:
    """Sweep up to `limit` times, until the root's bounds are at most `tolerance` apart, or nothing changes.

    The result is the number of sweeps, negative where the last one changed nothing.
    """
    for done in range(1, limit + 1):
        changed = False
        for i in range(len(movers) - 1, -1, -1):
            mover = movers[i]
            if mover == _OVER:
                continue
            value = _best(mover, starts[i], starts[i + 1], kids, chances, low)
            if value > low[i]:
                low[i] = value
                changed = True
            value = _best(mover, starts[i], starts[i + 1], kids, chances, high)
            if value < high[i]:
                high[i] = value
                changed = True
        if not changed:
            return -done
        if high[0] - low[0] <= tolerance:
            return done
    return limit

"""Value iteration with bounds: what positions are worth at least and at most, brought together sweep by sweep.

Each sweep goes through the positions from the last that was found to the first, and takes the best of what follows for
who moves there: the most for player 0, the least for player 1, the mean where chance decides. Lower bounds only rise
and upper bounds only fall (interval iteration; Haddad and Monmege, Theoretical Computer Science 735, 2018).

Arrays: `movers` uint8[positions], `starts` int64[positions + 1], where the `kids` uint32[moves] of each begin, and
their `chances` float64[moves]; `low` and `high` float64[positions].
"""

from __future__ import annotations

from solver.native.functions import Bytes, Indices, Line, Reals, compiled, inlined

_FIRST, _NATURE, _OVER = 0, 2, 3


@inlined
def _best(mover: int, first: int, last: int, kids: Indices, chances: Reals, values: Reals) -> float:
    """What a position is worth to player 0 by what follows it."""
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
    """Sweep so often at most, until the root's bounds are no further apart than `tolerance`, or nothing changes.

    How often it was done; negative where nothing changed any more.
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

"""What is left of the moves of positions where values alone count: one that wins at once, and no finished positions.

Arrays: `keys` uint64[positions, width]; for each move `result` uint64[n, width], `same` and `ranks` int64[n]; `counts`
int64[positions].
"""

from __future__ import annotations

from interpreter.kernel.plain import EMPTY, word
from solver.native.functions import Line, Records, Row, Rows, compiled, inlined
from solver.native.retrograde import Fields, before_move, mover_of, outcome_of


@inlined
def _without_position(key: Row, fields: Records[Fields]) -> None:
    """Leave the outcome and the player to move of a packed position that is finished."""
    for k in range(len(key)):
        mask = EMPTY
        if k == fields[0].outcome_word:
            mask |= word(3) << word(fields[0].outcome_shift)
        if k == fields[0].mover_word:
            mask |= word(fields[0].mover_mask) << word(fields[0].mover_shift)
        key[k] &= mask


@compiled
def take_wins(keys: Rows, first: int, last: int, fields: Records[Fields], result: Rows, same: Line, ranks: Line,
              counts: Line) -> int:
    """Of the moves of the positions from `first` to `last` leave one where it wins at once, and else all; how many.

    Finished positions lose all but their outcome and the player to move, so that those of a tier are one or a few.
    """
    edge = 0
    kept = 0
    for i in range(first, last):
        begin = kept
        mover = mover_of(keys, i, fields)
        for index in range(edge, edge + counts[i - first]):
            over = outcome_of(result, index, fields)
            wins = over != 0 and before_move(over, fields) == mover
            if wins:
                kept = begin
            for k in range(len(keys[0])):
                result[kept, k] = result[index, k]
            same[kept], ranks[kept] = same[index], ranks[index]
            if over != 0:
                same[kept] = 1
                _without_position(result[kept], fields)
            kept += 1
            if wins:
                break
        edge += counts[i - first]
        counts[i - first] = kept - begin
    return kept

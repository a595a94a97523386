"""Reduces the moves of positions for solving by values alone: an immediate win replaces all moves of its position.

Arrays: `keys` uint64[positions, width]; for each move `result` uint64[n, width], `same` and `ranks` int64[n]; `counts`
int64[positions].
"""

from __future__ import annotations

from interpreter.kernel.plain import EMPTY, word
from solver.native.functions import Line, Records, Row, Rows, compiled, inlined
from solver.native.retrograde import Fields, before_move, mover_of, outcome_of


@inlined
def _without_position(key: Row, fields: Records[Fields]) -> None:
    """Clear a finished packed position except for its outcome and its player to move."""
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
    """Keep only one winning move of each position from `first` to `last` that has one, else all; the number of moves.

    Finished positions keep only their outcome and player to move, so that few different ones remain in a tier.
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

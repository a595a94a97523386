"""Counts move sequences (perft)."""

from __future__ import annotations

from interpreter.compiler.runtime.game import (
    FAILED,
    GOING,
    MOVE_WIDTH,
    OUTCOME,
    SCRATCH,
    WIDTH,
    advance,
    apply,
    count_moves,
    offered,
    stuck_outcome,
    take,
    total,
)
from interpreter.compiler.runtime.types import (
    EMPTY,
    Bool,
    Int,
    Line,
    Lines,
    Pages,
    Row,
    Rows,
    Static,
    entry,
    line,
    number,
    numbers,
    rows,
)


def moves_counted(level_rows: Rows, entry_pages: Pages, progress: Lines, scratch: Rows, move: Line, counts: Line,
                  ended: Line, depth: Int, bulk: Bool, taken_back: Static) -> Int:
    """Count the move sequences of a tree by length; `progress` has the iteration state of each level.

    By level, `progress` has the number of entries (-1 before they are listed), the entry and the number of the next
    move, and how many legal moves were made. A loop, not recursion: recursive functions crash when Numba loads them
    from its disk cache. The last ply, which has nearly all moves, has loops of its own without `progress`.
    """
    level = 0
    progress[0, 0] = -1
    while level >= 0:
        state = level_rows[level]
        entries = entry_pages[level]
        if progress[level, 0] < 0:
            n = offered(state, entries, scratch)
            if state[FAILED] != EMPTY:
                level_rows[0, FAILED] = state[FAILED]
                return 0
            if n == 0:
                if number(state[OUTCOME]) == GOING and stuck_outcome(state) == GOING:
                    level_rows[0, FAILED] = state[FAILED]
                    return 0
                ended[0] += 1
                level -= 1
                continue
            if not taken_back and bulk and level + 1 == depth:
                counts[level] += total(entries, n)
                level -= 1
                continue
            if level + 1 == depth:
                leaf = level_rows[depth]
                played = 0
                for last in range(n):
                    for way in range(entries[last, 1]):
                        take(entries, last, way, move)
                        for i in range(WIDTH):
                            leaf[i] = state[i]
                        code = apply(leaf, move, entry_pages[depth], scratch)
                        if taken_back and code != 0:
                            continue
                        if leaf[FAILED] != EMPTY:
                            level_rows[0, FAILED] = leaf[FAILED]
                            return 0
                        played += 1
                        if number(leaf[OUTCOME]) != GOING:
                            ended[0] += 1
                counts[level] += played
                if taken_back and played == 0:
                    if stuck_outcome(state) == GOING:
                        level_rows[0, FAILED] = state[FAILED]
                        return 0
                    ended[0] += 1
                level -= 1
                continue
            progress[level, 0] = n
            progress[level, 1] = 0
            progress[level, 2] = 0
            progress[level, 3] = 0
        e = progress[level, 1]
        k = progress[level, 2]
        if e >= progress[level, 0]:
            if taken_back and progress[level, 3] == 0:
                if stuck_outcome(state) == GOING:
                    level_rows[0, FAILED] = state[FAILED]
                    return 0
                ended[0] += 1
            level -= 1
            continue
        if k >= entries[e, 1]:
            progress[level, 1] = e + 1
            progress[level, 2] = 0
            continue
        progress[level, 2] = k + 1
        following = level_rows[level + 1]
        take(entries, e, k, move)
        for i in range(WIDTH):
            following[i] = state[i]
        code = advance(following, move, entry_pages[depth], scratch)
        if taken_back and code != 0:
            continue
        if following[FAILED] != EMPTY:
            level_rows[0, FAILED] = following[FAILED]
            return 0
        progress[level, 3] += 1
        counts[level] += 1
        if number(following[OUTCOME]) != GOING:
            ended[0] += 1
        else:
            level += 1
            progress[level, 0] = -1
    return 0


@entry
def perft(start: Row, depth: Int, bulk: Bool, entry_pages: Pages, counts: Line, ended: Line) -> Int:
    """Count the move sequences of up to `depth` moves by length, and in `ended` the finished games."""
    level_rows = rows(depth + 1, WIDTH)
    scratch = rows(SCRATCH, WIDTH)
    move = line(MOVE_WIDTH)
    progress = numbers(depth + 1, 4)
    for i in range(WIDTH):
        level_rows[0, i] = start[i]
    count_moves(level_rows, entry_pages, progress, scratch, move, counts, ended, depth, bulk)
    start[FAILED] = level_rows[0, FAILED]
    return 0

"""Restricts the legal moves to those of the greatest rank."""

from __future__ import annotations

from interpreter.compiler.runtime.game import (
    ENTRY_WIDTH,
    FAILED,
    SEATS,
    TO_MOVE,
    WIDTH,
    act,
    moves_ranked,
    rank,
    take,
)
from interpreter.compiler.runtime.types import EMPTY, Int, Lines, Row, Rows, Static, Table, number, word


def best_listed(state: Row, entries: Lines, scratch: Rows, values: Static, rule: Table, whole: Table, chance: Static,
                by_chance: Table) -> Int:
    """List the legal moves of the greatest rank, an entry each, and passing and swapping sides; the number of entries.

    `rule` has the rule of each form, `whole` for each rule the form of entries with all values of its moves. The new
    entries are collected behind those of all moves, and then moved to the start.
    """
    n = moves_ranked(state, entries, scratch)
    if chance:  # noqa: SIM102  # a question of its own, which games without chance do not have
        if n > 0 and by_chance[entries[0, 0]] != 0:
            return n
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    move = entries[len(entries) - 2]
    trial = scratch[0]
    most = 0
    kept = 0
    for e in range(n):
        alone = rule[entries[e, 0]] < 0
        for k in range(entries[e, 1]):
            if n + kept >= len(entries) - 3:
                state[FAILED] = word(1)
                return 0
            if alone:
                for i in range(ENTRY_WIDTH):
                    entries[n + kept, i] = entries[e, i]
                kept += 1
            else:
                take(entries, e, k, move)
                for i in range(WIDTH):
                    trial[i] = state[i]
                if act(trial, move, scratch) == 0:
                    worth = rank(trial, mover)
                    if kept == 0 or worth > most:
                        most = worth
                        kept = 0
                    if worth == most:
                        entries[n + kept, 0] = whole[move[0]]
                        entries[n + kept, 1] = 1
                        entries[n + kept, 2] = move[1]
                        for i in range(move[1]):
                            entries[n + kept, values + i] = move[2 + i]
                        kept += 1
                if trial[FAILED] != EMPTY:
                    state[FAILED] = trial[FAILED]
                    return 0
    for e in range(kept):
        for i in range(ENTRY_WIDTH):
            entries[e, i] = entries[n + e, i]
    return kept

"""What the table knows of one position, for those who call solvers from outside."""

from __future__ import annotations

from typing import Any

from interpreter.kernel.plain import EMPTY, scramble, solver
from solver.searches.compiled.table import age_of, digest, effort_of, look_up, lower_of, put, upper_of


@solver("ROWS", "ROW", "LINE")
def ask(table: Any, key: Any, found: Any) -> Any:
    """Write the bounds of a packed position into `found`; whether anything is known of it."""
    width = len(table[0]) - 1
    known = look_up(table, key, width, digest(key, width))
    if known == EMPTY:
        return 0
    found[0] = lower_of(known)
    found[1] = upper_of(known)
    return 1


@solver("ROWS", "ROWS")
def move(table: Any, larger: Any) -> Any:
    """Put what a table has into an empty one; how many entries had to give way."""
    width = len(table[0]) - 1
    lost = 0
    for place in range(len(table)):
        known = table[place, width]
        if known == EMPTY:
            continue
        mixed = scramble(known)
        for part in range(width):
            table[place, part] ^= mixed
        key = table[place]
        if put(larger, key, width, digest(key, width), known, effort_of(known), age_of(known)) == 2:
            lost += 1
    return lost

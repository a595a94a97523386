"""What the table knows of one position, for those who call solvers from outside."""

from __future__ import annotations

from typing import Any

from interpreter.kernel.plain import EMPTY, number, solver
from solver.compiled.table import age_of, digest, effort_of, look_up, lower_of, upper_of


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


@solver("ROWS")
def filled(table: Any) -> Any:
    """How many entries of a table are used."""
    width = len(table[0]) - 1
    many = 0
    for place in range(len(table)):
        if table[place, width] != EMPTY:
            many += 1
    return many


@solver("ROWS", "NUMBER", "NUMBER")
def sweep(table: Any, effort: Any, age: Any) -> Any:
    """Throw out entries of little effort, and all of former questions; how many are left."""
    width = len(table[0]) - 1
    many = 0
    for place in range(len(table)):
        known = table[place, width]
        if known == EMPTY:
            continue
        if effort_of(known) < effort or age_of(known) != age:
            table[place, width] = EMPTY
        else:
            many += 1
    return number(many)

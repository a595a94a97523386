"""The names that all functions of a kernel share: their parameters, and places in rows, moves and entries."""

from __future__ import annotations

from typing import Final

from interpreter.compiler import ir
from interpreter.compiler.build import line, named_number, row

POSITION: Final = row("state")
"""The row that a function is given."""
MOVER_NAME: Final = named_number("mover")
"""The player who moves."""
ENTRIES: Final = ir.Name("entries", ir.LINES)
"""The rows in which moves are listed."""
COUNT: Final = named_number("n")
"""The number of entries."""
WORK: Final = ir.Name("scratch", ir.ROWS)
"""Scratch rows."""
MOVE: Final = line("move")
"""A move: its rule, how many values it has, the values."""
AT: Final = named_number("begin")
"""The place in a move where the values of a stage begin."""
SEED: Final = ir.Name("seed", ir.WORD)
"""The seed of random numbers."""
WAY: Final = named_number("k")
"""The number of one way among several."""
VALUES_SO_FAR: Final = line("values")
"""The values of a move that goes on step by step."""
DEPTH: Final = named_number("depth")
"""The number of the scratch row to use next."""
LENGTH_SO_FAR: Final = named_number("length")
"""The number of values so far of a move that goes on step by step."""

FAILED: Final = named_number("FAILED")
"""The place of the number of a failure in a row."""
TO_MOVE: Final = named_number("TO_MOVE")
TURN: Final = named_number("TURN")
SEATS: Final = named_number("SEATS")
CHOICE: Final = named_number("CHOICE")
"""The place in an entry of the set that the last choice is made from."""
NO_NUMBER: Final = named_number("NO_NUMBER")
"""The value of none among numbers."""
GOING: Final = named_number("GOING")
"""The outcome of a game that goes on."""
DRAW: Final = named_number("DRAW")
"""The outcome of a draw."""


def used() -> set[str]:
    """All these names."""
    return {value.name for value in globals().values() if isinstance(value, ir.Name)}

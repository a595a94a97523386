"""The names that all functions of a kernel use: their parameters, and places of rows, moves and entries."""

from __future__ import annotations

from typing import Final

from interpreter.compiler import ir
from interpreter.compiler.build import line, named_number, row

POSITION: Final = row("state")
"""The row that a function is given."""
MOVER_NAME: Final = named_number("mover")
"""Who moves."""
ENTRIES: Final = ir.Name("entries", ir.LINES)
"""Where moves are listed."""
COUNT: Final = named_number("n")
"""How many entries there are."""
WORK: Final = ir.Name("scratch", ir.ROWS)
"""Rows to work on."""
MOVE: Final = line("move")
"""A move: its rule, how many values it has, the values."""
AT: Final = named_number("begin")
"""Where in a move the values of a stage begin."""
SEED: Final = ir.Name("seed", ir.WORD)
"""What random numbers are drawn from."""
WAY: Final = named_number("k")
"""The number of one way among several."""
VALUES_SO_FAR: Final = line("values")
"""The values of a move that goes on step by step."""
DEPTH: Final = named_number("depth")
"""The row to work on next."""
LENGTH_SO_FAR: Final = named_number("length")
"""How many values a move that goes on has until here."""

FAILED: Final = named_number("FAILED")
"""Where a row has the number of a failure."""
TO_MOVE: Final = named_number("TO_MOVE")
TURN: Final = named_number("TURN")
SEATS: Final = named_number("SEATS")
CHOICE: Final = named_number("CHOICE")
"""Where an entry has the set that the last choice is made from."""
NO_NUMBER: Final = named_number("NO_NUMBER")
"""What stands for none among numbers."""
GOING: Final = named_number("GOING")
"""The outcome of a game that goes on."""
DRAW: Final = named_number("DRAW")
"""The outcome of a draw."""


def used() -> set[str]:
    """All these names."""
    return {value.name for value in globals().values() if isinstance(value, ir.Name)}

"""The functions by which random games know positions that came before (`interpreter.compiler.runtime.history`)."""

from __future__ import annotations

from interpreter.compiler.library import Library

SLOTS = 1024
"""How many keys there is a place for."""
MOST = 700
"""How many are kept; more would make the table slow."""


def rows_of(width: int) -> int:
    """How many rows the table takes."""
    return -(-SLOTS // width)


def define(library: Library) -> None:
    """Give a kernel the functions on the table."""
    for name in ("forget", "known", "remember"):
        library.define(name, name, slots=SLOTS)

"""The functions by which random games know positions that came before (`interpreter.compiler.runtime.history`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiler.lowering import batch
from interpreter.semantics.repetition import Repetition

if TYPE_CHECKING:
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler

SLOTS = 1024
"""How many keys there is a place for."""
MOST = 700
"""How many are kept; more would make the table slow."""


def rows_of(width: int) -> int:
    """How many rows the table takes."""
    return -(-SLOTS // width)


def define(compiler: KernelCompiler) -> None:
    """Give a kernel the functions on the table, and the key of what the repetition rule knows of a position."""
    library, layout, rules = compiler.program.library, compiler.program.layout, compiler.rules
    rule = Repetition.of(rules, compiler.program.evaluator.sizes)
    if rule.aside:
        places = [layout.values + place for place in sorted(rule.aside)]
        library.define("key_but_aside", "repetition_key", many=len(places), of_number=batch.number_words(compiler),
                       aside=compiler.program.tables.table("aside", places))
    else:
        library.define("whole_key", "repetition_key")
    for name in ("forget", "remember"):
        library.define(name, name, slots=SLOTS)

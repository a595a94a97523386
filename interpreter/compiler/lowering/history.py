"""The functions with which random games recognise repeated positions (`interpreter.compiler.runtime.history`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiler.lowering import batch
from interpreter.semantics.repetition import Repetition

if TYPE_CHECKING:
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler

SLOTS = 1024
"""The number of slots for keys."""
MOST = 700
"""The most keys that are stored; more would make the table slow."""


def rows_of(width: int) -> int:
    """The number of rows that the table takes."""
    return -(-SLOTS // width)


def define(compiler: KernelCompiler) -> None:
    """Add the functions on the table to a kernel, and the key of what the repetition rule compares of a position."""
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

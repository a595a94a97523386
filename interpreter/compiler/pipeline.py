"""The passes from IR to IR that a kernel goes through, in their order, and what they are told of a game.

What IR no longer says of the rules is found out by analyses, once (`Facts`). Each pass is a function of a module and
some of these facts; after each the module is verified where that is asked for (`interpreter.compiler.verify`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.passes.exclusion import left_early
from interpreter.compiler.passes.late_stuck import seen_late
from interpreter.compiler.verify import verify_step


@attrs.frozen
class Facts:
    """What passes ask of a game."""

    excluded: frozenset[str] = frozenset()
    """The functions that list moves of rules which have none where a rule before them has one."""
    late: bool = False
    """Whether it can be left to the next listing of moves to see that there is none."""


@attrs.frozen
class Pass:
    """A pass: its name, which is that of its switch, and its function."""

    name: str
    run: Callable[[ir.Module, Facts], ir.Module]


PIPELINE: Final[Sequence[Pass]] = (
    Pass("exclusion", lambda module, facts: left_early(module, facts.excluded)),
    Pass("late_stuck", lambda module, facts: seen_late(module) if facts.late else module),
)


def improved(module: ir.Module, facts: Facts, names: Sequence[str]) -> ir.Module:
    """What the passes of some names make of a module. Raises IRError where one makes IR that is wrong."""
    for step in PIPELINE:
        if step.name in names:
            before, module = module, step.run(module, facts)
            verify_step(before, module, after=step.name)
    return module

"""Piles in kernels: where rows store what lies under the tops of piles, and the runtime functions that work on it.

The functions are those of `interpreter.compiler.runtime.piles`; `Piles.put` adds them to the kernel. They are used in
`interpreter.words.piles`, `interpreter.effects.piles` and `interpreter.compiler.lowering.effects`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from interpreter.compiler import ir
from interpreter.compiler.library import Given
from interpreter.compiler.runtime_sources import runtime

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.compiler.lowering.module_builder import ModuleBuilder


@attrs.frozen
class Piles:
    """Where a kernel's rows store what lies in piles."""

    program: ModuleBuilder
    given: dict[str, int]
    """The numbers that are put into the runtime functions."""

    @classmethod
    def of(cls, program: ModuleBuilder) -> Piles:
        """The piles of a game that has some."""
        result = program.evaluator.piles
        assert result is not None  # asked in games with piles
        first = result.kinds[0] if result.kinds else None
        return cls(program, {
            "start": program.layout.values + result.start, "size": result.cells, "parts": len(result.kinds),
            "bits": first.bits if first else 1, "digits": first.digits if first else 1,
            "pieces": len(program.rules.pieces)})

    def put(self, function: str, **given: Given) -> str:
        """Add a runtime function to the kernel; return its name there."""
        takes = runtime().source(function).static
        known = {name: value for name, value in self.given.items() if name in takes}
        return self.program.library.put(function, **known, **given)

    def height(self, terms: ExprLowering, cell: ir.Expr) -> ir.Expr:
        """The number of pieces on a cell."""
        return terms.sets.called(self.put("pile_height"), terms.row, cell)

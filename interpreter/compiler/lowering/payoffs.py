"""Lowers `payoff` declarations: what the end of a game is worth to a player.

`interpreter.semantics.payoffs.Payoffs` defines their meaning.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from interpreter.compiler import ir
from interpreter.compiler.build import compared, expr, named_number
from interpreter.compiler.lowering.expressions import ExprLowering
from interpreter.compiler.lowering.names import MOVER_NAME, POSITION
from interpreter.compiler.lowering.writer import Writer

if TYPE_CHECKING:
    from interpreter.compiler.lowering.kernel_compiler import KernelCompiler

_PLAYER = named_number("player")


def functions(compiler: KernelCompiler) -> list[ir.Function]:
    """The functions that only games with payoffs have."""
    made, calls = [], []
    for item in compiler.rules.payoffs:
        parameters, given = (POSITION, MOVER_NAME), (POSITION, expr(item.mover))
        terms = ExprLowering(compiler.program, Writer([parameter.name for parameter in parameters]))
        terms.writer.give(terms.value(item.value))
        name, whose = f"payoff_{item.player}", compiler.rules.players[item.player]
        made.append(ir.Function(name, parameters, ir.INT, f"What the end is worth to {whose}.", terms.writer.body,
                                span=item.span))
        calls.append(ir.If(compared(_PLAYER, "==", item.player), (ir.Return(ir.Call(name, given, ir.INT)),)))
    if not made:
        return []
    doc = "What the end is worth to a player."
    return [*made, ir.Function("payoff", (POSITION, _PLAYER), ir.INT, doc, (*calls, ir.Return(expr(0))))]

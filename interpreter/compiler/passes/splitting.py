"""Draws random moves from the sets of their first choices, instead of from a list of all moves.

An IR-to-IR pass. Lowering writes `draw`, which draws from the list, and where the rules allow it `draw_in_parts` with
the functions that it needs: for rules whose moves are a set each it draws a cell of one; for `queen-from-to, then
arrow` it draws the first two choices, then a way to go on, and accepts it with a probability that makes each whole move
as likely as any other (`interpreter.compiler.lowering.most_ways`, `continuations`). The pass replaces `draw` by it.
Measured: 1.9 times as fast with queens that shoot.
"""

from __future__ import annotations

import attrs

from interpreter.compiler import ir


def drawn_in_parts(module: ir.Module) -> ir.Module:
    """A module whose moves are drawn in parts, if it has a function for that."""
    result = {function.name: function for function in module.functions}
    if "draw_in_parts" not in result:
        return module
    result["draw"] = attrs.evolve(result.pop("draw_in_parts"), name="draw")
    return attrs.evolve(module, functions=tuple(result.values()))

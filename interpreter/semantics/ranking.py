"""Which of the legal moves remain by `only moves with`: those after which a number is the greatest."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from interpreter.model.state import Move, State
from interpreter.semantics.stages import Condition

if TYPE_CHECKING:
    from interpreter.semantics.engine import Engine


def best(engine: Engine, number: Condition | None, state: State, moves: Iterable[Move]) -> Iterable[Move]:
    """Of some moves the legal ones after which a number is the greatest, in their order; all where no number decides.

    Raises RuleError.
    """
    if number is None:
        return moves
    result: list[Move] = []
    most = 0
    for move in list(moves):  # all of them first, or too many would be played before it is seen
        table, taken_back = engine.after_move(state, move)
        if taken_back is not None:
            continue
        worth = number.number(table)
        if not result or worth > most:
            result, most = [], worth
        if worth == most:
            result.append(move)
    return result

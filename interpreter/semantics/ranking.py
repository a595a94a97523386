"""Filters the legal moves by `only moves with`: those that maximise a number remain."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from interpreter.model.state import Move, State
from interpreter.semantics.stages import Condition

if TYPE_CHECKING:
    from interpreter.semantics.engine import Engine


def best(engine: Engine, number: Condition | None, state: State, moves: Iterable[Move]) -> Iterable[Move]:
    """The legal ones among some moves after which a number is greatest, in order; all the moves without a number.

    Raises RuleError.
    """
    if number is None:
        return moves
    result: list[Move] = []
    most = 0
    for move in list(moves):  # all of them first, so that too many fail before any is played
        table, taken_back = engine.after_move(state, move)
        if taken_back is not None:
            continue
        worth = number.number(table)
        if not result or worth > most:
            result, most = [], worth
        if worth == most:
            result.append(move)
    return result

"""Types of compiled expressions: functions of a working state and the values bound to a rule's slots."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from dsl.syntax.source import Span
from interpreter.errors import RuleError
from interpreter.model.state import WorkingState

Bound = list[Any]  # the values of a rule's slots: cells, numbers, players, ... or None
Function = Callable[[WorkingState, Bound], Any]
Test = Callable[[WorkingState, Bound], bool]
CellSet = Callable[[WorkingState, Bound], int]


def some_cell(cell: int | None, function: str, span: Span) -> int:
    """Return the cell that a function is called with. Raises RuleError where it is none."""
    if cell is None:
        raise RuleError("G403", f"{function} is asked of no cell: a step left the board", span)
    return cell

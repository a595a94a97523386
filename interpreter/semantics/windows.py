"""Unbounded boards: after a move, everything is shifted back to the home of the board's window."""

from __future__ import annotations

from dsl.syntax.source import Span
from interpreter.boards import Board
from interpreter.errors import RuleError
from interpreter.model.state import WorkingState


def settle(board: Board, table: WorkingState, span: Span) -> None:
    """On an unbounded board, shift everything to the window's home; do nothing on others.

    `span` is that of the board's declaration. Raises RuleError when the position has outgrown the window.
    """
    if not board.unbounded:
        return
    by = board.settled(board.everything & ~table.pieces[0])
    if by is None:
        raise RuleError("G411", f"the position has outgrown its window of {board.room} rows and columns", span)
    if by:
        table.shift(by)

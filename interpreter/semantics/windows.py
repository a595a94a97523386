"""Unbounded boards at work: after a move everything is shifted to where the board's window begins."""

from __future__ import annotations

from dsl.syntax.source import Span
from interpreter.boards import Board
from interpreter.errors import RuleError
from interpreter.model.state import WorkingState


def settle(board: Board, table: WorkingState, span: Span) -> None:
    """On an unbounded board, shift everything to where the window begins; nothing on others.

    `span` is the place of the board's declaration. Raises RuleError when the window is outgrown.
    """
    if not board.unbounded:
        return
    by = board.settled(board.everything & ~table.pieces[0])
    if by is None:
        raise RuleError("G411", f"the position has outgrown its window of {board.room} rows and columns", span)
    if by:
        table.shift(by)

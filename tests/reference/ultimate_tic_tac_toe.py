"""Ultimate tic-tac-toe: nine small boards, three in a row and a column, each a game of tic-tac-toe.

X begins anywhere. The cell of its small board that a move fills names the small board, by its place among the nine, in
which the other player must move; where that board is won or full, the other player may move in any that is neither. A
player who has won three small boards in a line has won; where nobody can move, the game is a draw.

A move is the name of a cell of the whole board: column letter from the left, row number from the bottom.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}]

PIECE = {"X": "x", "O": "o"}
OTHER = {"X": "O", "O": "X"}
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

Small = tuple[str, ...]


class State(NamedTuple):
    """The small boards from the top left, each of nine cells from the top left, "" for an empty one."""

    boards: tuple[Small, ...]
    sent: int | None
    """The small board to move in; None for any."""
    mover: str


class Reference(Rules[State]):
    """Ultimate tic-tac-toe."""

    def start(self) -> State:
        return State((("",) * 9,) * 9, None, "X")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        won = [winner(board) for board in state.boards]
        for player in ("X", "O"):
            if any(all(won[board] == PIECE[player] for board in line) for line in LINES):
                return player
        return None if self.options(state) else DRAW

    def options(self, state: State) -> list[str]:
        boards = range(9) if state.sent is None else [state.sent]
        return [
            name(board, cell)
            for board in boards
            if running(state.boards[board])
            for cell in range(9)
            if state.boards[board][cell] == ""
        ]

    def after(self, state: State, move: str) -> State:
        board, cell = next((board, cell) for board in range(9) for cell in range(9) if name(board, cell) == move)
        small = list(state.boards[board])
        small[cell] = PIECE[state.mover]
        boards = (*state.boards[:board], tuple(small), *state.boards[board + 1 :])
        return State(boards, cell if running(boards[cell]) else None, OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {
            name(board, cell): piece
            for board, pieces in enumerate(state.boards)
            for cell, piece in enumerate(pieces)
            if piece
        }

    def variables(self, state: State) -> dict[str, object]:
        """`sent` is the number of the small board's middle cell, counted row by row over the whole board."""
        if state.sent is None:
            return {"sent": None}
        return {"sent": (state.sent // 3 * 3 + 1) * 9 + state.sent % 3 * 3 + 1}


def name(board: int, cell: int) -> str:
    """Return the name of a cell of a small board."""
    row, column = board // 3 * 3 + cell // 3, board % 3 * 3 + cell % 3
    return f"{'abcdefghi'[column]}{9 - row}"


def winner(board: Small) -> str:
    """The piece that has a line on a small board, "" if none."""
    return next((board[a] for a, b, c in LINES if board[a] == board[b] == board[c] != ""), "")


def running(board: Small) -> bool:
    """Whether a small board is neither won nor full."""
    return "" in board and winner(board) == ""

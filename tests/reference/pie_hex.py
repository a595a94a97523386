"""Hex with the pie rule: Red's first stone can be taken over.

As Hex (Red joins top and bottom, Blue left and right), but Blue may answer the first move by `swap`: the stone at row
r, column c gives way to a blue stone at row c, column r, and Red is to move.
"""

from __future__ import annotations

from tests.reference import hex
from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{"size": size} for size in range(1, 7)] + [{}]


class Reference(Rules[hex.State]):
    """Hex on a board of `size` x `size`, with swapping."""

    def __init__(self, *, size: int = 11) -> None:
        self.size = size
        self.hex = hex.Reference(size=size)

    def start(self) -> hex.State:
        return self.hex.start()

    def to_move(self, state: hex.State) -> str:
        return state.mover

    def outcome(self, state: hex.State) -> str | None:
        return self.hex.outcome(state)

    def options(self, state: hex.State) -> list[str]:
        stones = [piece for piece in state.pieces if piece]
        return self.hex.options(state) + (["swap"] if stones == ["red"] else [])

    def after(self, state: hex.State, move: str) -> hex.State:
        if move != "swap":
            return self.hex.after(state, move)
        row, column = divmod(state.pieces.index("red"), self.size)
        pieces = [""] * self.size**2
        pieces[column * self.size + row] = "blue"
        return hex.State(tuple(pieces), "Red")

    def board(self, state: hex.State) -> dict[str, str]:
        return self.hex.board(state)

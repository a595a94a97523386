"""Latin squares, filled number by number: 1, 2, 12, 576, 161,280 of orders 1 to 5; 288 of order 4 are Sudokus."""

from __future__ import annotations

from tests.reference.rules import Rules
from tests.reference.squares import name, places

CASES: list[dict[str, int]] = [{}, {"boxes": 1}, {"size": 3}, {"size": 6, "boxes": 1, "box_columns": 3}]

State = tuple[int, ...]
"""The numbers written so far, in reading order."""


class Reference(Rules[State]):
    """Latin squares of an order, optionally with boxes; a move is the next cell and its number."""

    def __init__(self, *, size: int = 4, boxes: int = 0, box_rows: int = 2, box_columns: int = 2) -> None:
        self.size, self.boxes, self.box = size, boxes, (box_rows, box_columns)

    def start(self) -> State:
        return ()

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        if len(state) == self.size ** 2:
            return "Player"
        return None if self.options(state) else "draw"

    def sees(self, one: int, other: int) -> bool:
        """Whether two places may not hold the same number."""
        (r, k), (s, j) = divmod(one, self.size), divmod(other, self.size)
        high, wide = self.box
        return r == s or k == j or (self.boxes == 1 and r // high == s // high and k // wide == j // wide)

    def options(self, state: State) -> list[str]:
        if len(state) == self.size ** 2:
            return []
        cell = name(places(self.size, self.size)[len(state)])
        taken = {number for place, number in enumerate(state) if self.sees(place, len(state))}
        return [f"{cell}={number}" for number in range(1, self.size + 1) if number not in taken]

    def after(self, state: State, move: str) -> State:
        return (*state, int(move.partition("=")[2]))

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        return {"number": [*state, *[0] * (self.size ** 2 - len(state))]}

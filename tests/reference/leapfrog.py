"""Leapfrog (E. Lucas, 1883): m frogs and n others change places, in at least m * n + m + n moves.

Frogs from the left only step or leap to the right, the others to the left; a leap goes over one frog of the other kind.
A move is the cell of a frog.
"""

from __future__ import annotations

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"left_ones": 1, "right_ones": 1}, {"left_ones": 2, "right_ones": 4}]

State = str
"""The cells: `>` and `<` for frogs by the direction they face, `.` for the gap."""


class Reference(Rules[State]):
    """The puzzle with any number of frogs on each side."""

    def __init__(self, *, left_ones: int = 3, right_ones: int = 3) -> None:
        self.left_ones, self.right_ones = left_ones, right_ones

    def start(self) -> State:
        return ">" * self.left_ones + "." + "<" * self.right_ones

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        if state == "<" * self.right_ones + "." + ">" * self.left_ones:
            return "Player"
        return None if self.options(state) else "draw"

    def options(self, state: State) -> list[str]:
        gap = state.index(".")
        found = []
        for place, sign in enumerate(state):
            step, between = (1, "<") if sign == ">" else (-1, ">")
            if sign != "." and (gap == place + step or (gap == place + 2 * step and state[place + step] == between)):
                found.append(f"{chr(ord('a') + place)}1")
        return found

    def after(self, state: State, move: str) -> State:
        place, gap = ord(move[0]) - ord("a"), state.index(".")
        cells = list(state)
        cells[gap], cells[place] = cells[place], "."
        return "".join(cells)

    def board(self, state: State) -> dict[str, str]:
        names = {">": "brown", "<": "green"}
        return {f"{chr(ord('a') + place)}1": names[sign] for place, sign in enumerate(state) if sign != "."}

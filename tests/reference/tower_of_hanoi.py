"""The Tower of Hanoi: discs of different sizes, at first all on the first peg, must be brought to the last one.

The top disc of a peg can be put on another peg, but never on a smaller disc. A move is two letters, the peg that the
disc leaves and the peg it goes to. Repeating a position ends the attempt (which is left to the caller).

On the board each disc has its own row, the largest the lowest one, and pegs are columns.
"""

from __future__ import annotations

from tests.reference.rules import Rules
from tests.reference.squares import name

CASES: list[dict[str, int]] = [{}, {"discs": 1}, {"discs": 6}, {"discs": 3, "pegs": 4}, {"discs": 8, "pegs": 6}]

LETTERS = "abcdef"

State = tuple[int, ...]
"""The peg of each disc, from the smallest."""


class Reference(Rules[State]):
    """The Tower of Hanoi."""

    def __init__(self, *, discs: int = 3, pegs: int = 3) -> None:
        self.discs, self.pegs = discs, pegs

    def start(self) -> State:
        return (0,) * self.discs

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        return "Player" if set(state) == {self.pegs - 1} else None

    def top(self, state: State, peg: int) -> int:
        """The smallest disc on a peg; a size beyond all discs if there is none."""
        return state.index(peg) if peg in state else self.discs

    def options(self, state: State) -> list[str]:
        tops = [self.top(state, peg) for peg in range(self.pegs)]
        return [
            LETTERS[here] + LETTERS[there]
            for here, disc in enumerate(tops)
            for there, covered in enumerate(tops)
            if disc < covered
        ]

    def after(self, state: State, move: str) -> State:
        here, there = (LETTERS.index(letter) for letter in move)
        pegs = list(state)
        pegs[self.top(state, here)] = there
        return tuple(pegs)

    def board(self, state: State) -> dict[str, str]:
        return {name((peg, self.discs - 1 - disc)): "disc" for disc, peg in enumerate(state)}

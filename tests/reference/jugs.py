"""Three jugs (Tartaglia, 1556): of 8, 5 and 3 the first is full; measuring 4 takes at least 6 pourings."""

from __future__ import annotations

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"large": 12, "middle": 7, "small": 5, "wanted": 6}, {"wanted": 7}]

State = tuple[int, ...]
"""The content of each jug."""


class Reference(Rules[State]):
    """The puzzle with jugs of three sizes; a move is the letters of two jugs, from and to."""

    def __init__(self, *, large: int = 8, middle: int = 5, small: int = 3, wanted: int = 4) -> None:
        self.sizes, self.wanted = (large, middle, small), wanted

    def start(self) -> State:
        return self.sizes[0], 0, 0

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        return "Player" if self.wanted in state else None

    def options(self, state: State) -> list[str]:
        return [one + other for one, here in zip("abc", state, strict=True)
                for other, there, size in zip("abc", state, self.sizes, strict=True)
                if one != other and here > 0 and there < size]

    def after(self, state: State, move: str) -> State:
        one, other = ("abc".index(letter) for letter in move)
        jugs = list(state)
        while jugs[one] > 0 and jugs[other] < self.sizes[other]:
            jugs[one], jugs[other] = jugs[one] - 1, jugs[other] + 1
        return tuple(jugs)

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        return {"water": list(state)}

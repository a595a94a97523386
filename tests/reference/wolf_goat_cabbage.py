"""Wolf, goat and cabbage (Alcuin of York): all must cross a river, and seven crossings are enough.

A move is the letter of what the farmer takes along, `F` for nothing.
"""

from __future__ import annotations

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

NAMES = {"F": "farmer", "W": "wolf", "G": "goat", "C": "cabbage"}

State = frozenset[str]
"""The letters of those on the first bank."""


class Reference(Rules[State]):
    """Wolf, goat and cabbage."""

    def start(self) -> State:
        return frozenset("FWGC")

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        return None if state else "Player"

    def options(self, state: State) -> list[str]:
        here = state if "F" in state else frozenset("FWGC") - state
        return [thing for thing in here if not any(pair <= here - {"F", thing} for pair in ({*"WG"}, {*"GC"}))]

    def after(self, state: State, move: str) -> State:
        return state - {"F", move} if "F" in state else state | {"F", move}

    def board(self, state: State) -> dict[str, str]:
        return {f"{'a' if who in state else 'b'}{4 - 'FWGC'.index(who)}": name for who, name in NAMES.items()}

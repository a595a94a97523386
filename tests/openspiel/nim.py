"""OpenSpiel's nim with four heaps; it has the same default heaps, but is misere by default."""

from __future__ import annotations

import re

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [
    {},
    {"misere": 1},
    {"a": 2, "b": 2, "c": 1, "d": 1, "misere": 1},
    {"a": 9, "b": 4, "c": 2, "d": 12},
]


class OpenSpiel(Adapter):
    """Nim with four heaps, none of them empty."""

    players = ("First", "Second")

    def __init__(self, *, a: int = 1, b: int = 3, c: int = 5, d: int = 7, misere: int = 0) -> None:
        super().__init__(f"nim(pile_sizes={a};{b};{c};{d},is_misere={bool(misere)})")

    def text_of(self, action: int, state: Played) -> str:
        pile, taken = re.findall("[0-9]+", state.spiel.action_to_string(action))
        return f"{'abcd'[int(pile) - 1]}{taken}"

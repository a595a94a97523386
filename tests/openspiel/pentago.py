"""OpenSpiel's pentago: an action reads `a1s`, where the letter from s to z says which block turns, and which way."""

from __future__ import annotations

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{}]

TURNS = dict(zip("stuvwxyz", ("b2L", "b2R", "e2L", "e2R", "e5L", "e5R", "b5L", "b5R"), strict=True))


class OpenSpiel(Adapter):
    """Pentago."""

    players = ("White", "Black")

    def __init__(self) -> None:
        super().__init__("pentago")

    def text_of(self, action: int, state: Played) -> str:
        text: str = state.spiel.action_to_string(action)
        return text[:2] + TURNS[text[2]]

    def board(self, state: Played) -> dict[str, str]:
        rows = [line[4:15].split() for line in str(state.spiel).splitlines()[2:8]]
        return {
            f"{'abcdef'[column]}{row + 1}": {"O": "white", "@": "black"}[sign]
            for row, signs in enumerate(rows)
            for column, sign in enumerate(signs)
            if sign != "."
        }

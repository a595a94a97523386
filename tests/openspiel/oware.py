"""OpenSpiel's oware, where each player takes the seeds of their own row when a position is repeated; here it is a draw.

OpenSpiel does not report why a game ended. The adapter recognises the end by repetition: the last move led to an
earlier position, and the scores are those of that position plus the seeds of each row.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.openspiel.adapter import Adapter, Played
from tests.reference.rules import DRAW

CASES: list[dict[str, int]] = [
    {},
    {"houses": 2, "seeds": 3},
    {"houses": 3, "seeds": 2},
    {"houses": 3, "seeds": 9},
    {"houses": 5, "seeds": 4},
]


class Content(NamedTuple):
    """The seeds along the ring, South's houses first; South's and North's captures; whose turn it is, 0 or 1."""

    ring: tuple[int, ...]
    scores: tuple[int, int]
    turn: int


class OpenSpiel(Adapter):
    """Oware with any number of houses in a row and of seeds in each."""

    players = ("South", "North")

    def __init__(self, *, houses: int = 6, seeds: int = 4) -> None:
        super().__init__(f"oware(num_houses_per_player={houses},num_seeds_per_house={seeds})")
        self.houses = houses
        self.total = 2 * houses * seeds

    def text_of(self, action: int, state: Played) -> str:
        return f"{'abcdef'[action]}1" if state.spiel.current_player() == 0 else f"{'fedcba'[6 - self.houses + action]}2"

    def content(self, spiel: object, turn: int) -> Content:
        """Read the seeds and scores of OpenSpiel's state."""
        numbers = [round(part * self.total) for part in spiel.observation_tensor(0)]  # type: ignore[attr-defined]
        return Content(tuple(numbers[:-2]), (numbers[-2], numbers[-1]), turn)

    def outcome(self, state: Played) -> str | None:
        return DRAW if self.repeated(state) else super().outcome(state)

    def repeated(self, state: Played) -> bool:
        """Whether the last move led, without a capture, to an earlier position, and ended the game."""
        if not state.actions or not state.spiel.is_terminal():
            return False
        spiel = self.game.new_initial_state()
        before = []
        for action in state.actions:
            before.append(self.content(spiel, spiel.current_player()))
            spiel.apply_action(action)
        ring, scores, turn = before[-1]
        sown = list(ring)
        house = at = state.actions[-1] + turn * self.houses
        sown[house] = 0
        for _ in range(ring[house]):
            at = (at + 1) % len(sown)
            at = (at + 1) % len(sown) if at == house else at
            sown[at] += 1
        rows = sum(sown[: self.houses]), sum(sown[self.houses :])
        collected = scores[0] + rows[0], scores[1] + rows[1]
        return Content(tuple(sown), scores, 1 - turn) in before and self.content(spiel, turn).scores == collected

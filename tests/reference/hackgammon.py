"""Hackgammon: Backgammon on a few points in a row, with few men and small dice; doubles are not played twice."""

from __future__ import annotations

from tests.reference.backgammon import Race, State

CASES: list[dict[str, int]] = [{}, {"points": 8, "men": 3, "sides": 6}, {"points": 4, "men": 1, "sides": 2},
                               {"points": 12, "men": 4}]


class Reference(Race):
    """Hackgammon; all men begin on their first point."""

    twice = opening = False

    def __init__(self, *, points: int = 6, men: int = 2, sides: int = 3) -> None:
        self.points, self.sides, self.home = points, sides, points // 3
        self.setting = ((1, men),)

    def cell(self, player: int, way: int) -> str:
        """The cell of a distance; the row has White's men off, Black's bar, points, White's bar, Black's men off."""
        if way == self.points + 1:
            place = 0 if player == 0 else self.points + 3
        else:
            place = self.points + 2 - way if player == 0 else 1 + way
        return "abcdefghijklmnop"[place] + "1"

    def variables(self, state: State) -> dict[str, object]:
        return {"high": state.dice[0], "low": state.dice[1]}

"""Whose turn it is, and who wins together: the order of the players, and their teams."""

from __future__ import annotations

from dsl import hir
from interpreter.model.state import DRAW, WorkingState


class Turns:
    """The turns of one game: round by round as players are named, or by `turn order`.

    With an order a position's `turn` is the place in it; the player to move is the one at that place.
    """

    def __init__(self, rules: hir.Rules) -> None:
        self.players = len(rules.players)
        self.order, self.loop = rules.order, rules.loop
        self.sides = rules.sides
        self.first = self.order[0] if self.order else 0
        """Who moves first."""
        self.nexts = (*range(1, len(self.order)), self.loop)
        """For each place in the order the one that follows it."""

    def next(self, table: WorkingState) -> int:
        """Who moves after the mover's turn is over; the table's place in the order moves on."""
        if not self.order:
            return (table.mover + 1) % self.players
        table.turn = self.nexts[table.turn]
        return self.order[table.turn]

    def before(self, turn: int, to_move: int) -> list[tuple[int, int]]:
        """Who can have moved before, each with the place in the order then, the same player last (`turn again`)."""
        if not self.order:
            return [((to_move - back) % self.players, turn) for back in range(1, self.players + 1)]
        places = [index for index, after in enumerate(self.nexts) if after == turn]
        return [(self.order[place], place) for place in (*places, turn)]

    def other(self, player: int) -> int:
        """Who wins when a player loses: the only other side; nobody where there are several, or none."""
        others = {side for side in self.sides if side != self.sides[player]}
        return others.pop() if len(others) == 1 else DRAW

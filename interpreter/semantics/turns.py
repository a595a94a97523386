"""The turn order of the players, and their teams."""

from __future__ import annotations

from dsl import hir
from interpreter.model.state import DRAW, WorkingState


class Turns:
    """The turns of one game: round-robin in the order of the players' declaration, or by `turn order`.

    With a turn order, a position's `turn` is a place in it; the player to move is the one at that place.
    """

    def __init__(self, rules: hir.Rules) -> None:
        self.players = len(rules.players)
        self.order, self.loop = rules.order, rules.loop
        self.sides = rules.sides
        self.first = self.order[0] if self.order else 0
        """The player who moves first."""
        self.nexts = (*range(1, len(self.order)), self.loop)
        """For each place in the turn order, the next place."""

    def next(self, table: WorkingState) -> int:
        """Advance the table's place in the turn order, if there is one, and return the player who moves next."""
        if not self.order:
            return (table.mover + 1) % self.players
        table.turn = self.nexts[table.turn]
        return self.order[table.turn]

    def before(self, turn: int, to_move: int) -> list[tuple[int, int]]:
        """The players who can have moved before, each with the place in the turn order at that time.

        The player to move comes last (`turn again`).
        """
        if not self.order:
            return [((to_move - back) % self.players, turn) for back in range(1, self.players + 1)]
        places = [index for index, after in enumerate(self.nexts) if after == turn]
        return [(self.order[place], place) for place in (*places, turn)]

    def other(self, player: int) -> int:
        """The side that wins when a player loses: the only other one; DRAW where there are several, or none."""
        others = {side for side in self.sides if side != self.sides[player]}
        return others.pop() if len(others) == 1 else DRAW

"""A game that is being played on the terminal: its positions, which of them is looked at, and who plays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.game import Game, Position

if TYPE_CHECKING:
    from solver.players.analysis import Analyst
    from solver.players.levels import Player


class Table:
    """All positions of a game so far; the one that is looked at may be an earlier one."""

    def __init__(self, first: Position, players: Sequence[Player | None], analyst: Analyst,
                 nodes: int | None = None, nature: Player | None = None) -> None:
        """`players` by side, None for a person, and who makes the moves of chance; hints look at so many `nodes`, or
        take some seconds."""
        self.nature = nature
        self.game: Game = first.game
        self.players = list(players)
        self.analyst, self.nodes = analyst, nodes
        self.positions = [Position(first.game, state, first.history[:ply], first.played[:ply])
                          for ply, state in enumerate(first.history)] + [first]
        self.at = len(self.positions) - 1

    @property
    def position(self) -> Position:
        """The position that is looked at."""
        return self.positions[self.at]

    @property
    def moves(self) -> list[str]:
        """The moves from the first position on."""
        return [position.played[-1] for position in self.positions[1:]]

    @property
    def latest(self) -> bool:
        """Whether the last position is looked at."""
        return self.at == len(self.positions) - 1

    @property
    def player(self) -> Player | None:
        """Who is to move in the position that is looked at; None for a person, and when the game is over."""
        if self.position.over:
            return None
        return self.nature if self.position.by_chance else self.players[self.position.state.to_move]

    def play(self, text: str) -> None:
        """Make a move in the position that is looked at; what came after it is forgotten. Raises IllegalMove."""
        after = self.position.play(text)
        if not self.latest and self.positions[self.at + 1].played == after.played:
            self.at += 1
            return
        del self.positions[self.at + 1 :]
        self.positions.append(after)
        self.at += 1

    def go(self, ply: int) -> None:
        """Look at the position after so many moves, as far as there are."""
        self.at = min(max(0, ply), len(self.positions) - 1)

    def undo(self) -> bool:
        """Go back to the last position in which a person was to move; False where there is none."""
        for ply in range(self.at - 1, -1, -1):
            if self.players[self.positions[ply].state.to_move] is None and not self.positions[ply].by_chance:
                self.at = ply
                return True
        return False

    def redo(self) -> bool:
        """Go ahead to the next position in which a person is to move, or to the last; False at the last."""
        if self.latest:
            return False
        self.at += 1
        while not self.latest and self.player is not None:
            self.at += 1
        return True

"""The state of a game that is played on the terminal: its positions, which of them is shown, and the players."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from interpreter.game import Game, Position

if TYPE_CHECKING:
    from solver.players.analysis import Analyst
    from solver.players.choice import Player


class Table:
    """All positions of a game so far, and which of them is shown."""

    def __init__(self, first: Position, players: Sequence[Player | None], analyst: Analyst,
                 nodes: int | None = None, nature: Player | None = None) -> None:
        """Take `players` by side, None for a human, and `nature`, which makes the moves of chance.

        Hints search `nodes` nodes, or for some seconds if that is None.
        """
        self.nature = nature
        self.game: Game = first.game
        self.players = list(players)
        self.analyst, self.nodes = analyst, nodes
        self.positions = [Position(first.game, state, first.history[:ply], first.played[:ply])
                          for ply, state in enumerate(first.history)] + [first]
        self.at = len(self.positions) - 1

    @property
    def position(self) -> Position:
        """The position that is shown."""
        return self.positions[self.at]

    @property
    def moves(self) -> list[str]:
        """The texts of all moves so far."""
        return [position.played[-1] for position in self.positions[1:]]

    @property
    def latest(self) -> bool:
        """Whether the last position is shown."""
        return self.at == len(self.positions) - 1

    @property
    def player(self) -> Player | None:
        """The player to move in the shown position; None for a human, and when the game is over."""
        if self.position.over:
            return None
        return self.nature if self.position.by_chance else self.players[self.position.state.to_move]

    def play(self, text: str) -> None:
        """Make a move in the shown position, and drop the positions after it unless the move is the same. Raises
        IllegalMove."""
        after = self.position.play(text)
        if not self.latest and self.positions[self.at + 1].played == after.played:
            self.at += 1
            return
        del self.positions[self.at + 1 :]
        self.positions.append(after)
        self.at += 1

    def go(self, ply: int) -> None:
        """Show the position after `ply` moves, clamped to those that exist."""
        self.at = min(max(0, ply), len(self.positions) - 1)

    def undo(self) -> bool:
        """Go back to the last position in which a human was to move; False where there is none."""
        for ply in range(self.at - 1, -1, -1):
            if self.players[self.positions[ply].state.to_move] is None and not self.positions[ply].by_chance:
                self.at = ply
                return True
        return False

    def redo(self) -> bool:
        """Go forward to the next position in which a human is to move, or to the last one; False at the last."""
        if self.latest:
            return False
        self.at += 1
        while not self.latest and self.player is not None:
            self.at += 1
        return True

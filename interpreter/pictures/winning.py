"""What won a game: the line, the chain or the piece without which the end would not hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from interpreter.boards import members
from interpreter.errors import RuleError
from interpreter.model.state import DRAW, State

if TYPE_CHECKING:
    from interpreter.game import Game

MOST_PIECES = 500
"""On boards with more pieces nothing is looked for."""


def winning_cells(game: Game, before: State, after: State) -> frozenset[int]:
    """The cells whose pieces made a move end the game for a player; none where no few pieces did.

    Pieces are taken off the board one by one as long as the same end holds. An end that asks for moves, one that holds
    on a board without pieces, and one that needs all of them, were not won by some of them.
    """
    engine = game.engine
    result = engine.ends.deciding(engine.just_moved(after, before)) if after.outcome is not None else None
    occupied = list(members(game.board.everything & ~after.pieces[0]))
    if result is None or result[1] == DRAW or len(occupied) > MOST_PIECES:
        return frozenset()
    if any(isinstance(part, hir.NoMoves) for part in hir.walk(game.rules.ends[result[0]].condition.term)):
        return frozenset()

    def holds(without: int) -> bool:
        pieces = after.pieces[0] | without, *(there & ~without for there in after.pieces[1:])
        try:
            return engine.ends.deciding(engine.just_moved(after._replace(pieces=pieces), before)) == result
        except RuleError:
            return False

    gone = 0
    if holds(sum(1 << cell for cell in occupied)):
        return frozenset()
    for cell in occupied:
        if holds(gone | 1 << cell):
            gone |= 1 << cell
    return frozenset(cell for cell in occupied if not gone >> cell & 1) if gone else frozenset()

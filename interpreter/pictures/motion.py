"""Where a move takes pieces, for those who show that as motion: two pictures alone do not tell which piece is which."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from interpreter.model.state import Move, State, WorkingState

if TYPE_CHECKING:
    from interpreter.game import Game


def moves_sets(game: Game) -> bool:
    """Whether the moves of a game slide or turn whole sets of cells."""
    return any(isinstance(part, hir.Slide | hir.Rotate) for rule in game.rules.moves for effect in rule.body
               for part in hir.walk(effect))


def moved(game: Game, state: State, move: Move) -> dict[int, int]:
    """Where a move's own effects take pieces: from each cell that one leaves to where it ends (-1: off the board).

    What is put somewhere anew, and what forced rules do, is no part of it. Passing and swapping move nothing.
    """
    if move.rule < 0:
        return {}
    table = WorkingState(state)
    table.moved = []
    game.engine.carry_out(move, table)
    result: dict[int, int] = {}
    for step in table.moved:
        taken = {origin: -1 for origin, at in result.items() if at not in step and at in step.values()}
        further = {origin: step[at] for origin, at in result.items() if at in step}
        own = {origin: at for origin, at in step.items() if origin not in result.values()}
        result = {**own, **result, **taken, **further}
    return result

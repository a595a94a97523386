"""Computes what players know in a position from the moves that led to it."""

from __future__ import annotations

from interpreter.game import Game, Position
from interpreter.model.state import Move, State
from interpreter.semantics.hidden import Knowledge


def known_by(position: Position, player: int) -> Knowledge:
    """What a player knows in a position, computed from the moves that led to it."""
    observer = position.game.observer
    states = [*position.history, position.state]
    result = Knowledge.begun(observer, player, states[0])
    for before, text, after in zip(states, position.played, states[1:], strict=False):
        result = result.after(observer, before, move_between(position.game, before, text, after), after)
    return result


def move_between(game: Game, before: State, text: str, after: State) -> Move:
    """Find the move with a given text that leads from one position to the next."""
    moves = game.notation.read(before, text, game.engine.legal(before))
    return moves[0] if len(moves) == 1 else next(
        move for move in moves or game.engine.legal(before) if game.engine.apply(before, move) == after)

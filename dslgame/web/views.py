"""Converts positions into what a viewer may see: the only way in which positions leave the server.

A viewer is a player's number, `EVERYTHING` for one who plays all sides on one screen, or `SPECTATOR` for one who plays
none. Every answer about a position goes through `view`, `steps`, `listing` or `check_open`, so that what a game hides
from a viewer is removed here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from dslgame.web import pictures
from dslgame.web.choosing import Chooser, Listing
from dslgame.web.positions import Reached
from dslgame.web.request_schema import EVERYTHING, SPECTATOR, Refused
from dslgame.web.walls import walls
from interpreter.game import Game, Position
from interpreter.model.state import Move, State
from interpreter.unknown import seen_by
from interpreter.wording import sentence

Plain = dict[str, Any]
UNSEEN = "…"
"""Stands for a move by another player of which a viewer sees only the effects."""


def may_move(position: Position, viewer: int) -> bool:
    """Whether a viewer may make the next move; a move of chance is left to `EVERYTHING`, as the page draws it."""
    sides = (EVERYTHING,) if position.by_chance else (EVERYTHING, position.state.to_move)
    return not position.over and viewer in sides


def check_turn(position: Position, viewer: int) -> None:
    """Raise Refused where a viewer may not make the next move."""
    if not may_move(position, viewer):
        over = "the game is over" if position.over else f"{position.game.players[position.state.to_move]} is to move"
        raise Refused(403, "turn", over)


def sees_all(game: Game, viewer: int) -> bool:
    """Whether a game hides nothing from a viewer; trees, and searches of the whole state, are for such viewers only."""
    return viewer == EVERYTHING or game.observer.sees_all


def check_open(game: Game, viewer: int) -> None:
    """Raise Refused where a game hides something from a viewer that the answer would reveal."""
    if not sees_all(game, viewer):
        raise Refused(403, "hidden", "this would show what the game hides from you")


def listing(chooser: Chooser, position: Position, viewer: int, chosen: Sequence[int | str] = ()) -> Listing:
    """The moves that a viewer can make in a position and that begin with the choices so far."""
    if not may_move(position, viewer):
        return Listing(0, [], None)
    return chooser.listing(position, chosen)


def seen(game: Game, state: State, viewer: int) -> State:
    """A state as a viewer sees it; a spectator sees only what all players see."""
    if sees_all(game, viewer):
        return state
    if viewer != SPECTATOR:
        return game.observer.view(state, viewer)
    return game.observer.common(state)


def noticed(position: Position, viewer: int) -> list[int]:
    """The plies, from 1, of the moves that a viewer made or saw an effect of."""
    game = position.game
    if sees_all(game, viewer):
        return [*range(1, len(position.played) + 1)]
    states = [*position.history, position.state]
    return [ply for ply, (before, after) in enumerate(pairwise(states), 1)
            if _own(game, before, viewer) or seen(game, before, viewer) != seen(game, after, viewer)]


def _own(game: Game, before: State, viewer: int) -> bool:
    """Whether the move made in a state was the viewer's own."""
    return before.to_move == viewer and not game.engine.chance.decides(before)


def played(position: Position, viewer: int) -> list[str]:
    """The moves so far; where something is hidden, the viewer's own moves, and `UNSEEN` for others it noticed."""
    if sees_all(position.game, viewer):
        return list(position.played)
    return [position.played[ply - 1] if _own(position.game, position.history[ply - 1], viewer) else UNSEEN
            for ply in noticed(position, viewer)]


def view(chooser: Chooser, reached: Reached, viewer: int) -> Plain:
    """A position as plain values for a viewer: its text, the moves so far, the viewer's legal moves, and its
    picture."""
    position = reached.position
    game, state = position.game, seen(position.game, position.state, viewer)
    told = state if sees_all(game, viewer) else seen_by(game, position.state, None if viewer == SPECTATOR else viewer)
    whole = sees_all(game, viewer)  # else the last move's changes, or its mere existence, could reveal something
    before = position.history[-1] if position.history and whole else None
    moves = listing(chooser, position, viewer)
    return {
        "position": game.position_text(state),
        "played": played(position, viewer),
        "to_move": state.to_move,
        "nature": position.by_chance,
        "over": position.over,
        "outcome": position.outcome, "result": None if position.outcome is None else sentence(position.outcome),
        "winner": state.outcome,
        "count": moves.count,
        "moves": moves.moves,
        "next": moves.next,
        "walls": walls(position) if moves.count and whole else [],
        "picture": pictures.board_picture(game, told, before, reached.move if whole else None, "nothing"),
        "slid": pictures.slid(game, before, reached.move) if before is not None and reached.move is not None else [],
        "beside": pictures.beside(game, told),
        "cells": pictures.cells(game, told),
        "board": game.drawing(told),
    }


def steps(position: Position, move: Move | None, viewer: int) -> tuple[list[Plain], int]:
    """The effects of a move step by step as a viewer sees them, and the number of forced steps; see
    `pictures.frames`."""
    if move is None or move.rule < 0 or not sees_all(position.game, viewer):
        return [], 0
    return pictures.frames(position, move)

"""What a viewer of a game is sent: the only way from a position to values that leave the server.

A viewer is a player's number, `EVERYTHING` for one who plays all sides on one screen, or `SPECTATOR` for one who plays
none. Every answer about a position goes through `view`, `steps`, `listing` or `check_open`, so that what a game hides
from a viewer is left out here and nowhere else.
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

Plain = dict[str, Any]
UNSEEN = "…"
"""What stands for moves of others of which a viewer sees what they changed."""


def may_move(position: Position, viewer: int) -> bool:
    """Whether a viewer makes the move in a position; one of chance is for who plays all sides, as the page draws it."""
    sides = (EVERYTHING,) if position.by_chance else (EVERYTHING, position.state.to_move)
    return not position.over and viewer in sides


def check_turn(position: Position, viewer: int) -> None:
    """Raise Refused where a viewer does not make the move in a position."""
    if not may_move(position, viewer):
        over = "the game is over" if position.over else f"{position.game.players[position.state.to_move]} is to move"
        raise Refused(403, "turn", over)


def sees_all(game: Game, viewer: int) -> bool:
    """Whether a game hides nothing from a viewer; searches and trees, which show all, are for such viewers only."""
    return viewer == EVERYTHING or game.observer.sees_all


def check_open(game: Game, viewer: int) -> None:
    """Raise Refused where a game hides something from a viewer, who asks for what would tell it."""
    if not sees_all(game, viewer):
        raise Refused(403, "hidden", "this would show what the game hides from you")


def listing(chooser: Chooser, position: Position, viewer: int, chosen: Sequence[int | str] = ()) -> Listing:
    """The moves that a viewer can make in a position, and that begin with what is chosen."""
    if not may_move(position, viewer):
        return Listing(0, [], None)
    return chooser.listing(position, chosen)


def seen(game: Game, state: State, viewer: int) -> State:
    """A position as a viewer sees it; one who plays none sees what all players see."""
    if sees_all(game, viewer):
        return state
    if viewer != SPECTATOR:
        return game.observer.view(state, viewer)
    return game.observer.common(state)


def noticed(position: Position, viewer: int) -> list[int]:
    """The plies of the moves that a viewer made or saw something of, from 1: nobody counts what is done unseen."""
    game = position.game
    if sees_all(game, viewer):
        return [*range(1, len(position.played) + 1)]
    states = [*position.history, position.state]
    return [ply for ply, (before, after) in enumerate(pairwise(states), 1)
            if _own(game, before, viewer) or seen(game, before, viewer) != seen(game, after, viewer)]


def _own(game: Game, before: State, viewer: int) -> bool:
    """Whether a move after a position is the viewer's."""
    return before.to_move == viewer and not game.engine.chance.decides(before)


def played(position: Position, viewer: int) -> list[str]:
    """The moves so far; where something is hidden those that the viewer made, and a sign for what else was seen."""
    if sees_all(position.game, viewer):
        return list(position.played)
    return [position.played[ply - 1] if _own(position.game, position.history[ply - 1], viewer) else UNSEEN
            for ply in noticed(position, viewer)]


def view(chooser: Chooser, reached: Reached, viewer: int) -> Plain:
    """A position as a viewer sees it: its text, the moves so far, the viewer's moves, and its picture."""
    position = reached.position
    game, state = position.game, seen(position.game, position.state, viewer)
    whole = sees_all(game, viewer)  # else what the last move changed, or that there was one, could tell something
    before = position.history[-1] if position.history and whole else None
    moves = listing(chooser, position, viewer)
    return {
        "position": game.position_text(state),
        "played": played(position, viewer),
        "to_move": state.to_move,
        "nature": position.by_chance,
        "over": position.over,
        "outcome": position.outcome,
        "winner": state.outcome,
        "count": moves.count,
        "moves": moves.moves,
        "next": moves.next,
        "walls": walls(position) if moves.count and whole else [],
        "picture": pictures.board_picture(game, state, before, reached.move if whole else None, "nothing"),
        "slid": pictures.slid(game, before, reached.move) if before is not None and reached.move is not None else [],
        "beside": pictures.beside(game, state),
        "cells": pictures.cells(game, state),
        "board": game.drawing(state),
    }


def steps(position: Position, move: Move | None, viewer: int) -> tuple[list[Plain], int]:
    """What a viewer sees of a move's effects one after the other, and how many there are; see `pictures.frames`."""
    if move is None or move.rule < 0 or not sees_all(position.game, viewer):
        return [], 0
    return pictures.frames(position, move)

"""What a viewer of a game is sent: the only way from a position to values that leave the server.

A viewer is a player's number, `EVERYTHING` for one who plays all sides on one screen, or `SPECTATOR` for one who plays
none. Every answer about a position goes through `view`, `steps`, `listing` or `check_open`, so that what a game hides
from a viewer is left out here and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from dslgame.web import pictures
from dslgame.web.asking import EVERYTHING, Refused
from dslgame.web.choosing import Chooser, Listing
from dslgame.web.positions import Reached
from interpreter.game import Game, Position
from interpreter.model.state import Move

Plain = dict[str, Any]


def may_move(position: Position, viewer: int) -> bool:
    """Whether a viewer makes the move in a position."""
    return not position.over and viewer in (EVERYTHING, position.state.to_move)


def check_turn(position: Position, viewer: int) -> None:
    """Raise Refused where a viewer does not make the move in a position."""
    if not may_move(position, viewer):
        over = "the game is over" if position.over else f"{position.game.players[position.state.to_move]} is to move"
        raise Refused(403, "turn", over)


def sees_all(game: Game, viewer: int) -> bool:
    """Whether a game hides nothing from a viewer; searches and trees, which show all, are for such viewers only."""
    return True


def check_open(game: Game, viewer: int) -> None:
    """Raise Refused where a game hides something from a viewer, who asks for what would tell it."""
    if not sees_all(game, viewer):
        raise Refused(403, "hidden", "this would show what the game hides from you")


def listing(chooser: Chooser, position: Position, viewer: int, chosen: Sequence[int | str] = ()) -> Listing:
    """The moves that a viewer can make in a position, and that begin with what is chosen."""
    if not may_move(position, viewer):
        return Listing(0, [], None)
    return chooser.listing(position, chosen)


def view(chooser: Chooser, reached: Reached, viewer: int) -> Plain:
    """A position as a viewer sees it: its text, the moves so far, the viewer's moves, and its picture."""
    position = reached.position
    game, state = position.game, position.state
    before = position.history[-1] if position.history else None
    moves = listing(chooser, position, viewer)
    return {
        "position": position.text,
        "played": list(position.played),
        "to_move": state.to_move,
        "over": position.over,
        "outcome": position.outcome,
        "winner": state.outcome,
        "count": moves.count,
        "moves": moves.moves,
        "next": moves.next,
        "picture": pictures.board_picture(game, state, before, reached.move),
        "cells": pictures.cells(game, state),
        "board": position.drawing(),
    }


def steps(position: Position, move: Move | None, viewer: int) -> tuple[list[Plain], int]:
    """What a viewer sees of a move's effects one after the other, and how many there are; see `pictures.frames`."""
    if move is None or move.rule < 0:
        return [], 0
    return pictures.frames(position, move)

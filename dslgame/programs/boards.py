"""Converts positions to and from boards as plain dicts, which have the owner, counters and neighbours of each cell.

`plain_board` writes the board of a position, `position_of` reads it back. The latter needs a game whose positions such
a dict describes completely: each player has at most one kind of piece, and there is at most one number per cell.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dsl.resolve.sorts import Integer
from interpreter.boards import members
from interpreter.game import Game, Position

PlainBoard = dict[str, dict[str, Any]]
MOST_COUNTERS = 10**6


class Unplain(ValueError):
    """A game's positions cannot be written as plain boards, or a board does not fit the game; the message says why."""


def check_plain(game: Game) -> None:
    """Raise Unplain where plain boards do not describe the positions of a game completely."""
    rules, reason = game.rules, ""
    owners = [piece.owner for piece in rules.pieces[1:]]
    if game.board.unbounded:
        reason = "its board has no end"
    elif any(owner is None for owner in owners):
        reason = "it has pieces that are nobody's"
    elif len(owners) != len({*owners}):
        reason = "a player has several kinds of pieces"
    elif rules.piles > 1:
        reason = "pieces lie on each other"
    elif len(rules.variables) > 1 or any(kind.index != "cell" for kind in rules.variables):
        reason = "it counts more than one number for each cell"
    elif any(not isinstance(kind.sort, Integer) for kind in rules.variables):
        reason = f"'{rules.variables[0].name}' is no number"
    elif rules.layers:
        reason = "its cells are linked"
    elif rules.repetition or rules.pies:
        reason = "what was played before matters"
    if reason:
        raise Unplain(f"{game.title} cannot be told as a board of cells with owners and counters: {reason}")


def plain_board(position: Position) -> PlainBoard:
    """The cells by name, each with `counters`, `player` and `neighbours`.

    In games without variables the counters of an occupied cell are 1. Counters of 0 are None.
    """
    game, state = position.game, position.state
    owner: dict[int, int | None] = {}
    for piece, cells in enumerate(state.pieces):
        for cell in members(cells) if piece else ():
            owner[cell] = game.rules.pieces[piece].owner
    counts = game.variable_values(state, 0) if game.rules.variables else None
    names = game.board.names
    board: PlainBoard = {}
    for cell, name in enumerate(names):
        counters = (1 if cell in owner else None) if counts is None else counts[cell] or None
        board[name] = {"counters": counters, "player": owner.get(cell),
                       "neighbours": [names[other] for other in members(game.board.neighbours[cell])]}
    return board


def position_of(game: Game, board: Mapping[str, Any], player: int) -> Position:
    """The position of a plain board, with a player to move. Raises Unplain."""
    check_plain(game)
    names = {name: cell for cell, name in enumerate(game.board.names)}
    start = game.engine.start()
    kinds = {piece.owner: number for number, piece in enumerate(game.rules.pieces) if number}
    pieces = [0] * len(start.pieces)
    values = list(start.values)
    if player not in range(len(game.players)):
        raise Unplain(f"there is no player {player}")
    if board.keys() != names.keys():
        odd = sorted(map(str, board.keys() ^ names.keys()))[0][:80]
        raise Unplain(f"the board has {len(board)} cells, expected the {len(names)} of {game.board.title}; "
                      f"'{odd}' is in one only")
    for name, cell in names.items():
        tile = board[name]
        if not isinstance(tile, Mapping):
            raise Unplain(f"the cell '{name}' is no object")
        owner, counters = tile.get("player"), tile.get("counters")
        if owner is not None and (type(owner) is not int or owner not in kinds):
            raise Unplain(f"the cell '{name}' is of no player that there is")
        if counters is not None and (type(counters) is not int or abs(counters) > MOST_COUNTERS):
            raise Unplain(f"the counters of '{name}' are no number")
        pieces[0 if owner is None else kinds[owner]] |= 1 << cell
        if values:
            values[cell] = counters or 0
    state = start._replace(pieces=tuple(pieces), values=tuple(values), to_move=player, outcome=None)
    return game.read_position(game.position_text(state))


def size_of(game: Game) -> int:
    """The size of a board as one number: the first number of its shape, or its number of cells where it has none."""
    return game.board.shape[0] if game.board.shape else game.board.size

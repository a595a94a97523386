"""Pieces on cells, and tiles whose sides have tracks."""

from __future__ import annotations

from interpreter.compiler.runtime.sets import at, either, holds, nothing
from interpreter.compiler.runtime.types import Cells, Int, IntOf, Row, Static, Table, unrolled


def piece_at(row: Row, cell: Int, pieces: Static, words: Static) -> Int:
    """The piece on a cell."""
    if pieces > 8:
        for p in range(pieces):
            if holds(row, p * words, cell):
                return p
        return 0
    if holds(row, 0, cell):
        return 0
    for piece in unrolled(range(1, pieces - 1)):
        if holds(row, piece * words, cell):
            return piece
    return pieces - 1


def facing(row: Row, cell: Int, direction: Int, sides: Table, steps: Table, count: Static, piece_on: IntOf) -> Int:
    """The player whose track on the next cell in a direction leads to a cell, -1 for nobody.

    `sides` has for each piece the player of the track at each of its sides, `steps` the next cells.
    """
    place = steps[cell * count + direction + count]
    if place < 0:
        return -1
    return sides[piece_on(row, place) * count + (direction + count // 2) % count]


def track_cells(state: Row, player: Int, sides: Table, count: Static, pieces: Static, words: Static) -> Cells:
    """The cells of tiles with a track of a player."""
    found = nothing(words)
    for piece in range(1, pieces):
        for d in range(count):
            if sides[piece * count + d] == player:
                found = either(found, at(state, piece * words, words))
                break
    return found


def track_leaving(state: Row, cells: Cells, player: Int, direction: Int, sides: Table, count: Static, pieces: Static,
                  words: Static) -> Cells:
    """The cells from which a network of tracks leads out in a direction."""
    found = nothing(words)
    for piece in range(1, pieces):
        if sides[piece * count + direction] == player:
            found = either(found, at(state, piece * words, words))
    return found


def leaving(state: Row, cells: Cells, player: Int, direction: Int) -> Cells:
    """The cells from which a network of another kind leads out in a direction: all its cells."""
    return cells

"""Games of Reversi as the text that players exchange: `f5d6c3d3c4`, a line for each game.

Capital letters, spaces, commas and numbers of moves are read over, and so is what follows `#`. A pass is not written;
it is read where it stands, as `pass`, `pa`, `ps` or `--`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from dslgame import records
from dslgame.records import BadRecord, Record
from interpreter.game import Position

TITLE, SUFFIX = "Reversi", ".txt"
SEVERAL = True
_TOKEN = re.compile(r"(?P<cell>[a-h][1-8])|(?P<pass>pass|pa|ps|--)|\d+\.|[\s,]+")


def read(text: str) -> list[Record]:
    """The games in a file's text. Raises BadRecord."""
    found = []
    for line, row in enumerate(text.splitlines(), start=1):
        row = row.partition("#")[0].strip().lower()
        if row:
            found.append(record_of(_moves(row, line), line, ""))
    if not found:
        raise BadRecord(1, "found no game, expected moves such as f5d6c3")
    return found


def _moves(row: str, line: int) -> list[str]:
    """The moves of a line. Raises BadRecord."""
    moves, position = [], 0
    while position < len(row):
        match = _TOKEN.match(row, position)
        if match is None:
            raise BadRecord(line, f"found '{row[position:position + 4]}' after {len(moves)} moves, expected a cell "
                                  "from a1 to h8")
        if match["cell"] or match["pass"]:
            moves.append(match["cell"] or "pass")
        position = match.end()
    return moves


def record_of(moves: Iterable[str], line: int, place: str, details: dict[str, str] | None = None) -> Record:
    """The record of moves in which passes may be missing; `place` begins messages. Raises BadRecord."""
    position = records.start_of(Record(TITLE, {}, ()))
    for number, move in enumerate(moves, start=1):
        if move != "pass" and position.moves() == ("pass",):
            position = position.play("pass")
        if move not in position.moves():
            why = f"the game is over before it ({position.outcome})" if position.over else f"{position.to_move} to move"
            raise BadRecord(line, f"{place}move {number}, '{move}', is not legal: {why}",
                            "" if position.over else f"legal moves are {' '.join(position.moves())}")
        position = position.play(move)
    if position.moves() == ("pass",):
        position = position.play("pass")
    lines = (line,) * len(position.played)
    return Record(TITLE, dict(position.game.params), position.played, details or {}, lines, last=position)


def cells_of(record: Record, suffix: str) -> tuple[list[str], Position]:
    """The moves of a record without its passes, and its last position. Raises BadRecord for other boards."""
    position = records.replay(record)
    if position.game.board.size != 64:
        raise BadRecord(0, f"{suffix} files hold games on 8 times 8 cells, found a board of {position.game.board.size} "
                           "cells", "leave -p half out")
    return [move for move in position.played if move != "pass"], position


def write(games: list[Record]) -> str:
    """The text of a file. Raises BadRecord for a game without moves, which no line can hold."""
    if not all(record.moves for record in games):
        raise BadRecord(0, "found a game without moves, expected at least one: each line has the moves of a game")
    return "".join("".join(cells_of(record, SUFFIX)[0]) + "\n" for record in games)

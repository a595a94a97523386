"""Games of Reversi as the text that players exchange: `f5d6c3d3c4`, a line for each game.

Capital letters, spaces, commas and numbers of moves are read over, and so is what follows `#`. A pass is not written;
it is read where it stands, as `pass`, `pa`, `ps` or `--`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from typing import BinaryIO

import attrs

from dslgame import records
from dslgame.records import BadRecord, Reader, Record, Word
from interpreter.game import Position

TITLE, SUFFIX = "Reversi", ".txt"
SEVERAL = True
_TOKEN = re.compile(r"(?P<cell>[a-h][1-8])|(?P<pass>pass|pa|ps|--)|\d+\.|[\s,]+")


def games(stream: BinaryIO) -> Iterator[Reader]:
    """The games in a file. Raises BadRecord."""
    found = False
    for line, row in enumerate(records.lines_of(stream), start=1):
        row = row.partition("#")[0].strip().lower()
        if row:
            found = True
            yield partial(_record, row, line)
    if not found:
        raise BadRecord(1, "found no game, expected moves such as f5d6c3")


def _record(row: str, line: int) -> Record:
    return record_of(_moves(row, line), line, "")


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


def record_of(moves: Iterable[str], line: int, place: str, details: Mapping[str, str] | None = None) -> Record:
    """The record of moves in which passes may be missing; `place` begins messages. Raises BadRecord."""
    def meaning(position: Position, word: Word) -> Sequence[str]:
        passes = [] if word.text == "pass" or position.moves() != ("pass",) else ["pass"]
        if not word.text:
            return passes
        after = position.play("pass") if passes else position
        if word.text not in after.moves():
            number = len(after.played) + 1
            why = f"the game is over before it ({after.outcome})" if after.over else f"{after.to_move} to move"
            raise BadRecord(line, f"{place}move {number}, '{word.text}', is not legal: {why}",
                            "" if after.over else f"legal moves are {' '.join(after.moves())}")
        return [*passes, word.text]

    end = Word("", line)  # a pass may be the last move
    record = Record(TITLE, {}, (), details or {})
    found = records.following(record, chain((Word(move, line) for move in moves), [end]), meaning)
    assert found.last is not None
    return attrs.evolve(found, params=dict(found.last.game.params))


def cells_of(record: Record, suffix: str) -> tuple[list[str], Position]:
    """The moves of a record without its passes, and its last position. Raises BadRecord for other boards."""
    position = records.replay(record)
    if position.game.board.size != 64:
        raise BadRecord(0, f"{suffix} files hold games on 8 times 8 cells, found a board of {position.game.board.size} "
                           "cells", "leave -p half out")
    return [move for move in position.played if move != "pass"], position


def write(games: Iterable[Record]) -> Iterator[str]:
    """The text of a file. Raises BadRecord for a game without moves, which no line can hold."""
    for record in games:
        if not record.moves:
            raise BadRecord(0, "found a game without moves, expected at least one: each line has the moves of a game")
        yield "".join(cells_of(record, SUFFIX)[0]) + "\n"

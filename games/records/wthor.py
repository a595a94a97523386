"""Games of Reversi in WTHOR files (`.wtb`), the database of the French Othello federation.

16 bytes about the file, then 68 for each game: numbers of the tournament and the players, whose names are in other
files, the score, and up to 60 moves, each 10 times its row plus its column. Passes are not written. Boards of 8 times 8
only.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from functools import partial
from typing import BinaryIO

from dslgame import records
from dslgame.records import BadRecord, Reader, Record

TITLE, SUFFIX = "Reversi", ".wtb"
SEVERAL = True
_transcript = records.format_named("transcript")
_HEAD = struct.Struct("<4B I 2H 4B")
"""Century, year, month and day of the file; games; nothing here; year of the games; size, kind, depth, nothing."""
_GAME = struct.Struct("<3H 2B 60s")
"""Tournament, Black, White; discs of Black at the end and with best play; moves."""
_NUMBERS = ("tournament", "Black", "White", "discs", "best")


def games(stream: BinaryIO) -> Iterator[Reader]:
    """The games in a file. Raises BadRecord."""
    data = stream.read(_HEAD.size)
    if len(data) < _HEAD.size:
        raise BadRecord(0, f"the file has {len(data)} bytes, expected at least {_HEAD.size} about it")
    head = _HEAD.unpack(data)
    count, year, size, kind = head[4], head[6], head[7], head[8]
    if size not in (0, 8) or kind not in (0, 1):
        raise BadRecord(0, f"found a file of kind {kind} with boards of size {size}, expected games on 8 times 8 cells")
    for number in range(1, max(count, 1) + 1):
        game = stream.read(_GAME.size)
        yield partial(_record, game, number, count, year)
        if len(game) < _GAME.size:
            return
    if stream.read(1):
        raise BadRecord(0, f"the file goes on after the {count} games that it says it has: it is no WTHOR file")


def _record(data: bytes, game: int, count: int, year: int) -> Record:
    if len(data) < _GAME.size:
        raise BadRecord(0, f"the file says that it has {count} games, and ends within game {game}: it is cut off, or "
                           "no WTHOR file")
    *numbers, moves = _GAME.unpack(data)
    cells = []
    for place, value in enumerate(moves.rstrip(b"\0"), start=1):
        row, column = divmod(value, 10)
        if not (1 <= row <= 8 and 1 <= column <= 8):
            raise BadRecord(0, f"game {game}, move {place}: found the number {value}, expected 10 times a row "
                               "plus a column, both from 1 to 8")
        cells.append(f"{'abcdefgh'[column - 1]}{row}")
    details = {name: str(value) for name, value in zip(("year", *_NUMBERS), (year, *numbers), strict=True) if value}
    record: Record = _transcript.record_of(cells, 0, f"game {game}, ", details)
    return record


def write(games: Iterable[Record]) -> Iterator[bytes]:
    """The content of a file. Raises BadRecord for other boards."""
    rows, year = [], 0
    for record in games:
        cells, position = _transcript.cells_of(record, SUFFIX)
        numbers = [_number(record, name) for name in _NUMBERS]
        if position.over:
            numbers[3] = sum(name == "black" for name in position.pieces.values())
        moves = bytes(10 * int(cell[1]) + "abcdefgh".index(cell[0]) + 1 for cell in cells)
        rows.append(_GAME.pack(*numbers, moves))
        year = year or _number(record, "year")
    yield _HEAD.pack(year // 100, year % 100, 1, 1, len(rows), 0, year, 8, 0, 0, 0)
    yield from rows


def _number(record: Record, name: str) -> int:
    """What a record says besides, as a number that fits; 0 where it says none."""
    text = record.details.get(name, "")
    return int(text) if text.isdecimal() and int(text) < (256 if name in ("discs", "best") else 1 << 16) else 0

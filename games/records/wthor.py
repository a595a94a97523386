"""Games of Reversi in WTHOR files (`.wtb`), the database of the French Othello federation.

16 bytes about the file, then 68 for each game: numbers of the tournament and the players, whose names are in other
files, the score, and up to 60 moves, each 10 times its row plus its column. Passes are not written. Boards of 8 times 8
only.
"""

from __future__ import annotations

import struct

from dslgame import records
from dslgame.records import BadRecord, Record

TITLE, SUFFIX = "Reversi", ".wtb"
SEVERAL = BINARY = True
_transcript = records.format_named("transcript")
_HEAD = struct.Struct("<4B I 2H 4B")
"""Century, year, month and day of the file; games; nothing here; year of the games; size, kind, depth, nothing."""
_GAME = struct.Struct("<3H 2B 60s")
"""Tournament, Black, White; discs of Black at the end and with best play; moves."""
_NUMBERS = ("tournament", "Black", "White", "discs", "best")


def read(data: bytes) -> list[Record]:
    """The games in a file. Raises BadRecord."""
    if len(data) < _HEAD.size:
        raise BadRecord(0, f"the file has {len(data)} bytes, expected at least {_HEAD.size} about it")
    head = _HEAD.unpack_from(data)
    count, year, size, kind = head[4], head[6], head[7], head[8]
    if size not in (0, 8) or kind not in (0, 1):
        raise BadRecord(0, f"found a file of kind {kind} with boards of size {size}, expected games on 8 times 8 cells")
    if len(data) != _HEAD.size + count * _GAME.size or not count:
        raise BadRecord(0, f"the file says that it has {count} games and has {len(data)} bytes, expected "
                           f"{_HEAD.size + max(count, 1) * _GAME.size}: it is cut off, or no WTHOR file")
    return [_record(data, number, year) for number in range(count)]


def _record(data: bytes, number: int, year: int) -> Record:
    *numbers, moves = _GAME.unpack_from(data, _HEAD.size + number * _GAME.size)
    cells = []
    for place, value in enumerate(moves.rstrip(b"\0"), start=1):
        row, column = divmod(value, 10)
        if not (1 <= row <= 8 and 1 <= column <= 8):
            raise BadRecord(0, f"game {number + 1}, move {place}: found the number {value}, expected 10 times a row "
                               "plus a column, both from 1 to 8")
        cells.append(f"{'abcdefgh'[column - 1]}{row}")
    details = {name: str(value) for name, value in zip(("year", *_NUMBERS), (year, *numbers), strict=True) if value}
    record: Record = _transcript.record_of(cells, 0, f"game {number + 1}, ", details)
    return record


def write(games: list[Record]) -> bytes:
    """The content of a file. Raises BadRecord for other boards."""
    rows = []
    for record in games:
        cells, position = _transcript.cells_of(record, SUFFIX)
        numbers = [_number(record, name) for name in _NUMBERS]
        if position.over:
            numbers[3] = sum(name == "black" for name in position.pieces.values())
        moves = bytes(10 * int(cell[1]) + "abcdefgh".index(cell[0]) + 1 for cell in cells)
        rows.append(_GAME.pack(*numbers, moves))
    year = _number(games[0], "year")
    head = _HEAD.pack(year // 100, year % 100, 1, 1, len(games), 0, year, 8, 0, 0, 0)
    return head + b"".join(rows)


def _number(record: Record, name: str) -> int:
    """What a record says besides, as a number that fits; 0 where it says none."""
    text = record.details.get(name, "")
    return int(text) if text.isdecimal() and int(text) < (256 if name in ("discs", "best") else 1 << 16) else 0

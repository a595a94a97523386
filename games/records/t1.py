"""TwixT games in the files of T1j: `#` comments, eleven lines about the game, then a move a line.

The player whose sides are top and bottom (Y, Red here) and the one whose sides are left and right (X, Blue) are named;
either may begin. Red begins in `twixt.game`: a game that Blue began is read mirrored on the diagonal, and written back
as it was. A swap of sides is no move in these files: who swaps takes over the other's name. So a swap by seats
(`swap=2`) is written as an exchange of names, and one that turns the peg (`swap=1`) cannot be written, nor the rule
that ends a game as drawn early.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import BinaryIO

from dslgame import records
from dslgame.records import BadRecord, Reader, Record

TITLE, SUFFIX = "TwixT", ".T1"
_HEAD = ("version", "Y", "X", "Y size", "X size", "Y played by", "X played by", "first", "direction", "pie rule",
         "over")
"""The lines about the game, in their order."""
_SAID = {
    "version": "the version of the format", "Y": "the name of the player from top to bottom",
    "X": "the name of the player from left to right", "Y size": "rows", "X size": "columns",
    "Y played by": "H for a human, C for a computer", "X played by": "H for a human, C for a computer",
    "first": "who begins: 1 from top to bottom, 2 from left to right", "direction": "the direction of the letters",
    "pie rule": "Y where sides may be swapped, else N", "over": "Y where the game is over, else N",
}
_EXPECTED = {
    "version": r"\d+", "Y size": r"\d+", "X size": r"\d+", "Y played by": "[HC]", "X played by": "[HC]",
    "first": "[12]", "pie rule": "[YN]", "over": "[YN]",
}
"""What these lines must be."""
_DEFAULTS = {"version": "1", "Y": "Red", "X": "Blue", "Y played by": "H", "X played by": "H", "first": "1",
             "direction": "V"}
_LEAST, _MOST = 5, 36


def games(stream: BinaryIO) -> Iterator[Reader]:
    """The game in a file. Raises BadRecord."""
    yield partial(_record, records.whole(stream))


def _record(text: str) -> Record:
    """The game in a file's text. Raises BadRecord."""
    rows = [(number, row.partition("#")[0].strip()) for number, row in enumerate(text.splitlines(), start=1)]
    rows = [(number, row) for number, row in rows if row]
    if len(rows) < len(_HEAD):
        missing = _HEAD[len(rows)]
        raise BadRecord(rows[-1][0] if rows else 0,
                        f"the file ends after {len(rows)} of the {len(_HEAD)} lines about the game",
                        f"next comes {_SAID[missing]}; then the moves, one a line")
    details: dict[str, str] = {}
    for name, (number, row) in zip(_HEAD, rows, strict=False):
        if name in _EXPECTED and not re.fullmatch(_EXPECTED[name], row, re.IGNORECASE):
            raise BadRecord(number, f"found '{row}', expected {_SAID[name]}",
                            f"the {len(_HEAD)} lines about the game are: {', '.join(_HEAD)}")
        if name in ("Y size", "X size") and not _LEAST <= int(row) <= _MOST:
            raise BadRecord(number, f"the board has {row} {_SAID[name]}, expected {_LEAST} to {_MOST}")
        details[name] = row.upper() if name in _EXPECTED else row
    height, width = int(details.pop("Y size")), int(details.pop("X size"))
    mirrored = details["first"] == "2"
    moves = []
    for number, row in rows[len(_HEAD) :]:
        place = re.fullmatch(r"([A-Za-z]{1,2})(\d+)", row)
        column = _column(place[1]) if place else -1
        line = int(place[2]) - 1 if place else -1
        if not 0 <= column < width or not 0 <= line < height:
            raise BadRecord(number, f"found '{row}', expected a hole of the board such as D9",
                            f"columns are A to {_letters(width - 1).upper()}, rows 1 to {height}")
        moves.append(_place(line, column) if mirrored else _place(column, line))
    params = {"rows": width if mirrored else height, "columns": height if mirrored else width,
              "swap": 2 if details.pop("pie rule") == "Y" else 0, "early_draw": 0}
    return Record(TITLE, params, tuple(moves), details, tuple(number for number, _ in rows[len(_HEAD) :]))


def write(games: Iterable[Record]) -> Iterator[str]:
    """The text of a file. Raises BadRecord for what the format cannot hold."""
    return map(_text, games)


def _text(record: Record) -> str:
    """The text of a game."""
    details = {**_DEFAULTS, **record.details}
    mirrored = details["first"] == "2"
    swaps = [number for number, move in enumerate(record.moves) if move == "swap"]
    if record.params.get("swap") == 1 and (swaps or len(record.moves) < 2):
        raise BadRecord(0, "this format has no swap that turns the peg", "play with -p swap=2 or -p swap=0")
    if record.params.get("early_draw"):
        raise BadRecord(0, "this format has no draw before the board is full", "play with -p early_draw=0")
    if swaps:
        for one, other in (("Y", "X"), ("Y played by", "X played by")):
            details[one], details[other] = details[other], details[one]
    rows, columns = record.params["rows"], record.params["columns"]
    details["Y size"], details["X size"] = (str(columns), str(rows)) if mirrored else (str(rows), str(columns))
    details["pie rule"] = "Y" if record.params.get("swap") else "N"
    details["over"] = "Y" if records.replay(record).over else details.get("over", "N")
    lines = ["# A game of TwixT, written by dslgame."]
    lines += [f"{_one_line(details[name])} # {_SAID[name]}" for name in _HEAD]
    lines.append("# moves")
    for move in record.moves:
        if move != "swap":
            letters, digits = re.fullmatch(r"([a-z]+)(\d+)", move).groups()  # type: ignore[union-attr]
            column, line = _column(letters), int(digits) - 1
            lines.append((_place(line, column) if mirrored else _place(column, line)).upper())
    return "\n".join(lines) + "\n"


def _column(letters: str) -> int:
    """The number of a column: A is 0, Z 25, AA 26."""
    found = 0
    for letter in letters.lower():
        found = 26 * found + ord(letter) - ord("a") + 1
    return found - 1


def _letters(column: int) -> str:
    """The letters of a column."""
    return (chr(ord("a") + column // 26 - 1) if column > 25 else "") + chr(ord("a") + column % 26)


def _place(column: int, line: int) -> str:
    return f"{_letters(column)}{line + 1}"


def _one_line(text: str) -> str:
    """A name as the file can hold it."""
    return " ".join(text.replace("#", " ").split()) or "-"

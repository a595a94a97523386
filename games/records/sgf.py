"""Games in SGF, the Smart Game Format (FF[4]): Go with points such as `cd`, Hex and Havannah with cells such as `c4`.

The main line is read: the first branch of each fork. What the root says besides is kept, such as the players' names.
Setup stones are no moves, and are refused. The first player is B in Go and Hex, W in Havannah.

Havannah has no number in SGF. Little Golem says `EV[havannah...]` and counts each column from 1, as our cells are
named; programs that say `GM[havannah]` count along slanted rows, so that columns right of the middle begin later. A
swap of sides, which these rules do not have, leaves the stones as they are: the players' names are exchanged instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from string import ascii_lowercase
from typing import BinaryIO

import attrs

from dslgame import records
from dslgame.records import BadRecord, Reader, Record

SUFFIX = ".sgf"


@attrs.frozen
class _Kind:
    """How a game is written in SGF."""

    title: str
    number: str
    """The value of GM."""
    size: int
    """Where SZ says none."""
    points: bool
    """Whether cells are two letters, counted from the top left, and `` or `tt` is a pass."""
    komi: bool = False
    first: str = "B"
    slanted: bool = False
    """Whether cells are counted along slanted rows of a hexagon."""


_GO = _Kind("Go", "1", 19, points=True, komi=True)
_HAVANNAH = _Kind("Havannah", "", 8, points=False, first="W")
_KINDS = (_GO, _Kind("Hex", "11", 11, points=False), _HAVANNAH,
          _Kind("Havannah", "havannah", 8, points=False, first="W", slanted=True))
TITLES = tuple(dict.fromkeys(kind.title for kind in _KINDS))
_TOKEN = re.compile(r"\s*(?:(?P<sign>[();])|(?P<name>[A-Za-z]+)|\[(?P<value>(?:\\.|[^\]\\])*)\]|(?P<bad>\S))",
                    re.DOTALL)
_ROOT = ("FF", "CA", "GM", "SZ", "KM", "AP", "ST")
"""Properties that are written anew, and are no details."""
_OTHER_SEAT = {"PB": "PW", "PW": "PB", "BR": "WR", "WR": "BR", "BT": "WT", "WT": "BT"}
"""What is said of the other player."""
_Node = list[tuple[str, list[str], int]]


def games(stream: BinaryIO) -> Iterator[Reader]:
    """The game in a file. Raises BadRecord."""
    yield partial(_record, records.whole(stream))


def _record(text: str) -> Record:
    """The game in a file's text. Raises BadRecord."""
    nodes = list(_main_line(text))
    if not nodes:
        raise BadRecord(1, "found no game, expected one such as (;FF[4]GM[1]SZ[9];B[ee];W[cc])")
    root = {name: (values, line) for name, values, line in nodes[0]}
    kind = _kind(root)
    size = _size(*root.get("SZ", ([str(kind.size)], 1)))
    params = {"size": size}
    if kind.komi:
        params["komi"] = _komi(*root.get("KM", (["0"], 1)))
    moves: list[str] = []
    lines: list[int] = []
    exchanged = False
    for node in nodes:
        for name, values, place in node:
            if name in ("AB", "AW", "AE"):
                raise BadRecord(place, f"found {name}, which sets stones up, expected a game from an empty board",
                                "handicap stones are no moves of these rules")
            if name in ("B", "W"):
                expected = _side(kind, len(moves) + exchanged)
                if name != expected:
                    raise BadRecord(place, f"found a move of {name}, expected one of {expected}: they take turns")
                if kind.title == _HAVANNAH.title and values[0].strip().lower() == "swap":
                    if len(moves) != 1:
                        raise BadRecord(place, "found a swap, expected one as the second move only")
                    exchanged = True
                    continue
                if kind.title == _HAVANNAH.title and values[0].strip().lower() == "resign":
                    continue
                moves.append(_move(values[0].strip(), kind, size, place))
                lines.append(place)
    details = {name: values[0] for name, (values, _) in root.items() if name not in _ROOT and name not in ("B", "W")}
    if exchanged:
        details = {_OTHER_SEAT.get(name, name): value for name, value in details.items()}
        if details.get("RE", "")[:1] in ("B", "W"):
            details["RE"] = {"B": "W", "W": "B"}[details["RE"][0]] + details["RE"][1:]
    return Record(kind.title, params, tuple(moves), details, tuple(lines))


def write(games: Iterable[Record]) -> Iterator[str]:
    """The text of a file. Raises BadRecord for what the format cannot hold."""
    return map(_text, games)


def _text(record: Record) -> str:
    """The text of a game."""
    kind = next(kind for kind in _KINDS if kind.title == record.title)
    size = record.params["size"]
    said = f"GM[{kind.number}]" if kind.number else "" if "EV" in record.details else f"EV[{kind.title.lower()}]"
    rows = [f"(;FF[4]CA[UTF-8]{said}SZ[{size}]"]
    if kind.komi:
        rows[0] += f"KM[{record.params.get('komi', 0) / 2:g}]"
    rows[0] += "".join(f"{name}[{_escaped(value)}]" for name, value in record.details.items()
                       if re.fullmatch("[A-Z]{1,2}", name))
    rows += [f";{_side(kind, number)}[{_written(move, kind, size)}]" for number, move in enumerate(record.moves)]
    return "\n".join(rows) + ")\n"


def _kind(root: dict[str, tuple[list[str], int]]) -> _Kind:
    """The game of a file, by the properties of its root. Raises BadRecord."""
    event = root.get("EV", ([""], 1))[0][0].strip().lower()
    if "GM" not in root:
        return _HAVANNAH if event.startswith(_HAVANNAH.title.lower()) else _GO
    number, line = root["GM"]
    kind = next((kind for kind in _KINDS if kind.number and kind.number == number[0].strip().lower()), None)
    if kind is None:
        known = ", ".join(f"GM[{kind.number}] {kind.title}" for kind in _KINDS if kind.number)
        raise BadRecord(line, f"found GM[{number[0]}], expected a game that is known: {known}")
    return kind


def _side(kind: _Kind, number: int) -> str:
    """`B` or `W`: whose move is the one of a number, from 0."""
    return "BW"[(number + (kind.first == "W")) % 2]


def _main_line(text: str) -> Iterator[_Node]:
    """The nodes of the first branch, each with its properties and their lines. Raises BadRecord."""
    depth, closed, node, begun = 0, False, _Node(), False
    position = 0
    while match := _TOKEN.match(text, position):
        position = match.end()
        line = text.count("\n", 0, position) + 1
        if match["bad"]:
            raise BadRecord(line, f"found '{match['bad']}', expected '(', ';', ')' or a property such as B[dd]")
        if match["sign"] == ")":
            closed = True  # whatever comes is another branch
        elif closed:
            break
        elif match["sign"] == "(":
            depth += 1
        elif match["sign"] == ";":
            if depth == 0:
                raise BadRecord(line, "found ';' outside of '(...)', expected '(;' at the beginning")
            if begun:
                yield _valued(node)
            node, begun = [], True
        elif match["name"]:
            node.append((re.sub("[a-z]", "", match["name"]), [], line))
        elif match["value"] is not None:
            if not node:
                raise BadRecord(line, f"found [{match['value']}] without a property before it")
            node[-1][1].append(re.sub(r"\\(.)", r"\1", match["value"]))
    if begun and not closed:
        raise BadRecord(text.count("\n") + 1, "the file ends within a game, expected ')'")
    if begun:
        yield _valued(node)


def _valued(node: _Node) -> _Node:
    """The node, if each of its properties has a value. Raises BadRecord."""
    for name, values, line in node:
        if not values:
            raise BadRecord(line, f"found the property {name} without a value")
    return node


def _size(values: list[str], line: int) -> int:
    if not re.fullmatch(r"\s*\d{1,2}\s*", values[0]):
        raise BadRecord(line, f"found SZ[{values[0]}], expected one number: the board is as wide as high")
    return int(values[0])


def _komi(values: list[str], line: int) -> int:
    try:
        return round(2 * float(values[0]))
    except (ValueError, OverflowError):
        raise BadRecord(line, f"found KM[{values[0]}], expected a number such as 6.5") from None


def _move(text: str, kind: _Kind, size: int, line: int) -> str:
    """A move in our notation. Raises BadRecord."""
    if kind.slanted:
        return _upright(text.lower(), size, line)
    if not kind.points:
        return text.lower()
    if text == "" or (text == "tt" and size <= 19):
        return "pass"
    inside = ascii_lowercase[:size]
    if len(text) != 2 or text[0] not in inside or text[1] not in inside:
        raise BadRecord(line, f"found the point '{text}', expected two letters from a to {inside[-1]}, or none to pass")
    return f"{text[0]}{size - inside.index(text[1])}"


def _upright(text: str, size: int, line: int) -> str:
    """A cell counted along slanted rows, as our cells are named. Raises BadRecord."""
    found = re.fullmatch(r"([a-z])(\d+)", text)
    if found is None:
        raise BadRecord(line, f"found the cell '{text}', expected a letter and a number")
    return f"{found[1]}{int(found[2]) - max(0, ascii_lowercase.index(found[1]) - size + 1)}"


def _written(move: str, kind: _Kind, size: int) -> str:
    if not kind.points:
        return move
    return "" if move == "pass" else move[0] + ascii_lowercase[size - int(move[1:])]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")

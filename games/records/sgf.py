"""Games in SGF, the Smart Game Format (FF[4]): Go with points such as `cd`, Hex and Havannah with cells such as `c4`.

The main line is read: the first branch of each fork. What the root says besides is kept, such as the players' names.
Stones that are set up before the first move, such as those of a handicap, make the position in which the game begins.
The first player is B in Go and Hex, W in Havannah.

Where the file says no game, EV does on Little Golem, whose games of Hex have points and W for the first player.
Havannah is counted there from 1 in each column, as our cells are named; programs that say `GM[havannah]` count along
slanted rows, so that columns right of the middle begin later.

`swap-pieces` makes a game of Hex with the pie rule. A swap of sides, which these rules do not have, leaves the stones
as they are: where the letters stand for players and not for stones, the players' names are exchanged instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from math import floor
from string import ascii_lowercase
from typing import BinaryIO

import attrs

from dslgame import game_trees, records
from dslgame.game_trees import Property, Tree
from dslgame.programs.protocols.dialects import dialect_of
from dslgame.records import BadRecord, Reader, Record
from interpreter.boards import members
from interpreter.game import Game

SUFFIX = ".sgf"
SEVERAL = True
POSITIONS = True


@attrs.frozen
class _Kind:
    """How a game is written in SGF."""

    title: str
    number: str
    """The value of GM."""
    size: int
    """Where SZ says none."""
    event: str = ""
    """How EV begins where there is no GM; '' where it does not tell."""
    points: bool = False
    """Whether cells are two letters, counted from the top left, and `` or `tt` is a pass."""
    komi: bool = False
    first: str = "B"
    slanted: bool = False
    """Whether cells are counted along slanted rows of a hexagon."""
    swapped: str = ""
    """The title of the game in which the second player may swap; '' where a swap exchanges the players' names."""

    def letter(self, side: int) -> str:
        """`B` or `W`: the letter of a player."""
        return "BW"[side ^ (self.first == "W")]


_GO = _Kind("Go", "1", 19, "go", points=True, komi=True)
_KINDS = (_GO, _Kind("Hex", "11", 11, swapped="Pie Hex"), _Kind("Hex", "", 11, "hex", first="W", swapped="Pie Hex"),
          _Kind("Havannah", "", 8, "havannah", first="W"),
          _Kind("Havannah", "havannah", 8, first="W", slanted=True))
TITLES = tuple(dict.fromkeys(title for kind in _KINDS for title in (kind.title, kind.swapped) if title))
_SETUP = ("AB", "AW", "AE")
_ROOT = ("FF", "CA", "GM", "SZ", "KM", "AP", "ST", "PL", "B", "W", *_SETUP)
"""Properties that are written anew, and are no details."""
_TEXTS = ("C", "GC")
"""Properties of several lines."""
_OTHER = {"B": "W", "W": "B"}
_OTHER_SEAT = {"PB": "PW", "PW": "PB", "BR": "WR", "WR": "BR", "BT": "WT", "WT": "BT"}
"""What is said of the other player."""
_SWAPS = ("swap", "swap-pieces", "swap-sides")
_ENDS = ("resign", "forfeit")


def games(stream: BinaryIO) -> Iterator[Reader]:
    """The games in a file. Raises BadRecord."""
    for tree in game_trees.trees(stream):
        yield partial(_record, tree)


def write(games: Iterable[Record]) -> Iterator[str]:
    """The text of a file. Raises BadRecord for what the format cannot hold."""
    return map(_text, games)


# ---- reading


@attrs.define
class _Line:
    """The main line of a game as it is read."""

    kind: _Kind
    size: int
    title: str
    notes: list[BadRecord]
    stones: dict[str, str] = attrs.field(factory=dict)
    """The letter of each stone that is set up before the first move, by cell."""
    turn: str = ""
    """Who makes the first move; '' while nothing says so."""
    moves: list[tuple[str, int]] = attrs.field(factory=list)
    """The moves in our notation, each with its line."""
    next: str = ""
    """The letter of the next move."""
    exchanged: bool = False
    """Whether the letters stand for players who have exchanged their seats."""
    swap: tuple[str, int] | None = None
    """A swap and its line, while the next move has not told what the letters stand for."""
    winner: str = ""
    """The letter of the player to whom the other resigned."""
    late: BadRecord | None = None
    """Stones that are set up after the first move."""
    stopped: BadRecord | None = None

    def take(self, item: Property) -> None:
        """Take note of a property. Raises BadRecord for one after which the game cannot be read."""
        if item.name in _SETUP:
            if self.moves:
                self.late = self.late or BadRecord(item.line, f"found {item.name}, which sets stones up during the "
                                                              "game; expected that before the first move")
            else:
                for cell in _cells(item, self.kind, self.size):
                    self.stones[cell] = item.name[1]
        elif item.name == "PL" and not self.moves:
            self.turn = {"1": "B", "2": "W"}.get(item.values[0].strip(), item.values[0].strip()[:1].upper())
        elif item.name in _OTHER:
            if self.late is not None:
                raise self.late
            self._move(item.name, item.values[0].strip(), item.line)

    def _move(self, letter: str, value: str, line: int) -> None:
        folded = value.lower()
        if not self.kind.points and folded in _ENDS:
            self.winner = _OTHER[letter]
            return
        if not self.moves:
            self.turn = self.next = letter
        if self.swap is not None:
            self._swapped(letter)
        expected = _OTHER[self.next] if self.exchanged else self.next
        if letter != expected:
            if not self.kind.points:
                raise BadRecord(line, f"found a move of {letter}, expected one of {expected}: they take turns")
            self.notes.append(BadRecord(line, f"found a move of {letter}, expected one of {expected}; it is read as if "
                                              f"{expected} had passed before"))
            self._add("pass", line)
        if not self.kind.points and folded in _SWAPS:
            if len(self.moves) != 1:
                raise BadRecord(line, "found a swap, expected one as the second move only")
            self.swap = folded, line
            return
        self._add(_move(value, self.kind, self.size, line), line)

    def _add(self, move: str, line: int) -> None:
        self.moves.append((move, line))
        self.next = _OTHER[self.next]

    def _swapped(self, letter: str) -> None:
        """Carry out a swap, by the letter of the next move.

        Where that is the letter of the swap, sides were swapped, whatever the swap is called, and letters stand for
        stones: in 38 games of programs that write `swap-pieces` so, the first stone's cell was never played again, and
        its mirror image was in 12.
        """
        assert self.swap is not None
        (value, line), self.swap = self.swap, None
        stays = letter == self.next
        if not self.kind.swapped or value == "swap-sides" or stays:
            self.exchanged = not stays
        else:
            self.title = self.kind.swapped
            self._add("swap", line)

    def whole(self) -> None:
        """Take note that the main line is at its end."""
        if self.swap is not None:
            self._swapped(_OTHER[self.next])
        if self.late is not None and self.stopped is None:
            self.notes.append(BadRecord(self.late.line, "stones are set up after the last move, and left out"))
        if self.kind.points:
            self._leave_out_passes()

    def _leave_out_passes(self) -> None:
        """Leave out passes after which the rules would have ended the game."""
        last = max((at for at, (move, _) in enumerate(self.moves) if move != "pass"), default=-1)
        kept: list[tuple[str, int]] = []
        for at, (move, line) in enumerate(self.moves):
            if move != "pass" or at > last + 2 or not kept or kept[-1][0] != "pass":
                kept += [(move, line)] * (at <= last + 2)
            elif at < last:
                kept.pop()
                self.notes.append(BadRecord(line, "both passed, and the game was resumed: the two passes are left out"))
            else:
                kept.append((move, line))
        self.moves = kept


def _record(tree: Tree) -> Record:
    """The game in a tree. Raises BadRecord."""
    nodes = game_trees.main_line(tree)
    first = next(nodes, None)
    if first is None:
        raise BadRecord(tree.line, "found no game, expected one such as (;FF[4]GM[1]SZ[9];B[ee];W[cc])")
    root: dict[str, Property] = {}
    for item in first:
        root.setdefault(item.name, item)
    kind = _kind(root)
    size = _size(root.get("SZ", Property("SZ", [str(kind.size)], tree.line)))
    line = _Line(kind, size, kind.title, [*tree.notes])
    if not tree.ended:
        line.notes.append(BadRecord(0, "the file ends within a game"))
    params = {"size": size}
    if kind.komi:
        params["komi"] = _komi(root["KM"], line.notes) if "KM" in root else 0
    try:
        for node in (first, *nodes):
            for item in sorted(node, key=lambda item: item.name not in _SETUP):
                line.take(item)
    except BadRecord as problem:
        line.stopped = problem
    line.whole()
    details = _details(root, line)
    record = Record(line.title, params, tuple(move for move, _ in line.moves), details,
                    tuple(place for _, place in line.moves), notes=tuple(line.notes), stopped=line.stopped)
    if kind.points and not line.stones and line.turn == "W" and "HA" in root:
        line.stones = _usual(record, root["HA"], line.notes)
        record = attrs.evolve(record, notes=tuple(line.notes))
    turn = line.turn or kind.first
    if line.stones or turn != kind.first:
        record = attrs.evolve(record, start=_start(records.game_of(record), kind, line.stones, turn))
    return record


def _details(root: Mapping[str, Property], line: _Line) -> dict[str, str]:
    """What the root says besides, of the players in the seats that they have after a swap."""
    result = {}
    for name, item in root.items():
        if name not in _ROOT:
            value = item.values[0]
            result[name] = value.strip() if name in _TEXTS else re.sub(r"\s", " ", value).strip()
    if line.winner:
        result.setdefault("RE", line.winner + "+Resign")
    if line.exchanged:
        result = {_OTHER_SEAT.get(name, name): value for name, value in result.items()}
        if result.get("RE", "")[:1] in _OTHER:
            result["RE"] = _OTHER[result["RE"][0]] + result["RE"][1:]
    return result


def _kind(root: Mapping[str, Property]) -> _Kind:
    """The game of a file, by the properties of its root. Raises BadRecord."""
    number = root.get("GM")
    if number is None or not number.values[0].strip():
        event = root["EV"].values[0].strip().lower() if "EV" in root else ""
        for kind in _KINDS:
            if kind.event and event.startswith(kind.event):
                return kind
        if "SO" in root and "littlegolem" in root["SO"].values[0].lower():
            raise BadRecord(root["SO"].line, f"found a game of '{re.split('[.]', event)[0]}', expected one of "
                                             f"{', '.join(TITLES)}")
        return _GO
    for kind in _KINDS:
        if kind.number and kind.number == number.values[0].strip().lower():
            return kind
    known = ", ".join(f"GM[{kind.number}] {kind.title}" for kind in _KINDS if kind.number)
    raise BadRecord(number.line, f"found GM[{number.values[0]}], expected a game that is known: {known}")


def _size(item: Property) -> int:
    found = re.fullmatch(r"\s*(\d{1,2})\s*(?::\s*(\d{1,2})\s*)?", item.values[0])
    if found is None or int(found[1]) != int(found[2] or found[1]):
        raise BadRecord(item.line, f"found SZ[{item.values[0]}], expected one number: the board is as wide as high")
    return int(found[1])


_HUNDREDTHS = 200
"""Numbers from here on are hundredths: more points than any komi."""
_MOST_STONES = 500
"""Hundredths below this are of stones, two points each, as the komi of the rules that count so is 3.75 stones."""


def _komi(item: Property, notes: list[BadRecord]) -> int:
    """The komi in half points, with a note where that is not what the file says. Raises BadRecord."""
    text = item.values[0].strip()
    if not re.fullmatch(r"[+-]?\d{1,9}([.,]\d{0,9})?|", text):
        raise BadRecord(item.line, f"found KM[{item.values[0]}], expected a number such as 6.5")
    points = float(text.replace(",", ".") or 0)
    if abs(points) >= _HUNDREDTHS:
        unit, parts = ("stones", 50) if abs(points) < _MOST_STONES else ("points", 100)
        points /= parts
        notes.append(BadRecord(item.line, f"KM[{text}] is read as {points:g} points: hundredths of {unit}"))
    if 2 * points != int(2 * points):
        whole = floor(points) + 0.5
        notes.append(BadRecord(item.line, f"KM[{text}] is played as {whole:g} points, by which the same player wins"))
        points = whole
    return int(2 * points)


def _usual(record: Record, handicap: Property, notes: list[BadRecord]) -> dict[str, str]:
    """The stones of a handicap that the file counts and does not name: on the usual points."""
    text = handicap.values[0].strip()
    cells = dialect_of("gtp", records.game_of(record)).handicap(record.params["size"], int(text)) \
        if re.fullmatch(r"\d{1,2}", text) and int(text) > 1 else ()
    if cells:
        notes.append(BadRecord(handicap.line, f"HA[{text}] does not say where its stones are; they are on the usual "
                                              "points"))
    return dict.fromkeys(cells, "B")


# ---- cells


def _cells(item: Property, kind: _Kind, size: int) -> Iterator[str]:
    """The cells of a list, in which `aa:cc` is a rectangle. Raises BadRecord."""
    for value in item.values:
        first, colon, last = value.strip().partition(":")
        if not colon:
            yield _cell(first, kind, size, item.line)
            continue
        if not (kind.points and len(first) == len(last) == 2):
            raise BadRecord(item.line, f"found {item.name}[{value}], expected a cell")
        for column in range(ord(first[0]), ord(last[0]) + 1):
            for row in range(ord(first[1]), ord(last[1]) + 1):
                yield _cell(chr(column) + chr(row), kind, size, item.line)


def _move(text: str, kind: _Kind, size: int, line: int) -> str:
    """A move in our notation. Raises BadRecord."""
    return "pass" if kind.points and (text == "" or (text == "tt" and size <= 19)) else _cell(text, kind, size, line)


def _cell(text: str, kind: _Kind, size: int, line: int) -> str:
    """A cell in our notation. Raises BadRecord."""
    if kind.points:
        inside = ascii_lowercase[:size]
        if len(text) != 2 or text[0] not in inside or text[1] not in inside:
            raise BadRecord(line, f"found the point '{text}', expected two letters from a to {inside[-1]}, or none to "
                                  "pass")
        return f"{text[0]}{size - inside.index(text[1])}"
    text = text.lower()
    if re.fullmatch("[a-z]{2}", text) and kind.swapped:
        text = f"{text[0]}{ascii_lowercase.index(text[1]) + 1}"
    found = re.fullmatch(r"([a-z])(\d{1,3})", text)
    if found is None:
        raise BadRecord(line, f"found the cell '{text}', expected a letter and a number")
    if kind.slanted:
        return f"{found[1]}{int(found[2]) - max(0, ascii_lowercase.index(found[1]) - size + 1)}"
    return text


# ---- positions and writing


def _start(game: Game, kind: _Kind, stones: Mapping[str, str], turn: str) -> str:
    """The position in which a game begins. Raises BadRecord."""
    state = game.start().state
    pieces, letters = [*state.pieces], "".join(map(kind.letter, range(2)))
    for cell, letter in stones.items():
        if cell not in game.board.names:
            raise BadRecord(0, f"found a stone on {cell}, which is no cell of this board")
        bit = 1 << game.board.names.index(cell)
        pieces = [there & ~bit for there in pieces]
        pieces[letters.find(letter) + 1] |= bit  # a piece for each player, after the empty cell, which E is
    return game.position_text(state._replace(pieces=tuple(pieces), to_move=letters.index(turn)))


def _stones(game: Game, kind: _Kind, start: str) -> tuple[dict[str, str], str]:
    """The stones of a position and whose move it is. Raises BadRecord where the position is more than that."""
    state, names = game.read_position(start).state, game.board.names
    stones = {names[cell]: kind.letter(side) for side in range(2) for cell in members(state.pieces[side + 1])}
    turn = kind.letter(state.to_move)
    if _start(game, kind, stones, turn) != game.position_text(state):
        raise BadRecord(0, f"{SUFFIX} files hold positions with stones and who is to move, found '{start}'")
    return stones, turn


def _text(record: Record) -> str:
    """The text of a game. Raises BadRecord."""
    kind = next(kind for kind in _KINDS if record.title in (kind.title, kind.swapped))
    size = record.params["size"]
    root = [game_trees.written("FF", "4"), game_trees.written("CA", "UTF-8")]
    if kind.number:
        root.append(game_trees.written("GM", kind.number))
    elif "EV" not in record.details:
        root.append(game_trees.written("EV", kind.event))
    root.append(game_trees.written("SZ", str(size)))
    if kind.komi:
        root.append(game_trees.written("KM", f"{record.params.get('komi', 0) / 2:g}"))
    root += [game_trees.written(name, value) for name, value in record.details.items()
             if re.fullmatch("[A-Z]{1,2}", name)]
    turn = kind.first
    if record.start:
        stones, turn = _stones(records.game_of(record), kind, record.start)
        for letter in _OTHER:
            cells = [_written(cell, kind, size) for cell, there in stones.items() if there == letter]
            root += [game_trees.written("A" + letter, *cells)] if cells else []
        root.append(game_trees.written("PL", turn))
    rows = ["(;" + "".join(root)]
    for move in record.moves:
        rows.append(";" + game_trees.written(turn, _written(move, kind, size)))
        turn = _OTHER[turn]
    return "\n".join(rows) + ")\n"


def _written(move: str, kind: _Kind, size: int) -> str:
    if not kind.points:
        return "swap-pieces" if move == "swap" else move
    return "" if move == "pass" else move[0] + ascii_lowercase[size - int(move[1:])]

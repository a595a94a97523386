"""Games of draughts in PDN, the Portable Draughts Notation: moves such as `11-15` and `15x22`, or `c3-d4` and `c3:e5`.

One file may hold many games. `GameType` says which draughts it is; without it, numbers are English draughts. A capture
is written by its first and its last square where that says which one it is, else by all squares. `FEN` names a
position from which a game begins: `B:W21,22,K30:B1,2`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count
from typing import BinaryIO

import attrs

from dslgame import portable, records
from dslgame.records import BadRecord, Reader, Record, Word
from interpreter.game import Game, Position

SUFFIX = ".pdn"
SEVERAL = POSITIONS = True


@attrs.frozen
class _Kind:
    """A game of draughts and how files write it."""

    title: str
    number: str
    """The first value of GameType."""
    type: str
    """The whole of GameType, as it is written."""
    numeric: bool
    """Whether squares are numbered, else they are named as in chess."""
    reverse: bool = False
    """Whether square 1 is at the bottom right, seen from White at the top; else at the top left."""
    capture: str = "x"

    @property
    def squares(self) -> int:
        """How many there are: half of the board."""
        _, _, columns, rows, *_ = self.type.split(",")
        return int(columns) * int(rows) // 2


_KINDS = (
    _Kind("English Draughts", "21", "21,B,8,8,N1,0", numeric=True, reverse=True),
    _Kind("Russian Draughts", "25", "25,W,8,8,A0,0", numeric=False, capture=":"),
    _Kind("International Draughts", "20", "20,W,10,10,N2,0", numeric=True),
)
TITLES = tuple(kind.title for kind in _KINDS)
_ROSTER = {"Event": "?", "Date": "????.??.??", "White": "?", "Black": "?"}
_TOKENS = portable.token(move=r"\d+(?:\s*[-x:]\s*\d+)+", result="[012]-[012]")
_MOVE = re.compile(r"\w+(?:[-x:]\w+)+")


def games(stream: BinaryIO) -> Iterator[Reader]:
    """The games in a file. Raises BadRecord."""
    for game in portable.games(records.lines_of(stream), _TOKENS):
        yield partial(_record, game)


def _record(game: portable.PortableGame) -> Record:
    kind = _kind(game)
    rules = records.game_of(Record(kind.title, {}, ()))
    start = _start_text(game.tags["FEN"], rules, kind, game.tag_line("FEN")) if "FEN" in game.tags else ""
    details = {name: value for name, value in game.tags.items()
               if name not in ("GameType", "SetUp", "FEN") and value.strip("?.*")}
    record = Record(kind.title, {}, (), details, (), start, stopped=game.problem)
    try:
        first = records.start_of(record)
    except BadRecord as problem:
        raise BadRecord(game.tag_line("FEN"), problem.phrase) from None
    if first.state == rules.start().state:
        record = attrs.evolve(record, start="")
    plies = count()

    def meaning(position: Position, word: Word) -> Sequence[str]:
        ply = next(plies)
        return (_chosen(position, word, f"move {1 + ply // 2}{'...' if ply % 2 else '.'} {word.text}", kind),)

    return records.following(record, game.moves, meaning)


def _kind(game: portable.PortableGame) -> _Kind:
    said = game.tags.get("GameType", "")
    if not said:
        words = [word.text for word in game.moves]
        if any(word[:1].isalpha() for word in words):
            return next(kind for kind in _KINDS if not kind.numeric)
        last = max((int(number) for word in words for number in re.findall(r"\d+", word)), default=0)
        return next(kind for kind in _KINDS if kind.numeric and (last <= kind.squares or kind is _KINDS[-1]))
    line = game.tag_line("GameType")
    kind = next((kind for kind in _KINDS if kind.number == said.split(",")[0].strip()), None)
    if kind is None:
        known = ", ".join(f"{kind.number} ({kind.title})" for kind in _KINDS)
        raise BadRecord(line, f"found the game type {said}, expected one of {known}")
    sizes = re.fullmatch(r"\s*\d+\s*(?:,\s*[WB]\s*,\s*(\d+)\s*,\s*(\d+)\s*,.*)?", said)
    expected = kind.type.split(",")
    if sizes is None or (sizes[1] and [sizes[1], sizes[2]] != expected[2:4]):
        raise BadRecord(line, f"found the game type {said}, expected {kind.type}")
    return kind


def _names(game: Game, kind: _Kind) -> dict[str, str]:
    """What the file calls each cell, by our name."""
    names = game.board.names
    if not kind.numeric:
        return {name: name for name in names}
    ordered = reversed(names) if kind.reverse else names
    return {name: str(number) for number, name in enumerate(ordered, start=1)}


def _squares(move: str) -> list[str]:
    return re.split("[-x:]", move)


def _chosen(position: Position, word: Word, name: str, kind: _Kind) -> str:
    """The legal move that a text means. Raises BadRecord."""
    if not _MOVE.fullmatch(word.text):
        raise BadRecord(word.line, f"{name} is no move, expected one such as "
                                   f"{'11-15 or 15x22' if kind.numeric else 'c3-d4 or c3:e5'}")
    ours = {said: cell for cell, said in _names(position.game, kind).items()}
    squares = [ours.get(square.lower(), square.lower()) for square in _squares(word.text)]
    found = _meant(position, squares)
    if len({position.play(move).state for move in found}) == 1:
        return found[0]
    if position.over:
        reason = f"the game is over before it ({position.outcome})"
    elif found:
        reason = "there are several such captures: name all squares"
    elif "-" in word.text and any("x" in move for move in position.moves()):
        captures = ", ".join(_said(position, move, kind) for move in position.moves()[:6])
        reason = f"{position.to_move} must capture: {captures}"
    else:
        reason = f"no man or king of {position.to_move} can do it"
    raise BadRecord(word.line, f"{name} is not legal: {reason}",
                    f"the position before it is {_fen_of(position, kind)}")


def _meant(position: Position, squares: Sequence[str]) -> list[str]:
    """The legal moves with these squares, or with these ends."""
    moves = [(move, _squares(move)) for move in position.moves()]
    exact = [move for move, path in moves if path == squares]
    if exact or len(squares) > 2:
        return exact
    return [move for move, path in moves if [path[0], path[-1]] == squares]


def _said(position: Position, move: str, kind: _Kind) -> str:
    """A move as files write it."""
    path = _squares(move)
    names = _names(position.game, kind)
    if "x" not in move:
        return "-".join(names[cell] for cell in path)
    ends = [path[0], path[-1]]
    same = _meant(position, ends)
    alone = len({position.play(other).state for other in same}) == 1 and len(path) >= 2
    return kind.capture.join(names[cell] for cell in (ends if alone else path))


def _start_text(fen: str, game: Game, kind: _Kind, line: int) -> str:
    """A position as our text. Raises BadRecord."""
    parts = [part.strip() for part in fen.strip().rstrip(".").split(":")]
    if len(parts) != 3 or parts[0] not in ("W", "B") or {part[:1] for part in parts[1:]} != {"W", "B"}:
        raise BadRecord(line, f"found the position '{fen}', expected one such as B:W21,22,K30:B1,2")
    cells = {said: cell for cell, said in _names(game, kind).items()}
    standing: dict[str, str] = {}
    glyphs = {(game.players[piece.owner], piece.name): piece.glyph for piece in game.rules.pieces
              if piece.owner is not None}
    for part in parts[1:]:
        owner = "White" if part[0] == "W" else "Black"
        for item in filter(None, (item.strip() for item in part[1:].split(","))):
            rank, squares = ("king", item[1:]) if item[0] == "K" else ("man", item)
            for square in _range(squares):
                if square.lower() not in cells:
                    raise BadRecord(line, f"found the square '{square}', expected one of {', '.join([*cells][:3])}, "
                                          f"... {[*cells][-1]}")
                if cells[square.lower()] in standing:
                    raise BadRecord(line, f"found the square '{square}' twice")
                standing[cells[square.lower()]] = glyphs[owner, rank]
    return _rows(game, standing) + (" White" if parts[0] == "W" else " Black")


def _range(squares: str) -> list[str]:
    """`1-4` as its squares, which only numbers have."""
    ends = re.fullmatch(r"(\d+)-(\d+)", squares)
    return [str(number) for number in range(int(ends[1]), int(ends[2]) + 1)] if ends else [squares]


def _rows(game: Game, standing: dict[str, str]) -> str:
    """The cells row by row, as positions are written."""
    names = iter(game.board.names)
    return "/".join("".join(standing.get(next(names), ".") for _ in row)
                    for row in game.start().text.split()[0].split("/"))


def _fen_of(position: Position, kind: _Kind) -> str:
    names = _names(position.game, kind)
    sides = []
    for owner in ("White", "Black"):
        found = [("K" if name.endswith("king") else "") + names[cell] for cell, name in position.pieces.items()
                 if name.startswith(owner)]
        found.sort(key=lambda item: (int(re.sub(r"\D", "", item)), item) if kind.numeric else (0, item))
        sides.append(owner[0] + ",".join(found))
    return ":".join([position.to_move[0], *sides])


def write(games: Iterable[Record]) -> Iterator[str]:
    """The text of a file. Raises BadRecord for boards that the format does not have."""
    for number, record in enumerate(games):
        yield "\n" * (number > 0) + _text(record)


def _text(record: Record) -> str:
    kind = next(kind for kind in _KINDS if kind.title == record.title)
    game = records.game_of(record)
    standard = records.game_of(Record(kind.title, {}, ())).params
    if game.params != standard:
        shown = " ".join(f"{name}={value}" for name, value in standard.items())
        raise BadRecord(0, f"{SUFFIX} files hold {kind.title} with {shown} only")
    position = records.start_of(record)
    tags = {name: record.details.get(name, unknown) for name, unknown in _ROSTER.items()} | {"Result": ""}
    tags["GameType"] = kind.type
    second = position.to_move != game.players[0]
    if record.start:
        tags |= {"SetUp": "1", "FEN": _fen_of(position, kind)}
    tags |= {name: value for name, value in record.details.items() if name not in tags and name.isidentifier()}
    moves = []
    for move in record.moves:
        position = records.going_on(position)
        moves.append(_said(position, move, kind))
        position = position.play(move)
    tags["Result"] = portable.result_of(position, record.details)
    return portable.text_of(tags, portable.numbered(moves, second=second), tags["Result"])

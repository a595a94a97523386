"""Games of draughts in PDN, the Portable Draughts Notation: moves such as `11-15` and `15x22`, or `c3-d4` and `c3:e5`.

One file may hold many games. `GameType` or `Variant` says which draughts it is; without them, numbers are English
draughts, or international draughts where English draughts has no such squares or moves, and names of cells Russian
draughts. Both ways to call a square are read in every game. A capture is written by its first and its last square where
that says which one it is, else by all squares. `FEN` names a position from which a game begins: `B:W21,22,K30:B1-3`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
    variants: tuple[str, ...]
    """Words by which the tag `Variant` calls it."""
    reverse: bool = False
    """Whether square 1 is at the bottom right, seen from White at the top; else at the top left."""
    capture: str = "x"


_KINDS = (
    _Kind("English Draughts", "21", "21,B,8,8,N1,0", True, ("english", "american"), reverse=True),
    _Kind("Russian Draughts", "25", "25,W,8,8,A0,0", False, ("russian",), capture=":"),
    _Kind("International Draughts", "20", "20,W,10,10,N2,0", True, ("international",)),
)
TITLES = tuple(kind.title for kind in _KINDS)
_ROSTER = {"Event": "?", "Date": "????.??.??", "White": "?", "Black": "?"}
_TOKENS = portable.token(move=r"\d+(?:\s*[-x:]\s*\d+)+", result="[012]-[012]")
_MOVE = re.compile(r"[a-l]?\d+(?:[-x:]?[a-l]\d+|[-x:]\d+)+")
_POSITION = re.compile(r"(?P<mover>[WB])((?::W(?P<W>[^:]*)|:B(?P<B>[^:]*)){2})(?::[HF]\d+|:\+\d\+\d)*")
"""A position; some programs append the number of the move, and of moves without a capture."""


def games(stream: BinaryIO) -> Iterator[Reader]:
    """The games in a file. Raises BadRecord."""
    for game in portable.games(records.lines_of(stream), _TOKENS):
        yield partial(_record, game)


def _record(game: portable.PortableGame) -> Record:
    """One game: of the kinds that it may be the first that reads it whole, or else most of it. Raises BadRecord."""
    best, reason = None, None
    for kind in _kinds(game):
        try:
            record = _record_of(game, kind)
        except BadRecord as problem:
            reason = reason or problem
            continue
        if best is None or len(record.moves) > len(best.moves):
            best = record
        if record.stopped is None:
            break
    if best is None:
        assert reason is not None
        raise reason
    return best


def _record_of(game: portable.PortableGame, kind: _Kind) -> Record:
    rules = records.game_of(Record(kind.title, {}, ()))
    fen = game.tags.get("FEN", "").strip("?- ")
    start = _start_text(fen, rules, kind, game.tag_line("FEN")) if fen else ""
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


def _kinds(game: portable.PortableGame) -> list[_Kind]:
    """The kinds of draughts that a game may be. Raises BadRecord."""
    variant = game.tags.get("Variant", "").strip("?-. ").casefold()
    said = game.tags.get("GameType", "") if variant != "from position" else ""  # some give it a number of its own
    known = ", ".join(f"{kind.number} ({kind.title})" for kind in _KINDS)
    if said:
        line = game.tag_line("GameType")
        kind = next((kind for kind in _KINDS if kind.number == said.split(",")[0].strip()), None)
        if kind is None:
            raise BadRecord(line, f"found the game type {said}, expected one of {known}")
        sizes = re.fullmatch(r"\s*\d+\s*(?:,\s*[WB]\s*,\s*(\d+)\s*,\s*(\d+)\s*,.*)?", said)
        if sizes is None or (sizes[1] and [sizes[1], sizes[2]] != kind.type.split(",")[2:4]):
            raise BadRecord(line, f"found the game type {said}, expected {kind.type}")
        return [kind]
    found = [kind for kind in _KINDS if any(word in variant for word in kind.variants)]
    if not found and variant not in ("", "standard", "from position"):
        raise BadRecord(game.tag_line("Variant"), f"found the variant '{variant}', expected one of {known}",
                        "other kinds of draughts have other rules, for which there is no game here")
    if not found and any(word.text[:1].isalpha() for word in game.moves):
        return [kind for kind in _KINDS if not kind.numeric]
    texts = [game.tags.get("FEN", ""), *(word.text for word in game.moves)]
    last = max((int(number) for text in texts for number in re.findall(r"(?<!\d)\d{1,3}", text)), default=0)
    return found or [kind for kind in _KINDS if kind.numeric and (last <= 32 or kind is _KINDS[-1])]


def _names(game: Game, kind: _Kind) -> dict[str, str]:
    """What the file calls each cell, by our name."""
    names = game.board.names
    return dict(zip(names, _numbers(names, kind) if kind.numeric else names, strict=True))


def _numbers(names: Sequence[str], kind: _Kind) -> Iterator[str]:
    """The number of each cell."""
    return map(str, range(len(names), 0, -1) if kind.reverse else range(1, len(names) + 1))


def _cells(game: Game, kind: _Kind) -> dict[str, str]:
    """Our name of each cell, by its name and by its number."""
    names = game.board.names
    return {name: name for name in names} | dict(zip(_numbers(names, kind), names, strict=True))


def _cell(said: str, cells: Mapping[str, str]) -> str:
    """Our name of a square; `` where there is no such square."""
    return cells.get(said.strip().lower().lstrip("0"), "")


def _squares(move: str) -> list[str]:
    return re.findall(r"[a-l]?\d+", move)


def _chosen(position: Position, word: Word, name: str, kind: _Kind) -> str:
    """The legal move that a text means. Raises BadRecord."""
    text = re.sub(r"\s", "", word.text).lower()
    if not _MOVE.fullmatch(text):
        raise BadRecord(word.line, f"{name} is no move, expected one such as "
                                   f"{'11-15 or 15x22' if kind.numeric else 'c3-d4 or c3:e5'}")
    cells = _cells(position.game, kind)
    squares = [_cell(square, cells) for square in _squares(text)]
    found = _meant(position, squares)
    if len({position.play(move).state for move in found}) == 1:
        return found[0]
    if position.over:
        reason = f"the game is over before it ({position.outcome})"
    elif found:
        reason = "there are several such captures: name all squares"
    elif "-" in text and any("x" in move for move in position.moves()):
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
    said = _POSITION.fullmatch(re.sub(r"\s", "", fen).rstrip("."))
    if said is None or said["W"] is None or said["B"] is None:
        raise BadRecord(line, f"found the position '{fen}', expected one such as B:W21,22,K30:B1-3")
    cells = _cells(game, kind)
    standing: dict[str, str] = {}
    glyphs = {(game.players[piece.owner], piece.name): piece.glyph for piece in game.rules.pieces
              if piece.owner is not None}
    for owner in ("White", "Black"):
        for item in filter(None, said[owner[0]].split(",")):
            rank, squares = ("king", item[1:]) if item[0] == "K" else ("man", item)
            for square, cell in _range(squares, cells, line):
                if cell in standing:
                    raise BadRecord(line, f"found the square '{square}' twice")
                if rank == "man" and int(cell[1:]) == (game.board.row_count if owner == game.players[0] else 1):
                    raise BadRecord(line, f"found a man of {owner} on '{square}', in the far row, where men become "
                                          "kings", f"write K{square} for a king")
                standing[cell] = glyphs[owner, rank]
    return _rows(game, standing) + (" White" if said["mover"] == "W" else " Black")


def _range(squares: str, cells: Mapping[str, str], line: int) -> Iterator[tuple[str, str]]:
    """A square with our name of it, or those of a range of numbers such as `1-4`. Raises BadRecord."""
    ends = squares.split("-") if re.fullmatch(r"\d+-\d+", squares) else [squares]
    for end in ends:
        if not _cell(end, cells):
            numbers = [said for said in cells if said.isdigit()]
            raise BadRecord(line, f"found the square '{end[:20]}', expected a number from 1 to {len(numbers)} or a "
                                  f"name such as {cells['1']}")
    if len(ends) == 1:
        yield squares, _cell(squares, cells)
    elif int(ends[0]) > int(ends[1]):
        raise BadRecord(line, f"found the range '{squares}', expected the lower number first")
    else:
        yield from ((str(number), cells[str(number)]) for number in range(int(ends[0]), int(ends[1]) + 1))


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

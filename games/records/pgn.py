"""Games of chess and its kin in PGN, the Portable Game Notation: moves such as `Nbd7`, `exd6`, `O-O`, `e8=Q+`.

One file may hold many games. Comments, variations and annotations are read over. The tag `Variant` names a game that is
not standard chess, `FEN` a position from which it begins.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, BinaryIO

import attrs

from dslgame import portable, records
from dslgame.records import BadRecord, Reader, Record, Word
from interpreter.errors import IllegalMove
from interpreter.game import Position

if TYPE_CHECKING:
    from games.records.fen import Variant

SUFFIX = ".pgn"
SEVERAL = POSITIONS = True
_fen = records.format_named("fen")
TITLES = _fen.TITLES
_MOVE = re.compile(r"(?P<piece>[A-Z])?(?P<file>[a-h])?(?P<rank>[1-8])?[-x:]?(?P<to>[a-h][1-8])"
                   r"(?:[=/]?\(?(?P<promoted>[A-Za-z])\)?)?")
_TOKENS = portable.token()
_ROSTER = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
_OURS = re.compile(r"(?P<from>[a-h][1-8])(?P<to>[a-h][1-8])(?:=(?P<promoted>.*))?")


def games(stream: BinaryIO) -> Iterator[Reader]:
    """The games in a file. Raises BadRecord."""
    for game in portable.games(records.lines_of(stream), _TOKENS):
        yield partial(_record, game)


def _record(game: portable.PortableGame) -> Record:
    """One game, its moves as our rules write them. Raises BadRecord."""
    variant = _variant(game)
    start = ""
    if game.tags.get("FEN", "").strip("?- "):
        start = _fen.start_text(game.tags["FEN"], variant, game.tag_line("FEN"))
    details = {name: value for name, value in game.tags.items()
               if name not in ("SetUp", "Variant") and value.strip("?.*")}
    number, second = _fen.first_number(Record(variant.title, {}, (), game.tags))
    record = Record(variant.title, {}, (), details, (), start, stopped=game.problem)
    try:
        first = records.start_of(record)
    except BadRecord as problem:
        raise BadRecord(game.tag_line("FEN"), problem.phrase) from None
    plies = count(second)

    def meaning(position: Position, word: Word) -> Sequence[str]:
        ply = next(plies)
        name = f"move {number + ply // 2}{'...' if ply % 2 else '.'} {word.text}"
        return (_meant(position, word, name, variant),)

    if first.state == first.game.start().state:
        details.pop("FEN", None)
        record = attrs.evolve(record, start="")
    return records.following(record, game.moves, meaning)


def _variant(game: portable.PortableGame) -> Variant:
    def plain(text: str) -> str:
        return re.sub("[^a-z]", "", text.casefold())

    wanted = game.tags.get("Variant", "").strip("?- ") or "Standard"
    for variant in _fen.VARIANTS:
        if plain(wanted) in map(plain, variant.tags):
            return variant
    known = ", ".join(variant.tags[0] for variant in _fen.VARIANTS)
    raise BadRecord(game.tag_line("Variant"), f"found the variant '{wanted}', expected one of {known}",
                    "other variants of chess have other rules, for which there is no game here")


def _meant(position: Position, word: Word, name: str, variant: Variant) -> str:
    """The move that a word of the file means, legal unless it leaves the king attacked. Raises BadRecord."""
    if word.text in ("--", "Z0"):
        raise BadRecord(word.line, f"{name} is a null move, which no rule allows")
    found = list(_offered(position, _bare(word.text), variant))
    if len(found) > 1:
        found = list(_matching(position, _bare(word.text), variant))
    if len(found) == 1:
        return found[0]
    if position.over:
        reason = f"the game is over before it ({position.outcome})"
    elif found:
        reason = f"it may mean {' or '.join(found)}"
    elif _MOVE.fullmatch(_bare(word.text)) or _castling(word.text):
        reason = f"no piece of {position.to_move} can do it"
    else:
        reason = "it is no move, expected one such as Nf3, exd5, O-O or e8=Q"
    raise BadRecord(word.line, f"{name} is not legal: {reason}",
                    f"the position before it is {_fen.fen_of(position, variant, 1)}")


def _bare(text: str) -> str:
    """A move without the signs for check, mate and quality."""
    return re.sub(r"(?:e\.?p\.?|[+#!?])+$", "", text)


def _castling(text: str) -> str:
    """`O-O`, `O-O-O` or ''; files write zeros as well."""
    said = _bare(text).replace("0", "O").replace("o", "O")
    return said if said in ("O-O", "O-O-O") else ""


def _matching(position: Position, text: str, variant: Variant) -> Iterator[str]:
    """The legal moves that a text may mean."""
    for move in _offered(position, text, variant):
        try:
            position.find(move)
        except IllegalMove:
            continue
        yield move


def _offered(position: Position, text: str, variant: Variant) -> Iterator[str]:
    """The moves that a text may mean, also such as leave the king attacked."""
    castling, said = _castling(text), _MOVE.fullmatch(text)
    if not castling and not said:
        return
    pieces = position.pieces
    for move in position.candidates():
        start, end, promoted = _parts(move)
        name = pieces[start].split()[1]
        castles = _castles(name, start, end, variant)
        if castling or said is None:
            if castles and castling == ("O-O" if end[0] == "g" else "O-O-O"):
                yield move
            continue
        whole = (said["file"], said["rank"]) == (start[0], start[1:])
        if said["to"] != end or (castles and not whole):
            continue
        if (said["piece"] or ("P" if not whole else variant.letters[name])) != variant.letters[name]:
            continue
        if (said["file"] in (None, start[0]) and said["rank"] in (None, start[1:])
                and _promotes(position, move, said["promoted"], promoted, variant)):
            yield move


def _promotes(position: Position, move: str, said: str | None, promoted: str, variant: Variant) -> bool:
    """Whether a move makes of a pawn what is said of it; a game in which there is no choice need not say it."""
    if said and not promoted:
        try:
            promoted = _became(position, position.play(move), move)
        except IllegalMove:
            return False
        return bool(promoted) and variant.letters[promoted] == said.upper()
    return (said or "").upper() == (variant.letters[promoted] if promoted else "")


def _became(position: Position, after: Position, move: str) -> str:
    """What a pawn became in a move; '' if it stayed a pawn, or was none."""
    start, end, _ = _parts(move)
    before, now = position.pieces[start].split()[1], after.pieces[end].split()[1]
    return now if before == "pawn" != now else ""


def _parts(move: str) -> tuple[str, str, str]:
    """The two cells of a move in our notation, and the name of what a pawn becomes."""
    found = _OURS.fullmatch(move)
    assert found is not None, move
    names = {"Q": "queen", "R": "rook", "B": "bishop", "N": "knight"}
    promoted = found["promoted"] or ""
    return found["from"], found["to"], names.get(promoted.upper(), promoted)


def _castles(name: str, start: str, end: str, variant: Variant) -> bool:
    return variant.full and name == "king" and abs(ord(start[0]) - ord(end[0])) == 2


def write(games: Iterable[Record]) -> Iterator[str]:
    """The text of a file, each game with the seven tags that every game has."""
    for number, record in enumerate(games):
        yield "\n" * (number > 0) + _text(record)


def _text(record: Record) -> str:
    variant = _fen.variant_named(record.title)
    position = records.start_of(record)
    number, second = _fen.first_number(record)
    tags = {name: record.details.get(name, unknown) for name, unknown in _ROSTER.items()}
    tags["Result"] = ""
    if record.start:
        tags |= {"SetUp": "1", "FEN": _fen.fen_of(position, variant, number)}
    if variant is not _fen.VARIANTS[0]:
        tags["Variant"] = variant.tags[0]
    tags |= {name: value for name, value in record.details.items() if name not in tags and name.isidentifier()}
    moves = []
    for move in record.moves:
        position = records.going_on(position)
        after = position.play(move)
        moves.append(_san(position, after, move, variant))
        position = after
    tags["Result"] = portable.result_of(position, record.details)
    return portable.text_of(tags, portable.numbered(moves, number=number, second=second), tags["Result"])


def _san(position: Position, after: Position, move: str, variant: Variant) -> str:
    """A move in short algebraic notation."""
    start, end, _ = _parts(move)
    pieces = position.pieces
    name = pieces[start].split()[1]
    if _castles(name, start, end, variant):
        text = "O-O" if end[0] == "g" else "O-O-O"
    else:
        takes = "x" if end in pieces or (name == "pawn" and start[0] != end[0]) else ""
        if name == "pawn":
            became = _became(position, after, move)
            text = (start[0] if takes else "") + takes + end + (f"={variant.letters[became]}" if became else "")
        else:
            text = variant.letters[name] + _apart(position, move, name, variant) + takes + end
    if after.over and after.outcome == position.to_move:
        return text + "#"
    return text + ("+" if _in_check(after, variant) else "")


def _apart(position: Position, move: str, name: str, variant: Variant) -> str:
    """What tells a move from those of other pieces of its kind to the same cell: a file, a rank, or both."""
    start, end, _ = _parts(move)
    others = [_parts(other)[0] for other in _matching(position, variant.letters[name] + end, variant)]
    others = [other for other in others if other != start]
    if not others:
        return ""
    if all(other[0] != start[0] for other in others):
        return start[0]
    return start[1:] if all(other[1:] != start[1:] for other in others) else start


def _in_check(position: Position, variant: Variant) -> bool:
    """Whether the king of the player to move is attacked."""
    pieces = {(ord(cell[0]) - 97, int(cell[1:])): name.split() for cell, name in position.pieces.items()}
    mover = position.to_move
    king = next(place for place, name in pieces.items() if name == [mover, "king"])
    return any(owner != mover and king in _attacks(place, owner, variant.letters[name], pieces, variant.size)
               for place, (owner, name) in pieces.items())


_STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
_ACROSS = ((1, 1), (1, -1), (-1, -1), (-1, 1))
_JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_STEPS = {"N": _JUMPS, "K": _STRAIGHT + _ACROSS, "M": _ACROSS, "S": _ACROSS}
_SLIDES = {"R": _STRAIGHT, "B": _ACROSS, "Q": _STRAIGHT + _ACROSS}


def _attacks(place: tuple[int, int], owner: str, letter: str, pieces: Mapping[tuple[int, int], list[str]],
             size: int) -> Iterator[tuple[int, int]]:
    """The places that a piece attacks, as column from 0 and rank from 1."""
    column, rank = place
    ahead = 1 if owner == "White" else -1
    steps = [*_STEPS.get(letter, ())]
    if letter == "P":
        steps = [(-1, ahead), (1, ahead)]
    if letter == "S":
        steps.append((0, ahead))
    for across, up in steps:
        yield column + across, rank + up
    for across, up in _SLIDES.get(letter, ()):
        for distance in range(1, size):
            there = column + distance * across, rank + distance * up
            yield there
            if there in pieces:
                break

"""Positions of chess and its kin in FEN, the Forsyth-Edwards Notation: a line for each position.

The board rank by rank, the side to move, who may castle, the cell that a pawn has just passed over, moves since the
last capture or pawn's move, the number of the move. Small variants have no castling, `-`. What is written of a game is
its last position. `.pgn` files name positions in this way too.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from string import digits
from typing import BinaryIO

import attrs

from dslgame import records
from dslgame.records import BadRecord, Reader, Record
from interpreter.game import Position

SUFFIX = ".fen"
SEVERAL = POSITIONS = True


@attrs.frozen
class Variant:
    """A game of chess and how files write it."""

    title: str
    tags: tuple[str, ...]
    """What the tag `Variant` calls it in PGN, the first when written; names are compared without spaces and case."""
    size: int
    letters: Mapping[str, str]
    """The letter of each piece."""
    full: bool = False
    """Whether there are castling and double steps."""
    far: int = 0
    """The rank on which White's pawns become other pieces."""


def _variant(title: str, tags: tuple[str, ...], size: int, pieces: str, *, full: bool = False, far: int = 0) -> Variant:
    names = {"P": "pawn", "N": "knight", "B": "bishop", "R": "rook", "Q": "queen", "K": "king", "S": "bishop",
             "M": "queen"}
    return Variant(title, tags, size, {names[letter]: letter for letter in pieces}, full, far or size)


VARIANTS = (
    _variant("Chess", ("Standard", "Chess", "Normal", "From Position", "Chess960", "Fischerandom", "Fischer Random"), 8,
             "PNBRQK", full=True),
    _variant("Gardner's Chess", ("Gardner", "Gardner's Chess", "Minichess"), 5, "PNBRQK"),
    _variant("Los Alamos Chess", ("Los Alamos", "Losalamos", "Los Alamos Chess"), 6, "PNRQK"),
    _variant("Makruk", ("Makruk",), 8, "PNSRMK", far=6),
)
TITLES = tuple(variant.title for variant in VARIANTS)


def variant_named(title: str) -> Variant:
    """The variant with a game's title."""
    return next(variant for variant in VARIANTS if variant.title == title)


def _letters(variant: Variant) -> dict[str, str]:
    """The letter of each piece, in small letters for Black, by the glyph that our positions have for it."""
    game = records.game_of(Record(variant.title, {}, ()))
    found = {}
    for piece in game.rules.pieces:
        if piece.owner is not None:
            letter = variant.letters[piece.name]
            found[piece.glyph] = letter if game.players[piece.owner] == "White" else letter.lower()
    return found


def games(stream: BinaryIO) -> Iterator[Reader]:
    """A record without moves for each line. Raises BadRecord."""
    found = False
    for line, row in enumerate(records.lines_of(stream), start=1):
        if row.strip() and not row.startswith("#"):
            found = True
            yield partial(_record, row.strip(), line)
    if not found:
        raise BadRecord(1, "found no position, expected a line such as 8/8/8/8/8/4k3/4p3/4K3 w - - 0 1")


def _record(row: str, line: int) -> Record:
    variant = _variant_of(row.split()[0], line)
    return Record(variant.title, {}, (), {"FEN": row}, (), start_text(row, variant, line))


def write(games: Iterable[Record]) -> Iterator[str]:
    """The last position of each game, a line each."""
    for record in games:
        number, second = first_number(record)
        number += (second + len(record.moves)) // 2
        yield fen_of(records.replay(record), variant_named(record.title), number) + "\n"


def first_number(record: Record) -> tuple[int, bool]:
    """The number of a record's first move, and whether the second player makes it."""
    words = record.details.get("FEN", "").split()
    second = " b " in f" {' '.join(words)} " if words else " Black " in f"{record.start} "
    return int(words[5]) if len(words) > 5 and set(words[5]) <= set(digits) else 1, second


def _variant_of(board: str, line: int) -> Variant:
    """The variant with such a board: by its size, then by its letters. Raises BadRecord."""
    size = board.count("/") + 1
    found = [variant for variant in VARIANTS if variant.size == size]
    if not found:
        sizes = ", ".join(f"{variant.size} ({variant.title})" for variant in VARIANTS)
        raise BadRecord(line, f"found a board of {size} ranks, expected one of {sizes}, with '/' between ranks")
    letters = set(re.sub("[^A-Z]", "", board.upper()))
    return next((variant for variant in found if letters <= set(variant.letters.values())), found[0])


def start_text(fen: str, variant: Variant, line: int) -> str:
    """The position of a FEN as our text. Raises BadRecord."""
    words = fen.split()
    defaults = ["", "w", "-", "-", "0", "1"]
    if not 1 <= len(words) <= 6:
        raise BadRecord(line, f"found {len(words)} words in the position, expected up to six: board, side to move, "
                              "castling, passed cell, half moves, number of the move")
    board, side, castling, passed, quiet, number = words + defaults[len(words):]
    pieces = _ranks(board, variant, line)
    if side not in ("w", "b"):
        raise BadRecord(line, f"found '{side}', expected w or b: the side to move")
    if not re.fullmatch("[0-9]{1,9} [0-9]{1,9}", f"{quiet} {number}"):
        raise BadRecord(line, f"found '{quiet} {number}', expected two numbers: half moves since the last capture or "
                              "pawn's move, and the number of the move")
    for letter, name in (("K", "White"), ("k", "Black")):
        if sum(row.count(letter) for row in pieces) != 1:
            raise BadRecord(line, f"found {sum(row.count(letter) for row in pieces)} kings of {name}, expected one")
    _refuse_far_pawns(pieces, variant, line)
    glyphs = {letter: glyph for glyph, letter in _letters(variant).items()} | {".": "."}
    ours = "/".join("".join(glyphs[sign] for sign in row) for row in pieces)
    parts = [ours, "White" if side == "w" else "Black"]
    if variant.full:
        parts += _rights(pieces, castling, line)
        parts.append(f"passed={_passed(pieces, passed, side, line)}")
    elif castling != "-" or passed != "-":
        raise BadRecord(line, f"found '{castling} {passed}', expected '- -': {variant.title} has no castling and no "
                              "double steps")
    variables = records.game_of(Record(variant.title, {}, ())).rules.variables
    most = next(getattr(kind.sort, "high", 0) for kind in variables if kind.name == "quiet")  # more is as good as that
    text = " ".join([*parts, f"quiet={min(int(quiet), most)}"])
    return _without_false_passing(text, variant, line)


def _ranks(board: str, variant: Variant, line: int) -> list[str]:
    """The ranks with a sign for each cell, the highest first. Raises BadRecord."""
    known = list(variant.letters.values())
    ranks = board.split("/")
    if len(ranks) != variant.size:
        raise BadRecord(line, f"found {len(ranks)} ranks, expected {variant.size}")
    found = []
    for number, rank in zip(range(variant.size, 0, -1), ranks, strict=True):
        row = ""
        for sign in re.sub("(?<=[A-Za-z])~", "", rank):  # `M~` is a pawn that became M
            if sign in digits:
                row += "." * int(sign)
            elif sign.upper() in known:
                row += sign
            else:
                raise BadRecord(line, f"found '{sign}' in rank {number}, expected a number or one of {' '.join(known)}"
                                      ", in small letters for Black")
        if len(row) != variant.size:
            raise BadRecord(line, f"rank {number}, '{rank}', has {len(row)} cells, expected {variant.size}")
        found.append(row)
    return found


def _refuse_far_pawns(pieces: list[str], variant: Variant, line: int) -> None:
    """Raise BadRecord for a pawn where it would be another piece, or behind where pawns begin."""
    for rank, row in zip(range(variant.size, 0, -1), pieces, strict=True):
        for letter, name, ahead in (("P", "White", rank), ("p", "Black", variant.size + 1 - rank)):
            if letter in row and not 1 < ahead < variant.far:
                raise BadRecord(line, f"found a pawn of {name} on rank {rank}, where no pawn can stand")


def _rights(pieces: list[str], castling: str, line: int) -> list[str]:
    """`short=` and `long=`. Raises BadRecord for a right whose king or rook is not at home."""
    letters = castling.translate(str.maketrans("HAha", "KQkq"))  # files of rooks, as Shredder writes them
    if not re.fullmatch("-|[KQkq]+", letters) or len(set(letters)) < len(letters):
        raise BadRecord(line, f"found '{castling}', expected the rights to castle: some of KQkq, or -",
                        "letters of other files are for Chess960 from other positions, for which there is no game here"
                        if re.fullmatch("[A-Ha-h]+", castling) else "")
    for letter, rank, rook, king in (("K", 7, 7, "K"), ("Q", 7, 0, "K"), ("k", 0, 7, "k"), ("q", 0, 0, "k")):
        if letter in letters and (pieces[rank][4] != king or pieces[rank][rook] != ("R" if king == "K" else "r")):
            raise BadRecord(line, f"found the right '{letter}' to castle, but king and rook are not in their places")
    yes = {letter: "yes" if letter in letters else "no" for letter in "KQkq"}
    return [f"short={yes['K']},{yes['k']}", f"long={yes['Q']},{yes['q']}"]


def _passed(pieces: list[str], cell: str, side: str, line: int) -> str:
    """The cell that a pawn has passed, as FENs name it also where no pawn can take there. Raises BadRecord."""
    if cell == "-":
        return "none"
    if not re.fullmatch("[a-h][36]", cell) or (cell[1] == "6") != (side == "w"):
        raise BadRecord(line, f"found '{cell}', expected the cell that a pawn has just passed over, or -")
    column, rank = "abcdefgh".index(cell[0]), 3 if side == "w" else 4
    if pieces[rank][column] != ("p" if side == "w" else "P"):
        raise BadRecord(line, f"found '{cell}' as the cell that a pawn has just passed over, but no pawn is beyond it")
    return cell


def _without_false_passing(text: str, variant: Variant, line: int) -> str:
    """A position, with the cell that a pawn has passed only where a capture there is legal, as in our rules."""
    passed = re.search(r" passed=(?!none)(\S+)", text)
    if passed is None:
        return text
    cell, position = passed[1], records.start_of(Record(variant.title, {}, (), {}, (), text))
    takes = any(move[2:] == cell and move[0] != cell[0] and position.pieces[move[:2]].endswith("pawn")
                for move in position.moves())
    return text if takes else text.replace(passed[0], " passed=none")


def fen_of(position: Position, variant: Variant, number: int) -> str:
    """A position in FEN; `number` is that of the next move."""
    words = position.text.split()
    said = dict(word.split("=") for word in words[2:])
    letters = _letters(variant) | {".": "."}
    ranks = []
    for row in words[0].split("/"):
        signs = "".join(letters[sign] for sign in row)
        ranks.append(re.sub(r"\.+", lambda run: str(len(run[0])), signs))
    castling = passed = "-"
    if variant.full:
        rights = [*zip(said["short"].split(","), "Kk", strict=True), *zip(said["long"].split(","), "Qq", strict=True)]
        have = [letter for yes, letter in rights if yes == "yes"]
        castling = "".join(sign for sign in "KQkq" if sign in have) or "-"
        passed = said["passed"] if said["passed"] != "none" else "-"
    return f"{'/'.join(ranks)} {'w' if words[1] == 'White' else 'b'} {castling} {passed} {said['quiet']} {number}"

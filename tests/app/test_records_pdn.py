"""Games of draughts in PDN as programs and people really write them."""

from __future__ import annotations

from pathlib import Path

import pytest

from dslgame import records

AMERICAN = '''[Variant "American/English"]
1. a3-b4 f6-g5 2. b4-a5 g5-f4 *
'''


def read(folder: Path, text: str) -> records.Record:
    path = folder / "game.pdn"
    path.write_text(text, encoding="utf-8")
    return records.read_record(path)


@pytest.mark.parametrize(("text", "title", "moves"), [
    ("1. 11-15 23- 19 2.  8-11 22-17 *", "English Draughts", "c3-d4 d6-c5 b2-c3 f6-g5"),
    ("1. 11 - 15 23-19 2. 08-11 *", "English Draughts", "c3-d4 d6-c5 b2-c3"),
    (AMERICAN, "English Draughts", "a3-b4 f6-g5 b4-a5 g5-f4"),
    (AMERICAN.replace("American/English", "English draughts"), "English Draughts", "a3-b4 f6-g5 b4-a5 g5-f4"),
    ('[Variant "Russian"]\n1. 22-17 9-14 *', "Russian Draughts", "c3-b4 b6-c5"),
    ('[GameType "25"]\n1. c3d4 D6-C5 *', "Russian Draughts", "c3-d4 d6-c5"),
    ('[GameType "25"]\n[FEN "W:W21-32:B1-12"]\n1. c3-d4 d6-c5 *', "Russian Draughts", "c3-d4 d6-c5"),
    ("1. 32-28 19-23 2. 28x19 14x23 *", "International Draughts", "d4-e5 g7-f6 e5xg7 h8xf6"),
    ('[FEN "W:W31-50:B1-20"]\n1. 32-28 *', "International Draughts", "d4-e5"),
    ('[FEN "W:WK46,47:BK5"]\n1. 46-41 5x46 *', "International Draughts", "a1-b2 j10xa1"),
    ('[Variant "From Position"]\n[GameType "99"]\n[FEN "W:W41:B1:H3:F40"]\n1. 41-37 *', "International Draughts",
     "b2-c3"),
    ('[Result "12-0"]\n[GameType "20"]\n1. 32-28 19-23 12-0', "International Draughts", "d4-e5 g7-f6"),
])
def test_what_programs_write_is_read(text: str, title: str, moves: str, tmp_path: Path) -> None:
    """Padded moves, either name of a square, positions with ranges and clocks, and tags of either kind."""
    record = read(tmp_path, text)
    assert (record.title, " ".join(record.moves), record.stopped) == (title, moves, None)


@pytest.mark.parametrize(("fen", "said"), [
    ("W:W1-99999999,K5:B3", "found the square '99999999'"),
    ("W:WK1-99999999:B3", "found the square '99999999'"),
    ("W:W1-" + "9" * 5000 + ":B3", "found the square '999"),
    ("W:W9-2:B30", "the lower number first"),
    ("W:WK0:B3", "found the square '0'"),
    ("W:W4,1:B30", "found a man of White on '4', in the far row"),
    ("B:W12:B29", "found a man of Black on '29', in the far row"),
    ("W:W12:B13:B14", "found the position"),
    ("W:W12", "found the position"),
])
def test_impossible_positions_are_refused(fen: str, said: str, tmp_path: Path) -> None:
    """No range is as long as its numbers say, and no man stands where it would be a king."""
    with pytest.raises(records.BadRecord) as found:
        read(tmp_path, f'[GameType "21"]\n[FEN "{fen}"]\n1. 1-5 *')
    assert said in found.value.phrase


def test_other_kinds_of_draughts_are_refused(tmp_path: Path) -> None:
    with pytest.raises(records.BadRecord, match="found the variant 'frisian'"):
        read(tmp_path, '[Variant "Frisian"]\n1. 32-28 *')

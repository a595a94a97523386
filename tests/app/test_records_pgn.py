"""Games of chess in PGN, and positions in FEN, as programs and people really write them."""

from __future__ import annotations

import random
from pathlib import Path

import chess
import pytest

from dslgame import records

CASTLING = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. {} Nf6 *"


def read(folder: Path, text: str) -> records.Record:
    path = folder / "game.pgn"
    path.write_text(text, encoding="utf-8")
    return records.read_record(path)


@pytest.mark.parametrize("castling", ["O-O", "0-0", "o-o", "e1g1", "Ke1-g1", "0-0!"])
def test_castling_is_read_as_it_is_written(castling: str, tmp_path: Path) -> None:
    """Zeros in castling are no result, also not at the end of a game."""
    assert read(tmp_path, CASTLING.format(castling)).moves[6] == "e1g1"
    assert read(tmp_path, CASTLING.format(castling).partition(" Nf6")[0]).moves[6] == "e1g1"


def test_moves_are_read_in_long_and_computer_notation(tmp_path: Path) -> None:
    """`Ng1-f3`, `Ng1f3`, `e2e4`, `e2-e4`, `e7-e8=Q`, `e7e8q`: the same game in each notation."""
    chance, board = random.Random(7), chess.Board("r3k2r/P6p/8/2pP4/8/8/7P/R3K2R w KQkq c6 0 30")
    rows: dict[str, list[str]] = {"san": [], "lan": [], "joined": [], "uci": [], "dashed": []}
    moves = []
    for ply in range(30):
        legal = sorted(board.legal_moves, key=str)
        if not legal:
            break
        move = legal[0] if ply else chess.Move.from_uci("d5c6")
        move = chance.choice(legal) if ply else move
        lan, uci = board.lan(move), move.uci()
        rows["san"].append(board.san(move))
        rows["lan"].append(lan + " e.p." * board.is_en_passant(move))
        rows["joined"].append(lan.replace("-", "") if "O" not in lan else lan)
        rows["uci"].append(uci)
        rows["dashed"].append(f"{uci[:2]}-{uci[2:4]}" + f"/{uci[4:].upper()}" * (len(uci) > 4))
        moves.append(uci)
        board.push(move)
    start = '[SetUp "1"]\n[FEN "r3k2r/P6p/8/2pP4/8/8/7P/R3K2R w HAha c6 0 30"]\n\n'
    for name, row in rows.items():
        found = read(tmp_path, start + " ".join(row) + " *")
        assert [move.replace("=", "").lower() for move in found.moves] == moves, name


def test_results_and_quotes_are_read_as_they_are_written(tmp_path: Path) -> None:
    text = '[White "Ann "The Fox" Lee"]\n[Black "C:\\"]\n[Event "Cup \\"A\\""]\n\n1. e4 1/2\n\n[White "B"]\n\n1. d4 ½-½'
    path = tmp_path / "game.pgn"
    path.write_text(text, encoding="utf-8")
    first, second = records.read_records(path)
    assert first.details == {"White": 'Ann "The Fox" Lee', "Black": "C:\\", "Event": 'Cup "A"'}
    assert (first.moves, second.moves) == (("e2e4",), ("d2d4",))


@pytest.mark.parametrize("variant", ["From Position", "Standard", "normal", "?", "Chess960", "fischerandom"])
def test_variants_with_the_rules_of_chess_are_chess(variant: str, tmp_path: Path) -> None:
    record = read(tmp_path, f'[Variant "{variant}"]\n[FEN "4k3/8/8/8/8/8/4P3/4K2R w H - 0 1"]\n\n1. 0-0 *')
    assert (record.title, record.moves) == ("Chess", ("e1g1",))


@pytest.mark.parametrize("move", ["e6=M", "e6", "e5-e6=m", "e5e6"])
def test_promotions_of_makruk_are_read_and_written(move: str, tmp_path: Path) -> None:
    """There is no choice, so files may leave out what a pawn becomes; `M~` in a position is a pawn that became M."""
    record = read(tmp_path, f'[Variant "Makruk"]\n[FEN "4k3/8/8/4P3/8/8/8/M~3K3 w - - 0 1"]\n\n1. {move} *')
    assert record.moves == ("e5e6",)
    written = records.written(record, "x.pgn")
    assert "1. e6=M" in written
    assert records.written(record, "x.fen").startswith("4k3/8/4M3/8/8/8/8/M3K3 b")
    assert read(tmp_path, written).moves == ("e5e6",)
    with pytest.raises(records.BadRecord, match="no piece of White can do it"):
        read(tmp_path, '[Variant "Makruk"]\n[FEN "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1"]\n\n1. e5=M *')


@pytest.mark.parametrize(("fen", "said"), [
    ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn of White on rank 8"),
    ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", "a pawn of Black on rank 1"),
    ("4k3/8/8/8/8/8/8/P3K3 w - - 0 1", "a pawn of White on rank 1"),
    ("4k3/8/M7/P7/8/8/m6p/4K3 w - - 0 1", "a pawn of Black on rank 2"),
    ("4k3/8/P6M/8/8/8/8/4K3 w - - 0 1", "a pawn of White on rank 6"),
    ("P3k/5/5/5/4K w - - 0 1", "a pawn of White on rank 5"),
    ("4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "found 'G', expected the rights to castle"),
    ("4k3/8/8/8/8/8/8/4K2R w HK - 0 1", "found 'HK', expected the rights to castle"),
    ("4k3/8/8/8/8/8/8/4K2R w - - 9999999999 1", "expected two numbers"),
])
def test_impossible_positions_are_refused(fen: str, said: str, tmp_path: Path) -> None:
    """No pawn stands where it would be another piece, or where none can get."""
    path = tmp_path / "x.fen"
    path.write_text(fen + "\n", encoding="utf-8")
    with pytest.raises(records.BadRecord) as found:
        records.read_record(path)
    assert said in found.value.phrase

"""PGN, FEN, PDN, WTHOR and transcripts: read, replayed by the rules, written, and refused with line and move."""

from __future__ import annotations

import io
import json
import random
from pathlib import Path

import chess
import chess.pgn
import pytest
from click.testing import CliRunner

import dslgame
from dslgame import records
from dslgame.cli.app import app
from interpreter.game import Position

# Kasparov - Topalov, Wijk aan Zee 1999, with comments, variations and other non-moves.
PGN = """% written by hand
[Event "Hoogovens"]
[White "Kasparov, Garry"]
[Black "Topalov, \\"Veselin\\""]
[Result "1-0"]

1. e4 d6 2.d4 Nf6 3. Nc3 g6 { a Pirc (B07) } 4. Be3 Bg7 5. Qd2 c6 6. f3 b5
7. Nge2 Nbd7 8. Bh6 Bxh6 9. Qxh6 Bb7 10. a3 e5 (10... Qa5 11. O-O-O (11. b4)) 11. O-O-O Qe7
12. Kb1 a6 13. Nc1 O-O-O 14. Nb3 exd4 15. Rxd4 c5 16. Rd1 Nb6 17. g3 Kb8 18. Na5 Ba8 ; calm
19. Bh3 d5 20. Qf4+ Ka7 21. Rhe1 d4 22. Nd5 Nbxd5 23. exd5 Qd6 24. Rxd4! $3 cxd4
25. Re7+ Kb6 26. Qxd4+ Kxa5 27. b4+ Ka4 28. Qc3 Qxd5 29. Ra7 Bb7 30. Rxb7 Qc4
31. Qxf6 Kxa3 32. Qxa6+ Kxb4 33. c3+ Kxc3 34. Qa1+ Kd2 35. Qb2+ Kd1 36. Bf1 Rd2
37. Rd7 Rxd7 38. Bxc4 bxc4 39. Qxh8 Rd3 40. Qa8 c3 41. Qa4+ Ke1 42. f4 f5 43. Kc1
Rd2 44. Qa7 1-0

[Event "Fool's mate"]
1. f3 e5 2. g4 Qh4#
"""

# 11-15 23-19 8-11 22-17, a common opening of the World Championship of 1997.
PDN = """[Event "example"]
[GameType "21,B,8,8,N1,0"]
1. 11-15 23-19 {Old Fourteenth} 2. 8-11 22-17 3. 4-8 25-22 (3. 9-13) 4. 15-18 22x15 5. 11x18 24-20! *
"""


def saved(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def random_game(name: str, seed: int, plies: int) -> Position:
    chance = random.Random(seed)
    position = dslgame.load(name).start()
    while not position.over and len(position.played) < plies:
        position = position.play(chance.choice(position.moves()))
    return position


def test_pgn_is_read_as_another_program_reads_it(tmp_path: Path) -> None:
    """Games with comments, variations and annotations are read as by another program."""
    found = records.read_records(saved(tmp_path, "x.pgn", PGN))
    stream = io.StringIO(PGN.partition("\n")[2])
    for record in found:
        theirs = chess.pgn.read_game(stream)
        assert theirs is not None
        assert [move.replace("=", "").lower() for move in record.moves] == [
            move.uci() for move in theirs.mainline_moves()]
        last = records.written(record, "x.fen").strip()
        assert last == theirs.end().board().fen(en_passant="legal")
    assert found[0].details == {"Event": "Hoogovens", "White": "Kasparov, Garry", "Black": 'Topalov, "Veselin"',
                                "Result": "1-0"}
    assert records.replay(found[1]).outcome == "Black"


@pytest.mark.parametrize("seed", [1])
def test_pgn_is_written_as_another_program_writes_it(seed: int, tmp_path: Path) -> None:
    """Moves in short algebraic notation and last positions as FEN are written as by another program."""
    position = random_game("chess", seed, 60)
    record = records.record_of(position, {"White": 'A "\\'})
    text = records.written(record, "x.pgn")
    theirs = chess.pgn.read_game(io.StringIO(text))
    assert theirs is not None
    assert not theirs.errors
    written = " ".join(word for word in text.partition("\n\n")[2].split() if not word.endswith("."))
    board, sans = chess.Board(), []
    for move in theirs.mainline_moves():
        sans.append(board.san(move))
        board.push(move)
    assert written == " ".join([*sans, theirs.headers["Result"]])
    again = records.read_record(saved(tmp_path, "x.pgn", text))
    assert (again.moves, again.details["White"]) == (position.played, 'A "\\')
    fen = records.written(record, "x.fen")
    assert fen.strip() == board.fen(en_passant="legal")
    middle = records.read_record(saved(tmp_path, "x.fen", fen))
    assert records.replay(middle).state == position.state
    further = records.replay(middle).play(records.replay(middle).moves()[0])
    from_middle = records.written(records.record_of(further, middle.details), "x.pgn")
    theirs = chess.pgn.read_game(io.StringIO(from_middle))
    assert theirs is not None
    assert not theirs.errors
    assert records.replay(records.read_record(saved(tmp_path, "y.pgn", from_middle))).state == further.state


@pytest.mark.slow
def test_moves_and_positions_are_those_of_another_program() -> None:
    """Castling, en passant, promotions and checks have the notation and positions of another program."""
    for seed in range(3):
        position = random_game("chess", seed, 120)
        text = records.written(records.record_of(position), "x.pgn")
        theirs = chess.pgn.read_game(io.StringIO(text))
        assert theirs is not None
        assert not theirs.errors, theirs.errors
        board = theirs.board()
        words = [word for word in text.partition("\n\n")[2].split() if not word.endswith(".")]
        for word, move in zip(words, theirs.mainline_moves(), strict=False):
            assert word == board.san(move), text
            board.push(move)
        assert records.written(records.record_of(position), "x.fen").strip() == board.fen(en_passant="legal")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "suffix"), [
    ("gardners_chess", ".pgn"), ("los_alamos_chess", ".pgn"), ("makruk", ".pgn"), ("english_draughts", ".pdn"),
    ("russian_draughts", ".pdn"), ("international_draughts", ".pdn"), ("reversi", ".txt"), ("reversi", ".wtb"),
    ("makruk", ".fen")])
def test_random_games_come_back(name: str, suffix: str, tmp_path: Path) -> None:
    """A written game is read back with the same moves, or from FEN with the same position."""
    for seed in range(2):
        position = random_game(name, seed, 60 if suffix in (".txt", ".wtb") else 24)
        path = saved(tmp_path, "x" + suffix, records.encoded([records.record_of(position)] * 2, "x" + suffix))
        first, second = records.read_records(path)
        assert (first.moves, first.start, first.details) == (second.moves, second.start, second.details)
        assert records.replay(first).state == position.state
        assert first.moves == (() if suffix == ".fen" else position.played)


def test_pdn_numbers_squares_from_the_first_players_right(tmp_path: Path) -> None:
    """Squares are numbered so that 11-15 is a common first move; a position is written with both sides' squares."""
    record = records.read_record(saved(tmp_path, "x.pdn", PDN))
    assert record.moves[:4] == ("c3-d4", "d6-c5", "b2-c3", "f6-g5")
    start = PDN.replace("]\n1.", ']\n[FEN "W:W18,K30:B1-3,K32"]\n1.').partition("1. ")[0] + "1. 18-14 *"
    record = records.read_record(saved(tmp_path, "y.pdn", start))
    position = records.replay(record)
    assert position.to_move == "Black"
    assert sorted(position.pieces.values()) == ["Black king", *["Black man"] * 3, "White king", "White man"]
    text = records.written(record, "x.pdn")
    assert '[FEN "W:W18,K30:B1,2,3,K32"]' in text
    assert "1... 18-14 *" in text


def test_wthor_has_sixty_moves_by_row_and_column(tmp_path: Path) -> None:
    """Passes are not stored in the file and are restored when it is read."""
    position = next(found for seed in range(20) if "pass" in (found := random_game("reversi", seed, 100)).played)
    data = records.encoded([records.record_of(position, {"year": "1999", "Black": "12"})], "x.wtb")
    assert len(data) == 16 + 68
    assert data[24:27] == bytes(10 * int(cell[1]) + ord(cell[0]) - 96 for cell in position.played[:3])
    record = records.read_record(saved(tmp_path, "x.wtb", data))
    assert (record.moves, record.details["year"], record.details["Black"]) == (position.played, "1999", "12")
    assert int(record.details["discs"]) == list(position.pieces.values()).count("black")


@pytest.mark.parametrize(("name", "text", "line", "said"), [
    ("x.pgn", "", 1, "found no game"),
    ("x.pgn", "1. e4 e5\n2. Nf6", 2, "move 2. Nf6 is not legal: no piece of White can do it"),
    ("x.pgn", "1. e4 e5 2. Ne2 Nc6 3. N1c3 a6\n4. Nd5 a5 5. Nb8", 2, "move 5. Nb8 is not legal"),
    ("x.pgn", "1. Nf3 a6 2. Nc3 a5 3. Nb5 a4\n4. Nd4", 2, "it may mean"),
    ("x.pgn", "1. e4 e5 2. hello", 1, "it is no move"),
    ("x.pgn", "1. f3 e5 2. g4 Qh4#\n3. a3", 2, "the game is over before it (Black)"),
    ("x.pgn", "1. e4 {no end", 1, "a comment does not end"),
    ("x.pgn", "1. e4\n(1. d4", 2, "a variation does not end"),
    ("x.pgn", "1. e4 )", 1, "found ')'"),
    ("x.pgn", "[Event Hoogovens]\n1. e4", 1, "expected a tag"),
    ("x.pgn", '[Event "?"]\n[Variant "Atomic"]\n1. e4', 2, "found the variant 'Atomic'"),
    ("x.pgn", '[Event "?"]\n[FEN "8/8/8/8 w - - 0 1"]\n1. e4', 2, "found 4 ranks, expected 8"),
    ("x.pgn", "1. --", 1, "null move"),
    ("x.fen", "8/8/8/8/8/8/8/8 w - - 0 1", 1, "found 0 kings of White"),
    ("x.fen", "# mate\n4k3/8/8/8/8/8/8/4K2R w KQ - 0 1", 2, "the right 'Q'"),
    ("x.fen", "4k3/8/8/8/8/8/8/4K2R x - - 0 1", 1, "expected w or b"),
    ("x.fen", "4k3/8/8/8/8/8/9/4K2R w - - 0 1", 1, "rank 2, '9', has 9 cells"),
    ("x.fen", "4k3/8/8/8/8/8/8/4K2R w - e6 0 1", 1, "no pawn is beyond it"),
    ("x.fen", "4k3/x7/8/8/8/8/8/4K2R w - - 0 1", 1, "found 'x' in rank 7"),
    ("x.fen", "4k3/8/8 w - - 0 1", 1, "a board of 3 ranks"),
    ("x.pdn", "1. 11-15\n22-17 2. 15-20", 2, "move 2. 15-20 is not legal: no man"),
    ("x.pdn", "1. 11-15 22-18\n2. 9-13", 2, "Black must capture: 15x22"),
    ("x.pdn", "1. hello", 1, "is no move"),
    ("x.pdn", '[GameType "99"]\n1. 11-15', 1, "found the game type 99"),
    ("x.pdn", '[GameType "21,B,10,10,N1,0"]\n1. 11-15', 1, "expected 21,B,8,8,N1,0"),
    ("x.pdn", '[Event "?"]\n[FEN "B:W60:B1"]\n1. 1-5', 2, "found the square '60'"),
    ("x.pdn", '[Event "?"]\n[FEN "B:W9:B9"]\n1. 1-5', 2, "twice"),
    ("x.txt", "f5d6\nf5a1", 2, "move 2, 'a1', is not legal: White to move"),
    ("x.txt", "f5 z9", 1, "found 'z9' after 1 moves"),
    ("x.wtb", "short", 0, "the file has 5 bytes"),
    ("x.wtb", "x" * 90, 0, "found a file of kind"),
])
def test_mistakes_are_told_with_their_line_and_move(name: str, text: str, line: int, said: str, tmp_path: Path) -> None:
    with pytest.raises(records.BadRecord) as found:
        records.read_records(saved(tmp_path, name, text))
    assert (found.value.line, said in found.value.phrase) == (line, True), found.value.phrase


def test_the_command_lists_games_and_takes_one(tmp_path: Path) -> None:
    path = saved(tmp_path, "x.pgn", "1. e4 e5 *\n\n1. f3 e5 2. g4 Qh4#")

    def run(*arguments: object) -> str:
        result = CliRunner().invoke(app, ["convert", *map(str, arguments)])
        assert result.exit_code in (0, 1), result.output
        return result.output

    assert "2  Chess, 4 moves, the game is over: Black won" in run(path)
    assert [game["game"] for game in json.loads(run(path, "--json"))["games"]] == ["Chess", "Chess"]
    assert json.loads(run(path, "--game", 2, "--json"))["moves"] == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert "has 2 games, found --game 3" in run(path, "--game", 3)
    assert "x.pgn: 2 games" in run(path, "--to", path, "--force")
    fen = tmp_path / "last.fen"
    run(path, "--to", fen)
    assert len(fen.read_text().splitlines()) == 2
    shown = run(path, "--to", tmp_path / "x.pdn")
    assert ".pdn files hold games of English Draughts, Russian Draughts or International Draughts" in shown
    two = saved(tmp_path, "two.txt", "f5d6\nf5f6\n")
    assert ".T1 files hold games of TwixT" in run(two, "--to", tmp_path / "x.T1")


@pytest.mark.parametrize("fen", [
    "8/8/8/8/3Pp3/8/R6k/K7 b - d3 0 37",  # the king is in check by the rook
    "8/8/8/8/3Pp3/8/7k/K7 b - d3 0 37",
    "8/8/8/8/3P4/8/7k/K7 b - d3 0 37",  # no pawn is there
    "8/8/8/8/k2Pp2R/8/8/K7 b - d3 0 37",  # both pawns would leave the king's row
])
def test_a_passed_cell_is_kept_where_a_capture_is_legal(fen: str, tmp_path: Path) -> None:
    """A cell after any double step, as many programs write it, is one of ours only where a pawn may take there."""
    record = records.read_record(saved(tmp_path, "x.fen", fen))
    assert records.written(record, "y.fen").strip() == chess.Board(fen).fen(en_passant="legal")


def test_other_digits_and_empty_games_are_refused(tmp_path: Path) -> None:
    """Digits of other scripts are none in a FEN, and a transcript has no line for a game without moves."""
    path = tmp_path / "x.fen"
    for fen in ("²/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 1", chess.STARTING_FEN[:-1] + "²"):
        path.write_text(fen + "\n", encoding="utf-8")
        result = CliRunner().invoke(app, ["convert", str(path)])
        assert (result.exit_code, "found '" in result.output) == (1, True), result.output
    result = CliRunner().invoke(app, ["convert", "reversi", "--to", str(tmp_path / "e.txt")])
    assert (result.exit_code, "found a game without moves" in result.output) == (1, True), result.output
    assert not (tmp_path / "e.txt").exists()

"""GTP for games about which the protocol says more than moves: columns, komi, scores, handicaps and records of Go."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from click.testing import CliRunner

import dslgame
from dslgame.cli.app import app
from dslgame.programs.channels import Deadline
from dslgame.programs.protocols import gtp
from dslgame.programs.protocols.dialects import dialect_of
from dslgame.programs.referee import Clock, Contestant, Played, play
from interpreter.game import Game, Position
from tests.peers import First, script


def said(text: str, name: str = "go", **params: int) -> list[str]:
    """What our engine answers to some commands, without the line ends."""
    game = dslgame.load(name, **params)
    result: list[str] = []

    def adapt(values: Mapping[str, int]) -> Game:
        return Game.of(game.rules.source, {**game.params, **values})

    gtp.serve(game, First(), "Ours", iter(text.splitlines()), result.append, adapt)
    return [answer.removesuffix("\n") for answer in result]


def test_a_game_of_go_is_scored_with_komi() -> None:
    """J9 is the ninth column; one stone owns all of 9x9: 81 - 7.5 points."""
    assert said("boardsize 9\nkomi 7.5\nclear_board\nplay B J9\nplay W pass\nplay B pass\nfinal_score\n") == [
        "=", "=", "=", "=", "=", "=", "= B+73.5"]


def test_columns_of_go_skip_the_letter_i_in_both_directions() -> None:
    answers = said("boardsize 9\nplay b i5\nplay b j5\nplay w h5\nall_legal\nshowboard\ngenmove b\n")
    assert answers[:4] == ["=", "? illegal move", "=", "="]
    assert "J5" not in answers[4].split()
    assert "J4" in answers[4].split()
    assert not [move for move in answers[4].split() if move.startswith("I")]
    assert "a b c d e f g h j" in answers[5]
    assert answers[6] == "= A9"


def test_columns_of_other_games_keep_the_letter_i() -> None:
    assert said("boardsize 9\nplay b i9\nplay w j9\n", "hex") == ["=", "=", "? illegal move"]


@pytest.mark.parametrize(("komi", "answer", "score"), [
    ("0", "=", "= W+25"), ("-3.5", "=", "= W+21.5"), ("25", "=", "= W+50"), ("-25", "=", "= 0"),
    ("0.25", "? unacceptable komi: Go has komi in steps of 0.5", "= W+25"),
    ("9999", "? unacceptable komi", "= W+25"), ("x", "? komi not a float", "= W+25"),
    ("", "? komi not a float", "= W+25"), ("nan", "? komi not a float", "= W+25"),
    ("inf", "? komi not a float", "= W+25"),
])
def test_komi_counts_in_a_game_that_has_begun(komi: str, answer: str, score: str) -> None:
    """The score of one white stone on 5x5, with the komi given after it was placed."""
    answers = said(f"boardsize 5\nplay w c3\nkomi {komi}\nplay b pass\nplay w pass\nfinal_score\n")
    assert (answers[2], answers[-1]) == (answer, score)


def test_komi_outlives_another_board_size() -> None:
    assert said("komi 6.5\nboardsize 5\nplay b c3\nplay w pass\nplay b pass\nfinal_score\n")[-1] == "= B+18.5"


def test_games_without_komi_take_none_alone() -> None:
    assert said("komi 0\nkomi 6.5\nfixed_handicap 2\n", "hex", size=5) == [
        "=", "? unacceptable komi: Hex has none", "? unknown command"]


def test_moves_of_one_colour_may_follow_each_other_where_passing_is_allowed() -> None:
    """The other colour passes in between, unless that would end the game; `undo` takes both back."""
    assert said("play b a1\nplay b b1\nplay w c1\nundo\nundo\nplay w pass\nplay w c1\nplay b c1\n") == [
        "=", "=", "=", "=", "=", "=", "? black is to move", "="]
    assert said("play b a1\nplay b b1\n", "hex") == ["=", "? white is to move"]


@pytest.mark.parametrize(("size", "number", "answer"), [
    (19, 2, "D4 Q16"), (19, 3, "D4 Q16 D16"), (19, 5, "D4 Q16 D16 Q4 K10"), (19, 6, "D4 Q16 D16 Q4 D10 Q10"),
    (19, 9, "D4 Q16 D16 Q4 D10 Q10 K4 K16 K10"), (9, 4, "C3 G7 C7 G3"), (9, 5, "C3 G7 C7 G3 E5"),
    (8, 4, "C3 F6 C6 F3"), (7, 4, "C3 E5 C5 E3"),
])
def test_fixed_handicaps_stand_where_the_protocol_has_them(size: int, number: int, answer: str) -> None:
    """The cells are those of the protocol's reference implementation, GNU Go 3.8."""
    game = dslgame.load("go", size=size)
    says = dialect_of("gtp", game)
    assert " ".join(map(says.written, says.handicap(size, number))) == answer


@pytest.mark.parametrize(("command", "answer"), [
    ("fixed_handicap 5", "? invalid number of stones"), ("fixed_handicap 1", "? invalid number of stones"),
    ("fixed_handicap x", "? handicap not an integer"), ("place_free_handicap 9", "= C3 E5 C5 E3"),
    ("fixed_handicap 2", "= C3 E5"), ("set_free_handicap A1", "? bad vertex list"),
    ("set_free_handicap A1 A1", "? bad vertex list"), ("set_free_handicap A1 I1", "? bad vertex list"),
    ("set_free_handicap A1 G7 C4", "="),
])
def test_handicaps_are_refused_where_the_board_has_no_room(command: str, answer: str) -> None:
    answers = said(f"boardsize 7\n{command}\nplay w d4\n{command}\n")
    assert answers[1] == answer
    if answer.startswith("="):  # White is to move, and the board is no longer empty
        assert answers[2:] == ["=", "? board not empty"]


def test_a_record_is_loaded_up_to_a_move(tmp_path: Path) -> None:
    path = tmp_path / "game.sgf"
    path.write_text("(;GM[1]SZ[5]KM[0.5];B[cc];W[bb];B[];W[])", encoding="utf-8")
    assert said(f"loadsgf {path}\nfinal_score\nundo\nplay w pass\nfinal_score\n") == [
        "=", "= W+0.5", "=", "=", "= W+0.5"]
    assert said(f"loadsgf {path} 2\nplay w c3\nplay w d4\nundo\nundo\nundo\n") == [
        "=", "? illegal move", "=", "=", "=", "? cannot undo"]
    assert said(f"loadsgf {path}\n", "hex")[0] == "? cannot load file: it has a game of Go"
    assert said(f"loadsgf {tmp_path / 'none.sgf'}\n")[0] == "? cannot load file: No such file or directory"
    path.write_text("(;GM[1]SZ[5];B[cc];W[cc])", encoding="utf-8")
    assert said(f"loadsgf {path}\nshowboard\n")[0].startswith("? cannot load file: ")
    assert said("loadsgf\n")[0] == "? expected a file, and perhaps the number of a move"


# ---- an external engine


ENGINE = """
said = open({log!r}, "a")
for line in sys.stdin:
    words = line.split()
    said.write(line)
    said.flush()
    if words[0] == "list_commands":
        print("= genmove\\nundo\\nkgs-genmove_cleanup\\nkgs-rules\\nfinal_score\\n")
    elif words[0] == "genmove": print("= PASS\\n")
    elif words[0] == "kgs-genmove_cleanup": print("= J3\\n" if "play black J2\\n" == before else "= PASS\\n")
    elif words[0] == "final_score": print("= {score}\\n")
    else: print("=\\n")
    before = line if words[0] == "play" else before if words[0] in ("genmove", "undo") else ""
"""
"""An engine that passes, captures at J3 when asked to clean up after J2, and counts a fixed score."""


class Scripted(Contestant):
    """Plays the given moves, then passes."""

    def __init__(self, *moves: str) -> None:
        super().__init__("scripted")
        self.moves = list(moves)

    def choose(self, position: Position, deadline: Deadline) -> str:
        """The next of its moves."""
        return self.moves.pop(0) if self.moves else "pass"


def against(engine: gtp.GtpEngine, *moves: str) -> Played:
    try:
        return play(dslgame.load("go", size=9, komi=15), (Scripted(*moves), engine), (), Clock(20), seeds=(0, 1),
                    longest=50)
    finally:
        engine.close()


@pytest.mark.parametrize(("score", "notes"), [
    ("W+5", ()), ("B+2.5", ("engine: counts 'B+2.5' at the end, where the rules say W+7.5",)),
])
def test_an_engine_is_told_komi_and_columns_and_asked_to_remove_dead_stones(score: str, notes: tuple[str, ...],
                                                                            tmp_path: Path) -> None:
    """A pass is taken back where the engine can clean up instead; its own count is compared at the end."""
    log = tmp_path / "log"
    engine = gtp.GtpEngine("engine", script(tmp_path, "engine", ENGINE.format(log=str(log), score=score)))
    found = against(engine, "i2")
    assert (found.moves, found.winner, found.end) == (("i2", "i3", "pass", "pass"), 1, "rules"), found.reason
    assert found.notes == notes
    commands = log.read_text().splitlines()
    assert commands[:5] == ["list_commands", "boardsize 9", "clear_board", "kgs-rules chinese", "komi 7.5"]
    assert commands[5:] == ["play black J2", "genmove white", "undo", "kgs-genmove_cleanup white", "play black pass",
                            "genmove white", "undo", "kgs-genmove_cleanup white", "final_score", "quit"]


def test_a_move_in_a_column_that_the_protocol_lacks_is_illegal(tmp_path: Path) -> None:
    engine = gtp.GtpEngine("engine", script(tmp_path, "engine", """
for line in sys.stdin:
    print("= I3\\n" if line.startswith("genmove") else "=\\n")
"""))
    found = against(engine, "a1")
    assert (found.end, found.forfeits) == ("illegal", (1,))
    assert "there is no column I" in found.reason


def test_an_engine_without_a_player_plays_as_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """`dslgame engine FILE` names no level."""
    asked: list[str] = []

    def seat(game: Game, text: str, seed: int) -> tuple[First, str]:
        asked.append(text)
        return First(), text

    monkeypatch.setattr("dslgame.programs.seats.seat_of", seat)
    result = CliRunner().invoke(app, ["engine", "tic_tac_toe", "--protocol", "gtp"], input="genmove x\nquit\n")
    assert (result.exit_code, asked) == (0, ["solver"]), result.output

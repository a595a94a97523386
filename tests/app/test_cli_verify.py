"""`dslgame verify`: its output, exit codes, and errors of a reference file reported with their lines."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from dslgame.exit_codes import NOT_TESTED
from interpreter.compiler.lowering.errors import NotLowered
from tests.app.test_cli import completed, folder, run
from tests.app.test_cli_process import ROOT, environment, interrupted, posix
from tests.app.test_testing import DROP

__all__ = ["folder"]  # a fixture

WRONG_SYMMETRY = DROP.replace("left right mirror", "half turn")
REFERENCE = """\
class Reference:
    def __init__(self, *, n=3):
        self.n = n

    def start(self):
        return ("",) * self.n, "X"

    def to_move(self, state):
        return state[1]

    def outcome(self, state):
        columns = [column.ljust(self.n) for column in state[0]]
        lines = [*columns, *("".join(row) for row in zip(*columns))]
        if self.n == 3:
            lines += ["".join(columns[k][k] for k in range(3)), "".join(columns[k][2 - k] for k in range(3))]
        for disc in "xo":
            if any(disc * 3 in line for line in lines):
                return disc.upper()
        return "draw" if sum(map(len, state[0])) == self.n**2 else None

    def moves(self, state):
        over = self.outcome(state) is not None
        return [] if over else [str(k + 1) for k, column in enumerate(state[0]) if len(column) < self.n]

    def play(self, state, move):
        columns = list(state[0])
        columns[int(move) - 1] += state[1].lower()
        return tuple(columns), "O" if state[1] == "X" else "X"

    def board(self, state):
        return {f"{'abc'[k]}{row + 1}": disc for k, column in enumerate(state[0]) for row, disc in enumerate(column)}
"""
PERFT = "perft 1 3\nperft 2 9\nperft 9 1_000_000\nparams n=2\npositions 18\n"


@pytest.fixture
def drop(folder: Path) -> Path:
    """A folder with a correct game and a correct reference."""
    (folder / "drop.game").write_text(DROP, encoding="utf-8")
    (folder / "reference.py").write_text(REFERENCE, encoding="utf-8")
    return folder


# ---- games


def test_good_game_has_a_line_for_each_claim(drop: Path) -> None:
    """Each claim has a line with how much was checked; the exit code is 0 and no file is left in the folder."""
    result = run("verify", "drop.game", "--games", "5")
    lines = result.stdout.splitlines()
    assert result.exit_code == 0, result.stdout
    assert lines[0] == "Drop (n=3)"
    assert [line.split()[0] for line in lines[1:-1]] == ["ok"] * 10
    assert lines[4].startswith("ok      forced rules give the same result in any order ")
    assert lines[-1].startswith("no failures: ")
    assert "5 random games" in lines[-1]
    assert sorted(os.listdir(drop)) == ["drop.game", "reference.py"]


def test_kernel_is_left_out_where_it_is_not_wanted(drop: Path) -> None:
    """`--no-kernel` leaves the kernel's claim out, which is else the last."""
    claims = [json.loads(run("verify", "drop.game", "-p", "n=2", "--json", *option).stdout)["results"]
              for option in ((), ("--no-kernel",))]
    assert claims[0][:-1] == claims[1]
    assert claims[0][-1] == {"claim": "the kernel plays as the interpreter does", "status": "ok", "checked": 18,
                             "unit": "position", "reason": "", "moves": None, "details": None}


def test_time_is_kept(drop: Path) -> None:
    """The summary says that games were left out when the time was over."""
    result = run("verify", "drop.game", "-p", "n=9", "--games", "100000", "--seconds", "1")
    assert result.exit_code == 0, result.stdout
    assert re.search(r" random games? \(no more in the time\), ", result.stdout.splitlines()[-1])


def test_small_game_is_looked_at_wholly(drop: Path) -> None:
    """All positions of a small game are checked, and no random games are played."""
    result = run("verify", "drop.game", "-p", "n=2")
    assert "no failures: all 18 positions, " in result.stdout


def test_wrong_game_is_shown_with_its_boards(drop: Path) -> None:
    """The failed claim is followed by the shortest game, the other claims are reported too, and the exit code is 1."""
    (drop / "wrong.game").write_text(WRONG_SYMMETRY, encoding="utf-8")
    result = run("verify", "wrong.game", "--games", "3")
    assert result.exit_code == 1
    lines = result.stdout.splitlines()
    at = next(number for number, line in enumerate(lines) if line.startswith("FAILED"))
    assert lines[at].startswith("FAILED  symmetries commute with moves and outcomes")
    assert lines[at + 1] == " " * 8 + "symmetry half turn: the moves of the image are not the images of the moves"
    assert lines[at + 2 : at + 5] == [" " * 8 + text for text in ("at the start", "start", "3 . . .")]
    assert lines[-2].startswith("ok")
    assert lines[-1].startswith("1 failure: ")


def test_claims_without_anything_to_check_say_why(folder: Path) -> None:
    """A claim without anything to check has a dash and the reason."""
    result = run("verify", "tic_tac_toe", "--games", "1")
    assert "-       forced rules come to an end                         no forced rules" in result.stdout


def test_order_is_a_failure_where_asked_for(drop: Path) -> None:
    """Order dependence is a note, and with --order a failure."""
    text = DROP.replace("carry c to c.south", "carry c to c.south\n\n"
                        "forced clash(c in x where some (neighbours(c) and o)):\n    c := empty\n\n"
                        "forced crash(c in o where some (neighbours(c) and x)):\n    c := empty")
    (drop / "clash.game").write_text(text.replace("symmetry left right mirror", "repetition draws"), "utf-8")
    noted = run("verify", "clash.game", "--games", "3")
    assert noted.exit_code == 0
    assert "note    forced rules give the same result in any order      it depends on the order; " in noted.stdout
    assert "the move 1 leads to different positions, after 1\n" in noted.stdout
    asked = run("verify", "clash.game", "--games", "3", "--order")
    assert asked.exit_code == 1
    assert "in another order" in asked.stdout


@pytest.mark.slow
def test_perft_file_is_counted_as_far_as_it_is_quick(drop: Path) -> None:
    """Small counts of the perft file are checked, with -p those at these params only."""
    (drop / "drop.perft").write_text(PERFT)
    assert "3 counts, 1 larger or of other params left out" in run("verify", "drop.game", "--games", "1").stdout
    assert "1 count, 3 larger or of other params left out" in run("verify", "drop.game", "-p", "n=2").stdout
    (drop / "drop.perft").write_text(PERFT.replace("2 9", "2 8"))
    result = run("verify", "drop.game", "--games", "1")
    assert result.exit_code == 1
    assert "WRONG  perft 2: drop.perft:2 expects 8, counted 9\n" in result.stdout
    assert "FAILED  the counts of the perft file" in result.stdout
    (drop / "drop.perft").write_text("prft 1\n")
    assert run("verify", "drop.game", "--games", "1").exit_code == 1


def test_json_is_one_object(drop: Path) -> None:
    """With --json the output is one object, also on failure, with the game as a list of moves and a text."""
    (drop / "wrong.game").write_text(WRONG_SYMMETRY, encoding="utf-8")
    (drop / "wrong.perft").write_text("perft 1 3\nperft 9 1_000_000\n")
    result = run("verify", "wrong.game", "--games", "3", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 1
    assert set(found) == {"game", "params", "seed", "results", "counts", "not_counted", "games", "positions",
                          "complete", "late", "seconds", "failed"}
    assert (found["game"], found["params"], found["seed"], found["failed"]) == ("Drop", {"n": 3}, 1, 1)
    assert (found["complete"], found["not_counted"]) == (False, 1)
    assert found["counts"][0]["found"] == 3
    assert {"claim", "status", "checked", "unit", "reason", "moves", "details"} == set(found["results"][0])
    (failed,) = [item for item in found["results"] if item["status"] == "failed"]
    assert failed["moves"] == []
    assert failed["details"].startswith("symmetry half turn: ")


def test_same_seed_prints_the_same(drop: Path) -> None:
    """The same seed gives the same output, apart from the time."""
    first, second = (run("verify", "drop.game", "--games", "5", "--seed", "3").stdout.splitlines()[:-1]
                     for _ in range(2))
    assert first == second


def test_game_from_standard_input(drop: Path) -> None:
    """`verify -` reads the game from the standard input."""
    result = run("verify", "-", "-p", "n=2", stdin=DROP)
    assert result.exit_code == 0, result.stdout


def test_without_hypothesis_it_says_what_to_install(drop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Hypothesis the exit code is 1 and the message tells how to install it."""
    monkeypatch.setattr("dslgame.cli.verify.find_spec", lambda name: None)
    result = run("verify", "drop.game")
    assert result.exit_code == 1
    assert "pip install 'dslgame[verify]'" in result.stderr


# ---- references


def test_good_reference_agrees(drop: Path) -> None:
    """A correct reference adds an `ok` line, and gets the params."""
    result = run("verify", "drop.game", "-p", "n=2", "--against", "reference.py")
    assert result.exit_code == 0, result.stdout
    assert "ok      the file plays as reference.py does" in result.stdout


@pytest.mark.slow
def test_reference_in_a_package_is_imported_with_it(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """References in packages, such as those of the project, can import their base by its full name."""
    for name in ("reference/tic_tac_toe.py", "openspiel/tic_tac_toe.py"):
        if name.startswith("openspiel"):
            pytest.importorskip("pyspiel")
        result = run("verify", "tic_tac_toe", "--games", "1", "--against", str(ROOT / "tests" / name))
        assert result.exit_code == 0, result.stdout


def test_reference_may_import_its_neighbours_and_print(drop: Path) -> None:
    """A reference may import modules from its folder, and its output goes to the standard error."""
    (drop / "helpers_of_drop.py").write_text(REFERENCE.replace("class Reference", "class Base"))
    (drop / "second.py").write_text("from helpers_of_drop import Base\nprint('hello')\n\nclass Drop(Base):\n    pass\n")
    result = run("verify", "drop.game", "--games", "1", "--against", "second.py", "--json")
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["failed"] == 0
    assert "hello" in result.stderr


def test_wrong_reference_is_shown_side_by_side(drop: Path) -> None:
    """The boards and both answers are shown in columns."""
    (drop / "wrong.py").write_text(REFERENCE.replace("if len(column) < self.n", "if len(column) < 2"))
    result = run("verify", "drop.game", "--games", "1", "--against", "wrong.py")
    assert result.exit_code == 1
    assert """\
FAILED  the file plays as wrong.py does                     """ in result.stdout
    assert """\
        the moves are not the same: the file has 3, wrong.py 2
        the shortest game found, 2 moves: 1 1
        start      1. 1       2. 1
        3 . . .    3 . . .    3 . . .
        2 . . .    2 . . .    2 O . .
        1 . . .    1 X . .    1 X . .
          a b c      a b c      a b c
        X to move
        in the file only    in wrong.py only
        1                   none
""" in result.stdout


def line_of(text: str, part: str) -> int:
    """The number of the first line that contains a text."""
    return next(number for number, row in enumerate(text.splitlines(), start=1) if part in row)


def test_exception_in_play_is_a_failure_with_its_line(drop: Path) -> None:
    """An exception of the reference is a failure with its line and the shortest game."""
    text = REFERENCE.replace("        columns = list(state[0])\n", "        columns = list(state[0])\n"
                             "        assert not columns[0], 'a full column'\n")
    (drop / "raising.py").write_text(text)
    result = run("verify", "drop.game", "--games", "1", "--against", "raising.py")
    assert result.exit_code == 1
    line = line_of(text, "a full column")
    assert f"raising.py fails in play(state, '1'): raising.py:{line}: AssertionError: a full column" in result.stdout
    assert "the shortest game found, 1 move: 1\n" in result.stdout
    assert "Traceback" not in result.output


LACKING = "\nclass Reference:\n    def start(self):\n        return 0\n"
NEAR = "\nclass Drop:\n" + "".join(f"    def {name}(self, *given):\n        return 0\n"
                                   for name in ("start", "to_move", "outcome", "moves"))


@pytest.mark.parametrize(("text", "message"), [
    ("x = 1\ndef f(:\n", "reference.py:2:7: invalid syntax"),
    ("a\0b", "reference.py: source code string cannot contain null bytes"),
    ("\nimport nothing_of_that_name\n",
     "reference.py:2: ModuleNotFoundError: No module named 'nothing_of_that_name', when the file is read"),
    ("import random\n\nrandom.choice([])\n",
     "reference.py:3: IndexError: Cannot choose from an empty sequence, when the file is read"),
    ("import sys\nsys.exit('no')\n", "reference.py:2: SystemExit: no, when the file is read"),
    ("x = 1\n", "reference.py: found no class Reference, nor another one with the methods of one"),
    ("Reference = 3\n", "reference.py: found no class Reference, nor another one with the methods of one"),
    (LACKING, "reference.py:2: the class Reference lacks to_move, outcome, moves, play and board"),
    (NEAR, "reference.py: found no class Reference, nor another one with the methods of one; "
           "Drop (reference.py:2) lacks play and board"),
    (REFERENCE.replace("Reference", "One") + REFERENCE.replace("Reference", "Two"),
     "reference.py: One and Two could be the reference; call one of them Reference"),
    (REFERENCE.replace("n=3", "size=3"),
     "reference.py:1: Reference does not take the game's params (n=3): got an unexpected keyword argument 'n'"),
    (REFERENCE.replace("self.n = n", "self.n = n // 0"),
     "reference.py:3: ZeroDivisionError: integer division or modulo by zero, when Reference is made with n=3"),
], ids=["syntax", "null", "import", "exception", "exit", "no class", "no class but a name", "lacking", "near",
        "several", "params", "constructor"])
def test_bad_reference_file_is_told_with_its_line(drop: Path, text: str, message: str) -> None:
    """A bad reference file ends with exit code 1 and one message about its own line."""
    (drop / "reference.py").write_text(text)
    result = run("verify", "drop.game", "--against", "reference.py")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: {message}\n"


def test_missing_reference_file(drop: Path) -> None:
    """A missing reference file is reported like any other unreadable file."""
    result = run("verify", "drop.game", "--against", "nowhere.py")
    assert (result.exit_code, result.stdout, result.stderr) == (1, "", "error: nowhere.py: No such file or directory\n")


# ---- the process


def test_completion(drop: Path) -> None:
    """The command, its options and the game's params are completed."""
    assert completed("dslgame ver", drop) == ["verify"]
    assert completed("dslgame verify drop.game --ag", drop) == ["--against"]
    assert completed("dslgame verify drop.game -p ", drop) == ["n=3"]


@posix
def test_interrupted_verify_says_what_was_being_done(tmp_path: Path) -> None:
    """Ctrl-C ends the check with exit code 130 and no traceback, also inside a game of Hypothesis."""
    result = interrupted("verify", "hex", "--games", "100000", cwd=tmp_path, doing="verifying Hex (size=11)")
    assert (result.returncode, result.stdout) == (130, "")
    assert result.stderr == "interrupted while verifying Hex (size=11)\n"
    assert os.listdir(tmp_path) == []


@pytest.mark.slow
def test_nothing_is_left_in_the_working_directory(drop: Path) -> None:
    """Hypothesis leaves no files in the working directory, and in a pipe no progress is printed."""
    done = subprocess.run([sys.executable, "-m", "dslgame", "verify", "drop.game", "--games", "3"], cwd=drop,
                          env=environment(), capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert sorted(os.listdir(drop)) == ["drop.game", "reference.py"]


@pytest.mark.parametrize("seed", [1, 3, 4])
def test_rule_that_fails_for_some_checks_first_is_a_failure(seed: int, tmp_path: Path) -> None:
    """Which claims check a position is random; that a rule fails in a check must not end some games and not others."""
    path = tmp_path / "flaky.game"
    path.write_text('game "Flaky"\nplayers X, O\nboard square(12, 12)\npieces x of X, o of O\nvar seen in 0..50\n\n'
                    "move place(c in empty):\n    c := own\n    seen += c.north.row\n\n"
                    "win mover when line(mine, 4) and seen < 9\ndraw when no empty\n", "utf-8")
    result = run("verify", str(path), "--seed", str(seed), "--no-kernel")
    assert result.exit_code == 1, result.output
    assert "error[G403]" in result.stdout


# ---- what was not tested, and code that does not return


def test_every_claim_is_checked_at_the_start_without_any_time(drop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A time that is over before anything ran leaves the start to every claim; nothing is `ok` without a position."""
    monkeypatch.setattr("dslgame.testing.play.Play._is_late", lambda *given: True)
    result = run("verify", "drop.game", "-p", "n=6", "--json")
    assert result.exit_code == 0
    found = json.loads(result.stdout)
    assert all(item["status"] == "ok" and item["checked"] > 0 for item in found["results"])
    assert (found["late"], found["games"], found["positions"]) == (True, 0, 1)


def test_what_is_not_tested_says_so_and_has_its_own_exit_code(drop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A claim that no position could test is `not tested`, and the exit code is neither success nor failure."""
    def refuse(*_: object) -> None:
        raise NotLowered("moves of more than 32 choices")

    monkeypatch.setattr("dslgame.testing.engines.Lockstep._check", refuse)
    result = run("verify", "drop.game", "-p", "n=2")
    assert result.exit_code == NOT_TESTED == 4
    (row,) = (row for row in result.stdout.splitlines() if row.startswith("not tested  "))
    assert row.split("  ", 1)[1].split("   ") == [
        "the kernel plays as the interpreter does", *[""] * 3, "it could not be checked in any position"]
    assert "\nok          no rule fails, and values stay in their ranges      18 positions\n" in result.stdout


def against(drop: Path, text: str, *options: str) -> str:
    """The report on a wrong reference with this text, which exits with 1."""
    (drop / "wrong.py").write_text(text)
    result = run("verify", "drop.game", "-p", "n=2", "--no-kernel", "--against", "wrong.py", *options)
    assert result.exit_code == 1, result.output
    return result.output


@pytest.mark.parametrize(("body", "said"), [
    ("import sys; sys.exit(0)", "wrong.py fails in moves(state): wrong.py:{line}: SystemExit: 0"),
    ("import itertools; return itertools.count()",
     "wrong.py does not end its answer to moves(state): it has more than 1,000 values"),
    ("while True: pass",
     "wrong.py hangs in moves(state): wrong.py:{line}: no answer within 0.1 s of processor time"),
    ("import time; time.sleep(1e6)", "wrong.py hangs in moves(state): wrong.py:{line}: no answer within 0.5 s"),
], ids=["exit", "endless", "loop", "sleep"])
def test_reference_that_does_not_return_is_a_failure(drop: Path, monkeypatch: pytest.MonkeyPatch, body: str,
                                                     said: str) -> None:
    """It neither ends the program nor keeps it, and the other claims are reported."""
    monkeypatch.setattr("dslgame.testing.patience.LEAST", 0.1)
    monkeypatch.setattr("dslgame.testing.patience.MOST_VALUES", 1000)
    text = REFERENCE.replace("        over = self.outcome(state) is not None\n", f"        {body}\n        over = 0\n")
    shown = against(drop, text, "--seconds", "1", "--json")
    found = json.loads(shown)
    assert [item["status"] for item in found["results"]].count("failed") == 1
    assert found["results"][-1]["details"].startswith(said.format(line=line_of(text, body)) + "\nat the start\n")


@pytest.mark.parametrize(("body", "said"), [
    ("import sys; sys.exit(0)", "wrong.py:3: SystemExit: 0, when Reference is made with n=2"),
    ("while True: pass", "wrong.py:3: no end within 0.1 s of processor time, when Reference is made with n=2"),
])
def test_reference_that_cannot_be_made_is_told(drop: Path, monkeypatch: pytest.MonkeyPatch, body: str,
                                               said: str) -> None:
    """A constructor that exits or hangs is named with its line."""
    monkeypatch.setattr("dslgame.testing.patience.LEAST", 0.1)
    assert against(drop, REFERENCE.replace("self.n = n", body), "--seconds", "1") == f"Error: {said}\n"

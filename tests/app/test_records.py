"""Game records of other programs: read, replayed by the rules, written, and refused with the line."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dslgame
from dslgame import records
from dslgame.cli.app import app

GAME = """# File created by T1j
1 # version
Ann # name Y
Bob#name X
12
14
h
C

1
V
Y
N
# moves
D4
F7
e6
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "game.T1"
    path.write_text(GAME, encoding="utf-8")
    return path


def test_file_is_read_and_played(file: Path) -> None:
    """Comments, upper and lower case, and empty lines are accepted."""
    record = records.read_record(file)
    assert record.moves == ("d4", "f7", "e6")
    assert record.params == {"rows": 12, "columns": 14, "swap": 2, "early_draw": 0}
    assert (record.details["Y"], record.details["X"], record.details["X played by"]) == ("Ann", "Bob", "C")
    position = records.replay(record)
    assert "bridge: d4-e6" in str(position)
    assert position.to_move == "Blue"


def test_command_shows_a_file_and_how_to_go_on(file: Path) -> None:
    result = run("convert", file)
    assert result.exit_code == 0
    assert "TwixT (rows=12, columns=14" in result.output
    assert "-p rows=12" in result.output
    assert "d4 f7 e6" in result.output
    found = json.loads(run("convert", file, "--json").output)
    assert (found["moves"], found["to_move"], found["outcome"]) == (["d4", "f7", "e6"], "Blue", None)


@pytest.mark.parametrize("first", ["1", "2"])
@pytest.mark.parametrize("seed", range(3))
def test_what_is_written_is_read_again(tmp_path: Path, first: str, seed: int) -> None:
    """Random games on oblong boards, with either side first, are read back; a converted file has the same bytes."""
    chance = random.Random(seed)
    position = dslgame.load("twixt", rows=8 + seed, columns=28, swap=0).start()
    for _ in range(25):
        if not position.over:
            position = position.play(chance.choice(position.moves()))
    record = records.record_of(position, {"Y": "A # name", "first": first})
    path, copy = tmp_path / "one.T1", tmp_path / "two.t1"
    path.write_text(records.written(record, path), encoding="utf-8")
    again = records.read_record(path)
    assert again.moves == tuple(position.played)
    assert records.replay(again).state == position.state
    assert again.details["Y"] == "A name"
    result = run("convert", path, "--to", copy)
    assert result.exit_code == 0, result.output
    assert copy.read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


def test_side_that_begins_from_left_to_right_is_mirrored(file: Path) -> None:
    """If the left-right side begins, the board is mirrored: D9 of the file becomes i4."""
    file.write_text(GAME.replace("\n1\nV", "\n2\nV").replace("D4\nF7\ne6", "D9"), encoding="utf-8")
    record = records.read_record(file)
    assert record.moves == ("i4",)
    assert (record.params["rows"], record.params["columns"]) == (14, 12)


def test_swap_exchanges_names(tmp_path: Path) -> None:
    """A swap is written by exchanging the names, not as a move; a swap that turns the peg cannot be written."""
    path = tmp_path / "game.T1"
    result = run("convert", "twixt", "-p", "rows=8", "-p", "columns=8", "--moves", "c3 swap d5", "--to", path)
    assert result.exit_code == 0, result.output
    record = records.read_record(path)
    assert record.moves == ("c3", "d5")
    assert (record.details["Y"], record.details["X"]) == ("Blue", "Red")
    before = path.read_bytes()
    small = ("-p", "rows=8", "-p", "columns=8", "-p", "swap=1")
    result = run("convert", "twixt", *small, "--moves", "c3 swap", "--to", path, "--force")
    assert result.exit_code == 1
    assert "no swap that turns the peg" in result.output
    assert path.read_bytes() == before


@pytest.mark.parametrize(("old", "new", "said"), [
    ("1 # version", "one", ":2: found 'one', expected the version of the format"),
    ("12\n", "3\n", ":5: the board has 3 rows, expected 5 to 36"),
    ("\nh\n", "\nrobot\n", ":7: found 'robot', expected H for a human, C for a computer"),
    ("F7", "F77", ":16: found 'F77', expected a hole"),
    ("F7", "A7", ""),
    ("F7", "D4", ":16: move 2, 'd4', is not legal"),
    ("F7", "d1", ":16: move 2, 'd1', is not legal"),
])
def test_mistakes_are_told_with_their_line(file: Path, old: str, new: str, said: str) -> None:
    file.write_text(GAME.replace(old, new, 1), encoding="utf-8")
    result = run("convert", file)
    assert result.exit_code == (1 if said else 0)
    assert said in result.output
    assert "help: " in result.output or not said or "board has" in said


def test_files_that_are_none(tmp_path: Path) -> None:
    """Truncated, empty and missing files and unknown formats are refused."""
    path = tmp_path / "game.T1"
    path.write_text(GAME.partition("12\n")[0], encoding="utf-8")
    assert ":4: the file ends after 3 of the 11 lines" in run("convert", path).output
    path.write_bytes(b"")
    assert "the file ends after 0" in run("convert", path).output
    path.write_bytes(b"\xff\xfe\x00" * 9)
    assert run("convert", path).exit_code == 1
    result = run("convert", tmp_path / "none.T1")
    assert result.exit_code == 1
    assert "none.T1" in result.output
    for name, language in (("x.kif", "GDL"), ("x.lud", "Ludii"), ("x.rbg", "RBG")):
        for arguments in ((tmp_path / name,), ("hex", "--to", tmp_path / name)):
            refused = run("convert", *arguments)
            assert refused.exit_code == 1
            assert f"language of {language}" in refused.output
            assert not (tmp_path / name).exists()
    assert "found the ending '.xyz'" in run("convert", "hex", "--to", tmp_path / "x.xyz").output
    assert "hold games of TwixT, found one of Hex" in run("convert", "hex", "--to", tmp_path / "x.T1").output
    assert run("convert", "hex").exit_code == 2
    assert run("convert", path, "--moves", "a1").exit_code == 2
    assert not (tmp_path / "x.T1").exists()


def test_what_these_files_cannot_hold_is_refused(tmp_path: Path) -> None:
    """A swap of pegs that may still come, and early draws; the end of the game is written."""
    path = tmp_path / "x.T1"
    board = ("-p", "rows=5", "-p", "columns=5")
    for params, moves, said in ((("-p", "swap=1"), "c3", "no swap that turns the peg"),
                                (("-p", "swap=0", "-p", "early_draw=1"), "d1 b2 b5 d3 c3", "no draw before the board")):
        refused = run("convert", "twixt", *board, *params, "--moves", moves, "--to", path)
        assert refused.exit_code == 1
        assert said in refused.output
        assert not path.exists()
    for moves, over in (("c1 a2 b3 a3 c5", "Y"), ("c1 a2 b3 a3", "N")):
        run("convert", "twixt", *board, "-p", "swap=0", "--moves", moves, "--to", path, "--force")
        assert f"\n{over} # Y where the game is over" in path.read_text(encoding="utf-8")

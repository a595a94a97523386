"""`dslgame patterns`, and pattern files in `dslgame fmt`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dslgame.cli.app import app

BESIDE = """patterns for "Hex"
anchor enemy piece
defensive "beside" priority 3:
    play (1, 0)
    example size=3:
        . . .
         . x *
          . . .
"""


@pytest.fixture
def beside(tmp_path: Path) -> Path:
    path = tmp_path / "beside.pattern"
    path.write_text(BESIDE, encoding="utf-8")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_board_shows_where_moves_are_proposed(beside: Path) -> None:
    """The pattern file names the game; proposed moves are numbered on the board and listed with their patterns."""
    result = run("patterns", beside, "-p", "size=3", "--moves", "b2")
    assert result.exit_code == 0
    assert "Blue to move: 4 moves proposed by 1 pattern of 1" in result.output
    assert "  1  b1  3  beside (b2)" in result.output
    assert "R" in result.output


def test_json_has_every_match(beside: Path) -> None:
    result = run("patterns", beside, "-p", "size=3", "--moves", "b2", "--json")
    found = json.loads(result.output)
    assert found["game"] == "Hex"
    assert {item["move"] for item in found["proposed"]} == {"b1", "a2", "c2", "b3"}
    assert {item["pattern"] for item in found["matches"]} == {"beside"}
    assert found["matches"][0]["line"] == 3


def test_examples_are_tried(beside: Path) -> None:
    """A wrong example ends with exit code 1 and its place."""
    result = run("patterns", beside, "--test")
    assert result.exit_code == 0
    assert "1 pattern, 1 example, all hold" in result.output
    beside.write_text(BESIDE.replace(". x *", "* x ."). replace("play (1, 0)", "play (1, 1)"), encoding="utf-8")
    result = run("patterns", beside, "--test")
    assert result.exit_code == 1
    assert ":5:5: error[G612]: the pattern proposes" in result.output
    assert json.loads(run("patterns", beside, "--test", "--json").output)["diagnostics"][0]["code"] == "G612"


@pytest.mark.parametrize(("change", "said"), [
    ((". x *", ". x"), "the row has 2 cells, and that of the board 3"),
    ((". x *", ". y *"), "found 'y' in a diagram"),
    (("size=3", "size=4"), "the diagram has 3 rows, and the board has 4"),
    (("size=3", "size=99"), "the game cannot be had like this"),
    (("size=3:", "size=3 for Green:"), "unknown player 'Green'"),
])
def test_diagrams_that_are_no_positions_are_told(beside: Path, change: tuple[str, str], said: str) -> None:
    beside.write_text(BESIDE.replace(*change), encoding="utf-8")
    result = run("patterns", beside, "--test")
    assert result.exit_code == 1
    assert "error[G615]" in result.output
    assert said in result.output


def test_wrong_use_is_told(tmp_path: Path) -> None:
    """A missing file, a file without a game, and a file with errors are reported."""
    assert "the bundled patterns are" in run("patterns", tmp_path / "none.pattern").stderr
    path = tmp_path / "any.pattern"
    path.write_text('patterns\nanchor own piece\noffensive "x":\n    play (1, 0)\n', encoding="utf-8")
    result = run("patterns", path)
    assert result.exit_code == 2
    assert "--game" in result.stderr
    path.write_text("Off 1\nSet 1\n", encoding="utf-8")
    result = run("patterns", path, "--game", "twixt")
    assert result.exit_code == 1
    assert "any.pattern:2:1: error[G605]" in result.stderr


def test_fmt_lays_out_and_converts(beside: Path, tmp_path: Path) -> None:
    """Pattern files are formatted in place; one that the target form cannot express is left unchanged."""
    beside.write_text(BESIDE.replace("    play", "  play").replace("\n        .", "\n      ."), encoding="utf-8")
    assert run("fmt", beside).exit_code == 0
    assert "    play (1, 0)" in beside.read_text(encoding="utf-8")
    assert run("fmt", "--to", "classic", beside).exit_code == 1
    path = tmp_path / "classic.pattern"
    path.write_text("off 1\nset 1 2 # here\n", encoding="utf-8")
    assert run("fmt", "--to", "readable", path).exit_code == 0
    assert "    play (1, 2)  # here" in path.read_text(encoding="utf-8")
    assert run("fmt", "--to", "classic", path).exit_code == 0
    assert path.read_text(encoding="utf-8") == "# patterns\n\nOff 1\nSet 1 2  # here\n"

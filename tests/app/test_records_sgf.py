"""Games in SGF: read, replayed by the rules, written, and refused with the line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

import dslgame
from dslgame import records
from dslgame.cli.app import app

GO = r"""(;FF[4]CA[UTF-8]GM[1]SZ[9]KM[6.5]
PB[Ann]PW[Bob \[3d\]]
;B[ee]C[the centre]
;W[cc]
(;B[gc];W[];B[tt])
(;B[aa]))
"""


def saved(folder: Path, text: str) -> Path:
    path = folder / "game.sgf"
    path.write_text(text, encoding="utf-8")
    return path


def test_go_is_read_and_played(tmp_path: Path) -> None:
    """The main line is read with passes, komi in half points, and further properties of the root."""
    record = records.read_record(saved(tmp_path, GO))
    assert record.moves == ("e5", "c7", "g7", "pass", "pass")
    assert record.params == {"size": 9, "komi": 13}
    assert record.details == {"PB": "Ann", "PW": "Bob [3d]"}
    assert records.replay(record).over


@pytest.mark.parametrize(("name", "params"), [("go", {"size": 5, "komi": 1}), ("hex", {"size": 5})])
def test_random_games_come_back(name: str, params: dict[str, int], tmp_path: Path) -> None:
    """A written game is read back with the same moves, params and details."""
    chance = random.Random(1)
    position = dslgame.load(name, **params).start()
    while not position.over and len(position.played) < 30:
        position = position.play(chance.choice(position.moves()))
    record = records.record_of(position, {"PB": r"A\ ]", "RE": "?"})
    again = records.read_record(saved(tmp_path, records.written(record, "x.sgf")))
    assert (again.moves, again.params, again.details) == (record.moves, record.params, record.details)
    assert records.replay(again).state == position.state


@pytest.mark.parametrize(("text", "line", "said"), [
    ("", 1, "found no game"),
    ("(;GM[2])", 1, "GM[2]"),
    ("(;GM[1]SZ[9]\n;B[zz])", 2, "two letters from a to i"),
    ("(;GM[1]SZ[9]\n;B[aa]\n;B[bb])", 3, "take turns"),
    ("(;GM[1]AB[aa])", 1, "sets stones up"),
    ("(;GM[1]SZ[9:7])", 1, "as wide as high"),
    ("(;GM[1]KM[x])", 1, "a number such as 6.5"),
    ("(;GM[1];B[aa]", 1, "ends within a game"),
    ("GM[1]?", 1, "found '?'"),
    (";GM[1]", 1, "outside of"),
])
def test_mistakes_are_told_with_their_line(text: str, line: int, said: str, tmp_path: Path) -> None:
    with pytest.raises(records.BadRecord) as found:
        records.read_record(saved(tmp_path, text))
    assert (found.value.line, said in found.value.phrase) == (line, True), found.value.phrase


def test_a_move_that_is_not_legal_is_told_with_its_line(tmp_path: Path) -> None:
    path = saved(tmp_path, "(;GM[11]SZ[3];B[a1]\n;W[a1])")
    result = CliRunner().invoke(app, ["convert", str(path)])
    assert result.exit_code == 1
    assert f"{path}:2: move 2, 'a1', is not legal" in result.output


def test_a_game_that_the_format_does_not_hold_is_refused() -> None:
    record = records.record_of(dslgame.load("nim").start())
    with pytest.raises(records.BadRecord, match="Go, Hex or Havannah"):
        records.written(record, "x.sgf")


LITTLE_GOLEM = """(;FF[4]EV[havannah.in.size4.4]PB[Ann]PW[Bob]SZ[4]RU[LG]RE[B]SO[http://www.littlegolem.com];
W[E1];B[swap];W[F2];B[D3];W[G1];B[E4];W[G4];B[F3];W[E5];B[D6];W[D5];B[C2];W[G3];B[G2];W[E6];B[E3];W[D7];B[resign])
"""


def test_havannah_is_read_with_a_swap_and_in_both_ways_of_counting(tmp_path: Path) -> None:
    """A swap exchanges the names; both conventions for numbering cells are read."""
    record = records.read_record(saved(tmp_path, LITTLE_GOLEM))
    assert (record.title, record.params, record.moves[:3], len(record.moves)) == (
        "Havannah", {"size": 4}, ("e1", "f2", "d3"), 16)
    assert (record.details["PW"], record.details["PB"], record.details["RE"]) == ("Ann", "Bob", "W")
    position = records.replay(record)
    again = records.read_record(saved(tmp_path, records.written(record, "x.sgf")))
    assert (again.moves, again.details) == (record.moves, record.details)
    assert records.replay(again).state == position.state
    slanted = records.read_record(saved(tmp_path, "(;FF[4]GM[havannah]SZ[4];W[e2];B[a4];W[g7])"))
    assert slanted.moves == ("e1", "a4", "g4")
    assert records.replay(slanted).to_move == "Black"


@pytest.mark.parametrize(("text", "line", "said"), [
    ("(;GM[havannah]SZ[4]\n;B[a1])", 2, "expected one of W"),
    ("(;GM[havannah]SZ[4]\n;W[a1];B[a2]\n;W[swap])", 3, "as the second move only"),
    ("(;GM[havannah]SZ[4];W[7a])", 1, "a letter and a number"),
])
def test_mistakes_in_havannah_are_told_with_their_line(text: str, line: int, said: str, tmp_path: Path) -> None:
    with pytest.raises(records.BadRecord) as found:
        records.read_record(saved(tmp_path, text))
    assert (found.value.line, said in found.value.phrase) == (line, True), found.value.phrase


@pytest.mark.parametrize(("text", "said"), [
    ("(;GM[1]SZ[5]KM[inf])", r"found KM\[inf\], expected a number"),
    ("(;GM[1]SZ[5]KM[1e999])", r"found KM\[1e999\], expected a number"),
    ("(;GM[1]SZ[5]KM[nan])", r"found KM\[nan\], expected a number"),
    ("(;GM[1]SZ[5]D;B[dc])", "found the property D without a value"),
    ("(;GM[1]SZ[5]\nSZ;B[dc])", "found the property SZ without a value"),
])
def test_damaged_properties_are_refused(text: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(records.BadRecord, match=said):
        records.read_record(saved(tmp_path, text))

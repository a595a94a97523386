"""Games in SGF: read, replayed by the rules, written, and refused with the line."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from click.testing import CliRunner

import dslgame
from dslgame import game_trees, records
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
    ("(;GM[11]SZ[9]\n;B[a1]\n;B[b2])", 3, "take turns"),
    ("(;GM[1]SZ[9]AB[aa]\n;W[bb]\n;AE[aa];B[cc])", 3, "sets stones up during the game"),
    ("(;GM[11]SZ[9]AB[a1:b2])", 1, "expected a cell"),
    ("(;GM[11]SZ[9]AB[k1])", 0, "no cell of this board"),
    ("(;EV[connect6.ch]SO[http://www.littlegolem.com];B[j10])", 1, "a game of 'connect6'"),
    ("(;GM[1]SZ[9:7])", 1, "as wide as high"),
    ("(;GM[1]KM[x])", 1, "a number such as 6.5"),
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
    with pytest.raises(records.BadRecord, match="Go, Hex, Pie Hex or Havannah"):
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
    ("(;GM[havannah]SZ[4]\n;W[a1]\n;W[a2])", 3, "expected one of B"),
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


# ---- encodings and text


def read_bytes(folder: Path, content: bytes) -> records.Record:
    path = folder / "game.sgf"
    path.write_bytes(content)
    return records.read_record(path)


@pytest.mark.parametrize(("charset", "name"), [
    ("Shift_JIS", "ソ能"), ("GB18030", "乚"), ("gb2312", "乚"), ("Big5", "功"), ("UTF-8", "ソ"), ("EUC-KR", "이세돌"),
    ("windows-1251", "Ян"), ("ASCII", "Jan"),
])
def test_the_second_byte_of_a_character_ends_no_property(charset: str, name: str, tmp_path: Path) -> None:
    """In these encodings the second byte of a character can be a backslash or a bracket."""
    encoding = "gb18030" if charset == "gb2312" else charset
    text = f"(;GM[1]FF[4]CA[{charset}]SZ[9]PB[{name}]PW[A];B[ee])"
    record = read_bytes(tmp_path, text.encode(encoding))
    assert (record.details, record.moves, record.notes) == ({"PB": name, "PW": "A"}, ("e5",), ())


def test_bytes_of_some_of_these_encodings_are_brackets_and_backslashes() -> None:
    assert b"\\" in "ソ".encode("shift_jis")
    assert b"]" in "乚".encode("gb18030")
    assert b"\\" in "功".encode("big5")


@pytest.mark.parametrize(("charset", "said"), [
    ("klingon", "CA[klingon] is not known"), ("utf-7", "CA[utf-7] is not known"), ("rot13", "CA[rot13] is not known"),
    ("GB18030", "other bytes"),
])
def test_an_encoding_that_a_file_names_wrongly_is_noted(charset: str, said: str, tmp_path: Path) -> None:
    record = read_bytes(tmp_path, b"(;GM[1]CA[" + charset.encode() + b"]SZ[9]PB[M\xfcl\xff];B[ee])")
    assert record.details == {"PB": "Mülÿ"}
    assert [said in note.phrase for note in record.notes] == [True]


def test_line_ends_after_a_backslash_are_none(tmp_path: Path) -> None:
    """Line ends are kept in comments, and blanks elsewhere; a text comes back when it is written and read again."""
    record = read_bytes(tmp_path, b"(;GM[1]SZ[9]C[one \\\r\ntwo\r\nthree \\] \\\\]EV[a\\\nb\nc];B[ee])")
    assert record.details == {"C": "one two\nthree ] \\", "EV": "ab c"}
    again = records.read_record(saved(tmp_path, records.written(record, "x.sgf")))
    assert again.details == record.details


# ---- komi


@pytest.mark.parametrize(("text", "komi", "said"), [
    ("6.5", 13, ""), ("6,5", 13, ""), ("", 0, ""), ("-5.5", -11, ""), ("7.50", 15, ""),
    ("3.75", 7, "KM[3.75] is played as 3.5 points, by which the same player wins"),
    ("-3.75", -7, "KM[-3.75] is played as -3.5 points, by which the same player wins"),
    ("375", 15, "KM[375] is read as 7.5 points: hundredths of stones"),
    ("650", 13, "KM[650] is read as 6.5 points: hundredths of points"),
    ("750", 15, "KM[750] is read as 7.5 points: hundredths of points"),
])
def test_komi_is_exact_or_said_to_be_another(text: str, komi: int, said: str, tmp_path: Path) -> None:
    """Some programs write hundredths of points, or of stones of two points."""
    record = records.read_record(saved(tmp_path, f"(;GM[1]SZ[9]KM[{text}];B[ee])"))
    assert record.params["komi"] == komi
    assert [note.phrase for note in record.notes] == [said] * bool(said)


# ---- positions


def test_handicap_stones_make_the_start(tmp_path: Path) -> None:
    """White begins; the stones come back when the game is written, with the number of them."""
    record = records.read_record(saved(tmp_path, "(;GM[1]SZ[9]HA[2]AB[gc]AB[cg];AW[aa:bb]AE[bb]PL[W];W[ee];B[dd])"))
    position = records.start_of(record)
    assert position.to_move == "White"
    assert position.pieces == {"a9": "white", "b9": "white", "a8": "white", "c3": "black", "g7": "black"}
    assert (record.moves, record.details, record.notes) == (("e5", "d6"), {"HA": "2"}, ())
    again = records.read_record(saved(tmp_path, records.written(record, "x.sgf")))
    assert (again.start, again.moves, again.details) == (record.start, record.moves, record.details)


def test_a_handicap_without_stones_stands_on_the_usual_points(tmp_path: Path) -> None:
    record = records.read_record(saved(tmp_path, "(;GM[1]SZ[9]HA[3];W[ee])"))
    assert set(records.start_of(record).pieces) == {"c3", "g7", "c7"}
    assert "HA[3] does not say where its stones are" in record.notes[0].phrase
    placed = records.read_record(saved(tmp_path, "(;GM[1]SZ[9]HA[2];B[gc];B[cg];W[ee])"))
    assert (placed.start, placed.moves) == ("", ("g7", "pass", "c3", "e5"))


def test_a_position_that_is_more_than_stones_is_not_written() -> None:
    game = dslgame.load("go", size=5)
    after = game.start().play("c3").play("pass")
    record = records.record_of(game.read_position(after.text).play("a1"))
    with pytest.raises(records.BadRecord, match="passes=1"):
        records.written(record, "x.sgf")


@pytest.mark.parametrize(("text", "moves", "said"), [
    (";B[ee];B[dd]", ("e5", "pass", "d6"), "as if W had passed before"),
    (";W[ee];B[dd]", ("e5", "d6"), ""),
    (";B[ee];W[];B[];W[dd];B[];W[];B[]", ("e5", "d6", "pass", "pass"), "the game was resumed"),
    (";B[ee];W[];B[];AB[aa]", ("e5", "pass", "pass"), "after the last move"),
])
def test_what_people_do_beside_the_rules_is_noted(text: str, moves: tuple[str, ...], said: str, tmp_path: Path) -> None:
    """Two moves of a colour, White first, moves after both have passed, stones taken off the board at the end."""
    record = records.read_record(saved(tmp_path, f"(;GM[1]SZ[9]{text})"))
    assert record.moves == moves
    assert [said in note.phrase for note in record.notes] == [True] * bool(said)


# ---- Hex


@pytest.mark.parametrize(("text", "title", "moves", "details"), [
    ("GM[11]SZ[5];B[a2];W[swap-pieces];B[c3];W[resign]", "Pie Hex", ("a2", "swap", "c3"), {"RE": "B+Resign"}),
    ("GM[11]SZ[5]PB[A]PW[B];B[a2];W[swap-sides];B[c3];W[d4]", "Hex", ("a2", "c3", "d4"), {"PB": "B", "PW": "A"}),
    ("GM[11]SZ[5]PB[A];B[a2];W[SWAP];W[c3];B[d4]", "Hex", ("a2", "c3", "d4"), {"PB": "A"}),
    ("GM[11]SZ[5];B[a2];W[swap-pieces];W[c3]", "Hex", ("a2", "c3"), {}),
    ("GM[11]SZ[5];B[a2];W[swap]", "Pie Hex", ("a2", "swap"), {}),
    ("EV[hex.ch]PB[A]SZ[5]RE[B];W[ab];B[swap];W[cc];B[resign]", "Pie Hex", ("a2", "swap", "c3"),
     {"EV": "hex.ch", "PB": "A", "RE": "B"}),
    ("GM[11]SZ[5];W[a2];B[c3]", "Hex", ("a2", "c3"), {}),
    ("GM[11]SZ[5];AB[c3]AW[b2];W[a2]", "Hex", ("a2",), {}),
])
def test_hex_is_read_as_programs_write_it(text: str, title: str, moves: tuple[str, ...], details: dict[str, str],
                                          tmp_path: Path) -> None:
    """Swaps of pieces and of sides, White first, stones set up, and Little Golem's points with W for the first player.
    """
    record = records.read_record(saved(tmp_path, f"(;{text})"))
    assert (record.title, record.moves, record.details, record.notes) == (title, moves, details, ())
    again = records.read_record(saved(tmp_path, records.written(record, "x.sgf")))
    assert (again.title, again.moves, again.details, again.start) == (title, moves, details, record.start)
    assert records.replay(again).state == records.replay(record).state


# ---- files


def test_a_file_holds_several_games_and_what_is_between_them_is_skipped(tmp_path: Path) -> None:
    path = saved(tmp_path, "mail (see below)\n(;GM[1]SZ[5];B[aa]C[(;\\]])\n--\n( ;GM[1]SZ[5];B[zz])(;GM[1]SZ[5];B[bb]")
    first, second, third = records.games_in(path)
    assert first().moves == ("a5",)
    with pytest.raises(records.BadRecord) as found:
        second()
    assert found.value.line == 4
    assert (third().moves, [note.phrase for note in third().notes]) == (("b4",), ["the file ends within a game"])
    both = [records.record_of(dslgame.load("go", size=size).start().play("a1")) for size in (5, 9)]
    path.write_bytes(records.encoded(both, path))
    assert [record.params["size"] for record in records.read_records(path)] == [5, 9]


def test_large_files_are_read_and_large_games_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_trees, "MOST_BYTES", 400)
    monkeypatch.setattr(game_trees, "_CHUNK", 7)
    game = "(;GM[1]SZ[5]C[" + "x" * 300 + "];B[aa])\n"
    assert len(records.read_records(saved(tmp_path, game * 9))) == 9
    with pytest.raises(records.BadRecord, match="the most that a game may have") as found:
        records.read_records(saved(tmp_path, game * 2 + game.replace("xx", "xxxx")))
    assert found.value.line == 3


def test_deep_variations_are_read(tmp_path: Path) -> None:
    """A chain of 16,000 variations is the main line; reading it takes no recursion."""
    record = records.read_record(saved(tmp_path, "(;GM[1]SZ[9]\n" + "(;C[x]\n" * 15_999 + "(;B[ee]" + ")" * 16_001))
    assert (record.moves, record.lines) == (("e5",), (16_001,))

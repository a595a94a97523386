"""What is common to all record formats: bad games beside good ones, unclaimed draws, and files of any size."""

from __future__ import annotations

import json
import tracemalloc
from collections import deque
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from dslgame import portable, records
from dslgame.cli.app import app

GOOD = '[White "Ann"]\n\n1. e4 e5 *\n\n'
KNIGHTS = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8"


def saved(folder: Path, name: str, text: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def convert(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["convert", *map(str, arguments)])


@pytest.mark.parametrize(("bad", "said"), [
    ('[White "Bob"]\n\n1. Ke2 e5 *\n\n', ":7: move 1. Ke2 is not legal"),
    ('[White "Bob"]\n\n1. e4 {no end\n\n', ":7: found '{' without '}'"),
    ('[White "Bob"]\n\n1. e4 (1. d4\n\n', ":7: found '(' without ')'"),
    ('[White Bob]\n[Black "Cid"]\n\n1. e4 *\n\n', ":5: found '[White Bob]', expected a tag"),
    ('[White "Bob"]\n\n1. e4 ) e5 *\n\n', ":7: found ')'"),
    ('[Variant "Atomic"]\n\n1. e4 *\n\n', ":5: found the variant 'Atomic'"),
])
def test_a_bad_game_takes_no_other_with_it(bad: str, said: str, tmp_path: Path) -> None:
    """The others are read and written, the bad one is reported with its line, and the exit code is 1."""
    path = saved(tmp_path, "x.pgn", GOOD + bad + GOOD)
    result = convert(path, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)["games"]
    assert len(found) == 3
    assert (found[0]["moves"], found[2]["moves"]) == (["e2e4", "e7e5"],) * 2
    assert said in (found[1].get("error") or found[1]["notes"][0])
    listed = convert(path, "--to", tmp_path / "y.pgn")
    assert (listed.exit_code, said in listed.output) == (1, True), listed.output
    whole = [record.moves for record in records.read_records(tmp_path / "y.pgn")]
    assert (whole[0], whole[-1]) == (("e2e4", "e7e5"),) * 2
    assert (convert(path, "--game", 1).exit_code, convert(path, "--game", 3).exit_code) == (0, 0)


def test_bad_games_without_tags_end_with_their_result(tmp_path: Path) -> None:
    """Where no tag begins the next game, one that cannot be read ends with a result before an empty line."""
    path = saved(tmp_path, "x.pgn", "1. e4 e5 *\n\n1. d4 ) d5\n2. c4 1-0\n\n1. c4 *\n")
    games = list(portable.games(path.read_text().splitlines(keepends=True), portable.token()))
    assert [len(game.moves) for game in games] == [2, 1, 1]
    assert [game.problem is not None for game in games] == [False, True, False]


def test_a_game_is_read_up_to_a_move_that_is_not_legal(tmp_path: Path) -> None:
    """What comes before is shown and written; the move is reported."""
    path = saved(tmp_path, "x.pgn", "1. e4 e5 2. Nf3 Nf3 3. a3 *")
    result = convert(path)
    assert result.exit_code == 1
    assert "e2e4 e7e5 g1f3" in result.output
    assert "x.pgn:1: move 2... Nf3 is not legal" in result.output
    found = json.loads(convert(path, "--json").stdout)
    assert (found["moves"], "2... Nf3" in found["notes"][0]) == (["e2e4", "e7e5", "g1f3"], True)
    with pytest.raises(records.BadRecord, match="is not legal"):
        records.read_record(path)


@pytest.mark.parametrize(("name", "text", "moves"), [
    ("x.pgn", f"{KNIGHTS} 5. Nf3 Nf6 6. Ng1 Ng8 *", 12),
    ("x.pgn", '[FEN "4k3/8/8/8/8/8/8/R3K3 w - - 99 80"]\n\n80. Ra2 Ke7 81. Ra3 *', 3),
    ("x.pgn", '[FEN "4k3/8/8/8/8/8/8/R3K3 w - - 110 80"]\n\n80. Ra2 Ke7 81. Ra3 *', 3),
    ("x.pdn", '[GameType "20"]\n[FEN "W:WK1,K2:BK50"]\n1-6 50-45 2. 6-1 45-50 3. 1-6 50-45 4. 6-1 45-50 5. 1-6 *', 9),
])
def test_a_draw_that_nobody_claimed_is_a_note(name: str, text: str, moves: int, tmp_path: Path) -> None:
    """The game goes on after it, is written, and comes back; the exit code is 0."""
    path = saved(tmp_path, name, text)
    record = records.read_record(path)
    assert len(record.moves) == moves
    assert len(record.notes) == 1
    assert "nobody claimed the draw" in record.notes[0].phrase
    result = convert(path, "--to", tmp_path / f"y{path.suffix}")
    assert (result.exit_code, "nobody claimed the draw" in result.output) == (0, True), result.output
    assert records.read_record(tmp_path / f"y{path.suffix}").moves == record.moves
    shown = convert(path)
    assert (shown.exit_code, "--moves" in shown.output) == (0, False), "no command plays on after a draw"


def test_files_of_any_size_take_the_memory_of_one_game() -> None:
    """Games are divided line by line: ten thousand of them need less than 1 MiB at once."""
    def rows() -> Iterator[str]:
        for number in range(10_000):
            yield from (f'[Round "{number}"]\n', "\n", "1. e4 {a move} e5 (1... c5) *\n", "\n")

    tracemalloc.start()
    try:
        last = deque(portable.games(rows(), portable.token()), maxlen=1)[0]
        assert tracemalloc.get_traced_memory()[1] < records.MOST_BYTES
    finally:
        tracemalloc.stop()
    assert last.tags == {"Round": "9999"}


def test_a_game_that_is_too_long_is_refused_and_the_next_one_read() -> None:
    long = ["1. e4 e5\n", *["{" + "x" * 1000 + "}\n"] * 1100, "2. Nf3 *\n", "\n"]
    games = list(portable.games(['[Round "1"]\n', *long, '[Round "2"]\n', "1. d4 *\n"], portable.token()))
    assert [game.tags["Round"] for game in games] == ["1", "2"]
    assert games[0].problem is not None
    assert "the game has more than 1 MiB" in games[0].problem.phrase
    assert (len(games[0].moves), games[1].problem) == (2, None)


def test_a_file_may_be_larger_than_a_game(tmp_path: Path) -> None:
    path = saved(tmp_path, "x.pgn", GOOD * 2 + "% nothing here\n" * 80_000)
    assert path.stat().st_size > records.MOST_BYTES
    assert convert(path, "--game", 2).exit_code == 0


def test_names_are_read_in_either_encoding(tmp_path: Path) -> None:
    """UTF-8 with or without a mark at the beginning, and Latin-1 as older programs wrote it."""
    for encoding in ("utf-8", "utf-8-sig", "latin-1"):
        record = records.read_record(saved(tmp_path, "x.pgn", GOOD.replace("Ann", "Jürgen Æ").encode(encoding)))
        assert record.details["White"] == "Jürgen Æ"


def test_a_database_that_is_cut_off_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    two = saved(tmp_path, "two.txt", "f5d6\nf5f6\n")
    assert convert(two, "--to", tmp_path / "two.wtb").exit_code == 0
    data = (tmp_path / "two.wtb").read_bytes()
    path = saved(tmp_path, "cut.wtb", data[:-1])
    result = convert(path, "--json")
    assert result.exit_code == 1
    found = json.loads(result.stdout)["games"]
    assert found[0]["moves"] == ["f5", "d6"]
    assert "says that it has 2 games, and ends within game 2" in found[1]["error"]
    path = saved(tmp_path, "longer.wtb", data + b"?")
    found = json.loads(convert(path, "--json").stdout)["games"]
    assert [game.get("moves") for game in found] == [["f5", "d6"], ["f5", "f6"], None]
    assert "goes on after the 2 games" in found[2]["error"]


def test_a_file_of_bad_games_writes_nothing(tmp_path: Path) -> None:
    path = saved(tmp_path, "x.pgn", "1. Ke2 *\n\n1. Ke3 *\n")
    assert ["error" in game for game in json.loads(convert(path, "--json").stdout)["games"]] == [True, True]
    result = convert(path, "--to", tmp_path / "y.pgn")
    assert (result.exit_code, (tmp_path / "y.pgn").exists()) == (1, False)
    assert "of 2 games, 2 could not be read" in result.output

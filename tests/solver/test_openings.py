"""`dslgame openings`: known values of first moves, in each form of output."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import dslgame
from dslgame.cli.openings import LOST, WON, picture
from solver.openings import by_cell, openings
from tests.app.test_cli import run

HEX = ("openings", "hex", "-p", "size=2")


def test_table_merges_moves_by_symmetry() -> None:
    """Two of the four first moves on 2x2 win, listed with their images."""
    shown = run(*HEX)
    assert shown.exit_code == 0
    assert "  b1    Red         3  a1     and its 1 image\n" in shown.stdout
    assert "\n4 first moves: 2 won by Red, 2 won by Blue; " in shown.stdout
    assert len(run(*HEX, "--all").stdout.splitlines()) == 7


@pytest.mark.slow
@pytest.mark.parametrize("method", ["carriers", "connections"])
def test_answers_that_the_search_came_upon_win(method: str) -> None:
    game = dslgame.load("hex", size=4)
    found, solution = openings(game.start(), method=method)
    replies = {move.group: move.reply for move in solution.moves if move.reply is not None}
    lost = {move.group for move in solution.moves if move.winner == 1}
    assert replies.keys() == lost
    for opening in found:
        if opening.winner == 1:
            after = game.start().play(opening.text).play(opening.reply)
            assert dslgame.solve(game, after.state, method="alphabeta").winner == 1


def test_csv_and_json_say_the_same() -> None:
    """Both forms agree, here from a later position."""
    rows = list(csv.DictReader(run("openings", "tic_tac_toe", "-m", "b2 b1", "--csv").stdout.splitlines()))
    found = json.loads(run("openings", "tic_tac_toe", "-m", "b2 b1", "--json").stdout)
    assert [(row["move"], row["winner"], row["images"].split()) for row in rows] == [
        (item["move"], item["winner"], item["images"]) for item in found["openings"]]
    assert (found["winner"], found["remoteness"], found["to_move"], found["complete"]) == ("X", 5, "X", True)
    assert rows[0]["winner"] == "X"
    assert all(item["reply"] for item in found["openings"])


def test_picture_colours_each_cell(tmp_path: Path) -> None:
    """Each cell has the colour of the best move there, including images."""
    game = dslgame.load("hex", size=2)
    found, _ = openings(game.start())
    best = by_cell(game.start(), found)
    assert {game.board.names[cell]: item.winner for cell, item in best.items()} == {"a1": 1, "b1": 0, "a2": 0, "b2": 1}
    text = picture(game.start(), found)
    assert text.count(WON) >= 3  # two cells and the legend
    assert text.count(LOST) >= 3
    assert "win for Red" in text
    file = tmp_path / "openings.svg"
    assert run(*HEX, "--svg", str(file)).exit_code == 0
    assert file.read_text(encoding="utf-8") == text


def test_moves_that_name_no_cell_stand_where_their_piece_comes_to_rest() -> None:
    """A move without a cell is shown where its piece comes to rest; of several moves on a cell the best."""
    position = dslgame.load("connect_four", rows=3, columns=3, length=3).start()
    found, _ = openings(position, nodes=10)
    assert {position.game.board.names[cell] for cell in by_cell(position, found)} == {"a1", "b1", "c1"}


def test_what_is_not_known_is_said() -> None:
    """Values past a limit are unknown with exit code 3, and a finished game has no openings."""
    shown = run("openings", "hex", "-p", "size=4", "--nodes", "50")
    assert shown.exit_code == 3
    assert "unknown" in shown.stdout
    assert "no moves" in run("openings", "tic_tac_toe", "-m", "a1 b1 a2 b2 a3").stdout


@pytest.mark.parametrize(("arguments", "expected"), [
    (("--csv", "--json"), "exclude each other"), (("--nodes", "0"), "not in the range"),
])
def test_wrong_use(arguments: tuple[str, ...], expected: str) -> None:
    """Wrong options end with exit code 2."""
    shown = run(*HEX, *arguments)
    assert shown.exit_code == 2
    assert expected in " ".join(shown.stderr.split())

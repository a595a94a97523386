"""`dslgame train`: a file beside the game that training continues, levels use, and other rules refuse."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import attrs
import numpy as np
import pytest
from click.testing import CliRunner, Result

import dslgame
from dslgame import bundled
from dslgame.cli.app import app
from solver.learning.train import Training
from solver.learning.trained import Trained
from solver.players.levels import Level

GAME = (bundled.FOLDER / "tic_tac_toe.game").read_text(encoding="utf-8")

DRAWN = """
game "Drawn"
players A, B
board square(2, 2)
pieces one of A, two of B

move place(c in empty):
    c := own

draw when no empty
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working directory with a game, and a separate folder for user data."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    (tmp_path / "my.game").write_text(GAME, encoding="utf-8")
    return tmp_path


def run(*arguments: str) -> Result:
    """Run the command."""
    return CliRunner().invoke(app, list(arguments))


def test_training_goes_on_and_levels_use_it(folder: Path) -> None:
    """Training in two parts gives the same file as in one; a file of other rules is refused; --force starts anew."""
    assert "150 games" in run("train", "my.game", "--games", "150").output
    found = json.loads(run("train", "my.game", "--games", "250", "--json").output)
    assert (found["games"], found["before"], found["file"]) == (250, 150, "my.trained")
    assert run("train", "my.game", "--games", "250", "--to", "whole.trained").exit_code == 0
    assert Path("whole.trained").read_bytes() == Path("my.trained").read_bytes()
    game = dslgame.load("my.game")
    player = bundled.player(game, Level.of("alphabeta plies=1"))
    assert player.choose(game.start()).report is not None
    assert bundled.trained_of(game) is not None
    done = run("train", "my.game", "--games", "250")
    assert (done.exit_code, "250 games already" in done.output) == (1, True)
    done = run("train", "my.game", "--games", "300", "--seed", "2")
    assert (done.exit_code, "--seed 0" in done.output) == (1, True)
    Path("my.game").write_text(GAME + "\n# other\n")
    done = run("train", "my.game", "--games", "300")
    assert (done.exit_code, "trained for other rules" in done.output) == (1, True)
    done = run("match", "my.game", "alphabeta plies=1", "random", "--games", "2", "--threads", "1")
    assert (done.exit_code != 0, "trained for other rules" in done.output) == (True, True)
    assert run("match", "my.game", "alphabeta plies=1 trained=none", "random", "--games", "2", "--threads",
               "1").exit_code == 0
    assert run("train", "my.game", "--games", "20", "--force").exit_code == 0
    assert Trained.read("my.trained").games == 20


def test_games_that_nobody_wins_teach_nothing(folder: Path) -> None:
    """Where no game is won, that is said, and no file is written."""
    Path("drawn.game").write_text(DRAWN)
    done = run("train", "drawn.game", "--games", "20")
    assert (done.exit_code, "as nobody won any of them" in done.output) == (3, True)
    assert not Path("drawn.trained").exists()


def test_file_of_another_version_is_refused(folder: Path) -> None:
    """Weights of another number, which training would write beyond, are refused; --force begins anew."""
    assert run("train", "my.game", "--games", "20").exit_code == 0
    known, nine = Trained.read("my.trained"), np.zeros(9)
    Path("my.trained").write_bytes(attrs.evolve(known, weights=nine, trends=nine, turmoil=nine).to_bytes())
    done = run("train", "my.game", "--games", "40")
    assert "my.trained: the trained file was made by another version: train again; --force begins" in done.output
    assert done.exit_code == 1
    assert run("train", "my.game", "--games", "40", "--force").exit_code == 0


def test_interrupted_training_keeps_whole_games(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C within a game writes the games before it, and the same command ends with the file of a single run."""
    batches = Training.batches

    def interrupted(training: Training, games: int) -> Iterator[None]:
        for _ in batches(training, 30):
            pass
        yield from islice(batches(training, games), 1)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Training, "batches", interrupted)
        done = run("train", "my.game", "--games", "50")
    assert (done.exit_code, "30 games" in done.output) == (130, True)
    assert Trained.read("my.trained").games == 30
    assert run("train", "my.game", "--games", "50").exit_code == 0
    assert run("train", "my.game", "--games", "50", "--to", "whole.trained").exit_code == 0
    assert Path("whole.trained").read_bytes() == Path("my.trained").read_bytes()


def test_training_without_a_whole_game_writes_nothing(folder: Path) -> None:
    """If the time is over within the first game, there is no file, and the exit code says so."""
    done = run("train", "my.game", "--minutes", "1e-9")
    assert (done.exit_code, "my.trained was not written: give more --minutes" in done.output) == (3, True)
    assert not Path("my.trained").exists()


def test_patterns_on_random_paths_are_asked_for(folder: Path) -> None:
    """The file records the number of tuples: the plain command continues, and another number is refused."""
    plain = json.loads(run("train", "my.game", "--games", "20", "--json", "--to", "plain.trained").output)
    found = json.loads(run("train", "my.game", "--games", "20", "--tuples", "2", "--json").output)
    assert found["patterns"] > plain["patterns"]
    assert Trained.read("my.trained").tuples == 2
    for again in ((), ("--tuples", "2")):
        assert run("train", "my.game", "--games", str(40 + len(again)), *again).exit_code == 0
    done = run("train", "my.game", "--games", "80", "--tuples", "3")
    assert (done.exit_code, "begun with --tuples 2: give the same" in done.output) == (1, True)
    done = run("train", "my.game", "--games", "80", "--rate", "0.5", "--seed", "3")
    assert "begun with --seed 0 --exploring 0.1 --lambda 0.7 --rate 2: give the same" in done.output
    assert run("match", "my.game", "alphabeta plies=1", "random", "--games", "2", "--threads", "1").exit_code == 0


def test_values_of_bundled_games_lie_with_users_data(folder: Path) -> None:
    """A bundled game has a file in the user's data for each choice of params; wrong uses are refused."""
    done = run("train", "nex", "-p", "rows=2", "-p", "columns=2", "--games", "10")
    assert done.exit_code == 0, done.output
    assert [path.name for path in (folder / "data").rglob("*.trained")] == ["nex-rows2-columns2.trained"]
    done = CliRunner().invoke(app, ["train", "-", "--games", "10"], input=GAME)
    assert (done.exit_code, "--to FILE" in done.output) == (2, True)
    done = run("train", "pig", "--games", "10")
    assert (done.exit_code, "without chance" in done.output) == (1, True)
    Path("bad.trained").write_text("nothing")
    done = run("train", "my.game", "--games", "10", "--to", "bad.trained")
    assert (done.exit_code, "no file of" in done.output) == (1, True)
    assert Path("bad.trained").read_text() == "nothing"

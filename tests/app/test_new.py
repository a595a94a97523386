"""`dslgame new`: every template makes a correct game with counts and a test; `dslgame check --watch`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

import dslgame
from dsl.diagnostics import has_errors
from dsl.syntax.formatter import format_text
from dslgame import creating, perft_files
from dslgame.cli import new
from dslgame.cli.app import app
from dslgame.packages import HOME

KINDS = list(creating.kinds())


def run(*arguments: str, code: int = 0, given: str | None = None) -> str:
    """The output and errors of a command that ends with the given exit code."""
    result = CliRunner().invoke(app, list(arguments), input=given)
    assert result.exit_code == code, result.output
    return result.output


def test_templates_are_those_that_were_asked_for() -> None:
    """Each template has a description."""
    assert {"placement", "connection", "capture", "race", "sowing", "cards", "puzzle"} <= set(KINDS)
    assert all(creating.kinds().values())


@pytest.mark.parametrize("kind", [pytest.param(kind, marks=() if kind == "placement" else pytest.mark.slow)
                                  for kind in KINDS])
def test_a_new_game_is_right(kind: str, tmp_path: Path) -> None:
    """A new game has no diagnostics, is formatted, and its counts and its test hold."""
    made = json.loads(run("new", "--kind", kind, "--title", "My Own", "--to", str(tmp_path), "--json"))
    game, perft, test = (Path(file) for file in made["files"])
    assert made["diagnostics"] == []
    text = game.read_text(encoding="utf-8")
    assert format_text(text) == text
    assert dslgame.load(game).title == "My Own"
    assert len(perft_files.read(perft)) >= 2
    assert "WRONG" not in run("perft", str(game), "--verify")
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, str(test)],
                          cwd=tmp_path, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(HOME)})
    assert done.returncode == 0, done.stdout


def test_a_folder_that_is_missing_is_made(tmp_path: Path) -> None:
    """Missing folders are made; where that is impossible, one line says so."""
    run("new", "--kind", "placement", "--title", "Own", "--to", str(tmp_path / "a" / "b"))
    assert (tmp_path / "a" / "b" / "own.game").is_file()
    (tmp_path / "file").write_text("")
    assert "cannot be made" in run("new", "--kind", "placement", "--title", "Own", "--to", str(tmp_path / "file" / "b"),
                                   code=1)


def test_params_become_defaults(tmp_path: Path) -> None:
    """Params given by -p become the defaults; wrong ones are refused and no file is written."""
    made = creating.created("placement", "five", "Five", {"size": 6, "length": 5})
    assert "param size = 6 in 3..12" in made.game
    assert not has_errors(made.findings)
    assert "no param 'sze'" in run("new", "-k", "placement", "-t", "A", "-p", "sze=3", "--to", str(tmp_path), code=1)
    assert "outside 3..12" in run("new", "-k", "placement", "-t", "A", "-p", "size=99", "--to", str(tmp_path), code=1)
    assert "without quotes" in run("new", "-k", "race", "-t", 'A "B"', "--to", str(tmp_path), code=1)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(tmp_path: Path) -> None:
    """If one of the files exists, none is written."""
    (tmp_path / "a.perft").write_text("perft 1 1\n", encoding="utf-8")
    assert "exists and stays" in run("new", "-k", "puzzle", "-t", "A", "--to", str(tmp_path), code=1)
    assert [path.name for path in tmp_path.iterdir()] == ["a.perft"]


def test_what_is_missing_is_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a terminal missing options are asked for; elsewhere they are an error that lists the kinds."""
    assert "the kinds are capture" in run("new", code=2)
    monkeypatch.setattr(new, "_asks", lambda: True)
    run("new", "--to", str(tmp_path), given="puzzle\n4\nMine\n")
    assert "param size = 4" in (tmp_path / "mine.game").read_text(encoding="utf-8")


def test_watching_checks_again_what_was_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All files are checked at first, then those that change; Ctrl-C ends with exit code 0."""
    paths = [tmp_path / name for name in ("one.game", "two.game")]
    made = creating.created("puzzle", "one", "One", {})
    for path in paths:
        path.write_text(made.game, encoding="utf-8")
    naps = iter(range(3))

    def nap(seconds: float) -> None:
        number = next(naps)
        if number == 0:
            paths[1].write_text(made.game.replace("no lamp", "no lmap"), encoding="utf-8")
        if number == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(time, "sleep", nap)
    said = run("check", "--watch", "--no-play", *map(str, paths))
    assert [row.split(":")[-1].strip() for row in said.splitlines() if row.endswith(("problems", "error"))] == [
        "no problems", "no problems", "1 error"]
    assert "ended" in said
    assert "names of files" in run("check", "--watch", "-", code=2)

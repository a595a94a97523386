"""Suggested changes of rules: sound files that improve the goals, the same for a seed."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dslgame
from dsl.syntax.source import Source
from dslgame import bundled
from dslgame.cli.app import app
from dslgame.laboratory.mutations import Goal, GoalError, mutants, sound, suggest
from interpreter.analysis.dynamic_checks import try_out

LOPSIDED = """\
game "Lopsided"
players First, Second
board square(2, 3)
pieces x of First, o of Second

move place(c in empty):
    c := own

win First when count(x) = 1 and count(o) < 3
win Second when count(o) = 3
draw when no empty
"""
"""The first move wins, and nearly any change makes it more balanced."""


def test_every_text_differs_in_one_place() -> None:
    """Each mutant differs in one line and is listed once, in an order fixed by the seed."""
    source = Source("x.game", LOPSIDED)
    found = [(text.text, about) for text, about in mutants(source, random.Random(1))]
    assert found == [(text.text, about) for text, about in mutants(source, random.Random(1))]
    assert len({text for text, _ in found}) == len(found) >= 40
    abouts = {about for _, about in found}
    assert {"1 to 2 on line 9", "= to <= on line 9", "and to or on line 9", "win to lose on line 10",
            "without 'draw when no empty'", "with 'no moves loses'"} <= abouts
    for text, _ in found:
        before, after = LOPSIDED.splitlines(), text.splitlines()
        assert sum(line not in before for line in after) <= 1


@pytest.mark.parametrize("name", ["nex", "connect_four", "breakthrough", "english_draughts"])
def test_changed_files_are_never_broken(name: str) -> None:
    """A mutant that is called sound can be loaded."""
    source = Source(name, bundled.path_of(name).read_text(encoding="utf-8"))
    games = 0
    for (text, _), _ in zip(mutants(source, random.Random(0)), range(12), strict=False):
        game = sound(text, {})
        if game is not None:
            games += 1
            assert dslgame.loads(text.text).start().state == game.start().state
    assert games > 3


@pytest.mark.slow
def test_suggestions_improve_the_goals() -> None:
    """Suggestions improve the goals, end, have no errors, and are the same for a seed."""
    source = Source("x.game", LOPSIDED)
    goals = [Goal.of("balance"), Goal.of("length")]
    before, found = suggest(source, {}, goals, count=40, games=40, seed=2)
    assert len(found) == 3
    assert before.value("balance") == 0
    for item in found:
        assert item.profile.value("balance") + item.profile.value("length") > 1 + before.value("length")
        assert item.profile.value("unfinished") == 0
        assert not [problem for problem in try_out(item.profile.game) if problem.severity == "error"]
        assert item.diff(source).startswith("--- x.game")
    again = suggest(source, {}, goals, count=40, games=40, seed=2)[1]
    assert [(item.source.text, item.score) for item in again] == [(item.source.text, item.score) for item in found]


def test_goals() -> None:
    """A goal is a larger measure, a smaller one, or one near to a value."""
    assert Goal.of("-draws") == Goal("draws", None, True)
    assert Goal.of("length=30") == Goal("length", 30, False)
    for text, said in (("balanec", "did you mean 'balance'"), ("length=x", "expected a number")):
        with pytest.raises(GoalError, match=said):
            Goal.of(text)


def run(*arguments: str) -> Result:
    result = CliRunner(env={"COLUMNS": "100"}).invoke(app, ["variants", *arguments], prog_name="dslgame")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


@pytest.mark.slow
def test_command_writes_files_with_diffs_and_measures(tmp_path: Path) -> None:
    """The command writes a game, a diff and measures for each suggestion, and overwrites no file."""
    file, folder = tmp_path / "lopsided.game", tmp_path / "better"
    file.write_text(LOPSIDED, encoding="utf-8")
    arguments = [str(file), "--mutate", "40", "--improve", "balance", "--improve", "length",
                 "--keep", "2", "--seed", "2", "--out", str(folder)]
    shown = run(*arguments).stdout
    assert "as it is" in shown and "2 changes kept" in shown  # noqa: PT018
    assert sorted(path.name for path in folder.iterdir()) == [
        f"lopsided-{number}.{kind}" for number in (1, 2) for kind in ("diff", "game", "json")]
    for path in folder.glob("*.game"):
        assert dslgame.load(path).start().moves()
    assert json.loads((folder / "lopsided-1.json").read_text(encoding="utf-8"))["measures"]
    again = run(*arguments)
    assert (again.exit_code, "exists and stays as it is" in again.stderr) == (1, True)


@pytest.mark.parametrize(("arguments", "said"), [
    (["--improve", "fun"], "there is no measure 'fun'"), (["--improve", "drama"], "do not show the measure 'drama'"),
    (["-p", "size=2..3"], "--mutate changes one game"),
])
def test_wrong_use_is_a_message(arguments: list[str], said: str) -> None:
    """Wrong options end with exit code 2."""
    result = run("misere_tic_tac_toe", "--mutate", "3", *arguments)
    assert (result.exit_code, said in " ".join(result.stderr.split())) == (2, True), result.stderr

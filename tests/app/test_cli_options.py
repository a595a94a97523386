"""Options that exclude each other, outputs that cannot be written, and interruptions: messages and exit codes."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import dslgame
from dslgame.cli.app import app

ROOT = Path(__file__).parents[2]
NIM = (ROOT / "games" / "nim.game").read_text(encoding="utf-8")


def run(*arguments: str, text: str | None = None) -> Result:
    return CliRunner().invoke(app, arguments, input=text)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("arguments", "said"), [
    ("tree tic_tac_toe --depth 2 -o x.xyz --save kept", "-o x.xyz: expected a file that ends in .graphml"),
    ("tree tic_tac_toe --depth 2 --plot x.pdf", "--plot x.pdf: expected a file that ends in .svg or .png"),
    ("tree tic_tac_toe --depth 2 --prune most --save kept", "--prune most: expected values, best, mate or mate:N"),
    ("tree tic_tac_toe --depth 2 --prune best --for Z", "--for Z: the players are X, O"),
    ("tree tic_tac_toe --depth 2 --roots roots.txt -o r.svg", "-o names a folder that is there"),
    ("perft nim -d 2 --ignore-ends --hooks my.py", "--ignore-ends counts by the rules alone: leave out --hooks"),
    ("variants tic_tac_toe --mutate 3 --csv", "--csv does not go with --mutate: leave it out"),
    ("variants tic_tac_toe --mutate 3 --claim rubbish", "--claim does not go with --mutate: leave it out"),
    ("variants tic_tac_toe --keep 4", "--keep is for --mutate: leave it out"),
    ("bench --signature --hooks nothere.py", "--hooks does not go with --signature: leave it out"),
    ("patterns hex --test --moves d4", "--moves does not go with --test, whose examples are in the file"),
    ("engine nim random --games 2", "--games does not go with --protocol lines: leave it out"),
    ("engine nim random --protocol tcp --connect localhost:1 --name me", "--name does not go with --protocol tcp"),
    ("diff - -", "the standard input has one game: give a file for the other"),
])
def test_options_that_do_not_fit_are_refused_before_any_work(folder: Path, arguments: str, said: str) -> None:
    """The exit code is that of wrong use, and no file is written."""
    (folder / "roots.txt").write_text("a1\nb2\n", encoding="utf-8")
    result = run(*arguments.split(), text=NIM)
    assert (result.exit_code, said in result.stderr) == (2, True), result.stderr
    assert [path.name for path in folder.iterdir()] == ["roots.txt"]


@pytest.mark.parametrize("arguments", [
    "train tic_tac_toe --games 200 --to nodir/x.trained", "solve tic_tac_toe --certificate nodir/x.proof",
    "show tic_tac_toe --svg nodir/x.svg", "tree tic_tac_toe --depth 2 -o nodir/x.json",
])
def test_output_in_a_missing_folder_is_refused_before_any_work(folder: Path, arguments: str) -> None:
    result = run(*arguments.split())
    assert result.exit_code == 1
    assert result.stderr.endswith("cannot be written: there is no folder nodir\n")
    assert not result.stdout


def test_options_of_growing_are_refused_for_a_saved_tree(folder: Path) -> None:
    """A loaded tree has its own root and its own merging."""
    assert run("tree", "tic_tac_toe", "--depth", "2", "--save", "kept").exit_code == 0
    for option in (["--merge", "all"], ["--loops", "board"], ["--skip-when", "no empty"], ["--ignore-ends"]):
        result = run("tree", "tic_tac_toe", "--load", "kept", *option)
        assert result.exit_code == 2
        assert f"{option[0]} is for a new tree, and one that was kept has its own: leave it out" in result.stderr
    assert run("tree", "tic_tac_toe", "--load", "kept", "--depth", "3").exit_code == 0


def test_trees_of_several_roots_exit_with_3_where_one_is_cut(folder: Path) -> None:
    """A file of roots that is not UTF-8 is refused with its name."""
    (folder / "roots.txt").write_text("a1\nb2\n", encoding="utf-8")
    arguments = ("tree", "tic_tac_toe", "--depth", "6", "--roots", "roots.txt")
    assert run(*arguments, "--nodes", "20").exit_code == 3
    assert run("tree", "tic_tac_toe", "--depth", "2", "--roots", "roots.txt").exit_code == 0
    (folder / "roots.txt").write_bytes(b"\xff\xfe")
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (1, "Error: roots.txt is no text in UTF-8\n")


def test_counts_of_a_finished_position_are_none() -> None:
    """Neither has moves nor games that were broken off."""
    over = ("--moves", "a1 a2 b1 b2 c1")
    result = run("perft", "tic_tac_toe", "-d", "1", "--divide", *over)
    assert (result.exit_code, "  none\n" in result.stdout) == (0, True)
    result = run("complexity", "tic_tac_toe", *over)
    assert (result.exit_code, "left after" in result.stdout) == (0, False)


def test_alternatives_follow_a_change_in_either_form() -> None:
    """--with=CHANGE and --with CHANGE are the same."""
    result = run("variants", "tic_tac_toe", "--with=as it is", "--or", "win to lose", "--csv", "--anew")
    assert result.exit_code == 0
    assert len(result.stdout.splitlines()) == 3
    result = run("variants", "tic_tac_toe", "--or", "win to lose")
    assert (result.exit_code, "there is none" in result.stderr) == (2, True)


def test_one_of_two_games_is_read_from_the_standard_input() -> None:
    result = run("diff", "-", "nim", text=NIM)
    assert (result.exit_code, "proven equal" in result.stdout) == (0, True)


def test_commands_without_standard_input_say_what_is_missing() -> None:
    result = subprocess.run(f'"{sys.executable}" -m dslgame new <&-', shell=True, cwd=ROOT, capture_output=True,
                            text=True, check=False)
    assert result.returncode == 2
    assert "say --kind; the kinds are " in result.stderr


def test_blank_lines_of_a_referee_are_ignored() -> None:
    """A blank line within a game does not begin another one: a move that was made is not legal again."""
    result = run("engine", "tic_tac_toe", "random", text="side O\nmoves b2\n\nstart\nplayed b2\ngo 1\n")
    assert result.exit_code == 1
    assert "illegal move 'b2'" in result.stderr


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize("command", ["solve hex -p size=7 --threads 1", "openings hex -p size=7",
                                     "complexity connect_four --samples 9000000 --enumerate 1000"])
def test_interrupted_commands_exit_with_130(command: str) -> None:
    """They print what was found so far."""
    process = subprocess.Popen([sys.executable, "-m", "dslgame", *command.split()], cwd=ROOT, stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True)
    time.sleep(15)
    process.send_signal(signal.SIGINT)
    said, errors = process.communicate(timeout=60)
    assert process.returncode == 130, errors
    assert "Hex (size=7)" in said or "random games" in said


# ---- games with chance and hidden information

PENNIES = """\
game "Pennies"
values side = heads, tails
players Ann, Bob
board square(1, 1)
pieces chip
var shown[player] in side or none
players move together

move show(k in side):
    shown[mover] := k
    "a1" := chip

win Ann when some chip and shown[Ann] = shown[Bob]
win Bob when some chip
notation show "{k}"
"""


def test_trees_of_games_with_hidden_information_have_no_labels(folder: Path) -> None:
    """A value by perfect play of what players do not see would be wrong."""
    (folder / "pennies.game").write_text(PENNIES, encoding="utf-8")
    result = run("tree", "pennies.game", "-d", "2")
    assert "Ann to move: unknown\n(players of Pennies move together" in result.stdout
    result = run("tree", "pig", "-p", "goal=3", "-d", "2", "--moves", "roll")
    assert "nature to move: unknown\n(chance has a part" in result.stdout


def test_openings_with_chance_have_expected_values(folder: Path) -> None:
    """Where players do not see everything, a first move alone has none."""
    result = run("openings", "pig", "-p", "goal=3")
    assert result.exit_code == 0, result.stdout
    assert "expected for One" in result.stdout
    found = json.loads(run("openings", "pig", "-p", "goal=3", "--json").stdout)["openings"]
    solved = json.loads(run("solve", "pig", "-p", "goal=3", "--json").stdout)
    assert found[0]["expected"] == pytest.approx(solved["expected"])
    (folder / "pennies.game").write_text(PENNIES, encoding="utf-8")
    result = run("openings", "pennies.game")
    assert (result.exit_code, "a first move alone has no value" in result.stderr) == (1, True)


def test_a_limit_of_histories_is_a_limit() -> None:
    result = run("solve", "kuhn_poker", "--nodes", "3")
    assert (result.exit_code, result.stderr) == (
        3, "error: Kuhn Poker has more than 3 histories, too many to go through; `dslgame solve --nodes N` sets "
           "another limit\n")


def test_complexity_says_that_repetition_is_ignored() -> None:
    """The note, and the key of the JSON object, are for games with a repetition rule only."""
    shown = run("complexity", "pong_hau_ki", "--samples", "10")
    assert "The repetition rule is not applied" in shown.stdout
    assert json.loads(run("complexity", "tic_tac_toe", "--samples", "10", "--json").stdout)["repetition"] is None


def test_files_that_cannot_be_formatted_are_named(folder: Path) -> None:
    (folder / "latin.game").write_bytes(b"game \"\xe9\"\n")
    result = run("fmt", "latin.game")
    assert (result.exit_code, result.stderr) == (
        1, "latin.game:1: error[G004]: the file is not UTF-8 text: byte 0xe9 on line 1\n")


def test_a_condition_that_leaves_no_instance_is_said() -> None:
    result = run("variants", "nim", "--where", "1 > 2")
    assert "there is no instance: no values of the params fulfil the condition" in result.stderr


def test_games_of_chance_are_not_exported(folder: Path) -> None:
    """A file could not draw the moves of chance."""
    result = run("export", "pig", "--html", "-o", "pig.html")
    assert (result.exit_code, result.stderr) == (
        1, "Error: chance moves in Pig, and a file cannot draw for it; `dslgame web` does\n")
    assert not list(folder.iterdir())


@pytest.mark.parametrize("level", ["random", "alphabeta plies=2", "mcts nodes=20"])
def test_no_move_is_made_after_the_end(level: str) -> None:
    """A referee that asks for one is told, as of any other line that cannot be carried out."""
    result = run("engine", "tic_tac_toe", level, text="moves a1 a2 b1 b2 c1\ngo 1\nquit\n")
    assert (result.exit_code, result.stderr) == (1, "Error: the game is over, and there is no move to make\n")


@pytest.mark.parametrize("arguments", [
    "train tic_tac_toe --games 10 --rate nan", "match nim random random --move-time nan", "variants nim --seconds nan"])
def test_nan_is_no_number(arguments: str) -> None:
    result = run(*arguments.split())
    assert (result.exit_code, "'nan' is not a number" in result.stderr) == (2, True)


@pytest.mark.parametrize(("body", "said"), [
    ("return nosuch(state)", "'ends' fails: NameError: name 'nosuch' is not defined"),
    ("return 1 // (mover - mover)", "'ends' fails: ZeroDivisionError"), ("return 'x'", "the kernel fails: ValueError")])
def test_hooks_that_fail_in_play_are_named(folder: Path, body: str, said: str) -> None:
    """Errors of Python in a hook file are no internal errors of verify."""
    (folder / "my.py").write_text(f"""\
from interpreter.hooks import hook

@hook("ends")
def ends(state, mover, entries, scratch):
    {body}
""", encoding="utf-8")
    result = run("verify", "tic_tac_toe", "--hooks", "my.py", "--games", "2")
    assert (result.exit_code, f"my.py: with these hooks {said}" in result.stderr) == (1, True), result.stderr


def test_replay_compares_who_won_with_the_result(folder: Path) -> None:
    """A log that names another winner than its outcome is reported."""
    run("match", "nim", "random", "other=random", "--games", "2", "--threads", "1", "--log", "m.jsonl")
    assert run("replay", "m.jsonl").exit_code == 0
    lines = (folder / "m.jsonl").read_text(encoding="utf-8").splitlines()
    record = json.loads(lines[1])
    record["winner"] = next(name for name in record["players"].values() if name != record["winner"])
    (folder / "m.jsonl").write_text("\n".join([lines[0], json.dumps(record), *lines[2:]]) + "\n", encoding="utf-8")
    result = run("replay", "m.jsonl")
    assert (result.exit_code, "the log says that" in result.stdout + result.stderr) == (1, True)


def test_a_level_keeps_to_its_time_in_games_with_chance() -> None:
    """Level `solver` values all positions only as far as a part of its time allows."""
    player = dslgame.player(dslgame.load("pig"), "solver seconds=0.2")
    choice = player.choose(dslgame.load("pig").start())
    assert "not enough to value all positions" in choice.reason
    with pytest.raises(ValueError, match="found 'trained=x', but Pig has chance"):
        dslgame.player(dslgame.load("pig"), "solver trained=x")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="there is no such signal")
@pytest.mark.parametrize(("command", "said"), [
    ("play go --as Black=solver --as White=solver", ""), ("engine go solver", "side Black\nstart\ngo -\n"),
    ("play go --as Black=alphabeta --as White=alphabeta", "")])
def test_games_without_people_end_when_interrupted(command: str, said: str) -> None:
    """A level that is interrupted makes its move for a person only."""
    process = subprocess.Popen([sys.executable, "-m", "dslgame", *command.split()], cwd=ROOT, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdin is not None
    process.stdin.write(said)
    process.stdin.flush()
    time.sleep(10)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130, errors

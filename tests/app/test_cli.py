"""The command: output, exit codes, and that no user error ends in a traceback."""

from __future__ import annotations

import io
import json
import os
import pkgutil
import shutil
import stat
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from dslgame import bundled
from dslgame.cli import output
from dslgame.cli.app import app

NEX = ["-p", "rows=2", "-p", "columns=2"]

BROKEN = """\
game "Broken"
players A, B
board square(3, 3)
pieces x of A, o of B

move place(c in empti):
    c := own

win mover when line(mine, 3)
draw when no empty
"""

FAILING = """\
game "Failing"
players A, B
board square(2, 2)
pieces x of A, o of B

move place(c in cells where c is empty and turns_left):
    c := own

define turns_left = count(empty) > 2
win mover when line(mine, 3)
"""


def run(*arguments: str, stdin: str | bytes | None = None, env: dict[str, str] | None = None) -> Result:
    """Run the command in this process and fail on any exception but SystemExit."""
    runner = CliRunner(env={"COLUMNS": "80", **(env or {})})
    result = runner.invoke(app, list(arguments), input=stdin, prog_name="dslgame")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


# ---- the command as a whole


def test_help_names_every_command() -> None:
    """The help lists the commands, examples and exit codes."""
    result = run("--help")
    assert result.exit_code == 0
    for name in ("check", "completion", "explain", "fmt", "perft", "play", "show", "solve"):
        assert f"\n  {name} " in result.stdout
    assert "Examples:" in result.stdout
    assert "130  interrupted" in result.stdout


def test_commands_are_where_the_list_says() -> None:
    """Commands have their own names, and every one defined in `dslgame.cli` is in the list."""
    from dslgame import cli
    from dslgame.cli.learning import learn

    assert [command.name for command in app.commands.values()] == list(app.commands)
    modules = [import_module(f"dslgame.cli.{found.name}") for found in pkgutil.iter_modules(cli.__path__)]
    there = {value for module in modules for value in vars(module).values() if isinstance(value, click.Command)}
    assert there == {app, learn, *app.commands.values()}  # `learn` is one of `patterns`


@pytest.mark.parametrize("command", sorted(app.commands))
def test_each_command_helps_with_examples(command: str) -> None:
    """Each command's help has two examples or more, `completion` one."""
    result = run(command, "--help")
    assert result.exit_code == 0
    assert result.stdout.count("dslgame " + command) >= (1 if command == "completion" else 2)


@pytest.mark.parametrize("command", app.commands)
def test_wrong_word_of_a_choice_is_answered_with_the_right_one(command: str) -> None:
    """A misspelt word for an option or argument with choices is answered by a suggestion, in every command."""
    for param in app.commands[command].params:
        if isinstance(param.type, click.Choice):
            word = max(param.type.choices, key=len)
            wrong = [word[:-1]] if isinstance(param, click.Argument) else [param.opts[0], word[:-1]]
            result = run(command, *wrong, *([] if isinstance(param, click.Argument) else ["nex"]))
            assert result.exit_code == 2
            assert f"Did you mean '{word}'?" in " ".join(result.output.split())


def test_method_by_its_first_letters_is_understood_as_a_slip() -> None:
    """`alpha` is closer to `alphabeta` than to any other method."""
    assert "Did you mean 'alphabeta'?" in " ".join(run("solve", "nex", "--method", "alpha").output.split())


def test_version() -> None:
    """`--version` prints the version."""
    assert run("--version").stdout.startswith("dslgame 0.")


def test_help_imports_no_parser() -> None:
    """The help imports no parser and no other heavy package."""
    import subprocess
    import sys

    code = (
        "import sys\nfrom dslgame.cli.app import app\n"
        "print([name for name in ('lark', 'networkx', 'rich', 'attrs') if name in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


# ---- finding the game


@pytest.mark.parametrize("name", ["nex", "Nex", "nex.game", "games/nex.game"])
def test_bundled_game_is_found_by_name_anywhere(folder: Path, name: str) -> None:
    """A bundled game is found by its name from any directory."""
    result = run("show", name)
    assert result.exit_code == 0, result.stderr
    assert result.stdout.startswith("Nex (rows=3, columns=3)\n 1 2 3\n")


def test_hyphens_and_capitals_do_not_matter_for_bundled_names(folder: Path) -> None:
    """Bundled games can be named by their titles."""
    assert run("show", "Tic-Tac-Toe").stdout.startswith("Tic-Tac-Toe\n")


def test_file_comes_before_bundled_game(folder: Path) -> None:
    """A file in the working directory takes precedence over a bundled game; a directory does not."""
    (folder / "nex").write_text('game "Mine"\nplayers A, B\nboard square(1, 2)\npieces x of A, y of B\n'
                                "move put(c in empty):\n    c := own\ndraw when no empty\n")
    (folder / "hex").mkdir()
    assert run("show", "nex").stdout.startswith("Mine\n")
    assert run("show", "hex").stdout.startswith("Hex ")


def test_standard_input_is_a_file() -> None:
    """`-` reads the standard input, for editors that check unsaved texts."""
    result = run("check", "-", stdin=BROKEN)
    assert result.exit_code == 1
    assert result.stdout.startswith("<stdin>:6:17: error[")


def test_missing_file_is_named_with_a_suggestion(folder: Path) -> None:
    """A missing file is reported with a similar bundled name."""
    result = run("show", "nexx")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "error[G001]: there is no file nexx" in result.stderr
    assert "did you mean 'nex'?" in result.stderr


@pytest.mark.parametrize(
    ("data", "code"),
    [(b"", "G006"), (b"game \xff", "G004"), (b"x" * ((1 << 20) + 1), "G005")],
    ids=["empty", "not UTF-8", "too large"],
)
@pytest.mark.parametrize("command", ["check", "show", "solve"])
def test_unusable_file_is_a_message(folder: Path, command: str, data: bytes, code: str) -> None:
    """Every command reports an unreadable file with the same diagnostic."""
    (folder / "bad.game").write_bytes(data)
    result = run(command, "bad.game")
    assert result.exit_code == 1
    assert f"error[{code}]" in result.stdout + result.stderr


def test_directory_is_a_message(folder: Path) -> None:
    """A directory is reported without a traceback."""
    result = run("show", str(folder))
    assert result.exit_code == 1
    assert "is a directory" in result.stderr


def test_errors_of_a_file_are_shown_by_every_command(folder: Path) -> None:
    """Every command prints a file's diagnostics as `check` does."""
    (folder / "broken.game").write_text(BROKEN)
    result = run("show", "broken.game", "--json")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "broken.game:6:17: error[" in result.stderr


# ---- params


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("size", "expected NAME=VALUE"),
        ("=3", "expected the name of a param"),
        ("size=", "expected an integer"),
        ("size=big", "found 'big' for 'size', expected an integer"),
        ("size=3.0", "expected an integer"),
        ("size=99999999999999999999", "too large"),
        ("sizes=3", "the game has no param 'sizes'; did you mean 'size'?"),
        ("size=99", "size=99 is outside 1..26"),
        ("size=-1", "size=-1 is outside 1..26"),
    ],
)
def test_wrong_param_is_wrong_use(given: str, expected: str) -> None:
    """A wrong param ends with exit code 2 and what was expected."""
    result = run("show", "hex", "-p", given)
    assert result.exit_code == 2
    assert expected in " ".join(result.stderr.split())


def test_param_that_a_file_with_errors_may_have_is_not_blamed(tmp_path: Path) -> None:
    """A file with errors reports only these and no unknown param, as the file may declare it."""
    path = tmp_path / "wrong.game"
    path.write_text('game "W"\nplayers A, B\nparam rows in 1..9 = 3\nboard square(rows, 3)\npieces a of A, b of B\n\n'
                    "move place(c in empty):\n    c := own\n\ndraw when no empty\n")
    result = run("show", str(path), "-p", "rows=2")
    assert result.exit_code == 1
    assert result.stderr.count("error[") == 1
    assert "wrong.game:3:12: error[G101]: found 'in', expected '='" in result.stderr


def test_param_given_twice_is_wrong_use() -> None:
    """A param given twice is refused, as one value would be ignored."""
    result = run("show", "hex", "-p", "size=3", "-p", "size=4")
    assert result.exit_code == 2
    assert "'size' is given twice" in result.stderr


# ---- check


def test_check_of_a_sound_file() -> None:
    """A correct file is reported in one line with exit code 0."""
    result = run("check", "tic_tac_toe")
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.endswith("games/tic_tac_toe.game: no problems\n")


def test_check_prints_diagnostics_and_a_summary(folder: Path) -> None:
    """Errors are printed with their lines and a summary, with exit code 1."""
    (folder / "broken.game").write_text(BROKEN)
    result = run("check", "broken.game")
    assert result.exit_code == 1
    assert "  6 | move place(c in empti):\n" in result.stdout
    assert result.stdout.splitlines()[-1] == "broken.game: 1 error"


def test_check_finds_what_only_play_shows(folder: Path) -> None:
    """A player without a move and without a rule for it is found by play, but not with --no-play."""
    (folder / "failing.game").write_text(FAILING)
    assert "error[G407]" in run("check", "failing.game").stdout
    assert "error[G407]" not in run("check", "failing.game", "--no-play").stdout


def test_check_json(folder: Path) -> None:
    """JSON is one object for one file, and an object with a list of files for several."""
    (folder / "broken.game").write_text(BROKEN)
    one = json.loads(run("check", "broken.game", "--format", "json").stdout)
    assert (one["file"], one["errors"], one["warnings"]) == ("broken.game", 1, 0)
    (finding,) = one["diagnostics"]
    assert finding["severity"] == "error"
    assert finding["span"]["line"] == 6
    both = json.loads(run("check", "broken.game", "nex", "--json").stdout)
    assert [item["errors"] for item in both["files"]] == [1, 0]
    assert both["errors"] == 1


def test_check_strict_fails_on_warnings(folder: Path) -> None:
    """With --strict a warning gives exit code 1, without it 0."""
    text = (Path(__file__).parents[2] / "games" / "shift_tac_toe.game").read_text().replace("repetition draws\n", "")
    (folder / "cyclic.game").write_text(text)
    result = run("check", "cyclic.game")
    assert result.exit_code == 0
    assert "cyclic.game: 1 warning" in result.stdout
    assert run("check", "cyclic.game", "--strict").exit_code == 1


# ---- fmt

MESSY = """\
game   "M"
players A,B
board square(1,2)
pieces x of A,y of B
move put(c in empty):
  c:=own
draw when no empty
"""


def test_fmt_rewrites_in_place_and_keeps_the_mode(folder: Path) -> None:
    """A file is rewritten through a symbolic link with its mode, and no other file is left in the folder."""
    path = folder / "m.game"
    path.write_text(MESSY)
    path.chmod(0o640)
    (folder / "link.game").symlink_to("m.game")
    result = run("fmt", "link.game")
    assert (result.exit_code, result.stdout) == (0, "reformatted link.game\n")
    assert path.read_text().startswith('game "M"\n')
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert sorted(os.listdir(folder)) == ["link.game", "m.game"]
    assert (folder / "link.game").is_symlink()


def test_fmt_leaves_a_formatted_file_untouched(folder: Path) -> None:
    """A formatted file keeps even its modification time."""
    path = folder / "m.game"
    path.write_text(MESSY)
    run("fmt", "m.game")
    os.utime(path, (1, 1))
    result = run("fmt", "m.game")
    assert (result.exit_code, result.stdout) == (0, "")
    assert path.stat().st_mtime == 1


def test_fmt_check_names_files_and_writes_nothing(folder: Path) -> None:
    """`--check` gives exit code 1 for unformatted files, and 0 once they are formatted."""
    path = folder / "m.game"
    path.write_text(MESSY)
    result = run("fmt", "--check", "m.game")
    assert (result.exit_code, result.stdout) == (1, "would reformat m.game\n")
    assert path.read_text() == MESSY
    run("fmt", "m.game")
    assert run("fmt", "--check", "m.game").exit_code == 0


def test_fmt_diff_and_stdout_write_nothing(folder: Path) -> None:
    """`--diff` and `--stdout` print and change no file."""
    path = folder / "m.game"
    path.write_text(MESSY)
    assert "\n+players A, B\n" in run("fmt", "--diff", "m.game").stdout
    assert run("fmt", "--stdout", "m.game").stdout.startswith('game "M"\n')
    assert path.read_text() == MESSY


def test_fmt_of_the_standard_input() -> None:
    """`fmt -` writes to the standard output."""
    assert run("fmt", "-", stdin=MESSY).stdout.startswith('game "M"\n')


def test_fmt_leaves_a_file_with_syntax_errors(folder: Path) -> None:
    """A file with syntax errors stays as it is, and the other files are formatted."""
    (folder / "bad.game").write_text("game (((\n")
    (folder / "m.game").write_text(MESSY)
    result = run("fmt", "bad.game", "m.game")
    assert result.exit_code == 1
    assert "bad.game: left as it is" in result.stderr
    assert (folder / "bad.game").read_text() == "game (((\n"
    assert result.stdout == "reformatted m.game\n"


def test_fmt_turns_line_ends_into_unix_ones(folder: Path) -> None:
    """CRLF line ends alone count as a change and are turned into LF."""
    path = folder / "m.game"
    path.write_text(MESSY)
    run("fmt", "m.game")
    good = path.read_bytes()
    path.write_bytes(good.replace(b"\n", b"\r\n"))
    assert run("fmt", "--check", "m.game").exit_code == 1
    run("fmt", "m.game")
    assert path.read_bytes() == good


# ---- explain


def test_explain_lists_and_explains() -> None:
    """Codes are listed and explained, in upper or lower case, as text and as JSON."""
    listing = run("explain")
    assert listing.exit_code == 0
    code = listing.stdout.split()[0]
    page = run("explain", code.lower()).stdout
    for heading in ("What", "Why", "Example", "Fix"):
        assert f"\n{heading}\n" in page
    assert json.loads(run("explain", code, "--json").stdout)["code"] == code
    assert json.loads(run("explain", "--json").stdout)["entries"][0]["code"] == code


def test_explain_of_an_unknown_code() -> None:
    """An unknown code ends with exit code 2."""
    result = run("explain", "G999")
    assert result.exit_code == 2
    assert "there is no code 'G999'" in result.stderr


# ---- show


def test_show_prints_board_moves_and_outcome() -> None:
    """The text output has no terminal codes."""
    result = run("show", "tic_tac_toe", "--moves", "b2 a1")
    assert result.stdout == (
        "Tic-Tac-Toe\n3 . . .\n2 . X .\n1 O . .\n  a b c\nplayed: b2 a1\n"
        "X to move, 7 moves:\n  a3  b3  c3  a2  c2  b1  c1\n"
    )
    assert run("show", "tic_tac_toe", "-m", "a1;b1;a2;b2;a3").stdout.endswith("the game is over: X won\n")


def test_show_json() -> None:
    """The JSON object has exactly these keys."""
    found = json.loads(run("show", "nex", *NEX, "--moves", "Ba1?a2", "--json").stdout)
    assert found == {
        "game": "Nex", "params": {"rows": 2, "columns": 2}, "position": "B?/.. White", "to_move": "White",
        "moves": ["Wb1?b2", "Wb2?b1"], "outcome": None, "board": " 1 2\na B ?\n b . .", "played": ["Ba1?a2"],
    }
    over = json.loads(run("show", "tic_tac_toe", "-m", "a1 b1 a2 b2 a3", "--json").stdout)
    assert (over["outcome"], over["to_move"], over["moves"]) == ("X", None, [])


def test_show_illegal_move_names_it_its_number_and_the_board() -> None:
    """An illegal move ends with exit code 1 and prints nothing on the standard output."""
    result = run("show", "tic_tac_toe", "--moves", "a1 a2 a1", "--json")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "illegal move 'a1'" in result.stderr
    assert "before move 3 of 3:\n  3 . . .\n  2 O . .\n  1 X . .\n" in result.stderr


def test_show_move_after_the_end_is_illegal() -> None:
    """A move after the end is illegal, and the message says who won."""
    result = run("show", "tic_tac_toe", "-m", "a1 b1 a2 b2 a3 c3")
    assert result.exit_code == 1
    assert "the game is over (X won)" in result.stderr


def test_colour_only_on_request_or_a_terminal() -> None:
    """Colour is off in a pipe and on with --color."""
    plain = run("show", "tic_tac_toe", "-m", "b2").stdout
    assert "\x1b[" not in plain
    coloured = run("show", "tic_tac_toe", "-m", "b2", "--color").stdout
    assert "\x1b[31m\x1b[1mX\x1b[0m" in coloured


# ---- the manual page


def test_manual_page_has_every_command_and_no_warnings(tmp_path: Path) -> None:
    """The manual page lists every command, and groff, where installed, formats it without warnings."""
    text = run("man").stdout
    for name in app.commands:
        assert f".SS dslgame {name}" in text
    assert "\\-\\-moves" in text
    if shutil.which("groff"):
        shown = subprocess.run(["groff", "-man", "-Tutf8", "-ww", "-K", "utf8"], input=text, capture_output=True,
                               text=True, encoding="utf-8")
        assert (shown.returncode, shown.stderr) == (0, "")
        assert "Play these moves first, separated by spaces" in " ".join(shown.stdout.split())


# ---- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script(shell: str) -> None:
    """The script for each shell is printed."""
    result = run("completion", shell)
    assert result.exit_code == 0
    assert "_DSLGAME_COMPLETE" in result.stdout


def completed(line: str, folder: Path) -> list[str]:
    """What bash would offer to complete a line."""
    import subprocess
    import sys

    words = line.split(" ")
    env = {**os.environ, "_DSLGAME_COMPLETE": "bash_complete", "COMP_WORDS": line, "COMP_CWORD": str(len(words) - 1),
           "PYTHONPATH": str(Path(__file__).parents[2])}
    code = "from dslgame.__main__ import main; main()"
    found = subprocess.run([sys.executable, "-c", code], env=env, cwd=folder, capture_output=True, text=True,
                           check=False)
    return [row.partition(",")[2] for row in found.stdout.splitlines()]


def test_completion_of_commands_games_and_params(tmp_path: Path) -> None:
    """Commands, bundled games and files in the folder, and params with their defaults are completed."""
    (tmp_path / "tic_mine.game").write_text("")
    assert completed("dslgame so", tmp_path) == ["solve"]
    assert completed("dslgame show ti", tmp_path) == ["tic_tac_toe", "tic_mine.game"]
    assert completed("dslgame show nex -p ", tmp_path) == ["rows=3", "columns=3"]
    assert completed("dslgame show nex -p c", tmp_path) == ["columns=3"]


# ---- list and perft


def test_list_names_bundled_games_with_params() -> None:
    """The list has each game's file name, title and params."""
    rows = [line.split() for line in run("list").stdout.splitlines()]
    assert ["nex", "Nex", "rows=3", "columns=3"] in rows
    games = json.loads(run("list", "--json").stdout)["games"]
    assert {"name", "title", "genre", "credits", "players", "params", "file"} == set(games[0])


def test_list_is_grouped_by_genre() -> None:
    """Each genre has a heading, followed by the games whose files name it."""
    lines = run("list").stdout.splitlines()
    below = lines[lines.index("Connection") + 1 :]
    assert [line.split()[0] for line in below[: below.index("")]] == bundled.by_genre()["Connection"]
    assert "hex" in bundled.by_genre()["Connection"]


def test_solve_value_prints_the_value_alone() -> None:
    """--value prints no table of moves, whose values were not asked for."""
    for game in ("tic_tac_toe", "two_dice_pig"):
        lines = run("solve", game, "--value", *(["-p", "goal=4"] if game == "two_dice_pig" else [])).stdout.splitlines()
        assert len(lines) == 3, lines


def test_remarks_clear_the_progress_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """A remark is printed on a line of its own, above the progress line."""
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with output.progress("solving") as tell:
        assert tell is not None
        tell("half")
        output.remark("a remark")
        tell("whole")
    text = terminal.getvalue()
    before, _, after = text.partition("a remark\n")
    assert "solving" in before
    assert before.endswith("\x1b[2K"), "the progress line was cleared"
    assert "solving" in after


def test_perft_counts() -> None:
    """The counts are those of OpenSpiel 2.0.2 for tic-tac-toe; the number of complete games is well known."""
    found = json.loads(run("perft", "tic_tac_toe", "-d", "9", "--json").stdout)
    assert found.pop("seconds") >= found.pop("counting_seconds") >= 0
    assert found.pop("by") in ("the interpreter", "the kernel")
    assert found == {
        "game": "Tic-Tac-Toe", "params": {}, "depth": 9, "nodes": 549946, "games": 255168, "played": [],
        "counts": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    }


def test_perft_text_divide_and_moves() -> None:
    """The text is a table, and the counts of --divide add up."""
    text = run("perft", "tic_tac_toe", "-d", "3", "--divide", "-m", "b2").stdout
    assert "\n      3        336\n" in text
    found = json.loads(run("perft", "tic_tac_toe", "-d", "3", "--divide", "-m", "b2", "--json").stdout)
    assert sum(item["count"] for item in found["moves"]) == found["counts"][-1] == 336
    assert found["played"] == ["b2"]


def test_perft_ignoring_ends_plays_on() -> None:
    """2x2 Hex has 65 nodes if play continues after a win, and 53 if it stops there."""
    plain = json.loads(run("perft", "hex", "-p", "size=2", "-d", "4", "--json").stdout)
    on = json.loads(run("perft", "hex", "-p", "size=2", "-d", "4", "--json", "--ignore-ends", "--no-memo").stdout)
    assert (plain["nodes"], on["nodes"], on["games"]) == (53, 65, None)


def test_perft_ignoring_ends_starts_after_an_end() -> None:
    """With --ignore-ends the given moves may go past a win."""
    result = run("perft", "tic_tac_toe", "-d", "1", "--ignore-ends", "--json", "-m", "a1 b1 a2 b2 a3 c1")
    assert json.loads(result.stdout)["counts"] == [3]


def test_perft_verify(folder: Path) -> None:
    """Counts are checked by the perft file beside the game; a mismatch shows the position and each move's count."""
    text = (Path(__file__).parents[2] / "games" / "tic_tac_toe.game").read_text()
    (folder / "mine.game").write_text(text)
    (folder / "mine.perft").write_text("perft 2 72\nnodes 2 82\npositions 5478\npositions merged 765\n")
    result = run("perft", "mine.game", "--verify")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == "ok     perft 2 72"
    (folder / "mine.perft").write_text("perft 2 71\n")
    result = run("perft", "mine.game", "--verify")
    assert result.exit_code == 1
    assert "WRONG  perft 2: mine.perft:1 expects 71, counted 72\n  3 . . .\n" in result.stdout
    assert "\n  b2: 8\n" in result.stdout
    found = json.loads(run("perft", "mine.game", "--verify", "--json").stdout)
    assert (found["failed"], found["counts"][0]["found"]) == (1, 72)


@pytest.mark.parametrize("text", ["perft x\n", None])
def test_perft_verify_without_a_sound_file(folder: Path, text: str | None) -> None:
    """A missing or bad perft file is reported."""
    (folder / "mine.game").write_text(MESSY)
    if text is not None:
        (folder / "mine.perft").write_text(text)
    result = run("perft", "mine.game", "--verify")
    assert result.exit_code in (1, 2)
    assert "mine.perft" in result.stderr


def test_perft_needs_a_depth() -> None:
    """`perft` needs a depth or --verify."""
    assert run("perft", "nex").exit_code == 2


# ---- solve


def test_solve_prints_value_and_moves() -> None:
    """2x2 Nex: 2 openings win, 10 draw."""
    result = run("solve", "nex", *NEX)
    assert result.exit_code == 0
    assert "Black to move: win for Black in 3 plies, best move Ba1?a2\n" in result.stdout
    assert result.stdout.count("  draw ") == 10
    assert "37 positions (19 up to symmetry)" in result.stdout


def test_solve_json() -> None:
    """The JSON object has exactly these keys, and every first move."""
    found = json.loads(run("solve", "nex", *NEX, "--json").stdout)
    assert list(found) == ["game", "params", "to_move", "winner", "remoteness", "expected", "exact", "best",
                           "positions", "positions_merged", "method", "engine", "seconds", "moves", "reason", "played"]
    assert (found["to_move"], found["winner"], found["remoteness"], found["best"]) == ("Black", "Black", 3, "Ba1?a2")
    assert (found["expected"], found["exact"]) == (1.0, "1")
    assert (found["positions"], found["method"], len(found["moves"])) == (37, "strong", 12)
    assert found["moves"][0] == {"move": "Ba1?a2", "winner": "Black", "remoteness": 3}
    assert found["moves"][1]["winner"] == "draw"


@pytest.mark.parametrize("method", ["strong", "alphabeta"])
def test_solve_methods_agree(method: str) -> None:
    """3x3 Hex: 5 of 9 openings win, the best in 5 plies."""
    found = json.loads(run("solve", "hex", "-p", "size=3", "--method", method, "--json").stdout)
    assert (found["winner"], found["remoteness"]) == ("Red", 5)
    assert sum(item["winner"] == "Red" for item in found["moves"]) == 5
    assert found["method"] == method


def test_solve_merges_equivalent_moves() -> None:
    """Tic-tac-toe has three classes of first moves: corner, edge and centre."""
    found = json.loads(run("solve", "tic_tac_toe", "--merge", "--json").stdout)
    assert [len(item["images"]) for item in found["moves"]] == [3, 3, 0]
    assert found["winner"] == "draw"
    assert "and its 3 images" in run("solve", "tic_tac_toe", "--merge").stdout
    alone = json.loads(run("solve", "tic_tac_toe", "--merge", "--no-symmetry", "--json").stdout)
    assert len(alone["moves"]) == 9
    assert alone["positions"] == alone["positions_merged"] == found["positions"]


def test_solve_says_where_the_number_of_positions_is_a_bound(tmp_path: Path) -> None:
    """Where `until` can break off a cascade, the number of positions is an upper bound; for other games it is exact."""
    merged = run("solve", "chain_reaction", "-p", "rows=2", "-p", "columns=2").stdout
    assert "at most 61 positions (13 up to symmetry)" in merged
    exact = run("solve", "chain_reaction", "-p", "rows=2", "-p", "columns=2", "--no-symmetry").stdout
    assert "\n57 positions in" in exact
    assert "at most" not in run("solve", "tic_tac_toe").stdout
    saved = tmp_path / "chain.solution"
    run("solve", "chain_reaction", "-p", "rows=2", "-p", "columns=2", "--method", "strong", "--save", str(saved))
    assert "at most 61 positions (13 stored in" in run("query", str(saved)).stdout


def test_solve_from_a_position() -> None:
    """X wins after a bad answer; a finished game has its winner and no moves."""
    found = json.loads(run("solve", "tic_tac_toe", "--from", "b2 b1", "--json").stdout)
    assert (found["winner"], found["played"]) == ("X", ["b2", "b1"])
    over = json.loads(run("solve", "tic_tac_toe", "-m", "a1 b1 a2 b2 a3", "--json").stdout)
    assert (over["winner"], over["to_move"], over["moves"], over["remoteness"]) == ("X", None, [], 0)
    assert "the game is over: X won" in run("solve", "tic_tac_toe", "-m", "a1 b1 a2 b2 a3").stdout


def test_solve_past_a_limit_is_unknown() -> None:
    """Past a limit the exit code is 3 and values are null in JSON, never guesses."""
    result = run("solve", "hex", "--nodes", "1000", "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 3
    assert (found["winner"], found["remoteness"]) == (None, None)
    assert {item["winner"] for item in found["moves"]} == {None}
    assert "limit of 1,000 positions" in found["reason"]
    assert run("solve", "hex", "--memory", "1").exit_code == 3
    assert "Red to move: unknown\n" in run("solve", "hex", "--nodes", "1000").stdout


CIRCLING = """\
game "Circling"
players A, B
board square(1, 4)
pieces x of A, o of B
start:
    "a1" := x
    "d1" := o
move step(c in mine, d in neighbours(c) where d is empty):
    carry c to d
no moves loses
repetition {rule}
notation step "{{c}}-{{d}}"
"""


@pytest.mark.parametrize("rule", ["loses", "forbidden"])
@pytest.mark.parametrize("method", ["auto", "strong"])
def test_solve_follows_lines_of_play_where_values_depend_on_history(folder: Path, rule: str, method: str) -> None:
    """Where repetition is no draw, B wins, as playing out all lines shows."""
    (folder / "c.game").write_text(CIRCLING.format(rule=rule))
    result = run("solve", "c.game", "--method", method, "--json")
    found = json.loads(result.stdout)
    assert result.exit_code == 0
    assert (found["winner"], found["remoteness"], found["moves"][0]["winner"]) == ("B", None, "B")
    assert "depend on the moves before" in found["reason"]
    limited = run("solve", "c.game", "--method", method, "--nodes", "1", "--json")
    assert (limited.exit_code, json.loads(limited.stdout)["winner"]) == (3, None)


def test_solve_where_repetition_draws(folder: Path) -> None:
    """With `repetition draws` values need no history, and B forces A into the corner."""
    (folder / "c.game").write_text(CIRCLING.format(rule="draws"))
    found = json.loads(run("solve", "c.game", "--json").stdout)
    assert (found["winner"], found["remoteness"]) == ("B", 4)


ASKEW = """\
game "Askew"
players A, B
board square(3, 3)
pieces x of A, o of B
move place(c in empty - top):
    c := own
win mover when line(mine, 3)
draw when no moves
symmetry quarter turn
"""


def test_solve_refuses_a_symmetry_that_does_not_hold(folder: Path) -> None:
    """A symmetry that the rules break is refused, as values would be wrong; without symmetries the game is solved."""
    (folder / "askew.game").write_text(ASKEW)
    result = run("solve", "askew.game")
    assert result.exit_code == 1
    assert "error[G307]" in result.stderr
    assert run("solve", "askew.game", "--no-symmetry").exit_code == 0


OVERFLOWING = """\
game "Overflowing"
players A, B
board square(2, 2)
pieces x of A, o of B
var n in 0..2
move place(c in empty):
    c := own
    n += 1
win mover when line(mine, 3)
draw when no empty
"""


@pytest.mark.parametrize("command", [["solve"], ["perft", "-d", "4"], ["show", "-m", "a1 b1 a2 b2"]])
def test_rule_that_fails_is_a_message_with_place_and_board(folder: Path, command: list[str]) -> None:
    """A failing rule ends with exit code 1."""
    (folder / "o.game").write_text(OVERFLOWING)
    result = run(command[0], "o.game", *command[1:])
    assert (result.exit_code, result.stdout) == (1, "")
    assert "o.game:8:5: error[G402]: n would become 3" in result.stderr
    assert "\n  1 " in result.stderr

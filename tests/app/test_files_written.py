"""Files that commands write: safe names for any title of a game, and no file is overwritten."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

import dslgame
from dslgame import bundled
from dslgame.cli.app import app
from dslgame.cli.learning import learn
from dslgame.cli.writing import MOST_NAME, OutputFile, file_name, write_file
from dslgame.web.answers import Answers
from dslgame.web.request_schema import At, Job, Opening

HERE = Path(dslgame.__file__).parent / "cli"
GAME = """\
game "{title}"
players X, O
board square(2, 2)
pieces x of X, o of O
move place(c in empty):
    c := own
win mover when line(mine, 2)
draw when no empty
value count(mine)
"""
TITLES = ["../outside", "/tmp/outside", "..\\outside", "..", ".", "a/b/c", "~/outside", "x" * 300, "/" * 300, "con",
          "", " ", "囲碁", "Café №1", "-o", "$HOME", "game.html", "x.pattern"]
"""Titles that are paths, too long, without letters, or special to an operating system."""


def run(*arguments: str) -> Result:
    """Run the command and fail on any exception but SystemExit."""
    result = CliRunner().invoke(app, list(arguments), prog_name="dslgame")
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exc_info
    return result


@pytest.fixture
def inner(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory, inside an otherwise empty one."""
    folder = tmp_path / "work" / "here"
    folder.mkdir(parents=True)
    monkeypatch.chdir(folder)
    return folder


def everything(folder: Path) -> set[str]:
    """The relative paths of all files below a folder."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


@given(st.text(max_size=400) | st.sampled_from(TITLES))
def test_a_file_name_is_a_plain_name(title: str) -> None:
    name = file_name(title)
    assert re.fullmatch(r"[a-z0-9_-]+", name)
    assert len(name) <= MOST_NAME
    assert file_name(name) == name


def test_a_title_is_read_from_its_file_name() -> None:
    assert file_name("Tic-Tac-Toe") == "tic-tac-toe"
    assert file_name("Connect Four") == "connect-four"
    assert file_name("Café №1!") == "cafe-no1"
    assert file_name("../../etc/passwd") == "etc-passwd"
    assert file_name("CON") == "game-con"


@pytest.mark.parametrize("title", TITLES)
def test_no_title_leads_out_of_the_folder(inner: Path, title: str) -> None:
    """Commands that derive file names from the title read and write in the working directory only."""
    Path("my.game").write_text(GAME.format(title=title.replace("\\", "/")), encoding="utf-8")
    outside = inner.parent / "outside.pattern"
    outside.write_text("secret\n")
    before = everything(inner.parent.parent)
    done = run("export", "my.game", "--html")
    assert done.exit_code == 0, done.output
    new = everything(inner.parent.parent) - before
    assert len(new) == 1
    assert re.fullmatch(r"work/here/[a-z0-9_-]+\.html", new.pop())
    for arguments in (["show", "my.game"], ["check", "my.game"], ["solve", "my.game"], ["fmt", "my.game"],
                      ["tree", "my.game", "--depth", "1"], ["verify", "my.game", "--games", "1"],
                      ["openings", "my.game"]):
        done = run(*arguments)
        assert done.exit_code == 0, done.output
        assert "secret" not in done.output
    assert run("solve", "my.game", "--patterns").exit_code == 2
    assert len(everything(inner.parent.parent) - before) == 1


def test_a_title_of_300_characters_works_everywhere(inner: Path) -> None:
    """Every command that writes a file works with a title of 300 characters."""
    Path("my.game").write_text(GAME.format(title="x" * 300))
    for arguments in (
        ["show", "my.game", "--svg", "s.svg"], ["openings", "my.game", "--svg", "o.svg"],
        ["tree", "my.game", "--depth", "2", "-o", "t.svg", "-o", "t.html", "-o", "t.json", "--save", "tree"],
        ["solve", "my.game", "--save", "my.solution"], ["query", "my.solution"], ["complexity", "my.game"],
        ["match", "my.game", "random", "random", "--games", "2", "--threads", "1", "--log", "m.jsonl"],
        ["replay", "m.jsonl"], ["export", "my.game", "--html"], ["play", "my.game", "--plain"],
    ):
        done = run(*arguments)
        assert done.exit_code == 0, (arguments, done.output)
    answer = Answers().answer(Job("position", At(text=GAME.format(title="x" * 300))))
    assert answer["count"] == 4


@pytest.mark.parametrize("title", TITLES)
def test_the_page_reads_no_file_that_a_title_names(tmp_path: Path, title: str) -> None:
    """A title in rules from a page can select a bundled pattern file only, and no other file."""
    (tmp_path / "outside.pattern").write_text("secret\n")
    for name in (title, str(tmp_path / "outside"), os.path.relpath(tmp_path / "outside", bundled.PATTERNS)):
        answer = Answers().answer(Job("game", Opening(text=GAME.format(title=name.replace("\\", "/")))))
        assert answer["game"]["patterns"] is False
    assert bundled.pattern_file("twixt") == bundled.PATTERNS / "twixt.pattern"
    assert bundled.pattern_file("TwixT") == bundled.PATTERNS / "twixt.pattern"


@pytest.mark.parametrize("name", ["", "\0", "x" * 300, "/", "<stdin>", "y" * 249 + ".gam"])
def test_any_name_of_a_source_is_looked_up_without_an_error(name: str, inner: Path) -> None:
    if name.endswith(".gam"):  # the name of its pattern file would be too long
        Path(name).write_text(GAME.format(title="Own"))
    game = dslgame.loads(GAME.format(title="Own"), name=name)
    assert bundled.patterns_of(game) is None
    assert bundled.hooks_of(game) is None


# ---- no file is overwritten


def commands() -> Iterator[tuple[str, click.Command]]:
    """Every command, with the words that call it."""
    yield from app.commands.items()
    yield "patterns learn", learn


def outputs() -> Iterator[tuple[str, str, str]]:
    """Every option that names a file to write: the command, the option and the parameter's name."""
    for words, command in commands():
        for option in command.params:
            if isinstance(option, click.Option) and isinstance(option.type, OutputFile):
                yield words, option.opts[-1], option.name or ""


ENDINGS = {"--svg": ".svg", "--png": ".png", "--plot": ".svg"}
SMALL = ["nex", "-p", "rows=2", "-p", "columns=2"]
ARGUMENTS = {"tree": ["nim", "--depth", "1"], "convert": ["twixt", "-p", "rows=8", "-p", "columns=8"],
             "export": [*SMALL, "--html"], "openings": SMALL, "solve": SMALL, "show": ["nim"],
             "compile": ["nim", "--target", "javascript"], "measure": ["nim"], "variants": SMALL,
             "patterns learn": ["gomoku", "-p", "size=5", "--positions", "10"]}


@pytest.mark.parametrize(("words", "option"), sorted({(words, option) for words, option, _ in outputs()}))
def test_a_file_that_is_there_is_kept(inner: Path, words: str, option: str) -> None:
    """The command refuses an existing file before it works and suggests --force."""
    target = "mine" + ENDINGS.get(option, ".T1" if words == "convert" else ".html")
    Path(target).write_text("mine")
    refused = run(*words.split(), *ARGUMENTS[words], option, target)
    assert refused.exit_code == 1
    assert refused.output.startswith(f"Error: {target} exists and stays as it is: give --force to write over it")
    assert Path(target).read_text() == "mine"


@pytest.mark.parametrize(("words", "option", "ending"), [
    ("show", "--svg", ".svg"), ("openings", "--svg", ".svg"), ("convert", "--to", ".T1"),
    ("export", "--output", ".html"), ("tree", "--output", ".html"), ("tree", "--output", ".json")])
def test_force_writes_over_a_file(inner: Path, words: str, option: str, ending: str) -> None:
    """`--force` overwrites a file, before or after the option."""
    target = Path("mine" + ending)
    for arguments in ([option, str(target), "--force"], ["--force", option, str(target)]):
        target.write_text("mine")
        done = run(*words.split(), *ARGUMENTS[words], *arguments)
        assert done.exit_code == 0, done.output
        assert target.read_text() != "mine"


def test_every_command_that_writes_files_has_force() -> None:
    """Every command that calls the writing functions declares its output files, except `fmt`, which writes in place,
    `new`, which names its files itself, and `train`, which continues an existing file."""
    found = {words.split()[-1] for words, _, _ in outputs()}
    forced = {words.split()[-1] for words, command in commands()
              if any(item.name == "force" for item in command.params)}
    assert found == forced - {"new", "train"}
    writing = {path.stem for path in HERE.glob("*.py") if re.search(r"\bwrite_(file|picture)\(", path.read_text())}
    named = {"learning": "learn", "compiling": "compile", "suggesting": "variants"}
    assert {named.get(name, name) for name in writing - {"writing", "fmt", "new", "train"}} == found


def test_an_export_without_a_name_is_not_written_over(inner: Path) -> None:
    assert run("export", *SMALL, "--html").exit_code == 0
    Path("nex.html").write_text("mine")
    refused = run("export", *SMALL, "--html")
    assert (refused.exit_code, Path("nex.html").read_text()) == (1, "mine")
    assert "--force" in refused.output
    assert run("export", *SMALL, "--html", "--force").exit_code == 0
    assert Path("nex.html").read_text() != "mine"


def test_trees_in_folders_are_not_written_over(inner: Path) -> None:
    """An existing tree folder is overwritten only if it was loaded or with --force."""
    small = ["tree", "nex", "-p", "rows=2", "-p", "columns=2", "--depth", "1"]
    assert run(*small, "--save", "kept").exit_code == 0
    manifest = Path("kept/manifest.json").read_text()
    assert run(*small[:-1], "2", "--save", "kept").exit_code == 1
    assert Path("kept/manifest.json").read_text() == manifest
    grown = run(*small[:-1], "2", "--load", "kept", "--save", "kept")
    assert grown.exit_code == 0, grown.output
    assert json.loads(Path("kept/manifest.json").read_text().rpartition("}")[0] + "}")["depth"] == 2
    assert run(*small, "--save", "kept", "--force").exit_code == 0


def test_a_device_is_written_to_as_it_is(tmp_path: Path) -> None:
    """A named pipe is written to and not replaced by a file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        write_file(str(pipe), b"text")
        assert os.read(reader, 10) == b"text"
    finally:
        os.close(reader)
    assert pipe.is_fifo()

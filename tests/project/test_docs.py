"""Every example in README.md and docs/ runs and says what the text says it does, and the language book is complete.

What a fenced block is follows from its info string:

    game                    a whole file: no errors, no warnings, laid out as `dslgame fmt` lays it out
    game as NAME            the same; later blocks of the page build on it
    game file NAME.game     the same; saved under this name for the commands and the Python of the page
    game part of NAME       declarations that take the place of those of their kind in NAME
    game ... error G101     the same, but with this error (or `warning`, or `note`), named in a comment of the block
    values in NAME          lines `expression → value`, at the start of NAME
    console                 `$ dslgame ...` and what it prints; a line `...` is any lines, times and sizes may differ
    python                  doctest
    python file NAME.py     saved under this name for the commands and the Python of the page; run if it is a test
    text file NAME          saved under this name for the commands of the page
    bash                    checked for its syntax; the release runs it
"""

from __future__ import annotations

import doctest
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from types import ModuleType

import attrs
import pytest
from click.testing import CliRunner

import dslgame
from dsl.boards import KINDS
from dsl.diagnostics import Diagnostic, has_errors, render
from dsl.patterns import rules as pattern_rules
from dsl.patterns.parser import parse_patterns
from dsl.resolve import declarations, expressions, indices, presentation, scope
from dsl.resolve.sorts import BOOLEAN, CELL, CELLS, Integer
from dsl.syntax import grammar, rules
from dsl.syntax.formatter import format_text
from dsl.syntax.parser import parse, parse_expression
from dsl.syntax.source import Source, Span
from dsl.words import CALLED
from dslgame.cli.app import app
from interpreter.analysis.dynamic_checks import try_out
from interpreter.boards import members
from interpreter.errors import RuleError
from interpreter.game import Game, examine
from interpreter.model.state import WorkingState
from solver.players.kinds import KINDS as LEVELS
from tests.probe import play_less

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
BOOK = ROOT / "docs" / "language.md"
FIRST_PAGES = (ROOT / "README.md", ROOT / "docs" / "tutorial.md")
"""Commands on these pages run in every test run; those of the other pages are slow tests."""
ONE_SPACE = re.compile(r"\s+")
TIME = re.compile(r"\b\d[\d,]*(\.\d+)? ?(ms|s|min)\b")
SIZE = re.compile(r"\b\d[\d,]*(\.\d+)? (bytes|KiB|MiB)\b")
"""File sizes depend on the texts of games and of the page, which may change without a change of the docs."""

_FOUND = r"(?: (?P<severity>error|warning|note) (?P<code>G\d+))?"
_WHOLE = re.compile(r"game(?: as (?P<name>\S+))?(?: file (?P<file>\S+\.game))?" + _FOUND)
_PART = re.compile(r"game part of (?P<base>\S+)" + _FOUND)
_VALUES = re.compile(r"values in (?P<base>\S+)")
_HERE = re.compile(r"(?:^|\| )dslgame (?!engine)")
"""A command that can run in this process; `engine` reads the process's own input."""
_PYTHON_FILE = re.compile(r"python file (?P<file>\S+\.py)")
_JAVASCRIPT_FILE = re.compile(r"javascript file (?P<file>\S+\.mjs)")
_TEXT_FILE = re.compile(r"text file (?P<file>\S+)")


# ---- blocks


@attrs.frozen
class Block:
    """A fenced block of a page: its info string, its text, and the line on which the text begins."""

    page: Path
    line: int
    info: str
    text: str

    def __str__(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def kind(self) -> str:
        """The first word of the info string."""
        return self.info.split(" ")[0]


@lru_cache
def blocks_of(page: Path) -> tuple[Block, ...]:
    """The fenced blocks of a page, in order."""
    found = []
    opened: tuple[int, str] | None = None
    rows: list[str] = []
    for number, row in enumerate(page.read_text(encoding="utf-8").split("\n"), start=1):
        if opened is None and row.startswith("```"):
            opened, rows = (number + 1, row.removeprefix("```").strip()), []
        elif opened is not None and row == "```":
            found.append(Block(page, *opened, "\n".join(rows) + "\n"))
            opened = None
        elif opened is not None:
            rows.append(row)
    assert opened is None, f"{page.name}:{opened}: the block is not closed"
    return tuple(found)


def all_blocks(*kinds: str) -> list[Block]:
    """The blocks of the given kinds, of all pages."""
    return [block for page in PAGES for block in blocks_of(page) if block.kind in kinds]


def by_place(blocks: list[Block], slow: Callable[[Block], bool] = lambda block: False) -> pytest.MarkDecorator:
    """Parametrize a test by blocks, and mark some as slow."""
    return pytest.mark.parametrize("block", [
        pytest.param(block, id=str(block), marks=pytest.mark.slow if slow(block) else ()) for block in blocks])


def is_for_later(block: Block) -> bool:
    """Whether a block is not on one of the first pages."""
    return block.page not in FIRST_PAGES


def bases_of(page: Path) -> dict[str, str]:
    """The texts of a page's `game as NAME` blocks, by name."""
    return {found["name"]: block.text for block in blocks_of(page)
            if (found := _WHOLE.fullmatch(block.info)) and found["name"]}


def files_of(page: Path, line: int) -> dict[str, str]:
    """The texts of a page's blocks with file names, as they are for a reader at a line."""
    kinds = (_WHOLE, _PYTHON_FILE, _JAVASCRIPT_FILE, _TEXT_FILE)
    return {found["file"]: block.text for block in blocks_of(page) for kind in kinds
            if block.line < line and (found := kind.fullmatch(block.info)) and found["file"]}


# ---- games out of parts

_ONCE = ("game", "players", "board", "pieces", "coordinates", "start", "pass", "pie", "repetition", "value", "illegal",
         "turn", "symmetry", "payoff")
_ENDS = ("win", "lose", "draw", "no")


def _declarations(text: str) -> list[tuple[tuple[str, ...], str]]:
    """The declarations of a text in order, each with its subject, such as `("move", "place")`."""
    found: list[list[str]] = []
    for row in text.split("\n"):
        if row[:1] not in ("", " ", "#", ")", "]", "}"):
            found.append([row])
        elif found:
            found[-1].append(row)
    return [(_subject(rows[0]), "\n".join(rows).rstrip("\n")) for rows in found]


def _subject(row: str) -> tuple[str, ...]:
    words = re.findall(r"\w+", row)
    if words[0] in _ENDS:
        return ("end",)
    return (words[0],) if words[0] in _ONCE else (words[0], words[1])


def completed(base: str, part: str) -> str:
    """A game in which a part's declarations replace those with the same subjects."""
    given = _declarations(part)
    subjects = {subject for subject, _ in given}
    kept = [text for subject, text in _declarations(base) if subject not in subjects]
    return "\n".join([*kept, *(text for _, text in given)]) + "\n"


def whole_text(block: Block) -> str:
    """The complete game file that a `game` block stands for."""
    part = _PART.fullmatch(block.info)
    if part is None:
        return block.text
    bases = bases_of(block.page)
    assert part["base"] in bases, f"{block}: no game is called {part['base']} on this page"
    return completed(bases[part["base"]], block.text)


def findings(text: str, *, play: bool) -> tuple[Game | None, list[Diagnostic]]:
    """The game and the diagnostics of `dslgame check`, without or with play."""
    game, found = examine(Source("the example", text))
    return game, found + try_out(game) if play and game is not None else found


# ---- the blocks run


def test_the_page_on_players_has_every_level() -> None:
    """The table has each level in the order of the records, with its limits, and each limit the levels that take it."""
    _, _, table, after, *_ = (ROOT / "docs" / "python.md").read_text().split("## Players")[1].split("\n\n")
    rows = [[cell.strip() for cell in row.strip("|").split(" | ")] for row in table.splitlines()[2:]]
    named = [re.fullmatch(r"`(\w+)( .*)?`", row[0]) for row in rows]
    assert [match[1] for match in named if match] == list(LEVELS)
    for match, (_, text) in zip(named, rows, strict=True):
        assert match
        told = re.findall(r"(\w+)=", f"{match[2] or ''} {text}")
        assert set(told) <= set(LEVELS[match[1]].limits), match[1]
    for limit in ("cpu", "threads"):
        takes = re.findall(r"`(\w+)`", after.split(f"`{limit}=")[1].split(";")[0])
        assert takes == [name for name, kind in LEVELS.items() if limit in kind.limits]


@by_place(all_blocks("game"))
def test_games_are_right_as_the_page_says(block: Block) -> None:
    """Games have no errors, whole ones no warnings; a block that announces a diagnostic has that one."""
    check_block(block, play=PLAYED_CODE.search(block.info) is not None)


@pytest.mark.slow
@by_place([block for block in all_blocks("game") if " error " not in block.info])
def test_games_play_as_the_page_says(block: Block, monkeypatch: pytest.MonkeyPatch) -> None:
    """Diagnostics by play, with a quarter of the usual work, are those that the page announces."""
    play_less(monkeypatch, 4)
    check_block(block, play=True)


PLAYED_CODE = re.compile(r" G[34]\d\d$")
"""The codes of diagnostics that are found by play."""


def check_block(block: Block, *, play: bool) -> None:
    """Compare the diagnostics of a block with what its page announces, without or with play."""
    info = _WHOLE.fullmatch(block.info) or _PART.fullmatch(block.info)
    assert info is not None, f"{block}: '{block.info}' is no kind of block, see the head of {Path(__file__).name}"
    text = whole_text(block)
    _, found = findings(text, play=play)
    said = "\n".join(render(item, Source("the example", text)) for item in found)
    if info["code"]:
        visible = f"# {info['severity']} {info['code']}" in block.text or " file " in block.info
        assert visible, f"{block}: readers do not see that this is a mistake"
        assert (info["severity"], info["code"]) in [(item.severity, item.code) for item in found], said
        assert info["severity"] == "error" or not has_errors(found), said
    else:
        unwanted = ("error", "warning") if "base" not in info.groupdict() else ("error",)
        assert not [item for item in found if item.severity in unwanted], said


@by_place([block for block in all_blocks("game") if " error " not in block.info])
def test_games_are_laid_out_as_fmt_does(block: Block) -> None:
    """Readers copy the games, so `dslgame fmt` must not change them."""
    assert format_text(block.text) == block.text


def shown_value(game: Game, text: str) -> str:
    """The value of an expression at the start of a game, as the pages write it."""
    _, world = declarations.resolve(parse(game.rules.source).file, {})
    node = parse_expression(text, Span.at(1, 1))
    assert isinstance(node, rules.Expression), node.phrase
    names = scope.Scope()
    term = expressions.ExprResolver(world, names).value(node)
    problems = [item for item in world.diagnostics if item.severity == "error"]
    if problems:
        return f"error {problems[0].code}"
    try:
        value = game.engine.evaluator.compile(term)(WorkingState(game.engine.start()), [None] * names.slots)
    except RuleError as problem:
        return f"error {problem.code}"
    if value is None:
        return "none"
    if term.sort == CELLS:
        return "{" + ", ".join(game.board.names[cell] for cell in members(value)) + "}"
    if term.sort == CELL:
        return game.board.names[value]
    if term.sort == BOOLEAN:
        return "true" if value else "false"
    if isinstance(term.sort, Integer):
        return str(value)
    names_by_sort = {"piece": [kind.name for kind in game.rules.pieces], "player": game.players,
                     "direction": game.board.directions}
    return names_by_sort[str(term.sort)][value]


@by_place(all_blocks("values"))
def test_expressions_have_the_values_that_the_page_gives(block: Block) -> None:
    """Each line `expression → value` holds at the start of the named game."""
    info = _VALUES.fullmatch(block.info)
    assert info is not None, f"{block}: '{block.info}' is no kind of block"
    game, found = examine(Source("the example", bases_of(block.page)[info["base"]]))
    assert game is not None, found
    lines = [line.split("#")[0].rstrip() for line in block.text.splitlines()]
    asked = [line.split("→")[0] for line in lines]
    actual = [f"{text}→ {shown_value(game, text.strip())}" for text in asked]
    assert actual == lines


@by_place([block for block in all_blocks("game") if " file " in block.info])
def test_a_bundled_game_on_a_page_is_the_file(block: Block) -> None:
    """A block with the file name of a bundled game is identical to that file."""
    path = ROOT / "games" / str(block.info.split(" ")[2])
    assert not path.exists() or path.read_text(encoding="utf-8") == block.text


@pytest.fixture
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Path, int], None]:
    """A function that enters a folder with the bundled games and the files that a page has told its reader to save."""

    def prepare(page: Path, line: int) -> None:
        (tmp_path / "games").symlink_to(ROOT / "games")
        monkeypatch.syspath_prepend(tmp_path)
        for name, text in files_of(page, line).items():
            (tmp_path / name).write_text(text, encoding="utf-8")
        monkeypatch.chdir(tmp_path)

    return prepare


def commands_of(block: Block) -> Iterator[tuple[str, str]]:
    """The commands of a console block, each with its output."""
    command = ""
    rows: list[str] = []
    for row in block.text.splitlines():
        if row.startswith("$ "):
            if command:
                yield command, "\n".join(rows)
            command, rows = row.removeprefix("$ "), []
        else:
            assert command, f"{block}: a console block begins with '$ dslgame ...'"
            rows.append(row)
    yield command, "\n".join(rows)


def words_of(command: str) -> tuple[list[str], str]:
    """A command's arguments after `dslgame`, and its input from `printf '...' | dslgame ...`."""
    typed, _, rest = command.rpartition(" | ")
    words = shlex.split(rest, comments=True)
    assert words[0] == "dslgame", f"only dslgame and node can be run, not {words[0]}"
    text = ""
    if typed:
        printf, text = shlex.split(typed)
        assert printf == "printf"
    return words[1:], text.replace("\\n", "\n")


def process_of(command: str) -> tuple[list[str], str]:
    """The arguments and the input of a command as a process; the test is skipped for `node` if there is none."""
    program, *words = shlex.split(command, comments=True)
    if program != "node":
        words, text = words_of(command)
        return [sys.executable, "-m", "dslgame", *words], text
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no program `node` here")
    return [node, *words], ""


def run(command: str) -> str:
    """The output and errors of a command in a process of its own."""
    words, text = process_of(command)
    done = subprocess.run(
        words, input=text, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8", timeout=120,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8", "COLUMNS": "100", "NO_COLOR": "1"},
    )
    assert done.returncode not in (2, 70), done.stdout
    return done.stdout


def run_here(command: str) -> str:
    """The output of a command in this process, which takes half the time as all modules are loaded."""
    words, text = words_of(command)
    done = CliRunner(env={"COLUMNS": "100", "NO_COLOR": "1"}).invoke(app, words, input=text, prog_name="dslgame")
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exc_info
    assert done.exit_code not in (2, 70), done.output
    return done.output


def matches(expected: str, actual: str) -> bool:
    """Whether the output matches, apart from times, sizes, trailing spaces, and lines that `...` stands for."""
    parts = [re.escape(part) for part in re.split(r"^\.\.\.\n", _plain(expected), flags=re.MULTILINE)]
    return re.fullmatch(r"(?:.*\n)*?".join(parts), _plain(actual)) is not None


def _plain(text: str) -> str:
    rows = text.strip("\n").splitlines()
    return "".join(SIZE.sub(r"0 \2", TIME.sub("0 s", row.rstrip())) + "\n" for row in rows)


@by_place([block for block in all_blocks("console") if not is_for_later(block)])
def test_commands_of_first_pages_do_so(block: Block, workplace: Callable[[Path, int], None]) -> None:
    """Commands of the first pages print what is shown, run in this process."""
    check_commands(block, workplace, run_here)


@pytest.mark.slow
@by_place(all_blocks("console"))
def test_commands_print_what_the_page_shows(block: Block, workplace: Callable[[Path, int], None]) -> None:
    """Each `$ dslgame ...` prints the lines under it; a page's first block runs in separate processes."""
    first = next(other for other in blocks_of(block.page) if other.kind == "console")
    alone = block == first or any(not _HERE.search(command) for command, _ in commands_of(block))
    check_commands(block, workplace, run if alone else run_here)


def check_commands(block: Block, workplace: Callable[[Path, int], None], run_it: Callable[[str], str]) -> None:
    """Run the commands of a block and compare what they print."""
    workplace(block.page, block.line)
    for command, expected in commands_of(block):
        actual = run_it(command)
        if not matches(expected, actual):
            assert _plain(actual) == _plain(expected), f"{block}: {command}"


@pytest.mark.parametrize("page", [
    pytest.param(page, id=page.name, marks=() if page in FIRST_PAGES else pytest.mark.slow)
    for page in PAGES if any(block.info == "python" for block in blocks_of(page))])
def test_python_prints_what_the_page_shows(page: Path, workplace: Callable[[Path, int], None]) -> None:
    """All Python examples of a page pass as one doctest."""
    workplace(page, sys.maxsize)
    globs: dict[str, object] = {}
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE, verbose=False)
    report: list[str] = []
    for block in blocks_of(page):
        if block.info == "python":
            assert ">>>" in block.text, f"{block}: no '>>>', so nothing here would be run"
            test = doctest.DocTestParser().get_doctest(block.text, globs, str(block), str(page), block.line - 1)
            runner.run(test, out=report.append, clear_globs=False)
            globs = test.globs
    assert not runner.summarize(verbose=False).failed, "".join(report)


@by_place([block for block in all_blocks("python") if block.info != "python"])
def test_python_files_have_a_name(block: Block) -> None:
    """Python files have a name and compile."""
    info = _PYTHON_FILE.fullmatch(block.info)
    assert info is not None, f"{block}: '{block.info}' is no kind of block"
    compile(block.text, info["file"], "exec")


@pytest.mark.slow
@by_place([block for block in all_blocks("python") if block.info.startswith("python file test_")])
def test_python_tests_of_pages_pass(block: Block, workplace: Callable[[Path, int], None]) -> None:
    """Tests that a page tells its reader to save pass under pytest."""
    workplace(block.page, sys.maxsize)
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", block.info.split(" ")[2]],
                          capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert done.returncode == 0, done.stdout + done.stderr


@by_place(all_blocks("javascript"))
def test_javascript_files_have_a_name_and_are_run(block: Block) -> None:
    """JavaScript files have a name, and a later block of the page runs them."""
    info = _JAVASCRIPT_FILE.fullmatch(block.info)
    assert info is not None, f"{block}: '{block.info}' is no kind of block"
    assert any(f"$ node {info['file']}\n" in later.text for later in blocks_of(block.page) if later.line > block.line)


@by_place(all_blocks("bash"))
def test_shell_blocks_have_no_syntax_errors(block: Block) -> None:
    """Shell blocks have no syntax errors, and the game files that they name exist."""
    subprocess.run(["bash", "-n"], input=block.text, text=True, check=True)
    for name in re.findall(r"\S+\.game\b", block.text):
        assert (ROOT / name).exists() or name in files_of(block.page, block.line), name


def test_every_block_is_of_a_known_kind() -> None:
    """Every info string begins with a known kind, as a misspelt one would leave the block untested."""
    known = {"game", "values", "console", "python", "javascript", "bash", "lua", "text", "json"}
    assert [str(block) for page in PAGES for block in blocks_of(page) if block.kind not in known] == []


# ---- links and lists


def _anchor(heading: str) -> str:
    """The anchor of a heading, as GitHub and other forges make it."""
    return re.sub(r"[^\w\- ]", "", heading.replace("`", "").strip().lower()).replace(" ", "-")


def _without_blocks(page: Path) -> str:
    return re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    """Every relative link names a file, and every anchor a heading in it."""
    prose = re.sub(r"`[^`\n]*`", "", _without_blocks(page))
    for target in re.findall(r"\]\(([^)\s]+)\)", prose):
        if "://" in target:
            continue
        name, _, anchor = target.partition("#")
        path = (page.parent / name) if name else page
        assert path.exists(), f"{page.name} links to {target}"
        if anchor:
            headings = re.findall(r"^#+ (.*)$", _without_blocks(path), flags=re.MULTILINE)
            assert anchor in map(_anchor, headings), f"{page.name} links to {target}"


def test_every_page_is_linked_from_the_readme() -> None:
    """README.md links to every page of docs/."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in PAGES if page.parent == ROOT / "docs" and f"(docs/{page.name})" not in readme] == []


def _first_cells(text: str) -> list[str]:
    """The first cells of all table rows that begin with code, without backticks."""
    return [row.split("|")[1].strip().strip("`") for row in text.splitlines() if row.startswith("| `")]


def test_readme_lists_every_command() -> None:
    """Every command has a row in README.md."""
    from dslgame.cli.app import app

    listed = set(_first_cells((ROOT / "README.md").read_text(encoding="utf-8")))
    assert {f"dslgame {name}" for name in app.commands} - listed == set()


def test_readme_and_help_have_the_same_groups() -> None:
    """README.md has the groups of `dslgame.cli.app`, with the same commands in the same order."""
    from dslgame.cli.app import GROUPS, app

    assert sorted(name for group in GROUPS.values() for name in group) == sorted(app.commands)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for title, names in GROUPS.items():
        _, _, rows = text.partition(f"| {title} | |\n")
        assert [cell.removeprefix("dslgame ") for cell in _first_cells(rows.partition("\n\n")[0])] == list(names)


def test_every_bundled_game_is_listed() -> None:
    """Every bundled game is listed on docs/games.md, which README.md links to."""
    from dslgame import bundled

    page = ROOT / "docs" / "games.md"
    text = page.read_text(encoding="utf-8") if page.exists() else (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(bundled.names()) - set(_first_cells(text)) == set()
    assert "(docs/games.md)" in (ROOT / "README.md").read_text(encoding="utf-8") or not page.exists()


def test_readme_lists_folders_that_exist() -> None:
    """The folders that README.md lists exist and are not empty."""
    folders = re.findall(r"`(\w+)/`", "".join(re.findall(r"^\| `.*?\|", (ROOT / "README.md").read_text("utf-8"), re.M)))
    assert folders
    assert [folder for folder in folders if not any((ROOT / folder).glob("*"))] == []


def test_changelog_begins_with_this_version() -> None:
    """The newest section of the changelog is about the version in the code."""
    headings = re.findall(r"^## \[?([\d.]+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    assert headings[0] == dslgame.__version__


@pytest.fixture
def script(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """A function that imports a script of docs/."""
    monkeypatch.syspath_prepend(str(ROOT / "docs"))
    return import_module


@pytest.mark.parametrize("name", ["cheat_sheet", "comparison", "diagnostics", "games",
                                  pytest.param("gallery", marks=pytest.mark.slow)])
def test_a_page_that_is_written_by_a_script_is_up_to_date(name: str, script: Callable[[str], ModuleType]) -> None:
    """A generated page equals the current output of its script."""
    made = script(f"make_{name}")
    assert made.PAGE.read_text(encoding="utf-8") == made.page_text(), f"run: python docs/make_{name}.py"


@pytest.mark.slow
def test_pictures_of_the_gallery_are_up_to_date(script: Callable[[str], ModuleType]) -> None:
    """The gallery has one up-to-date picture for each bundled game."""
    from dslgame import bundled

    gallery = script("make_gallery")
    names = sorted(path.stem for path in (ROOT / "docs" / "gallery").glob("*.svg"))
    assert names == sorted(bundled.names())
    changed = [name for name in names
               if (ROOT / "docs" / "gallery" / f"{name}.svg").read_text(encoding="utf-8") != gallery.picture_of(name)]
    assert not changed, "run: python docs/make_gallery.py"


def test_cheat_sheet_has_every_word(script: Callable[[str], ModuleType]) -> None:
    """The cheat sheet has every word of the grammar, the functions, the names and the boards."""
    text = script("make_cheat_sheet").page_text()
    words = set(re.findall(r"\w+", " ".join(re.findall(r"`([^`\n]+)`", text))))
    wanted = {word for word in grammar.spellings().values() if word.isalpha()} | {*grammar.DECLARATIONS, *CALLED}
    wanted |= {*scope.BUILTIN_VALUES, *presentation.COLOURS, *presentation.SHAPES, *presentation.CELLS}
    for kind in KINDS.values():
        wanted |= {*kind.directions, *kind.direction_sets, *kind.regions, *kind.word.split()}
    assert sorted(wanted - words) == []


def test_every_count_has_a_source(script: Callable[[str], ModuleType]) -> None:
    """Every perft file names its sources in words that docs/make_games.py knows."""
    games = script("make_games").games()
    assert [name for name, game in games.items() if game.perft.exists() and not game.sources()] == []


# ---- the language book is complete


def _book() -> str:
    return BOOK.read_text(encoding="utf-8")


def _quoted(text: str) -> set[str]:
    """The texts in backticks, with single spaces."""
    return {ONE_SPACE.sub(" ", found) for found in re.findall(r"`([^`\n]+)`", text)}


@lru_cache
def _rule_objects() -> tuple[rules.Node, ...]:
    """All rule objects in the book's examples, apart from those that show errors."""
    found: list[rules.Node] = []
    for block in blocks_of(BOOK):
        if block.kind == "game" and " error " not in block.info:
            for declaration in parse(Source("the example", whole_text(block))).file.declarations:
                found += rules.walk(declaration)
        elif block.kind == "values":
            for line in block.text.splitlines():
                node = parse_expression(line.split("→")[0].strip(), Span.at(1, 1)) if "→" in line else None
                found += rules.walk(node) if isinstance(node, rules.Node) else []
    return tuple(found)


def _section(heading: str) -> str:
    """The part of the book under a heading, up to the next heading of its level or a higher one."""
    rows = _without_fences(_book()).split("\n")
    start = next(number for number, row in enumerate(rows) if re.match(rf"#+ .*{re.escape(heading)}", row))
    level = len(rows[start]) - len(rows[start].lstrip("#"))
    later = range(start + 1, len(rows))
    stop = next((number for number in later if re.match(rf"#{{1,{level}}} ", rows[number])), len(rows))
    return "\n".join(rows[start:stop])


def _without_fences(text: str) -> str:
    """The text with the lines in fenced blocks indented, so that only headings begin with `#`."""
    inside = False
    rows = []
    for row in text.split("\n"):
        inside ^= row.startswith("```")
        rows.append(" " + row if inside else row)
    return "\n".join(rows)


def _concrete(base: type[rules.Node]) -> Iterator[type[rules.Node]]:
    for kind in base.__subclasses__():
        yield from _concrete(kind)
        if not kind.__subclasses__():
            yield kind


def test_book_has_an_example_of_every_construct() -> None:
    """Every class of rule object occurs in an example."""
    shown = {type(node) for node in _rule_objects()}
    ours = [kind for kind in _concrete(rules.Node) if kind.__module__ == rules.__name__]
    assert sorted(kind.__name__ for kind in ours if kind not in shown) == []


def test_chapter_on_patterns_has_an_example_of_every_construct() -> None:
    """Every class of rule object that only patterns have occurs in an example."""
    shown = set()
    for block in blocks_of(ROOT / "docs" / "patterns.md"):
        if re.fullmatch(r"text file \S+\.pattern", block.info):
            for line in parse_patterns(Source("the example", block.text)).file.lines:
                shown |= {type(node) for node in rules.walk(line)}
    ours = [kind for kind in _concrete(rules.Node) if kind.__module__ == pattern_rules.__name__]
    assert sorted(kind.__name__ for kind in ours if kind not in shown) == []


def test_book_has_an_example_of_every_declaration() -> None:
    """Every word that can begin a declaration begins one in an example."""
    begun = {row.split(" ")[0].rstrip(":") for block in blocks_of(BOOK) if block.kind == "game"
             for row in block.text.split("\n") if row[:1].isalpha()}
    assert [word for word in grammar.DECLARATIONS if word not in begun] == []


def test_book_has_an_example_of_every_keyword() -> None:
    """Every keyword of the grammar occurs in an example."""
    keywords = {text for text in grammar.spellings().values() if text.isalpha()}
    code = " ".join(block.text for block in blocks_of(BOOK) if block.kind in ("game", "values"))
    assert sorted(keywords - set(re.findall(r"\w+", code))) == []


def test_book_has_an_example_of_every_operator_and_quantifier() -> None:
    """Every operator, comparison and quantifier occurs in an example."""
    nodes = _rule_objects()
    used = {node.operator for node in nodes if isinstance(node, (rules.Arithmetic, rules.Compare, rules.Change))}
    used |= {node.kind for node in nodes if isinstance(node, (rules.Quantifier, rules.SetTest, rules.End))}
    wanted = {"+", "-", "*", "div", "mod", "=", "!=", "<", "<=", ">", ">=", "+=", "-="}
    wanted |= {"some", "no", "every", "exactly", "at least", "at most", "win", "lose", "draw"}
    assert wanted - used == set()


def test_book_has_an_example_of_every_result() -> None:
    """`no moves` and `repetition` occur with each of their results, and variables with each kind of index."""
    nodes = _rule_objects()
    results = {("no moves", node.result.text) for node in nodes if isinstance(node, rules.NoMovesRule)}
    results |= {("repetition", node.result.text) for node in nodes if isinstance(node, rules.Repetition)}
    wanted = {("no moves", word) for word in declarations._NO_MOVES}
    wanted |= {("repetition", word) for word in declarations._REPETITION}
    assert wanted - results == set()
    assert {node.anyone for node in nodes if isinstance(node, rules.NoMoves)} == {True, False}
    indexes = {node.index.text for node in nodes if isinstance(node, rules.Variable) and node.index is not None}
    assert set(indices.INDICES) - indexes == set()


def test_book_explains_every_function() -> None:
    """Each function has its call in the section on functions and is used in an example."""
    quoted = _quoted(_section("Functions"))
    called = {node.name.text for node in _rule_objects() if isinstance(node, rules.Call)}
    for name, function in CALLED.items():
        for call in function.example.split(" or "):
            assert call in quoted, f"'{call}' is not in the section on functions"
        assert name in called, f"no example calls '{name}'"


def test_book_explains_every_name_that_games_have() -> None:
    """The book explains `empty`, `mine`, `mover` and other built-in names, and the colours."""
    quoted = _quoted(_book())
    assert [name for name in (*scope.BUILTIN_VALUES, *presentation.COLOURS) if name not in quoted] == []


@pytest.mark.parametrize("kind", KINDS)
def test_book_explains_every_word_of_a_board(kind: str) -> None:
    """The directions, sets of directions, regions and symmetries are named in the board's section."""
    words = KINDS[kind]
    quoted = _quoted(_section(f"`board {kind}"))
    wanted = [*words.directions, *words.direction_sets, *words.regions, *words.symmetries]
    assert [word for word in wanted if word not in quoted] == []


def test_book_explains_every_board_with_a_game_on_it() -> None:
    """Every kind of board, apart from `graph`, is used in an example."""
    used = {" ".join(word.text for word in node.words) for node in _rule_objects() if isinstance(node, rules.Board)}
    used |= {"graph"}
    assert set(KINDS) - used == set()


def test_a_part_takes_the_place_of_what_it_is_about() -> None:
    """A part's declarations replace those with the same subjects."""
    base = 'game "A"\nmove a:\n    x := 1\nmove b:\n    x := 2\nwin mover when x = 1\nno moves draws\n'
    part = "move b:\n    x := 3\ndraw when x = 3\n"
    assert completed(base, part) == 'game "A"\nmove a:\n    x := 1\nmove b:\n    x := 3\ndraw when x = 3\n'


@pytest.mark.parametrize(("expected", "actual", "same"), [
    ("a\nb", "a\nb\n", True),
    ("a\n...\nd", "a\nb\nc\nd\n", True),
    ("a\n...\nd", "a\nb\nc\n", False),
    ("solved in 0.01 s", "solved in 2 s", True),
    ("7 positions", "8 positions", False),
])
def test_output_is_compared_but_for_times_and_gaps(expected: str, actual: str, same: bool) -> None:
    """`...` and times match, and nothing else differs."""
    assert matches(expected, actual) is same


def test_rules_alone_have_no_definitions_that_only_other_declarations_use() -> None:
    """Definitions that only other declarations use are left out with their further lines; those that rules use stay."""
    module = import_module("docs.make_comparison")
    text = ("players X, O\ndefine a = top\ndefine b = count(a)  # of c\ndefine c = count(b)\n    + count(d)\n"
            "define d = left\nmove place(k in a):\n    k := own\nvalue c\n    - 1\n")
    assert module.rules_alone(text) == "players X, O\ndefine a = top\nmove place(k in a):\n    k := own\n"

"""docs/extending.md and the glossary are true: all files, names and commits that they mention exist."""

from __future__ import annotations

import ast
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "extending.md"
PACKAGES = ("dsl", "interpreter", "solver", "dslgame", "tests", "docs")
RECIPES = ("A new word", "A board", "A diagnostic", "A game", "A reference implementation", "A claim about every game",
           "A hook", "A protocol", "A command", "A method of solving")
"""Sections that name a commit."""
_CODE = re.compile(r"`([^`\n]+)`")
_FENCED = re.compile(r"^```.*?^```\n", re.MULTILINE | re.DOTALL)
_PATH = re.compile(r"[\w.]+(?:/[\w.]+)*/?")
_SUFFIXES = (".py", ".lark", ".toml", ".md", ".game", ".perft")
_NAME = re.compile(r"_?[A-Z][A-Za-z0-9_]*|[a-z]+(?:_[a-z]+)+")
_EXAMPLES = re.compile(r"^Examples?: (.*?)\.$", re.MULTILINE | re.DOTALL)
_COMMIT = re.compile(r"`([0-9a-f]{7,12})` (.+?)(?=; `|$)", re.DOTALL)


def text() -> str:
    """The page without its fenced blocks, which other tests run."""
    return _FENCED.sub("", PAGE.read_text(encoding="utf-8"))


def blocks() -> list[str]:
    """The page's paragraphs and list items, each of which is about one thing."""
    return [block.strip() for block in re.split(r"\n\n|\n(?=\d+\. |- |\| )", text()) if block.strip()]


def is_path(code: str) -> bool:
    """Whether a piece of code on the page is a file or folder."""
    return bool(_PATH.fullmatch(code)) and (code.endswith(("/", *_SUFFIXES)) and code not in _SUFFIXES)


def place(code: str, folders: list[str]) -> Path | None:
    """The path of a file or folder, from the root or in one of the given folders; None if there is none."""
    for folder in ("", *folders):
        if (ROOT / folder / code).exists():
            return ROOT / folder / code
    return None


@cache
def source(path: Path) -> str:
    """A module's text, kept in memory; a module is parsed only where a name occurs in it."""
    return path.read_text(encoding="utf-8")


@cache
def defined(path: Path) -> frozenset[str]:
    """The names that a module defines, also within its classes."""
    found = set[str]()
    for node in ast.walk(ast.parse(source(path))):
        match node:
            case ast.FunctionDef() | ast.ClassDef() | ast.AsyncFunctionDef():
                found.add(node.name)
            case ast.Name(ctx=ast.Store()):
                found.add(node.id)
    return frozenset(found)


def modules(paths: list[Path]) -> list[Path]:
    """The Python files among the given files and folders."""
    found = [file for path in paths for file in (path.rglob("*.py") if path.is_dir() else [path])]
    return [file for file in found if file.suffix == ".py"]


def problems() -> list[str]:
    """Files and names that the page mentions but the repository lacks."""
    found = []
    for block in blocks():
        codes = _CODE.findall(block)
        folders = [code for code in codes if is_path(code) and code.endswith("/")]
        paths = []
        for code in filter(is_path, codes):
            there = place(code, folders)
            if there is None:
                found.append(f"there is no {code}")
            else:
                paths.append(there)
        files = modules(paths) or modules([ROOT / name for name in PACKAGES])
        for code in codes:
            name = code.removesuffix("()").partition("(")[0]
            if not _NAME.fullmatch(name) or is_path(code) or name in ("True", "False", "None"):
                continue
            if not any(name in source(file) and name in defined(file) for file in files):
                found.append(f"nothing is called {name} in {', '.join(map(str, paths)) or 'any package'}")
    return found


def test_every_file_and_name_is_there() -> None:
    """Files exist from the root or in a folder of the same paragraph, and names in the files of the same paragraph."""
    assert problems() == []


@pytest.mark.parametrize(("line", "problem"), [
    ("`_APPLY` in `interpreter/semantics/evaluate.py`: what it does.", "nothing is called _APPLY in "),
    ("`dsl/nowhere.py`: its sort.", "there is no dsl/nowhere.py"),
    ("`interpreter/`: an expression in `evaluate.py`.", "there is no evaluate.py"),
])
def test_what_is_not_there_is_found(line: str, problem: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Wrong statements, which the page once had, are found."""
    page = tmp_path / "page.md"
    page.write_text(line)
    monkeypatch.setattr("tests.project.test_extending.PAGE", page)
    assert [found[:len(problem)] for found in problems()] == [problem]


def test_recipes_name_commits_that_are_there() -> None:
    """Each recipe names commits by hash and subject that exist."""
    if not (ROOT / ".git").exists():
        pytest.skip("not a clone")
    sections = dict(part.partition("\n")[::2] for part in re.split(r"^## ", text(), flags=re.MULTILINE))
    for name in RECIPES:
        commits = [commit for examples in _EXAMPLES.findall(sections[name]) for commit in _COMMIT.findall(examples)]
        assert commits, f"'{name}' names no commit"
        for commit, subject in commits:
            log = subprocess.run(["git", "log", "-1", "--format=%s", commit], cwd=ROOT, capture_output=True, text=True)
            if log.returncode and Path(ROOT / ".git/shallow").exists():
                pytest.skip("a shallow clone")
            there = log.stdout.strip()
            assert there, f"there is no commit {commit}"
            assert " ".join(subject.split()).startswith(there), f"{commit} is '{there}'"


def test_every_file_of_the_glossary_is_there() -> None:
    """Each entry of the glossary names one existing module."""
    rows = [line for line in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
            if line.startswith("| **")]
    places = [_CODE.findall(row.rsplit("|", 2)[1]) for row in rows]
    assert len(rows) > 30
    assert [row for row, found in zip(rows, places, strict=True) if len(found) != 1] == []
    assert [place for found in places for place in found if not (ROOT / place).exists()] == []

"""Highlighting outside the server, and the folder editors/: all derived from one vocabulary.

The VS Code grammar is tested with VS Code's own engine if npm can install it, Neovim is run if installed.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

pytest.importorskip("pygments")
from pygments.token import Error

from dslgame import bundled
from dslgame.editing import grammars, vocabulary
from dslgame.editing.document import GameDocument
from dslgame.editing.lexer import TokenKind
from dslgame.editing.pygments_lexer import GameLexer, PatternLexer

ROOT = Path(__file__).parents[2]
EDITORS = ROOT / "editors"
GAMES = [bundled.path_of(name) for name in bundled.names()]
NEEDED = ("vscode-textmate", "vscode-oniguruma")


def test_pygments_gives_every_character_back() -> None:
    """The tokens of bundled games and patterns add up to the text, and none is an error."""
    for path in (*GAMES[::11], *sorted(bundled.PATTERNS.glob("*.pattern"))):
        text = path.read_text(encoding="utf-8")
        lexer = GameLexer() if path.suffix == ".game" else PatternLexer()
        found = list(lexer.get_tokens(text))
        assert "".join(value for _, value in found) == text
        if path.suffix == ".game":
            assert not [value for kind, value in found if kind is Error], path.name


def test_pygments_knows_the_words() -> None:
    """A word's token depends on its place: a declaration, a function, a name of the language, or a name of the game."""
    found = {(value, str(kind)) for kind, value in GameLexer().get_tokens("players X\nwin X when line(mine, 3)\n")}
    assert {("players", "Token.Keyword.Declaration"), ("X", "Token.Name"), ("line", "Token.Name.Builtin"),
            ("mine", "Token.Name.Builtin.Pseudo"), ("when", "Token.Keyword")} <= found


def test_lexers_are_entry_points() -> None:
    """pyproject.toml names both lexers, so that Sphinx, MkDocs and Jupyter find them."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    named = set(project["entry-points"]["pygments.lexers"].values())
    assert named == {f"{kind.__module__}:{kind.__name__}" for kind in (GameLexer, PatternLexer)}


@pytest.mark.parametrize("patterns", [False, True], ids=["game", "pattern"])
def test_textmate_grammar_has_every_word(patterns: bool) -> None:
    """Each keyword and each name of the language occurs in some pattern of the grammar."""
    text = json.dumps(grammars.textmate(patterns=patterns))
    keywords = vocabulary.pattern_keywords() if patterns else vocabulary.keywords()
    looks = {word for word, kind in vocabulary.names().items()
             if patterns and kind in (vocabulary.WordClass.LOOK, vocabulary.WordClass.BOARD)}
    lacking = [word for word in {*keywords, *vocabulary.names()} - looks
               if not re.search(rf"(?<![a-z_]){word}(?![a-z_])", text)]
    assert lacking == []


def test_vim_syntax_has_every_word() -> None:
    """The same for Vim's syntax file."""
    text = grammars.vim()
    words = {*vocabulary.keywords(), *vocabulary.names()}
    assert [word for word in words if not re.search(rf"(?<![a-z_]){word}(?![a-z_])", text)] == []


def test_grammars_are_printed() -> None:
    """`python -m dslgame.editing.grammars FORMAT` prints a grammar; an unknown format is wrong use."""
    for form in grammars.FORMATS:
        done = run_grammars(form)
        assert done.returncode == 0, done.stderr
        assert done.stdout
    assert run_grammars("nothing").returncode == 2


def run_grammars(form: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "dslgame.editing.grammars", form], cwd=ROOT, capture_output=True,
                          text=True)


# ---- VS Code


def test_extension_names_files_that_there_are() -> None:
    """Every path in package.json is a file, or is written when packaging."""
    package = json.loads((EDITORS / "vscode" / "package.json").read_text(encoding="utf-8"))
    contributes = package["contributes"]
    paths = [package["main"], *(item["path"] for item in (*contributes["grammars"], *contributes["snippets"])),
             *(item["configuration"] for item in contributes["languages"])]
    builder = (EDITORS / "vscode" / "package.js").read_text(encoding="utf-8")
    there = [path for path in paths if (EDITORS / "vscode" / path).is_file() or Path(path).name in builder]
    assert there == paths
    assert {item["scopeName"] for item in contributes["grammars"]} == {
        grammar["scopeName"] for grammar in (grammars.textmate(), grammars.textmate(patterns=True),
                                             grammars.injection())}


def test_snippets_are_right() -> None:
    """Each snippet, with its placeholders filled by their defaults, is accepted by the language."""
    snippets = json.loads((EDITORS / "vscode" / "snippets.json").read_text(encoding="utf-8"))
    head = 'game "T"\nplayers X, O\nboard square(3, 3)\npieces x of X, o of O\n'
    for name, snippet in snippets.items():
        body = "\n".join(snippet["body"])
        given = dict(re.findall(r"\$\{(\d+):([^{}$]+)\}", body))
        for _ in range(3):
            body = re.sub(r"\$\{\d+:((?:[^{}]|\$\d)*)\}", r"\1", body)
            for number, default in given.items():
                body = body.replace(f"${number}", default)
        body = body.replace("$0", "")
        rest = "move place(c in empty):\n    c := own\ndraw when no empty\n"
        text = body if snippet["prefix"] == "game" else head + rest + body
        found = GameDocument(text + "\n").diagnostics
        assert [item.phrase for item in found if item.severity == "error"] == [], name


@pytest.fixture(scope="module")
def modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with VS Code's grammar engine, from npm."""
    if shutil.which("npm") is None or shutil.which("node") is None:
        pytest.skip("needs Node")
    folder = tmp_path_factory.mktemp("npm")
    done = subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund", *NEEDED], cwd=folder,
                          capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip("npm has no packages here")
    return folder


@pytest.mark.slow
def test_textmate_colours_are_those_of_the_lexer(modules: Path, tmp_path: Path) -> None:
    """Every word of every bundled game has the same colour."""
    grammar = tmp_path / "grammar.json"
    grammar.write_text(json.dumps(grammars.textmate()), encoding="utf-8")
    texts = [path.read_text(encoding="utf-8") for path in GAMES]
    with (tmp_path / "tokens").open("w+", encoding="utf-8") as stream:
        subprocess.run(["node", ROOT / "tests" / "editing" / "tokenise.mjs", modules, grammar, "source.dslgame"],
                       input=json.dumps(texts), stdout=stream, text=True, check=True)
        stream.seek(0)
        tokens = json.load(stream)
    for path, text, own in zip(GAMES, texts, tokens, strict=True):
        scopes = {(line, column + shift): scope for line, column, word, scope in own for shift in range(len(word))}
        for token in GameDocument(text).lexemes:
            if token.kind is TokenKind.WORD:
                scope = scopes[token.line, token.column]
                expected = "variable.other" if token.word is None else grammars._SCOPES[token.word]
                kept = scope.startswith(expected) or {scope.rpartition(".")[0], expected} <= {
                    "keyword.declaration", "keyword.control", "keyword.other"}
                assert kept, f"{path.name}:{token.line}:{token.column} {token.text}: {scope}, expected {expected}"


@pytest.mark.slow
def test_extension_is_packaged_by_one_command(tmp_path: Path) -> None:
    """`npm install && npm run package` builds the extension file, with the grammars in it."""
    if shutil.which("npm") is None:
        pytest.skip("needs Node")
    repository = tmp_path / "repository"
    shutil.copytree(EDITORS / "vscode", repository / "editors" / "vscode",
                    ignore=shutil.ignore_patterns("node_modules", "syntaxes"))
    shutil.copy(ROOT / "LICENSE", repository / "LICENSE")
    folder = repository / "editors" / "vscode"
    if subprocess.run(["npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder,
                      capture_output=True).returncode != 0:
        pytest.skip("npm has no packages here")
    environment = {**os.environ, "PYTHON": sys.executable, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(["npm", "run", "package"], cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stdout + done.stderr
    import zipfile

    with zipfile.ZipFile(folder / "dslgame.vsix") as archive:
        names = set(archive.namelist())
    assert {"extension/extension.js", "extension/syntaxes/dslgame.json", "extension/syntaxes/markdown.json",
            "extension/snippets.json"} <= names
    assert any(name.startswith("extension/node_modules/vscode-languageclient/") for name in names)


@pytest.mark.skipif(shutil.which("node") is None, reason="needs Node")
def test_extension_is_javascript() -> None:
    """Node can parse both scripts."""
    for name in ("extension.js", "package.js"):
        done = subprocess.run(["node", "--check", EDITORS / "vscode" / name], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr


# ---- other editors

BROKEN = """game "T"
players X, O
board square(3, 3)
pieces x of X, o of O
move place(c in emty):
    c := own
"""
COMMAND = "from dslgame.__main__ import main; main()"
"""Python code that runs the command of this checkout."""

@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvim") is None, reason="needs Neovim")
def test_neovim_shows_mistakes(tmp_path: Path) -> None:
    """Headless Neovim with our configuration starts the server and receives its diagnostics."""
    game = tmp_path / "broken.game"
    game.write_text(BROKEN, encoding="utf-8")
    before = tmp_path / "before.lua"
    command = f"{json.dumps(sys.executable)}, '-c', {json.dumps(COMMAND)}, 'lsp'"
    before.write_text(f"vim.g.dslgame_command = {{ {command} }}\n"
                      f"dofile({json.dumps(str(EDITORS / 'neovim' / 'dslgame.lua'))})\n", encoding="utf-8")
    after = tmp_path / "after.lua"
    after.write_text("vim.wait(60000, function() return #vim.diagnostic.get(0) > 0 end)\n"
                     "for _, item in ipairs(vim.diagnostic.get(0)) do io.stdout:write(item.lnum .. ' ' .. "
                     "item.message .. '\\n') end\nvim.cmd('qall!')\n", encoding="utf-8")
    done = subprocess.run(["nvim", "--clean", "--headless", "--cmd", f"luafile {before}", str(game),
                           "-c", f"luafile {after}"], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PYTHONPATH": str(ROOT)})
    assert "4 unknown name 'emty'" in done.stdout, done.stdout + done.stderr


def emacs_with_eglot() -> bool:
    """Whether Emacs is installed with eglot, which is part of Emacs 29 and was a package before."""
    return shutil.which("emacs") is not None and subprocess.run(
        ["emacs", "--batch", "--eval", "(progn (package-initialize) (require 'eglot))"], capture_output=True,
        timeout=60).returncode == 0


@pytest.mark.slow
def test_emacs_shows_mistakes(tmp_path: Path) -> None:
    """Headless Emacs with our mode: eglot starts the server, and Flymake receives its diagnostics."""
    if not emacs_with_eglot():
        pytest.skip("needs Emacs with eglot")
    game = tmp_path / "broken.game"
    game.write_text(BROKEN, encoding="utf-8")
    program = tmp_path / "dslgame"
    program.write_text(f"#!/bin/sh\nPYTHONPATH={ROOT} exec {sys.executable} -c '{COMMAND}' \"$@\"\n", encoding="utf-8")
    program.chmod(0o755)
    script = tmp_path / "drive.el"
    script.write_text(f"""
(package-initialize)
(add-to-list 'load-path {json.dumps(str(EDITORS / 'emacs'))})
(require 'dslgame-mode)
(require 'flymake)
(find-file {json.dumps(str(game))})
(call-interactively #'eglot)
(flymake-start)
(with-timeout (60) (while (null (flymake-diagnostics)) (accept-process-output nil 0.1) (sit-for 0.05)))
(dolist (item (flymake-diagnostics)) (message "%s" (flymake-diagnostic-text item)))
""", encoding="utf-8")
    done = subprocess.run(["emacs", "--batch", "--load", script], capture_output=True, text=True, timeout=120,
                          env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"})
    assert "unknown name 'emty'" in done.stderr, done.stdout + done.stderr


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("vim") is None, reason="needs Vim")
def test_vim_reads_the_syntax_file(tmp_path: Path) -> None:
    """Vim highlights a game with the generated file, without errors."""
    syntax = tmp_path / "dslgame.vim"
    syntax.write_text(grammars.vim(), encoding="utf-8")
    game = tmp_path / "t.game"
    game.write_text("win X when line(mine, 3)\n", encoding="utf-8")
    result = tmp_path / "result"
    asked = (f"echo synIDattr(synID(1, {column}, 1), 'name')" for column in (1, 7, 12, 17, 23))
    commands = ["syntax on", f"source {syntax}", f"redir! > {result}", *asked, "redir END", "qa!"]
    subprocess.run(["vim", "-u", "NONE", "-es", *(part for line in commands for part in ("-c", line)), str(game)],
                   timeout=60, stdin=subprocess.DEVNULL, capture_output=True)
    assert result.read_text().split() == ["dslgameDeclaration", "dslgameKeyword", "dslgameFunction", "dslgameName",
                                          "dslgameNumber"]


def test_configurations_start_the_server() -> None:
    """Each editor's configuration runs `dslgame lsp` for .game files."""
    helix = tomllib.loads((EDITORS / "helix" / "languages.toml").read_text(encoding="utf-8"))
    assert helix["language-server"]["dslgame"] == {"command": "dslgame", "args": ["lsp"]}
    for path in ("neovim/dslgame.lua", "emacs/dslgame-mode.el", "vim/README.md"):
        text = (EDITORS / path).read_text(encoding="utf-8")
        assert "lsp" in text
        assert "game" in text

"""The tree-sitter grammars: the generated files and, if tree-sitter is installed, the parsers built from them.

Tests of built parsers need `tree-sitter generate` (Debian's or npm's tree-sitter-cli, or Cargo's), a C compiler and
the package tree_sitter. TREE_SITTER names another program.
"""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from dsl.syntax.parser import parse
from dsl.syntax.source import Source
from dslgame import bundled
from dslgame.editing import treesitter, vocabulary
from dslgame.editing.document import GameDocument
from dslgame.editing.highlight import Highlight, highlights, pattern_highlights

if TYPE_CHECKING:
    from tree_sitter import Language, Node, Tree

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "editors" / "tree-sitter"
TREE_SITTER = os.environ.get("TREE_SITTER", "tree-sitter")
GAMES = [bundled.path_of(name) for name in bundled.names()]
PATTERNS = sorted(bundled.PATTERNS.glob("*.pattern"))


@pytest.mark.parametrize("language", treesitter.LANGUAGES)
def test_grammar_has_every_keyword(language: str) -> None:
    """The grammar has exactly the words of the vocabulary."""
    keywords = vocabulary.keywords() if language == treesitter.GAME else vocabulary.pattern_keywords()
    words = {word for literal in treesitter.grammar(language).literals for word in re.findall(r"\w+", literal)}
    assert words == set(keywords)


@pytest.mark.parametrize("language", treesitter.LANGUAGES)
def test_queries_name_what_there_is(language: str) -> None:
    """Every node and every word in a query belongs to the grammar."""
    grammar = treesitter.grammar(language)
    for name, text in treesitter.queries(language).items():
        asked = re.sub(r"\(#any-of\?[^)]*\)", "", text)
        assert set(re.findall(r"\((\w+)", asked)) <= grammar.nodes, name
        listed = set(re.findall(r'"((?:[^"\\]|\\.)+)"', asked))
        assert listed <= grammar.literals, name
        if name == "highlights.scm":
            assert listed == grammar.literals


def test_grammars_are_written(tmp_path: Path) -> None:
    """`build.py --only-write` writes the files that `tree-sitter generate` and editors read."""
    subprocess.run([sys.executable, FOLDER / "build.py", "--only-write", "--to", tmp_path], check=True,
                   capture_output=True)
    for language in treesitter.LANGUAGES:
        there = {str(path.relative_to(tmp_path / language)) for path in (tmp_path / language).rglob("*.*")}
        assert {"grammar.js", "tree-sitter.json", "src/scanner.c", "src/words.h", "queries/highlights.scm",
                "queries/folds.scm"} <= there


# ---- built


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with both parsers and their queries."""
    for program in (TREE_SITTER, "cc"):
        if shutil.which(program) is None:
            pytest.skip(f"needs the program {program}")
    pytest.importorskip("tree_sitter", reason="needs the package tree_sitter")
    folder = tmp_path_factory.mktemp("tree-sitter")
    done = subprocess.run([sys.executable, FOLDER / "build.py", "--to", folder], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


def load(built: Path, language: str) -> Language:
    from tree_sitter import Language

    function = getattr(ctypes.CDLL(str(built / language / "parser.so")), f"tree_sitter_{language}")
    function.restype = ctypes.c_void_p
    capsule = ctypes.pythonapi.PyCapsule_New
    capsule.restype, capsule.argtypes = ctypes.py_object, (ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p)
    return Language(capsule(function(), b"tree_sitter.Language", None))


def tree_of(language: Language, text: str) -> Tree:
    from tree_sitter import Parser

    return Parser(language).parse(text.encode())


def mistakes(node: Node) -> Iterator[Node]:
    """The error and missing nodes of a tree."""
    if node.is_error or node.is_missing:
        yield node
    for child in node.children:
        if child.has_error:
            yield from mistakes(child)


@pytest.mark.slow
def test_bundled_files_have_no_error_nodes(built: Path) -> None:
    """Each declaration of the parser is one node."""
    language = load(built, treesitter.GAME)
    for path in GAMES:
        text = path.read_text(encoding="utf-8")
        root = tree_of(language, text).root_node
        assert [str(node.start_point) for node in mistakes(root)] == [], path.name
        found = [node.start_point[0] + 1 for node in root.named_children if node.type != "comment"]
        assert found == [item.span.line for item in parse(Source(path.name, text)).file.declarations], path.name
    language = load(built, treesitter.PATTERN)
    for path in PATTERNS:
        root = tree_of(language, path.read_text(encoding="utf-8")).root_node
        assert [str(node.start_point) for node in mistakes(root)] == [], path.name


@pytest.mark.slow
def test_mistake_spoils_one_declaration(built: Path) -> None:
    """Declarations after a wrong line are parsed."""
    text = 'game "T"\nplayers X, O\nmove place(c in):\n    c := own\nwin X when line(mine, 3)\n'
    root = tree_of(load(built, treesitter.GAME), text).root_node
    assert list(mistakes(root))
    assert {"game_title", "players", "end"} <= {node.type for node in root.named_children}


@pytest.mark.slow
def test_lines_go_on(built: Path) -> None:
    """A line continues inside brackets, or by its first or last word, as in the parser."""
    text = ('move a(c in empty\n       where some d in x:\n           d is c):  # why\n    if a\n            and b:\n'
            "        d := e +\n            1\n\n# between\n    else:\n        f := 1\n      \nvalue 1\n    + 2\n")
    root = tree_of(load(built, treesitter.GAME), text).root_node
    assert not root.has_error
    assert [node.type for node in root.named_children if node.type != "comment"] == ["move_rule", "value"]


COLOURS = {"comment": {"comment"}, "string": {"string"}, "operator": {"operator", "punctuation.bracket",
           "punctuation.delimiter"}, "number": {"number"}, "keyword": {"keyword", "constant.builtin"},
           "type": {"type.builtin"}, "decorator": {"constant.builtin"}, "function": {"function.builtin"}}
"""The colours here that correspond to each token type of the server."""
OF_THE_LANGUAGE = {"function": {"function.builtin", "variable.builtin"}, "type": {"type.builtin"},
                   "variable": {"function.builtin", "variable.builtin"}}
FOR_NAMES = {"variable", "constant", "type", "property", "function", "function.method"}


def agrees(token: Highlight, word: str, colour: str) -> bool:
    """Whether a colour corresponds to the server's token."""
    if "defaultLibrary" in token.modifiers:
        return colour in OF_THE_LANGUAGE[token.type]
    if token.type in COLOURS and colour in COLOURS[token.type]:
        return True
    if token.type == "keyword":  # a word that is a keyword elsewhere, and a name by the grammar
        return colour.startswith("variable") and word in {*vocabulary.keywords(), *vocabulary.pattern_keywords()}
    if token.type == "variable" and word.isdigit():  # a cell of a drawn board
        return colour == "number"
    known = vocabulary.names().get(word) is not None  # a game may call its own things by such a name
    return colour in FOR_NAMES or (known and colour.endswith(".builtin"))


def colours(built: Path, language: str, text: str) -> dict[tuple[int, int], str]:
    """The colour of each byte, by line and column from 0: the last matching pattern of the query wins."""
    from tree_sitter import Query, QueryCursor

    loaded = load(built, language)
    query = Query(loaded, (built / language / "queries" / "highlights.scm").read_text(encoding="utf-8"))
    found: dict[tuple[int, int], str] = {}
    matches = sorted(QueryCursor(query).matches(tree_of(loaded, text).root_node), key=lambda item: item[0])
    for _, captures in matches:
        for colour, nodes in captures.items():
            for node in nodes:
                (line, column), (_, end) = node.start_point, node.end_point
                found |= dict.fromkeys(((line, at) for at in range(column, end)), colour)
    return found


@pytest.mark.slow
def test_colours_are_those_of_the_server(built: Path) -> None:
    """Every token of every bundled file; fields in strings count as string, and rows of a board have one colour."""
    for path in (*GAMES, *PATTERNS):
        text = path.read_text(encoding="utf-8")
        game = path.suffix == ".game"
        found = colours(built, treesitter.GAME if game else treesitter.PATTERN, text)
        tokens = highlights(GameDocument(text)) if game else pattern_highlights(text)
        lines = text.split("\n")
        for token in tokens:
            row = lines[token.span.line - 1]
            word = row[token.span.column - 1 : token.span.end_column - 1]
            colour = found.get((token.span.line - 1, len(row[: token.span.column - 1].encode())), "none")
            inside = colour == "string" or colour == "string.special"
            assert inside or agrees(token, word, colour), f"{path.name}:{token.span.line} {word}: {colour}, {token}"


# ---- editors


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvim") is None, reason="needs Neovim")
def test_neovim_takes_the_grammar(built: Path, tmp_path: Path) -> None:
    """With the line of docs/editors.md, Neovim highlights a game with the built parser."""
    game = tmp_path / "t.game"
    game.write_text('game "T"\nwin X when line(mine, 3)\n', encoding="utf-8")
    before, after = tmp_path / "before.lua", tmp_path / "after.lua"
    before.write_text(f"vim.g.dslgame_grammars = {str(built)!r}\nvim.g.dslgame_command = {{ 'cat' }}\n"
                      f"dofile({str(ROOT / 'editors' / 'neovim' / 'dslgame.lua')!r})\n", encoding="utf-8")
    after.write_text("""
local root = vim.treesitter.get_parser(0, "dslgame"):parse()[1]:root()
local queries = require("vim.treesitter.query")
local query = (queries.get or queries.get_query)("dslgame", "highlights")
for id, node in query:iter_captures(root, 0, 0, 9) do
  local line, column = node:range()
  io.stdout:write(line .. " " .. column .. " " .. query.captures[id] .. "\\n")
end
io.stdout:write("active " .. tostring(vim.treesitter.highlighter.active[vim.api.nvim_get_current_buf()] ~= nil))
vim.cmd("qall!")
""", encoding="utf-8")
    done = subprocess.run(["nvim", "--clean", "--headless", "--cmd", f"luafile {before}", str(game),
                           "-c", f"luafile {after}"], capture_output=True, text=True, timeout=120)
    rows = done.stdout.split("\n")
    assert {"0 0 keyword", "0 5 string", "1 0 keyword", "1 4 variable", "1 11 function.builtin",
            "1 16 variable.builtin", "1 22 number", "active true"} <= set(rows), done.stdout + done.stderr


def test_helix_names_both_grammars() -> None:
    """The Helix configuration has a language and a grammar for each."""
    helix = tomllib.loads((ROOT / "editors" / "helix" / "languages.toml").read_text(encoding="utf-8"))
    for part in ("language", "grammar"):
        assert tuple(item["name"] for item in helix[part]) == treesitter.LANGUAGES
    assert all(item["source"]["path"].endswith(f"/editors/tree-sitter/build/{item['name']}")
               for item in helix["grammar"])


@pytest.mark.slow
def test_zed_extension_is_written(built: Path, tmp_path: Path) -> None:
    """The queries are valid for the grammars, and both grammars are in a repository that the extension names."""
    from tree_sitter import Query

    folder = tmp_path / "zed"
    subprocess.run([sys.executable, FOLDER / "build.py", "--zed", folder], check=True, capture_output=True)
    extension = tomllib.loads((folder / "extension.toml").read_text(encoding="utf-8"))
    assert set(extension["grammars"]) == set(treesitter.LANGUAGES)
    named = set()
    for language, grammar in extension["grammars"].items():
        place = Path(grammar["repository"].removeprefix("file://"))
        held = subprocess.run(["git", "ls-tree", "--name-only", "-r", grammar["rev"]], cwd=place, check=True,
                              capture_output=True, text=True).stdout.split()
        assert {f"{grammar['path']}/src/parser.c", f"{grammar['path']}/src/scanner.c"} <= set(held)
        config = tomllib.loads((folder / "languages" / language / "config.toml").read_text(encoding="utf-8"))
        assert config["grammar"] == language
        named.add(config["name"])
        for path in (folder / "languages" / language).glob("*.scm"):
            Query(load(built, language), path.read_text(encoding="utf-8"))
    assert set(extension["language_servers"]["dslgame"]["languages"]) == named

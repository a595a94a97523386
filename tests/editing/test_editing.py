"""Completion, hover, names, renaming, symbols, folds, hints and colours, called without a protocol."""

from __future__ import annotations

import inspect
from collections.abc import Iterator

import pytest

from dsl import words
from dsl.boards import KINDS
from dsl.resolve.sorts import CELL, CELLS
from dsl.syntax.grammar import DECLARATIONS
from dslgame import bundled
from dslgame.editing import changes, highlight, markdown, outline, patterns, vocabulary
from dslgame.editing.completion import completions
from dslgame.editing.document import GameDocument
from dslgame.editing.hover import hover, signature
from dslgame.editing.lexer import TokenKind, lexemes
from dslgame.editing.names import NameKind
from dslgame.editing.patterns import PatternDocument

HEAD = """\
game "T"
players X, O
board square(3, 3)
pieces x of X, o of O
var score[player] in 0..9
define free(c) = c is empty
"""
GAMES = [bundled.path_of(name) for name in bundled.names()]


def at(text: str) -> tuple[GameDocument, int, int]:
    """A document and the position of '|' in it."""
    place = text.index("|")
    line = text.count("\n", 0, place) + 1
    return GameDocument(text[:place] + text[place + 1 :]), line, place - (text.rfind("\n", 0, place) + 1) + 1


def offered(text: str, *, fitting: bool = True) -> set[str]:
    """The completions that fit at '|' in a text after the head."""
    return {item.text for item in completions(*at(HEAD + text)).items if item.fits or not fitting}


# ---- completion


@pytest.mark.parametrize(("text", "there", "absent"), [
    ("|", {*DECLARATIONS}, {"carry", "c"}),
    ("move place(c in |):\n    c := own\n", {"empty", "mine", "corners", "neighbours"}, {"score", "north", "abs"}),
    ("move place(c in em|", {"empty"}, {"score"}),
    ("move place(c in empty where c.|\n", {"north", "southeast", "row", "column"}, {"empty", "when"}),
    ("move place(c in empty):\n    |\n", {"carry", "each", "turn", "c", "score"}, {"game", "where"}),
    ("move place(c in empty):\n    c := |\n", {"own", "x", "empty", "piece"}, {"c", "mine", "north", "score"}),
    ("move place(c in empty):\n    c := own\nwin |", {"X", "O", "mover", "opponent"}, {"x", "line"}),
    ("win mover when line(|", {"mine", "theirs", "x", "lines"}, {"X", "north", "score"}),
    ("win mover when line(mine, |", {"abs", "count"}, {"mine", "north"}),
    ("win mover when line(mine, 3) |", {"and", "or"}, {"mine"}),
    ("show x drawn |", {"disc", "knight"}, {"red"}),
    ('show x as "X" in |', {"red", "pink"}, {"x"}),
    ("board |", {kind.word for kind in KINDS.values() if kind.word.isalpha()}, {"empty"}),
    ("pieces a of |", {"X", "O", "each"}, {"x"}),
    ("no moves |", {"loses", "passes"}, {"X"}),
    ("symmetry |", {"half turn", "swapping"}, {"x"}),
    ("move a(c in empty):\n    if some n in neighbours(c): n is |", {"empty", "n", "mine"}, {"X"}),
    ("var z[|", {"player", "cell"}, {"x"}),
    ("# a comment |", set(), {"x", "game"}),
    ('game "a text |', set(), {"x", "game"}),
])
def test_completion_by_sort_and_scope(text: str, there: set[str], absent: set[str]) -> None:
    """Completions that fit are offered; those that do not are absent or come last."""
    found = offered(text)
    assert there <= found
    assert not absent & found


def test_names_of_other_sorts_come_behind() -> None:
    """A player is offered where a piece is wanted, but does not fit."""
    text = "move place(c in empty):\n    c := |\n"
    assert "X" in offered(text, fitting=False) - offered(text)


def test_completion_never_fails_within_a_game() -> None:
    """At any position of a game, and in its text up to there, as if being typed."""
    text = bundled.path_of("hexplode").read_text(encoding="utf-8")
    for line, row in list(enumerate(text.split("\n"), start=1))[4:22]:
        for column in range(1, len(row) + 2, 9):
            completions(GameDocument(text), line, column)
            part = "\n".join([*text.split("\n")[: line - 1], row[: column - 1]])
            completions(GameDocument(part), line, column)


# ---- a new word needs no second list


def test_a_new_word_is_known_everywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """A record in `dsl.words` is all that completion, hover, the lexer and Pygments need to know a function."""
    record = words.Word("shadow", "shadow(c)", (CELL,), 1, lambda cells: CELLS)
    monkeypatch.setitem(words.CALLED, "shadow", record)
    monkeypatch.setitem(words.WORDS, "shadow", record)
    vocabulary.names.cache_clear()
    try:
        assert "shadow" in offered("move place(c in |):\n    c := own\n")
        assert "shadow" not in offered("win |")
        document, line, column = at(HEAD + "move place(c in shad|ow(c)):\n    c := own\n")
        told = hover(document, line, column)
        assert told is not None
        assert "shadow(cell): set of cells" in told[0]
        assert [token.word for token in lexemes("move m(c in shadow(d)):") if token.text == "shadow"] == [
            vocabulary.WordClass.FUNCTION]
    finally:
        vocabulary.names.cache_clear()


def test_every_keyword_of_the_grammar_has_a_class() -> None:
    """Each first word of a declaration and each terminal is among the keywords."""
    words_of_terminals = {word for ways in vocabulary.keyword_terminals().values() for way in ways for word in way}
    assert words_of_terminals <= set(vocabulary.keywords())
    assert set(DECLARATIONS) <= set(vocabulary.keywords())
    assert not vocabulary.statements() - set(vocabulary.keywords())


def test_no_module_of_editing_lists_words() -> None:
    """No module of dslgame/editing or dslgame/lsp contains several function words or keywords as strings."""
    import ast
    from pathlib import Path

    known = {*words.CALLED, *vocabulary.keywords()} - {"in", "is", "or", "and", "players", "row", "column", "value"}
    for folder in ("editing", "lsp"):
        for path in sorted((Path(inspect.getfile(vocabulary)).parents[1] / folder).glob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
                    texts = [item.value for item in node.elts if isinstance(item, ast.Constant)]
                    assert len([text for text in texts if text in known]) < 3, f"{path.name}:{node.lineno}"


# ---- names


@pytest.mark.parametrize("path", GAMES[::9], ids=lambda path: path.stem)
def test_every_name_is_understood(path: object) -> None:
    """In some bundled games no name is unknown, and each of the file's own names has a declaration."""
    check_names(str(path))


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_every_name_of_every_game_is_understood(path: object) -> None:
    """The same for all bundled games; renaming a name changes no other name's meaning."""
    document = check_names(str(path))
    renamed = {item.meaning: item for item in document.occurrences
               if item.declares and item.meaning.own and item.meaning.kind is not NameKind.RULE}
    drawn = any(row.startswith('start as "') for row in document.text.split("\n"))
    for item in list(renamed.values())[::7]:
        if drawn and item.meaning.kind is NameKind.PIECE:  # its first letter stands in the drawing
            continue
        edits = changes.rename(document, item.span.line, item.span.column, "quite_new_name")
        after = GameDocument(changes.applied(document.text, edits))
        assert not [found for found in after.diagnostics if found.severity == "error"]
        assert len(edits) == len(document.same(item))


def test_moves_that_share_a_notation_are_renamed_in_it() -> None:
    """Each name before the notation text is that of a move."""
    document = GameDocument(HEAD + 'move lay(a in empty):\n    a := own\nnotation place, lay "{own}"\n')
    named = [item for item in document.occurrences if item.meaning.text == "lay"]
    assert [item.meaning.kind for item in named] == [NameKind.MOVE] * 2
    edits = changes.rename(document, named[0].span.line, named[0].span.column, "put_down")
    assert "notation place, put_down" in changes.applied(document.text, edits)


def check_names(path: str) -> GameDocument:
    with open(path, encoding="utf-8") as stream:
        document = GameDocument(stream.read(), path)
    assert [item for item in document.occurrences if item.meaning.kind is NameKind.UNKNOWN] == []
    own = [item for item in document.occurrences if item.meaning.own and item.meaning.kind is not NameKind.CELL]
    assert [item for item in own if not any(other.declares for other in document.same(item))] == []
    assert all(document.text_at(item.span) == item.meaning.text for item in document.occurrences)
    return document


def test_bound_names_of_the_same_text_are_different() -> None:
    """Two choices called `c` in one rule are two names."""
    document, line, column = at(HEAD + "win X when (some c| in mine: c is top) or (some c in mine: c is left)\n")
    found = document.at(line, column)
    assert found is not None
    assert [item.span.column for item in document.same(found)] == [18, 29]


def test_definition_of_a_name_in_a_notation() -> None:
    """`{c}` in a notation is the name that the move chooses."""
    document, line, column = at(HEAD + 'move place(c in empty):\n    c := own\nnotation place "{c|}"\n')
    found = document.at(line, column)
    assert found is not None
    (place,) = document.declaration_of(found)
    assert (place.span.line, place.span.column) == (7, 12)


def test_unknown_names_are_known_as_such() -> None:
    """A misspelt name has the kind UNKNOWN."""
    document, line, column = at(HEAD + "move place(c in emt|y):\n    c := own\n")
    found = document.at(line, column)
    assert found is not None
    assert found.meaning.kind is NameKind.UNKNOWN


# ---- hover


@pytest.mark.parametrize(("text", "said"), [
    ("win X when li|ne(mine, 3)\n", ["line(set of cells, number): condition", "line(mine, 3)"]),
    ("win X when some c in mine: fr|ee(c)\n", ["definition `free`", "define free(c) = c is empty"]),
    ("move place(c in empty where c| is top):\n    c := own\n", ["chosen name `c`: cell"]),
    ("win X when no |x\n", ["piece `x`", "pieces x of X, o of O"]),
    ("win X when no to|p\n", ["`top`: set of cells", "a square board"]),
    ("wi|n X when no x\n", ["keyword `win`", "`win Red when P`"]),
    ("board hex|agon(3)\n", ["board hexagon("]),
])
def test_hover_says_what_a_word_is(text: str, said: list[str]) -> None:
    """A signature, an example, the text that declares a name, or the forms of a keyword."""
    told = hover(*at(HEAD + text))
    assert told is not None
    assert [part for part in said if part not in told[0]] == []


def test_every_function_has_a_signature() -> None:
    """Each signature begins with the name and an opening bracket."""
    for word in words.CALLED.values():
        assert signature(word).startswith(f"{word.name}(")


# ---- changes


def test_renaming_is_refused_where_it_would_change_the_rules() -> None:
    """A word of the language, a name in use, or an invalid name."""
    text = HEAD + "move place(c| in empty):\n    c := own\n"
    for name, why in (("x", "mistake"), ("when", "word of the language"), ("1st", "no name"), ("mine", "mistake")):
        with pytest.raises(changes.NotRenamed, match=why):
            changes.rename(*at(text), name)
    with pytest.raises(changes.NotRenamed, match="word of the language"):
        changes.rename(*at(HEAD + "win X when no mi|ne\n"), "other")


def test_fixes_are_the_suggestions_of_diagnostics() -> None:
    """The suggested fix changes `emty` to `empty`."""
    document = GameDocument(HEAD + "move place(c in emty):\n    c := own\n")
    (fix,) = changes.fixes(document.diagnostics, 1, 99)
    assert fix.title == "Change to 'empty'"
    assert "c in empty)" in changes.applied(document.text, [fix.edit])


# ---- outline, colours, Markdown, patterns


def test_symbols_are_the_declarations() -> None:
    """There is one symbol per declaration, with the names inside it as children."""
    found = outline.symbols(GameDocument(HEAD + "move place(c in empty):\n    c := own\n"))
    assert [item.name for item in found] == [
        "T", "players X, O", "board square(3, 3)", "pieces x of X, o of O", "score", "free", "place"]
    assert [child.name for child in found[3].children] == ["x", "o"]


def test_folds_are_blocks_and_comments() -> None:
    """A rule with its block, a block in it, and comments of several lines."""
    text = "# one\n# two\nmove m(c in S):\n    each n in T:\n        n := x\n    c := own\n\nwin X when P\n"
    assert outline.folds(text) == [(1, 2, True), (3, 6, False), (4, 5, False)]


def test_hints_are_the_sorts_of_names() -> None:
    """A hint shows the sort of a name where it is chosen, bound by `let` or defined."""
    document = GameDocument(HEAD + "move place(c in empty, d in directions):\n    let e = c.d\n    e := own\n")
    found = [(item.line, item.text) for item in outline.hints(document)]
    assert found == [(6, ": cell"), (6, ": condition"), (7, ": cell"), (7, ": direction"), (8, ": cell")] or (
        found == [(6, ": condition"), (7, ": cell"), (7, ": direction"), (8, ": cell")])


def test_colours_tell_names_apart() -> None:
    """Each word has its token type, and tokens do not overlap."""
    document = GameDocument(HEAD + "move place(c in empty where free(c)):\n    c := own if line(x, 3)\n")
    found = {document.text_at(item.span): item.type for item in highlight.highlights(document) if item.span.line >= 7}
    assert found["move"] == "keyword"
    assert (found["place"], found["c"], found["free"], found["x"]) == ("event", "parameter", "macro", "enumMember")
    assert (found["empty"], found["line"], found["3"]) == ("variable", "function", "number")


@pytest.mark.slow
@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_tokens_cover_every_character(path: object) -> None:
    """Tokens cover every character of a bundled game without overlap, and every word is coloured or a name."""
    with open(str(path), encoding="utf-8") as stream:
        document = GameDocument(stream.read())
    assert [token for token in document.lexemes if token.kind is TokenKind.OTHER] == []
    before = (0, 0)
    for item in highlight.highlights(document):
        assert (item.span.line, item.span.column) >= before
        before = (item.span.line, item.span.end_column)


def test_blocks_of_a_page() -> None:
    """Whole games, parts of games, and games with intended mistakes."""
    page = f"# Title\n\n```game file x.game error G203\n{HEAD}win X when nothing_known\n```\n" \
           "```python\nx\n```\n\n~~~game part of X\nwin X when\n~~~\n"
    whole, part = markdown.blocks(page)
    assert (whole.line, whole.whole, part.whole) == (4, True, False)
    assert {item.code for item in markdown.diagnostics(whole, GameDocument(whole.text))} == {"G301"}
    assert [item.code for item in markdown.diagnostics(part, GameDocument(part.text))] == ["G101"]
    assert markdown.on_page(GameDocument(part.text).diagnostics[0].span, part).line == part.line


def pattern_files() -> Iterator[str]:
    return (str(path) for path in sorted(bundled.PATTERNS.glob("*.pattern")))


@pytest.mark.parametrize("path", list(pattern_files()))
def test_pattern_files_are_understood(path: str) -> None:
    """The bundled files have no errors and one symbol per pattern, and the names of their game are offered."""
    with open(path, encoding="utf-8") as stream:
        document = PatternDocument(stream.read(), path)
    assert document.game is not None
    assert [item for item in document.diagnostics if item.severity == "error"] == []
    assert len(patterns.symbols(document)) == len(document.patterns) > 0


def test_words_of_patterns_are_offered() -> None:
    """Heads are offered in the first column, lines of a pattern in its block, and names where they can stand."""
    text = 'patterns for "Gomoku"\noffensive "a":\n    play (0, 0)\n    \n'
    document = PatternDocument(text)
    assert {"offensive", "group", "anchor"} <= {item.text for item in patterns.completions(document, 5, 1).items}
    inside = {item.text for item in patterns.completions(document, 4, 5).items}
    assert {"play", "outside", "example", "where"} <= inside
    assert {"empty", "black"} <= inside

"""Generates grammars for editors from the vocabulary: TextMate for VS Code and others, a syntax file for Vim.

`python -m dslgame.editing.grammars FORMAT` prints one, so that no list of words is maintained by hand: after a new
word, the grammars are generated again. Editors that colour by the language server need none.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable, Mapping

from dslgame.editing import vocabulary
from dslgame.editing.vocabulary import WordClass

_SCOPES = {
    WordClass.DECLARATION: "keyword.declaration", WordClass.STATEMENT: "keyword.control",
    WordClass.KEYWORD: "keyword.other", WordClass.CONSTANT: "constant.language", WordClass.FUNCTION: "support.function",
    WordClass.BOARD: "support.type", WordClass.NAME: "variable.language", WordClass.LOOK: "support.constant",
}
_GROUPS = {
    WordClass.DECLARATION: "Statement", WordClass.STATEMENT: "Statement", WordClass.KEYWORD: "Keyword",
    WordClass.CONSTANT: "Constant", WordClass.FUNCTION: "Function", WordClass.BOARD: "Type",
    WordClass.NAME: "Identifier", WordClass.LOOK: "Special",
}


def words_of(kind: WordClass, *, patterns: bool = False) -> list[str]:
    """The words that can have a class: of declarations and statements at the beginning of a line, of others
    elsewhere."""
    keywords = vocabulary.pattern_keywords() if patterns else vocabulary.keywords()
    names = vocabulary.names()
    if kind is WordClass.DECLARATION:
        return sorted(word for word, result in keywords.items() if result is kind)
    if kind is WordClass.STATEMENT:
        return sorted(vocabulary.pattern_statements() if patterns else vocabulary.statements())
    if kind is WordClass.KEYWORD:
        begins = (WordClass.DECLARATION, WordClass.STATEMENT)
        return sorted(word for word, result in keywords.items()
                      if result is kind or (result in begins and (word not in names or result is WordClass.STATEMENT)))
    if kind is WordClass.CONSTANT:
        return sorted(word for word, result in keywords.items() if result is kind)
    return sorted(word for word, result in names.items() if result is kind
                  and keywords.get(word) in (None, WordClass.DECLARATION))


def _any_of(words: Iterable[str]) -> str:
    return "(?:" + "|".join(map(re.escape, words)) + ")"


def textmate(*, patterns: bool = False) -> dict[str, object]:
    """The TextMate grammar of `.game` files, or of readable `.pattern` files."""
    name = "dslgame-pattern" if patterns else "dslgame"

    def rule(match: str, kind: WordClass) -> dict[str, str]:
        return {"match": match, "name": f"{_SCOPES[kind]}.{name}"}

    def words(kind: WordClass) -> str:
        return _any_of(words_of(kind, patterns=patterns))

    inside = [
        {"match": "#.*$", "name": f"comment.line.number-sign.{name}"},
        {"match": '"[^"]*"?', "name": f"string.quoted.double.{name}"},
        {"match": "[0-9]+", "name": f"constant.numeric.{name}"},
        rule(rf"(?<=\.)\b{words(WordClass.NAME)}\b", WordClass.NAME),
        rule(rf"(?<![^.]\.)\b{words(WordClass.CONSTANT)}\b", WordClass.CONSTANT),
        rule(rf"(?<![^.]\.)\b{words(WordClass.KEYWORD)}\b", WordClass.KEYWORD),
        rule(rf"\b{words(WordClass.FUNCTION)}(?=\s*\()", WordClass.FUNCTION),
        rule(rf"\b{words(WordClass.NAME)}\b", WordClass.NAME),
        {"match": r"\b[A-Za-z_]\w*\b", "name": f"variable.other.{name}"},
        {"match": _any_of(vocabulary.operators()), "name": f"keyword.operator.{name}"},
    ]
    starts = [
        rule(rf"^{words(WordClass.DECLARATION)}\b", WordClass.DECLARATION),
        rule(rf"^\s+{words(WordClass.STATEMENT)}\b", WordClass.STATEMENT),
    ]
    lines = [] if patterns else [
        _line("board", [rule(rf"\b{words(WordClass.BOARD)}\b", WordClass.BOARD), *inside], name),
        _line("show", [{"match": rf"(?<=^show)\s+{words(WordClass.LOOK)}\b", "name": f"variable.other.{name}"},
                       rule(rf"\b{words(WordClass.LOOK)}\b", WordClass.LOOK), *inside], name),
    ]
    return {
        "$schema": "https://raw.githubusercontent.com/martinring/tmlanguage/master/tmlanguage.json",
        "name": name, "scopeName": f"source.{name}", "fileTypes": ["pattern" if patterns else "game"],
        "patterns": [*lines, *starts, *inside],
    }


def _line(word: str, inside: list[dict[str, str]], name: str) -> dict[str, object]:
    """The pattern for a line that begins with `word`, in which further words are highlighted."""
    return {"begin": rf"^{word}\b", "end": "$", "patterns": inside,
            "beginCaptures": {"0": {"name": f"{_SCOPES[WordClass.DECLARATION]}.{name}"}}}


def injection() -> dict[str, object]:
    """The TextMate grammar that highlights our blocks in Markdown."""
    def block(word: str, name: str) -> dict[str, object]:
        return {"begin": rf"(^|\G)(\s*)(`{{3,}}|~{{3,}})\s*(?i:({word})(\s+[^`~]*)?$)",
                "end": r"(^|\G)(\2|\s{0,3})(\3)\s*$", "name": "markup.fenced_code.block.markdown",
                "contentName": f"meta.embedded.block.{name}", "patterns": [{"include": f"source.{name}"}]}

    return {"scopeName": "markdown.dslgame.codeblock", "injectionSelector": "L:text.html.markdown",
            "patterns": [block("game", "dslgame"), block("pattern", "dslgame-pattern")], "fileTypes": []}


def vim() -> str:
    """The syntax file of Vim for `.game` files."""
    rows = ['" Written by python -m dslgame.editing.grammars vim', 'if exists("b:current_syntax")', "  finish", "endif",
            "syntax iskeyword @,48-57,_"]
    any_of = {kind: r"\%(" + r"\|".join(words_of(kind)) + r"\)" for kind in WordClass}
    functions, boards, looks = any_of[WordClass.FUNCTION], any_of[WordClass.BOARD], any_of[WordClass.LOOK]
    declarations, statements = any_of[WordClass.DECLARATION], any_of[WordClass.STATEMENT]
    for kind in (WordClass.NAME, WordClass.CONSTANT, WordClass.KEYWORD):  # the rules below take precedence
        rows.append(rf"syntax match dslgame{kind.name.title()} /\<{any_of[kind]}\>/")
    rows += [
        rf"syntax match dslgameFunction /\<{functions}\>\ze\s*(/",
        rf"syntax match dslgameBoard /\(^board .*\)\@<=\<{boards}\>/",
        rf"syntax match dslgameLook /\(^show \w\+ .*\)\@<=\<{looks}\>/",
        rf"syntax match dslgameDeclaration /^{declarations}\>/",
        rf"syntax match dslgameStatement /^\s\+\zs{statements}\>/",
        r"syntax match dslgameNumber /\<[0-9]\+\>/",
        'syntax region dslgameString start=/"/ end=/"/ oneline',
        "syntax match dslgameComment /#.*/",
    ]
    rows += [f"highlight default link dslgame{kind.name.title()} {group}" for kind, group in _GROUPS.items()]
    rows += [f"highlight default link dslgame{group} {group}" for group in ("Number", "String", "Comment")]
    return "\n".join([*rows, 'let b:current_syntax = "dslgame"', ""])


def _as_json(grammar: Mapping[str, object]) -> str:
    return json.dumps(grammar, indent=1) + "\n"


FORMATS = {
    "textmate": lambda: _as_json(textmate()),
    "textmate-pattern": lambda: _as_json(textmate(patterns=True)),
    "textmate-markdown": lambda: _as_json(injection()),
    "vim": vim,
}
"""The functions that generate each format, by its name."""


def main(arguments: list[str]) -> int:
    """Print a grammar; the exit code, 2 for an unknown format."""
    if len(arguments) != 1 or arguments[0] not in FORMATS:
        sys.stderr.write(f"usage: python -m dslgame.editing.grammars {'|'.join(FORMATS)}\n")
        return 2
    sys.stdout.write(FORMATS[arguments[0]]())
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

"""Lexer: splits a text into words, signs, strings, numbers and comments, without knowing the meanings of names.

The class of a word follows from its position: the first word of a line in the first column begins a declaration, the
first of an indented line an effect, and colours are colours after `show`. A text with errors is split like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum
from functools import lru_cache

import attrs

from dsl.resolve import presentation
from dsl.syntax.grammar import grammar
from dsl.syntax.source import Span
from dslgame.editing import vocabulary
from dslgame.editing.vocabulary import WordClass


class TokenKind(Enum):
    """The kind of a token."""

    COMMENT = "comment"
    STRING = "string"
    NUMBER = "number"
    SIGN = "sign"
    WORD = "word"
    OTHER = "other"
    """A character that is not part of the language."""


@attrs.frozen
class Lexeme:
    """A token of a text."""

    kind: TokenKind
    text: str
    line: int
    """From 1."""
    column: int
    """From 1."""
    word: WordClass | None = None
    """The class of a word; None for a name."""

    @property
    def span(self) -> Span:
        """The span of the token."""
        return Span.at(self.line, self.column, len(self.text))


@lru_cache(maxsize=1)
def token_pattern() -> re.Pattern[str]:
    """The regular expression of a token, from the grammar's terminals; an unclosed string extends to the end of its
    line."""
    written = {item.name: item.pattern.value for item in grammar().terminals}
    parts = [
        ("COMMENT", written["COMMENT"]),
        ("STRING", written["STRING"] + '|"[^"\\n]*'),
        ("NUMBER", written["INT"]),
        ("WORD", written["NAME"]),
        ("SIGN", "|".join(map(re.escape, vocabulary.operators()))),
        ("OTHER", r"\S"),
    ]
    return re.compile("|".join(f"(?P<{name}>{pattern})" for name, pattern in parts))


def lexemes(text: str, *, patterns: bool = False, first_line: int = 1) -> Iterator[Lexeme]:
    """The tokens of a text, in order; with `patterns` the text is a pattern file's."""
    for number, row in enumerate(text.split("\n"), start=first_line):
        yield from line_lexemes(row, number, patterns=patterns)


def line_lexemes(row: str, number: int = 1, *, patterns: bool = False) -> Iterator[Lexeme]:
    """The tokens of one line."""
    before: list[Lexeme] = []
    for match in token_pattern().finditer(row):
        kind = TokenKind[str(match.lastgroup)]
        word = _class_of(match.group(), before, indented=row[:1].isspace(), patterns=patterns) if (
            kind is TokenKind.WORD) else None
        if word is WordClass.FUNCTION and not row[match.end() :].lstrip().startswith("("):
            word = None  # a variable may have the name of a function
        token = Lexeme(kind, match.group(), number, match.start() + 1, word)
        before.append(token)
        yield token


_LOOKS = frozenset((*presentation.COLOURS, *presentation.SHAPES, *presentation.CELLS))


def _class_of(text: str, before: list[Lexeme], *, indented: bool, patterns: bool) -> WordClass | None:
    """The class of a word, given the tokens before it in its line."""
    words = vocabulary.pattern_keywords() if patterns else vocabulary.keywords()
    result, name = words.get(text), vocabulary.names().get(text)
    if text in _LOOKS and not patterns:
        if before and before[0].text == "show" and len(before) > 1 and not indented:
            return WordClass.LOOK if before[-1].text != "show" else None
        name = None if name is WordClass.LOOK else name
    if name is WordClass.BOARD and (indented or not before or before[0].text != "board"):
        name = None
    if before and before[-1].text == ".":
        return name
    starts = vocabulary.pattern_statements() if patterns else vocabulary.statements()
    if not before:
        if indented:
            return WordClass.STATEMENT if text in starts else _inside(result, name)
        return result
    return _inside(result, name)


def _inside(result: WordClass | None, name: WordClass | None) -> WordClass | None:
    """The class of a word that does not begin a line: one that can begin declarations may be a name here."""
    if result is WordClass.DECLARATION and name is not None:
        return name
    if result in (WordClass.DECLARATION, WordClass.STATEMENT):
        return WordClass.KEYWORD
    return result or name

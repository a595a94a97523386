"""Semantic highlighting of game and pattern files.

Where the resolver knows a name, its meaning decides; elsewhere the lexer's class of the word, so that a file with
errors keeps its colours. The names of types and modifiers are the standard ones that editors know.
"""

from __future__ import annotations

import attrs

from dsl.syntax.source import Span
from dslgame.editing.document import GameDocument
from dslgame.editing.lexer import Lexeme, TokenKind, lexemes
from dslgame.editing.names import NameKind, Occurrence
from dslgame.editing.vocabulary import WordClass

_OF_NAMES = {
    NameKind.PARAM: "typeParameter", NameKind.PLAYER: "class", NameKind.PIECE: "enumMember",
    NameKind.VARIABLE: "property", NameKind.DEFINITION: "macro", NameKind.EFFECT: "method", NameKind.MOVE: "event",
    NameKind.RULE: "event", NameKind.VALUES: "enum", NameKind.VALUE: "enumMember", NameKind.LAYER: "struct",
    NameKind.TRACK: "struct", NameKind.CELL: "variable", NameKind.LOCAL: "parameter", NameKind.FUNCTION: "function",
    NameKind.BUILTIN: "variable", NameKind.UNKNOWN: "variable",
}
_OF_WORDS = {
    WordClass.DECLARATION: "keyword", WordClass.STATEMENT: "keyword", WordClass.KEYWORD: "keyword",
    WordClass.CONSTANT: "keyword", WordClass.FUNCTION: "function", WordClass.BOARD: "type", WordClass.NAME: "variable",
    WordClass.LOOK: "decorator",
}
_OF_TOKENS = {TokenKind.COMMENT: "comment", TokenKind.STRING: "string", TokenKind.NUMBER: "number",
              TokenKind.SIGN: "operator"}
_OF_THE_LANGUAGE = (NameKind.FUNCTION, NameKind.BUILTIN)
TYPES: tuple[str, ...] = tuple(dict.fromkeys([*_OF_NAMES.values(), *_OF_WORDS.values(), *_OF_TOKENS.values()]))
"""The types of tokens, in the order of their numbers."""
MODIFIERS: tuple[str, ...] = ("declaration", "defaultLibrary")
"""The modifiers, in the order of their bits."""


@attrs.frozen
class Highlight:
    """A token with its type and modifiers, from `TYPES` and `MODIFIERS`."""

    span: Span
    type: str
    modifiers: tuple[str, ...] = ()


def highlights(document: GameDocument) -> list[Highlight]:
    """The highlighted tokens of a game file, in order."""
    known = {item.span: item for item in document.occurrences}
    inside = [item for item in document.occurrences if not _is_token(item, document)]
    result = []
    for token in document.lexemes:
        fields = [item for item in inside if item.span.line == token.line
                  and token.column < item.span.column < token.span.end_column] if token.kind is TokenKind.STRING else []
        if fields:
            result += _with_fields(token, fields)
        else:
            item = _of_token(token, known.get(token.span))
            result += [] if item is None else [item]
    return result


def pattern_highlights(text: str) -> list[Highlight]:
    """The highlighted tokens of a pattern file, in order."""
    return [item for token in lexemes(text, patterns=True) if (item := _of_token(token, None)) is not None]


def _is_token(item: Occurrence, document: GameDocument) -> bool:
    """Whether a name is a token of its own, not a field within a string."""
    return document.source.line(item.span.line)[: item.span.column - 1].count('"') % 2 == 0


def _of_token(token: Lexeme, occurrence: Occurrence | None) -> Highlight | None:
    if occurrence is not None and occurrence.meaning.kind in _OF_NAMES:
        kind = occurrence.meaning.kind
        modifiers = ("declaration",) * occurrence.declares + ("defaultLibrary",) * (kind in _OF_THE_LANGUAGE)
        return Highlight(token.span, _OF_NAMES[kind], modifiers)
    if token.word is not None:
        own = token.word in (WordClass.FUNCTION, WordClass.NAME, WordClass.BOARD)
        return Highlight(token.span, _OF_WORDS[token.word], ("defaultLibrary",) * own)
    result = _OF_TOKENS.get(token.kind)
    return None if result is None else Highlight(token.span, result)


def _with_fields(token: Lexeme, fields: list[Occurrence]) -> list[Highlight]:
    """A string split into the names in its fields and the text around them."""
    result, at = [], token.column
    for item in fields:
        if item.span.column > at:
            result.append(Highlight(Span.at(token.line, at, item.span.column - at), "string"))
        result.append(Highlight(item.span, _OF_NAMES.get(item.meaning.kind, "variable")))
        at = item.span.end_column
    if at < token.span.end_column:
        result.append(Highlight(Span.at(token.line, at, token.span.end_column - at), "string"))
    return result

"""Pygments lexers for documentation and notebooks, registered as entry points of the package.

They colour the tokens of `dslgame.editing.lexer`, and have no lists of words themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pygments.lexer import Lexer
from pygments.token import Comment, Error, Keyword, Name, Number, Operator, String, Text, _TokenType

from dslgame.editing.lexer import Lexeme, TokenKind, lexemes
from dslgame.editing.vocabulary import WordClass

__all__ = ["GameLexer", "PatternLexer"]
_OF_WORDS = {
    WordClass.DECLARATION: Keyword.Declaration, WordClass.STATEMENT: Keyword, WordClass.KEYWORD: Keyword,
    WordClass.CONSTANT: Keyword.Constant, WordClass.FUNCTION: Name.Builtin, WordClass.BOARD: Keyword.Type,
    WordClass.NAME: Name.Builtin.Pseudo, WordClass.LOOK: Name.Constant,
}
_OF_TOKENS = {TokenKind.COMMENT: Comment.Single, TokenKind.STRING: String, TokenKind.NUMBER: Number.Integer,
              TokenKind.SIGN: Operator, TokenKind.OTHER: Error}


class GameLexer(Lexer):
    """The lexer for `.game` files, and for code blocks named `game` in documentation."""

    name = "dslgame"
    aliases: ClassVar[list[str]] = ["game", "dslgame"]
    filenames: ClassVar[list[str]] = ["*.game"]
    mimetypes: ClassVar[list[str]] = ["text/x-dslgame"]
    url = ""
    patterns: ClassVar[bool] = False

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """Yield the offset, type and text of each token, and of the whitespace between them."""
        at = 0
        starts = [0]
        for row in text.split("\n"):
            starts.append(starts[-1] + len(row) + 1)
        for token in lexemes(text, patterns=self.patterns):
            start = starts[token.line - 1] + token.column - 1
            if start > at:
                yield at, Text.Whitespace, text[at:start]
            yield start, _type_of(token), token.text
            at = start + len(token.text)
        if at < len(text):
            yield at, Text.Whitespace, text[at:]


class PatternLexer(GameLexer):
    """The lexer for readable `.pattern` files."""

    name = "dslgame patterns"
    aliases: ClassVar[list[str]] = ["pattern", "dslgame-pattern"]
    filenames: ClassVar[list[str]] = ["*.pattern"]
    mimetypes: ClassVar[list[str]] = ["text/x-dslgame-pattern"]
    patterns: ClassVar[bool] = True


def _type_of(token: Lexeme) -> _TokenType:
    if token.kind is TokenKind.WORD:
        return Name if token.word is None else _OF_WORDS[token.word]
    return _OF_TOKENS[token.kind]

"""Blocks of our languages in Markdown: their lines, and the errors that are expected in them.

The info string of a block begins with `game` or `pattern`. A block without a title is a fragment of a game: only its
syntax is checked. Codes in the info string, as in `game error G203`, are errors that the page demonstrates; they are
not reported.
"""

from __future__ import annotations

import re

import attrs

from dsl.diagnostics import Diagnostic
from dsl.syntax.parser import parse
from dsl.syntax.source import Source, Span
from dslgame.editing.document import GameDocument

LANGUAGES = ("game", "pattern")
_FENCE = re.compile(r"(?P<fence>`{3,}|~{3,})\s*(?P<info>[^`]*)$")
_CODE = re.compile(r"\bG\d{3}\b")
_TITLE = re.compile(r"^game\b", re.MULTILINE)


@attrs.frozen
class Block:
    """A fenced block."""

    language: str
    info: str
    line: int
    """The line of the page on which its text begins, from 1."""
    text: str

    @property
    def whole(self) -> bool:
        """Whether it is a whole file, not a fragment."""
        return self.language != "game" or _TITLE.search(self.text) is not None

    @property
    def expected(self) -> frozenset[str]:
        """The codes of its intended errors."""
        return frozenset(_CODE.findall(self.info))

    @property
    def last(self) -> int:
        """The last line of its text."""
        return self.line + self.text.count("\n") - 1


def blocks(text: str) -> list[Block]:
    """The blocks of our languages in a page, in order; an unclosed one extends to the end."""
    result: list[Block] = []
    opened: tuple[str, str, int] | None = None
    rows: list[str] = []
    for number, row in enumerate([*text.split("\n")], start=1):
        match = _FENCE.match(row)
        if opened is None and match is not None:
            opened, rows = (match["fence"], match["info"].strip(), number + 1), []
        elif opened is not None and match is not None and match["fence"].startswith(opened[0]) and not match["info"]:
            result += _block(opened, rows)
            opened = None
        elif opened is not None:
            rows.append(row)
    return result + (_block(opened, rows) if opened is not None else [])


def _block(opened: tuple[str, str, int], rows: list[str]) -> list[Block]:
    language = opened[1].partition(" ")[0]
    return [Block(language, opened[1], opened[2], "\n".join(rows) + "\n")] if language in LANGUAGES else []


def diagnostics(block: Block, document: GameDocument) -> list[Diagnostic]:
    """The diagnostics of a game in a block, without the intended ones; places are relative to the block."""
    result = document.diagnostics if block.whole else parse(Source(document.source.name, block.text)).diagnostics
    return [item for item in result if item.code not in block.expected]


def on_page(span: Span, block: Block) -> Span:
    """Convert a span in a block to one of its page."""
    shift = block.line - 1
    return Span(span.line + shift, span.column, span.end_line + shift, span.end_column)

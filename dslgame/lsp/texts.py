"""The open documents, each analysed once per version.

A `.game` or `.pattern` file is one part; a Markdown page has a part for each block of our languages. A place in a part
is the place in the document with its line shifted by the lines above the part.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs
from lsprotocol import types
from pygls import uris
from pygls.workspace import PositionCodec

from dsl.diagnostics import Diagnostic
from dsl.syntax.source import Span, normalise
from dslgame import bundled
from dslgame.editing import markdown
from dslgame.editing.document import GameDocument
from dslgame.editing.patterns import PatternDocument

PAGES = (".md", ".markdown")


@attrs.frozen
class Part:
    """A game, or a file of patterns, in a document."""

    document: GameDocument | PatternDocument
    block: markdown.Block | None
    """The block of a page; None for a whole file."""

    @property
    def shift(self) -> int:
        """The number of the document's lines above it."""
        return 0 if self.block is None else self.block.line - 1

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """Its static diagnostics, at places relative to the part."""
        if self.block is not None and isinstance(self.document, GameDocument):
            return markdown.diagnostics(self.block, self.document)
        return list(self.document.diagnostics)

    def has(self, line: int) -> bool:
        """Whether a line of the document, from 1, belongs to it."""
        return self.block is None or self.block.line <= line <= self.block.last + 1


@attrs.frozen(eq=False)
class Text:
    """One version of an open document."""

    uri: str
    version: int | None
    lines: tuple[str, ...]
    parts: tuple[Part, ...]

    def part_at(self, line: int) -> Part | None:
        """The part that a line, from 1, belongs to."""
        return next((part for part in self.parts if part.has(line)), None)


def text_of(uri: str, version: int | None, content: str, language: str, before: Text | None = None) -> Text:
    """Analyse a document; parts that are unchanged from the version `before` are reused."""
    plain = normalise(content)
    path = Path(uris.to_fs_path(uri) or uri)
    known = {} if before is None else {(type(part.document), part.document.text): part.document
                                       for part in before.parts}
    if path.suffix.casefold() in PAGES or language == "markdown":
        blocks: Sequence[markdown.Block | None] = markdown.blocks(plain)
    else:
        blocks = [None]
    parts = []
    for block in blocks:
        inside = plain if block is None else block.text
        patterns = block.language == "pattern" if block else (
            path.suffix == bundled.PATTERN_SUFFIX or language == "dslgame-pattern")
        document: GameDocument | PatternDocument | None = known.get((PatternDocument if patterns else GameDocument,
                                                                    inside))
        if document is None:
            document = PatternDocument(inside, path.name, path.parent) if patterns else GameDocument(inside, path.name)
        parts.append(Part(document, block))
    return Text(uri, version, tuple(plain.split("\n")), tuple(parts))


# ---- places


def place_of(position: types.Position, text: Text, codec: PositionCodec) -> tuple[int, int]:
    """The line and column, from 1, of a position of the protocol."""
    if position.line >= len(text.lines):
        return len(text.lines), len(text.lines[-1]) + 1
    row = text.lines[position.line]
    units = 0
    for column, character in enumerate(row):
        if units >= position.character:
            return position.line + 1, column + 1
        units += codec.client_num_units(character)
    return position.line + 1, len(row) + 1


def range_of(span: Span, text: Text, codec: PositionCodec, shift: int = 0) -> types.Range:
    """A span of a part as a range of the protocol."""
    return types.Range(_position(span.line + shift, span.column, text, codec),
                       _position(span.end_line + shift, span.end_column, text, codec))


def _position(line: int, column: int, text: Text, codec: PositionCodec) -> types.Position:
    row = text.lines[line - 1] if 0 < line <= len(text.lines) else ""
    return types.Position(max(0, line - 1), codec.client_num_units(row[: max(0, column - 1)]))


def position_of(line: int, column: int, text: Text, codec: PositionCodec, shift: int = 0) -> types.Position:
    """A line and column of a part as a position of the protocol."""
    return _position(line + shift, column, text, codec)

"""A game file that is being edited: its text and the analyses of it.

Each analysis runs when it is first needed, and once per text. Positions are those of `dsl.syntax.source`: lines and
columns from 1.
"""

from __future__ import annotations

from functools import cached_property

from dsl import hir
from dsl.checker import Checked, judged, resolved
from dsl.diagnostics import Diagnostic
from dsl.resolve.notes import Notes
from dsl.resolve.scope import World
from dsl.syntax.chunks import Chunk, cut
from dsl.syntax.parser import Parsed, parse
from dsl.syntax.source import Source, Span
from dslgame.editing.lexer import Lexeme, lexemes
from dslgame.editing.names import Occurrence, occurrences


class GameDocument:
    """One version of a game file's text."""

    def __init__(self, text: str, name: str = "<text>") -> None:
        self.source = Source(name, text)

    @property
    def text(self) -> str:
        """The text, with Unix line ends."""
        return self.source.text

    @cached_property
    def parsed(self) -> Parsed:
        """The parsed declarations."""
        return parse(self.source)

    @cached_property
    def _resolved(self) -> tuple[hir.Rules | None, World | None, Notes]:
        notes = Notes()
        return *resolved(self.parsed, {}, notes), notes

    @cached_property
    def checked(self) -> Checked:
        """The result of the checker: rules, declarations and diagnostics."""
        result, world, _ = self._resolved
        return judged(self.parsed, result, world)

    @property
    def notes(self) -> Notes:
        """The resolver's notes."""
        return self._resolved[2]

    @property
    def world(self) -> World:
        """The names that the file declares."""
        return self.notes.world or World()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The static diagnostics."""
        return self.checked.diagnostics

    @cached_property
    def lexemes(self) -> tuple[Lexeme, ...]:
        """The tokens of the text."""
        return tuple(lexemes(self.text))

    @cached_property
    def chunks(self) -> tuple[Chunk, ...]:
        """The declarations as blocks of lines, including those with errors."""
        return tuple(cut(self.source, []))

    @cached_property
    def occurrences(self) -> tuple[Occurrence, ...]:
        """The occurrences of names in all declarations that could be parsed."""
        reported = {item.span for item in self.world.diagnostics if item.severity == "error"}
        return tuple(occurrences(self.parsed.file.declarations, self.notes, reported))

    def at(self, line: int, column: int) -> Occurrence | None:
        """The name at a place, or ending there; None where there is none."""
        return next((item for item in self.occurrences if covers(item.span, line, column)), None)

    def lexeme_at(self, line: int, column: int) -> Lexeme | None:
        """The token at a place, or ending there; None where there is none."""
        result = [item for item in self.lexemes if item.line == line and covers(item.span, line, column)]
        return result[-1] if result else None

    def same(self, occurrence: Occurrence) -> list[Occurrence]:
        """All occurrences with the same meaning, including the given one."""
        return [item for item in self.occurrences if item.meaning == occurrence.meaning]

    def declaration_of(self, occurrence: Occurrence) -> list[Occurrence]:
        """The declarations of a name; several for the cases of a definition."""
        same = self.same(occurrence)
        return [item for item in same if item.declares] or [item for item in same[:1] if item.meaning.own]

    def chunk_at(self, line: int) -> Chunk | None:
        """The declaration that a line belongs to; None where there is none."""
        result = None
        for chunk in self.chunks:
            if chunk.line <= line:
                result = chunk
        return result if result is not None and line < result.line + max(1, len(result.rows)) else None

    def text_at(self, span: Span) -> str:
        """The text at a span within one line."""
        return self.source.line(span.line)[span.column - 1 : span.end_column - 1]


def covers(span: Span, line: int, column: int) -> bool:
    """Whether a place is in a span, or directly after it."""
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)

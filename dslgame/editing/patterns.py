"""A pattern file that is being edited: its diagnostics, symbols and completions, for the game that it names."""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from pathlib import Path

import attrs
from lark.exceptions import UnexpectedInput

from dsl.checker import check
from dsl.diagnostics import Diagnostic, in_source_order
from dsl.patterns import rules as pattern_rules
from dsl.patterns.parser import ParsedPatterns, is_classic, parse_patterns
from dsl.patterns.resolver import resolve_patterns
from dsl.resolve.notes import Notes
from dsl.resolve.scope import World
from dsl.syntax.grammar import pattern_grammar
from dsl.syntax.source import Source, Span, Unreadable, read
from dslgame import bundled
from dslgame.editing import vocabulary
from dslgame.editing.completion import Completion, Completions, every_name, word_around
from dslgame.editing.outline import Symbol

_STAND_IN = "x"
"""A name that is no keyword of the grammar of patterns."""


@attrs.define(slots=False)
class PatternDocument:
    """One version of a pattern file's text; `folder` is searched for the game before the bundled ones."""

    text: str
    name: str = "<text>"
    folder: Path | None = None

    @cached_property
    def source(self) -> Source:
        """The text as a source."""
        return Source(self.name, self.text)

    @cached_property
    def parsed(self) -> ParsedPatterns:
        """The parsed lines, and the errors in them."""
        return parse_patterns(self.source)

    @cached_property
    def game(self) -> Source | None:
        """The game that the patterns are for: a file in the same folder, or a bundled game; None where there is
        none."""
        title = self.parsed.file.title
        if not title:
            return None
        for path in sorted(self.folder.glob("*.game")) if self.folder is not None and self.folder.is_dir() else []:
            with suppress(Exception):  # any other file of the folder may be broken
                if bundled.heading_of(path).title == title:
                    result = read(path)
                    return None if isinstance(result, Unreadable) else result
        path_of = bundled.named(title)
        own = None if path_of is None else read(path_of)
        return own if isinstance(own, Source) else None

    @cached_property
    def world(self) -> World | None:
        """The names that the game declares."""
        if self.game is None:
            return None
        notes = Notes()
        check(self.game, {}, notes)
        return notes.world

    @cached_property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """The static diagnostics; names are resolved where the game is known and has no errors."""
        result = list(self.parsed.diagnostics)
        if self.game is not None:
            notes = Notes()
            checked = check(self.game, {}, notes)
            if checked.rules is not None and notes.world is not None:
                before = len(notes.world.diagnostics)
                notes.world.notes = None
                _, more = resolve_patterns(self.parsed.file, checked.rules, notes.world)
                del notes.world.diagnostics[before:]
                result += more
        return tuple(in_source_order(result))

    @property
    def patterns(self) -> list[pattern_rules.Pattern]:
        """The patterns, in order."""
        return list(self.parsed.file.patterns())


def symbols(document: PatternDocument) -> list[Symbol]:
    """The patterns as symbols."""
    result: list[Symbol] = []
    for pattern in document.patterns:
        head = Span.at(pattern.span.line, 1, max(1, len(document.source.line(pattern.span.line))))
        result.append(Symbol(pattern.name or f"pattern {len(result) + 1}", pattern.kind, None, head, head))
    return result


def completions(document: PatternDocument, line: int, column: int) -> Completions:
    """The completions at a place: keywords by the grammar of patterns, and names of the game."""
    row = document.source.line(line)
    head = row[: column - 1]
    start, end = word_around(row, column)
    if is_classic(document.text) or "#" in head or head.count('"') % 2:
        return Completions((), start + 1, end + 1)
    parser = pattern_grammar().parse_interactive(head[:start] + _STAND_IN,
                                                 start="statement" if row[:1].isspace() else "heading")
    with suppress(UnexpectedInput, AssertionError):
        tokens = parser.lexer_thread.lex(parser.parser_state)  # type: ignore[no-untyped-call]  # Lark's
        for token in tokens:
            if token.end_pos is not None and token.end_pos > start:
                break
            parser.feed_token(token)
    accepted: set[str] = parser.accepts()  # type: ignore[no-untyped-call]  # Lark's
    terminals = vocabulary.keyword_terminals(patterns=True)
    result = {word: Completion(word, None) for name in sorted(accepted)
              for word in map(" ".join, terminals.get(name, ()))}
    if "NAME" in accepted and document.world is not None:
        for item in every_name(document.world, None):
            result.setdefault(item.text, item)
    return Completions(tuple(result.values()), start + 1, end + 1)

"""Editing help for rules on the page: completions, descriptions and declarations of words, and fixes.

The answers are those of `dslgame.editing`, converted to plain values.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from dsl.diagnostics import Diagnostic, as_json
from dsl.diagnostics.catalogue import ENTRIES
from dsl.syntax.source import Source, Unreadable
from dslgame.editing.changes import fixes
from dslgame.editing.completion import completions
from dslgame.editing.document import GameDocument
from dslgame.editing.hover import hover
from dslgame.web.positions import Kept, source_of
from dslgame.web.request_schema import Job, Refused, Writing

Plain = dict[str, Any]
MOST_OFFERED = 200
"""The most completions of an answer."""
KEPT = 8
"""The number of texts whose analyses are cached."""


class Desk:
    """Answers questions about places in rules; caches the last documents."""

    def __init__(self) -> None:
        self._documents: Kept[GameDocument] = Kept(KEPT)

    def _document(self, job: Job[Writing]) -> tuple[GameDocument, int, int]:
        """The document of a job's text, and the line and column in it. Raises Refused where there is no such place."""
        source, line, column = source_of(job), job.asked.line, job.asked.column
        if isinstance(source, Unreadable):
            raise Refused(400, "game", source.phrase)
        if line > len(source.lines) or column > len(source.line(line)) + 1:
            raise Refused(400, "place", f"the rules have no line {line}, column {column}")
        return self._documents.made(source.text, lambda: GameDocument(source.text)), line, column

    def complete(self, job: Job[Writing]) -> Plain:
        """The completions at a place, best first, and the columns of the word that they replace."""
        result = completions(*self._document(job))
        shown = sorted(result.items, key=lambda item: item.rank)[:MOST_OFFERED]
        return {"start": result.start, "end": result.end, "items": [
            {"text": item.text, "kind": "keyword" if item.kind is None else item.kind.value, "detail": item.detail,
             "fits": item.fits} for item in shown]}

    def word(self, job: Job[Writing]) -> Plain:
        """The description of the word at a place in Markdown, its span, and the places where it is declared."""
        document, line, column = self._document(job)
        told, named = hover(document, line, column), document.at(line, column)
        declared = [] if named is None else [attrs.asdict(item.span) for item in document.declaration_of(named)]
        return {"about": None if told is None else told[0], "span": None if told is None else attrs.asdict(told[1]),
                "declared": declared}


def found_in(source: Source, result: Iterable[Diagnostic]) -> list[Plain]:
    """Diagnostics as plain values, each with its suggested fix, or None."""
    listed = []
    for item in result:
        suggested = fixes([item], item.span.line, item.span.line)
        fix = {"title": suggested[0].title, "text": suggested[0].edit.text} if suggested else None
        listed.append({**as_json(item, source), "fix": fix})
    return listed


def explained(code: str) -> Plain:
    """The explanation of a diagnostic's code, as in `dslgame explain`. Raises Refused where there is no such code."""
    entry = ENTRIES.get(code)
    if entry is None:
        raise Refused(404, "code", f"there is no code {code!a}")
    return attrs.asdict(entry)

"""Edits for editors: renaming, and the fixes that diagnostics suggest.

A renaming is tried before it is proposed: it is refused where the renamed text would have errors that the text has not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import attrs

from dsl.diagnostics import Diagnostic
from dsl.syntax.source import Span
from dslgame.editing import vocabulary
from dslgame.editing.document import GameDocument
from dslgame.editing.names import Occurrence

_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


class NotRenamed(ValueError):
    """A name cannot be changed; the message says why, for people."""


@attrs.frozen
class Edit:
    """A replacement for the text at a span."""

    span: Span
    text: str


def renamable(document: GameDocument, line: int, column: int) -> Occurrence:
    """The name at a place, if the file declares or binds it. Raises NotRenamed."""
    result = document.at(line, column)
    if result is None:
        raise NotRenamed("there is no name here")
    if not result.meaning.own:
        raise NotRenamed(f"'{result.meaning.text}' is a word of the language, not a name of this file")
    return result


def rename(document: GameDocument, line: int, column: int, name: str) -> list[Edit]:
    """The edits that rename what is named at a place. Raises NotRenamed."""
    result = renamable(document, line, column)
    if not _NAME.fullmatch(name):
        raise NotRenamed(f"'{name}' is no name: a name has letters, digits and '_', and begins with no digit")
    if name in vocabulary.keywords() and name not in vocabulary.names():
        raise NotRenamed(f"'{name}' is a word of the language")
    edits = [Edit(item.span, name) for item in document.same(result)]
    after = GameDocument(applied(document.text, edits), document.source.name)
    before = _mistakes(document.diagnostics)
    new = next((item for item in after.diagnostics if _mistake(item) not in before), None)
    if new is not None and name != result.meaning.text:
        raise NotRenamed(f"with the name '{name}' the file would have a mistake on line {new.span.line}: {new.phrase}")
    renamed = after.at(result.span.line, _moved(result.span, edits))
    if renamed is not None and len(after.same(renamed)) != len(edits):
        raise NotRenamed(f"'{name}' already stands for something else in this file")
    return edits


def _moved(span: Span, edits: Sequence[Edit]) -> int:
    """The column at which a span begins after the edits before it on its line."""
    shift = sum(len(edit.text) - (edit.span.end_column - edit.span.column) for edit in edits
                if edit.span.line == span.line and edit.span.column < span.column)
    return span.column + shift


def _mistakes(result: Iterable[Diagnostic]) -> set[tuple[str, int]]:
    return {_mistake(item) for item in result}


def _mistake(item: Diagnostic) -> tuple[str, int]:
    return item.code, item.span.line


def applied(text: str, edits: Iterable[Edit]) -> str:
    """Apply edits to a text; they must not overlap, and each is on one line."""
    lines = text.split("\n")
    for edit in sorted(edits, key=lambda item: (item.span.line, item.span.column), reverse=True):
        row = lines[edit.span.line - 1]
        lines[edit.span.line - 1] = row[: edit.span.column - 1] + edit.text + row[edit.span.end_column - 1 :]
    return "\n".join(lines)


@attrs.frozen
class Fix:
    """A change that a diagnostic suggests."""

    title: str
    edit: Edit
    diagnostic: Diagnostic


def fixes(diagnostics: Iterable[Diagnostic], first: int, last: int) -> list[Fix]:
    """The fixes that diagnostics on the lines from `first` to `last` suggest."""
    return [Fix(f"Change to '{item.suggestion}'", Edit(item.span, item.suggestion), item) for item in diagnostics
            if item.suggestion and item.span.line == item.span.end_line and first <= item.span.line <= last]

"""The structure of a game file: symbols, folding ranges, inlay hints of sorts, and the place of code lenses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import attrs

from dsl.resolve.sorts import Unknown
from dsl.syntax import rules
from dsl.syntax.chunks import indent_of, is_code
from dsl.syntax.source import Span
from dslgame.editing.document import GameDocument
from dslgame.editing.names import NameKind, Occurrence

RUNS = ("solve", "play", "check")
"""The `dslgame` commands that can be run above the title of a game."""


@attrs.frozen
class Symbol:
    """A declaration, or a name within one."""

    name: str
    detail: str
    kind: NameKind | None
    """None for a declaration that declares no name."""
    span: Span
    name_span: Span
    children: tuple[Symbol, ...] = ()


def symbols(document: GameDocument) -> list[Symbol]:
    """The declarations of a file, in order, with the names in them where they declare several."""
    result = []
    declared = [item for item in document.occurrences if item.declares and item.meaning.kind is not NameKind.LOCAL]
    for declaration in document.parsed.file.declarations:
        span = declaration.span
        names = [item for item in declared if span.line <= item.span.line <= span.end_line
                 and (span.line, span.column) <= (item.span.line, item.span.column) < (span.end_line, span.end_column)]
        result.append(_symbol(document, declaration, names))
    return result


def _symbol(document: GameDocument, declaration: rules.Declaration, names: Sequence[Occurrence]) -> Symbol:
    span = declaration.span
    row = document.source.line(span.line)
    first = row.partition(" ")[0].rstrip(":")
    text = row[span.column - 1 : span.end_column - 1] if span.line == span.end_line else row[span.column - 1 :]
    detail = (text if span.column == 1 else f"{first} {text}").strip().rstrip(":")  # a further item of a list
    own = getattr(declaration, "name", None)
    if isinstance(own, rules.Name):
        kind = next((item.meaning.kind for item in names if item.span == own.span), None)
        case = getattr(declaration, "case_text", "")
        text = own.text + (f"[{case}]" if case else "")
        return Symbol(text, first, kind or NameKind.RULE, declaration.span, own.span,
                      tuple(_child(item) for item in names if item.span != own.span))
    title = getattr(declaration, "title", "")
    head = Span.at(span.line, span.column, len(first) if span.column == 1 else len(text))
    return Symbol(title or detail[:60], "" if not title else first, None, declaration.span, head,
                  tuple(map(_child, names)))


def _child(item: Occurrence) -> Symbol:
    return Symbol(item.meaning.text, item.meaning.kind.value, item.meaning.kind, item.span, item.span)


def folds(text: str) -> list[tuple[int, int, bool]]:
    """The folding ranges: first and last line, from 1, and whether it is a comment; inner ranges after outer ones."""
    lines = text.split("\n")
    return sorted({*_blocks(lines), *_comments(lines)})


def _blocks(lines: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield the ranges of lines that are followed by more deeply indented ones."""
    open_lines: list[tuple[int, int]] = []
    last = 0
    for number, row in enumerate([*lines, "end"], start=1):
        if not is_code(row) and row != "end":
            continue
        depth = indent_of(row)
        while open_lines and open_lines[-1][1] >= depth:
            begin, _ = open_lines.pop()
            if last > begin:
                yield begin, last, False
        open_lines.append((number, depth))
        last = number


def _comments(lines: Sequence[str]) -> Iterator[tuple[int, int, bool]]:
    """Yield the ranges of comments of several lines."""
    begin = 0
    for number, row in enumerate([*lines, ""], start=1):
        if row.lstrip().startswith("#"):
            begin = begin or number
        else:
            if begin and number - 1 > begin:
                yield begin, number - 1, True
            begin = 0


@attrs.frozen
class Hint:
    """An inlay hint: a text to show at a place."""

    line: int
    column: int
    text: str


def hints(document: GameDocument, first: int = 1, last: int = 10**9) -> list[Hint]:
    """Hints with the sorts of names where they are bound or defined, on the lines from `first` to `last`."""
    result = []
    for item in document.occurrences:
        if not (item.declares and item.sort and first <= item.span.line <= last):
            continue
        place = item.meaning.place or (
            document.world.declared.get(item.meaning.text) if item.meaning.kind is NameKind.DEFINITION else None)
        sort = None if place is None else document.notes.sorts.get(place)
        if sort is not None and not isinstance(sort, Unknown):
            result.append(Hint(item.span.end_line, _behind(document, item), f": {sort}"))
    return result


def _behind(document: GameDocument, item: Occurrence) -> int:
    """The column of a hint: after the name, or after the brackets of a definition."""
    row = document.source.line(item.span.line)
    if item.meaning.kind is not NameKind.DEFINITION:
        return item.span.end_column
    head = row[item.span.end_column - 1 :]
    brackets = re.match(r"(\[[^\]]*\])?\s*(\([^)]*\))?", head)
    return item.span.end_column + (len(brackets.group().rstrip()) if brackets else 0)


def runnable(document: GameDocument) -> Span | None:
    """The place of the title, above which a game can be run; None where the file has none."""
    title = next(iter(document.parsed.file.all(rules.GameTitle)), None)
    return None if title is None else title.span

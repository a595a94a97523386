"""Changes of a game file: declarations added, exchanged or left out, as one writes them on the command line.

`Change.of(text)` reads a change; `apply(source, change)` gives the changed text. A change is one of these:

    win mover when line(mine, 4)      declarations, which take the place of those of their kind and name
    without pie rule                  the declarations that begin with these words are left out
    win to lose                       declarations that begin with the first words begin with the others instead
    as it is                          nothing is changed

The result is a text; whether it is a game is checked by whoever loads it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

import attrs

from dsl.diagnostics import Diagnostic, has_errors
from dsl.syntax import rules
from dsl.syntax.chunks import Chunk, code_of, cut, is_code
from dsl.syntax.parser import parse
from dsl.syntax.source import Source, Span

UNCHANGED = "as it is"
"""The change that changes nothing, as one alternative among others."""
_WITHOUT = re.compile(r"without\s+(\S.*)", re.DOTALL)
_EXCHANGE = re.compile(r"(\S.*?)\s+to\s+(\S.*)", re.DOTALL)


class ChangeError(ValueError):
    """A change that cannot be read, or that does not apply to a file; says why and what was expected."""


@attrs.frozen
class Change:
    """One change of a file."""

    kind: Literal["declare", "without", "exchange", "as it is"]
    text: str
    """As it was written."""
    first: str = ""
    """Of `without` and `exchange`, the words that declarations begin with."""
    second: str = ""
    """Of `exchange`, the words that they begin with instead."""

    @classmethod
    def of(cls, text: str) -> Change:
        """Read a change; `\\n` in it is the end of a line. Raises ChangeError."""
        plain = text.replace("\\n", "\n").strip("\n").rstrip()
        if not plain.strip() or plain.split() == UNCHANGED.split():
            return cls("as it is", UNCHANGED)
        left_out = _WITHOUT.fullmatch(plain.strip())
        if left_out is not None:
            return cls("without", plain.strip(), left_out[1])
        parsed = parse(Source("<change>", plain + "\n"))
        if parsed.file.declarations and not has_errors(parsed.diagnostics):
            return cls("declare", plain)
        exchanged = _EXCHANGE.fullmatch(plain.strip())
        if exchanged is not None and "\n" not in plain:
            return cls("exchange", plain.strip(), exchanged[1], exchanged[2])
        problem = next((item for item in parsed.diagnostics if item.severity == "error"), None)
        reason = f": {problem.phrase}" if problem is not None else ""
        raise ChangeError(f"'{plain}' is no change of a game{reason}; expected a declaration such as "
                          "'win mover when line(mine, 4)', 'without pie rule', 'win to lose' or 'as it is'")


@attrs.frozen
class _Place:
    """A declaration in a text: its first line and the line after its last code, both from 0, and what it is."""

    first: int
    stop: int
    key: tuple[str, ...]
    text: str
    """Its first line of code, with single spaces."""


def apply(source: Source, *changes: Change) -> Source:
    """The text after changes, one after another, under the same name. Raises ChangeError where one does not apply."""
    for change in changes:
        source = _applied(source, change)
    return source


def _applied(source: Source, change: Change) -> Source:
    if change.kind == "as it is":
        return source
    source = one_by_one(source)
    match change.kind:
        case "without":
            return _without(source, change.first)
        case "exchange":
            return _exchanged(source, change)
    return _declared(source, change.text)


def one_by_one(source: Source) -> Source:
    """The text with lists of declarations as declarations on lines of their own, so that each can be changed."""
    lines = list(source.lines)
    ignored: list[Diagnostic] = []
    for chunk in reversed([*cut(source, ignored)]):
        items = parse(Source("<part>", "\n".join(chunk.rows) + "\n")).file.declarations
        if len(items) < 2:
            continue
        word = chunk.rows[0].split(maxsplit=1)[0]
        texts = [_text(chunk.rows, item.span) for item in items]
        last = max(number for number, row in enumerate(chunk.rows) if is_code(row))
        lines[chunk.line - 1 : chunk.line + last] = [texts[0], *(f"{word} {text}" for text in texts[1:])]
    return source if lines == [*source.lines] else Source(source.name, "\n".join(lines))


def _text(rows: Sequence[str], span: Span) -> str:
    """What stands at a place of some rows, on one line."""
    inside = [code_of(row) for row in rows[span.line - 1 : span.end_line]]
    whole = [row[: len(code)] for row, code in zip(rows[span.line - 1 : span.end_line], inside, strict=True)]
    whole[-1] = whole[-1][: span.end_column - 1]
    whole[0] = whole[0][span.column - 1 :]
    return " ".join(part.strip() for part in whole)


def _without(source: Source, words: str) -> Source:
    begun = _beginning(words)
    gone = [place for place in places(source) if begun.match(place.text)]
    if not gone:
        raise ChangeError(_none_begins(source, words))
    return _edited(source, gone, {})


def _exchanged(source: Source, change: Change) -> Source:
    begun = _beginning(change.first)
    lines = list(source.lines)
    result = [place for place in places(source) if begun.match(place.text)]
    if not result:
        raise ChangeError(_none_begins(source, change.first))
    spaced = re.compile(r"\s+".join(map(re.escape, change.first.split())))
    for place in result:
        lines[place.first] = spaced.sub(lambda _: change.second, lines[place.first], count=1)
    return Source(source.name, "\n".join(lines))


def _declared(source: Source, text: str) -> Source:
    """The text with declarations in the place of those of their kind and name."""
    addition = one_by_one(Source("<change>", text + "\n"))
    there = places(source)
    keys = dict.fromkeys(place.key for place in places(addition))
    gone = [place for place in there if place.key in keys]
    pieces: dict[tuple[str, ...], list[str]] = {key: [] for key in keys}
    for place in places(addition):
        pieces[place.key].append("\n".join(addition.lines[place.first:place.stop]))
    put: dict[int, list[str]] = {}
    for key, added in pieces.items():
        at = next((place.first for place in gone if place.key == key), None)
        if at is None:  # params are named before they are used, all else in any order
            heads = [place for place in there if place.key[0] in ("GameTitle", "Param")]
            at = heads[-1].stop if key[0] == "Param" and heads else len(source.lines)
        put.setdefault(at, []).extend(added)
    return _edited(source, gone, put)


def _edited(source: Source, gone: list[_Place], put: dict[int, list[str]]) -> Source:
    """The text without some declarations, and with others before some lines."""
    left_out = {number for place in gone for number in range(place.first, place.stop)}
    lines: list[str] = []
    for number, line in enumerate(source.lines):
        lines += put.get(number, [])
        if number not in left_out:
            lines.append(line)
    while lines and not lines[-1].strip():
        lines.pop()
    return Source(source.name, "\n".join([*lines, *put.get(len(source.lines), [])]) + "\n")


def places(source: Source) -> list[_Place]:
    """The declarations of a text, in order; what cannot be parsed is left out."""
    result: list[_Place] = []
    ignored: list[Diagnostic] = []
    for chunk in cut(source, ignored):
        parsed = parse(Source("<part>", "\n".join(chunk.rows) + "\n"))
        if not parsed.file.declarations:
            continue
        last = max(number for number, row in enumerate(chunk.rows) if is_code(row))
        result.append(_Place(chunk.line - 1, chunk.line + last, key_of(parsed.file.declarations[0]), _head(chunk)))
    return result


def _head(chunk: Chunk) -> str:
    return " ".join(code_of(chunk.rows[0]).split())


def key_of(item: rules.Declaration) -> tuple[str, ...]:
    """What tells a declaration from others of a file: its kind, and what it is about where a kind has several."""
    kind = type(item).__name__
    match item:
        case rules.End():
            return (kind, item.kind, "" if item.player is None else item.player.text)
        case rules.Definition():
            return (kind, item.name.text, item.case_text)
        case rules.Notation():
            return (kind, *(name.text for name in item.moves))
        case rules.Show():
            return (kind, item.piece.text)
    name = getattr(item, "name", None)
    return (kind, name.text) if isinstance(name, rules.Name) else (kind,)


def _beginning(words: str) -> re.Pattern[str]:
    """What texts match that begin with some words."""
    return re.compile(r"\s+".join(map(re.escape, words.split())) + r"(?![A-Za-z_0-9])")


def _none_begins(source: Source, words: str) -> str:
    from dsl.diagnostics import closest

    heads = sorted({result[0] for place in places(source)
                    if (result := re.match(r"[A-Za-z_]\w*(?: +[A-Za-z_]\w*)?", place.text)) is not None})
    meant = closest(words, heads)
    hint = f"did you mean '{meant}'?" if meant else "its declarations begin with " + ", ".join(heads)
    return f"no declaration of {source.name} begins with '{words}'; {hint}"

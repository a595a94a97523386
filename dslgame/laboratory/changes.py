"""Changes of a game file: declarations added, replaced or removed, in the syntax of the command line.

`Change.of(text)` parses a change; `apply(source, change)` returns the changed text. A change is one of these:

    win mover when line(mine, 4)      adds declarations, which replace those of the same kind and name
    without pie rule                  removes the declarations that begin with these words
    win to lose                       replaces the words at the beginning of declarations
    as it is                          changes nothing

The result is a text, which is not checked to be a valid game.
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
"""The text of the change that changes nothing, used as one of several alternatives."""
_WITHOUT = re.compile(r"without\s+(\S.*)", re.DOTALL)
_EXCHANGE = re.compile(r"(\S.*?)\s+to\s+(\S.*)", re.DOTALL)


class ChangeError(ValueError):
    """A change cannot be parsed, or does not apply to a file; the message says why and what was expected."""


@attrs.frozen
class Change:
    """One change of a file."""

    kind: Literal["declare", "without", "exchange", "as it is"]
    text: str
    """The change as it was written."""
    first: str = ""
    """For `without` and `exchange`, the words that the affected declarations begin with."""
    second: str = ""
    """For `exchange`, the words that replace them."""

    @classmethod
    def of(cls, text: str) -> Change:
        """Parse a change, in which `\\n` stands for a line break. Raises ChangeError."""
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
    """A declaration in a text: its first line, the line after its last code, both from 0, and its key (`key_of`)."""

    first: int
    stop: int
    key: tuple[str, ...]
    text: str
    """Its first line of code, with single spaces."""


def apply(source: Source, *changes: Change) -> Source:
    """Apply changes in order; the result has the same name. Raises ChangeError where one does not apply."""
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
    """Split lists of declarations into one declaration per line, so that each can be changed by itself."""
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
    """The code of a span of rows, joined to one line."""
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
    """Add declarations to a text, in place of those with the same key."""
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
        if at is None:  # params must be declared before they are used, all else may come in any order
            heads = [place for place in there if place.key[0] in ("GameTitle", "Param")]
            at = heads[-1].stop if key[0] == "Param" and heads else len(source.lines)
        put.setdefault(at, []).extend(added)
    return _edited(source, gone, put)


def _edited(source: Source, gone: list[_Place], put: dict[int, list[str]]) -> Source:
    """The text without the declarations `gone`, and with the texts `put` inserted before lines by number."""
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
    """The declarations of a text, in order, without those that cannot be parsed."""
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
    """The key that a declaration is replaced by: its kind, and where a file may have several of the kind, its subject.
    """
    kind = type(item).__name__
    match item:
        case rules.End():
            return (kind, item.kind, "" if item.player is None else item.player.text)
        case rules.Definition():
            return (kind, item.name.text, item.case_text)
        case rules.Notation():
            return (kind, *(name.text for name in item.moves))
        case rules.Show():
            return (kind, item.piece.text, "" if item.whose is None else item.whose.text)
        case rules.Payoff():
            return (kind, item.player.text)
        case rules.Hidden():
            return (kind, _hidden(item.what))
    name = getattr(item, "name", None)
    return (kind, name.text) if isinstance(name, rules.Name) else (kind,)


def _hidden(what: rules.Choice | rules.Index | rules.Name) -> str:
    """The name of the variable or set that is hidden; '' for cells."""
    if isinstance(what, rules.Name):
        return what.text
    return what.name.text if isinstance(what, rules.Index) else ""


def _beginning(words: str) -> re.Pattern[str]:
    """The pattern of texts that begin with some words, separated by any white space."""
    return re.compile(r"\s+".join(map(re.escape, words.split())) + r"(?![A-Za-z_0-9])")


def _none_begins(source: Source, words: str) -> str:
    from dsl.diagnostics import closest

    heads = sorted({result[0] for place in places(source)
                    if (result := re.match(r"[A-Za-z_]\w*(?: +[A-Za-z_]\w*)?", place.text)) is not None})
    meant = closest(words, heads)
    hint = f"did you mean '{meant}'?" if meant else "its declarations begin with " + ", ".join(heads)
    return f"no declaration of {source.name} begins with '{words}'; {hint}"

"""Diagnostics of game files as data, and their rendering.

A `Diagnostic` is created by the parser, the checker and the tools that play a game to check it; it never prints itself.
`render` creates the text for people, `as_json` the stable interface for programs. `dsl.diagnostics.catalogue` has the
meaning of each code.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import lru_cache
from typing import Literal

import attrs

from dsl.syntax.foreign_syntax import synonym
from dsl.syntax.source import Source, Span

MAX_CANDIDATES = 500
"""The maximum number of known words that are searched for a similar one."""
MAX_WORD = 60
"""The maximum length of a word for which a similar one is searched."""

PLACEHOLDER = "_here_"
"""A name that an editor puts into a text to ask what could stand there."""
_HEARD: ContextVar[list[tuple[str, ...]] | None] = ContextVar("_HEARD", default=None)
"""Collects the words that are expected in the place of the placeholder, while an editor asks."""

Severity = Literal["error", "warning", "note"]


@attrs.frozen
class Label:
    """A further place that belongs to a diagnostic, with a text."""

    span: Span
    text: str


DECLARED = "declared here"
"""The text of a label at the declaration of a name."""


@attrs.frozen
class Diagnostic:
    """One finding about a source."""

    code: str
    severity: Severity
    phrase: str
    """In lower case: what was found, then what was expected."""
    span: Span
    help: str = ""
    """A sentence on what to do about it."""
    suggestion: str = ""
    """Text that could replace the span; empty where there is none."""
    labels: tuple[Label, ...] = ()


class GameFileError(ValueError):
    """A game file with errors; contains every diagnostic and the source, and renders as text."""

    def __init__(self, source: Source, diagnostics: Sequence[Diagnostic]) -> None:
        self.source = source
        self.diagnostics = tuple(diagnostics)
        super().__init__("\n".join(render(item, source) for item in self.diagnostics))


def error(code: str, phrase: str, span: Span, *, help: str = "", suggestion: str = "",
          labels: Iterable[Label] = ()) -> Diagnostic:
    """Create a diagnostic that makes the file unusable."""
    return Diagnostic(code, "error", phrase, span, help, suggestion, tuple(labels))


def warning(code: str, phrase: str, span: Span, *, help: str = "", suggestion: str = "",
            labels: Iterable[Label] = ()) -> Diagnostic:
    """Create a diagnostic that leaves the file usable."""
    return Diagnostic(code, "warning", phrase, span, help, suggestion, tuple(labels))


def note(code: str, phrase: str, span: Span, *, help: str = "") -> Diagnostic:
    """Create a diagnostic that only suggests something."""
    return Diagnostic(code, "note", phrase, span, help)


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether any of them is an error."""
    return any(item.severity == "error" for item in diagnostics)


def in_source_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """Sort by place, with errors before warnings at the same place, and remove duplicates."""
    unique = dict.fromkeys(diagnostics)
    return sorted(unique, key=lambda item: (item.span.line, item.span.column, item.severity, item.code))


def closest(word: str, known: Iterable[str]) -> str:
    """The known word that the given one is probably meant to be, or ''.

    In order of preference: the same except for case, another word for it, at most two edits away (one for words of up
    to four letters), or a close match of `difflib`.
    """
    candidates = tuple(sorted(set(known)))
    if word != PLACEHOLDER:
        return _closest(word, candidates)
    heard = _HEARD.get()
    if heard is not None:
        heard.append(candidates)
    return ""


@lru_cache(maxsize=1_000)
def _closest(word: str, candidates: tuple[str, ...]) -> str:
    """`closest` for sorted words, cached: a piece is unknown everywhere while its declaration is being written."""
    same = next((candidate for candidate in candidates if candidate.lower() == word.lower()), "")
    if same or synonym(word, candidates):
        return same or synonym(word, candidates)
    if len(candidates) > MAX_CANDIDATES or len(word) > MAX_WORD:
        return ""
    best, best_distance = "", 3 if len(word) > 4 else 2
    for candidate in candidates:
        distance = _edit_distance(word.lower(), candidate.lower(), best_distance)
        if distance < best_distance and distance < len(candidate):
            best, best_distance = candidate, distance
    if best:
        return best
    matches = difflib.get_close_matches(word, candidates, n=1, cutoff=0.75)
    return matches[0] if matches else ""


@contextmanager
def listening() -> Iterator[list[tuple[str, ...]]]:
    """Collect what is expected in the place of each placeholder: a tuple of words for each place."""
    heard: list[tuple[str, ...]] = []
    token = _HEARD.set(heard)
    try:
        yield heard
    finally:
        _HEARD.reset(token)


def did_you_mean(word: str, known: Iterable[str]) -> tuple[str, str]:
    """The help and the suggestion for a misspelt word: (`did you mean 'x'?`, `x`), or two empty strings."""
    result = closest(word, known)
    return (f"did you mean '{result}'?", result) if result else ("", "")


def _edit_distance(left: str, right: str, bound: int) -> int:
    """The number of insertions, deletions, replacements and swaps of neighbours between two words; at most `bound`."""
    if abs(len(left) - len(right)) >= bound:
        return bound
    before: list[int] = []
    previous = list(range(len(right) + 1))
    for i, a in enumerate(left, start=1):
        current = [i]
        for j, b in enumerate(right, start=1):
            cost = min(previous[j] + 1, current[j - 1] + 1, previous[j - 1] + (a != b))
            if i > 1 and j > 1 and a == right[j - 2] and left[i - 2] == b:
                cost = min(cost, before[j - 2] + 1)
            current.append(cost)
        before, previous = previous, current
    return min(previous[-1], bound)


def _width(text: str) -> int:
    """The number of terminal columns that the text takes."""
    return sum(0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)


def _printable(text: str) -> str:
    """The text with control characters replaced, so that a hostile file cannot control the terminal."""
    return "".join(c if c.isprintable() or c == " " else "\ufffd" for c in text)


def _excerpt(source: Source, span: Span, mark: str, text: str = "") -> list[str]:
    """The source line with a caret line below it; long lines are cut around the place."""
    line = source.line(span.line)
    indent = line[: len(line) - len(line.lstrip(" \t"))].replace("\t", "    ")  # as the parser reads it
    line = _printable(indent + line.lstrip(" \t").replace("\t", " "))
    start = min(span.column - 1, len(line))
    stop = min(span.end_column - 1, len(line)) if span.end_line == span.line else len(line)
    stop = max(stop, start + 1)
    if len(line) > 160:
        left = max(0, start - 60)
        line = ("…" if left else "") + line[left : left + 120] + "…"
        start, stop = start - left + bool(left), min(stop - left + bool(left), len(line))
        stop = max(stop, start + 1)
    number = str(span.line)
    pad = " " * len(number)
    carets = " " * _width(line[:start]) + mark * max(1, _width(line[start:stop]))
    return [f"  {number} | {line}".rstrip(), f"  {pad} | {carets}{' ' + text if text else ''}"]


def render(diagnostic: Diagnostic, source: Source) -> str:
    """The text of a diagnostic for people: place, phrase, the line with a caret, help."""
    span = diagnostic.span
    place = f"{source.name}:{span.line}:{span.column}" if source.text else source.name
    rows = [f"{place}: {diagnostic.severity}[{diagnostic.code}]: {diagnostic.phrase}"]
    if source.text:
        rows += _excerpt(source, span, "^")
        for label in diagnostic.labels:
            rows += _excerpt(source, label.span, "-", label.text)
    if diagnostic.help:
        rows.append(f"  help: {diagnostic.help}")
    return "\n".join(_printable(row) for row in rows)


def as_json(diagnostic: Diagnostic, source: Source) -> dict[str, object]:
    """A diagnostic for programs: code, severity, phrase, file, span, help, suggestion, labels."""
    return {
        "code": diagnostic.code,
        "severity": diagnostic.severity,
        "phrase": diagnostic.phrase,
        "file": source.name,
        "span": attrs.asdict(diagnostic.span),
        "help": diagnostic.help or None,
        "suggestion": diagnostic.suggestion or None,
        "labels": [{"span": attrs.asdict(label.span), "text": label.text} for label in diagnostic.labels],
    }

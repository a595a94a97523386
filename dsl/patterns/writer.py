"""Formats pattern files, or converts them to the other form.

`format_patterns` formats a text; formatting the result again changes nothing, and the patterns stay the same. A line
that is too long is split into several that are equivalent together. With `form` it converts the text to that form, and
rejects what that form cannot express. Comments are kept.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from dsl.diagnostics import Diagnostic, GameFileError, in_source_order
from dsl.patterns import classic as classic_patterns
from dsl.patterns import rules as pattern_rules
from dsl.patterns.parser import parse_patterns
from dsl.syntax import rules
from dsl.syntax.formatter import MAX_COLUMNS, conjuncts
from dsl.syntax.source import Source, normalise

INDENT = "    "


def format_patterns(text: str, name: str = "<text>", form: str = "") -> str:
    """Return the formatted text of a pattern file, in its own form or in the one that is named.

    Raises `GameFileError` with every mistake that parsing finds, or with everything that the form cannot express.
    """
    source = Source(name, normalise(text))
    parsed = parse_patterns(source)
    if parsed.diagnostics:
        raise GameFileError(source, in_source_order(parsed.diagnostics))
    file = parsed.file
    wanted = form or file.form
    if wanted == pattern_rules.CLASSIC:
        result, problems = classic_patterns.classic_text(file)
        if problems:
            raise GameFileError(source, in_source_order(problems))
    else:
        result = readable_text(classic_patterns.as_readable(file) if file.form == pattern_rules.CLASSIC else file)
    _compare(source, file, Source(name, result))
    return result


def _compare(source: Source, before: pattern_rules.PatternFile, result: Source) -> None:
    """Check that the new text has the same patterns as before."""
    after = parse_patterns(result)
    problems: tuple[Diagnostic, ...] = after.diagnostics
    if problems:
        raise GameFileError(result, in_source_order(problems))
    if _content(before) != _content(after.file):
        raise AssertionError(f"formatting {source.name} would change its patterns: a mistake in dsl.patterns.writer")


def _content(file: pattern_rules.PatternFile) -> list[object]:
    """The content of patterns, whichever form they are written in."""
    result: list[object] = []
    for pattern in file.patterns():
        name = " ".join(pattern.name.split())
        result.append((pattern.kind, name, pattern.symmetric, pattern.priority, pattern.anchor))
        for line in pattern.statements:
            if isinstance(line, pattern_rules.Holds):
                result += [(line.negated, line.words, place) for place in line.places]
            elif isinstance(line, pattern_rules.Condition) and isinstance(line.expression, rules.AllOf):
                result += line.expression.operands  # equivalent to a line for each operand
            elif isinstance(line, pattern_rules.Condition):
                result.append(line.expression)
            else:
                result.append(line)
    return result


def readable_text(file: pattern_rules.PatternFile) -> str:
    """The text of a file in the readable form."""
    rows: list[str] = []
    for line in file.lines:
        new = list(_rows(line))
        if isinstance(line, (pattern_rules.Pattern, pattern_rules.Group)):
            _separate(rows)
        elif rows and rows[-1].startswith(INDENT) and new and new[0]:
            rows.append("")
        rows += [row for row in new if row or (rows and rows[-1])]
    while rows and not rows[-1]:
        rows.pop()
    return "".join(row + "\n" for row in rows)


def _separate(rows: list[str]) -> None:
    """Add a blank line before a pattern or group and the comments directly above it."""
    place = len(rows)
    while place and rows[place - 1].startswith("#"):
        place -= 1
    if place and rows[place - 1]:
        rows.insert(place, "")


def _rows(line: pattern_rules.Line) -> Iterator[str]:
    if isinstance(line, pattern_rules.Comment):
        yield line.comment
        return
    remark = f"  {line.comment}" if line.comment else ""
    *others, last = _codes(line)
    yield from others
    yield last + remark
    if isinstance(line, pattern_rules.Pattern):
        for part in line.lines:
            for row in _rows(part):
                yield INDENT + row if row else ""
    elif isinstance(line, pattern_rules.Example):
        for drawn in line.rows:
            yield INDENT + " " * drawn.lead + drawn.signs


def _codes(line: pattern_rules.Line) -> list[str]:
    """The code of a line, split into several equivalent lines where it would be too long."""
    code = _code(line)
    if len(INDENT + code) <= MAX_COLUMNS:
        return [code]
    if isinstance(line, pattern_rules.Condition) and isinstance(line.expression, rules.AllOf):
        parts = conjuncts(line.text)
        return [f"where {part}" for part in parts] if len(parts) == len(line.expression.operands) else [code]
    if isinstance(line, pattern_rules.Holds) and len(line.places) > 1:
        half = len(line.places) // 2
        return [row for places in (line.places[:half], line.places[half:])
                for row in _codes(attrs.evolve(line, places=places))]
    return [code]


def _code(line: pattern_rules.Line) -> str:
    match line:
        case pattern_rules.PatternsFor(title=title):
            return "patterns" if title is None else f'patterns for "{title}"'
        case pattern_rules.Symmetries(phrase=phrase):
            return " ".join(["symmetries", *(word.text for word in phrase)])
        case pattern_rules.AnchorLine(kind=kind, anchor=anchor):
            return " ".join(word for word in ("anchor", kind, anchor_text(anchor)) if word)
        case pattern_rules.Group(name=name):
            return f'group "{name}"'
        case pattern_rules.Pattern():
            words = [line.kind, f'"{line.name}"', "symmetric" if line.symmetric else "",
                     f"priority {line.priority}" if line.priority is not None else "",
                     f"at {anchor_text(line.anchor)}" if line.anchor is not None else ""]
            return " ".join(word for word in words if word) + ":"
        case pattern_rules.Holds():
            words = ["not" if line.negated else "", " or ".join(word.text for word in line.words)]
            return " ".join([*filter(None, words), ", ".join(place.text for place in line.places)])
        case pattern_rules.Outside(places=places):
            return "outside " + ", ".join(place.text for place in places)
        case pattern_rules.LinkTest():
            words = ["no" if line.negated else "", line.layer.text, "exists" if line.exists else "possible"]
            return " ".join([*filter(None, words), *(place.text for place in line.places)])
        case pattern_rules.Condition(text=text):
            return f"where {text}"
        case pattern_rules.Play(text=text):
            return f"play {text}"
        case pattern_rules.Example():
            words = [f"{name}={value}" for name, value in line.params]
            words += [f"for {line.player.text}"] if line.player is not None else []
            return " ".join(["example", *words]) + ":"
    raise TypeError(f"no text for {type(line).__name__}")


def anchor_text(anchor: pattern_rules.Anchor) -> str:
    """The text of an anchor."""
    match anchor:
        case pattern_rules.ChainEnd(side=side):
            words = [side, "chain end"]
        case pattern_rules.PieceAnchor(side=side):
            words = [side, "piece"]
        case pattern_rules.LastMove():
            words = ["last move"]
        case pattern_rules.AnyCell():
            words = ["any cell"]
        case pattern_rules.CellIn(text=text):
            words = ["cell in", text]
        case _:
            raise TypeError(f"no text for {type(anchor).__name__}")
    if anchor.toward is not None:
        words += ["toward", anchor.toward.side, "goal"]
    return " ".join(word for word in words if word)

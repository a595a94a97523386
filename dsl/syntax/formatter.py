"""The formatter of `.game` files.

`format_text` normalises the spaces, indentation and blank lines of a text, and breaks lines that are too long. It works
on the tokens of each line, not on rule objects, so that comments and the author's line breaks are kept; the words and
their order never change. The format command calls it. It does not check the rules: a text only has to parse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Literal

import attrs

from dsl.diagnostics import GameFileError, in_source_order
from dsl.syntax.chunks import goes_on
from dsl.syntax.parser import parse
from dsl.syntax.source import Source, normalise

INDENT = 4
"""Columns of one indentation level, and of a continuation line; a continuation line above a block has two of them."""
COMMENT_COLUMN = 39
"""Columns before the comment at the end of a line, where the code is short enough."""
COMMENT_GAP = 2
"""The minimum number of columns between code and comment."""
MAX_COLUMNS = 100
"""Longer lines of code are broken, and comments are not aligned where that would make a line longer."""

_TOKEN = re.compile(r'"[^"]*"|#.*|[A-Za-z_][A-Za-z_0-9]*|[0-9]+|[:+\-!<>]=|\.\.|\S')
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_PARTNERS = {")": "(", "]": "[", "}": "{"}
_OPENERS, _CLOSERS = frozenset(_PARTNERS.values()), frozenset(_PARTNERS)
_TIGHT = frozenset({".", ".."})
_REPAIRED = frozenset({"G110"})
"""Errors that formatting repairs: tabs in the indentation, which the parser reads as four spaces each."""

_BEFORE_OPERAND = frozenset({
    "and", "or", "not", "in", "is", "if", "else", "where", "when", "until", "without", "some", "no", "every",
    "div", "mod",
})
"""Words before an expression: a bracket or minus after one of them begins that expression."""
_BEFORE_OPERAND_FIRST = frozenset({"value", "carry", "put", "remove", "slide", "turn", "link", "unlink"})
"""Further such words, at the beginning of a line."""

_BEFORE_OPERAND_IN = {
    "chance": frozenset({"weight"}),
    "carry": frozenset({"to", "from", "onto", "under"}), "put": frozenset({"on", "under"}),
    "remove": frozenset({"from", "under"}), "piles": frozenset({"to"}), "link": frozenset({"to"}),
    "unlink": frozenset({"to"}), "slide": frozenset({"towards"}),
}
"""Further such words, in lines that begin with the key."""

_Kind = Literal["head", "inner", "comment"]


@attrs.frozen
class _Row:
    """A line that was read: its indentation, its tokens without the comment, and the comment or ''."""

    width: int
    tokens: tuple[str, ...]
    comment: str

    @property
    def code(self) -> str:
        """The code as one text, to test how it begins and ends."""
        return " ".join(self.tokens)


@attrs.define
class _Line:
    """A line to write; a blank line is the `gap` of the line after it."""

    kind: _Kind
    """`head` begins a declaration or an effect, `inner` continues it, `comment` is a comment line between these."""
    margin: int
    code: str
    comment: str
    gap: bool
    row: int
    """The index of the row it was made from."""

    @property
    def end(self) -> int:
        """The column after the code."""
        return self.margin + len(self.code)


def format_text(text: str, name: str = "<text>") -> str:
    """Return the formatted text; formatting it again changes nothing, and its rules are the same.

    Raises `GameFileError` with every syntax error, under the file's `name`; also where the result would exceed a size
    limit of files. Tabs in the indentation are not an error here: formatting repairs them.
    """
    source = Source(name, normalise(text))
    before = parse(source)
    if any(item.code not in _REPAIRED for item in before.diagnostics):
        raise GameFileError(source, in_source_order(before.diagnostics))
    lines = _in_room([_read(row) for row in source.lines])
    _separate(lines)
    _align_ends(lines)
    result = Source(name, "".join(_written(lines)))
    after = parse(result)
    if after.diagnostics:
        raise GameFileError(result, in_source_order(after.diagnostics))
    if after.file.declarations != before.file.declarations:
        raise AssertionError(f"formatting {name} would change its rules: a mistake in dsl.syntax.formatter")
    return result.text


# ---- reading


def _read(row: str) -> _Row:
    """Read one line, with tabs as the parser reads them."""
    body = row.lstrip(" \t")
    indentation = row[: len(row) - len(body)].replace("\t", "    ")
    tokens = _TOKEN.findall(body.replace("\t", " "))
    comment = tokens.pop().rstrip() if tokens and tokens[-1].startswith("#") else ""
    return _Row(len(indentation), tuple(tokens), comment)


# ---- indentation


def _placed(rows: Sequence[_Row]) -> list[_Line]:
    """The lines with their margins and spaces, and the author's blank lines as gaps."""
    lines: list[_Line] = []
    widths = [0]  # the author's indentation of each open block
    waiting: list[tuple[_Line, int]] = []  # comments whose block the next line of code decides, and their widths
    brackets: list[int] = []  # the margin of the line of each open bracket
    tokens: list[str] = []  # of the declaration or effect so far
    above: _Row | None = None  # the last line of code
    further: list[_Line] = []  # lines of the statement, from its first continuation outside of brackets on
    gap = False
    for number, row in enumerate(rows):
        if not row.tokens and not row.comment:
            gap = True
            continue
        line = _Line("head", 0, "", row.comment, gap, number)
        gap = False
        if brackets:
            line.kind, line.margin = "inner", _margin_inside(row, brackets)
            if further:
                further.append(line)
        elif not row.tokens:
            line.kind = "comment"
            waiting.append((line, row.width))
        elif above is not None and row.width > widths[-1] and goes_on(above.code, row.code):
            line.kind, line.margin = "inner", INDENT * len(widths)
            for comment, _ in waiting:
                comment.kind, comment.margin = "inner", line.margin
            further += [*(comment for comment, _ in waiting), line]
            waiting.clear()
        else:
            tokens, further = [], []
            _settle(waiting, widths, row.width)
            line.margin = INDENT * (len(widths) - 1)
        if row.tokens:
            above = row
        tokens += row.tokens
        line.code = _spaced(tokens, len(tokens) - len(row.tokens))
        _follow_brackets(row, line.margin, brackets)
        if further and not brackets and row.tokens and row.tokens[-1] == ":":  # the block must not look like a part
            for part in further:
                part.margin += INDENT
            further = []
        lines.append(line)
    _settle(waiting, widths, 0)
    return lines


def _margin_inside(row: _Row, brackets: Sequence[int]) -> int:
    """The margin of a line inside brackets: that of the line that opened them if it closes them first, else deeper."""
    closing = 0
    while closing < len(row.tokens) and row.tokens[closing] in _CLOSERS:
        closing += 1
    return brackets[-closing] if closing else brackets[-1] + INDENT


def _follow_brackets(row: _Row, margin: int, brackets: list[int]) -> None:
    for token in row.tokens:
        if token in _OPENERS:
            brackets.append(margin)
        elif token in _CLOSERS:
            brackets.pop()


def _settle(waiting: list[tuple[_Line, int]], widths: list[int], width: int) -> None:
    """Open or close blocks for a line of code of the given indentation, and set the margins of the comments above it.

    A comment belongs to the line below it. Where blocks end between the two, the comment stays in the innermost of them
    that its own indentation reaches, and later comments go no deeper.
    """
    before = list(widths)
    while width < widths[-1]:
        widths.pop()
    if width > widths[-1]:
        widths.append(width)
    last = len(widths) - 1
    level = max(len(before) - 1, last)
    for line, reach in waiting:
        while level > last and (level >= len(before) or reach < before[level]):
            level -= 1
        line.margin = INDENT * level
    waiting.clear()


# ---- lines that are too long


def _in_room(rows: Sequence[_Row]) -> list[_Line]:
    """The placed lines, with lines that are too long broken where possible."""
    rows = list(rows)
    whole: set[tuple[str, ...]] = set()  # rows that cannot be broken
    while True:
        lines = _placed(rows)
        long = [line.row for line in lines if line.end > MAX_COLUMNS and rows[line.row].tokens not in whole]
        if not long:
            return lines
        margins = {line.row: line.margin for line in lines}
        depths, heads = _contexts(rows)
        for number in reversed(long):
            row = rows[number]
            at = _break(row.tokens, depths[number], MAX_COLUMNS - margins[number])
            if at == 0:
                whole.add(row.tokens)
                continue
            width = max(row.width, heads[number] + 1)
            rows[number : number + 1] = [attrs.evolve(row, tokens=row.tokens[:at], comment=""),
                                         attrs.evolve(row, tokens=row.tokens[at:], width=width)]


def _contexts(rows: Sequence[_Row]) -> tuple[list[int], list[int]]:
    """For each row the number of open brackets at its beginning, and the indentation of the row where its statement
    begins."""
    depths, heads = [], []
    depth = head = 0
    above: _Row | None = None
    for row in rows:
        if row.tokens and not depth and (above is None or row.width <= head or not goes_on(above.code, row.code)):
            head = row.width
        depths.append(depth)
        heads.append(head)
        depth += sum((token in _OPENERS) - (token in _CLOSERS) for token in row.tokens)
        above = row if row.tokens else above
    return depths, heads


_LOOSENESS = (("when", "until", "without"), (",",), ("where",), (":",), ("if", "else"), ("or",), ("and",),
              (":=", "+=", "-=", "="), ("is", "!=", "<", "<=", ">", ">="), ("+", "-"), ("*", "div", "mod"),
              ("(", "[", "{"))
"""Tokens at which a line is broken, in order of preference: those that bind least first. A line is broken after a
comma, a colon, an assignment or an opening bracket, and before the others."""
_ASSIGNING = frozenset({":=", "+=", "-=", "="})
_BROKEN_AFTER = frozenset({",", ":", *_ASSIGNING, *_OPENERS})


def _break(tokens: tuple[str, ...], depth: int, room: int) -> int:
    """The index of the token before which to break a line that begins inside `depth` brackets; 0 where there is none.

    Prefers the place inside the fewest brackets, then that of the token that binds least, then the rightmost that fits
    in `room`.
    """
    best, result = (len(tokens), len(_LOOSENESS), 0), 0
    for at in range(1, len(tokens)):
        left, right = tokens[at - 1], tokens[at]
        depth += (left in _OPENERS) - (left in _CLOSERS)
        sign = left if left in _BROKEN_AFTER else right
        rank = next((number for number, signs in enumerate(_LOOSENESS) if sign in signs), -1)
        if rank < 0 or (left not in _BROKEN_AFTER and right in _BROKEN_AFTER) or right in _CLOSERS:
            continue
        if len(_spaced(tokens[:at], 0)) > room:
            break
        if (left in _ASSIGNING and len(_spaced(tokens, at)) > room - INDENT) or (left, right) == ("else", "if"):
            continue  # the value assigned would be broken again
        if depth <= 0 and not goes_on(" ".join(tokens[:at]), " ".join(tokens[at:])):
            continue
        if right == "-" and not _ends_operand(tokens, at - 1):
            continue  # the minus of a negative value
        if (depth, rank, -at) < best:
            best, result = (depth, rank, -at), at
    return result


# ---- spaces inside a line


def spaced(text: str) -> str:
    """Format a piece of code on one line."""
    tokens = _TOKEN.findall(text.strip())
    return _spaced(tokens, 0)


def conjuncts(text: str) -> list[str]:
    """The operands of each `and` outside of brackets in a condition, formatted."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in _TOKEN.findall(text.strip()):
        depth += (token in _OPENERS) - (token in _CLOSERS)
        if token == "and" and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return [_spaced(part, 0) for part in parts]


def _spaced(tokens: Sequence[str], start: int) -> str:
    """The tokens of a line from `start` on, with spaces between them."""
    return "".join(" " * (at > start and _apart(tokens, at)) + tokens[at] for at in range(start, len(tokens)))


def _apart(tokens: Sequence[str], at: int) -> bool:
    """Whether there is a space before a token."""
    left, right = tokens[at - 1], tokens[at]
    if left in _OPENERS or right in _CLOSERS or left in _TIGHT or right in _TIGHT or right in {",", ":", "["}:
        return False
    if (left, right) == ("]", "("):
        return False  # the parameters of a definition by cases
    if left == "-" and not _ends_operand(tokens, at - 2):
        return False  # the minus of a negative value
    if right == "(":
        return not (_WORD.fullmatch(left) and _ends_operand(tokens, at - 1))
    return True


def _ends_operand(tokens: Sequence[str], at: int) -> bool:
    """Whether a value or a name can end with a token, so that a bracket or a minus after it applies to it."""
    if at < 0:
        return False
    token = tokens[at]
    if token in _BEFORE_OPERAND or token in _BEFORE_OPERAND_IN.get(tokens[0], ()):
        return False
    if at == 0 and token in _BEFORE_OPERAND_FIRST:
        return False
    return token in _CLOSERS or token[0] == '"' or token[0].isalnum() or token[0] == "_"


# ---- blank lines


def _separate(lines: Sequence[_Line]) -> None:
    """Remove blank lines that separate nothing, and put one before and after each declaration with a block."""
    for above, line in pairwise(lines):
        opens = above.kind != "comment" and above.code[-1:] in {":", *_OPENERS}
        if opens or (line.kind == "inner" and line.code[:1] in _CLOSERS):
            line.gap = False
    starts = [at for at, line in enumerate(lines) if line.margin == 0 and line.kind == "head"]
    for start, stop in zip(starts, [*starts[1:], len(lines)], strict=True):
        inside = [at for at in range(start + 1, stop) if lines[at].kind == "head"]
        if not inside:
            continue
        below = (line for line in lines[inside[-1] : stop + 1] if line.kind != "inner" and line.margin == 0)
        if (after := next(below, None)) is not None:
            after.gap = True
        first = start
        while first and lines[first - 1].kind == "comment" and lines[first - 1].margin == 0 and not lines[first].gap:
            first -= 1
        lines[first].gap = True
    if lines:
        lines[0].gap = False


# ---- columns


def _align_ends(lines: Sequence[_Line]) -> None:
    """Align `when` in consecutive `win` and `lose` lines."""
    run: list[tuple[_Line, int]] = []  # lines, and where the name in them ends
    for line in lines:
        result = re.match(r"(?:win|lose) \w+(?= when\b)", line.code) if line.kind == "head" else None
        if line.kind == "inner" and not line.gap:
            continue
        if not result or line.gap:
            _pad(run)
            run = []
        if result:
            run.append((line, result.end()))
    _pad(run)


def _pad(run: Sequence[tuple[_Line, int]]) -> None:
    widest = max((end for _, end in run), default=0)
    for line, end in run:
        line.code = line.code[:end] + " " * (widest - end) + line.code[end:]


def _written(lines: Sequence[_Line]) -> Iterator[str]:
    """The text of the lines, with the comments at the ends of consecutive lines aligned."""
    run: list[_Line] = []
    for line in lines:
        if run and (line.gap or not line.code or not line.comment):
            yield from _with_comments(run)
            run = []
        if line.code and line.comment:
            run.append(line)
            if len(run) == 1 and line.gap:
                yield "\n"
        else:
            yield ("\n" if line.gap else "") + " " * line.margin + (line.code or line.comment) + "\n"
    yield from _with_comments(run)


def _with_comments(run: Sequence[_Line]) -> Iterator[str]:
    """Consecutive lines of code with their comments, aligned in the first column that keeps every line short enough:
    the usual one, or the one that the widest code needs; not aligned where neither does."""
    needed = max((line.end for line in run), default=0) + COMMENT_GAP
    longest = max((len(line.comment) for line in run), default=0)
    column = next((c for c in (max(COMMENT_COLUMN, needed), needed) if c + longest <= MAX_COLUMNS), 0)
    for line in run:
        space = " " * max(COMMENT_GAP, column - line.end)
        yield " " * line.margin + line.code + space + line.comment + "\n"

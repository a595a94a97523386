"""Cuts a file into declarations: each from a line that starts in the first column up to the next such line.

Layout mistakes are found here, before parsing: tabs, brackets and texts that are not closed, lines in the wrong column,
and lines and files that are too large. A chunk knows which of its lines have a mistake, so that `dsl.syntax.parser` can
leave them out and still read the rest. Used by `dsl.syntax.parser` and `dsl.syntax.syntax_errors` only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import attrs

from dsl.diagnostics import Diagnostic, Label, error
from dsl.syntax.grammar import DECLARATIONS
from dsl.syntax.source import Source, Span

MAX_NESTING = 60
"""The maximum nesting of expressions, blocks and brackets. The seed games need 12."""
MAX_COLUMNS = 1000
"""The maximum length of a line."""
MAX_ROWS = 1000
"""The maximum number of lines of a declaration."""
MAX_CHARACTERS = 50_000
"""The maximum number of characters of a declaration, over all its lines."""
MAX_DECLARATIONS = 1000

_EFFECT_WORDS = frozenset({
    "carry", "put", "remove", "slide", "turn", "let", "each", "if", "else", "then", "elif", "elsif", "elseif", "for",
    "while",
})
_BLOCK_WORDS = ("rare", "otherwise", "move", "step", "chance", "effect", "after", "forced", "start")
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_PIECES = re.compile(r'"[^"\n]*"|#[^\n]*|[()\[\]{}]|"')
_MASKED = re.compile(r'"[^"\n]*"|"[^"\n]*$|#[^\n]*')
_OPENERS = {")": "(", "]": "[", "}": "{"}
GOES_ON_WORDS = ("and", "or", "not", "in", "is", "if", "else", "where", "when", "until", "without", "div", "mod", "to",
                 "by", "linked")
GOES_ON_SIGNS = "+-*=<>.,:)]}"
_FIRST = re.compile(rf"({'|'.join(GOES_ON_WORDS)})(?![A-Za-z_0-9])|!=|[{re.escape(GOES_ON_SIGNS)}]")
"""Matches what cannot begin a statement: a line that begins with it continues the line above."""
_LAST = re.compile(
    r"(?:(?<![A-Za-z_0-9.])(and|or|not|in|is|if|else|where|when|until|without|div|mod|to|by)|[+\-*=<>.,])$"
)
"""Matches what cannot end a statement: the next line continues a line that ends with it."""
_CONTROL = re.compile("[\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069\\ufffe\\uffff]")
"""Characters that texts must not contain: control characters, other line ends, marks that change the writing direction,
and characters that XML lacks. They could control terminals, end lines in compiled rules and file formats, make a text
look like another one, and break pictures."""


def control_characters(texts: str, number: int, column: int = 1) -> Iterator[Diagnostic]:
    """Report the first control character in a text, if there is one.

    `texts` stands on line `number` of the file, from `column` on, counted from 1.
    """
    result = _CONTROL.search(texts)
    if result is not None:
        yield error("G117", f"the text holds the control character U+{ord(result.group()):04X}",
                    Span.at(number, column + result.start()),
                    help="delete it; it may be invisible in an editor, so write the text anew where need be")


def code_of(row: str) -> str:
    """A line without its comment and with the contents of its texts blanked out; columns stay the same."""
    return _MASKED.sub(lambda match: _blanked(match.group()), row).rstrip()


def _blanked(piece: str) -> str:
    if piece.startswith("#"):
        return ""
    return (
        '"' + " " * (len(piece) - 2) + '"' if len(piece) > 1 and piece.endswith('"') else '"' + " " * (len(piece) - 1)
    )


def indent_of(row: str) -> int:
    """The number of spaces that a line begins with."""
    return len(row) - len(row.lstrip(" "))


def goes_on(above: str, below: str) -> bool:
    """Whether a line of code continues the statement above, which is indented less. Decided by the last word or
    operator of the one and the first of the other; both are without comments."""
    above, below = above.rstrip(), below.strip()
    if not above or above.endswith(":"):
        return False
    first = _FIRST.match(below)
    if first is not None and not (first.group(1) in ("if", "else") and below.endswith(":")):
        return True
    return _LAST.search(above) is not None


def is_code(row: str) -> bool:
    """Whether a line has more than a comment."""
    return bool(row.strip()) and not row.strip().startswith("#")


@attrs.frozen
class Chunk:
    """The lines of one declaration; `line` is the number of the first in the file."""

    line: int
    rows: tuple[str, ...]
    heads: tuple[int, ...]
    """For each row, the row where its statement begins: another one where a bracket is open or the line continues
    another."""
    spoilt: tuple[int, ...] = ()
    """Rows with a mistake that was reported; the parser leaves them out."""
    hopeless: bool = False
    """Whether a reported mistake makes it pointless to parse the chunk."""
    joined: tuple[int, ...] = ()
    """Rows that continue the line above, outside of brackets."""

    @property
    def text(self) -> str:
        """The lines as one text for the grammar.

        A form feed is put before the end of each line that the next one continues, and comments between the two are
        left out; rows and columns of the rest stay the same.
        """
        rows = list(self.rows)
        for row in self.joined:
            above = row - 1
            while above >= 0 and not is_code(self.rows[above]):
                above -= 1
            if above < 0 or not is_code(self.rows[row]):
                continue
            for other in range(above, row):
                rows[other] = self.rows[other][: len(code_of(self.rows[other]))] + "\f"
        return "\n".join(rows) + "\n"

    def span(self, row: int, column: int, length: int = 1) -> Span:
        """The span of a place in the file: `row` counts from 0, `column` from 1."""
        return Span.at(self.line + row, column, max(1, length))

    def words(self) -> set[str]:
        """Every word in the chunk."""
        return set(_WORD.findall(self.text))

    def without(self, row: int) -> Chunk | None:
        """The chunk without a line of its block and the lines that depend on it; None where no block is left.

        The lines nested under the line are removed with it, and so are the `else` branches of an `if`.
        """
        row = self.heads[row] if row < len(self.heads) else row
        if not 0 < row < len(self.rows):
            return None
        rows = list(self.rows)
        depth, conditional = indent_of(rows[row]), code_of(rows[row]).split(maxsplit=1)[:1] in (["if"], ["else"])
        gone = {row}
        for below in range(row + 1, len(rows)):
            if self.heads[below] in gone:
                gone.add(below)
            elif self.heads[below] == below and is_code(rows[below]) and indent_of(rows[below]) <= depth:
                branch = re.match(r"else\b", rows[below].strip()) is not None
                if not (conditional and branch and indent_of(rows[below]) == depth):
                    break
                gone.add(below)
            elif self.heads[below] == below:
                gone.add(below)
        for spoilt in gone:
            rows[spoilt] = ""
        if not any(is_code(text) for text in rows[1:]):
            return None
        return attrs.evolve(self, rows=tuple(rows), spoilt=())


def cut(source: Source, diagnostics: list[Diagnostic]) -> Iterator[Chunk]:
    """Yield the declarations of a file; append layout mistakes to `diagnostics`."""
    cutter = _Cutter(diagnostics)
    for number, row in enumerate(source.lines, start=1):
        yield from cutter.take(number, row)
    yield from cutter.finish()


class _Cutter:
    """Collects lines until a declaration is complete."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        self.diagnostics = diagnostics
        self.lost: list[str] = []
        """Indented lines before the first declaration."""
        self.unclosed: set[str] = set()
        """Brackets reported as never closed: a later bracket that would close one is not reported."""
        self._begin(0)

    def _begin(self, number: int) -> None:
        self.start = number
        self.rows: list[str] = []
        self.heads: list[int] = []
        self.spoilt: list[int] = []
        self.joined: list[int] = []
        self.characters = 0
        self.hopeless = self.too_long = False
        self.stray = False
        self.stack: list[tuple[str, Span]] = []

    def _report(self, code: str, phrase: str, span: Span, help_text: str = "", labels: tuple[Label, ...] = ()) -> None:
        self.diagnostics.append(error(code, phrase, span, help=help_text, labels=labels))

    def take(self, number: int, row: str) -> Iterator[Chunk]:
        """Take one more line; yields the declaration before it when the line begins another."""
        oversized = len(row) > MAX_COLUMNS
        if oversized:
            self._report(
                "G008",
                f"the line is {len(row)} characters long, expected at most {MAX_COLUMNS}",
                Span.at(number, MAX_COLUMNS + 1),
                "inside brackets an expression may go on over several lines",
            )
            row = row[:80]
        line = self._without_tabs(row, number)
        spoilt = oversized
        if line[:1] in ("", " ", "#"):
            if is_code(line) and not self.start:
                self._lose(line, number)
        elif not self._continues(line, number):
            yield from self.finish()
            self._begin(number)
        elif not self.stack:
            spoilt = True  # a line of a block that is not indented
        if self.start:
            self._append(line, number, spoilt, oversized)

    def _append(self, line: str, number: int, spoilt: bool, oversized: bool) -> None:
        index, depth = len(self.rows), len(self.stack)
        above = -1 if depth else self._statement_above(line)
        self.heads.append(self.heads[-1] if depth else index if above < 0 else self.heads[above])
        if above >= 0:
            self.joined.append(index)
        self.rows.append(line)
        self.characters += len(line)
        if not self.too_long and (index >= MAX_ROWS or self.characters > MAX_CHARACTERS):
            limit = f"{MAX_ROWS} lines" if index >= MAX_ROWS else f"{MAX_CHARACTERS} characters"
            self._report("G008", f"the declaration has more than {limit}", Span.at(self.start, 1))
            self.hopeless = self.too_long = True
        if oversized or not self._scan(line, number):
            self.hopeless = self.hopeless or depth > 0 or len(self.stack) > 0
            spoilt = True
        if spoilt:
            self.spoilt.append(index)

    def _statement_above(self, line: str) -> int:
        """The row that a line continues, outside of brackets; -1 for none."""
        above = len(self.rows) - 1
        while above >= 0 and not is_code(self.rows[above]):
            above -= 1
        if above < 0 or not is_code(line) or indent_of(line) <= indent_of(self.rows[self.heads[above]]):
            return -1
        return above if goes_on(code_of(self.rows[above]), code_of(line)) else -1

    def _continues(self, line: str, number: int) -> bool:
        """Whether a line in the first column belongs to the declaration above; reported unless a bracket is open."""
        first = _WORD.match(line)
        word = first.group() if first else ""
        if self.stack and word not in DECLARATIONS:
            return True
        if not self.rows or word in DECLARATIONS or self.stack:
            return False
        header = code_of(self.rows[0])
        opener = _WORD.match(header)
        no_block = header.endswith(":") and not any(is_code(row) for row in self.rows[1:])
        effect = word in _EFFECT_WORDS or re.search(r":=|[+-]=", code_of(line)) is not None
        if opener is None or not (no_block or (effect and opener.group() in _BLOCK_WORDS)):
            return False
        if not self.stray:
            self._report(
                "G107",
                f"the line starts in the first column, expected it indented under '{opener.group()}'",
                Span.at(number, 1, len(code_of(line))),
                "indent the lines of a block by four spaces",
                (Label(Span.at(self.start, 1, len(header)), "the block it belongs to"),),
            )
        self.stray = True
        self.hopeless = self.hopeless or no_block
        return True

    def finish(self) -> Iterator[Chunk]:
        """Yield the declaration made of the lines so far, if there is one."""
        if self.stack:
            self._report_open()
            self.hopeless = True
        if self.rows:
            yield Chunk(self.start, tuple(self.rows), tuple(self.heads), tuple(self.spoilt), self.hopeless,
                        tuple(self.joined))
        elif self.lost and self.start == 0:
            yield Chunk(1, tuple(self.lost), tuple(range(len(self.lost))), hopeless=True)
        self._begin(self.start)

    def _lose(self, line: str, number: int) -> None:
        """Collect a line that is indented although no declaration has begun; the first is reported."""
        if not self.lost:
            self._report(
                "G106",
                "the line is indented, but nothing above it begins a block",
                Span.at(number, indent_of(line) + 1),
                "a declaration starts in the first column",
            )
        self.lost.append(line)

    def _without_tabs(self, row: str, number: int) -> str:
        """The line with tabs replaced by spaces; reports a tab in the indentation once a line. Form feeds become
        spaces."""
        row = row.replace("\f", " ")
        indent = row[: len(row) - len(row.lstrip(" \t"))]
        if "\t" in indent:
            if is_code(row):
                self._report(
                    "G110",
                    "a tab in the indentation, expected spaces",
                    Span.at(number, indent.index("\t") + 1),
                    "use four spaces for each level",
                )
            return indent.replace("\t", "    ") + row[len(indent) :].replace("\t", " ")
        return row.replace("\t", " ")

    def _scan(self, line: str, number: int) -> bool:
        """Track brackets through a line; False where the line has a mistake, which is reported."""
        good = True
        for match in _PIECES.finditer(line):
            piece, span = match.group(), Span.at(number, match.start() + 1)
            if piece == '"':
                self._report("G103", "the text that begins here is not closed on its line, expected '\"'", span)
                while self.stack and self.stack[-1][1].line == number:
                    self.stack.pop()
                return False
            if piece[0] == '"':
                self.diagnostics += control_characters(piece, number, match.start() + 1)
            if piece in "([{":
                self.stack.append((piece, span))
                if len(self.stack) == MAX_NESTING + 1:
                    self._report(
                        "G007",
                        f"brackets nest more than {MAX_NESTING} deep",
                        span,
                        "give parts of it names with 'define'",
                    )
                    self.hopeless = True
            elif piece in ")]}":
                good = self._close(piece, span) and good
        return good

    def _close(self, piece: str, span: Span) -> bool:
        if not self.stack:
            if _OPENERS[piece] not in self.unclosed:
                self._report("G105", f"'{piece}' closes nothing", span)
            return False
        opener, place = self.stack.pop()
        if opener != _OPENERS[piece]:
            self._report("G105", f"'{piece}' does not close '{opener}'", span, labels=(Label(place, "opened here"),))
            return False
        return True

    def _report_open(self) -> None:
        if len(self.stack) > MAX_NESTING or self.hopeless:
            return
        opener, span = self.stack[-1]
        self.unclosed.add(opener)
        ends_line = code_of(self.rows[span.line - self.start]).endswith(opener) and opener == "{"
        self._report(
            "G104",
            f"'{opener}' is never closed",
            span,
            "a block begins with ':' and is indented, without braces" if ends_line else "",
        )

"""Parses the text of pattern files into rule objects.

A file has one of two forms, recognised by its first words: readable files, whose lines are parsed one by one with
`pattern.lark`, and classic ones, which `dsl.patterns.classic` reads. A mistake in one line does not hide mistakes in
others. Every mistake becomes a diagnostic; no text of a user raises an exception.
"""

from __future__ import annotations

import re

import attrs
from lark import Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from dsl.diagnostics import Diagnostic, did_you_mean, error
from dsl.diagnostics.wording import either
from dsl.patterns import classic as classic_patterns
from dsl.patterns import rules as pattern_rules
from dsl.patterns.builder import PatternBuilder
from dsl.syntax import rules
from dsl.syntax.chunks import MAX_NESTING, code_of, control_characters, indent_of
from dsl.syntax.grammar import pattern_grammar
from dsl.syntax.source import MAX_LINES, Source, Span

HEADINGS = ("patterns", "symmetries", "anchor", "group", "offensive", "defensive")
"""The words that a line in the first column can begin with."""
STATEMENTS = ("own", "enemy", "empty", "not", "no", "outside", "where", "play", "example")
"""Words that a line of a pattern can begin with; it can also begin with the name of a set or kind of link."""
MAX_LINE = 1000
"""The maximum length of a line, and the maximum number of lines."""
MAX_ERRORS = 100
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")


@attrs.frozen
class ParsedPatterns:
    """The result of parsing: the rule objects that could be made, and every mistake."""

    file: pattern_rules.PatternFile
    diagnostics: tuple[Diagnostic, ...]


def parse_patterns(source: Source) -> ParsedPatterns:
    """Parse a whole file of either form. Never raises for any text."""
    if len(source.lines) > MAX_LINES:
        result = error("G008", f"the file has {len(source.lines)} lines, expected at most {MAX_LINES}",
                       Span.at(MAX_LINES, 1))
        return ParsedPatterns(pattern_rules.PatternFile(source, pattern_rules.READABLE, ()), (result,))
    if is_classic(source.text):
        file, diagnostics = classic_patterns.parse_classic(source)
    else:
        file, diagnostics = _Reader(source).read()
    if not any(file.patterns()) and not diagnostics:
        diagnostics.append(error("G006", "the file is empty, expected patterns", Span.at(1, 1),
                                 help='a file begins with: patterns for "Name of the game"'))
    if len(diagnostics) > MAX_ERRORS:
        last = diagnostics[MAX_ERRORS].span
        diagnostics[MAX_ERRORS:] = [error("G009", f"more than {MAX_ERRORS} mistakes; no more are shown", last,
                                          help="is this a .pattern file?")]
    return ParsedPatterns(file, tuple(diagnostics))


def is_classic(text: str) -> bool:
    """Whether a file has the classic form, decided by the first word of its first line of code."""
    for row in text.split("\n"):
        code = row.split("#")[0].strip()
        if code:
            word = code.split()[0].lower()
            readable = word in HEADINGS or code.endswith(":") or did_you_mean(word, HEADINGS)[1] != ""
            return word in classic_patterns.WORDS or not readable
    return False


class _Reader:
    """Reads a readable file line by line."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.diagnostics: list[Diagnostic] = []
        self.lines: list[pattern_rules.Line] = []
        self.head: pattern_rules.Pattern | None = None
        self.body: list[pattern_rules.Line] = []
        self.spoilt = False
        """Whether the following lines belong to a head that could not be parsed."""

    def read(self) -> tuple[pattern_rules.PatternFile, list[Diagnostic]]:
        """Parse the file: its rule objects and its mistakes."""
        rows = [row.replace("\t", "    ") for row in self.source.lines]
        number = 0
        while number < len(rows):
            row = rows[number]
            number += 1
            code = code_of(row)
            comment = row[len(code) :].strip()
            span = Span.at(number, 1, max(1, len(row)))
            self.diagnostics += control_characters(row[: len(code)], number)
            if len(row) > MAX_LINE:
                self._error("G008", f"the line has {len(row)} characters, expected at most {MAX_LINE}", span)
            elif not code.strip():
                (self.lines if self.head is None else self.body).append(
                    pattern_rules.Comment(span=span, comment=row.strip()))
            elif indent_of(row) == 0:
                self._close()
                self._heading(row, code, comment, number)
            else:
                number = self._statement(rows, row, code, comment, number)
        self._close()
        return pattern_rules.PatternFile(self.source, pattern_rules.READABLE, tuple(self.lines)), self.diagnostics

    def _error(self, code: str, phrase: str, span: Span, help: str = "", suggestion: str = "") -> None:
        self.diagnostics.append(error(code, phrase, span, help=help, suggestion=suggestion))

    def _close(self) -> None:
        """End the current pattern; comments and blank lines after its last line are put below it."""
        if self.head is None:
            return
        after: list[pattern_rules.Line] = []
        while self.body and isinstance(self.body[-1], pattern_rules.Comment) and (
                not self.body[-1].comment or indent_of(self.source.line(self.body[-1].span.line)) == 0):
            after.insert(0, self.body.pop())
        self.lines += [attrs.evolve(self.head, lines=tuple(self.body)), *after]
        self.head, self.body = None, []

    def _heading(self, row: str, code: str, comment: str, number: int) -> None:
        self.spoilt = False
        word = _first_word(code)
        span = Span.at(number, 1, max(1, len(word)))
        if word not in HEADINGS:
            help_text, suggestion = did_you_mean(word, HEADINGS) if word else ("", "")
            if word in STATEMENTS:
                help_text, suggestion = "the lines of a pattern are indented below its head", ""
            expected = either(HEADINGS)
            self._error("G601", f"no line begins with '{word or code[:1]}' here, expected {expected}", span, help_text,
                        suggestion)
            self.spoilt = True
            return
        result = self._parse(row, code, comment, number, "heading")
        if isinstance(result, pattern_rules.Pattern):
            self.head = result
        elif isinstance(result, pattern_rules.Line):
            self.lines.append(result)
        else:
            self.spoilt = word in (pattern_rules.OFFENSIVE, pattern_rules.DEFENSIVE)

    def _statement(self, rows: list[str], row: str, code: str, comment: str, number: int) -> int:
        """Read a line of a pattern, and the diagram below it where it is an example; returns the number of lines read
        so far."""
        start = number
        diagram: list[pattern_rules.Row] = []
        if _first_word(code) == "example":
            while number < len(rows) and (indent_of(rows[number]) > indent_of(row) and rows[number].strip()):
                signs = rows[number].split("#")[0].rstrip()
                column = indent_of(rows[number]) + 1
                lead = max(0, column - indent_of(row) - 5)
                diagram.append(pattern_rules.Row(signs.strip(), lead,
                                                 span=Span.at(number + 1, column, len(signs.strip()))))
                number += 1
        if self.spoilt:
            return number
        span = Span.at(start, indent_of(row) + 1, len(code.strip()))
        if self.head is None:
            self._error("G601", "the line is indented and belongs to no pattern, expected a head above it", span,
                        'for instance: offensive "two ahead":')
            return number
        result = self._parse(row, code, comment, start, "statement")
        if result is None:
            self.head = attrs.evolve(self.head, spoilt=True)
        if isinstance(result, pattern_rules.Example):
            if not diagram:
                self._error("G615", "nothing is drawn under this line, expected the rows of a board", span,
                            "indent a diagram below it: one sign for each cell")
            result = attrs.evolve(result, rows=tuple(diagram))
        if isinstance(result, pattern_rules.Line):
            self.body.append(result)
        return number

    def _parse(self, row: str, code: str, comment: str, number: int, start: str) -> object:
        """The rule object of a line; None where it has a mistake, which is reported."""
        try:
            tree = pattern_grammar().parse(row, start=start)
        except UnexpectedCharacters as bad:
            text = row[bad.column - 1 : bad.column]
            self._error("G108", f"'{text}' means nothing here", Span.at(number, bad.column))
            return None
        except UnexpectedToken as bad:
            self._unexpected(bad, row, code, number, start)
            return None
        except UnexpectedInput:
            self._error("G101", "the line ends too early", Span.at(number, len(code) + 1))
            return None
        assert isinstance(tree, Tree)
        builder = PatternBuilder(number, row, comment)
        result = builder.transform(tree)
        self.diagnostics += builder.diagnostics
        if rules.depth(result)[0] > MAX_NESTING:
            self._error("G007", f"this nests more than {MAX_NESTING} deep", result.span)
            return None
        return None if builder.diagnostics else result

    def _unexpected(self, bad: UnexpectedToken, row: str, code: str, number: int, start: str) -> None:
        token, ended = bad.token, bad.token.type == "$END"
        span = Span.at(number, len(code) + 1) if ended else Span.at(number, token.column or 1, len(token))
        word = _first_word(code)
        if start == "statement" and (token.start_pos == indent_of(row) or not ended) and word == str(token):
            help_text, suggestion = did_you_mean(word, STATEMENTS)
            self._error("G601", f"no line of a pattern begins with '{word}'", span, help_text, suggestion)
            return
        expected = _expectation({str(name) for name in (bad.accepts or bad.expected or ())})
        result = "the line ends here" if ended else f"found '{token}'"
        help_text, suggestion = "", ""
        if not ended and token.type == "NAME":
            help_text, suggestion = did_you_mean(str(token), _KEYWORDS)
        self._error("G101", f"{result}, expected {expected}", span, help_text, suggestion)


_KEYWORDS = ("chain", "end", "toward", "goal", "piece", "last", "move", "any", "cell", "own", "enemy", "symmetric",
             "priority", "possible", "exists", "for", "offensive", "defensive")
_PHRASES = {"NAME": "a name", "INT": "a number", "STRING": 'a text in "..."', "$END": "the end of the line",
            "KIND": "'offensive' or 'defensive'", "SIDE": "'own' or 'enemy'"}


def _expectation(terminals: set[str]) -> str:
    """A phrase for what was expected."""
    if {"NAME", "INT", "LBRACE"} <= terminals:
        return "a value"
    if "SIGN" in terminals and "TIMES" in terminals:
        return "an operator" + (" or the end of the line" if "$END" in terminals else "")
    fixed = {item.name: item.pattern.value for item in pattern_grammar().terminals if item.pattern.type == "str"}
    words = list(dict.fromkeys(_PHRASES.get(name) or f"'{fixed.get(name, name.lower())}'"
                               for name in sorted(terminals)))
    return either(words)


def _first_word(code: str) -> str:
    result = _WORD.match(code.strip())
    return result.group() if result else ""

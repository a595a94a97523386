"""From text to rule objects.

The text is cut into declarations (a line that starts in the first column, and the indented lines under it), and each
is parsed by itself: a mistake in one hides nothing in another. A mistake in one line of a block costs only that line.
Every mistake becomes a diagnostic; nothing is raised for the user's text. `dsl.checker` goes on from here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from importlib import resources
from typing import TypeVar

import attrs
from lark import Lark, Token, Tree
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedInput, UnexpectedToken
from lark.indenter import DedentError, Indenter

from dsl import rules
from dsl.builder import Builder
from dsl.diagnostics import Diagnostic, Label, did_you_mean, error
from dsl.source import MAX_LINES, Source, Span

MAX_DEPTH = 60
"""How deep expressions, blocks and brackets may nest. The seed games need 12."""
MAX_ERRORS = 100
"""More errors than this are counted, not shown."""

DECLARATIONS = (
    "game", "param", "players", "board", "pieces", "values", "coordinates", "var", "start", "define", "move", "forced",
    "illegal", "pass", "pie", "turn", "win", "lose", "draw", "no", "repetition", "symmetry", "notation", "value",
    "show",
)
"""The words that a declaration can begin with."""

_Node = TypeVar("_Node", bound=rules.Node)
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_PIECES = re.compile(r'"[^"\n]*"|#[^\n]*|[()\[\]{}]|"')
_OPENERS = {")": "(", "]": "[", "}": "{"}


class _Glued(Exception):
    """Two words of the grammar without a space between them, such as `inside` read as `in` and `side`."""

    def __init__(self, word: str, token: Token) -> None:
        super().__init__(word)
        self.word, self.token = word, token


class _Layout(Indenter):
    """Turns indentation into tokens, and refuses words that only look like two."""

    NL_type = "_NL"
    OPEN_PAREN_types = ["LPAR", "LSQB", "LBRACE"]  # noqa: RUF012  # Lark's own attributes
    CLOSE_PAREN_types = ["RPAR", "RSQB", "RBRACE"]  # noqa: RUF012
    INDENT_type = "_INDENT"
    DEDENT_type = "_DEDENT"
    tab_len = 4

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        return super().process(self._separate(stream))

    def _separate(self, stream: Iterator[Token]) -> Iterator[Token]:
        before: Token | None = None
        for token in stream:
            if before is not None and before.end_pos == token.start_pos and _is_wordy(before[-1:]) and _is_wordy(token[:1]):
                raise _Glued(str(before) + str(token), before)
            before = token
            yield token


def _is_wordy(text: str) -> bool:
    return text.isalnum() or text == "_"


@lru_cache(maxsize=1)
def _grammar() -> Lark:
    text = resources.files("dsl").joinpath("game.lark").read_text(encoding="utf-8")
    return Lark(text, parser="lalr", postlex=_Layout(), maybe_placeholders=True,
                propagate_positions=lambda node: not (isinstance(node, Token) and node.type in _LAYOUT_TOKENS))


_LAYOUT_TOKENS = {"_NL", "_INDENT", "_DEDENT", "_BLOCK"}


@attrs.frozen
class _Chunk:
    """The lines of one declaration; `line` is the number of the first in the file."""

    line: int
    rows: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.rows) + "\n"


@attrs.frozen
class Parsed:
    """What parsing gives: the rule objects that could be made, and every mistake."""

    file: rules.GameFile
    diagnostics: tuple[Diagnostic, ...]


def parse(source: Source) -> Parsed:
    """Parse a whole file. Never raises for any text."""
    diagnostics: list[Diagnostic] = []
    declarations: list[rules.Declaration] = []
    guesses: set[str] = set()
    if len(source.lines) > MAX_LINES:
        found = error("G008", f"the file has {len(source.lines)} lines, expected at most {MAX_LINES}", Span.at(MAX_LINES, 1))
        return Parsed(rules.GameFile(source, ()), (found,))
    for chunk in _chunks(source, diagnostics):
        if len(diagnostics) > MAX_ERRORS:
            diagnostics = diagnostics[:MAX_ERRORS]
            diagnostics.append(error("G009", f"more than {MAX_ERRORS} mistakes; the rest of the file was not read",
                                     Span.at(chunk.line, 1), help="is this a .game file?"))
            break
        before = len(diagnostics)
        declaration = _parse_chunk(chunk, diagnostics)
        if declaration is not None:
            declarations.append(declaration)
        if len(diagnostics) > before:
            guesses.update(_WORD.findall(chunk.text))
    if not declarations and not diagnostics:
        diagnostics.append(error("G006", "the file is empty, expected the rules of a game", Span.at(1, 1),
                                 help='a file begins with its title: game "Name"'))
    return Parsed(rules.GameFile(source, tuple(declarations), frozenset(guesses)), tuple(diagnostics))


def parse_expression(text: str, span: Span) -> rules.Expression | Diagnostic:
    """Parse one expression that stands inside a text, such as a notation's field; its places are all `span`."""
    diagnostics: list[Diagnostic] = []
    declaration = _parse_chunk(_Chunk(1, (f"value {text}",)), diagnostics)
    if diagnostics or not isinstance(declaration, rules.Value):
        phrase = diagnostics[0].phrase if diagnostics else f"found '{text}', expected an expression"
        return error("G114", f"in '{{{text}}}': {phrase}", span)
    return _relocated(declaration.expression, span)


def _relocated(node: _Node, span: Span) -> _Node:
    """The same node with every span replaced."""
    changes: dict[str, object] = {"span": span}
    for field in attrs.fields(type(node)):
        value = getattr(node, field.name)
        if isinstance(value, rules.Node):
            changes[field.name] = _relocated(value, span)
        elif isinstance(value, tuple):
            changes[field.name] = tuple(_relocated(v, span) if isinstance(v, rules.Node) else v for v in value)
    return attrs.evolve(node, **changes)


# ---- cutting


def _chunks(source: Source, diagnostics: list[Diagnostic]) -> Iterator[_Chunk]:
    """The declarations of a file as stretches of lines; layout mistakes are reported on the way."""
    start, rows = 0, list[str]()
    open_brackets: list[tuple[str, Span]] = []
    for number, row in enumerate(source.lines, start=1):
        line = _without_tabs(row, number, diagnostics)
        content = line.strip()
        if content and line[0] not in " #":
            first = _WORD.match(line)
            if open_brackets and not (first and first.group() in DECLARATIONS):
                pass  # the continuation of a bracket
            else:
                if open_brackets:
                    _report_open(open_brackets, diagnostics)
                    rows = []  # not parsed: its one mistake is known
                if rows:
                    yield _Chunk(start, tuple(rows))
                start, rows, open_brackets = number, [], []
        elif content and not content.startswith("#") and not rows and not open_brackets and start == 0:
            diagnostics.append(error("G106", "the line is indented, but nothing above it begins a block",
                                     Span.at(number, len(line) - len(line.lstrip()) + 1),
                                     help="a declaration starts in the first column"))
            continue
        if start:
            good = _scan_brackets(line, number, open_brackets, diagnostics)
            rows.append(line if good and content else "")  # nothing but odd spaces is a blank line
    if open_brackets:
        _report_open(open_brackets, diagnostics)
    elif rows:
        yield _Chunk(start, tuple(rows))


def _without_tabs(row: str, number: int, diagnostics: list[Diagnostic]) -> str:
    """The line with tabs in its indentation replaced, which is reported once a line."""
    indent = row[: len(row) - len(row.lstrip(" \t"))]
    if "\t" in indent:
        if row.strip() and not row.strip().startswith("#"):
            diagnostics.append(error("G110", "a tab in the indentation, expected spaces", Span.at(number, indent.index("\t") + 1),
                                     help="use four spaces for each level"))
        return indent.replace("\t", "    ") + row[len(indent) :].replace("\t", " ")
    return row.replace("\t", " ")


def _scan_brackets(line: str, number: int, stack: list[tuple[str, Span]], diagnostics: list[Diagnostic]) -> bool:
    """Follow brackets through a line; False when the line has a mistake that was reported."""
    good = True
    for match in _PIECES.finditer(line):
        piece, span = match.group(), Span.at(number, match.start() + 1)
        if piece == '"':
            diagnostics.append(error("G103", "the text that begins here is not closed on its line, expected '\"'", span))
            good = False
        elif piece in "([{":
            stack.append((piece, span))
            if len(stack) == MAX_DEPTH + 1:
                diagnostics.append(error("G007", f"brackets nest more than {MAX_DEPTH} deep", span,
                                         help="give parts of it names with 'define'"))
        elif piece in ")]}":
            if not stack:
                diagnostics.append(error("G105", f"'{piece}' closes nothing", span))
                good = False
            elif stack[-1][0] != _OPENERS[piece]:
                opener, place = stack.pop()
                diagnostics.append(error("G105", f"'{piece}' does not close '{opener}'", span,
                                         labels=[Label(place, "opened here")]))
                good = False
            else:
                stack.pop()
    return good and len(stack) <= MAX_DEPTH


def _report_open(stack: list[tuple[str, Span]], diagnostics: list[Diagnostic]) -> None:
    if len(stack) <= MAX_DEPTH:
        opener, span = stack[-1]
        diagnostics.append(error("G104", f"'{opener}' is never closed", span))


# ---- parsing


def _parse_chunk(chunk: _Chunk, diagnostics: list[Diagnostic]) -> rules.Declaration | None:
    """Parse one declaration; lines with mistakes are reported, dropped, and the rest is tried again."""
    first = _WORD.match(chunk.rows[0])
    if first is None or first.group() not in DECLARATIONS:
        if chunk.rows[0].strip():
            diagnostics.append(_unknown_declaration(chunk, first.group() if first else ""))
        return None
    complete = True
    while True:
        mistake = _try(chunk)
        if isinstance(mistake, Tree):
            break
        diagnostics.append(mistake)
        complete = False
        shorter = _without_line(chunk, mistake.span.line - chunk.line)
        if shorter is None:
            return None
        chunk = shorter
    builder = Builder(chunk.line)
    declaration: rules.Declaration = builder.transform(mistake).children[0]
    diagnostics.extend(builder.diagnostics)
    deepest, place = rules.depth(declaration)
    if deepest > MAX_DEPTH:
        diagnostics.append(error("G007", f"this nests {deepest} deep, expected at most {MAX_DEPTH}", place.span,
                                 help="give parts of it names with 'define'"))
        return None
    return declaration if complete or isinstance(declaration, (rules.MoveRule, rules.ForcedRule)) else None


def _try(chunk: _Chunk) -> Tree[Token] | Diagnostic:
    """The parse tree, or the first mistake."""
    try:
        return _grammar().parse(chunk.text)
    except _Glued as glued:
        token = glued.token
        span = _shifted(token.line or 1, token.column or 1, len(glued.word), chunk)
        return error("G101", f"found '{glued.word}', which does not fit here", span)
    except DedentError:
        return _bad_dedent(chunk)
    except UnexpectedCharacters as bad:
        span = _shifted(bad.line, bad.column, 1, chunk)
        return _character_mistake(chunk, span)
    except UnexpectedToken as bad:
        return _token_mistake(chunk, bad)
    except (UnexpectedEOF, UnexpectedInput, AssertionError):
        return error("G101", "the declaration ends too early", _shifted(len(chunk.rows), 1, 1, chunk))


def _shifted(line: int, column: int, length: int, chunk: _Chunk) -> Span:
    return Span.at(line + chunk.line - 1, column, max(1, length))


def _without_line(chunk: _Chunk, index: int) -> _Chunk | None:
    """The chunk without one line of its block and what is nested under it; None if that leaves no block."""
    if not 0 < index < len(chunk.rows):
        return None
    rows = list(chunk.rows)
    depth = _indent(rows[index])
    rows[index] = ""
    for below in range(index + 1, len(rows)):
        if rows[below].strip() and _indent(rows[below]) <= depth:
            break
        rows[below] = ""
    if not any(_is_code(row) for row in rows[1:]):
        return None
    return _Chunk(chunk.line, tuple(rows))


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" "))


def _is_code(row: str) -> bool:
    return bool(row.strip()) and not row.strip().startswith("#")


# ---- saying what is wrong


def _unknown_declaration(chunk: _Chunk, word: str) -> Diagnostic:
    if not word:
        found = chunk.rows[0].strip()[:1]
        return error("G102", f"found '{found}', expected the first word of a rule, such as 'move' or 'win'",
                     Span.at(chunk.line, 1))
    help_text, suggestion = did_you_mean(word, DECLARATIONS)
    return error("G102", f"no rule begins with '{word}'", Span.at(chunk.line, 1, len(word)),
                 help=help_text or "rules begin with: " + ", ".join(DECLARATIONS), suggestion=suggestion)


def _bad_dedent(chunk: _Chunk) -> Diagnostic:
    """The first line that returns to an indentation no line above it has."""
    levels = [0]
    for number, row in enumerate(chunk.rows):
        if not _is_code(row):
            continue
        indent = _indent(row)
        while indent < levels[-1]:
            levels.pop()
        if indent > levels[-1]:
            if number and any(_indent(other) > indent for other in chunk.rows[:number] if _is_code(other)):
                return error("G106", f"the line is indented by {indent}, which matches no line above it",
                             _shifted(number + 1, indent + 1, 1, chunk))
            levels.append(indent)
    return error("G106", "the indentation matches no line above it", _shifted(1, 1, 1, chunk))


def _character_mistake(chunk: _Chunk, span: Span) -> Diagnostic:
    row = chunk.rows[span.line - chunk.line] if span.line - chunk.line < len(chunk.rows) else ""
    character = row[span.column - 1 : span.column] or "?"
    if character in "<>!&|":
        return error("G108", f"'{character}' does not fit here", span,
                     help="compare with = != < <= > >=, combine with 'and', 'or', 'not'")
    shown = character if character.isprintable() else f"U+{ord(character):04X}"
    if character.isdigit() or character.isalpha() or character in '"()[]{}.,:=+-*':
        return error("G101", f"'{shown}' does not fit here", span)
    return error("G108", f"the character '{shown}' means nothing in a rule", span)


_PHRASES = {
    "NAME": "a name", "INT": "a number", "STRING": 'a text in "..."', "_BLOCK": "':' at the end of the line",
    "_NL": "the end of the line", "_INDENT": "an indented line", "_DEDENT": "the end of the block", "LPAR": "'('",
    "RPAR": "')'", "LSQB": "'['", "RSQB": "']'", "LBRACE": "'{'", "RBRACE": "'}'", "COMMA": "','", "EQUAL": "'='",
    "COLON": "':'", "__ANON_0": "'..'", "__ANON_1": "':='", "CHANGE": "'+=' or '-='", "DOT": "'.'", "MINUS": "'-'",
    "COMPARE": "a comparison", "SIGN": "'+' or '-'", "TIMES": "'*'", "END_KIND": "'win' or 'lose'",
}
_OPERATORS = {"AND", "OR", "IF", "COMPARE", "EQUAL", "SIGN", "TIMES", "IS", "IN", "NOT", "DOT", "ELSE", "LSQB", "LPAR"}


def _phrase(terminal: str) -> str:
    if terminal in _PHRASES:
        return _PHRASES[terminal]
    for definition in _grammar().terminals:
        if definition.name == terminal and definition.pattern.type == "str":
            return f"'{definition.pattern.value}'"
    return f"'{terminal.lower()}'"


def _expectation(expected: set[str]) -> str:
    """What could have stood there, in words: short where the list would be long."""
    if {"NAME", "INT", "LPAR"} <= expected:
        return "a value"
    rest = sorted(expected - _OPERATORS) if expected - _OPERATORS else sorted(expected)
    if "_NL" in rest and len(rest) > 3:
        rest = ["_NL"]
    words = list(dict.fromkeys(_phrase(terminal) for terminal in rest))[:5]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


_Hint = tuple[Callable[[Token, set[str], str, str], bool], str, str, str]
_HINTS: tuple[_Hint, ...] = (
    # (when it applies: token, expected, text before, text after), code, phrase, help
    (lambda t, e, before, after: t == "=" and before.rstrip().endswith("="), "G111",
     "'==' is not used, expected '='", "a single '=' compares"),
    (lambda t, e, before, after: t == "=" and ("__ANON_1" in e or "CHANGE" in e), "G115",
     "'=' compares, expected ':=' to change the position", "write 'target := value'"),
    (lambda t, e, before, after: t.type == "_NL" and "_BLOCK" in e, "G109",
     "the line ends here, expected ':' and an indented block", "end the line with ':'"),
    (lambda t, e, before, after: t.type != "_INDENT" and "_INDENT" in e, "G107",
     "nothing is indented under this line, expected what it does", "indent the lines that belong to it by four spaces"),
    (lambda t, e, before, after: t.type == "_INDENT", "G106",
     "the line is indented more than the one before, which begins no block", "line it up with the line before"),
)


def _token_mistake(chunk: _Chunk, bad: UnexpectedToken) -> Diagnostic:
    token = bad.token
    expected = set(bad.accepts or bad.expected or ())
    line, column = token.line or 1, token.column or 1
    if token.type in ("_NL", "_INDENT", "_DEDENT", "$END"):
        line, column = _end_of_code(chunk, line) if token.type in ("_NL", "$END") else _next_code(chunk, line)
    row = chunk.rows[line - 1] if line <= len(chunk.rows) else ""
    span = _shifted(line, column, len(token) if token.type not in ("_NL", "_INDENT", "_DEDENT") else 1, chunk)
    for applies, code, phrase, help_text in _HINTS:
        if applies(token, expected, row[: column - 1], row[column:]):
            if code == "G107":
                head, end = _end_of_code(chunk, token.line or 1)
                span = _shifted(head, max(1, end - 1), 1, chunk)
            return error(code, phrase, span, help=help_text)
    found = "the line ends here" if token.type in ("_NL", "$END") else f"found '{token}'"
    keywords = [_phrase(terminal).strip("'") for terminal in expected if _phrase(terminal).strip("'").isalpha()]
    help_text, suggestion = did_you_mean(str(token), keywords) if token.type == "NAME" else ("", "")
    return error("G101", f"{found}, expected {_expectation(expected)}", span, help=help_text, suggestion=suggestion)


def _end_of_code(chunk: _Chunk, line: int) -> tuple[int, int]:
    """Where the code of a line ends, past it, comments left out."""
    row = chunk.rows[line - 1] if line <= len(chunk.rows) else ""
    code = re.sub(r'("[^"]*")|#.*', lambda match: match.group(1) or "", row).rstrip()
    return line, len(code) + 1


def _next_code(chunk: _Chunk, line: int) -> tuple[int, int]:
    """The first place of code after a line."""
    for number in range(line + 1, len(chunk.rows) + 1):
        if _is_code(chunk.rows[number - 1]):
            return number, _indent(chunk.rows[number - 1]) + 1
    return _end_of_code(chunk, line)

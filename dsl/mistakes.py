"""Saying what is wrong with a line that does not parse: from where the parser stopped to a diagnostic.

The parser knows the token it found and those it would have taken; this module turns that into a phrase, and looks for
the habit behind it (`dsl.habits`). Nothing here parses. Used by `dsl.parser` only.
"""

from __future__ import annotations

import re

import attrs
from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from dsl import habits
from dsl.chunks import Chunk, code_of, indent_of, is_code
from dsl.diagnostics import Diagnostic, did_you_mean, error
from dsl.grammar import DECLARATIONS, Glued, is_wordy, spellings
from dsl.source import Span

_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT", "$END"})
_PHRASES = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": 'a text in "..."',
    "_BLOCK": "':' at the end of the line",
    "_NL": "the end of the line",
    "_INDENT": "an indented line",
    "_DEDENT": "the end of the block",
    "CHANGE": "'+=' or '-='",
    "COMPARE": "a comparison",
    "SIGN": "'+' or '-'",
    "TIMES": "'*'",
    "END_KIND": "'win' or 'lose'",
    "AT_LEAST": "'at least'",
    "AT_MOST": "'at most'",
    "$END": "the end of the declaration",
}
_OPERATORS = frozenset(
    {
        "AND",
        "OR",
        "IF",
        "COMPARE",
        "EQUAL",
        "SIGN",
        "TIMES",
        "IS",
        "IN",
        "NOT",
        "DOT",
        "ELSE",
        "LSQB",
        "LPAR",
        "DOTS",
        "FOR",
        "DIV",
        "MOD",
    }
)
_CLAUSES = frozenset(
    {"when", "where", "if", "until", "unless", "while", "provided", "such", "with", "whenever", "once", "as"}
)
_OPERAND = re.compile(r"(?:\b(?:when|where|if|until|value|carry|slide)\b|[:+-]?=|[(\[{,]).*[\w)\]}\"]\s*$")
"""The part of a line before a place where an expression could end."""
_EFFECTS = ("carry", "slide", "each", "if", "then", "else")


@attrs.frozen
class _Stop:
    """Where and why the parser stopped; `row` counts from 0 in the chunk, `column` from 1."""

    chunk: Chunk
    row: int
    column: int
    kind: str
    """The token's terminal, or '' for a character that begins no token."""
    text: str
    expected: frozenset[str]

    @property
    def code(self) -> str:
        """The line, without comments and the insides of texts."""
        return code_of(self.chunk.rows[self.row]) if self.row < len(self.chunk.rows) else ""

    @property
    def before(self) -> str:
        """The line up to the place."""
        return self.code[: self.column - 1]

    @property
    def span(self) -> Span:
        """The place in the file."""
        return self.chunk.span(self.row, self.column, 1 if self.kind in _LAYOUT else len(self.text))

    @property
    def after_value(self) -> bool:
        """Whether an operator could go on here."""
        reduced = self.kind == "NAME" and not self.expected & {
            "IN",
            "WHERE",
        }  # the parser had gone on to the line's end
        return "SIGN" in self.expected or (reduced and _OPERAND.search(self.before) is not None)

    @property
    def found(self) -> str:
        """What stands there, in words."""
        return "the line ends here" if self.kind in _LAYOUT else f"found '{self.text}'"


def first_word(chunk: Chunk) -> str:
    """The word that a declaration begins with, or ''."""
    first = _WORD.match(chunk.rows[0])
    return first.group() if first else ""


def unknown_declaration(chunk: Chunk) -> Diagnostic:
    """For a line in the first column that begins with no word that a declaration begins with."""
    code = code_of(chunk.rows[0])
    first = _WORD.match(code)
    if first is None:
        return _no_word(chunk, code)
    word = first.group()
    span = chunk.span(0, 1, len(word))
    target = next((known for known in DECLARATIONS if known == word.lower()), "") or habits.DECLARATIONS.get(
        word.lower(), ""
    )
    if not target:
        wins = re.match(r"\w+\s+(wins|loses|draws)\b", code)
        if wins:
            target = wins.group(1).rstrip("s")
            return error(
                "G102",
                f"no rule begins with '{word}', expected '{target}'",
                span,
                help=f"say first what happens, for instance: {habits.EXAMPLES[target]}",
            )
    if not target and word in (*habits.EFFECTS, *_EFFECTS):
        return error(
            "G102",
            f"no rule begins with '{word}'",
            span,
            help=habits.EFFECTS.get(word) or "an effect stands indented in a 'move' or a 'forced' rule",
        )
    if not target:
        target = did_you_mean(word, DECLARATIONS)[1]
    if not target:
        return error(
            "G102",
            f"no rule begins with '{word}'",
            span,
            help="rules begin with a word such as 'players', 'board', 'define', 'move' or 'win'",
        )
    example = "" if word.lower() == target else f" For instance: {habits.EXAMPLES[target]}"
    return error(
        "G102", f"no rule begins with '{word}'", span, suggestion=target, help=f"did you mean '{target}'?{example}"
    )


def _no_word(chunk: Chunk, code: str) -> Diagnostic:
    row = chunk.rows[0]
    if re.match(r"//|--|/\*|;|%|'", code):
        mark = next(mark for mark in ("//", "--", "/*", ";", "%", "'") if code.startswith(mark))
        return error(
            "G102",
            f"found '{mark}', expected the first word of a rule",
            chunk.span(0, 1, len(mark)),
            help="a comment begins with '#'",
            suggestion="#",
        )
    shown = _shown(row[:1])
    return error("G102", f"found {shown}, expected the first word of a rule, such as 'move' or 'win'", chunk.span(0, 1))


def _shown(character: str) -> str:
    return f"'{character}'" if character.isprintable() else f"the character U+{ord(character):04X}"


def glued(chunk: Chunk, bad: Glued) -> Diagnostic:
    """For two words without a space, such as `3x`."""
    row, column = (bad.token.line or 1) - 1, bad.token.column or 1
    stop = _Stop(chunk, row, column, bad.token.type, bad.word, frozenset())
    found = _habit(stop)
    if found is not None:
        return found
    span = chunk.span(row, column, len(bad.word))
    if bad.word[0].isdigit():
        return error(
            "G101",
            f"found '{bad.word}', expected a number or a name",
            span,
            help="names begin with a letter; a product has a '*'",
        )
    return error("G101", f"found '{bad.word}', which does not fit here", span)


def bad_dedent(chunk: Chunk) -> Diagnostic:
    """For the first line that returns to an indentation no line above it has."""
    levels = [0]
    for row, text in enumerate(chunk.rows):
        if not is_code(text) or chunk.heads[row] != row:
            continue
        indent = indent_of(text)
        while indent < levels[-1]:
            levels.pop()
            if indent > levels[-1]:
                return error(
                    "G106",
                    f"the line is indented by {indent}, expected {levels[-1]} as a line above it",
                    chunk.span(row, indent + 1),
                )
        if indent > levels[-1]:
            levels.append(indent)
    return error("G106", "the indentation matches no line above it", chunk.span(0, 1))


def character_mistake(chunk: Chunk, bad: UnexpectedCharacters) -> Diagnostic:
    """For a character that begins no token here."""
    row, column = bad.line - 1, bad.column
    text = chunk.rows[row][column - 1 : column] if row < len(chunk.rows) else ""
    stop = _Stop(chunk, row, column, "", text or " ", frozenset(bad.allowed or ()))
    return _habit(stop) or _plain_character(stop)


def _plain_character(stop: _Stop) -> Diagnostic:
    if stop.text in "<>!&|" or not (stop.text.isalnum() or stop.text in '"()[]{}.,:=+-*_'):
        return error(
            "G108",
            f"{_shown(stop.text)} means nothing in a rule",
            stop.span,
            help='rules are made of words, numbers, texts in "..." and the signs of arithmetic'
            if stop.text.isprintable()
            else "",
        )
    if is_wordy(stop.text) and not stop.text.isascii():
        return error(
            "G108",
            f"the letter {_shown(stop.text)} cannot stand in a name, expected a to z",
            stop.span,
            help='in texts, such as the game\'s title, every letter can: "..."',
        )
    expected = f", expected {_expectation(stop)}" if stop.expected else ""
    return error("G101", f"found '{stop.text}'{expected or ', which does not fit here'}", stop.span, help=_help(stop))


def token_mistake(chunk: Chunk, bad: UnexpectedToken) -> Diagnostic:
    """For a token that cannot stand where it does."""
    token = bad.token
    expected = frozenset(bad.accepts or bad.expected or ())
    row, column = (token.line or 1) - 1, token.column or 1
    if token.type in ("_NL", "$END"):
        row, column = _end_of_code(chunk, row)
    elif token.type in _LAYOUT:
        row, column = _next_code(chunk, row)
    stop = _Stop(chunk, min(row, len(chunk.rows) - 1), column, token.type, str(token), expected)
    return _layout(stop, token) or _effect(stop) or _habit(stop) or _generic(stop)


def _layout(stop: _Stop, token: Token) -> Diagnostic | None:
    """Mistakes of indentation and of the ':' at the end of a line."""
    expected, kind = stop.expected, stop.kind
    if kind == "_INDENT":
        return error(
            "G106",
            "the line is indented more than the one before, which begins no block",
            stop.span,
            help="line it up with the line before",
        )
    if kind in ("_NL", "$END") and "_BLOCK" in expected:
        return error(
            "G109",
            "the line ends here, expected ':' and an indented block",
            stop.span,
            help="end the line with ':'",
            suggestion=":",
        )
    if kind == "COLON" and "_BLOCK" in expected:
        return error(
            "G109",
            "a block begins on the line of its ':', expected it on lines of its own",
            stop.span,
            help="go on in a new line, indented by four spaces",
        )
    if kind != "_INDENT" and "_INDENT" in expected:
        head, end = _end_of_code(stop.chunk, (token.line or 1) - 1)
        return error(
            "G107",
            "nothing is indented under this line, expected what it does",
            stop.chunk.span(head, max(1, end - 1)),
            help="indent the lines that belong to it by four spaces",
        )
    return None


def _habit(stop: _Stop) -> Diagnostic | None:
    """What the line shows to be the habit of another language."""
    if stop.kind in ("_NL", "$END"):
        return None
    if stop.text == "=" and "ASSIGN" in stop.expected and stop.code[stop.column :][:1] not in ("=", "<", ">"):
        return error(
            "G115",
            "'=' compares, expected ':=' to change the position",
            stop.span,
            help="write 'target := value'",
            suggestion=":=",
        )
    found = habits.habit_at(stop.code, stop.column - 1)
    if found is None:
        return None
    habit, start, end = found
    return error(
        habit.code,
        f"found '{stop.code[start:end].strip()}', expected {habit.expected}",
        stop.chunk.span(stop.row, start + 1, end - start),
        help=habit.help,
        suggestion=habit.suggestion,
    )


def _effect(stop: _Stop) -> Diagnostic | None:
    """A line of a block that begins with no effect, such as `remove c`."""
    first = _WORD.match(stop.code.strip())
    if first is None or not stop.row or stop.before.strip() not in ("", first.group()):
        return None
    begins = "ASSIGN" in stop.expected or {"CARRY", "SLIDE", "EACH"} <= stop.expected
    if not begins or (stop.kind in _OPERATORS and stop.kind not in ("IN", "IF")):
        return None
    word = first.group()
    span = stop.chunk.span(stop.row, indent_of(stop.code) + 1, len(word))
    if word == "else":
        return error("G101", "found 'else', expected an 'if' above it at the same indentation", span)
    help_text = habits.EFFECTS.get(word.lower(), "")
    suggestion = ""
    if not help_text:
        help_text, suggestion = did_you_mean(word, _EFFECTS)
    return error(
        "G116",
        f"no effect begins with '{word}'",
        span,
        suggestion=suggestion,
        help=help_text
        or "effects are for instance: c := own, score += 1, carry a to b, slide row(r) west, each c in S:, if P:",
    )


def _generic(stop: _Stop) -> Diagnostic:
    help_text, suggestion = "", ""
    if stop.kind == "NAME":
        keywords = [spellings()[name] for name in stop.expected if spellings().get(name, "").isalpha()]
        help_text, suggestion = did_you_mean(stop.text, keywords)
    return error(
        "G101",
        f"{stop.found}, expected {_expectation(stop)}",
        stop.span,
        help=help_text or _help(stop),
        suggestion=suggestion,
    )


def _expectation(stop: _Stop) -> str:
    """What could have stood there, in words: short where the list would be long."""
    expected = set(stop.expected)
    if {"NAME", "INT", "LPAR"} <= expected:
        return "a value"
    words = []
    if stop.after_value:
        words.append("an operator")
        expected -= _OPERATORS
    if "_NL" in expected:
        expected &= {"_NL", "COMMA", "WHEN", "OF", "ASSIGN", "DOTS"}
    elif "WHERE" in expected:
        expected &= {"COMMA", "RPAR", "RBRACE", "RSQB"} if stop.after_value else {"COMMA", "RPAR", "RBRACE", "WHERE"}
    words += [_phrase(terminal) for terminal in sorted(expected, key=lambda name: (name == "_NL", name))]
    words = list(dict.fromkeys(words))[:6] or ["the end of the declaration"]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def _phrase(terminal: str) -> str:
    if terminal in _PHRASES:
        return _PHRASES[terminal]
    return f"'{spellings().get(terminal, terminal.lower())}'"


def _help(stop: _Stop) -> str:
    """What to write instead, where something general can be said."""
    expected, text = stop.expected, stop.text.lower()
    declaration = first_word(stop.chunk)
    if text == "until" and declaration == "move":
        return "'until' stops the repetition of a 'forced' rule; a move happens once"
    if text == "when" and re.search(r"\buntil\b", stop.before):
        return "'when' stands before 'until'"
    if text in _CLAUSES and expected & {"WHEN", "WHERE", "IF", "_BLOCK", "_NL"}:
        return "a rule's condition begins with 'when', a choice's with 'where', an effect's with 'if'"
    if "IN" in expected and len(expected) <= 2 and declaration not in ("var", "param"):
        return _choice_help(stop)
    if text == ")" and stop.before.endswith("(") and declaration in ("move", "forced"):
        return f"a rule without choices has no brackets: {declaration} name:"
    if "DOTS" in expected and declaration in ("var", "param") and text in ("to", "-", "until", ":"):
        return "a range is written 0..9"
    if declaration == "symmetry" and text == "-":
        return "symmetries are written with spaces: half turn"
    if {"COMMA", "RPAR"} <= expected and text == "in":
        return "choices are separated by ',': a in S, b in T"
    if (
        stop.kind in ("COMPARE", "EQUAL")
        and re.search(r"[<>=]", stop.before)
        and declaration not in ("var", "param", "define")
    ):
        return "compare two values at a time: 'a <= b and b <= c'"
    if stop.row and stop.kind in ("COMMA", "CHANGE", "ASSIGN"):
        return "one effect a line"
    if stop.kind in ("NAME", "INT", "OF") and stop.after_value:
        return _side_by_side(stop)
    if declaration in habits.EXAMPLES and stop.row == 0 and not _in_expression(stop):
        return f"for instance: {habits.EXAMPLES[declaration]}"
    return ""


def _in_expression(stop: _Stop) -> bool:
    return {"NAME", "INT", "LPAR"} <= stop.expected or stop.after_value or not stop.expected or "(" in stop.before


def _choice_help(stop: _Stop) -> str:
    if stop.kind == "COMMA":
        return "choose one by one, 'a in S, b in S', or without order, '{a, b} in S'"
    quantifier = re.search(r"\b(exactly|at\s+least|at\s+most)\s+(\w+)\s+\w*\s*$", stop.before)
    if quantifier:
        number = "1" if quantifier.group(2) == "one" else quantifier.group(2)
        sign = {"exactly": "=", "at least": ">=", "at most": "<="}[" ".join(quantifier.group(1).split())]
        return f"for the size of a set write 'count(S) {sign} {number}'"
    return "a choice is written 'c in S' or 'c in S where P'"


def _side_by_side(stop: _Stop) -> str:
    words = _WORD.findall(stop.before)
    if not words or not stop.before.rstrip().endswith(words[-1]):
        return ""
    if stop.text == "of":
        return "what belongs to something is written with a '.' or in brackets: c.row, score[mover]"
    known = habits.synonym(words[-1], ("some", "every", "exactly"))
    return (
        f"did you mean '{known}'?"
        if known
        else f"'{words[-1]}' and '{stop.text}' stand side by side: an operator or ',' may be missing"
    )


def _end_of_code(chunk: Chunk, row: int) -> tuple[int, int]:
    """The row, and the column past its code."""
    return row, len(code_of(chunk.rows[row])) + 1 if row < len(chunk.rows) else 1


def _next_code(chunk: Chunk, row: int) -> tuple[int, int]:
    """The first place of code after a row."""
    for number in range(row + 1, len(chunk.rows)):
        if is_code(chunk.rows[number]):
            return number, indent_of(chunk.rows[number]) + 1
    return _end_of_code(chunk, row)

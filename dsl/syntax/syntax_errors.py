"""Diagnostics for lines that do not parse, made from the place where the parser stopped.

The parser knows the token it found and those it would have accepted; this module turns that into a phrase, and looks
for a habit of another language behind the mistake (`dsl.syntax.foreign_syntax`). Nothing is parsed here. Used by
`dsl.syntax.parser` only.
"""

from __future__ import annotations

import re

from lark import Token
from lark.exceptions import UnexpectedCharacters, UnexpectedToken

from dsl.diagnostics import Diagnostic, did_you_mean, error
from dsl.syntax import foreign_syntax
from dsl.syntax.advice import LAYOUT, OPERATORS, Stop, advice, expectation
from dsl.syntax.chunks import Chunk, code_of, indent_of, is_code
from dsl.syntax.grammar import DECLARATIONS, Glued, is_wordy, spellings

_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_BOUND = re.compile(r"\b((?:some|no|every|exactly\s+\w+|at\s+(?:least|most)\s+\w+)\s+\w+\s+in\b[^:]*)$")
"""Matches a quantifier before a place, without its condition."""
_OPEN_SET = re.compile(r".*\b((?:some|no|every|exactly\s+\w+|at\s+(?:least|most)\s+\w+)\s+(\w+)\s+in\s+)([^:]*)$")
"""Matches the last quantifier before a place: up to its set, its name, and what has been read of the set."""
_TEST = re.compile(r"=|<|>|\b(?:is|not|in|some|no|every)\b")
"""Matches a word or sign of a condition, where a set is wanted."""
_EFFECTS = ("let", "carry", "put", "remove", "slide", "each", "if", "then", "else")

_CONDITIONAL = "'if' stands indented in a 'move' or a 'forced' rule; how the game ends is said by 'win mover when P'"


def first_word(chunk: Chunk) -> str:
    """The first word of a declaration, or ''."""
    first = _WORD.match(chunk.rows[0])
    return first.group() if first else ""


def unknown_declaration(chunk: Chunk) -> Diagnostic:
    """The diagnostic for a line in the first column whose first word begins no declaration."""
    code = code_of(chunk.rows[0])
    first = _WORD.match(code)
    if first is None:
        return _no_word(chunk, code)
    word = first.group()
    span = chunk.span(0, 1, len(word))
    target = next((known for known in DECLARATIONS if known == word.lower()), "") or foreign_syntax.DECLARATIONS.get(
        word.lower(), ""
    )
    if not target and word.lower() in foreign_syntax.ABSENT:
        return error("G102", f"no rule begins with '{word}'", span, help=foreign_syntax.ABSENT[word.lower()])
    if not target:
        wins = re.match(r"\w+\s+(wins|loses|draws)\b", code)
        if wins:
            target = wins.group(1).rstrip("s")
            return error(
                "G102",
                f"no rule begins with '{word}', expected '{target}'",
                span,
                help=f"say first what happens, for instance: {foreign_syntax.EXAMPLES[target]}",
            )
    if not target and word in (*foreign_syntax.EFFECTS, *_EFFECTS):
        shown = _CONDITIONAL if word == "if" else foreign_syntax.EFFECTS.get(word)
        help_text = shown or "an effect stands indented in a 'move' or a 'forced' rule"
        return error("G102", f"no rule begins with '{word}'", span, help=help_text)
    if not target:
        target = did_you_mean(word, DECLARATIONS)[1]
    if not target:
        return error(
            "G102",
            f"no rule begins with '{word}'",
            span,
            help="rules begin with a word such as 'players', 'board', 'define', 'move' or 'win'",
        )
    example = "" if word.lower() == target else f" For instance: {foreign_syntax.EXAMPLES[target]}"
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
    help_text = ""
    if row[:1] in "({[<":
        help_text = "rules of other programs are not read; a file here begins for instance with: game \"Name\""
    return error("G102", f"found {shown}, expected the first word of a rule, such as 'move' or 'win'", chunk.span(0, 1),
                 help=help_text)


def _shown(character: str) -> str:
    return f"'{character}'" if character.isprintable() else f"the character U+{ord(character):04X}"


def glued(chunk: Chunk, bad: Glued) -> Diagnostic:
    """The diagnostic for two words without a space, such as `3x`."""
    row, column = (bad.token.line or 1) - 1, bad.token.column or 1
    stop = Stop(chunk, row, column, bad.token.type, bad.word, frozenset())
    result = _habit(stop)
    if result is not None:
        return result
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
    """The diagnostic for the first line whose indentation ends a block but matches no open one."""
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
    """The diagnostic for a character that begins no token here."""
    row, column = bad.line - 1, bad.column
    text = chunk.rows[row][column - 1 : column] if row < len(chunk.rows) else ""
    stop = Stop(chunk, row, column, "", text or " ", frozenset(bad.allowed or ()))
    return _habit(stop) or _plain_character(stop)


def _plain_character(stop: Stop) -> Diagnostic:
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
    expected = f", expected {expectation(stop)}" if stop.expected else ""
    return error("G101", f"found '{stop.text}'{expected or ', which does not fit here'}", stop.span, help=advice(stop))


def token_mistake(chunk: Chunk, bad: UnexpectedToken) -> Diagnostic:
    """The diagnostic for a token that cannot stand where it does."""
    token = bad.token
    expected = frozenset(bad.accepts or bad.expected or ())
    row, column = (token.line or 1) - 1, token.column or 1
    if token.type in ("_NL", "$END"):
        row, column = _end_of_code(chunk, row)
    elif token.type in LAYOUT:
        row, column = _next_code(chunk, row)
    stop = Stop(chunk, min(row, len(chunk.rows) - 1), column, token.type, str(token), expected)
    return _unbracketed_set(stop) or _layout(stop, token) or _effect(stop) or _habit(stop) or _generic(stop)


def _unbracketed_set(stop: Stop) -> Diagnostic | None:
    """The diagnostic for the ':' or 'where' of a quantifier after a set such as `S and T` without brackets; None for
    other mistakes.

    Without brackets the quantifier ends before the `and`, as it does in `some S and P`.
    """
    match = _OPEN_SET.match(stop.before) if stop.kind in ("COLON", "_BLOCK", "WHERE") else None
    text = match.group(3).rstrip() if match is not None else ""
    joined = re.search(r"\s(and|or)\s", _outside_brackets(text))
    if match is None or joined is None or not all(part.strip() for part in re.split(r"\b(?:and|or)\b", text)):
        return None
    name, start = match.group(2), match.start(3)
    if _TEST.search(text):
        return error("G101", f"{stop.found}, expected a set after '{' '.join(match.group(1).split())}'",
                     stop.chunk.span(stop.row, start + 1, len(text)),
                     help=f"conditions come after ':', or after 'where': some {name} in S where P: Q")
    if joined.group(1) == "or":
        return error("G101", f"{stop.found}, expected one set after '{' '.join(match.group(1).split())}'",
                     stop.chunk.span(stop.row, start + 1, len(text)),
                     help=f"what is in one set or another is 'S + T': some {name} in S + T: P")
    shown = f"({stop.raw[start : start + len(text)]})"
    return error("G101", f"{stop.found}, expected brackets around the set of '{' '.join(match.group(1).split())}'",
                 stop.chunk.span(stop.row, start + 1, len(text)), suggestion=shown,
                 help=f"write: {' '.join(match.group(1).split())} {shown}{':' if stop.text == ':' else ' where'} ...")


def _outside_brackets(text: str) -> str:
    """A text with what stands in brackets replaced by '_'; up to the bracket that closes one before it."""
    result, depth = "", 0
    for sign in text:
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            return result
        result += "_" if depth or sign in ")]}" else sign
    return result


def _layout(stop: Stop, token: Token) -> Diagnostic | None:
    """The diagnostic for a mistake of indentation or of the ':' at the end of a line; None for others."""
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
    if "_BLOCK" in expected and stop.row and not stop.before.strip() and kind not in LAYOUT:
        head, end = _end_of_code(stop.chunk, stop.row - 1)
        return error(
            "G109",
            "the line ends here, expected ':' and an indented block",
            stop.chunk.span(head, end),
            help="end the line with ':'",
            suggestion=":",
        )
    bound = _BOUND.search(stop.before) if "_NL" in expected else None
    if kind == "_BLOCK" and ("COLON" in expected or bound is not None):
        shown = "let e = c.d" if bound is None else bound.group(1).strip()
        return error(
            "G101",
            "the line ends after the ':' of an expression, expected what follows it",
            stop.span,
            help=f"write it on this line, or the whole in brackets, where it goes on in the next: ({shown}: ...)",
        )
    if kind == "COLON" and "_BLOCK" in expected:
        return error(
            "G109",
            "a block begins on the line of its ':', expected it on lines of its own",
            stop.span,
            help="go on in a new line, indented by four spaces",
        )
    if kind != "_INDENT" and "_INDENT" in expected:
        above = (token.line or 1) - 1
        if kind not in LAYOUT:  # the token is the first of the line that should be indented
            above = max((row for row in range(stop.row) if is_code(stop.chunk.rows[row])), default=0)
        head, end = _end_of_code(stop.chunk, above)
        return error(
            "G107",
            "nothing is indented under this line, expected what it does",
            stop.chunk.span(head, max(1, end - 1)),
            help="indent the lines that belong to it by four spaces",
        )
    return None


def _habit(stop: Stop) -> Diagnostic | None:
    """The diagnostic for a habit of another language in the line; None where there is none."""
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
    result = foreign_syntax.habit_at(stop.code, stop.column - 1)
    if result is None:
        return None
    habit, start, end = result
    return error(
        habit.code,
        f"found '{stop.code[start:end].strip()}', expected {habit.expected}",
        stop.chunk.span(stop.row, start + 1, end - start),
        help=habit.help,
        suggestion=habit.suggestion,
    )


def _effect(stop: Stop) -> Diagnostic | None:
    """The diagnostic for a line of a block that begins with no effect, such as `remove c`; None for others."""
    first = _WORD.match(stop.code.strip())
    if first is None or not stop.row or stop.before.strip() not in ("", first.group()):
        return None
    begins = "ASSIGN" in stop.expected or {"CARRY", "SLIDE", "EACH"} <= stop.expected
    spaced = stop.text == ":" and stop.code[stop.column :].lstrip().startswith("=")  # meant as ':='
    if not begins or spaced or (stop.kind in OPERATORS and stop.kind not in ("IN", "IF")):
        return None
    word = first.group()
    span = stop.chunk.span(stop.row, indent_of(stop.code) + 1, len(word))
    if word == "else":
        return error("G101", "found 'else', expected an 'if' above it at the same indentation", span)
    help_text = foreign_syntax.EFFECTS.get(word.lower(), "")
    if not help_text and re.search(r"\bat\b", stop.code):
        help_text = "to put a piece on a cell write 'c := red'"
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


def _generic(stop: Stop) -> Diagnostic:
    help_text, suggestion = "", ""
    if stop.kind == "NAME":
        keywords = [spellings()[name] for name in stop.expected if spellings().get(name, "").isalpha()]
        help_text, suggestion = did_you_mean(stop.text, keywords)
    return error(
        "G101",
        f"{stop.found}, expected {expectation(stop)}",
        stop.span,
        help=help_text or advice(stop),
        suggestion=suggestion,
    )


def _end_of_code(chunk: Chunk, row: int) -> tuple[int, int]:
    """The row, and the column after its code."""
    return row, len(code_of(chunk.rows[row])) + 1 if row < len(chunk.rows) else 1


def _next_code(chunk: Chunk, row: int) -> tuple[int, int]:
    """The place where the next code after a row begins."""
    for number in range(row + 1, len(chunk.rows)):
        if is_code(chunk.rows[number]):
            return number, indent_of(chunk.rows[number]) + 1
    return _end_of_code(chunk, row)

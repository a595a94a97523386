"""Error texts for the place where the parser stopped: what was expected there, and what to write instead.

`Stop` describes the place, `expectation` puts the terminals that the grammar accepts into words, `advice` guesses what
the writer meant. Habits of other languages take precedence, see `dsl.syntax.foreign_syntax`. Used by
`dsl.syntax.syntax_errors` only.
"""

from __future__ import annotations

import re
from collections.abc import Callable

import attrs

from dsl.syntax import foreign_syntax
from dsl.syntax.chunks import Chunk, code_of
from dsl.syntax.grammar import spellings
from dsl.syntax.source import Span
from dsl.words import CALLED

LAYOUT = frozenset({"_NL", "_INDENT", "_DEDENT", "$END"})
"""Terminals of line ends and indentation, which have no text of their own."""
OPERATORS = frozenset(
    "AND OR IF COMPARE EQUAL SIGN TIMES DIV MOD IS IN NOT DOT ELSE LSQB LPAR DOTS FOR".split(" "),  # noqa: SIM905  # short
)
"""Terminals that can follow a value."""
_PHRASES = {
    "NAME": "a name",
    "INT": "a number",
    "STRING": 'a text in "..."',
    "_BLOCK": "':' at the end of the line",
    "_NL": "the end of the line",
    "_INDENT": "an indented line",
    "_DEDENT": "the end of the block",
    "CHANGE": "'+='",
    "COMPARE": "a comparison",
    "SIGN": "'+' or '-'",
    "TIMES": "'*'",
    "END_KIND": "'win' or 'lose'",
    "AT_LEAST": "'at least'",
    "AT_MOST": "'at most'",
    "$END": "the end of the declaration",
}
_CLAUSES = ("when", "where", "if", "until", "unless", "while", "provided", "such", "with", "whenever", "once", "as")
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_OPERAND = re.compile(r"(?:\b(?:when|where|if|until|value|carry|slide)\b|[:+-]?=|[(\[{,]).*[\w)\]}\"]\s*$")
"""Matches the text before a place where an expression could end."""
_QUANTIFIED = re.compile(r"\b(?:some|no|every|exactly\s+\w+|at\s+(?:least|most)\s+\w+)\s+\w+\s+in\s+\w+(?:\(.*\))?\s*$")
_QUANTIFIED_NAME = re.compile(r"\b(?:some|no|every|exactly\s+\w+|at\s+(?:least|most)\s+\w+)\s+\w+\s*$")
_COUNTED = re.compile(r"\b(exactly|at\s+least|at\s+most)\s+(\w+)\s+\w*\s*$")


@attrs.frozen
class Stop:
    """Where and why the parser stopped; `row` counts from 0 in the chunk, `column` from 1."""

    chunk: Chunk
    row: int
    column: int
    kind: str
    """The token's terminal, or '' for a character that begins no token."""
    text: str
    expected: frozenset[str]

    @property
    def raw(self) -> str:
        """The line as it is in the file."""
        return self.chunk.rows[self.row] if self.row < len(self.chunk.rows) else ""

    @property
    def code(self) -> str:
        """The line without comments, the contents of its texts blanked out."""
        return code_of(self.raw)

    @property
    def before(self) -> str:
        """The code of the line before the place."""
        return self.code[: self.column - 1]

    @property
    def first(self) -> str:
        """The first word of the line."""
        result = _WORD.match(self.code.strip())
        return result.group() if result else ""

    @property
    def declaration(self) -> str:
        """The first word of the declaration."""
        result = _WORD.match(self.chunk.rows[0])
        return result.group() if result else ""

    @property
    def span(self) -> Span:
        """The span of the place in the file."""
        return self.chunk.span(self.row, self.column, 1 if self.kind in LAYOUT else len(self.text))

    @property
    def at_end(self) -> bool:
        """Whether the line ends here."""
        return self.kind in ("_NL", "$END")

    @property
    def wants_value(self) -> bool:
        """Whether a value could stand here."""
        return {"NAME", "INT", "LPAR"} <= self.expected

    @property
    def after_value(self) -> bool:
        """Whether an operator could follow here; the parser may have reduced up to the end of the line before it
        stopped."""
        reduced = self.kind == "NAME" and not self.expected & {"IN", "WHERE"}
        return "SIGN" in self.expected or (reduced and _OPERAND.search(self.before) is not None)

    @property
    def found(self) -> str:
        """A phrase for what was found at the place."""
        return "the line ends here" if self.kind in LAYOUT else f"found '{self.text}'"


def expectation(stop: Stop) -> str:
    """A phrase for what was expected; shortened where the list of terminals would be long."""
    expected = set(stop.expected)
    if stop.wants_value:
        return "a value"
    words = []
    if stop.after_value:
        words.append("an operator")
        expected -= OPERATORS
    if "_NL" in expected:
        expected &= {"_NL", "COMMA", "WHEN", "OF", "ASSIGN", "DOTS"}
    elif "WHERE" in expected:
        expected &= {"COMMA", "RPAR", "RBRACE", "RSQB"} if stop.after_value else {
            "COMMA", "RPAR", "RBRACE", "WHERE", "FROM"}
    words += [_phrase(terminal) for terminal in sorted(expected, key=lambda name: (name == "_NL", name))]
    words = list(dict.fromkeys(words))[:6] or ["the end of the declaration"]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]


def _phrase(terminal: str) -> str:
    return _PHRASES.get(terminal) or f"'{spellings().get(terminal, terminal.lower())}'"


def advice(stop: Stop) -> str:
    """Advice on what to write instead; '' where there is none."""
    return next((text for applies, text in _ADVICE if applies(stop)), "") or _for_the_place(stop)


def _text(*words: str) -> Callable[[Stop], bool]:
    return lambda stop: stop.text.lower() in words


_ADVICE: tuple[tuple[Callable[[Stop], bool], str], ...] = (
    (
        lambda stop: stop.declaration == "symmetry" and (
            (stop.text == "," and re.search(r"\bwhen\b|\breversing\b", stop.before) is not None)
            or (_text("when", "reversing")(stop) and "," in stop.before)),
        "a symmetry with 'when' or 'reversing' has a line of its own",
    ),
    (
        lambda stop: stop.declaration == "show" and _text("hidden", "hide", "no", "not", "nothing", "off")(stop),
        "what is not to be seen is 'drawn nothing': show count drawn nothing",
    ),
    (
        lambda stop: stop.at_end and re.match(r"\s*#\S", stop.raw[stop.column - 1 :]) is not None,
        "what follows '#' is a comment",
    ),
    (
        lambda stop: stop.text == "until" and stop.declaration == "move",
        "'until' stops the repetition of a 'forced' rule; a move happens once",
    ),
    (
        lambda stop: stop.text == "when" and re.search(r"\buntil\b", stop.before) is not None,
        "'when' stands before 'until'",
    ),
    (
        lambda stop: (stop.text == "," or _text(*_CLAUSES)(stop)) and _QUANTIFIED.search(stop.before) is not None,
        "the condition comes after ':', as in 'some c in S: P'",
    ),
    (
        lambda stop: _text("is", "in", "=")(stop) and _QUANTIFIED.search(stop.before) is not None,
        "the condition comes after ':', as in 'some c in S: c is red'",
    ),
    (
        lambda stop: _text("is", "in")(stop) and re.search(r"\b(?:some|no)\s+[^:]*$", stop.before) is not None,
        "that some of S are in T is 'some (S and T)', that none is 'no (S and T)'",
    ),
    (
        lambda stop: stop.text == ":" and {"WHERE", "RPAR"} <= stop.expected,
        "inside brackets the condition comes after 'where': count(c in S where P)",
    ),
    (
        lambda stop: re.search(r"\bfor\s+\w+\s+to\b", stop.before) is not None and (
            stop.text == "where" or bool(stop.expected & {"FROM", "TO"})),
        "ways are written 'for x to y in A where P from S to T': by which steps, then between which sets",
    ),
    (
        lambda stop: stop.kind == "STRING" and stop.before.rstrip().endswith(","),
        "several cells are a set in braces: {a, b}",
    ),
    (
        lambda stop: stop.kind == "STRING" and stop.before.rstrip().endswith('"') and "COMMA" in stop.expected,
        "what stands in a list is separated by ',': {a, b}",
    ),
    (
        lambda stop: (stop.text == "let" or stop.text == ",") and stop.row > 0 and stop.first == "let"
        and ("_NL" in stop.expected or stop.after_value) and re.search(r"\blet\b.*:", stop.before) is None,
        "one 'let' a line: 'let a = ...', and under it 'let b = ...'",
    ),
    (
        lambda stop: (stop.text == "let" or stop.text == ",") and "COLON" in stop.expected
        and re.search(r"\blet\s+\w+\s*=[^:]*$", stop.before) is not None,
        "each 'let' has a ':' of its own: let a = ...: let b = ...: P",
    ),
    (
        lambda stop: stop.text == "let" and {"COMMA", "RPAR"} <= stop.expected,
        "choices and local names are separated by ',': move go(a in S, let b = a.north, let c = a.south):",
    ),
    (
        lambda stop: stop.text == "," and _QUANTIFIED_NAME.search(stop.before) is not None,
        "one name at a time: 'some c in S: some d in T: P'",
    ),
    (
        lambda stop: _text("where", "if", "when", "unless")(stop) and stop.declaration in ("move", "forced")
        and stop.before.rstrip().endswith(")") and stop.row == 0 and stop.text != "when" and "WHEN" in stop.expected,
        "a choice's condition stands inside the brackets: place(c in empty where P)",
    ),
    (
        lambda stop: stop.text == ":" and stop.declaration == "define",
        "a definition is one expression on its line: define near(c) = neighbours(c)",
    ),
    (
        lambda stop: re.fullmatch(r"define\s+\w+\s*\[\s*", stop.before) is not None,
        foreign_syntax.CASES,
    ),
    (
        lambda stop: stop.text == ":" and "_NL" in stop.expected and not stop.code[stop.column :].strip(),
        "this line begins no block: leave out the ':'",
    ),
    (
        lambda stop: stop.declaration == "define" and stop.kind == "NAME" and {"LPAR", "EQUAL"} <= stop.expected,
        "parameters stand in brackets: define near(c) = neighbours(c)",
    ),
    (
        lambda stop: _text(*_CLAUSES)(stop) and bool(
            stop.expected & {"WHEN", "WHERE", "IF", "_BLOCK", "_NL"} or (
                stop.text == "when" and "RPAR" in stop.expected)),
        "a rule's condition begins with 'when', a choice's with 'where', an effect's with 'if'",
    ),
    (
        lambda stop: stop.declaration in foreign_syntax.EXAMPLES and re.search(
            rf",\s*{stop.declaration}\s*$", stop.before) is not None,
        "the first word of a list stands once: 'var hand in 0..9, deck in 0..20'",
    ),
    (
        lambda stop: stop.text == "," and stop.declaration in ("var", "param"),
        "each has its own values: 'var hand in 0..9, deck in 0..20', 'param rows = 3 in 1..9, columns = 4 in 1..9'",
    ),
    (
        lambda stop: stop.text == "," and "IN" in stop.expected,
        "choose one by one, 'a in S, b in S', or without order, '{a, b} in S'",
    ),
    (
        lambda stop: stop.text == ")" and stop.before.endswith("(") and stop.declaration in ("move", "forced"),
        "a rule without choices has no brackets: 'move roll:'",
    ),
    (
        lambda stop: stop.text == ")" and stop.before.endswith("(") and stop.declaration == "define",
        "a definition without parameters has no brackets: 'define free = empty'",
    ),
    (
        lambda stop: (
            stop.declaration in ("var", "param") and _text("to", "-", "until", ":")(stop)
            and ("DOTS" in stop.expected or (stop.text == "to" and stop.before.rstrip()[-1:].isdigit()))
        ),
        "a range is written 0..9",
    ),
    (lambda stop: stop.declaration == "symmetry" and stop.text == "-", "symmetries are written with spaces: half turn"),
    (
        lambda stop: re.search(r"\band\s+not\s*$", stop.before) is not None,
        "what is in one set and not in another is 'S - T'",
    ),
    (
        lambda stop: stop.text == "neighbours" and re.search(r"\borthogonal(?:ly)?\s*$", stop.before) is not None,
        "they are neighbours(c) where the board has no diagonals; a step to one is 'd in orthogonals', then 'c.d'",
    ),
    (lambda stop: _text("intersection", "intersect")(stop), "what two sets share is 'S and T'"),
    (lambda stop: _text("union")(stop), "what is in one set or another is 'S + T'"),
    (lambda stop: _text("without", "except", "minus", "but")(stop), "what is in one set and not in another is 'S - T'"),
    (lambda stop: _text("or", "plus")(stop) and "WHERE" in stop.expected, "what is in one set or another is 'S + T'"),
    (lambda stop: _text("next", "adjacent", "beside", "near")(stop), "the cells next to a set are 'neighbours(S)'"),
    (lambda stop: re.search(r"\bin\s+not\s*$", stop.before) is not None, "the cells not in a set are 'cells - S'"),
    (
        lambda stop: stop.text == "[" and stop.wants_value,
        "a set is written in braces, {a, b}; numbers are a range, 0..9",
    ),
    (
        lambda stop: stop.text == "," and "RPAR" in stop.expected and "COMMA" not in stop.expected,
        "a cell by its row and column is 'cell(r, k)'; a set is written in braces, {a, b}",
    ),
    (
        lambda stop: stop.kind == "INT" and stop.before.endswith("."),
        "two steps are 'c.north.north', or 'c.d.d'",
    ),
    (
        lambda stop: _text("after")(stop) and stop.declaration in ("win", "lose", "draw"),
        "count the moves in a variable: var moves in 0..99, 'moves += 1' in the move, 'draw when moves = 50'",
    ),
    (
        lambda stop: _text("weight")(stop) and stop.declaration == "chance",
        "a weight stands before 'when': chance draw(k in colour) weight left[k] when drawn = none:",
    ),
    (
        lambda stop: _text("then")(stop) and stop.declaration == "chance" and stop.row == 0,
        "a rule of chance has no 'then': another rule of chance throws again, 'when' the first has thrown",
    ),
    (
        lambda stop: _text("then")(stop) and stop.declaration in ("win", "lose", "draw"),
        "an end is one line, 'win mover when P', and says one result",
    ),
    (
        lambda stop: stop.row > 0 and stop.text == "and" and "ASSIGN" in stop.expected
        and ":=" in stop.code[stop.column :],
        "what two sets share is set by '(S and T) := own', several things by 'a, b := own'",
    ),
    (
        lambda stop: {"COMMA", "RPAR"} <= stop.expected and stop.text == "in",
        "choices are separated by ',': a in S, b in T",
    ),
    (
        lambda stop: (
            stop.kind in ("COMPARE", "EQUAL")
            and re.search(r"[<>=]", stop.before) is not None
            and stop.declaration not in ("var", "param", "define")
        ),
        "compare two values at a time: 'a <= b and b <= c'",
    ),
    (
        lambda stop: "ELSE" in stop.expected and len(stop.expected - OPERATORS) == 0,
        "both values are needed: 'red if P else blue'",
    ),
    (
        lambda stop: (
            stop.text in (",", "[")
            and re.search(r"\(\s*\d+\s*$|\]\s*$", stop.before) is not None
            and not stop.wants_value
        ),
        "a cell by its row and column is 'cell(0, 0)'",
    ),
    (
        lambda stop: stop.row > 0 and stop.declaration == "tiles",
        'a line is a shape, and each track joins two sides or more: "+" joins north south, east west',
    ),
    (
        lambda stop: stop.row > 0 and stop.text == "," and re.search(r",.*[:+-]=", stop.before) is not None,
        "one value for all that is set, 'a, b := own'; each with its own value on a line of its own",
    ),
    (lambda stop: stop.row > 0 and stop.kind in ("COMMA", "CHANGE", "ASSIGN"), "one effect a line"),
    (lambda stop: stop.row > 0 and stop.first in ("link", "unlink"), "write 'link c to n by road'"),
    (lambda stop: stop.row > 0 and stop.first == "carry", "write 'carry a to b'"),
    (lambda stop: stop.row > 0 and stop.first == "remove",
     "to empty a cell write 'c := empty'; 'remove 1 from c' takes the top off a pile"),
    (lambda stop: stop.row > 0 and stop.first == "put",
     "to put a piece on a cell write 'c := own'; 'put own on c' puts it on a pile"),
    (lambda stop: stop.row > 0 and stop.first == "slide", "write 'slide row(r) west'"),
    (lambda stop: stop.row > 0 and stop.first == "then" and not stop.after_value, "write 'then c in S:'"),
    (lambda stop: stop.row > 0 and stop.first == "each" and not stop.after_value, "write 'each c in S:'"),
    (lambda stop: stop.row > 0 and stop.text == ":" and stop.wants_value, "write 'if P:'"),
    (
        lambda stop: stop.at_end and "ASSIGN" in stop.expected,
        "an effect changes something: 'c := own', 'score += 1', 'carry a to b'",
    ),
)
"""Rows of a condition and its advice; the first row that applies counts."""


def _for_the_place(stop: Stop) -> str:
    """Advice from the kind of place, where no row of `_ADVICE` applies."""
    if "IN" in stop.expected and len(stop.expected) <= 2 and stop.declaration not in ("var", "param"):
        return _for_a_choice(stop)
    if stop.kind in ("NAME", "INT", "OF") and stop.after_value:
        return _side_by_side(stop)
    in_expression = stop.wants_value or stop.after_value or not stop.expected or "(" in stop.before
    if stop.declaration in foreign_syntax.EXAMPLES and stop.row == 0 and not in_expression:
        return f"for instance: {foreign_syntax.EXAMPLES[stop.declaration]}"
    return ""


def _for_a_choice(stop: Stop) -> str:
    counted = _COUNTED.search(stop.before)
    if counted is None:
        return "a choice is written 'c in S'; its condition comes after 'where': 'c in S where P'"
    number = "1" if counted.group(2) == "one" else counted.group(2)
    sign = {"exactly": "=", "at least": ">=", "at most": "<="}[" ".join(counted.group(1).split())]
    return f"for the size of a set write 'count(S) {sign} {number}'"


def _side_by_side(stop: Stop) -> str:
    """Advice for two words with nothing between them."""
    words = _WORD.findall(stop.before)
    if not words or not stop.before.rstrip().endswith(words[-1]):
        return ""
    if stop.text == "of" and words[-1].lower() in ("number", "count", "amount", "size"):
        return "the number of cells of a set is 'count(S)'"
    if stop.text == "of":
        return "what belongs to something is written with a '.' or in brackets: c.row, score[mover], king[opponent]"
    if stop.text in ("cells", "squares", "spaces", "fields", "points", "places", "positions"):
        return f"'{words[-1]}' is a set of cells by itself: leave out '{stop.text}'"
    if stop.text.lower() in foreign_syntax.SAYINGS:
        return foreign_syntax.SAYINGS[stop.text.lower()]
    if words[-1] in CALLED or stop.text in CALLED:
        function = words[-1] if words[-1] in CALLED else stop.text
        return f"functions take what they work on in brackets: {function}(...)"
    known = foreign_syntax.synonym(words[-1], ("some", "every", "exactly"))
    if known:
        return f"did you mean '{known}'?"
    return f"'{words[-1]}' and '{stop.text}' stand side by side: an operator or ',' may be missing"

"""Portable game notation as text: tags such as `[White "Ann"]`, then moves with numbers, comments and a result.

Several formats share it; one file may hold many games, and the format interprets the moves. Comments, variations and
annotations are skipped. Used by modules in `games/records`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping

import attrs

from dslgame.records import MOST_BYTES, BadRecord, Word
from interpreter.game import Position

_TAG = r"""\[\s*(?P<tag> \w+)\s*(?: "(?P<value> (?:\\.|[^"\\\n]|"(?!\s*\]))* )"
                            | "(?P<plain> (?:[^"\n]|"(?!\s*\]))* )" )\s*\]"""
"""A tag: quotes within the value should have a backslash before them, but not all programs write one."""
_TOKEN = r"""
    \s+
  | (?P<comment> ;[^\n]* | \{[^}]*\}? | ^%[^\n]*)
  | """ + _TAG + r"""
  | (?P<result> (?: 1/2(?:-1/2)? | ½-½ | RESULT )(?![\w/-]) | \*)
  | (?P<move> MOVE)
  | (?P<number> \d+\s*\.[.\s]* | \d+(?=\s|$))
  | (?P<annotation> \$\d+ | [!?]+ | \.+ | e\.?p\.?(?![\w.]))
  | (?P<sign> [()])
  | (?P<word> [^\s{}();$\[\]*!?]+)
"""
_TAG_LINE = re.compile(r"\s*\[\s*\w+\s*\"")
_LAST = re.compile(r"(?:^|\s)(?:1-0|0-1|1/2-1/2|\*)\s*$")
_WIDTH = 79
_RESULTS = {"White": "1-0", "Black": "0-1", "draw": "1/2-1/2"}


def token(*, move: str = r"(?!)", result: str = "1-0|0-1") -> re.Pattern[str]:
    """The pattern of what a format's files consist of.

    move: the pattern of moves that are several words otherwise, such as `23- 19`.
    result: the pattern of results, besides draws.
    """
    return re.compile(_TOKEN.replace("MOVE", move).replace("RESULT", result), re.VERBOSE | re.MULTILINE)


@attrs.frozen
class PortableGame:
    """One game of a file."""

    tags: Mapping[str, str]
    tag_lines: Mapping[str, int]
    moves: tuple[Word, ...]
    result: str
    """The result token at the end, `*` where there is none."""
    line: int
    """The line on which the game begins."""
    problem: BadRecord | None
    """Where the text could not be read any further; the moves are those before."""

    def tag_line(self, name: str) -> int:
        """The line of a tag; the game's first line where it has no such tag."""
        return self.tag_lines.get(name, self.line)


@attrs.define
class _Reading:
    """The state of parsing the current game."""

    tags: dict[str, str] = attrs.field(factory=dict)
    tag_lines: dict[str, int] = attrs.field(factory=dict)
    moves: list[Word] = attrs.field(factory=list)
    line: int = 0
    begun: bool = False
    """Whether a line came that is no tag, so that the next tag is one of another game."""
    comment: int = 0
    """The line on which a comment began that has not ended; 0 without one."""
    opened: list[int] = attrs.field(factory=list)
    """The lines on which variations began that have not ended."""
    problem: BadRecord | None = None
    size: int = 0
    """The characters read."""
    over: bool = False
    """Whether the last line ends with a result, after a problem."""

    def fail(self, line: int, phrase: str) -> None:
        """Stop at a place that cannot be read."""
        self.line = self.line or line
        self.problem = BadRecord(line, phrase)

    def skip(self, row: str) -> str:
        """Read over a line after a problem: the result if the game ends there, as far as one can tell."""
        ended = self.over and not row.strip()
        self.begun = self.begun or not (row.isspace() or row.lstrip().startswith("["))
        self.over = _LAST.search(row) is not None
        return "*" if ended else ""

    def game(self, result: str) -> PortableGame:
        problem = self.problem
        if problem is None and self.comment:
            problem = BadRecord(self.comment, "found '{' without '}': a comment does not end")
        elif problem is None and self.opened:
            problem = BadRecord(self.opened[-1], "found '(' without ')': a variation does not end")
        moves = self.moves
        if moves and moves[-1].text == self.tags.get("Result"):  # some count points: 12-0
            moves, result = moves[:-1], moves[-1].text
        return PortableGame(self.tags, self.tag_lines, tuple(moves), result, self.line, problem)


def games(rows: Iterable[str], tokens: re.Pattern[str]) -> Iterator[PortableGame]:
    """The games of a file's lines, at least one. Raises BadRecord.

    A game ends with its result, or before a tag that follows moves. One that cannot be read any further, for instance
    as a comment does not end, has a `problem`, and the next game is read.
    """
    reading, found, blank = _Reading(), False, True
    for line, row in enumerate(rows, start=1):
        if reading.begun and _TAG_LINE.match(row) and (blank or not reading.comment):
            yield reading.game("*")
            reading, found = _Reading(), True
        blank = not row.strip()
        position, result = 0, ""
        reading.size += len(row)
        if reading.size > MOST_BYTES and reading.problem is None:
            reading.fail(line, f"the game has more than {MOST_BYTES >> 20} MiB, the most that one may have")
        while position < len(row):
            if reading.problem is None:
                position, result = _next(reading, row, position, line, tokens)
            else:
                position, result = len(row), reading.skip(row)
            if result:
                yield reading.game(result)
                reading, found = _Reading(), True
    if reading.line:
        yield reading.game("*")
    elif not found:
        raise BadRecord(1, 'found no game, expected tags such as [White "Ann"], then moves such as 1. ...')


def _next(reading: _Reading, row: str, position: int, line: int, tokens: re.Pattern[str]) -> tuple[int, str]:
    """Read a token of a line into the game: the place behind it, and the result if the game ends with it."""
    if reading.comment:
        end = row.find("}", position) + 1
        reading.comment = reading.comment if not end else 0
        return end or len(row), ""
    match = tokens.match(row, position)
    if match is None:
        reading.fail(line, _unexpected(row, position))
        return len(row), ""
    text = match[0].strip()
    if text and not (match["tag"] or match["comment"]):
        reading.begun = True
    if match["comment"]:
        reading.comment = line if text[0] == "{" and text[-1] != "}" else 0
    elif match["tag"]:
        reading.line = reading.line or line
        value = match["value"] if match["value"] is not None else match["plain"]
        reading.tags[match["tag"]] = re.sub(r'\\(["\\])', r"\1", value)
        reading.tag_lines[match["tag"]] = line
    elif match["sign"] == "(":
        reading.opened.append(line)
    elif match["sign"] == ")":
        if reading.opened:
            reading.opened.pop()
        else:
            reading.fail(line, "found ')' without '(' before it")
    elif match["result"] and not reading.opened and (reading.line or reading.moves):
        return match.end(), text
    elif (match["word"] or match["move"]) and not reading.opened:
        reading.line = reading.line or line
        reading.moves.append(Word(text, line))
    return match.end(), ""


def _unexpected(row: str, position: int) -> str:
    """The error message for a place at which no token begins."""
    if row[position] == "[":
        return f"""found '{row[position:].rstrip()[:40]}', expected a tag such as [White "Ann"]"""
    return f"found '{row[position]}', expected a tag or a move"


def text_of(tags: Mapping[str, str], moves: Iterable[str], result: str) -> str:
    """The text of one game: tags, an empty line, and `moves` (with their numbers) in rows of up to 79 characters."""
    rows = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    body = textwrap.wrap(" ".join([*moves, result]), _WIDTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join([*rows, "", *body]) + "\n"


def result_of(position: Position, details: Mapping[str, str]) -> str:
    """The result by the rules; for an unfinished game that of the tags, as players may have resigned."""
    return _RESULTS[position.outcome] if position.outcome else details.get("Result", "*")


def numbered(moves: Iterable[str], *, number: int = 1, second: bool = False) -> list[str]:
    """Moves with a number before each move of the first player, and before the very first move."""
    result: list[str] = []
    for move in moves:
        if not second:
            result.append(f"{number}.")
        elif not result:
            result.append(f"{number}...")
        result.append(move)
        number += second
        second = not second
    return result


def _escaped(text: str) -> str:
    return " ".join(text.replace("\\", "\\\\").replace('"', '\\"').split())

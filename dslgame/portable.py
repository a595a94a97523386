"""Portable game notation as text: tags such as `[White "Ann"]`, then moves with numbers, comments and a result.

Several formats share it; one file may hold many games, and the format interprets the moves. Comments, variations and
annotations are skipped. Used by modules in `games/records`.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping

import attrs

from dslgame.records import BadRecord
from interpreter.game import Position

_TOKEN = re.compile(r"""
    \s+
  | (?P<escape> ^%[^\n]*)
  | (?P<comment> ;[^\n]* | \{[^}]*\})
  | \[\s*(?P<tag> \w+)\s*"(?P<value> (?:\\.|[^"\\\n])*)"\s*\]
  | (?P<result> (?: 1/2-1/2 | [012]-[012](?![\w/]) ) | \*)
  | (?P<number> \d+\s*\.[.\s]*)
  | (?P<annotation> \$\d+ | [!?]+ | \.\.\.)
  | (?P<sign> [()])
  | (?P<word> [^\s{}();$\[\]*!?]+)
""", re.VERBOSE | re.MULTILINE)
_WIDTH = 79
_RESULTS = {"White": "1-0", "Black": "0-1", "draw": "1/2-1/2"}


@attrs.frozen
class Word:
    """A move as written in the file."""

    text: str
    line: int


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

    def begin(self, line: int) -> None:
        self.line = self.line or line

    def game(self, result: str) -> PortableGame:
        return PortableGame(self.tags, self.tag_lines, tuple(self.moves), result, self.line)


def parse(text: str) -> list[PortableGame]:
    """The games of a file's text, at least one. Raises BadRecord."""
    games: list[PortableGame] = []
    reading, position, line, opened = _Reading(), 0, 1, list[int]()
    while position < len(text):
        match = _TOKEN.match(text, position)
        if match is None:
            raise BadRecord(line, _unexpected(text, position))
        if match["tag"]:
            if opened:
                raise BadRecord(opened[-1], "found '(' without ')' in this game")
            if reading.moves:  # the result is missing
                games.append(reading.game("*"))
                reading = _Reading()
            reading.begin(line)
            reading.tags[match["tag"]] = re.sub(r"\\(.)", r"\1", match["value"])
            reading.tag_lines[match["tag"]] = line
        elif match["sign"] == "(":
            opened.append(line)
        elif match["sign"] == ")":
            if not opened:
                raise BadRecord(line, "found ')' without '(' before it")
            opened.pop()
        elif match["result"] and not opened and (reading.line or reading.moves):
            games.append(reading.game(match["result"]))
            reading = _Reading()
        elif match["word"] and not opened:
            reading.begin(line)
            reading.moves.append(Word(match["word"], line))
        line += match[0].count("\n")
        position = match.end()
    if opened:
        raise BadRecord(opened[-1], "found '(' without ')': a variation does not end")
    if reading.line:
        games.append(reading.game("*"))
    if not games:
        raise BadRecord(1, 'found no game, expected tags such as [White "Ann"], then moves such as 1. ...')
    return games


def _unexpected(text: str, position: int) -> str:
    """The error message for a place at which no token begins."""
    if text[position] == "{":
        return "found '{' without '}': a comment does not end"
    if text[position] == "[":
        row = text[position:].splitlines()[0]
        return f"""found '{row[:40]}', expected a tag such as [White "Ann"]"""
    return f"found '{text[position]}', expected a tag or a move"


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

"""Reads a game's title, genre, params and players from the lines that declare them, without parsing the rest.

For lists of many games, as parsing and resolving takes seconds for each. Only the plain forms are read: a title, a
genre, params with numbers and arithmetic on them, the names of the players. A file with another form has no heading,
and the caller reads it whole with `dsl.checker`. Nothing is checked: for a file with mistakes the result is what is
written there. Imports neither Lark nor the rule objects, which take longer to load than reading all bundled games
takes.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping

import attrs

_DECLARED = re.compile(r"^(game|param|players)\b(.*)$", re.MULTILINE)
"""Matches a line that begins with one of these words in the first column, which always begins a declaration."""
_COMMENT = re.compile(r"\s*(#.*)?")
_TITLE = re.compile(r'\s*"([^"\n]*)"(?:\s*in\s*"([^"\n]*)")?')
_PARAM = re.compile(r"\s+([A-Za-z_][A-Za-z_0-9]*)\s*=\s*([A-Za-z_0-9+*() -]*?)(?:\s+in\s[^#,\n]*)?(?=\s*(?:,|#|$))")
_TOGETHER = re.compile(r"players\s+move\s+together\s*(#.*)?$")
"""Matches a separate declaration that begins with the word `players`, too."""
_PLAYERS = re.compile(r"\s+([A-Za-z_][A-Za-z_0-9]*(?:\s*,\s*[A-Za-z_][A-Za-z_0-9]*)*)")


_SIGNS: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
}
"""The Python operators of the signs; `div` and `mod` round as Python's do."""


@attrs.frozen
class Heading:
    """What a file declares before its rules."""

    title: str
    params: dict[str, int]
    """The default of each param, in the file's order."""
    players: tuple[str, ...]
    genre: str = ""
    """The genre under which lists of games show it; '' where the file does not say."""
    credits: str = ""
    """The comment after the title: who made the game, and when; '' where there is none."""


def heading(text: str) -> Heading | None:
    """Read the heading of a file's text (Unix line ends); None where it is not written in the plain forms."""
    titles: list[tuple[str, str]] = []
    players: list[tuple[str, ...]] = []
    params: dict[str, int] = {}
    for line in _DECLARED.finditer(text):
        if _TOGETHER.match(line[0]):
            continue
        result = list(_forms(line[1], line[2]))
        if _COMMENT.fullmatch(line[2], result[-1].end() if result else 0) is None or not result:
            return None
        if line[1] == "game":
            titles.append((result[0][1], result[0][2] or ""))
        elif line[1] == "players":
            players.append(tuple(name.strip() for name in result[0][1].split(",")))
        else:
            for param in result:
                value = _number(param[2], params)
                if param[1] in params or value is None:
                    return None
                params[param[1]] = value
    if not len(titles) == len(players) == 1:
        return None
    (name, genre), = titles
    return Heading(name, params, players[0], genre, credits(text))


def _forms(word: str, text: str) -> Iterator[re.Match[str]]:
    """Match the plain forms that follow a declaring word; for params, each of the line in turn."""
    form = {"game": _TITLE, "param": _PARAM, "players": _PLAYERS}[word]
    result = form.match(text)
    while result is not None:
        yield result
        after = result.end()
        result = form.match(text, after + 1) if word == "param" and text[after : after + 1] == "," else None


def _number(text: str, params: dict[str, int]) -> int | None:
    """The value of an expression of numbers and params, in the language's syntax; None for any other text."""
    try:
        node = ast.parse(re.sub(r"\bdiv\b", "//", re.sub(r"\bmod\b", "%", text)), mode="eval").body
        return _value(node, params)
    except (SyntaxError, KeyError, ZeroDivisionError):
        return None


def _value(node: ast.AST, params: dict[str, int]) -> int:
    """The value of a part of an expression. Raises KeyError for a name that is no param, and for other than arithmetic.
    """
    match node:
        case ast.Constant(value=int(number)):
            return number
        case ast.Name(id=name):
            return params[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, params)
        case ast.BinOp(left=left, op=sign, right=right):
            return _SIGNS[type(sign)](_value(left, params), _value(right, params))
    raise KeyError


def title(text: str) -> str | None:
    """The first title in a text, whatever else it contains; None where there is none."""
    return next((result[1] for line in _DECLARED.finditer(text)
                 if line[1] == "game" and (result := _TITLE.match(line[2])) is not None), None)


def credits(text: str) -> str:
    """The comment after the first title in a text: who made the game, and when; '' where there is none."""
    for line in _DECLARED.finditer(text):
        result = _TITLE.match(line[2]) if line[1] == "game" else None
        if result is not None:
            return line[2][result.end() :].strip().lstrip("#").strip()
    return ""

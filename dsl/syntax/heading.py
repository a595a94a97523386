"""A game's title, genre, params and players, read from the lines that declare them; the rest is not parsed.

For lists of many games, where parsing and resolving every file takes seconds. Only the plain forms are read: a title, a
param whose default is a number, players by name. `heading` gives None for any other file, and the caller reads it whole
with `dsl.checker`. Nothing is checked: for a file with mistakes the result says what stands there. Imports neither Lark
nor the rule objects, which take longer to load than all bundled games take to read.
"""

from __future__ import annotations

import re

import attrs

_DECLARED = re.compile(r"^(game|param|players)\b(.*)$", re.MULTILINE)
"""A line that begins with one of these words in the first column always begins a declaration."""
_COMMENT = re.compile(r"\s*(#.*)?")
_TITLE = re.compile(r'\s*"([^"\n]*)"(?:\s*in\s*"([^"\n]*)")?')
_PARAM = re.compile(r"\s+([A-Za-z_][A-Za-z_0-9]*)\s*=\s*(-?[0-9]+)(?:\s+in\s[^#\n]*)?")
_PLAYERS = re.compile(r"\s+([A-Za-z_][A-Za-z_0-9]*(?:\s*,\s*[A-Za-z_][A-Za-z_0-9]*)*)")


@attrs.frozen
class Heading:
    """What a file says before its rules."""

    title: str
    params: dict[str, int]
    """Each param with its default, in the file's order."""
    players: tuple[str, ...]
    genre: str = ""
    """Among which games lists show it; '' where the file does not say."""


def heading(text: str) -> Heading | None:
    """The heading of a file's text (Unix line ends); None where it is not written in the plain forms."""
    titles: list[tuple[str, str]] = []
    players: list[tuple[str, ...]] = []
    params: dict[str, int] = {}
    for line in _DECLARED.finditer(text):
        form = {"game": _TITLE, "param": _PARAM, "players": _PLAYERS}[line[1]]
        found = form.match(line[2])
        if found is None or _COMMENT.fullmatch(line[2], found.end()) is None:
            return None
        if line[1] == "game":
            titles.append((found[1], found[2] or ""))
        elif line[1] == "players":
            players.append(tuple(name.strip() for name in found[1].split(",")))
        elif found[1] in params:
            return None
        else:
            params[found[1]] = int(found[2])
    if not len(titles) == len(players) == 1:
        return None
    (name, genre), = titles
    return Heading(name, params, players[0], genre)


def title(text: str) -> str | None:
    """The first title in a text, whatever else stands there; None where there is none."""
    return next((found[1] for line in _DECLARED.finditer(text)
                 if line[1] == "game" and (found := _TITLE.match(line[2])) is not None), None)

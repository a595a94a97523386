"""What the page may ask: JSON bodies checked field by field, and made into jobs for the workers.

A job is a dict of plain values that `dslgame.web.answers` understands. Whatever is wrong with a body raises `Refused`,
whose message is for people; nothing here looks at a game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

MOST_BYTES = 1 << 18
"""Bytes of a request's body."""
MOST_TEXT = 1 << 16
"""Characters of a game's text: some fifty times a long rule file."""
MOST_MOVES = 5_000
"""Moves of a game."""
MOST_MOVE = 400
"""Characters of a move."""
MOST_POSITION = 40_000
"""Characters of a position in one line."""
MOST_PARAMS = 50
MOST_PARAM = 10**9
MOST_PATH = 400
"""Choices of a move."""
MOST_DEPTH = 9
"""Levels of a tree that is drawn."""
MERGES = ("none", "translation", "rotation", "all")
"""Which positions of a tree can be one node."""

Job = dict[str, Any]
_NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]{0,59}")
_CHOICE = re.compile(r"[crkpv]-?[0-9]{1,9}(:.{0,200})?", re.DOTALL)


class Refused(Exception):
    """A request that is not answered: the HTTP status, a word for programs, and a sentence for people.

    `legal` is how many of the game's moves are legal, where a later one is not.
    """

    def __init__(self, status: int, kind: str, message: str, *, legal: int | None = None) -> None:
        super().__init__(message)
        self.status, self.kind, self.message, self.legal = status, kind, message, legal

    def plain(self) -> dict[str, Any]:
        """What the page is told."""
        known = {} if self.legal is None else {"legal": self.legal}
        return {"error": {"kind": self.kind, "message": self.message, **known}}


def wrong(message: str) -> Refused:
    """The refusal of a malformed request."""
    return Refused(400, "request", message)


def job(do: str, body: bytes, files: Mapping[str, str]) -> Job:
    """The job that a request's body asks for. `files` are the games to be had: their names with their paths.

    Raises Refused.
    """
    asked = _object(body)
    known = {"game", "text", "params", *_FIELDS[do]}
    for name in asked:
        if name not in known:
            raise wrong(f"the request has a field {_shown(name)}, expected {', '.join(sorted(known))}")
    result: Job = {"do": do, "params": _params(asked.get("params", {}))}
    game, text = asked.get("game"), asked.get("text")
    if (game is None) == (text is None):
        raise wrong("the request names no game, expected either 'game', a game's name, or 'text', its rules")
    if text is not None:
        result["text"] = _text(text, "text", MOST_TEXT)
    else:
        name = _text(game, "game", 200)
        if name not in files:
            raise Refused(404, "game", f"there is no game {_shown(name)}")
        result["name"], result["path"] = name, files[name]
    for name, check in _FIELDS[do].items():
        result[name] = check(asked.get(name), name)
    return result


def _object(body: bytes) -> dict[str, Any]:
    if len(body) > MOST_BYTES:
        raise Refused(413, "request", f"the request is larger than {MOST_BYTES // 1024} KiB")
    try:
        found = json.loads(body)
    except (ValueError, RecursionError):
        raise wrong("the request's body is no JSON, expected an object") from None
    if not isinstance(found, dict):
        raise wrong("the request's body is no object, expected one such as {\"game\": \"NAME\"}")
    return found


def _shown(value: object) -> str:
    """A value of the request, in a message."""
    text = value if isinstance(value, str) else type(value).__name__
    text = "".join(c if c.isprintable() else "\ufffd" for c in text)
    return f"'{text if len(text) <= 60 else text[:60] + '…'}'"


def _text(value: object, name: str, most: int) -> str:
    if not isinstance(value, str):
        raise wrong(f"'{name}' is {_shown(value)}, expected a text")
    if len(value) > most:
        raise wrong(f"'{name}' has {len(value):,} characters, expected at most {most:,}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise wrong(f"'{name}' is no proper text: it has half a character") from None
    return value


def _integer(value: object, name: str, most: int = MOST_PARAM) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise wrong(f"{name} is {_shown(value)}, expected a whole number")
    if not -most <= value <= most:
        raise wrong(f"{name} is too large, expected at most {most:,}")
    return value


def _params(value: object) -> dict[str, int]:
    if not isinstance(value, dict):
        raise wrong(f"'params' is {_shown(value)}, expected an object of whole numbers")
    if len(value) > MOST_PARAMS:
        raise wrong(f"'params' has {len(value)} entries, expected at most {MOST_PARAMS}")
    for name in value:
        if not _NAME.fullmatch(name):
            raise wrong(f"'params' has the name {_shown(name)}, expected a word")
    return {name: _integer(number, f"'{name}' of 'params'") for name, number in value.items()}


def _start(value: object, name: str) -> str | None:
    return None if value is None else _text(value, name, MOST_POSITION)


def _moves(value: object, name: str) -> list[str]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise wrong(f"'{name}' is {_shown(value)}, expected a list of moves")
    if len(value) > MOST_MOVES:
        raise wrong(f"'{name}' has {len(value):,} moves, expected at most {MOST_MOVES:,}")
    return [_text(move, name, MOST_MOVE) for move in value]


def _path(value: object, name: str) -> list[int | str]:
    """The choices of a move: its rule's number, then what is chosen, such as `c12` for a cell."""
    if not isinstance(value, list) or not 1 <= len(value) <= MOST_PATH:
        raise wrong(f"'{name}' is {_shown(value)}, expected a list: a rule's number, then what is chosen")
    path: list[int | str] = [_integer(value[0], f"the rule's number in '{name}'", 10**6)]
    for item in value[1:]:
        choice = _text(item, name, MOST_MOVE)
        if not _CHOICE.fullmatch(choice):
            raise wrong(f"'{name}' has the choice {_shown(choice)}, expected one such as 'c12'")
        path.append(choice)
    return path


def _move(value: object, name: str) -> str | list[int | str]:
    return _text(value, name, MOST_MOVE) if isinstance(value, str) else _path(value, name)


def _flag(value: object, name: str) -> bool:
    if value is not None and not isinstance(value, bool):
        raise wrong(f"'{name}' is {_shown(value)}, expected true or false")
    return bool(value)


def _word(value: object, name: str) -> str:
    word = _text(value, name, 60)
    if not re.fullmatch(r"[a-z0-9 -]+", word):
        raise wrong(f"'{name}' is {_shown(word)}, expected a word")
    return word


def _depth(value: object, name: str) -> int:
    depth = _integer(value, f"'{name}'")
    if not 1 <= depth <= MOST_DEPTH:
        raise wrong(f"'{name}' is {depth}, expected 1 to {MOST_DEPTH}")
    return depth


def _merge(value: object, name: str) -> str:
    if value not in MERGES:
        raise wrong(f"'{name}' is {_shown(value)}, expected one of {', '.join(MERGES)}")
    return str(value)


def _round(value: object, name: str) -> int:
    return 0 if value is None else max(0, _integer(value, f"'{name}'"))


_PLAYED: Mapping[str, Callable[[object, str], object]] = {"start": _start, "moves": _moves}
_FIELDS: Mapping[str, Mapping[str, Callable[[object, str], object]]] = {
    "game": {},
    "check": {"play": _flag},
    "position": _PLAYED,
    "choices": {**_PLAYED, "chosen": _path},
    "move": {**_PLAYED, "move": _move},
    "tree": _PLAYED,
    "treepicture": {**_PLAYED, "depth": _depth, "merge": _merge},
    "values": {**_PLAYED, "round": _round},
    "choose": {**_PLAYED, "player": _word},
}
"""What can be asked, each with its fields besides the game's and their checks."""
ASKED = tuple(_FIELDS)

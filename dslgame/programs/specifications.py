"""Parses the specification of a player of a match: a level, a Python file, a program with its protocol, or an address.

`KINDS` lists the kinds of players, each with an example and with what it can play. The prefix `NAME=` gives a player
another name.
"""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import attrs

from dsl.diagnostics import did_you_mean

if TYPE_CHECKING:
    from solver.players.levels import Level


@attrs.frozen
class Kind:
    """A kind of player of a match."""

    name: str
    example: str
    meaning: str
    """What it is, for people."""
    command: bool = False
    """Whether a specification is the kind's name and a command, which starts a program that speaks its protocol."""
    general: bool = False
    """Whether it plays every game: for more than two players, and with hidden information, as it is told what it sees.
    """
    openings: bool = True
    """Whether its games can begin with the moves of an opening."""
    connects: bool = False
    """Whether it connects to a port of ours, so that it can play only one game at a time."""


KINDS = {kind.name: kind for kind in (
    Kind("level", "alphabeta plies=4", "a level", general=True),
    Kind("python", "mine.py, mine.py:greedy", "a player in a Python file (@player, @algo_player)", general=True),
    Kind("lines", "lines ./engine --fast", "a program that speaks the line protocol", command=True, general=True),
    Kind("gtp", "gtp ./engine", "a program that speaks GTP", command=True),
    Kind("contest", "contest ./engine", "a program that speaks the contest protocol", command=True, openings=False),
    Kind("tcp", "tcp 21299", "a program that connects to this port; a command after the port starts it", connects=True),
    Kind("http", "http://127.0.0.1:5000/NAME", "a player of a server with the web interface"),
)}
"""The kinds by name, in the order in which they are listed."""
GENERAL = "a level, a Python file or a program that speaks the line protocol"
"""The kinds that are `general`, for people."""
_COMMANDS = [kind.name for kind in KINDS.values() if kind.command]
_NAMED = re.compile(r"([A-Za-z_][\w.+-]*)=(.+)", re.DOTALL)
_ADDRESS = re.compile(r"(?:(?P<host>[^\s:]+|\[[0-9A-Fa-f:]+\]):)?(?P<port>[0-9]{1,5})")
_URL = re.compile(r"http://(?P<host>[^/:]+|\[[0-9A-Fa-f:]+\])(?::(?P<port>[0-9]{1,5}))?/(?P<name>[^?#]+)")
_MOST_PORT = 65535


class BadSpecification(ValueError):
    """A text does not specify a player; the message says why."""


@attrs.frozen
class Specification:
    """The specification of a player of a match."""

    name: str
    kind: Kind
    text: str
    """The specification as text, without the `NAME=`."""
    command: tuple[str, ...] = ()
    host: str = ""
    port: int = 0
    file: str = ""
    player: str = ""
    """The name of the player in a file or on a server."""

    @property
    def level(self) -> Level:
        """The level of a player whose kind is "level"."""
        from solver.players.levels import Level

        return Level.of(self.text)

    @property
    def threads(self) -> int:
        """The number of threads that search for its moves in the process that plays the game."""
        return self.level.threads or 1 if self.kind.name == "level" else 1

    @property
    def threads_ahead(self) -> int:
        """The number of these threads that ponder, that is, search while the opponent thinks."""
        return self.threads if self.kind.name == "level" and self.level.ponder == "yes" else 0


def address(text: str) -> tuple[str, int]:
    """Parse `HOST:PORT` or `PORT` to the host and the port. Raises BadSpecification."""
    match = _ADDRESS.fullmatch(text)
    if match is None or int(match["port"]) > _MOST_PORT:
        raise BadSpecification(f"found '{text}', expected an address such as 127.0.0.1:21299")
    return (match["host"] or "127.0.0.1").strip("[]"), int(match["port"])


def read(text: str) -> Specification:
    """Parse the specification of a player. Raises BadSpecification."""
    from solver.players.kinds import KINDS as LEVELS

    named = _NAMED.fullmatch(text.strip())
    name, text = (named[1], named[2].strip()) if named else ("", text.strip())
    words = text.split(None, 1)
    if not words:
        raise BadSpecification("expected a player, such as 'alphabeta plies=4' or mine.py")
    first = words[0].casefold()
    if first in LEVELS:
        spec = Specification(name or text, KINDS["level"], text)
        try:
            _ = spec.level
        except ValueError as problem:
            raise BadSpecification(str(problem)) from None
        return spec
    if first in _COMMANDS:
        return _program(name, KINDS[first], text, words[1] if len(words) > 1 else "")
    if first == "tcp":
        return _tcp(name, text, words[1] if len(words) > 1 else "")
    if first.startswith("http:"):
        match = _URL.fullmatch(text)
        if match is None or int(match["port"] or 80) > _MOST_PORT:
            raise BadSpecification(f"found '{text}', expected http://HOST:PORT/NAME with the name of a player there")
        from urllib.parse import unquote

        player = unquote(match["name"]).removeprefix("algos/")
        return Specification(name or player, KINDS["http"], text, host=match["host"].strip("[]"),
                             port=int(match["port"] or 80), player=player)
    file, _, player = text.partition(".py:")
    file = file + ".py" if player else text
    if file.endswith(".py"):
        if not Path(file).is_file():
            raise BadSpecification(f"there is no file {file}")
        return Specification(name or player or Path(file).stem, KINDS["python"], text, file=file, player=player)
    hint, _ = did_you_mean(first, (*LEVELS, *_COMMANDS, "tcp"))
    raise BadSpecification(f"found '{words[0]}'; " + (hint or (
        f"expected a level ({', '.join(LEVELS)}), a Python file, {', '.join(_COMMANDS)} with a command, tcp with a "
        "port, or an address http://HOST:PORT/NAME")))


def _program(name: str, kind: Kind, text: str, command: str) -> Specification:
    words = _command(command, kind.example)
    return Specification(name or Path(words[0]).name, kind, text, command=words)


def _command(text: str, example: str) -> tuple[str, ...]:
    """Split a command to words, and check that its program exists. Raises BadSpecification."""
    try:
        words = shlex.split(text)
    except ValueError as problem:
        raise BadSpecification(f"the command '{text}' cannot be read: {problem}") from None
    if not words:
        raise BadSpecification(f"expected a command, as in '{example}'")
    if shutil.which(words[0]) is None:
        raise BadSpecification(f"there is no program '{words[0]}'")
    return tuple(words)


def _tcp(name: str, text: str, rest: str) -> Specification:
    words = rest.split(None, 1)
    if not words:
        raise BadSpecification("expected a port, as in 'tcp 21299'")
    host, port = address(words[0])
    command = _command(words[1], "tcp 21299 ./player") if len(words) > 1 else ()
    return Specification(name or (Path(command[0]).name if command else f"port {port}"), KINDS["tcp"], text,
                         command=command, host=host, port=port)


def read_all(texts: list[str] | tuple[str, ...]) -> list[Specification]:
    """Parse the specifications of several players, and make their names unique. Raises BadSpecification."""
    result: list[Specification] = []
    ports: dict[int, str] = {}
    for text in texts:
        spec = read(text)
        if spec.kind.connects:
            if spec.port and spec.port in ports:  # port 0 is any free one
                raise BadSpecification(f"two players connect to port {spec.port}: give each a port of its own")
            ports[spec.port] = spec.text
        name, number = spec.name, 1
        while name in {other.name for other in result}:
            number += 1
            name = f"{spec.name} ({number})"
        result.append(attrs.evolve(spec, name=name))
    return result

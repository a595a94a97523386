"""Perft files: counts that a game must reproduce, beside its rules (`NAME.perft` beside `NAME.game`).

A line is a setting or a count; a `#` at its beginning or after a space begins a comment, which names the source of the
numbers. Settings hold for the counts below them:

    params rows=2 columns=2     these params, the others at their defaults; forgets the settings above
    position X../O../... X      count from this position, its text as `show --json` gives it; alone: from the start
    moves Ba1?c2 Wa2?b2         count from the position after these moves (`;` parts them too); alone: from the start
    ignore ends                 wins and draws end nothing: play goes on while there are moves

    perft 3 504                 sequences of exactly 3 moves; a game that ended earlier counts nothing
    nodes 9 549946              positions in the tree of at most 9 moves, the root and every repeat included
    positions 5478              different positions (with the player to move) that can be reached, ended ones included
    positions merged 765        the same, up to the declared symmetries that leave the first position as it is

The interpreter would take too long for counts of more than `FAR` move sequences; the command counts them with the
kernel.

This module only parses the files; the tests and the command that use it do the counting.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import attrs

if TYPE_CHECKING:
    from interpreter.game import Game, Position

FAR = 10_000_000
"""The largest count of sequences that the interpreter can reach in a reasonable time."""

Kind = Literal["perft", "nodes", "positions", "positions merged"]


class PerftFileError(ValueError):
    """A line is neither a setting nor a count; the message says where, and what was expected."""

    def __init__(self, name: str, line: int, phrase: str) -> None:
        self.name, self.line, self.phrase = name, line, phrase
        super().__init__(f"{name}:{line}: {phrase}")


@attrs.frozen
class Expected:
    """One count of a perft file, with the settings that it holds for."""

    kind: Kind
    depth: int
    """In moves; 0 for the kinds that have none."""
    count: int
    params: tuple[tuple[str, int], ...] = ()
    """In the order of the file; as a `dict` they can be passed to `dslgame.load`."""
    moves: tuple[str, ...] = ()
    """Played before counting, in the game's notation."""
    ignore_ends: bool = False
    line: int = attrs.field(default=0, eq=False)
    """The line of the count in the file, from 1."""
    position: str = ""
    """The text of the position from which the moves are played; '' for the start."""

    @property
    def far(self) -> bool:
        """Whether the interpreter would take too long for it."""
        return self.count > FAR and self.kind in ("perft", "nodes")

    def start(self, game: Game) -> Position:
        """The position from which it counts. Raises ImpossiblePosition and IllegalMove."""
        position = game.read_position(self.position) if self.position else game.start()
        for text in self.moves:
            position = position.play(text)
        return position

    def __str__(self) -> str:
        params = "".join(f"{name}={value} " for name, value in self.params)
        position = f"from {self.position} " if self.position else ""
        moves = f"after {' '.join(self.moves)} " if self.moves else ""
        depth = f" {self.depth}" if self.depth else ""
        return f"{params}{position}{moves}{'ignore ends ' * self.ignore_ends}{self.kind}{depth}"


def read(path: str | Path) -> tuple[Expected, ...]:
    """The counts of a file, in its order. Raises PerftFileError, and OSError where there is no such file."""
    path = Path(path)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as problem:
        raise PerftFileError(str(path), 1, "the file is not UTF-8 text") from problem
    return parse(text, name=str(path))


def parse(text: str, *, name: str = "<text>") -> tuple[Expected, ...]:
    """The counts of a text, in its order; `name` is for messages. Raises PerftFileError."""
    result: list[Expected] = []
    now = Expected("perft", 0, 0)
    for number, row in enumerate(text.splitlines(), start=1):
        line = " ".join(re.split(r"(?:^|\s)#", row, maxsplit=1)[0].split())
        if not line:
            continue
        try:
            now = attrs.evolve(_read_line(line, now), line=number)
        except ValueError as problem:
            raise PerftFileError(name, number, str(problem)) from None
        if line.split()[0] in _COUNTS:
            result.append(now)
    return tuple(result)


def _read_line(line: str, now: Expected) -> Expected:
    """Apply a line to the settings, including the count if it is one. Raises ValueError with a phrase."""
    word, _, rest = line.partition(" ")
    if word not in _LINES:
        raise ValueError(f"found '{word}', expected {', '.join(_LINES)} or a comment")
    return _LINES[word](rest, now)


def _params(rest: str, now: Expected) -> Expected:
    params: dict[str, int] = {}
    for part in rest.split():
        match = re.fullmatch(r"([A-Za-z_][A-Za-z_0-9]*)=(-?[0-9]+)", part)
        if match is None:
            raise ValueError(f"found '{part}', expected a param and its value, such as rows=2")
        if match[1] in params:
            raise ValueError(f"the param '{match[1]}' is given twice, expected it once")
        params[match[1]] = int(match[2])
    return Expected("perft", 0, 0, tuple(params.items()))


def _position(rest: str, now: Expected) -> Expected:
    return attrs.evolve(now, position=rest, moves=())


def _moves(rest: str, now: Expected) -> Expected:
    return attrs.evolve(now, moves=tuple(part for part in re.split(r"[ ;]+", rest) if part))


def _ignore(rest: str, now: Expected) -> Expected:
    if rest != "ends":
        raise ValueError(f"found 'ignore {rest}', expected 'ignore ends'")
    return attrs.evolve(now, ignore_ends=True)


def _perft(rest: str, now: Expected) -> Expected:
    depth, count = _numbers(rest, 2, "perft DEPTH COUNT")
    return attrs.evolve(now, kind="perft", depth=depth, count=count)


def _nodes(rest: str, now: Expected) -> Expected:
    depth, count = _numbers(rest, 2, "nodes DEPTH COUNT")
    return attrs.evolve(now, kind="nodes", depth=depth, count=count)


def _positions(rest: str, now: Expected) -> Expected:
    merged = rest.split(" ")[0] == "merged"
    (count,) = _numbers(
        rest.removeprefix("merged ") if merged else rest, 1, "positions COUNT or positions merged COUNT"
    )
    return attrs.evolve(now, kind="positions merged" if merged else "positions", depth=0, count=count)


def _numbers(rest: str, how_many: int, shape: str) -> list[int]:
    """Parse non-negative numbers, plain or grouped as in 1_000."""
    parts = rest.split()
    if len(parts) != how_many or not all(re.fullmatch(r"[0-9]+(_[0-9]+)*", part) for part in parts):
        raise ValueError(f"found '{rest}', expected {shape}")
    return [int(part) for part in parts]


_COUNTS: dict[str, Callable[[str, Expected], Expected]] = {"perft": _perft, "nodes": _nodes, "positions": _positions}
_LINES: dict[str, Callable[[str, Expected], Expected]] = {
    "params": _params,
    "position": _position,
    "moves": _moves,
    "ignore": _ignore,
    **_COUNTS,
}

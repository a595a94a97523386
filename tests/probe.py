"""Small games for tests of one feature.

Some of the games are also played by their kernels and compared with the interpreter; `test_kernel_language` raises
their share.

`shown` gives the value of an expression on a sample board, `loaded` makes a game from parts of a text; the language
tests use both.
"""

from __future__ import annotations

import os
import re
import zlib
from functools import cache

import pytest

import dslgame
from interpreter.analysis import dynamic_checks, trial
from interpreter.game import Game, Position
from interpreter.kernel.kernel import Kernel
from tests.walking import Walk

SAMPLED = "DSLGAME_KERNEL_OF_ONE_IN"
"""The environment variable with the number N such that one in N of these games is also played by its kernel."""
SAMPLE_OF = int(os.environ.get(SAMPLED, "20"))
"""That number."""
SAMPLE = ('{"a1", "b1"} := red', '{"c1", "b2"} := blue', '"a3" := stone')
"""Red (to move) has pieces on a1 and b1, Blue on c1 and b2; an unowned stone is on a3; b3, c3, a2, c2 are empty."""

PLACE = """
move place(c in empty):
    c := own

draw when no empty
"""
"""A move and an end, for tests of other things."""


@cache
def loaded(*parts: str, board: str = "square(3, 3)", players: str = "Red, Blue") -> Game:
    """A game with one piece for each player, a stone without owner, and these declarations."""
    pieces = ", ".join(f"{name.strip().lower()} of {name.strip()}" for name in players.split(","))
    head = f'game "Probe"\nplayers {players}\nboard {board}\npieces {pieces}, stone\n'
    text = head + "\n".join(part.strip("\n") for part in parts) + "\n"
    game = dslgame.loads(text)
    if zlib.crc32(text.encode()) % SAMPLE_OF == 0:
        Walk(game, Kernel.of(game, native=False), may_fail=True).walk(2, 0.05, plies=6)
    return game


def started(*parts: str, board: str = "square(3, 3)", players: str = "Red, Blue", moves: str = "") -> Position:
    """The position of such a game after some moves, separated by spaces."""
    return played(loaded(*parts, board=board, players=players).start(), moves)


def played(position: Position, moves: str) -> Position:
    """The position after some moves, separated by spaces."""
    for text in moves.split():
        position = position.play(text)
    return position


def start_of(*effects: str) -> str:
    """A `start` with these effects."""
    return "start:\n" + "".join(f"    {line}\n" for effect in effects for line in effect.splitlines())


def shown(expression: str, *parts: str, board: str = "square(3, 3)", effects: tuple[str, ...] = SAMPLE) -> str:
    """The value of an expression at the start, as a notation writes it: cells by name, conditions as yes or no."""
    probe = _probe(expression, "{probed}", parts, board, effects)
    return probe.moves()[0].partition("=")[2]


def cells(expression: str, *parts: str, board: str = "square(3, 3)", effects: tuple[str, ...] = SAMPLE) -> set[str]:
    """The names of the cells in a set at the start."""
    probe = _probe(expression, "{at in probed}", parts, board, effects)
    return {text.partition("=")[0] for text in probe.moves() if text.endswith("=yes")}


def _probe(expression: str, field: str, parts: tuple[str, ...], board: str, effects: tuple[str, ...]) -> Position:
    """The start of a game whose move texts contain, after each cell's name, the value of the expression."""
    # Every cell can be chosen, so that the content of a cell does not matter.
    move = f'move probe(at in cells):\n    at := own\n\nnotation probe "{{at}}={field}"\ndraw when no empty'
    start = start_of(*effects) if effects else ""
    return loaded(*parts, start, f"define probed = {expression}", move, board=board).start()


def named(text: str) -> set[str]:
    """The names in a text, as a set."""
    return set(re.findall(r"\S+", text))


def play_less(monkeypatch: pytest.MonkeyPatch, share: int) -> None:
    """Make `dslgame check` do a fraction of the work; some findings about what is rarely seen are then notes."""
    for name in ("MOST_STATES", "MOST_WORK", "SYMMETRY_WORK", "RANDOM_BOARDS"):
        for module in (dynamic_checks, trial):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, getattr(module, name) // share)

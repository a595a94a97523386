"""Board games written as text: load, play and solve them from Python.

>>> import dslgame
>>> game = dslgame.load("nex", rows=2, columns=2)
>>> position = game.start()
>>> position.play("Ba1?a2").to_move
'White'
"""

from __future__ import annotations

from pathlib import Path

from dsl.diagnostics import GameFileError
from dsl.source import Source, Unreadable, read
from interpreter.errors import IllegalMove, RuleError
from interpreter.game import Game, Position

__all__ = ["Game", "GameFileError", "IllegalMove", "Position", "RuleError", "load", "loads"]
__version__ = "0.1.0"


def load(path: str | Path, **params: int) -> Game:
    """The game of a `.game` file, or of a bundled game by name, with some of its parameters set."""
    source = read(path)
    if isinstance(source, Unreadable):
        raise OSError(source.phrase)
    return Game.of(source, params)


def loads(text: str, *, name: str = "<text>", **params: int) -> Game:
    """The game that a text describes."""
    return Game.of(Source(name, text), params)

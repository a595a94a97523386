"""Board games written as text: load, play and solve them from Python.

>>> import dslgame
>>> game = dslgame.load("nex", rows=2, columns=2)
>>> position = game.start()
>>> position.play("Ba1?a2").to_move
'White'

Public names are imported on first use, so that `dslgame --help` does not wait for the parser.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from dslgame import packages

if TYPE_CHECKING:
    from dsl.diagnostics import GameFileError
    from dslgame.laboratory.profile import measure
    from dslgame.laboratory.variants import variants
    from interpreter.errors import IllegalMove, ImpossiblePosition, RuleError
    from interpreter.game import Game, Position
    from solver.game_space import solve_game as solve
    from solver.players.choice import Player

__all__ = [
    "Game", "GameFileError", "IllegalMove", "ImpossiblePosition", "Player", "Position", "RuleError", "load", "loads",
    "measure", "player", "solve", "variants",
]
__version__ = "0.1.0"

_HOMES = {
    "Game": ("interpreter.game", "Game"),
    "GameFileError": ("dsl.diagnostics", "GameFileError"),
    "IllegalMove": ("interpreter.errors", "IllegalMove"),
    "ImpossiblePosition": ("interpreter.errors", "ImpossiblePosition"),
    "Player": ("solver.players.choice", "Player"),
    "Position": ("interpreter.game", "Position"),
    "RuleError": ("interpreter.errors", "RuleError"),
    "measure": ("dslgame.laboratory.profile", "measure"),
    "solve": ("solver.game_space", "solve_game"),
    "variants": ("dslgame.laboratory.variants", "variants"),
}
"""Public names, each with its module and its name there."""


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'dslgame' has no attribute '{name}'")
    packages.check()
    module, there = _HOMES[name]
    value = getattr(import_module(module), there)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})


def load(path: str | Path, **params: int) -> Game:
    """Load a `.game` file, or a bundled game by name, with some of its parameters set.

    Raises OSError where the file cannot be read, and GameFileError where there is an error in it.
    """
    packages.check()
    from dsl.syntax.source import Unreadable, read
    from dslgame import bundled
    from interpreter.game import Game

    source = read(bundled.find(path))
    if isinstance(source, Unreadable):
        hint = bundled.unknown(str(path)) if source.code == "G001" else ""
        raise OSError(source.phrase + (f"; {hint}" if hint else ""))
    return Game.of(source, params)


def loads(text: str, *, name: str = "<text>", **params: int) -> Game:
    """The game that a text describes. Raises GameFileError where there is an error in it."""
    packages.check()
    from dsl.syntax.source import Source, normalise
    from interpreter.game import Game

    return Game.of(Source(name, normalise(text)), params)


def player(game: Game, level: str, *, seed: int = 0) -> Player:
    """A player of a game at a level such as "alphabeta plies=4", "mcts seconds=1", "solver" or "random".

    Raises ValueError where there is no such level, or it cannot play the game.
    """
    from dslgame import bundled
    from solver.players.levels import Level

    return bundled.player(game, Level.of(level), seed=seed)

"""Local players in games that other programs referee: levels, and players in Python files."""

from __future__ import annotations

from pathlib import Path

import attrs

from dslgame.programs import plugins, specifications
from dslgame.programs.boards import size_of
from dslgame.programs.builtin import Builtin
from dslgame.programs.channels import Deadline
from dslgame.programs.failures import Failed
from dslgame.programs.protocols.lines import Seat
from dslgame.programs.referee import Clock
from dslgame.programs.specifications import Specification
from interpreter.game import Game, Position


class LevelSeat(Seat):
    """A seat that plays by a level, which is made again when the game's params change."""

    def __init__(self, game: Game, spec: Specification, seed: int) -> None:
        self.spec, self.seed = spec, seed
        self._builtin = Builtin(spec.name, game, spec.level)

    def prepare(self, game: Game) -> None:
        """Make the level again if the game is another."""
        if game is not self._builtin.game:
            self.rest()
            self._builtin = Builtin(self.spec.name, game, self.spec.level)

    def begin(self, side: int) -> None:
        """Begin a game, with the next seed."""
        self.seed += 1
        self._builtin.begin(self._builtin.game.start(), side, Clock(), self.seed)

    def move(self, position: Position, seconds: float | None) -> str:
        """Choose a move; a level without limits of its own keeps to the time for the move. Raises Crashed."""
        try:
            return self._builtin.choose(position, Deadline(seconds))
        except Failed as failure:
            raise plugins.Crashed(failure.message) from None

    def end(self, position: Position, side: int, winner: int | None) -> None:
        """Stop pondering."""
        self.rest()

    def rest(self) -> None:
        """Stop pondering."""
        self._builtin.stop()


class PluginSeat(Seat):
    """A seat for a player in a Python file."""

    def __init__(self, game: Game, plugin: plugins.Plugin) -> None:
        self.game, self.plugin = game, plugin
        self.player = plugins.PluginPlayer(plugin, game)
        self._number = 0

    def prepare(self, game: Game) -> None:
        """Make the player again if the game is another."""
        if game is not self.game:
            self.game, self.player = game, plugins.PluginPlayer(self.plugin, game)

    def begin(self, side: int) -> None:
        """Tell the player that a game begins."""
        self._number += 1
        self.player.begin(str(self._number), side, size_of(self.game))

    def move(self, position: Position, seconds: float | None) -> str:
        """Ask the player for a move, without checking it."""
        return self.player.move(position, str(self._number), seconds)

    def end(self, position: Position, side: int, winner: int | None) -> None:
        """Tell the player the result."""
        self.player.end(position, str(self._number), side, winner)


def loaded(spec: Specification) -> plugins.Plugin:
    """Load the player of a Python file. Raises BadPlayer."""
    path = Path(spec.file)
    return plugins.one_of(plugins.load(path), spec.player or None, path)


def is_level(text: str) -> bool:
    """Whether a text names a level, not a program or a player in a file."""
    try:
        return specifications.read(text).kind.name == "level"
    except specifications.BadSpecification:
        return False


def seat_of(game: Game, text: str, seed: int) -> tuple[Seat, str]:
    """Make the seat that a text names, and its name. Raises BadSpecification, BadPlayer, Unplain, ValueError or
    NotLowered."""
    spec = specifications.read(text)
    if spec.kind.name == "level":
        return LevelSeat(game, spec, seed), spec.name
    if spec.kind.name != "python":
        raise specifications.BadSpecification(f"found '{text}', expected a level or a Python file")
    plugin = loaded(spec)
    if spec.name in (Path(spec.file).stem, spec.player):
        spec = attrs.evolve(spec, name=plugin.name)
    return PluginSeat(game, plugin), spec.name

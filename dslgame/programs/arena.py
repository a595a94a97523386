"""Plays the games of a match in one process: creates the game and its contestants from a setting of plain values."""

from __future__ import annotations

import random
import socket
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import attrs

from dsl.syntax.source import Source
from dslgame.packages import python_command
from dslgame.programs.builtin import Builtin
from dslgame.programs.kernel_engine import quick_enough
from dslgame.programs.protocols.contest import ContestEngine
from dslgame.programs.protocols.gtp import GtpEngine
from dslgame.programs.protocols.http import WebPlayer
from dslgame.programs.protocols.lines import LinesEngine
from dslgame.programs.protocols.tcp import TcpContestant
from dslgame.programs.referee import Clock, Contestant, as_object, play
from dslgame.programs.specifications import Specification, read
from interpreter.game import Game

_START = "from dslgame.__main__ import main; main()"


@attrs.frozen
class Setting:
    """The settings that all games of a match share; plain values, so that they can be sent to a worker."""

    name: str
    """The name of the game file."""
    rules: str
    params: Mapping[str, int]
    players: Sequence[tuple[str, str]]
    """The name and the specification of each player."""
    move: float | None
    game: float | None
    """With `move` the time limits in seconds, as in `Clock`."""
    seed: int
    longest: int


@attrs.frozen
class Pairing:
    """A game to play: its number, the number of the player for each side, and the moves of its opening."""

    number: int
    players: tuple[int, ...]
    opening: tuple[str, ...]


class Arena:
    """Plays games with one setting, one at a time."""

    def __init__(self, setting: Setting, listening: Mapping[int, socket.socket] | None = None) -> None:
        """Load the game; `listening` has the sockets of players that connect by TCP. Raises GameFileError."""
        self.setting = setting
        self.game = quick_enough(Game.of(Source(setting.name, setting.rules), setting.params))
        self._stack = ExitStack()
        self._listening = listening or {}
        self._players: dict[tuple[int, int], Contestant] = {}

    def player(self, number: int, seat: int = 0) -> Contestant:
        """The contestant of a player, created when first needed; in games of more than two players one for each seat.

        Raises ValueError or NotLowered where the player cannot play the game.
        """
        key = number, seat if len(self.game.players) > 2 else 0
        if key not in self._players:
            name, text = self.setting.players[number]
            self._players[key] = self._made(attrs.evolve(read(text), name=name), number)
        return self._players[key]

    def _made(self, spec: Specification, number: int) -> Contestant:
        assert spec.kind.general or self.game.observer.sees_all, "it would be told every move"
        match spec.kind.name:
            case "level":
                return Builtin(spec.name, self.game, spec.level)
            case "python":
                params = [word for name, value in self.setting.params.items() for word in ("-p", f"{name}={value}")]
                return LinesEngine(spec.name, python_command(_START, "engine", self._file(), spec.text, *params,
                                                             "--protocol", "lines"))
            case "lines":
                return LinesEngine(spec.name, spec.command)
            case "gtp":
                return GtpEngine(spec.name, spec.command)
            case "contest":
                return ContestEngine(spec.name, spec.command)
            case "tcp":
                return TcpContestant(spec.name, self._listening[number], spec.command)
        return WebPlayer(spec.name, spec.host, spec.port, spec.player)

    def _file(self) -> str:
        """The path of the game file; of a temporary one with the rules where the file does not exist."""
        path = Path(self.setting.name)
        if path.is_file():
            return str(path.resolve())
        folder = self._stack.enter_context(tempfile.TemporaryDirectory(prefix="dslgame"))
        written = Path(folder) / "rules.game"
        written.write_text(self.setting.rules, encoding="utf-8")
        return str(written)

    def play(self, pairing: Pairing) -> dict[str, Any]:
        """Play a game; its record as in logs."""
        setting = self.setting
        players = [self.player(number, seat) for seat, number in enumerate(pairing.players)]
        chance = random.Random(f"{setting.seed} {pairing.number}")
        played = play(self.game, players, pairing.opening, Clock(setting.move, setting.game),
                      seeds=[chance.randrange(1 << 30) for _ in players], longest=setting.longest)
        return {"number": pairing.number,
                **as_object(played, self.game, [player.name for player in players], pairing.opening)}

    def close(self) -> None:
        """Close all contestants, which may end by themselves first."""
        try:
            for player in self._players.values():
                player.close()
        finally:
            self.stop()

    def stop(self) -> None:
        """Stop all contestants immediately, and remove temporary files."""
        for player in self._players.values():
            player.stop()
        self._stack.close()

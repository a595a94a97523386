"""Time management: the share of the remaining time for a game that a player spends on the next move.

The usual length of games is learned from a few quick games that a search plays against itself. All moves get the same
time, and time that a move does not use remains for the next ones; in a game that lasts much longer than usual, moves
get less and less. More time for the moves in the middle of a game gained nothing (`bench/README.md`).
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

import attrs

from interpreter.errors import IllegalMove, RuleError
from interpreter.game import Game, Position
from interpreter.happening import drawn
from interpreter.model.state import Move, State
from solver.players.found import Found
from solver.players.limits import Limit

LONGER, AHEAD = 1.25, 0.3
"""The assumed length of a game as a multiple of the usual length, with a reserve because a player without time loses;
and the least that a game is assumed to go on for, as a part of the usual length."""
_MOVES = 3
"""The least number of own moves that are assumed to remain."""
LEAST = 0.001
"""The least seconds for a move."""
_USUAL = 40.0
"""The assumed number of moves of a game, where it cannot be learned."""
_GAMES, _MOST, _OPENING = 4, 300, 2
"""The number of games played to learn their length, the most moves of such a game, and its number of random opening
moves."""
_QUICK = Limit(nodes=200, seconds=0.01, begun=1.0)
"""The limit of the search for a move in such a game."""
_SECONDS = 2.0
"""Seconds after which no further game is started, and a game that has reached the usual number of moves is broken off.
"""


class PacedSearch(Protocol):
    """A search that finds moves."""

    def search(self, state: State, limit: Limit, *, history: Sequence[State], seed: int) -> Found:
        """Search for the best move of a position, within a limit."""

    def forget(self) -> None:
        """Drop the results of earlier searches."""


def share(moves: int, length: float, seats: int) -> float:
    """The share of the remaining time that the next move gets, after `moves` moves of all players.

    Games usually last `length` moves; `seats` players move in turn. The moves of a game never take more than the whole
    time, as each gets a share of what is left by the ones before.
    """
    return 1 / max(_MOVES, math.ceil(max(LONGER * length - moves, AHEAD * length) / seats))


class Pace:
    """Divides the time for a game among the moves of a search."""

    def __init__(self, search: PacedSearch, game: Game) -> None:
        self._search, self._game = search, game
        self._length: float | None = None

    def learn(self) -> float:
        """Play quick games, with a search of few nodes for each move, and return their average number of moves.

        Raises KeyboardInterrupt where a search was interrupted.
        """
        if self._length is not None:
            return self._length
        lengths: list[int] = []
        until = time.perf_counter() + _SECONDS
        for seed in range(_GAMES):
            if not lengths or time.perf_counter() < until:
                lengths += self._play(random.Random(seed), until)
        self._search.forget()
        self._length = sum(lengths) / len(lengths) if lengths else _USUAL
        return self._length

    def _play(self, chance: random.Random, until: float) -> list[int]:
        """Play a game until the time `until`, and return its number of moves without those of chance; [] where it has
        none, or a rule fails."""
        position, moves = self._game.start(), 0
        with suppress(RuleError, IllegalMove, MemoryError):
            while not position.over and moves < _MOST and (time.perf_counter() < until or moves < _USUAL):
                if position.by_chance:
                    position = position.play(drawn(position, chance))
                else:
                    position, moves = position.play(self._move(position, chance, moves)), moves + 1
            return [moves] if moves else []
        return []

    def _move(self, position: Position, chance: random.Random, moves: int) -> Move:
        """Choose a player's move in such a game."""
        if moves < _OPENING:
            return chance.choice(position.legal())
        self._search.forget()
        found = self._search.search(position.state, _QUICK, history=position.history, seed=chance.getrandbits(30))
        found.report.check_interrupted()
        return found.move

    def share(self, position: Position) -> float:
        """The share of the time left to the player to move that the next move gets."""
        decides = self._game.engine.chance.decides
        moves = sum(not decides(state) for state in position.history) if self._game.rules.has_chance else len(
            position.played)
        return share(moves, self.learn(), len(self._game.players))


@attrs.define
class GameClock:
    """The time for all moves of a game, for each player whose moves it times.

    Players who swap sides keep the time they have left. The clock starts again at a position that does not follow the
    last one.
    """

    seconds: float
    _spent: dict[int, float] = attrs.field(factory=dict)
    """The seconds spent by each player."""
    _played: tuple[str, ...] = ()
    """The moves that led to the last position."""

    def wind(self) -> None:
        """Start a new game."""
        self._spent, self._played = {}, ()

    def left(self, position: Position) -> float:
        """The seconds left to the player to move in a position."""
        known = len(self._played)
        if len(position.played) <= known or position.played[:known] != self._played:
            self.wind()
        self._played = position.played
        return max(0.0, self.seconds - self._spent.get(position.state.to_move, 0.0))

    def spend(self, position: Position, seconds: float) -> None:
        """Charge seconds to the player to move in a position."""
        player = position.state.to_move
        self._spent[player] = self._spent.get(player, 0.0) + seconds

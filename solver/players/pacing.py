"""A clock for a game: how much of the time that is left for all moves of a game a player takes for the next one.

How long games usually last is learned from some that a search plays against itself, quickly. All moves get the same,
and what one leaves is there for the next ones; those of a game that lasts much longer get less and less. More time for
the moves in the middle of a game gained nothing (`bench/README.md`).
"""

from __future__ import annotations

import math
import random
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Protocol

import attrs

from interpreter.errors import RuleError
from interpreter.game import Game, Position
from interpreter.model.state import Move, State
from solver.players.iterative_deepening import Found, Limit

LONGER, AHEAD = 1.25, 0.3
"""A game is taken to last so much longer than usual, as one that has no time left is lost, and to go on for at least
this part of its usual length."""
_MOVES = 3
"""There are always taken to be so many moves left at least."""
LEAST = 0.001
"""Seconds that a move gets in any case."""
_USUAL = 40.0
"""How many plies games last where none was played."""
_GAMES, _PLIES, _OPENING = 4, 300, 2
"""How many games are played to learn how long they last, for how many plies at most, of which the first are by chance;
"""
_QUICK = Limit(nodes=200, seconds=0.01, begun=1.0)
"""how far moves are looked for there."""
_SECONDS = 2.0
"""No further one is begun after so long."""


class Searching(Protocol):
    """A search that finds moves."""

    def search(self, state: State, limit: Limit, *, history: Sequence[State], seed: int) -> Found:
        """The best move of a position, as far as a limit lets it look."""

    def forget(self) -> None:
        """Drop what was kept of the positions before."""


def share(ply: int, length: float, seats: int) -> float:
    """The part of the time that is left which the next move gets, after so many plies of a game.

    Games usually last `length` plies; `seats` players move in turn. The parts of all moves of a game are never more
    than the whole, as each is a part of what the ones before left.
    """
    return 1 / max(_MOVES, math.ceil(max(LONGER * length - ply, AHEAD * length) / seats))


class Pace:
    """How a search divides the time for a game."""

    def __init__(self, search: Searching, game: Game) -> None:
        self._search, self._game = search, game
        self._length: float | None = None

    def learn(self) -> float:
        """Play games in which the search looks at few nodes for a move; how many plies they last, on average.

        Raises KeyboardInterrupt where a search was interrupted.
        """
        if self._length is not None:
            return self._length
        lengths: list[int] = []
        begun = time.perf_counter()
        for seed in range(_GAMES):
            if lengths and time.perf_counter() - begun > _SECONDS:
                break
            lengths.append(self._play(random.Random(seed)))
        self._search.forget()
        self._length = sum(lengths) / len(lengths) or _USUAL
        return self._length

    def _play(self, chance: random.Random) -> int:
        """Play a game; how many plies it lasts, or until a rule fails."""
        position = self._game.start()
        with suppress(RuleError):
            while not position.over and len(position.played) < _PLIES:
                position = position.play(self._move(position, chance))
        return len(position.played)

    def _move(self, position: Position, chance: random.Random) -> Move:
        """A move of such a game."""
        if position.by_chance or len(position.played) < _OPENING:
            return chance.choice(position.legal())
        self._search.forget()
        found = self._search.search(position.state, _QUICK, history=position.history, seed=chance.getrandbits(30))
        found.report.check_interrupted()
        return found.move

    def share(self, position: Position) -> float:
        """The part of the time that is left for the moves of whoever is to move that the next one gets."""
        return share(len(position.played), self.learn(), len(position.game.players))


@attrs.define
class GameClock:
    """The time that one player has for a game; it begins anew with any position that does not follow the last."""

    seconds: float
    """For all moves of a game."""
    spent: float = 0.0
    _played: tuple[str, ...] = ()
    """The moves that led to the last position."""

    def wind(self) -> None:
        """Begin another game."""
        self.spent, self._played = 0.0, ()

    def left(self, position: Position) -> float:
        """How much is left before the move of a position."""
        known = len(self._played)
        if len(position.played) <= known or position.played[:known] != self._played:
            self.wind()
        self._played = position.played
        return max(0.0, self.seconds - self.spent)

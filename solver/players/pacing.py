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

from interpreter.errors import IllegalMove, RuleError
from interpreter.game import Game, Position
from interpreter.happening import drawn
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
"""How many moves games have where that cannot be learned."""
_GAMES, _MOST, _OPENING = 4, 300, 2
"""How many games are played to learn how many moves they have, and of how many moves at most, of which the first are
random;"""
_QUICK = Limit(nodes=200, seconds=0.01, begun=1.0)
"""how far moves are looked for there."""
_SECONDS = 2.0
"""After so long no further one is begun, and one that has the usual number of moves is broken off."""


class Searching(Protocol):
    """A search that finds moves."""

    def search(self, state: State, limit: Limit, *, history: Sequence[State], seed: int) -> Found:
        """The best move of a position, as far as a limit lets it look."""

    def forget(self) -> None:
        """Drop what was kept of the positions before."""


def share(moves: int, length: float, seats: int) -> float:
    """The part of the time that is left which the next move gets, after so many `moves` of all players in a game.

    Games usually have `length` of them; `seats` players move in turn. The parts of all moves of a game are never more
    than the whole, as each is a part of what the ones before left.
    """
    return 1 / max(_MOVES, math.ceil(max(LONGER * length - moves, AHEAD * length) / seats))


class Pace:
    """How a search divides the time for a game."""

    def __init__(self, search: Searching, game: Game) -> None:
        self._search, self._game = search, game
        self._length: float | None = None

    def learn(self) -> float:
        """Play games in which the search looks at few nodes for a move; how many moves they have, on average.

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
        """Play a game until a time; how many moves it has without those of chance, none where a rule fails or it has
        none."""
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
        """A player's move of such a game."""
        if moves < _OPENING:
            return chance.choice(position.legal())
        self._search.forget()
        found = self._search.search(position.state, _QUICK, history=position.history, seed=chance.getrandbits(30))
        found.report.check_interrupted()
        return found.move

    def share(self, position: Position) -> float:
        """The part of the time that is left for the moves of whoever is to move that the next one gets."""
        decides = self._game.engine.chance.decides
        moves = sum(not decides(state) for state in position.history) if self._game.rules.has_chance else len(
            position.played)
        return share(moves, self.learn(), len(self._game.players))


@attrs.define
class GameClock:
    """The time for all moves of a game, for each player whose moves are chosen by it.

    Players who exchange their pieces keep what they have left. It begins anew with any position that does not follow
    the last.
    """

    seconds: float
    _spent: dict[int, float] = attrs.field(factory=dict)
    """What was spent for each player."""
    _played: tuple[str, ...] = ()
    """The moves that led to the last position."""

    def wind(self) -> None:
        """Begin another game."""
        self._spent, self._played = {}, ()

    def left(self, position: Position) -> float:
        """How much is left before the move of a position."""
        known = len(self._played)
        if len(position.played) <= known or position.played[:known] != self._played:
            self.wind()
        self._played = position.played
        return max(0.0, self.seconds - self._spent.get(position.state.to_move, 0.0))

    def spend(self, position: Position, seconds: float) -> None:
        """Take so much for the move of a position."""
        player = position.state.to_move
        self._spent[player] = self._spent.get(player, 0.0) + seconds

"""Plays games between levels of play, and estimates their positions by Monte-Carlo tree search.

Needs the compiled kernel of the game. Searches are limited by nodes, so that every machine plays the same games.
"""

from __future__ import annotations

import math
import random

from dslgame import bundled
from dslgame.laboratory.measures import Measure
from dslgame.laboratory.playouts import Trace
from interpreter.game import Game, Position
from interpreter.happening import happened
from interpreter.kernel.engine import quickened
from interpreter.model.state import DRAW
from solver.entries import Entries
from solver.players.choice import Player
from solver.players.levels import Level
from solver.players.limits import Limit
from solver.players.matches import CONFIDENCE, Match, play_match, random_openings
from solver.players.mcts import MonteCarloSearch

LONGEST = 400
"""The number of plies after which a game is left unfinished."""
ESTIMATING = 200
"""The nodes of the search that estimates a position."""
_OPENING = 2
"""The number of random plies at the start of a game, so that the games differ."""
_SAMPLES = 1_000
_ENUMERATED = 100_000
"""The number of random games, and the most positions that are enumerated, to estimate complexity."""


class Laboratory:
    """Plays one game between levels, and measures its complexity."""

    def __init__(self, game: Game, seed: int) -> None:
        self.entries = Entries.of(game, bundled.hooks_of(game))
        self.game, self.seed = quickened(game, self.entries.kernel), seed
        self._estimator = MonteCarloSearch(self.entries, nodes=1 << 16) if game.observer.sees_all else None

    def by_itself(self, text: str, games: int) -> tuple[Trace, ...]:
        """Play games of a level against itself, from random openings. Raises ValueError for an unknown level."""
        level = Level.of(text)
        result = []
        for number in range(games):
            player, dice = self._player(level, number), random.Random(f"{self.seed} {number} chance")
            position = happened(self._opened(number), dice)
            while not position.over and len(position.played) < LONGEST:
                choice = player.choose(position)
                choice.check_interrupted()
                position = happened(position.play(choice.move), dice)
            result.append(self._trace(position))
        return tuple(result)

    def match(self, strong: str, weak: str, games: int) -> Match:
        """Play games between two levels, each opening twice with sides swapped."""
        openings = random_openings(self.game, max(1, games // 2), _OPENING, self.seed) or [()]
        return play_match(self.game, self._player(Level.of(strong), 0), self._player(Level.of(weak), 1), games,
                          openings=openings)

    def complexity(self) -> list[Measure]:
        """The state-space and the game-tree complexity; none for games with chance, and only what is known."""
        from solver.complexity import complexity

        if self.entries.game.rules.has_chance:
            return []
        found = complexity(self.entries, self.game.engine.start(), samples=_SAMPLES, seed=self.seed,
                           enumerate_most=_ENUMERATED)
        result = []
        for name, estimate in (("state_space", found.positions), ("game_tree", found.games)):
            if estimate is None:
                continue
            error = 0.0 if estimate.exact is not None else estimate.error / math.log(10)
            reach = CONFIDENCE * error
            result.append(Measure(name, estimate.log10, estimate.log10 - reach, estimate.log10 + reach, error,
                                  0 if estimate.exact is not None else _SAMPLES))
        return result

    def _player(self, level: Level, number: int) -> Player:
        return bundled.player(self.game, level, seed=self.seed * 1_000 + number)

    def _opened(self, number: int) -> Position:
        """A position after `_OPENING` random plies that do not end the game; the start where 20 tries all end it."""
        chance = random.Random(f"{self.seed} {number} opening")
        for _ in range(20):
            position = self.game.start()
            for _ in range(_OPENING):
                position = happened(position, chance)
                if not position.over:
                    position = position.play(chance.choice(position.legal()))
            if not position.over:
                return position
        return self.game.start()

    def _trace(self, final: Position) -> Trace:
        """The trace of a game with the first player's estimates, without those of positions in which chance moves.

        There are no estimates in games with hidden information, as no player could make them.
        """
        outcome = final.state.outcome
        if self._estimator is None:
            return Trace(final.played, (), outcome, ())
        states = (*final.history, final.state)
        estimates, movers = [], []
        for number, state in enumerate(states[:-1]):
            if self.game.engine.chance.decides(state):
                continue
            self._estimator.forget()
            result = self._estimator.search(state, Limit(nodes=ESTIMATING), history=states[:number], seed=self.seed)
            result.report.check_interrupted()
            own = result.score / 1000
            if result.winner is not None:
                own = 0.5 if result.winner == DRAW else float(result.winner == state.to_move)
            estimates.append(own if state.to_move == 0 else 1 - own)
            movers.append(state.to_move)
        estimates.append(0.5 if outcome is None or outcome == DRAW else float(outcome == 0))
        return Trace(final.played, tuple(estimates), outcome, tuple(movers))

"""Playing games with chance: what is worth most on the mean, by looking ahead or from all positions.

`Expectimax` looks so many plies ahead, players' moves and chance alike, with the bounds of Star1 at nodes of chance
(Ballard, Artificial Intelligence 21, 1983): what is certain to lie outside of the window is not looked at. Values are
the first player's, from 0 to 1.
"""

from __future__ import annotations

import math
import time

import attrs

from dsl.diagnostics.wording import either
from interpreter.game import Game, Position
from interpreter.model.state import Move, State
from solver.budget import Budget, OutOfBudget
from solver.expected.value import valued
from solver.expected.worth import Worth
from solver.game_space import GameSpace
from solver.players.choice import Choice

KINDS = ("random", "solver", "expectimax", "mcts")
"""The kinds of players that know chance."""
_SECONDS = 1.0
_MOST_PLIES = 40
_MOST_VALUED = 50_000
"""Positions that a solver values before it looks ahead instead."""


class Stopped(Exception):
    """The limit of a search is reached."""


@attrs.define
class Clock:
    """How far a search may go."""

    nodes: int | None
    until: float
    seen: int = 0

    @classmethod
    def of(cls, nodes: int | None, seconds: float | None, bounded: bool = False) -> Clock:
        """One that stops after so many nodes or seconds; after a second where nothing else bounds the search."""
        if seconds is None and (bounded or nodes is not None):
            return cls(nodes, math.inf)
        return cls(nodes, time.monotonic() + (_SECONDS if seconds is None else seconds))

    def count(self) -> None:
        """Note a node. Raises Stopped past the limit."""
        self.seen += 1
        late = self.seen % 64 == 0 and time.monotonic() > self.until
        if late or (self.nodes is not None and self.seen > self.nodes):
            raise Stopped


class Expectimax:
    """Looks ahead by the rules; where it stops looking, the game's `value` counts, or a half."""

    def __init__(self, game: Game) -> None:
        self.game, self.engine = game, game.engine
        self.ends = Worth.of(game)

    def worths(self, state: State, plies: int, clock: Clock) -> dict[Move, float]:
        """What each move is worth, as far as so many plies show. Raises Stopped."""
        return {move: self.worth(after, plies - 1, 0.0, 1.0, clock) for move, after in self.engine.successors(state)}

    def worth(self, state: State, plies: int, low: float, high: float, clock: Clock) -> float:
        """What a position is worth where that lies between two bounds, else a bound on that side. Raises Stopped."""
        clock.count()
        if state.outcome is not None:
            return self.ends.share(self.ends.end(state))
        if plies <= 0:
            return self._guess(state)
        if self.engine.chance.decides(state):
            return self._mean(state, plies, low, high, clock)
        most = state.to_move == 0
        best = -1.0 if most else 2.0
        for _, after in self.engine.successors(state):
            found = self.worth(after, plies - 1, low, high, clock)
            if (found > best) == most:
                best = found
            if most:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                break
        return best

    def _mean(self, state: State, plies: int, low: float, high: float, clock: Clock) -> float:
        """The mean over what chance does; Star1: what is not seen yet is worth 0 at least and 1 at most."""
        done, left = 0.0, 1.0
        for outcome in self.engine.chance.outcomes(state):
            share = float(outcome.probability)
            left = max(0.0, left - share)
            under, over = (low - done - left) / share, (high - done) / share
            found = self.worth(outcome.state, plies - 1, max(0.0, under), min(1.0, over), clock)
            done += share * found
            if found <= under:
                return done + left
            if found >= over:
                return done
        return done

    def _guess(self, state: State) -> float:
        """What a position seems to be worth: the game's `value`, brought between 0 and 1."""
        value = self.game.heuristic(state) * (1 if state.to_move == 0 else -1)
        return 0.5 + 0.5 * value / (1 + abs(value))


class ExpectingPlayer:
    """Plays a game with chance at a level; raises ValueError for a level that knows none."""

    def __init__(self, game: Game, kind: str, plies: int | None, nodes: int | None, seconds: float | None) -> None:
        if kind not in KINDS:
            raise ValueError(f"level {kind} knows no chance, expected {either(KINDS)}")
        if len(game.players) > 2:
            raise ValueError(f"level {kind} plays games with chance of one or two players, expected random")
        self.game, self.kind = game, kind
        self.plies, self.nodes, self.seconds = plies, nodes, seconds
        self.search = Expectimax(game)

    def choose(self, position: Position) -> Choice:
        """A best move as far as is known."""
        first = position.state.to_move == 0
        worths, basis, reason = self._known(position)
        if worths is None:
            worths, plies = self._ahead(position.state, Clock.of(self.nodes, self.seconds, self.plies is not None))
            basis = f"expected over {plies} plies"
        best = (max if first else min)(worths, key=worths.__getitem__)
        return Choice(best, position.game.notation.write(position.state, best), reason=reason, basis=basis)

    def _ahead(self, state: State, clock: Clock) -> tuple[dict[Move, float], int]:
        """What moves are worth by the deepest search that came to its end, and how many plies that is."""
        found = dict.fromkeys(self.game.engine.legal(state), 0.5)
        depth = 0
        for plies in range(1, (self.plies or _MOST_PLIES) + 1):
            try:
                found = self.search.worths(state, plies, clock)
            except Stopped:
                break
            depth = plies
        return found, depth

    def _known(self, position: Position) -> tuple[dict[Move, float] | None, str, str]:
        """What moves are worth exactly, for a solver, where there are few positions; why not else."""
        if self.kind != "solver":
            return None, "", ""
        space = GameSpace(self.game, position.state)
        try:
            found = valued(space, Budget(self.nodes or _MOST_VALUED), "interpreter")
        except OutOfBudget as limit:
            return None, "", str(limit)
        worths = {move: found.of(after) for move, after in space.successors(position.state)}
        return {move: worth.value for move, worth in worths.items()}, "expected result", ""


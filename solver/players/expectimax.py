"""Players for games with chance: the best expected result, by expectimax or from the values of all positions.

`Expectimax` searches to a fixed depth, in which chance nodes count as plies, and prunes chance nodes by the bounds of
Star1 and Star2 (Ballard, Artificial Intelligence 21, 1983): outcomes are skipped once the expectation is certain to lie
outside the window. Values are the first player's, from 0 to 1.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from interpreter.game import Game, Position
from interpreter.model.state import Move, State
from solver.budget import Budget, OutOfBudget
from solver.expected.utility import Utility
from solver.expected.value import valued
from solver.game_space import GameSpace
from solver.players.allowance import cut_off
from solver.players.choice import Choice, check_going_on
from solver.players.limits import Limit
from solver.players.meter import Meter
from solver.report import Deepened, Report

_MOST_PLIES = 40
_MOST_VALUED = 50_000
"""The most positions that level `solver` values; for larger games it searches instead."""
_VALUING, _PATIENCE = 0.5, 8
"""The share of a move's time that level `solver` spends on the values of all positions, and the most plies before it
tries again where that was not enough: 1, doubled each time. With a limit of nodes alone it tries for every move."""
STAR = 2
"""The default pruning at chance nodes; see `Expectimax`."""
_REMEMBERED = 100_000
"""The most positions whose successors are cached."""


class _Span:
    """Bounds of the expectation of a chance node, updated from the bounds of its outcomes."""

    def __init__(self, shares: list[float], low: float, high: float, *, bounded: bool) -> None:
        """`low` and `high` are the window of the expectation; it is ignored unless `bounded`."""
        self._shares, self._want = shares, (low, high)
        self._bounded = bounded
        self._least, self._most = [0.0] * len(shares), [1.0] * len(shares)
        self.low, self.high = 0.0, math.fsum(shares)

    def window(self, place: int) -> tuple[float, float]:
        """The window for an outcome's value: with a value outside it, the expectation lies outside its own window."""
        if not self._bounded:
            return 0.0, 1.0
        share = self._shares[place]
        under = (self._want[0] - (self.high - share * self._most[place])) / share
        over = (self._want[1] - (self.low - share * self._least[place])) / share
        return max(self._least[place], under), min(self._most[place], over)

    @property
    def decided(self) -> float | None:
        """A bound of the expectation that lies outside the window; None where there is none yet."""
        if self._bounded and self.high <= self._want[0]:
            return self.high
        return self.low if self._bounded and self.low >= self._want[1] else None

    def narrow(self, place: int, result: float, *, most: bool) -> None:
        """Tighten an outcome's bound by the value of one of its moves, for the maximising player (`most`) or the other.

        The result is exact inside the outcome's window, else a bound on that side.
        """
        under, over = self.window(place)
        if most and result > under:
            self._set(place, result, self._most[place])
        elif not most and result < over:
            self._set(place, self._least[place], result)

    def settle(self, place: int, result: float) -> None:
        """Set an outcome's value: exact inside its window, else a bound on that side."""
        under, over = self.window(place)
        inside = under < result < over
        self._set(place, result if inside or result >= over else self._least[place],
                  result if inside or result <= under else self._most[place])

    def _set(self, place: int, least: float, most: float) -> None:
        share = self._shares[place]
        least = max(least, self._least[place])
        most = max(least, min(most, self._most[place]))
        self.low += share * (least - self._least[place])
        self.high += share * (most - self._most[place])
        self._least[place], self._most[place] = least, most


class Expectimax:
    """Depth-limited expectimax by the interpreter; at the horizon a position has the game's `value`, or a half."""

    def __init__(self, game: Game, star: int = STAR) -> None:
        """`star` is the pruning at chance nodes: 0 for none, 1 for Star1, 2 for Star1 and Star2."""
        self.game, self.engine, self.star = game, game.engine, star
        self.ends = Utility.of(game)
        self._followers: dict[State, list[tuple[Move, State]]] = {}
        self._best: dict[State, State] = {}
        """For each position the successor that was best when it was last searched; it is searched first."""
        self._path: list[State] = []
        """The positions before the one that is searched, for the repetition rule."""

    def worths(self, state: State, plies: int, meter: Meter, history: Sequence[State] = ()) -> dict[Move, float]:
        """The value of each move by a search of `plies` plies; for moves other than the best it may be a bound that is
        not better than the best value. `history` has the earlier positions. Raises Stopped."""
        result: dict[Move, float] = {}
        low, high = 0.0, 1.0
        self._path = list(history)
        successors = self._ordered(state)
        self._path.append(state)
        for move, after in successors:
            result[move] = worth = self.worth(after, plies - 1, low, high, meter)
            if self.star and state.to_move == 0 and worth > low:
                low, self._best[state] = worth, after
            elif self.star and state.to_move == 1 and worth < high:
                high, self._best[state] = worth, after
        return result

    def worth(self, state: State, plies: int, low: float, high: float, meter: Meter) -> float:
        """The value of a position where it lies between `low` and `high`, else a bound on that side. Raises Stopped."""
        meter.count()
        if state.outcome is not None:
            return self.ends.share(self.ends.end(state))
        if plies <= 0:
            return self._guess(state)
        if self.engine.chance.decides(state):
            outcomes = self._outcomes(state)
            self._path.append(state)
            result = self._mean(outcomes, plies, low, high, meter)
            self._path.pop()
            return result
        most = state.to_move == 0
        best = -1.0 if most else 2.0
        successors = self._ordered(state)
        if not successors:
            return self._stuck(state)
        self._path.append(state)
        for _, after in successors:
            result = self.worth(after, plies - 1, low, high, meter)
            if (result > best) == most and result != best:
                best, self._best[state] = result, after
            if most:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                break
        self._path.pop()
        return best

    def _ordered(self, state: State) -> list[tuple[Move, State]]:
        """The moves of a player with their successors, by the repetition rule; the best one of the last search first.
        """
        result = self._followers.get(state)
        if result is None:
            if len(self._followers) >= _REMEMBERED:
                self._followers.clear()
                self._best.clear()
            result = self._followers[state] = self.engine.successors(state)
        if self.game.looks_back:
            result = self.game.by_repetition(state, result, self._path)
        best = self._best.get(state)
        return result if best is None else sorted(result, key=lambda item: item[1] is not best)

    def _outcomes(self, state: State) -> list[tuple[float, State]]:
        """The outcomes of chance with their probabilities, by the repetition rule; unless it forbids, where play would
        stop with an error if chance ever repeated a position."""
        outcomes = self.engine.chance.outcomes(state)
        successors = [(outcome.move, outcome.state) for outcome in outcomes]
        if self.game.looks_back and not self.game.repetition.forbids:
            successors = self.game.by_repetition(state, successors, self._path)
        return [(float(outcome.probability), after)
                for outcome, (_, after) in zip(outcomes, successors, strict=True)]

    def _mean(self, outcomes: list[tuple[float, State]], plies: int, low: float, high: float, meter: Meter) -> float:
        """The expectation over the outcomes of chance: exact inside the window, else a bound.

        Star1: outcomes that were not searched yet lie between their bounds, at first 0 and 1, so that the expectation
        may already be certain to lie outside the window. Star2 first probes one move of each outcome for a tighter
        bound.
        """
        span = _Span([share for share, _ in outcomes], low, high, bounded=self.star > 0)
        if self.star > 1 and plies > 1 and (low > 0 or high < 1):
            for index, (_, after) in enumerate(outcomes):
                if after.outcome is None and not self.engine.chance.decides(after):
                    result = self._probed(after, plies, span.window(index), meter)
                    span.narrow(index, result, most=after.to_move == 0)
                    if span.decided is not None:
                        return span.decided
        for index, (_, after) in enumerate(outcomes):
            window = span.window(index)
            span.settle(index, self.worth(after, plies - 1, window[0], window[1], meter))
            if span.decided is not None:
                return span.decided
        return span.low

    def _probed(self, state: State, plies: int, window: tuple[float, float], meter: Meter) -> float:
        """The value of the first move after an outcome, which bounds the outcome's value for the player to move."""
        successors = self._ordered(state)
        if not successors:
            return self._stuck(state)
        self._path.append(state)
        result = self.worth(successors[0][1], plies - 2, window[0], window[1], meter)
        self._path.pop()
        return result

    def _stuck(self, state: State) -> float:
        """The value where all moves of a player would repeat a position, which is forbidden."""
        outcome = self.engine.ends.of_no_moves(state.to_move)
        return self.ends.share(self.ends.end(state._replace(outcome=outcome)))

    def _guess(self, state: State) -> float:
        """The estimate of a position: the game's `value`, mapped to the range from 0 to 1."""
        value = self.game.heuristic(state) * (1 if state.to_move == 0 else -1)
        return 0.5 + 0.5 * value / (1 + abs(value))


class ExpectingPlayer:
    """Plays games with chance of one or two players by expectimax; if it is `valuing`, by exact values where it can."""

    def __init__(self, game: Game, limit: Limit, star: int = STAR, *, valuing: bool = False) -> None:
        self.game, self.limit, self.valuing = game, limit, valuing
        self.search = Expectimax(game, star)
        self._failed_at, self._why, self._patience = 0, "", 0

    def choose(self, position: Position) -> Choice:
        """Return the move with the best known or estimated value. Raises ValueError where the game is over."""
        check_going_on(position)
        meter = Meter(self.limit)
        worths: dict[Move, float] | None = None
        reason = ""
        if self.valuing:
            with meter.stopping():
                worths, reason = self._known(position, meter)
        if worths is not None:
            best = self._best(position, worths)
            return Choice(best, position.game.notation.write(position.state, best), basis="expected result")
        best, report = self._ahead(position, meter)
        return Choice(best, position.game.notation.write(position.state, best), reason=cut_off(report.cut) or reason,
                      report=report, basis=f"expected over {report.depth} plies")

    def _best(self, position: Position, worths: Mapping[Move, float]) -> Move:
        """The move with the best value for the player to move, the first of several."""
        return (max if position.state.to_move == 0 else min)(worths, key=worths.__getitem__)

    def _ahead(self, position: Position, meter: Meter) -> tuple[Move, Report]:
        """The best move by the deepest completed search, and the report of the search."""
        score = ""
        best: Move | None = None
        depths: list[Deepened] = []
        with meter.stopping():
            for plies in range(1, (self.limit.plies or _MOST_PLIES) + 1):
                nodes, seconds = meter.nodes, meter.seconds
                worths = self.search.worths(position.state, plies, meter, position.history)
                best = self._best(position, worths)
                score = f"{worths[best]:.1%}"
                line = (position.game.notation.write(position.state, best),)
                depths.append(Deepened(plies, meter.nodes - nodes, meter.seconds - seconds, score, line))
        if best is None:  # no depth was completed
            best = self._best(position, self.search.worths(position.state, 1, Meter(Limit()), position.history))
        return best, Report("expectimax", meter.nodes, meter.seconds, score, depths=tuple(depths),
                            interrupted=meter.interrupted, cut=meter.cut(f"at depth {len(depths) + 1}"))

    def _known(self, position: Position, meter: Meter) -> tuple[dict[Move, float] | None, str]:
        """The exact values of moves where there are few positions, else None and the reason."""
        if self.game.looks_back:
            return None, "by the repetition rule, results depend on the positions before"
        ply = len(position.played)
        if self._failed_at <= ply < self._failed_at + self._patience and self.limit.seconds is not None:
            return None, self._why
        space = GameSpace(self.game, position.state)
        most = None if self.limit.time is None else _VALUING * self.limit.time

        def look(done: int, known: int, phase: str) -> None:
            if most is not None and meter.seconds > most:
                raise OutOfBudget(f"{most:g} s were not enough to value all positions")

        try:
            result = valued(space, Budget(self.limit.nodes or _MOST_VALUED, None, look), "interpreter")
        except OutOfBudget as limit:
            again = self._patience if self._failed_at <= ply else 0  # an earlier ply: a new game has begun
            self._failed_at, self._why, self._patience = ply, str(limit), min(_PATIENCE, 2 * again) or 1
            return None, self._why
        return {move: result.of(after).value for move, after in space.successors(position.state)}, ""

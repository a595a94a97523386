"""Playing games with chance: what is worth most on the mean, by looking ahead, by random games, or from all positions.

`Expectimax` looks so many plies ahead, players' moves and chance alike, with the bounds of Star1 at nodes of chance
(Ballard, Artificial Intelligence 21, 1983): what is certain to lie outside of the window is not looked at. `ChanceTree`
is Monte-Carlo tree search in whose nodes of chance a move is drawn. Values are the first player's, from 0 to 1.
"""

from __future__ import annotations

import math
import time
from random import Random

import attrs

from dsl.diagnostics.wording import either
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.game import Game, Position
from interpreter.happening import drawn
from interpreter.kernel.kernel import Kernel
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
_EXPLORING = 0.7
_LONGEST = 5_000
"""Moves after which a random game counts as drawn."""


class _Stopped(Exception):
    """The limit of a search is reached."""


@attrs.define
class _Clock:
    """How far a search may go."""

    nodes: int | None
    until: float
    seen: int = 0

    def count(self) -> None:
        """Note a node. Raises _Stopped past the limit."""
        self.seen += 1
        late = self.seen % 64 == 0 and time.monotonic() > self.until
        if late or (self.nodes is not None and self.seen > self.nodes):
            raise _Stopped


class Expectimax:
    """Looks ahead by the rules; where it stops looking, the game's `value` counts, or a half."""

    def __init__(self, game: Game) -> None:
        self.game, self.engine = game, game.engine
        self.ends = Worth.of(game)

    def worths(self, state: State, plies: int, clock: _Clock) -> dict[Move, float]:
        """What each move is worth, as far as so many plies show. Raises _Stopped."""
        return {move: self.worth(after, plies - 1, 0.0, 1.0, clock) for move, after in self.engine.successors(state)}

    def worth(self, state: State, plies: int, low: float, high: float, clock: _Clock) -> float:
        """What a position is worth where that lies between two bounds, else a bound on that side. Raises _Stopped."""
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

    def _mean(self, state: State, plies: int, low: float, high: float, clock: _Clock) -> float:
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


@attrs.define(eq=False)
class _Node:
    """A position of a tree: how often it was visited, what the first player had of it in all, and what follows."""

    position: Position
    visits: int = 0
    total: float = 0.0
    kids: dict[Move, _Node] = attrs.field(factory=dict)


class ChanceTree:
    """Monte-Carlo tree search whose nodes of chance draw a move, as often as the rules say."""

    def __init__(self, game: Game) -> None:
        self.game, self.ends = game, Worth.of(game)
        try:
            self._kernel: Kernel | None = Kernel.of(game)
        except NotLowered:
            self._kernel = None

    def search(self, position: Position, clock: _Clock, dice: Random) -> dict[Move, float]:
        """How often each move was visited, as a share."""
        root = _Node(position)
        try:
            while True:
                clock.count()
                self._visit(root, dice)
        except _Stopped:
            pass
        whole = max(1, sum(kid.visits for kid in root.kids.values()))
        return {move: kid.visits / whole for move, kid in root.kids.items()} or dict.fromkeys(position.legal(), 0.0)

    def _visit(self, root: _Node, dice: Random) -> None:
        path, node = [root], root
        while not node.position.over and (node.visits or node is root):
            move = drawn(node.position, dice) if node.position.by_chance else self._choice(node, dice)
            if move not in node.kids:
                node.kids[move] = _Node(node.position.play(move))
            node = node.kids[move]
            path.append(node)
        result = self._played_out(node.position, dice)
        for node in path:
            node.visits += 1
            node.total += result

    def _choice(self, node: _Node, dice: Random) -> Move:
        """A move that was not tried, else the one with the best upper bound (UCB1)."""
        legal = node.position.legal()
        untried = [move for move in legal if move not in node.kids]
        if untried:
            return dice.choice(untried)
        sign, many = (1 if node.position.state.to_move == 0 else -1), math.log(max(2, node.visits))

        def bound(move: Move) -> float:
            kid = node.kids[move]
            return sign * kid.total / kid.visits + _EXPLORING * math.sqrt(many / kid.visits)

        return max(legal, key=bound)

    def _played_out(self, position: Position, dice: Random) -> float:
        """What the first player has of a random game from a position."""
        state = position.state
        if state.outcome is None and self._kernel is not None:
            row = self._kernel.row(state)
            self._kernel.play_out(row, dice.getrandbits(63), _LONGEST)
            state = self._kernel.state(row)
        for _ in range(_LONGEST if self._kernel is None else 0):
            if position.over:
                break
            position = position.play(drawn(position, dice) if position.by_chance else dice.choice(position.legal()))
            state = position.state
        return 0.5 if state.outcome is None else self.ends.share(self.ends.end(state))


class ExpectingPlayer:
    """Plays a game with chance at a level; raises ValueError for a level that knows none."""

    def __init__(self, game: Game, kind: str, plies: int | None, nodes: int | None, seconds: float | None,
                 seed: int) -> None:
        if kind not in KINDS:
            raise ValueError(f"level {kind} knows no chance, expected {either(KINDS)}")
        if len(game.players) > 2:
            raise ValueError(f"level {kind} plays games with chance of one or two players, expected random")
        self.game, self.kind, self.dice = game, kind, Random(seed)
        self.plies, self.nodes, self.seconds = plies, nodes, seconds
        self.search = Expectimax(game)
        self.tree = ChanceTree(game) if kind == "mcts" else None

    def choose(self, position: Position) -> Choice:
        """A best move as far as is known."""
        first = position.state.to_move == 0
        worths, basis, reason = self._known(position)
        if worths is None:
            clock = _Clock(self.nodes, self._until)
            if self.tree is not None:
                worths, basis, first = self.tree.search(position, clock, self.dice), "sampled from random games", True
            else:
                worths, plies = self._ahead(position.state, clock)
                basis = f"expected over {plies} plies"
        best = (max if first else min)(worths, key=worths.__getitem__)
        return Choice(best, position.game.notation.write(position.state, best), reason=reason, basis=basis)

    @property
    def _until(self) -> float:
        if self.seconds is not None:
            return time.monotonic() + self.seconds
        free = self.nodes is not None or self.plies is not None
        return math.inf if free else time.monotonic() + _SECONDS

    def _ahead(self, state: State, clock: _Clock) -> tuple[dict[Move, float], int]:
        """What moves are worth by the deepest search that came to its end, and how many plies that is."""
        found = dict.fromkeys(self.game.engine.legal(state), 0.5)
        depth = 0
        for plies in range(1, (self.plies or _MOST_PLIES) + 1):
            try:
                found = self.search.worths(state, plies, clock)
            except _Stopped:
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


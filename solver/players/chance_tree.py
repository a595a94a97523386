"""Monte-Carlo tree search by the interpreter, for games with chance that cannot be compiled to a kernel.

At chance nodes a move is drawn by its probability. Compiled games are searched by `solver.players.mcts` instead, which
is hundreds of times as fast.
"""

from __future__ import annotations

import math
from random import Random

import attrs

from interpreter.game import Game, Position
from interpreter.happening import drawn
from interpreter.model.state import Move
from solver.expected.utility import Utility
from solver.players.allowance import cut_off
from solver.players.choice import Choice, check_going_on
from solver.players.limits import Limit
from solver.players.meter import Meter
from solver.report import Report

_EXPLORING = 0.7
_LONGEST = 5_000
"""Moves after which a random game counts as drawn."""


@attrs.define(eq=False)
class _Node:
    """A node: its position, its visits, the sum of the first player's results, and its children."""

    position: Position
    visits: int = 0
    total: float = 0.0
    kids: dict[Move, _Node] = attrs.field(factory=dict)


class ChanceTree:
    """Monte-Carlo tree search that draws moves at chance nodes by their probabilities."""

    def __init__(self, game: Game) -> None:
        self.game, self.ends = game, Utility.of(game)

    def search(self, position: Position, meter: Meter, dice: Random) -> dict[Move, float]:
        """Play games until the limit, at least one, and return each move's share of the visits."""
        root = _Node(position)
        with meter.stopping():
            while True:
                meter.count()
                self._visit(root, dice)
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
        """An untried move, else the one with the best upper confidence bound (UCB1)."""
        legal = node.position.legal()
        untried = [move for move in legal if move not in node.kids]
        if untried:
            return dice.choice(untried)
        sign, count = (1 if node.position.state.to_move == 0 else -1), math.log(max(2, node.visits))

        def bound(move: Move) -> float:
            kid = node.kids[move]
            return sign * kid.total / kid.visits + _EXPLORING * math.sqrt(count / kid.visits)

        return max(legal, key=bound)

    def _played_out(self, position: Position, dice: Random) -> float:
        """The first player's result of a random game from a position, from 0 to 1."""
        for _ in range(_LONGEST):
            if position.over:
                return self.ends.share(self.ends.end(position.state))
            position = position.play(drawn(position, dice) if position.by_chance else dice.choice(position.legal()))
        return 0.5


class ChanceTreePlayer:
    """Plays the move that the tree visits most. Raises ValueError for more than two players."""

    def __init__(self, game: Game, limit: Limit, seed: int) -> None:
        if len(game.players) > 2:
            raise ValueError("level mcts plays games with chance of more than two players where their rules can be "
                             "compiled, and these cannot: expected random")
        self.limit, self.dice = limit, Random(seed)
        self.tree = ChanceTree(game)

    def choose(self, position: Position) -> Choice:
        """Return the move with the most visits. Raises ValueError where the game is over."""
        check_going_on(position)
        meter = Meter(self.limit)
        shares = self.tree.search(position, meter, self.dice)
        best = max(shares, key=shares.__getitem__)
        report = Report("mcts", meter.nodes, meter.seconds, f"{shares[best]:.0%} of the visits", leaves=meter.nodes,
                        interrupted=meter.interrupted, cut=meter.cut(f"at {meter.nodes:,} games"))
        return Choice(best, position.game.notation.write(position.state, best), reason=cut_off(report.cut),
                      report=report, basis="sampled from random games")

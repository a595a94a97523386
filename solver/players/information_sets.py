"""Level ismcts: information set Monte-Carlo tree search for games with hidden information.

Each game of the search starts from a sampled position that is consistent with what the player to move knows
(`solver.information.positions`), and descends one tree per player, whose nodes are that player's observations and moves
since (multiple-observer information set MCTS; Cowling, Powley and Whitehouse, IEEE Transactions on Computational
Intelligence and AI in Games 4, 2012). So no player in the search chooses by information that is hidden from it.
"""

from __future__ import annotations

import math
from random import Random

import attrs

from interpreter.game import Game, Position
from interpreter.model.state import Move, State
from interpreter.semantics.hidden import Knowledge
from solver.information.knowing import known_by
from solver.information.positions import Fitting, Steps
from solver.players.allowance import cut_off
from solver.players.choice import Choice, check_going_on
from solver.players.limits import Limit
from solver.players.meter import Meter
from solver.report import Report

EXPLORING = 0.7
_POSITIONS = 100
"""Consistent positions that are sampled for a search; each of its games starts from one of them."""
_ALIKE = 0.03
"""The final choice mixes the moves whose mean is at most this much below that of the most visited one, from 0 to 1."""


@attrs.define(eq=False)
class _Tried:
    """The statistics of a move in one information state."""

    visits: int = 0
    total: float = 0.0
    """The sum of the results of these games for the player, each from 0 to 1."""
    offered: int = 0
    """Games that reached the information state with the move legal."""

    @property
    def mean(self) -> float:
        """The mean result for the player; 0 without visits."""
        return self.total / self.visits if self.visits else 0.0


_Moves = dict[Move, _Tried]


class InformationSetTree:
    """The trees of all players, one for each, from one decision on."""

    def __init__(self, steps: Steps, player: int) -> None:
        self.steps, self.player = steps, player
        game = steps.game
        self._players = range(len(game.players))
        self._limits = [game.payoffs.limits_of(player) for player in self._players]
        self._known: dict[tuple[int, State | tuple[int, Move]], int] = {}
        """The number of each information state, by the number of the one before and one more event."""
        self._nodes: dict[tuple[int, int], _Moves] = {}
        """The statistics of moves, by player and information state."""
        self.root: _Moves = {}

    def play(self, state: State, dice: Random) -> None:
        """Play one game from a position, and back up its result."""
        steps = self.steps
        views = [steps.view(state, player) for player in self._players]
        known = [0 if player == self.player else self._more(0, views[player]) for player in self._players]
        path: list[tuple[int, _Tried]] = []
        new = False
        while state.outcome is None and not new:
            ways, player = steps.ways(state), state.to_move
            if ways.weights:
                move = ways.draw(dice)
            else:
                node = self._nodes.setdefault((player, known[player]), {})
                if not path:
                    self.root = node
                move, new = self._choice(node, ways.moves, dice)
                path.append((player, node[move]))
                known[player] = self._more(known[player], (-1, move))
            state = steps.after(state, move)
            for player in self._players:
                view = steps.view(state, player)
                if view != views[player]:
                    views[player], known[player] = view, self._more(known[player], view)
        worth = self._worth(steps.end(state, dice))
        for player, tried in path:
            tried.visits += 1
            tried.total += worth[player]

    def _more(self, before: int, event: State | tuple[int, Move]) -> int:
        return self._known.setdefault((before, event), len(self._known) + 1)

    def _choice(self, node: _Moves, legal: tuple[Move, ...], dice: Random) -> tuple[Move, bool]:
        """An untried move, else the one with the best upper confidence bound; and whether it was untried."""
        untried = [move for move in legal if move not in node or not node[move].visits]
        for move in legal:
            node.setdefault(move, _Tried()).offered += 1
        if untried:
            return dice.choice(untried), True
        return max(legal, key=lambda move: node[move].mean + EXPLORING * math.sqrt(
            math.log(node[move].offered) / node[move].visits)), False

    def _worth(self, state: State) -> list[float]:
        """The payoff of a game's last position for each player, scaled to 0 to 1; a half where the game did not end."""
        if state.outcome is None:
            return [0.5 for _ in self._players]
        return [(worth - low) / (high - low) if high > low else 0.5
                for worth, (low, high) in zip(self.steps.game.payoffs.of(state), self._limits, strict=True)]


class InformationSetPlayer:
    """Plays by what the player to move knows; with the same seed and limit of games, the same for equal knowledge."""

    def __init__(self, game: Game, limit: Limit, seed: int, *, kept: bool = True) -> None:
        """Compiled rules are cached on disk, unless `kept` is false."""
        self.game, self.limit, self.seed = game, limit, seed
        self._steps = Steps(game, kept=kept)
        self._fitting: dict[int, Fitting] = {}

    def choose(self, position: Position) -> Choice:
        """Return a move of the player to move, by that player's knowledge alone. Raises ValueError where the game is
        over."""
        check_going_on(position)
        player = position.state.to_move
        return self.choose_by(known_by(position, player), position.legal(), position)

    def choose_by(self, knowledge: Knowledge, legal: list[Move], position: Position) -> Choice:
        """Return a move by a player's knowledge and legal moves; the position serves only to write the move."""
        meter = Meter(self.limit)
        dice = Random(f"{self.seed} {len(knowledge.events)}")
        if len(legal) == 1:
            return self._choice(position, legal[0], "the only move")
        fitting = self._fitting.setdefault(knowledge.player, Fitting(
            self._steps, knowledge.player, self.seed, _POSITIONS))
        positions = fitting.positions(knowledge.events, legal)
        if not positions:
            return self._choice(position, dice.choice(legal), "at random: no position was found that fits")
        tree = InformationSetTree(self._steps, knowledge.player)
        with meter.stopping():
            while True:
                meter.count()
                tree.play(dice.choice(positions), dice)
        tried = {move: tree.root[move] for move in legal if move in tree.root and tree.root[move].visits}
        move = _mixed(tried, dice) if tried else dice.choice(legal)
        report = Report("ismcts", len(tree._nodes), meter.seconds, f"{tried[move].mean:.1%}" if tried else "",
                        leaves=meter.nodes, interrupted=meter.interrupted, cut=meter.cut(f"at {meter.nodes:,} games"))
        return self._choice(position, move, f"sampled from {len(positions)} positions that fit what is known", report)

    def _choice(self, position: Position, move: Move, basis: str, report: Report | None = None) -> Choice:
        reason = "" if report is None else cut_off(report.cut)
        return Choice(move, position.game.notation.write(position.state, move), reason=reason, report=report,
                      basis=basis)


def _mixed(tried: _Moves, dice: Random) -> Move:
    """A random move among those of about the same mean as the most visited one, weighted by visits.

    With hidden information it matters that opponents cannot predict a choice between equal moves.
    """
    most = max(tried.values(), key=lambda result: result.visits)
    alike = {move: result.visits for move, result in tried.items()
             if result.visits and result.mean >= most.mean - _ALIKE}
    return dice.choices(list(alike), list(alike.values()))[0]

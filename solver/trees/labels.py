"""Labels of a tree's nodes: proven won, lost or drawn for the player to move, and in how many plies; else unknown.

A label follows from the tree alone. Nodes at the horizon are unknown, and so is every value that depends on them, and a
loss or draw where moves were left out that are not images of kept ones. Draws without an end are draws by repetition.
"""

from __future__ import annotations

import attrs
import numpy as np

from interpreter.arrays import Integers, Truths
from interpreter.model.state import DRAW as DRAWN_GAME
from interpreter.model.state import Move, State
from solver.solve import Solved
from solver.trees.rule import DRAWN, GOING
from solver.trees.tree import Nodes, Tree

UNKNOWN, WIN, LOSE, DRAW, REPEATED = 0, 1, -1, 2, 3
NAMES = {UNKNOWN: "unknown", WIN: "win", LOSE: "lose", DRAW: "draw", REPEATED: "draw by repetition"}


@attrs.frozen(eq=False)
class Labels:
    """A label for each node, and in how many plies the game ends under best play; -1 where that is unknown."""

    value: Integers
    plies: Integers

    def name(self, node: int) -> str:
        """The label of a node in words."""
        return NAMES[int(self.value[node])]


def label(tree: Tree) -> Labels:
    """Label all nodes of a tree, as far as it has been grown."""
    nodes, graph = tree.nodes(), tree.positions
    outcomes, movers = graph.outcomes[nodes.position], graph.movers[nodes.position]
    value, plies = np.zeros(len(nodes), np.int8), np.full(len(nodes), -1, np.int32)
    rule = tree.game.rules.repetition
    repeated = nodes.loops & (rule == "draws") & _really_repeats(tree)
    value[outcomes >= 0] = np.where(outcomes == movers, WIN, LOSE)[outcomes >= 0]
    value[outcomes == DRAWN] = DRAW
    value[repeated] = REPEATED
    plies[(outcomes != GOING)] = 0
    game = tree.game
    if not tree.positions.can_label or game.path_dependent or len(game.players) > 2 or game.engine.ignore_ends:
        return Labels(_of_players(value, len(game.players)), plies)
    ended = value != UNKNOWN
    full = np.zeros(len(graph), np.bool_)
    full[: graph.expanded] = graph.complete()
    complete = full[nodes.position] & nodes.expanded & ~nodes.loops
    same = graph.same[nodes.edge]
    _prove(nodes, same, value, plies, complete & ~ended)
    _prove_draws(nodes, same, value, plies, complete, ended)
    return Labels(_of_players(value, len(game.players)), plies)


def by_solution(tree: Tree, labels: Labels, solved: Solved[State, Move]) -> Labels:
    """Return labels with the unknown ones replaced by the values of a solution; for two players."""
    value, plies = labels.value.copy(), labels.plies.copy()
    for node in np.flatnonzero(value == UNKNOWN):
        state = tree.state(int(node))
        result = solved.value(state)
        if result is not None and result.winner is not None:
            value[node] = DRAW if result.winner == DRAWN_GAME else WIN if result.winner == state.to_move else LOSE
            plies[node] = -1 if result.remoteness is None else result.remoteness
    return Labels(_of_players(value, len(tree.game.players)), plies)


def _of_players(value: Integers, players: int) -> Integers:
    """The labels, of which those without a winner are losses of a player alone."""
    return np.where(value >= DRAW, LOSE, value).astype(np.int8) if players == 1 else value


def _really_repeats(tree: Tree) -> bool:
    """Whether loops repeat the same position, including the player to move."""
    return tree.unfolding is not None and tree.unfolding.loops == "position"


def _prove(nodes: Nodes, same: Truths, value: Integers, plies: Integers, complete: Truths) -> None:
    """Prove wins and losses backwards from the ends of play, the nearest first."""
    degrees = np.bincount(nodes.source, minlength=len(nodes))
    for ply in range(1, len(nodes) + 1):
        after = np.where(np.abs(value[nodes.target]) == 1, value[nodes.target], 0)
        after = np.where(same, after, -after)
        wins = np.bincount(nodes.source[after == WIN], minlength=len(nodes)) > 0
        losses = (np.bincount(nodes.source[after == LOSE], minlength=len(nodes)) == degrees) & (degrees > 0) & complete
        new = (value == UNKNOWN) & (wins | losses)
        if not new.any():
            return
        value[new] = np.where(wins[new], WIN, LOSE)
        plies[new] = ply


def _prove_draws(nodes: Nodes, same: Truths, value: Integers, plies: Integers, complete: Truths, ended: Truths) -> None:
    """Label as drawn the nodes that neither player can win, whatever the unknown nodes are worth."""
    open_end = (value == UNKNOWN) & ~complete
    may_win, may_lose = (value == WIN) | open_end, (value == LOSE) | open_end
    degrees = np.bincount(nodes.source, minlength=len(nodes))
    inner = ~ended & (value == UNKNOWN)
    while True:
        good = np.where(same, may_win[nodes.target], may_lose[nodes.target])
        bad = np.where(same, may_lose[nodes.target], may_win[nodes.target])
        wins = inner & (np.bincount(nodes.source[good], minlength=len(nodes)) > 0)
        losses = inner & (np.bincount(nodes.source[bad], minlength=len(nodes)) == degrees)
        if not ((wins & ~may_win) | (losses & ~may_lose)).any():
            break
        may_win, may_lose = may_win | wins, may_lose | losses
    drawn = inner & complete & ~may_win & ~may_lose
    value[drawn] = REPEATED
    near = value == DRAW
    for ply in range(1, len(nodes) + 1):
        reaches = np.bincount(nodes.source[near[nodes.target]], minlength=len(nodes)) > 0
        new = drawn & reaches & (value == REPEATED)
        if not new.any():
            return
        value[new], plies[new], near = DRAW, ply, new

"""A tree as a book for players: looks up its labels for the moves of a position."""

from __future__ import annotations

from interpreter.model.state import DRAW, Move, State
from solver.trees.labels import DRAW as DRAWN
from solver.trees.labels import LOSE, REPEATED, UNKNOWN, WIN, Labels, label
from solver.trees.positions import merging
from solver.trees.tree import Tree


class Book:
    """The labels of a tree, by position."""

    def __init__(self, tree: Tree, labels: Labels | None = None) -> None:
        self.tree = tree
        self.labels = label(tree) if labels is None else labels
        self._key = merging(tree.game, tree.positions.rule)
        nodes = tree.nodes()
        self._nodes: dict[State, int] = {}
        for node in range(len(nodes)):  # the first of equal ones is nearest to the root, and its label proves most
            self._nodes.setdefault(self._key(tree.state(node)), node)

    def values(self, state: State) -> dict[Move, tuple[int | None, int | None]] | None:
        """For each legal move the winner (DRAW for a draw) and the number of plies, None where the tree lacks them.

        Returns None where the position itself is not in the tree or its label is unknown.
        """
        node = self._nodes.get(self._key(state))
        if node is None or self.labels.value[node] == UNKNOWN:
            return None
        result: dict[Move, tuple[int | None, int | None]] = {}
        for move, after in self.tree.game.engine.successors(state):
            there = self._nodes.get(self._key(after))
            result[move] = (None, None) if there is None else self._value(there, after)
        return result

    def _value(self, node: int, state: State) -> tuple[int | None, int | None]:
        value, plies = int(self.labels.value[node]), int(self.labels.plies[node])
        away = None if plies < 0 else plies + 1
        if value in (DRAWN, REPEATED):
            return DRAW, away
        if state.outcome is not None:
            return state.outcome, 1
        other = self.tree.game.engine.turns.other(state.to_move)
        return {WIN: (state.to_move, away), LOSE: (other, away)}.get(value, (None, None))

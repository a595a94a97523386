"""The tree of all move sequences: a graph of positions unfolded, with a node for each path to a position.

A node takes two bytes (eight where some position has 256 moves or more): the index of the edge of its parent's position
that leads to it, and the number of its children. Its parent, and from there its position, follow from the order, level
by level; `walk` computes them, piece by piece. So trees of tens of millions of nodes fit into little memory, or stay on
disk.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import attrs
import numpy as np

from interpreter.arrays import Integers, Truths
from solver.space import DRAW
from solver.trees.positions import Positions
from solver.trees.rule import GOING, CutHere, Progress

Loops = Literal["kept", "position", "board"]
_PIECE = 1 << 15
"""The most nodes of a piece."""


@attrs.frozen(eq=False)
class Piece:
    """Consecutive nodes of a level, from `first` on, with the positions of their paths."""

    first: int
    path: Integers
    """A row for each node: the positions from the root to the node."""
    parents: Integers
    """The index of each node's parent within the level above."""
    loops: Truths
    """For each node whether it repeats a position of its path, as `Unfolding.loops` counts it."""


@attrs.define(eq=False)
class Unfolding:
    """The unfolded tree of a graph, as far as it has been grown."""

    positions: Positions
    loops: Loops
    """Which repetitions on its path make a node a leaf: of a position, of a board (whoever is to move), or none."""
    edges: list[Integers] = attrs.field(factory=list)
    """For each level below the root: the edge that leads to each node, by its index in the parent's position."""
    kids: list[Integers] = attrs.field(factory=list)
    """For each expanded level: the number of children of each node."""
    boards: Integers | None = attrs.field(default=None, repr=False)

    @property
    def depth(self) -> int:
        """The number of levels grown below the root."""
        return len(self.edges)

    def size(self, level: int) -> int:
        """The number of nodes of a level."""
        return 1 if level == 0 else len(self.edges[level - 1])

    def walk(self, level: int) -> Iterator[Piece]:
        """Yield the nodes of a level in order, piece by piece."""
        if level == 0:
            none = np.zeros(1, np.bool_)
            yield Piece(0, np.zeros((1, 1), np.int32), np.zeros(1, np.int64), none)
            return
        done = 0
        for above in self.walk(level - 1):
            counts = self.kids[level - 1][above.first : above.first + len(above.path)]
            parents = np.repeat(np.arange(len(above.path)), counts)
            for start in range(0, len(parents), _PIECE):
                mine = parents[start : start + _PIECE]
                edges = self.edges[level - 1][done : done + len(mine)]
                path, loops = self._onward(above, mine, edges)
                yield Piece(done, path, above.first + mine, loops)
                done += len(mine)

    def _onward(self, above: Piece, parents: Integers, edges: Integers) -> tuple[Integers, Truths]:
        """The paths of children, and which of them are loops."""
        before = above.path[parents]
        graph = self.positions
        starts = _starts(graph)
        result = graph.targets[starts[before[:, -1]] + edges]
        path = np.concatenate([before, result[:, None]], axis=1)
        if self.loops == "kept":
            return path, np.zeros(len(path), np.bool_)
        names = self._boards()
        return path, (names[before] == names[result][:, None]).any(axis=1)

    def _boards(self) -> Integers:
        """A number for each position, the same for positions that count as repetitions of each other."""
        graph = self.positions
        if self.loops == "position":
            return np.arange(len(graph), dtype=np.int32)
        if self.boards is None or len(self.boards) != len(graph):
            from solver.trees.rule import layout_of

            rows = graph.rows.copy()
            rows[:, layout_of(graph.game).to_move] = 0
            rows[:, layout_of(graph.game).outcome] = 0
            whole = np.ascontiguousarray(rows).view(np.dtype((np.void, rows.shape[1] * 8))).ravel()
            self.boards = np.unique(whole, return_inverse=True)[1].astype(np.int32)
        return self.boards

    def grow(self, *, nodes: int | None = None, progress: Progress | None = None) -> bool:
        """Add a level; return False where no node can be expanded. The graph must have that level already.

        Raises CutHere where the tree would have more than `nodes` nodes, and leaves it as it was.
        """
        graph, level = self.positions, self.depth
        degrees = np.diff(np.concatenate([[0], graph.ends])).astype(np.int64)
        narrow = np.uint8 if not len(degrees) or degrees.max() < 256 else np.uint32
        known = sum(self.size(index) for index in range(level + 1))
        kids, edges, total, done = bytearray(), bytearray(), 0, 0
        for piece in self.walk(level):
            here = piece.path[:, -1]
            counts = np.where(piece.loops | (graph.outcomes[here] != GOING), 0, degrees[here])
            kids += counts.astype(narrow).tobytes()
            total += int(counts.sum())
            if nodes is not None and known + total > nodes:
                raise CutHere(f"the limit of {nodes:,} nodes is reached")
            ends = np.cumsum(counts)
            edges += (np.arange(ends[-1]) - np.repeat(ends - counts, counts)).astype(narrow).tobytes()
            done += len(here)
            if progress is not None:
                progress(done, self.size(level), "unfolding")
        if not total:
            return False
        self.kids.append(np.frombuffer(kids, narrow))
        self.edges.append(np.frombuffer(edges, narrow))
        return True

    def leaves(self, level: int) -> dict[str, int]:
        """How many nodes of a level are leaves, by kind: each player's wins, draws, loops."""
        graph = self.positions
        nobody = str(graph.game.outcome_name(DRAW))
        result = dict.fromkeys((*graph.game.players, nobody, "loop"), 0)
        for piece in self.walk(level):
            outcomes = graph.outcomes[piece.path[:, -1]]
            for number, name in enumerate(graph.game.players):
                result[name] += int((outcomes == number).sum())
            result[nobody] += int((outcomes == DRAW).sum())
            result["loop"] += int((piece.loops & (outcomes == GOING)).sum())
        return result


def _starts(graph: Positions) -> Integers:
    """The number of the first edge of each expanded position."""
    return np.concatenate([[0], graph.ends[:-1]]) if len(graph.ends) else graph.ends



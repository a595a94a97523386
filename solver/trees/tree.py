"""Trees and multiway graphs of a game: grown level by level, cut where a limit says so, looked at as one set of arrays.

`Tree.of(game, merge="all")` is the root alone, `tree.grow(9)` adds nine levels, `tree.size` counts the nodes.
`Tree.nodes()` numbers the nodes from the root on, level by level; labels, pruning, pictures and files work on that.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import attrs
import numpy as np

from interpreter.arrays import Integers, Truths
from interpreter.game import Game, Position
from interpreter.model.state import State
from solver.trees.filters import read_filter
from solver.trees.positions import Positions
from solver.trees.rule import GOING, Colours, CutHere, Merge, Progress, Rule
from solver.trees.unfolding import Loops, Unfolding


@attrs.frozen
class Step:
    """What one more move added."""

    step: int
    nodes: int
    """New nodes; in a graph positions that no earlier step has."""
    edges: int
    """Pairs of a node of the step before and one that a move leads to."""
    wins: int
    """New won positions, or those that were removed."""


@attrs.define(eq=False, slots=False)
class Nodes:
    """All nodes of a tree, and the edges between them, as arrays."""

    position: Integers
    """The number of each node's position."""
    source: Integers
    target: Integers
    edge: Integers
    """For each edge its number in the graph of positions."""
    levels: list[int]
    """The first node of each level, then how many nodes there are."""
    expanded: Truths
    """Whether all moves of a node that the tree keeps are there; wins, draws and loops need none."""
    loops: Truths
    """Whether a node comes back to a position of its path."""

    def __len__(self) -> int:
        return len(self.position)

    @cached_property
    def first_edges(self) -> Integers:
        """Where each node's edges begin, and where the last one's end; edges are in the order of their sources."""
        return np.searchsorted(self.source, np.arange(len(self) + 1))

    def level_of(self, node: int) -> int:
        """On which level a node is."""
        return int(np.searchsorted(self.levels, node, side="right")) - 1


@attrs.define(eq=False, repr=False)
class Tree:
    """A tree, or with positions merged a multiway graph, of a game from a position on."""

    positions: Positions
    unfolding: Unfolding | None
    """Where positions are not merged."""
    played: tuple[str, ...] = ()
    """The moves from the game's start to the root."""
    cut: str = ""
    """Why the last level is missing, where a limit stopped it."""
    over: bool = False
    """Whether a further level was asked for, and there was nothing to add."""
    _nodes: Nodes | None = None

    def __repr__(self) -> str:
        return f"<Tree of {self.game.title!r}: {self.size} nodes, {self.depth} moves deep>"

    @classmethod
    def of(cls, game: Game, root: Position | State | None = None, *, merge: Merge = "none",
           colours: Colours = "without players", wins: str = "kept", skip_when: Sequence[str] = (),
           first: Sequence[str] = (), loops: Loops | None = None, ignore_ends: bool = False) -> Tree:
        """The tree of a position alone, to be grown.

        `merge` says which positions are one: `none`, equal ones (`translation`), images under symmetries that leave
        the players alone (`rotation`), or under all that the file declares (`all`). There, `colours` says whether who
        is to move is swapped along with the players' pieces; without it pictures are smaller and nothing can be said of
        values. `wins="removed"` leaves out won positions, `skip_when` has filters as `solver.trees.filters` reads
        them, `first` the only moves to make in the root. `loops` says when a node of an unmerged tree is a leaf because
        it comes back: to a `position` of its path (by default where the game has a rule of repetition), to a `board`
        whoever is to move, or never (`kept`).

        With `ignore_ends` play goes on after wins and draws.

        Raises FilterError for a filter that means nothing, IllegalMove for a first move that there is not.
        """
        if ignore_ends:
            game = attrs.evolve(game, engine=game.endless)
        filters = tuple(read_filter(game, text) for text in skip_when)
        at = root if isinstance(root, Position) else Position(game, game.engine.start() if root is None else root)
        first = tuple(game.notation.write(at.state, at.find(move)) for move in first)
        rule = Rule(merge, colours, "removed" if wins == "removed" else "kept", filters, tuple(first))
        positions = Positions.begin(game, rule, at.state)
        if loops is None:
            loops = "position" if game.rules.repetition else "kept"
        return cls(positions, Unfolding(positions, loops) if merge == "none" else None, at.played)

    @property
    def game(self) -> Game:
        """The game."""
        return self.positions.game

    @property
    def depth(self) -> int:
        """How many levels there are after the root."""
        return self.unfolding.depth if self.unfolding is not None else self.positions.depth

    @property
    def size(self) -> int:
        """How many nodes there are."""
        if self.unfolding is None:
            return len(self.positions)
        return sum(self.unfolding.size(level) for level in range(self.unfolding.depth + 1))

    def grow(self, levels: int = 1, *, nodes: int | None = None, native: bool | None = None, threads: int = 1,
             progress: Progress | None = None) -> None:
        """Add so many levels, as far as there are any; `cut` says so where a limit of `nodes` stops it.

        The game's kernel is used as `Positions.grow` says, with so many threads; what comes out is the same.
        """
        self.cut, self._nodes = "", None
        try:
            for done in range(levels):
                if not self._grow(nodes, native, levels - done, threads, progress):
                    self.over = True
                    break
        except CutHere as limit:
            self.cut = str(limit)

    def _grow(self, nodes: int | None, native: bool | None, ahead: int, threads: int,
              progress: Progress | None) -> bool:
        graph = self.positions
        if self.unfolding is None:
            return graph.grow(nodes=nodes, native=native, ahead=ahead, threads=threads, progress=progress)
        while graph.depth <= self.unfolding.depth and graph.grow(native=native, ahead=ahead, threads=threads,
                                                                 progress=progress):
            pass
        return self.unfolding.grow(nodes=nodes, progress=progress)

    @property
    def whole(self) -> bool:
        """Whether nothing is left to grow."""
        graph = self.positions
        if self.over:
            return True
        if self.unfolding is None:
            return not (graph.outcomes[graph.levels[-2] :] == GOING).any()
        return all(not ((graph.outcomes[piece.path[:, -1]] == GOING) & ~piece.loops).any()
                   for piece in self.unfolding.walk(self.depth))

    # ---- looking at it

    def nodes(self) -> Nodes:
        """All nodes and edges as arrays; 40 bytes a node, so not for trees of many millions."""
        if self._nodes is None:
            self._nodes = self._merged() if self.unfolding is None else self._unfolded(self.unfolding)
        return self._nodes

    def _merged(self) -> Nodes:
        graph = self.positions
        degrees = np.diff(np.concatenate([[0], graph.ends]))
        expanded = graph.outcomes != GOING
        expanded[: graph.expanded] = True
        source = np.repeat(np.arange(graph.expanded), degrees)
        return Nodes(np.arange(len(graph)), source, graph.targets.astype(np.int64), np.arange(len(source)),
                     _levels(graph.levels), expanded, np.zeros(len(graph), np.bool_))

    def _unfolded(self, unfolding: Unfolding) -> Nodes:
        graph = self.positions
        starts = np.concatenate([[0], graph.ends]).astype(np.int64)
        position, source, edge, loops, levels = [np.zeros(1, np.int64)], [], [], [np.zeros(1, np.bool_)], [0, 1]
        for level in range(1, unfolding.depth + 1):
            above = levels[-2]
            for piece in unfolding.walk(level):
                position.append(piece.path[:, -1].astype(np.int64))
                source.append(above + piece.parents)
                edges = unfolding.edges[level - 1][piece.first : piece.first + len(piece.path)]
                edge.append(starts[piece.path[:, -2]] + edges)
                loops.append(piece.loops & (graph.outcomes[piece.path[:, -1]] == GOING))
            levels.append(levels[-1] + unfolding.size(level))
        at, comes_back = np.concatenate(position), np.concatenate(loops)
        expanded = (graph.outcomes[at] != GOING) | comes_back
        expanded[: levels[-2]] = True
        none = [np.zeros(0, np.int64)]
        return Nodes(at, np.concatenate(source or none), np.arange(1, len(at)), np.concatenate(edge or none), levels,
                     expanded, comes_back)

    def state(self, node: int) -> State:
        """The position of a node."""
        return self.positions.state(int(self.nodes().position[node]))

    def move_text(self, edge: int) -> str:
        """The move of an edge (by its number among `nodes()`), in the game's notation."""
        nodes = self.nodes()
        return self.game.notation.write(self.state(int(nodes.source[edge])),
                                        self.positions.move(int(nodes.edge[edge])))

    def steps(self) -> list[Step]:
        """What each step added; the first is the root."""
        if self.unfolding is not None:
            return self._unfolded_steps(self.unfolding)
        nodes, graph = self.nodes(), self.positions
        result = [Step(0, 1, 0, int(graph.outcomes[0] >= 0))]
        for level in range(1, len(nodes.levels) - 1):
            first, last = nodes.levels[level], nodes.levels[level + 1]
            edges = slice(*np.searchsorted(nodes.source, [nodes.levels[level - 1], first]))
            pairs = np.unique(nodes.source[edges] * len(nodes) + nodes.target[edges])
            wins = int((graph.outcomes[first:last] >= 0).sum()) + graph.removed[level]
            result.append(Step(level, last - first, len(pairs), wins))
        return result

    def _repr_html_(self) -> str:
        """What notebooks show: how many nodes, edges and wins each step has."""
        from interpreter.pictures.html import table

        return table(("step", "nodes", "edges", "wins"),
                     [(step.step, f"{step.nodes:,}", f"{step.edges:,}", f"{step.wins:,}") for step in self.steps()],
                     f"{self.game.title}: tree")

    def _unfolded_steps(self, unfolding: Unfolding) -> list[Step]:
        graph = self.positions
        result = []
        for level in range(unfolding.depth + 1):
            wins = sum(int((graph.outcomes[piece.path[:, -1]] >= 0).sum()) for piece in unfolding.walk(level))
            count = unfolding.size(level)
            result.append(Step(level, count, count if level else 0, wins))
        return result


def _levels(result: Sequence[int]) -> list[int]:
    """Without an empty last level."""
    levels = list(result)
    while len(levels) > 2 and levels[-1] == levels[-2]:
        levels.pop()
    return levels

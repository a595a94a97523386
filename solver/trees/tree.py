"""Trees and multiway graphs of a game: grown level by level up to a limit, and read as one set of arrays.

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
    """What one level added to a tree."""

    step: int
    nodes: int
    """New nodes; in a merged graph, positions that no earlier level has."""
    edges: int
    """Distinct pairs of a node of the level before and a successor of it."""
    wins: int
    """New won positions; in a merged graph also those that were removed."""


@attrs.define(eq=False, slots=False)
class Nodes:
    """All nodes and edges of a tree, as arrays."""

    position: Integers
    """The number of each node's position."""
    source: Integers
    target: Integers
    edge: Integers
    """For each edge its number in the graph of positions."""
    levels: list[int]
    """The first node of each level, then the number of nodes."""
    expanded: Truths
    """For each node whether its edges are all there, as far as the tree keeps them; wins, draws and loops need none."""
    loops: Truths
    """For each node whether it repeats a position of its path."""

    def __len__(self) -> int:
        return len(self.position)

    @cached_property
    def first_edges(self) -> Integers:
        """The first edge of each node, then the number of edges; edges are sorted by their source."""
        return np.searchsorted(self.source, np.arange(len(self) + 1))

    def level_of(self, node: int) -> int:
        """The level of a node."""
        return int(np.searchsorted(self.levels, node, side="right")) - 1


@attrs.define(eq=False, repr=False)
class Tree:
    """The tree of a game below a position, or with positions merged its multiway graph."""

    positions: Positions
    unfolding: Unfolding | None
    """The unmerged tree; None where positions are merged."""
    played: tuple[str, ...] = ()
    """The moves from the game's start to the root."""
    cut: str = ""
    """Why growing stopped at a limit; '' where it did not."""
    over: bool = False
    """Whether a further level was requested, and there was nothing to add."""
    _nodes: Nodes | None = None

    def __repr__(self) -> str:
        return f"<Tree of {self.game.title!r}: {self.size} nodes, {self.depth} moves deep>"

    @classmethod
    def of(cls, game: Game, root: Position | State | None = None, *, merge: Merge = "none",
           colours: Colours = "without players", wins: str = "kept", skip_when: Sequence[str] = (),
           first: Sequence[str] = (), loops: Loops | None = None, ignore_ends: bool = False) -> Tree:
        """Return a tree of only its root, to be grown.

        `merge` says which positions are merged: `none`, equal ones (`translation`), images under the symmetries that
        keep the players (`rotation`), or under all that the file declares (`all`). With `all`, `colours` says whether
        the player to move is swapped along with the players' pieces; without that pictures are smaller, but merged
        positions may differ in value. `wins="removed"` leaves out won positions, `skip_when` has filters in the syntax
        of `solver.trees.filters`, `first` the only moves that the root may make. `loops` says which repetitions make a
        node of an unmerged tree a leaf: of a `position` of its path (the default where the game has a repetition rule),
        of a `board`, whoever is to move, or none (`kept`).

        With `ignore_ends` play goes on after wins and draws.

        Raises FilterError for an invalid filter, IllegalMove for an illegal first move.
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
        """The number of levels below the root."""
        return self.unfolding.depth if self.unfolding is not None else self.positions.depth

    @property
    def size(self) -> int:
        """The number of nodes."""
        if self.unfolding is None:
            return len(self.positions)
        return sum(self.unfolding.size(level) for level in range(self.unfolding.depth + 1))

    def grow(self, levels: int = 1, *, nodes: int | None = None, native: bool | None = None, threads: int = 1,
             progress: Progress | None = None) -> None:
        """Add up to `levels` levels; where the limit of `nodes` stops it, `cut` says so.

        The game's kernel is used as in `Positions.grow`, with `threads` threads; the nodes are the same.
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

    # ---- reading

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
        """The table of nodes, edges and wins per step that notebooks show."""
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
    """Return the levels without empty ones at the end."""
    levels = list(result)
    while len(levels) > 2 and levels[-1] == levels[-2]:
        levels.pop()
    return levels

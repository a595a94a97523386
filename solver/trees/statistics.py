"""Statistics of a tree by level: nodes, leaves by kind, branching, move sequences, positions, symmetry classes."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from interpreter.model.state_maps import canonical
from solver.space import DRAW
from solver.trees.rule import GOING
from solver.trees.tree import Tree

MOST_IMAGES = 20_000
"""The most positions of a level whose symmetry classes are counted."""


@attrs.frozen
class LevelStatistics:
    """The statistics of one level of a tree."""

    step: int
    nodes: int
    leaves: dict[str, int]
    """Leaves by kind: each player's wins, draws, loops."""
    branching: float | None
    """The average number of children of an inner node; None on the last level."""
    sequences: int
    """Move sequences that lead here: nodes of the unmerged tree (with this tree's filters, and loops kept)."""
    positions: int
    """Distinct positions that first occur on this level."""
    classes: int | None
    """The symmetry classes of these positions; None where there are too many to count."""


def statistics(tree: Tree) -> list[LevelStatistics]:
    """The statistics of each level."""
    graph = tree.positions
    sequences = _sequences(tree)
    result = []
    for level in range(tree.depth + 1):
        first, last = _limits(graph.levels, level)
        leaves, kids, inner, nodes = _of_level(tree, level)
        result.append(LevelStatistics(level, nodes, leaves, kids / inner if inner and kids else None, sequences[level],
                                      last - first, _classes(tree, first, last)))
    return result


def _limits(levels: list[int], level: int) -> tuple[int, int]:
    return (levels[level], levels[level + 1]) if level + 1 < len(levels) else (levels[-1], levels[-1])


def _of_level(tree: Tree, level: int) -> tuple[dict[str, int], int, int, int]:
    """Leaves by kind, children, inner nodes, and all nodes of a level."""
    graph, unfolding = tree.positions, tree.unfolding
    if unfolding is not None:
        leaves = unfolding.leaves(level)
        nodes = unfolding.size(level)
        kids = unfolding.size(level + 1) if level < unfolding.depth else 0
    else:
        first, last = _limits(graph.levels, level)
        outcomes = graph.outcomes[first:last]
        leaves = {name: int((outcomes == number).sum()) for number, name in enumerate(graph.game.players)}
        leaves |= {str(graph.game.outcome_name(DRAW)): int((outcomes == DRAW).sum()), "loop": 0}
        nodes = last - first
        ends = np.concatenate([[0], graph.ends])
        kids = int(ends[min(last, graph.expanded)] - ends[min(first, graph.expanded)])
    return leaves, kids, nodes - sum(leaves.values()), nodes


def _sequences(tree: Tree) -> list[int]:
    """The number of move sequences to each level, in Python's integers, as it grows without bound."""
    graph = tree.positions
    ways: Any = np.zeros(len(graph), object)
    ways[0] = 1
    totals = [1]
    source = np.repeat(np.arange(graph.expanded), np.diff(np.concatenate([[0], graph.ends])))
    for _ in range(tree.depth):
        fresh: Any = np.zeros(len(graph), object)
        np.add.at(fresh, graph.targets, ways[source])
        totals.append(int(fresh.sum()))
        ways = np.where(graph.outcomes == GOING, fresh, 0)
    return totals


def _classes(tree: Tree, first: int, last: int) -> int | None:
    """The number of symmetry classes of the positions from `first` to `last`; None where there are too many."""
    if last - first > MOST_IMAGES:
        return None
    game = tree.game
    if len(game.symmetries) == 1:
        return last - first
    if tree.positions.grower is not None:
        from solver.trees.native import classes

        result = classes(tree.positions, first, last)
        if result is not None:
            return result
    states = [tree.positions.state(number) for number in range(first, last)]
    return len({canonical(state, game.symmetries_of(state)) for state in states})


def plot(levels: list[LevelStatistics], title: str, kind: str) -> bytes:
    """Plot the statistics as `svg` or `png`. Raises ImportError without matplotlib."""
    import io

    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    steps = [item.step for item in levels]
    lines = {"nodes of the tree": [item.nodes for item in levels],
             "move sequences": [item.sequences for item in levels],
             "new positions": [item.positions for item in levels]}
    if all(item.classes is not None for item in levels):
        lines["new positions up to symmetry"] = [item.classes or 0 for item in levels]
    for (name, values), mark in zip(lines.items(), "os^d", strict=False):
        axes.plot(steps, [value if value else float("nan") for value in values], marker=mark, label=name)
    axes.set_yscale("log")
    axes.set_xticks(steps)
    axes.set_xlabel("moves made")
    axes.set_title(title)
    axes.grid(visible=True, alpha=0.3)
    axes.legend()
    stream = io.BytesIO()
    figure.savefig(stream, format=kind, metadata={"Date": None} if kind == "svg" else None)
    return stream.getvalue()

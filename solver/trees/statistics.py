"""How large a tree is: nodes, leaves by kind and branching of each level, merged against unmerged, symmetric or not."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from interpreter.model.state_maps import canonical
from solver.trees.rule import GOING
from solver.trees.tree import Tree

MOST_IMAGES = 20_000
"""Positions up to which classes under symmetry are counted."""


@attrs.frozen
class LevelStatistics:
    """One level of a tree."""

    step: int
    nodes: int
    leaves: dict[str, int]
    """Leaves by kind: each player's wins, draws, loops."""
    branching: float | None
    """Children of a node that is no leaf, on average; None on the last level."""
    sequences: int
    """Ways to come here: nodes of the tree that is not merged (with this tree's filters, and loops kept)."""
    positions: int
    """Different positions that come up first on this level."""
    classes: int | None
    """These up to symmetry; None where there are too many to say."""


def statistics(tree: Tree) -> list[LevelStatistics]:
    """Each level's numbers."""
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
    """Leaves by kind, children, nodes that are no leaf, and all nodes."""
    graph, unfolding = tree.positions, tree.unfolding
    if unfolding is not None:
        leaves = unfolding.leaves(level)
        nodes = unfolding.size(level)
        kids = unfolding.size(level + 1) if level < unfolding.depth else 0
    else:
        first, last = _limits(graph.levels, level)
        outcomes = graph.outcomes[first:last]
        leaves = {name: int((outcomes == number).sum()) for number, name in enumerate(graph.game.players)}
        leaves |= {"draw": int((outcomes == -1).sum()), "loop": 0}
        nodes = last - first
        ends = np.concatenate([[0], graph.ends])
        kids = int(ends[min(last, graph.expanded)] - ends[min(first, graph.expanded)])
    return leaves, kids, nodes - sum(leaves.values()), nodes


def _sequences(tree: Tree) -> list[int]:
    """For each level in how many ways its positions are reached; Python's integers, as they grow without end."""
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
    """How many positions there are up to symmetry."""
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
    """The numbers as a plot, `svg` or `png`. Raises ImportError without matplotlib."""
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

"""Prunes a tree: drops provably bad moves, and the nodes that only they lead to.

`values` drops moves that provably give away value, `best` also those that win later or lose sooner than necessary,
`mate` those after which the opponent provably wins within a number of plies. With a side only that player's moves are
dropped, and the rest is the player's book. Moves with unknown values are never dropped.
"""

from __future__ import annotations

from typing import Literal

import attrs
import numpy as np

from interpreter.arrays import Integers, Truths
from solver.trees.labels import DRAW, LOSE, REPEATED, WIN, Labels
from solver.trees.tree import Tree

How = Literal["values", "best", "mate"]


@attrs.frozen(eq=False)
class Pruned:
    """Which nodes and edges are kept, and which edges of kept nodes are dropped."""

    nodes: Truths
    edges: Truths
    dropped: Truths


def prune(tree: Tree, labels: Labels, how: How = "values", *, plies: int | None = None,
          side: int | None = None) -> Pruned:
    """Prune a tree to perfect play, of one side against all replies if a side is given.

    With `mate`, `plies` says within how many plies a loss is avoided, None for any. A node whose moves
    all lose so keeps them.
    """
    nodes, graph = tree.nodes(), tree.positions
    after = labels.value[nodes.target]
    turned = np.where(graph.same[nodes.edge], 1, -1)
    gain = np.where(np.isin(after, (DRAW, REPEATED)), 0, after * turned).astype(np.int8)
    known = after != 0
    worst, best = np.where(known, gain, LOSE), np.where(known, gain, WIN)
    away = np.where(labels.plies[nodes.target] < 0, -1, labels.plies[nodes.target] + 1)
    sure = np.full(len(nodes), LOSE, np.int8)
    if how == "mate":
        drop = known & (gain == LOSE) & ((away <= plies) if plies is not None else True)
        drop &= _some(nodes.source, ~drop, len(nodes))[nodes.source]
    else:
        np.maximum.at(sure, nodes.source, worst)
        drop = best < sure[nodes.source]
    if how == "best":
        drop |= _slower(nodes.source, known & ~drop, gain, away, len(nodes))
    if side is not None:
        drop &= graph.movers[nodes.position[nodes.source]] == side
    keep = np.zeros(len(nodes), np.bool_)
    keep[0] = True
    while True:  # the nodes that the root still reaches
        reached = np.zeros(len(nodes), np.bool_)
        reached[nodes.target[keep[nodes.source] & ~drop]] = True
        if not (reached & ~keep).any():
            break
        keep |= reached
    return Pruned(keep, keep[nodes.source] & ~drop, keep[nodes.source] & drop)


def _some(source: Integers, marked: Truths, count: int) -> Truths:
    """For each node whether one of its edges is marked."""
    result: Truths = np.bincount(source[marked], minlength=count) > 0
    return result


def _slower(source: Integers, looked: Truths, gain: Integers, away: Integers, count: int) -> Truths:
    """Edges that win later, or lose sooner, than another edge of their node."""
    soonest = np.full(count, 1 << 30, np.int64)
    latest = np.full(count, -1, np.int64)
    won, lost = looked & (gain == WIN), looked & (gain == LOSE)
    np.minimum.at(soonest, source[won], away[won])
    np.maximum.at(latest, source[lost], away[lost])
    result: Truths = (won & (away > soonest[source])) | (lost & (away < latest[source]))
    return result

"""Selects the nodes of a tree to draw together, and lays them out by igraph in layers or in rings around the root."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Literal

import attrs

from solver.trees.labels import LOSE, UNKNOWN, WIN, Labels
from solver.trees.pruning import Pruned
from solver.trees.tree import Tree

Kind = Literal["layered", "radial"]
MOST_NODES = 1000
"""The default for the most nodes that are drawn together."""
_ACROSS, _DOWN = 1.45, 2.1
"""The distances between neighbouring nodes of a layer, and between layers; a node is 1 wide."""


class NoLayout(Exception):
    """The library igraph is not installed; the message says what to install."""


@attrs.frozen(eq=False)
class Part:
    """A part of a tree that is drawn: a root with nodes below it, and their places."""

    root: int
    nodes: tuple[int, ...]
    edges: Mapping[tuple[int, int], str]
    """For each pair of nodes the first move between them, with the number of further moves."""
    dropped: frozenset[tuple[int, int]]
    """The edges that pruning dropped; below the nodes that they lead to nothing may be shown."""
    further: frozenset[int]
    """The nodes with children that are not in this part."""
    places: Mapping[int, tuple[float, float]]


def part_of(tree: Tree, *, root: int = 0, pruned: Pruned | None = None, most: int = MOST_NODES,
            kind: Kind = "layered", show_dropped: bool = True) -> Part:
    """Select at most `most` nodes from a root down, level by level, and lay them out. Raises NoLayout."""
    nodes = tree.nodes()
    firsts = nodes.first_edges
    result, depth = {root: 0}, 0
    frontier, further = [root], set()
    edges: dict[tuple[int, int], list[str]] = {}
    dropped = set()
    while frontier:
        fresh: dict[int, None] = {}
        out: list[tuple[int, int, int]] = []
        for node in frontier:
            for edge in range(int(firsts[node]), int(firsts[node + 1])):
                left = pruned is None or bool(pruned.edges[edge])
                if left or show_dropped:
                    target = int(nodes.target[edge])
                    out.append((node, target, edge))
                    if not left:
                        dropped.add((node, target))
                    if target not in result:
                        fresh[target] = None
        if len(result) + len(fresh) > most:
            # of a level that does not fit a part is shown: each parent has all of its children or none
            room = most - len(result)
            for node in frontier:
                mine = {target for source, target, _ in out if source == node} - result.keys()
                if len(mine) <= room:
                    room -= len(mine)
                    result.update(dict.fromkeys(mine, depth + 1))
                else:
                    further.add(node)
            fresh = {}
        else:
            result.update(dict.fromkeys(fresh, depth + 1))
        for source, target, edge in out:
            if source not in further and target in result:
                edges.setdefault((source, target), []).append(tree.move_text(edge))
        gone = {target for source, target in dropped}
        frontier = [node for node in fresh if pruned is None or pruned.nodes[node] or node not in gone]
        depth += 1
    texts = {pair: moves[0] + (f" +{len(moves) - 1}" if len(moves) > 1 else "") for pair, moves in edges.items()}
    shown = tuple(result)
    begun = {source for source, _ in edges}
    further |= {node for node in shown if node not in begun and firsts[node + 1] > firsts[node]
                and (pruned is None or bool(pruned.nodes[node]))}
    return Part(root, shown, texts, frozenset(dropped & edges.keys()), frozenset(further),
                _places(shown, result, list(edges), kind))


def _places(shown: tuple[int, ...], level: Mapping[int, int], pairs: list[tuple[int, int]], kind: Kind) -> dict[
        int, tuple[float, float]]:
    try:
        import igraph
    except ImportError:
        raise NoLayout("pictures of trees need the library igraph: pip install 'dslgame[pictures]'") from None
    index = {node: place for place, node in enumerate(shown)}
    links = [(index[source], index[target]) for source, target in pairs]
    graph: Any = igraph.Graph(n=len(shown), edges=links, directed=True)
    if kind == "layered":
        rows = graph.layout_sugiyama(layers=[level[node] for node in shown], hgap=_ACROSS, vgap=_DOWN, maxiter=60)
        return _apart({node: float(rows[place][0]) for node, place in index.items()}, level)
    first: dict[int, int] = {}
    for source, target in links:  # a spanning tree by the first edge to each node from the level above
        if level[shown[target]] == level[shown[source]] + 1:
            first.setdefault(target, source)
    spanning: Any = igraph.Graph(n=len(shown), edges=[(source, target) for target, source in first.items()],
                                 directed=True)
    rows = spanning.layout_reingold_tilford_circular(root=[0], mode="out")
    counts: dict[int, int] = {}
    for node in shown:
        counts[level[node]] = counts.get(level[node], 0) + 1
    radius = {0: 0.0}
    for depth in range(1, max(counts) + 1):
        radius[depth] = max(radius[depth - 1] + _DOWN, 1.1 * _ACROSS * counts[depth] / (2 * math.pi))
    angles = {node: math.atan2(rows[place][1], rows[place][0]) for node, place in index.items()}
    return _around(angles, level, radius)


def _around(angles: Mapping[int, float], level: Mapping[int, int], radius: Mapping[int, float]) -> dict[
        int, tuple[float, float]]:
    """Places on rings; nodes too near to the one before are moved on, or the whole ring is spread evenly."""
    rings: dict[int, list[int]] = {}
    for node in sorted(angles, key=lambda node: angles[node]):
        rings.setdefault(level[node], []).append(node)
    places = {}
    for depth, ring in rings.items():
        if depth == 0:
            places[ring[0]] = (0.0, 0.0)
            continue
        gap = 2 * math.asin(min(1.0, _ACROSS / 2 / radius[depth]))
        turned = [angles[ring[0]]]
        for node in ring[1:]:
            turned.append(max(angles[node], turned[-1] + gap))
        if turned[-1] - turned[0] > 2 * math.pi - gap:
            turned = [angles[ring[0]] + 2 * math.pi * number / len(ring) for number in range(len(ring))]
        for node, angle in zip(ring, turned, strict=True):
            places[node] = (radius[depth] * math.cos(angle), radius[depth] * math.sin(angle))
    return places


def _apart(across: Mapping[int, float], level: Mapping[int, int]) -> dict[int, tuple[float, float]]:
    """Places in layers; nodes that are too near each other are pushed apart to both sides."""
    layers: dict[int, list[int]] = {}
    for node in sorted(across, key=lambda node: across[node]):
        layers.setdefault(level[node], []).append(node)
    places = {}
    for depth, row in layers.items():
        right = [across[row[0]]]
        for node in row[1:]:
            right.append(max(across[node], right[-1] + _ACROSS))
        left = [across[row[-1]]]
        for node in reversed(row[:-1]):
            left.append(min(across[node], left[-1] - _ACROSS))
        for node, one, other in zip(row, right, reversed(left), strict=True):
            places[node] = ((one + other) / 2, _DOWN * depth)
    return places


def principal_variation(tree: Tree, labels: Labels, root: int = 0) -> list[int]:
    """The nodes of the principal variation, as far as labels are known: the winner hurries, the loser delays."""
    nodes, graph = tree.nodes(), tree.positions
    path, node = [root], root
    firsts = nodes.first_edges
    while labels.value[node] != UNKNOWN and len(path) <= len(nodes):
        choices = []
        for edge in range(int(firsts[node]), int(firsts[node + 1])):
            target = int(nodes.target[edge])
            value, plies = int(labels.value[target]), int(labels.plies[target])
            turned = -1 if not graph.same[nodes.edge[edge]] and value in (WIN, LOSE) else 1
            if value != UNKNOWN and _alike(int(labels.value[node]), value * turned) and target not in path:
                far = plies if plies >= 0 else 1 << 20
                choices.append((-far if labels.value[node] == LOSE else far, target))
        if not choices:
            break
        node = min(choices)[1]
        path.append(node)
    return path


def _alike(one: int, other: int) -> bool:
    """Whether two values are the same, with all kinds of draws counted as one."""
    return one == other or (one > WIN and other > WIN)

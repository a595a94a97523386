"""Which nodes of a tree are drawn together, and where: in layers, or in rings around the root, by igraph."""

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
"""Nodes that are drawn together."""
_ACROSS, _DOWN = 1.45, 2.1
"""How far neighbouring nodes of a layer, and layers, are apart; a node is 1 wide."""


class NoLayout(Exception):
    """The library that lays graphs out is not installed; the message says what to install."""


@attrs.frozen(eq=False)
class Part:
    """Some nodes of a tree, from one of them down, and their places."""

    root: int
    nodes: tuple[int, ...]
    edges: Mapping[tuple[int, int], str]
    """The first move from one node to another, and how many more there are."""
    dropped: frozenset[tuple[int, int]]
    """Those of the edges that pruning dropped; the nodes they lead to may have nothing below them."""
    further: frozenset[int]
    """Nodes that have children that are not here."""
    places: Mapping[int, tuple[float, float]]


def part_of(tree: Tree, *, root: int = 0, pruned: Pruned | None = None, most: int = MOST_NODES,
            kind: Kind = "layered", show_dropped: bool = True) -> Part:
    """The nodes from a root down, level by level as far as so many allow, laid out. Raises NoLayout."""
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
            # a level that does not fit is shown as far as it does, each node with all its children or none
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
    for source, target in links:  # a tree that spans the graph, by the first way to each node
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
    """Places on rings, nodes that came too near each other moved on along their ring, or all spread evenly."""
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
    """Places in layers, nodes that came too near each other pushed apart to both sides."""
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
    """The nodes of best play from a node, as far as labels know it: the winner hurries, the loser delays."""
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
    """Whether two values are the same, kinds of draws not told apart."""
    return one == other or (one > WIN and other > WIN)

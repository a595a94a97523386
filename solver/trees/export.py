"""Exports trees as networkx graphs, and these as GraphML, JSON, DOT and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING

from interpreter.model.outcomes import result_of
from interpreter.model.state import DRAW
from solver.trees.labels import Labels
from solver.trees.pruning import Pruned
from solver.trees.tree import Tree

if TYPE_CHECKING:
    import networkx

LETTERS = {"draw": "D", "draw by repetition": "L", "unknown": "X"}


def kind_of(tree: Tree, node: int) -> str:
    """The kind of a node: `inner`, `win`, `draw` (`lose` for a player alone), `loop` or, where it is not expanded,
    `horizon`."""
    nodes = tree.nodes()
    outcome = int(tree.positions.outcomes[nodes.position[node]])
    if outcome >= 0:
        return "win"
    if outcome == DRAW:
        return result_of(outcome, 0, len(tree.game.players))
    if nodes.loops[node]:
        return "loop"
    return "inner" if nodes.expanded[node] else "horizon"


def letter_of(tree: Tree, labels: Labels, node: int) -> str:
    """The letter of a node's label, as in `.pot` files for inner nodes: F or S for the player who wins, D, L, or X."""
    name = labels.name(node)
    mover = int(tree.positions.movers[tree.nodes().position[node]])
    if name == "lose" and len(tree.game.players) == 1:
        name = "draw"  # nobody wins
    return LETTERS.get(name) or "FS"[mover ^ (name == "lose")]


def to_networkx(tree: Tree, labels: Labels | None = None, pruned: Pruned | None = None) -> networkx.DiGraph:
    """Return a tree as a networkx graph.

    Nodes are numbers with `position` (one line of text), `to_move`, `step`, `kind`, if the game is over `outcome` and,
    with labels, `label` (for the player to move) and, if known, `plies`; edges have `moves`, all moves from one node to
    the other, separated by spaces.
    """
    import networkx

    nodes, graph = tree.nodes(), networkx.DiGraph()
    graph.graph["game"] = tree.game.title
    graph.graph["played"] = " ".join(tree.played)
    for node in range(len(nodes)):
        if pruned is not None and not pruned.nodes[node]:
            continue
        state = tree.state(node)
        graph.add_node(node, position=tree.game.position_text(state), to_move=tree.game.players[state.to_move],
                       step=nodes.level_of(node), kind=kind_of(tree, node))
        if state.outcome is not None:
            graph.nodes[node]["outcome"] = str(tree.game.outcome_name(state.outcome))
        if labels is not None:
            graph.nodes[node]["label"] = labels.name(node)
            if labels.plies[node] >= 0:
                graph.nodes[node]["plies"] = int(labels.plies[node])
    for edge in range(len(nodes.source)):
        if pruned is not None and not pruned.edges[edge]:
            continue
        source, target, text = int(nodes.source[edge]), int(nodes.target[edge]), tree.move_text(edge)
        if graph.has_edge(source, target):
            graph[source][target]["moves"] += f" {text}"
        else:
            graph.add_edge(source, target, moves=text)
    return graph


def graphml(graph: networkx.DiGraph) -> str:
    """A graph as GraphML."""
    import networkx

    return "\n".join(networkx.generate_graphml(graph)) + "\n"


def as_json(graph: networkx.DiGraph) -> str:
    """A graph as JSON in networkx's form of nodes and edges (`node_link_data`)."""
    import networkx

    return json.dumps(networkx.node_link_data(graph, edges="edges"), ensure_ascii=False) + "\n"


def dot(graph: networkx.DiGraph) -> str:
    """A graph in the DOT language of Graphviz."""
    def quoted(text: object) -> str:
        return '"' + str(text).replace("\\", "\\\\").replace('"', '\\"') + '"'

    def attributes(pairs: Iterable[tuple[str, object]]) -> str:
        return ", ".join(f"{name}={quoted(value)}" for name, value in pairs)

    lines = [f"digraph {quoted(graph.graph['game'])} {{"]
    for node, data in graph.nodes(data=True):
        words = data["position"] + (f"\n{data['label']}" if "label" in data else "")
        lines.append(f"  {node} [{attributes([('label', words), ('kind', data['kind'])])}];")
    for source, target, data in graph.edges(data=True):
        lines.append(f"  {source} -> {target} [{attributes([('label', data['moves'])])}];")
    return "\n".join([*lines, "}"]) + "\n"


def as_csv(graph: networkx.DiGraph) -> str:
    """A graph as CSV, with a row for each edge to each node; the edge's source and moves are empty for the root."""
    names = ["node", "from", "moves", "step", "position", "to_move", "kind", "outcome", "label", "plies"]
    stream = io.StringIO()
    rows = csv.writer(stream, lineterminator="\n")
    rows.writerow(names)
    for node, data in graph.nodes(data=True):
        rest = [data.get(name, "") for name in names[3:]]
        before = [(source, graph[source][node]["moves"]) for source in graph.predecessors(node)]
        for source, moves in before or [("", "")]:
            rows.writerow([node, source, moves, *rest])
    return stream.getvalue()


WRITERS = {".graphml": graphml, ".json": as_json, ".dot": dot, ".csv": as_csv}
"""The writers, by the extension of the file's name."""

"""A tree as a self-contained HTML page: boards on hover, pan and zoom, fold and unfold, search, best play.

A page shows up to a thousand nodes together; where the tree goes on, a node links to a further part of which it is the
root. The page is run by `viewer.js`, which `dslgame web` uses, too; this module collects its data.
"""

from __future__ import annotations

import json
from importlib import resources

from dslgame.treeview.layout import MOST_NODES, Kind, Part, part_of, principal_variation
from dslgame.treeview.picture import board_of
from interpreter.pictures.canvas import number
from interpreter.pictures.palette import LABELS
from interpreter.wording import finished
from solver.trees.export import kind_of
from solver.trees.labels import Labels
from solver.trees.pruning import Pruned
from solver.trees.tree import Tree

MOST_PARTS = 12
"""The most parts of a page; nodes beyond are marked as missing."""


PIXELS = 60
"""The size of a cell in pixels."""
VIEWER = ("viewer.html", "viewer.css", "viewer.js")
"""The files with which a browser shows the data of a tree."""


def page(tree: Tree, labels: Labels | None = None, pruned: Pruned | None = None, *, kind: Kind = "layered",
         title: str = "") -> str:
    """The HTML text of the page. Raises NoLayout."""
    data = data_of(tree, labels, pruned, kind=kind, title=title)
    text = json.dumps(data, ensure_ascii=False).replace("</", "<\\/")
    html, css, script = (resources.files("dslgame.treeview").joinpath(name).read_text(encoding="utf-8")
                         for name in VIEWER)
    whole = resources.files("dslgame.treeview").joinpath("page.html").read_text(encoding="utf-8")
    return (whole.replace("{{style}}", css).replace("{{viewer}}", html)
            .replace("{{script}}", script.replace("export function", "function")).replace("{{data}}", text))


def data_of(tree: Tree, labels: Labels | None = None, pruned: Pruned | None = None, *, kind: Kind = "layered",
            title: str = "", most: int = MOST_NODES) -> dict[str, object]:
    """The data that `view` of viewer.js shows, as plain values; at most `most` nodes together. Raises NoLayout."""
    parts: list[Part] = []
    waiting = [0]
    begun = {0: 0}
    while waiting and len(parts) < MOST_PARTS:
        part = part_of(tree, root=waiting.pop(0), pruned=pruned, most=most if not parts else most // 2, kind=kind)
        parts.append(part)
        for node in sorted(part.further):
            if node not in begun and len(begun) < MOST_PARTS:
                begun[node] = len(begun)
                waiting.append(node)
    data: dict[str, object] = {
        "title": title or tree.game.title, "size": tree.size, "cut": tree.cut, "colours": LABELS,
        "labelled": labels is not None and tree.positions.can_label,
        "parts": [_part(part, begun) for part in parts],
        "best": [] if labels is None else principal_variation(tree, labels),
    }
    boards: dict[str, int] = {}
    shown: dict[int, object] = {}
    for node in sorted({node for part in parts for node in part.nodes}):
        item = board_of(tree, node)
        # Browsers leave out letters of small images that have no size.
        size = f'width="{number(PIXELS * item.width)}" height="{number(PIXELS * item.height)}"'
        text = (f'<svg xmlns="http://www.w3.org/2000/svg" {size} viewBox="{number(item.left)} {number(item.top)} '
                f'{number(item.width)} {number(item.height)}" font-family="DejaVu Sans, Verdana, sans-serif">'
                f'{item.body}</svg>')
        state = tree.state(node)
        shown[node] = {
            "board": boards.setdefault(text, len(boards)), "text": tree.game.position_text(state),
            "mover": tree.game.players[state.to_move],
            "result": None if state.outcome is None else finished(str(tree.game.outcome_name(state.outcome))),
            "kind": kind_of(tree, node), "label": "unknown" if labels is None else labels.name(node),
            "plies": -1 if labels is None else int(labels.plies[node]), "step": tree.nodes().level_of(node),
        }
    data["nodes"], data["boards"] = shown, list(boards)
    return data


def _part(part: Part, begun: dict[int, int]) -> dict[str, object]:
    return {
        "root": part.root,
        "places": {node: [round(x, 3), round(y, 3)] for node, (x, y) in part.places.items()},
        "edges": [[source, target, moves, int((source, target) in part.dropped)]
                  for (source, target), moves in part.edges.items()],
        "further": {node: begun.get(node, -1) for node in part.further},
    }

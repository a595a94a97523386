"""A tree as an SVG document: the nodes are boards, framed in the colour of their value, with moves on the edges."""

from __future__ import annotations

import math

from dslgame.treeview.layout import Part
from interpreter.pictures import Drawing, drawing
from interpreter.pictures.canvas import Canvas
from interpreter.pictures.palette import LABELS
from solver.trees.labels import Labels
from solver.trees.tree import Tree

_MOST_TEXTS = 400
"""The most edges up to which moves are written on the edges."""
_BOARD = 0.86
"""The size of the largest board within a node's place, which has size 1."""


def board_of(tree: Tree, node: int) -> Drawing:
    """The board of a node in its natural size."""
    return drawing(tree.game, tree.state(node), coordinates=False)


def picture(tree: Tree, part: Part, labels: Labels | None = None, *,
            title: str = "") -> str:
    """Draw a part of a tree as an SVG document."""
    canvas = Canvas()
    drawings = {node: board_of(tree, node) for node in part.nodes}
    most = max(max(item.width, item.height) for item in drawings.values())
    scale = _BOARD / most if most else 1.0
    for (source, target), moves in part.edges.items():
        half = (drawings[target].width * scale / 2 + 0.08, drawings[target].height * scale / 2 + 0.08)
        _edge(canvas, part.places[source], part.places[target], half,
              moves if len(part.edges) <= _MOST_TEXTS else "", dropped=(source, target) in part.dropped)
    for node, item in drawings.items():
        _node(canvas, part.places[node], item, scale, None if labels is None else labels.name(node),
              "" if labels is None or labels.plies[node] < 0 else str(int(labels.plies[node])),
              more=node in part.further)
    _legend(canvas, tree, part, labels)
    return canvas.drawing().document(pixels=90, margin=0.3, title=title or tree.game.title)


def _edge(canvas: Canvas, start: tuple[float, float], end: tuple[float, float], half: tuple[float, float],
          moves: str, *, dropped: bool) -> None:
    """Draw an arrow to the border of a node; `half` is half its width and height."""
    (ax, ay), (bx, by) = start, end
    far = math.hypot(bx - ax, by - ay) or 1.0
    back = far * min(half[0] / max(abs(bx - ax), 1e-9), half[1] / max(abs(by - ay), 1e-9), 1.0)
    ex, ey = bx - (bx - ax) / far * back, by - (by - ay) / far * back
    style = {"stroke": "#c9a0a0" if dropped else "#8c8c8c", "stroke_width": 0.02}
    if dropped:
        style["stroke_dasharray"] = "0.08 0.06"
    canvas.line(start, (ex, ey), **style)
    ux, uy = (bx - ax) / far * 0.1, (by - ay) / far * 0.1
    canvas.polygon([(ex, ey), (ex - ux - uy / 2, ey - uy + ux / 2), (ex - ux + uy / 2, ey - uy - ux / 2)],
                   fill=style["stroke"])
    if moves:
        middle = ((ax + 2 * ex) / 3, (ay + 2 * ey) / 3)
        canvas.text(middle, moves, 0.13, fill="#a05050" if dropped else "#444444", stroke="#ffffff",
                    stroke_width=0.04, paint_order="stroke")


def _node(canvas: Canvas, at: tuple[float, float], board: Drawing, scale: float, label: str | None, plies: str, *,
          more: bool) -> None:
    width, height = board.width * scale, board.height * scale
    left, top = at[0] - width / 2, at[1] - height / 2
    colour = "#bbbbbb" if label is None else LABELS[label]
    canvas.rectangle((left - 0.05, top - 0.05), (left + width + 0.05, top + height + 0.05), fill="#ffffff",
                     stroke=colour, stroke_width=0.05, rx=0.04)
    canvas.add(board.placed(left, top, scale), [(left, top), (left + width, top + height)])
    if plies and label not in (None, "unknown"):
        canvas.text((left + width + 0.05, top - 0.06), plies, 0.16, anchor="end", fill=colour, font_weight="bold",
                    stroke="#ffffff", stroke_width=0.05, paint_order="stroke")
    if more:
        canvas.text((at[0], top + height + 0.16), "…", 0.3, fill="#555555", font_weight="bold")


def _legend(canvas: Canvas, tree: Tree, part: Part, labels: Labels | None) -> None:
    left, _, right, bottom = canvas.bounds
    y = bottom + 0.45
    if labels is not None and tree.positions.can_label:
        for name, colour in LABELS.items():
            canvas.circle((left + 0.12, y), 0.1, fill=colour)
            canvas.text((left + 0.3, y), f"{name} (for who is to move)" if name in ("win", "lose") else name, 0.2,
                        anchor="start", fill="#333333")
            y += 0.3
    words = f"{len(part.nodes):,} of {tree.size:,} nodes" if len(part.nodes) < tree.size else f"{tree.size:,} nodes"
    if part.further:
        words += f"; cut here: {len(part.further):,} nodes, marked …, go on"
    if tree.cut:
        words += f"; {tree.cut}"
    canvas.text((left, y), words, 0.2, anchor="start", fill="#333333")
    canvas.cover([(right, y + 0.1)])


"""Outlines of figures: kings, queens, knights and the like, and men that can be crowned.

A figure is an SVG path around the middle of a cell 1 wide, x to the right, y down, with lines drawn over it. The
outlines are ours.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import attrs

import interpreter.pictures.colours as colours
from interpreter.pictures.canvas import Canvas, Place, number


@attrs.frozen
class Figure:
    """A figure's outline, and what is drawn on it."""

    outline: str
    lines: str = ""
    balls: Sequence[tuple[float, float]] = ()
    """Where small balls are, as on the points of a crown."""


_FOOT = "L.27 .38 L.27 .3 "
FIGURES: Final[Mapping[str, Figure]] = {
    "pawn": Figure("M-.27 .38" + _FOOT + "Q.12 .24 .1 .04 L.16 0 L.16 -.06 L.1 -.08 A.145 .145 0 1 0 -.1 -.08 "
                   "L-.16 -.06 L-.16 0 L-.1 .04 Q-.12 .24 -.27 .3 Z"),
    "rook": Figure("M-.27 .38" + _FOOT + "L.19 .23 L.16 -.1 L.25 -.17 L.25 -.37 L.13 -.37 L.13 -.29 L.06 -.29 "
                   "L.06 -.37 L-.06 -.37 L-.06 -.29 L-.13 -.29 L-.13 -.37 L-.25 -.37 L-.25 -.17 L-.16 -.1 L-.19 .23 "
                   "L-.27 .3 Z", "M-.16 -.1 L.16 -.1 M-.19 .23 L.19 .23"),
    "bishop": Figure("M-.27 .38" + _FOOT + "Q.11 .27 .11 .14 L.16 .08 Q.29 -.06 .16 -.2 Q.07 -.28 .04 -.31 "
                     "A.06 .06 0 1 0 -.04 -.31 Q-.07 -.28 -.16 -.2 Q-.29 -.06 -.16 .08 L-.11 .14 Q-.11 .27 -.27 .3 Z",
                     "M0 -.17 L0 .02 M-.08 -.08 L.08 -.08 M-.13 .11 L.13 .11"),
    "knight": Figure("M-.24 .38" + _FOOT + "Q.3 -.16 .07 -.27 L.06 -.39 L-.06 -.29 Q-.2 -.22 -.29 .01 L-.25 .1 "
                     "L-.15 .1 L-.03 .03 Q-.01 .12 -.13 .21 Q-.2 .27 -.24 .3 Z", "M-.1 -.14 L-.07 -.14"),
    "queen": Figure("M-.27 .38" + _FOOT + "L.2 .2 L.33 -.18 L.16 -.01 L.11 -.27 L0 -.03 L-.11 -.27 L-.16 -.01 "
                    "L-.33 -.18 L-.2 .2 L-.27 .3 Z", "M-.2 .2 L.2 .2",
                    ((-0.33, -0.21), (-0.11, -0.31), (0.11, -0.31), (0.33, -0.21))),
    "king": Figure("M-.27 .38" + _FOOT + "L.19 .2 Q.38 0 .24 -.12 Q.11 -.2 .03 -.09 L.03 -.21 L.1 -.21 L.1 -.28 "
                   "L.03 -.28 L.03 -.37 L-.03 -.37 L-.03 -.28 L-.1 -.28 L-.1 -.21 L-.03 -.21 L-.03 -.09 "
                   "Q-.11 -.2 -.24 -.12 Q-.38 0 -.19 .2 L-.27 .3 Z", "M-.19 .2 L.19 .2 M0 -.09 L0 .2"),
}
"""By the words of `show ... drawn`."""
_CLOSE = {"stroke_linejoin": "round", "stroke_linecap": "round", "stroke_width": 0.035}


def draw_figure(canvas: Canvas, word: str, at: Place, colour: str) -> None:
    """A figure on a cell, in a player's colour."""
    figure, edge = FIGURES[word], "#2b2620" if colours.is_light(colour) else colours.outline(colour)
    inner = edge if colours.is_light(colour) else "#ffffff"
    moved = f"translate({number(at[0])} {number(at[1])})"
    corners = [(at[0] - 0.4, at[1] - 0.4), (at[0] + 0.4, at[1] + 0.4)]
    canvas.path(figure.outline, corners, fill=colour, stroke=edge, transform=moved, **_CLOSE)
    for x, y in figure.balls:
        canvas.circle((at[0] + x, at[1] + y), 0.05, fill=colour, stroke=edge, stroke_width=0.025)
    if figure.lines:
        canvas.path(figure.lines, corners, fill="none", stroke=inner, transform=moved, **_CLOSE)


def draw_man(canvas: Canvas, at: Place, colour: str, *, crowned: bool) -> None:
    """A man, a disc with a ring; a crowned one is two, one on the other, with a crown."""
    edge, ring = colours.outline(colour), colours.on(colour)
    for low in ((0.07, -0.05) if crowned else (0.0,)):
        canvas.circle((at[0], at[1] + low), 0.37, fill=colour, stroke=edge, stroke_width=0.04, **canvas.kind("disc"))
    top = at[0], at[1] - 0.05 * crowned
    canvas.circle(top, 0.25, fill="none", stroke=ring, stroke_width=0.025, stroke_opacity=0.55)
    if crowned:
        crown = "M-.15 .11 L.15 .11 L.19 -.1 L.08 .01 L0 -.14 L-.08 .01 L-.19 -.1 Z"
        canvas.path(crown, [top], fill=ring, transform=f"translate({number(top[0])} {number(top[1])})")

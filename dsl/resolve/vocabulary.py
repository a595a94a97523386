"""The words that each kind of board brings: its arguments, directions, regions and symmetries.

Data only. The checker reads it to resolve names before any board exists; `interpreter.boards` builds
boards that carry exactly these words (a test holds the two together).
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs


@attrs.frozen
class BoardWords:
    """What one kind of board is called with and what names it gives to the rules."""

    arguments: tuple[str, ...]
    """Names of its integer arguments, in order; each is at least 1."""
    directions: tuple[str, ...]
    """Every direction, in board order; `c.north` steps once."""
    direction_sets: Mapping[str, tuple[str, ...]]
    """Named groups of directions: domains for choices and quantifiers."""
    regions: tuple[str, ...]
    """Named sets of cells."""
    symmetries: Mapping[str, tuple[str, ...]]
    """Each symmetry's phrase and the elementary maps that generate it (see `interpreter.boards`)."""
    default: tuple[int, ...] | None = None
    """The arguments that stand for none; None where they must be given."""
    rows_and_columns: bool = True
    """Whether `rows`, `columns`, `row(r)`, `column(k)`, `cell(r, k)`, `c.row` and `c.column` mean anything."""


_SQUARE_DIRECTIONS = ("north", "northeast", "east", "southeast", "south", "southwest", "west", "northwest")
_RHOMBUS_DIRECTIONS = ("northwest", "northeast", "east", "southeast", "southwest", "west")
_HEXAGON_DIRECTIONS = ("north", "northeast", "southeast", "south", "southwest", "northwest")

WINDOW_MARGIN = 4
"""An unbounded board is kept in a window: this many rows and columns more than what stands on it may take."""

BOARDS: Mapping[str, BoardWords] = {
    "square": BoardWords(
        arguments=("rows", "columns"),
        directions=_SQUARE_DIRECTIONS,
        direction_sets={
            "directions": _SQUARE_DIRECTIONS,
            "orthogonals": ("north", "east", "south", "west"),
            "diagonals": ("northeast", "southeast", "southwest", "northwest"),
        },
        regions=("cells", "top", "bottom", "left", "right", "corners", "edges"),
        symmetries={
            "half turn": ("half turn",),
            "quarter turn": ("quarter turn",),
            "all turns": ("quarter turn",),
            "left right mirror": ("left right mirror",),
            "top bottom mirror": ("top bottom mirror",),
            "diagonal mirror": ("diagonal mirror",),
            "antidiagonal mirror": ("antidiagonal mirror",),
            "all mirrors": ("left right mirror", "diagonal mirror"),
            "all turns and mirrors": ("quarter turn", "left right mirror"),
        },
    ),
    "unbounded square": BoardWords(
        arguments=("room",),
        default=(32,),
        directions=_SQUARE_DIRECTIONS,
        direction_sets={
            "directions": _SQUARE_DIRECTIONS,
            "orthogonals": ("north", "east", "south", "west"),
            "diagonals": ("northeast", "southeast", "southwest", "northwest"),
        },
        regions=("origin",),
        symmetries={
            "half turn": ("half turn",),
            "quarter turn": ("quarter turn",),
            "all turns": ("quarter turn",),
            "left right mirror": ("left right mirror",),
            "top bottom mirror": ("top bottom mirror",),
            "diagonal mirror": ("diagonal mirror",),
            "antidiagonal mirror": ("antidiagonal mirror",),
            "all mirrors": ("left right mirror", "diagonal mirror"),
            "all turns and mirrors": ("quarter turn", "left right mirror"),
        },
        rows_and_columns=False,
    ),
    "rhombus": BoardWords(
        arguments=("rows", "columns"),
        directions=_RHOMBUS_DIRECTIONS,
        direction_sets={"directions": _RHOMBUS_DIRECTIONS},
        regions=("cells", "top", "bottom", "left", "right", "corners", "edges"),
        symmetries={
            "half turn": ("half turn",),
            "diagonal mirror": ("diagonal mirror",),
            "antidiagonal mirror": ("antidiagonal mirror",),
            "all mirrors": ("diagonal mirror", "antidiagonal mirror"),
            "all turns and mirrors": ("half turn", "diagonal mirror"),
        },
    ),
    "hexagon": BoardWords(
        arguments=("side",),
        directions=_HEXAGON_DIRECTIONS,
        direction_sets={"directions": _HEXAGON_DIRECTIONS},
        regions=(
            "cells", "corners", "edges",
            "left", "right", "top_left", "top_right", "bottom_left", "bottom_right",
        ),
        symmetries={
            "half turn": ("half turn",),
            "sixth turn": ("sixth turn",),
            "third turn": ("third turn",),
            "all turns": ("sixth turn",),
            "left right mirror": ("left right mirror",),
            "top bottom mirror": ("top bottom mirror",),
            "all turns and mirrors": ("sixth turn", "left right mirror"),
        },
    ),
    "graph": BoardWords(
        arguments=(),
        directions=(),
        direction_sets={},
        regions=("cells",),
        symmetries={"all symmetries": ("all symmetries",)},
        rows_and_columns=False,
    ),
}

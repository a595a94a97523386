"""Seeds in pits: what a number on each cell is drawn as, in games that sow."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import interpreter.pictures.colours as colours
from dsl import hir
from dsl.resolve.sorts import Integer
from interpreter.pictures.canvas import Canvas, Place

if TYPE_CHECKING:
    from interpreter.game import Game

MOST_SEEDS = 24
"""More seeds are only counted."""
SEED, PIT = "#6b8f3c", "#d9bf8f"
_GOLDEN = math.pi * (3 - math.sqrt(5))
"""The angle between a seed and the next."""


def sows(game: Game) -> bool:
    """Whether the numbers on a game's cells are seeds: there are no pieces, and moves change them a number of times."""
    kinds = [(number, kind) for number, kind in hir.drawn_variables(game.rules) if kind.index == "cell"]
    if len(game.rules.pieces) > 1 or len(kinds) != 1:
        return False
    [(number, kind)] = kinds
    if not isinstance(kind.sort, Integer) or kind.sort.low != 0:
        return False
    loops = (part for move in game.rules.moves for effect in move.body for part in hir.walk(effect)
             if isinstance(part, hir.Each))
    return any(isinstance(one, hir.Numbers) for loop in loops for one in hir.walk(loop)
               if any(isinstance(part, hir.SetVariable) and part.number == number for part in hir.walk(loop)))


def draw_seeds(canvas: Canvas, at: Place, count: int) -> None:
    """A pit with so many seeds, as sunflowers have them, and their number, where there are some, under them."""
    middle = at[0], at[1] - 0.08
    canvas.circle(middle, 0.38, fill=PIT, stroke=colours.LINES, stroke_width=0.02)
    for seed in range(min(count, MOST_SEEDS)):
        away = 0.085 * math.sqrt(seed) if count > 1 else 0.0
        place = middle[0] + away * math.cos(seed * _GOLDEN), middle[1] + away * math.sin(seed * _GOLDEN)
        canvas.circle(place, 0.06 if count > 9 else 0.07, fill=SEED, stroke=colours.outline(SEED), stroke_width=0.012)
    if count:
        canvas.text((at[0] + 0.47, at[1] + 0.4), str(count), 0.19, anchor="end", fill=colours.INK, font_weight="bold")

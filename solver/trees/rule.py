"""How a graph of positions is made: what is merged and left out, what outcomes are written as, what a limit raises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import attrs

from interpreter.compiler.lowering.layout import Layout
from interpreter.game import Game
from solver.trees.filters import Filter

Merge = Literal["none", "translation", "rotation", "all"]
Colours = Literal["with players", "without players"]
GOING, DRAWN = -2, -1
"""Outcomes, besides the number of the player who won."""
Progress = Callable[[int, int, str], None]


class CutHere(Exception):
    """A limit was reached; the text says which."""


@attrs.frozen
class Rule:
    """How a graph is made: what is merged, what is left out."""

    merge: Merge = "translation"
    """`none` merges equal positions here, too; the tree unfolds them again."""
    colours: Colours = "without players"
    """Whether a symmetry that swaps players swaps who is to move as well. Without it nothing can be said of values."""
    wins: Literal["kept", "removed"] = "kept"
    filters: tuple[Filter, ...] = ()
    first: tuple[str, ...] = ()
    """The moves that may be made in the root; empty for all."""


def layout_of(game: Game) -> Layout:
    """How positions are kept."""
    return Layout.of(game.rules, game.board, game.engine.evaluator.sizes)

"""The settings of a graph of positions: what is merged and left out; codes of outcomes, and what a limit raises."""

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
"""Codes of outcomes besides the winner's number: a game that goes on, and a draw."""
Progress = Callable[[int, int, str], None]


class CutHere(Exception):
    """A limit was reached; the text says which."""


@attrs.frozen
class Rule:
    """The settings of a graph: which positions are merged, which moves are left out."""

    merge: Merge = "translation"
    """`none` merges equal positions here, too; the tree unfolds them again."""
    colours: Colours = "without players"
    """Whether swapping the players also swaps the player to move. If not, merged positions may differ in value."""
    wins: Literal["kept", "removed"] = "kept"
    filters: tuple[Filter, ...] = ()
    first: tuple[str, ...] = ()
    """The moves that the root may make; empty for all."""


def layout_of(game: Game) -> Layout:
    """The layout of a game's positions as rows of words."""
    return Layout.of(game.rules, game.board, game.engine.evaluator.sizes)

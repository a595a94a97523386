"""Marks what a player does not know in a view, for texts and pictures: `?` in place of a value that is hidden.

A view (`Observer.view`) holds initial values in place of hidden ones, which read as if they were known. What is marked
depends on the view alone, so that the marks tell nothing that the view does not. Only variables that belong to no cell
are marked: on cells, `as` says what hidden things look like.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from dsl import hir
from dsl.boards.borders import BORDER, VERTEX
from interpreter.errors import RuleError

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.model.state import State


class Unknown(int):
    """A value that nobody who reads it knows; unlike 0, it is no default that texts leave out."""

    def __bool__(self) -> bool:
        """True: there is something to be told."""
        return True


UNKNOWN: Final = Unknown(0)
SIGN = "?"
"""The text of an unknown value."""


def seen_by(game: Game, state: State, player: int | None) -> State:
    """A position as a player sees it, with `UNKNOWN` in place of hidden values; for None as nobody may know more than
    all players do. For showing only: rules cannot be applied to it."""
    observer = game.observer
    if observer.sees_all:
        return state
    view = observer.common(state) if player is None else observer.view(state, player)
    values = list(view.values)
    with suppress(RuleError):  # of a condition that makes no sense in a view
        for place in observer.unseen(view, player) & _said(game):
            values[place] = UNKNOWN
    return view._replace(values=tuple(values))


def _said(game: Game) -> frozenset[int]:
    """The places of the values that are written beside the board."""
    evaluator = game.engine.evaluator
    return frozenset(place for number, kind in enumerate(hir.said_variables(game.rules))
                     if kind.index not in ("cell", BORDER, VERTEX)
                     for place in range(evaluator.offsets[number], evaluator.offsets[number] + evaluator.sizes[number]))

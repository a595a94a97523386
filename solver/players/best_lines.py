"""The best moves of a position, each with its value and the play that follows it, as boards for analysis show them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from interpreter.model.state import Move, State
from solver.players.judge import BestLine, Judged

if TYPE_CHECKING:
    from interpreter.game import Position
    from solver.solve import Solved

SHOWN, LONGEST = 3, 16
"""Moves whose lines are found, and plies of one."""


@attrs.frozen
class Seen:
    """What a search saw of one move."""

    line: tuple[str, ...]
    """The play that begins with it, as it is written."""
    depth: int = 0
    """Plies that were searched, this move included; 0 where random games were played."""
    games: int = 0
    """Random games that began with it."""
    score: int | None = None
    """The game's `value` at the end of the line, for the player to move."""


NOT_SEEN = Seen(())


def best_lines(ranked: Sequence[Judged], seen: Mapping[Move, Seen], leading: Sequence[Move], mover: int,
               solved: Callable[[Move], Sequence[str]]) -> tuple[BestLine, ...]:
    """The best moves with their lines; `solved` gives the line of a move by a solution, empty where there is none.

    After the best one come wins, then the moves that a search found best, which are `leading`, then the others as they
    are ranked. A move whose value is proven has a line that leads to its end, or none but itself: what random games, or
    searches that were not deep enough, saw after it may be worth less. Moves of which nothing is known are left out.
    """
    places = {move: index for index, move in enumerate(leading)}
    order = sorted((item for item in ranked if item.winner is not None or item.move in seen), key=lambda item: (
        item is not ranked[0], item.winner != mover, places.get(item.move, len(places))))
    return tuple(_line(item, seen.get(item.move, NOT_SEEN), solved) for item in order[:SHOWN])


def _line(item: Judged, seen: Seen, solved: Callable[[Move], Sequence[str]]) -> BestLine:
    line: tuple[str, ...] = () if item.winner is None else (*solved(item.move),)
    if not line and (item.winner is None or (item.remoteness is not None and seen.depth >= item.remoteness)):
        line = seen.line
    return BestLine(item, line[:LONGEST] or (item.text,), seen.depth, seen.games, seen.score)


def by_solution(table: Solved[State, Move] | None, position: Position) -> Callable[[Move], Sequence[str]]:
    """What writes best play after a move by the values of all positions; empty where it is not in them."""
    def line(move: Move) -> Sequence[str]:
        here = position.play(move)
        if table is None or table.value(here.state) is None:
            return ()
        texts = [position.game.notation.write(position.state, move)]
        for following in table.line(here.state, LONGEST - 1):
            if here.over or following not in here.legal():
                break
            texts.append(here.game.notation.write(here.state, following))
            here = here.play(following)
        return texts

    return line

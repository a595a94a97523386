"""The best moves of a position, each with its value and its line, as analysis boards show them."""

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
"""The most moves with lines, and the most plies of a line."""


@attrs.frozen
class Seen:
    """A search's result for one move."""

    line: tuple[str, ...]
    """The line that begins with the move, in the game's notation."""
    depth: int = 0
    """The depth of the search in plies, this move included; 0 for random games."""
    games: int = 0
    """Random games that began with the move."""
    score: int | None = None
    """The game's `value` at the end of the line, for the player to move."""


NOT_SEEN = Seen(())


def best_lines(ranked: Sequence[Judged], seen: Mapping[Move, Seen], leading: Sequence[Move], mover: int,
               solved: Callable[[Move], Sequence[str]]) -> tuple[BestLine, ...]:
    """The best moves with their lines; `solved` gives the line of a move by a solution, empty where there is none.

    After the best move come wins, then the moves that a search found best (`leading`), then the others in the order of
    `ranked`. The line of a proven move leads to the end of the game, or is the move alone: lines of random games, or of
    searches that were not deep enough, may be worse than the proven value. Moves without a value and without a search
    result are left out.
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
    """Return a function that gives best play from a move on by a table of values, empty where the table lacks it."""
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

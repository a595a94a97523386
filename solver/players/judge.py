"""Valuing the moves of a position exactly, as far as a number of positions allows; what is not known is said.

A `Judge` solves everything that can follow where that fits its limit, and keeps it, so that later positions of the same
game are looked up. Players and hints use it.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from dsl.diagnostics import GameFileError
from interpreter.game import Game, Position
from interpreter.state import Move, State
from solver.game_space import solve_game
from solver.solve import Solved

if TYPE_CHECKING:
    from solver.trees.book import Book


class Judged(NamedTuple):
    """A legal move and what it leads to under best play."""

    move: Move
    text: str
    winner: int | None
    """A player's number, -1 for a draw, None when not known."""
    remoteness: int | None
    """Plies to the end, this move included."""


class Judge:
    """Values the moves of positions of one game, within a number of positions each time."""

    def __init__(self, game: Game, nodes: int) -> None:
        self.game = game
        self.nodes = nodes
        self.reason = ""
        """Why the last values are not all known."""
        self.book: Book | None = None
        """A tree that is asked first, where there is one."""
        self._table: Solved[State, Move] | None = None

    def values(self, position: Position) -> list[Judged]:
        """Every legal move with its value; not known where the limit is reached first."""
        legal = position.legal()
        texts = {move: self.game.notation.write(position.state, move) for move in legal}
        known = self._from_book(position) or self._from_table(position) or self._solved(position)
        return [Judged(move, texts[move], *known.get(move, (None, None))) for move in legal]

    def _from_book(self, position: Position) -> Mapping[Move, tuple[int | None, int | None]] | None:
        """The values that a tree proves; None past its horizon."""
        return None if self.book is None else self.book.values(position.state)

    def _from_table(self, position: Position) -> dict[Move, tuple[int, int | None]] | None:
        """The values that an earlier solution holds; None where it does not have the position."""
        if self._table is None or self._table.value(position.state) is None:
            return None
        found = {}
        for move, after in self.game.engine.successors(position.state):
            value = self._table.value(after)
            if value is None:
                return None
            found[move] = value.winner, None if value.remoteness is None else value.remoteness + 1
        return found

    def _solved(self, position: Position) -> dict[Move, tuple[int | None, int | None]]:
        """The values by a solution of this position; it is kept where it has all positions after it."""
        try:
            solution = solve_game(self.game, position.state, nodes=self.nodes)
        except (GameFileError, ValueError):  # a declared symmetry that does not hold; or too many players
            if len(self.game.players) > 2:
                self.reason = "only games for one or two players can be solved"
                return {}
            solution = solve_game(self.game, position.state, nodes=self.nodes, symmetry=False)
        self._table = solution.strong or self._table
        self.reason = "" if solution.complete else solution.reason
        return {value.move: (value.winner, value.remoteness) for value in solution.moves}


def standing(winner: int | None, remoteness: int | None, mover: int) -> tuple[int, int]:
    """How good a move is for its mover, least first: a fast win, a short draw, one not known, a slow loss."""
    plies = remoteness or 0
    if winner is None:
        return 2, 0
    if winner == mover:
        return 0, plies
    return (1, plies) if winner < 0 else (3, -plies)


def best(judged: Sequence[Judged], position: Position, chance: random.Random) -> Judged:
    """A best move as far as is known; by chance among equals.

    Among moves not known the game's own `value` decides where it has one. No draw is better than another.
    """

    def rank(item: Judged) -> tuple[int, int]:
        place, plies = standing(item.winner, item.remoteness, position.state.to_move)
        if place == 2:
            return place, _outlook(position, item.move)
        return place, 0 if place == 1 else plies

    ranks = [rank(item) for item in judged]
    least = min(ranks)
    return chance.choice([item for item, number in zip(judged, ranks, strict=True) if number == least])


def _outlook(position: Position, move: Move) -> int:
    """How well the other side stands after a move, by the game's `value`; 0 where the file gives none."""
    after = position.game.engine.apply(position.state, move)
    if after is None or position.game.rules.value is None:
        return 0
    value = position.game.heuristic(after)
    return -value if after.to_move == position.state.to_move else value

"""The answer of an analysis: the results of a position's moves, the best of them, and how it is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import attrs

from interpreter.model.outcomes import is_open, results
from interpreter.model.state import DRAW, Move

if TYPE_CHECKING:
    from solver.report import Report

Basis = Literal["proof", "alphabeta", "mcts", "glance"]
Measure = Literal["proof", "value", "games", "share", "nothing"]
"""By what a move is the best: by what is proven of it, the `value` after the searched plies, the random games that a
search began with it, the share of random games that it wins, or nothing that is known."""
_LONGEST = 1 << 30
"""More plies than any game takes."""
FORCED = 1 << 39
"""Larger scores are no `value`: the search found a forced end whose remoteness is not settled."""


class Judged(NamedTuple):
    """A legal move and its result under best play."""

    move: Move
    text: str
    winner: int | None
    """A player's number, -1 for a draw, None if not known."""
    remoteness: int | None
    """Plies to the end, this move included."""


@attrs.frozen
class BestLine:
    """A move and the play that follows it."""

    judged: Judged
    line: tuple[str, ...]
    """The move, and best play after it as far as it is known."""
    depth: int
    """The depth of the search in plies; 0 where there was none, as for values proven otherwise."""
    games: int
    """Random games that began with the move."""
    score: int | None
    """The game's `value` at the end of the line, for the player to move; None where no search gave it."""


def standing(winner: int | None, remoteness: int | None, mover: int) -> tuple[int, int]:
    """The sort key of a move for the player who makes it, the best first: fast wins, short draws, unknown, slow losses.

    Results that a choice between equal results decides are sorted by the least that the player gets.
    """
    plies = remoteness or 0
    if winner is None:
        return 2, 0
    if is_open(winner):
        least, most = results(winner, mover)
        return 3 - 2 * least, -most - _LONGEST
    if winner == mover:
        return 0, plies
    return (1, plies) if winner < 0 else (3, -plies)


@attrs.frozen
class Analysis:
    """The answer of an analysis about a position and its moves."""

    side: int
    """The side of the player to move, as in outcomes."""
    moves: tuple[Judged, ...]
    """Every legal move with its result, as far as that is proven."""
    best: Judged
    """The move to play."""
    method: Basis
    """How the best move is known: by proof, by a search, or by a shallow proof that found no end."""
    depth: int
    """The depth of the search, or of the shallow proof, in plies."""
    games: int
    """Random games that were played."""
    positions: int
    """Positions that were visited, by all methods."""
    scores: Mapping[Move, int]
    """For each move that was searched, the game's `value` at the end of its best line, for the player to move."""
    shares: Mapping[Move, float]
    """For each move that was sampled, the share of random games that the player to move wins; a draw counts half."""
    line: tuple[str, ...]
    """The principal variation of the search."""
    reason: str
    """Why not every move's value is known; '' where they are."""
    report: Report | None = None
    """The report of the last search."""
    followed: bool = False
    """Whether the search proved the best move's result, so that no move is better."""
    final: bool = True
    """Whether this is the last answer of the analysis."""
    players: int = 2
    """The number of players."""
    cut: str = ""
    """When the ceiling on its time ended the analysis; '' where it did not."""
    lines: tuple[BestLine, ...] = ()
    """The best moves with the play that follows them, the best first; empty where only a move was asked for."""
    solved_by: str = ""
    """The method of `solver.methods` that last proved values; '' where none did."""

    @property
    def exact(self) -> bool:
        """Whether the value of every move is known."""
        return all(item.winner is not None for item in self.moves)

    @property
    def proven(self) -> bool:
        """Whether it is proven that no move is better."""
        return self.best.winner == self.side or self.exact or self.followed

    @property
    def basis(self) -> str:
        """The basis of the answer in words: what is proven for the player to move, or how the move was found."""
        if self.proven:
            plies = self.best.remoteness
            return self._proof + ("" if plies is None else f" in {plies} {'ply' if plies == 1 else 'plies'}")
        return f"{self._searched}, {self.cut}" if self.cut else self._searched

    @property
    def measure(self) -> Measure:
        """By what the best move is the best."""
        if self.proven or len(self.moves) == 1 or self.method == "proof":
            return "proof"
        if self.method == "alphabeta":
            return "value"
        if self.method == "mcts":
            return "games"
        return "share" if self.shares else "nothing"

    @property
    def _higher(self) -> str:
        """That another move has won a higher share of its games than the best one, in words; '' where none has.

        A search by random games plays the moves that look best most often, and goes by that: a share of few games is
        less certain.
        """
        rivals = [item for item in self.moves if item.winner is None and item.move in self.shares]
        top = max(rivals, key=lambda item: self.shares[item.move], default=None)
        if top is None or self.best.winner is not None or self.estimate(top) == self.estimate(self.best):
            return ""
        if self.shares[top.move] <= self.shares.get(self.best.move, 0.0):
            return ""
        return f": more began with it than with any other; {top.text} won {self.estimate(top)} of fewer"

    @property
    def _searched(self) -> str:
        """How an unproven answer was found, in words."""
        if len(self.moves) == 1:
            return "the only move"
        if self.method == "alphabeta":
            return f"searched to depth {self.depth}"
        if self.method == "mcts":
            return f"sampled from {self.games:,} game{'s' * (self.games != 1)}{self._higher}"
        if self.method == "proof":
            return "every other move is proven to lose"
        return f"searched to depth {self.depth} for forced ends only"

    @property
    def _proof(self) -> str:
        """The proven result of the best move, in words."""
        if self.best.winner == self.side:
            return "proven win"
        if self.best.winner is not None and is_open(self.best.winner):
            return "proven that a choice between equal results decides"
        if self.best.winner == DRAW:
            return "proven draw" if self.players > 1 else "proven that it cannot be won"
        return "proven loss"

    @property
    def ranked(self) -> tuple[Judged, ...]:
        """The moves: the best one, then wins (fast first), draws and unknown ones by estimate, losses (slow first)."""
        def rank(item: Judged) -> tuple[bool, int, float, int]:
            place, plies = standing(item.winner, item.remoteness, self.side)
            if place in (1, 2):
                drawn = 0.5 if self.shares else 0.0
                hope = drawn if place == 1 else self.shares.get(item.move, self.scores.get(item.move, -1e18))
                return item != self.best, 1, -hope, 0
            return item != self.best, place, 0.0, plies

        return tuple(sorted(self.moves, key=rank))

    def estimate(self, item: Judged) -> str:
        """The estimate of a move whose value is not known, in words: a share of games, or a `value`; '' without any."""
        if item.winner is not None:
            return ""
        if item.move in self.shares:
            return f"{self.shares[item.move]:.0%}"
        score = self.scores.get(item.move)
        if score is None:
            return ""
        return f"{score:+,}" if abs(score) < FORCED else "wins, it seems" if score > 0 else "loses, it seems"

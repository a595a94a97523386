"""Answers about a position: what its moves lead to, which of them is best, and how that is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal, NamedTuple

import attrs

from interpreter.model.outcomes import is_open, results
from interpreter.model.state import DRAW, Move

if TYPE_CHECKING:
    from solver.report import Report

Basis = Literal["proof", "alphabeta", "mcts", "glance"]
_LONGEST = 1 << 30
"""More plies than a game takes."""
FORCED = 1 << 39
"""Scores beyond are no `value`: an end was seen whose plies are not settled."""


class Judged(NamedTuple):
    """A legal move and what it leads to under best play."""

    move: Move
    text: str
    winner: int | None
    """A player's number, -1 for a draw, None when not known."""
    remoteness: int | None
    """Plies to the end, this move included."""


@attrs.frozen
class BestLine:
    """A move and the play that follows it."""

    judged: Judged
    line: tuple[str, ...]
    """The move, and best play after it as far as it was seen."""
    depth: int
    """Plies that a search looked ahead; 0 where none did, as for what was proven otherwise."""
    games: int
    """Random games that began with the move."""
    score: int | None
    """The game's `value` at the end of the line, for the player to move, where a search said it."""


def standing(winner: int | None, remoteness: int | None, mover: int) -> tuple[int, int]:
    """How good a move is for its mover, least first: a fast win, a short draw, one not known, a slow loss."""
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
    """What is known of a position and of its moves."""

    to_move: int
    moves: tuple[Judged, ...]
    """Every legal move with what it leads to, as far as that is proven."""
    best: Judged
    """The move to play."""
    method: Basis
    """How the best move is known: by proof, by a search, or by a shallow proof that found no end."""
    depth: int
    """Plies that a search, or a shallow proof, looked ahead."""
    games: int
    """Random games that were played."""
    positions: int
    """Positions that were looked at, by all methods."""
    scores: Mapping[Move, int]
    """The game's `value` at the end of the best line after a move, for the player to move, where one was searched."""
    shares: Mapping[Move, float]
    """Of moves that were sampled, the share of random games that the player to move wins; a draw is half of one."""
    line: tuple[str, ...]
    """Best play as a search sees it."""
    reason: str
    """Why not every move's value is known; '' where they are."""
    report: Report | None = None
    """What the last search did."""
    followed: bool = False
    """Whether a search followed every line to its end, so that no move is better."""
    final: bool = True
    """Whether this is the answer, and nothing more follows."""
    players: int = 2
    """How many players the game has."""
    cut: str = ""
    """When the ceiling on its time ended the analysis; '' where none did."""
    lines: tuple[BestLine, ...] = ()
    """The best moves with the play that follows them, the best first; none where only a move was asked for."""
    solved_by: str = ""
    """The method of `solver.methods` that proved values, the last one where there were several; '' where none did."""

    @property
    def exact(self) -> bool:
        """Whether the value of every move is known."""
        return all(item.winner is not None for item in self.moves)

    @property
    def proven(self) -> bool:
        """Whether it is proven that no move is better."""
        return self.best.winner == self.to_move or self.exact or self.followed

    @property
    def basis(self) -> str:
        """What the answer is, in words: what is proven for the player to move, or how it was found."""
        if self.proven:
            plies = self.best.remoteness
            return self._proof + ("" if plies is None else f" in {plies} {'ply' if plies == 1 else 'plies'}")
        return f"{self._searched}, {self.cut}" if self.cut else self._searched

    @property
    def _searched(self) -> str:
        """How an answer was found that is not proven."""
        if len(self.moves) == 1:
            return "the only move"
        if self.method == "alphabeta":
            return f"searched to depth {self.depth}"
        if self.method == "mcts":
            return f"sampled from {self.games:,} game{'s' * (self.games != 1)}"
        if self.method == "proof":
            return "every other move is proven to lose"
        return f"searched to depth {self.depth} for forced ends only"

    @property
    def _proof(self) -> str:
        """What is proven of the best move."""
        if self.best.winner == self.to_move:
            return "proven win"
        if self.best.winner is not None and is_open(self.best.winner):
            return "proven that a choice between equal results decides"
        if self.best.winner == DRAW:
            return "proven draw" if self.players > 1 else "proven that it cannot be won"
        return "proven loss"

    @property
    def ranked(self) -> tuple[Judged, ...]:
        """The moves, the best first: then fast wins, what searches prefer, and slow losses before fast ones."""
        def rank(item: Judged) -> tuple[bool, int, float, int]:
            place, plies = standing(item.winner, item.remoteness, self.to_move)
            if place in (1, 2):
                drawn = 0.5 if self.shares else 0.0
                hope = drawn if place == 1 else self.shares.get(item.move, self.scores.get(item.move, -1e18))
                return item != self.best, 1, -hope, 0
            return item != self.best, place, 0.0, plies

        return tuple(sorted(self.moves, key=rank))

    def estimate(self, item: Judged) -> str:
        """What a search expects of a move whose value is not known: a share of games, or a `value`; '' without any."""
        if item.winner is not None:
            return ""
        if item.move in self.shares:
            return f"{self.shares[item.move]:.0%}"
        score = self.scores.get(item.move)
        if score is None:
            return ""
        return f"{score:+,}" if abs(score) < FORCED else "wins, it seems" if score > 0 else "loses, it seems"

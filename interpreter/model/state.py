"""States: what a position is made of, and the working copy that rules change.

A `State` is an immutable tuple, equal exactly when the positions are. A `WorkingState` is the mutable copy on which the
effects of one move are carried out; `interpreter.semantics.engine` makes one for each move and reads the next state off
it.
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.boards import members
from interpreter.semantics.limits import MOST_WORK

DRAW = -1
"""The outcome of a drawn game; otherwise an outcome is the index of the player who won."""
PASS, SWAP = -1, -2
"""Rule numbers of the moves that no move rule makes: passing and swapping sides."""


class Move(NamedTuple):
    """A move: the number of its rule and the values of its choices, in order."""

    rule: int
    values: tuple[int, ...] = ()


class State(NamedTuple):
    """A position without its history."""

    pieces: tuple[int, ...]
    """For each piece the set of cells that hold it; index 0 is empty."""
    values: tuple[int | None, ...]
    """All variables, one after another."""
    to_move: int
    turn: int
    """Moves made, counted only as far as the pie rule needs (0 without one)."""
    outcome: int | None
    """None while the game goes on, else a player's index or DRAW."""
    links: tuple[int, ...] = ()
    """For each kind of link the set of those that are there."""
    seats: int = 0
    """1 when two players have exchanged their seats: each then plays the other's pieces and goals."""


class WorkingState:
    """A position being changed by a move."""

    __slots__ = ("_at", "links", "moved", "mover", "pieces", "seats", "to_move", "turn", "values", "work")

    def __init__(self, state: State) -> None:
        self.pieces = list(state.pieces)
        self._at: dict[int, int] | None = None
        self.values = list(state.values)
        self.links = list(state.links)
        self.seats = state.seats
        self.mover = state.to_move ^ state.seats
        """Whose pieces and goals the player has who makes the move; stays so until the move is over."""
        self.to_move = self.mover
        """The same of the player who moves next; known once the move is over."""
        self.turn = state.turn
        self.moved: list[dict[int, int]] | None = None
        """Where effects took what stood on cells (-1: off the board), one after the other; None: nobody asks."""
        self.work = [MOST_WORK]
        """How many steps are left, for this table and its copies together."""

    def copy(self) -> WorkingState:
        """An independent copy, to try a further choice on."""
        other = WorkingState.__new__(WorkingState)
        other.pieces = list(self.pieces)
        other._at = None if self._at is None else dict(self._at)
        other.moved = None
        other.values = list(self.values)
        other.links, other.seats, other.work = list(self.links), self.seats, self.work
        other.mover, other.to_move, other.turn = self.mover, self.to_move, self.turn
        return other

    def put(self, cells: int, piece: int) -> None:
        """Put a piece (0: nothing) on every cell of a set."""
        pieces = self.pieces
        for index, holding in enumerate(pieces):
            if holding & cells:
                pieces[index] = holding & ~cells
        pieces[piece] |= cells
        if self._at is not None:
            for cell in members(cells):
                self._at[cell] = piece

    def piece_at(self, cell: int) -> int:
        """The piece on a cell; 0 where it is empty."""
        if self._at is None:
            self._at = {
                place: index for index, holding in enumerate(self.pieces) if index for place in members(holding)
            }
        return self._at.get(cell, 0)

    def state(self, outcome: int | None) -> State:
        """The position as it is now; `outcome` names whose pieces and goals have won."""
        if self.seats and outcome is not None and outcome >= 0:
            outcome = 1 - outcome
        return State(tuple(self.pieces), tuple(self.values), self.to_move ^ self.seats, self.turn, outcome,
                     tuple(self.links), self.seats)

    def shift(self, cells: int) -> None:
        """Move everything on an unbounded board by so many cells in board order; nothing may stand at the edge."""
        everything = sum(self.pieces)
        self._at = None
        for index, holding in enumerate(self.pieces):
            if index:
                self.pieces[index] = holding << cells if cells >= 0 else holding >> -cells
        self.pieces[0] = everything & ~sum(self.pieces[1:])

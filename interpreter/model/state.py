"""States: positions without history, and the working copy that rules change.

A `State` is an immutable tuple, equal exactly when the positions are. A `WorkingState` is the mutable copy on which the
effects of one move are carried out; `interpreter.semantics.engine` makes one for each move and takes the next state
from it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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
    """For each piece, the set of cells that hold it; index 0 is for the empty cells."""
    values: tuple[int | None, ...]
    """The values of all variables, one variable after another."""
    to_move: int
    turn: int
    """The place in the turn order; without one, the number of moves made, counted only as far as the pie rule needs.

    It is 0 where there is neither.
    """
    outcome: int | None
    """None while the game goes on, else a player's index or DRAW."""
    links: tuple[int, ...] = ()
    """For each kind of link, the set of links present, as a bitmask."""
    seats: int = 0
    """1 when two players have exchanged their seats: each then plays the other's pieces and goals."""


class WorkingState:
    """A position being changed by a move."""

    __slots__ = ("_at", "links", "moved", "mover", "pieces", "seats", "to_move", "turn", "values", "work")

    def __init__(self, state: State, mover: int | None = None) -> None:
        """The position of a state, with another player in the place of the one to move where `mover` is given."""
        self.pieces = list(state.pieces)
        self._at: dict[int, int] | None = None
        self.values = list(state.values)
        self.links = list(state.links)
        self.seats = state.seats
        self.mover = state.to_move ^ state.seats if mover is None else mover
        """The player whose pieces and goals the mover has; constant until the move is over."""
        self.to_move = self.mover
        """The same for the player who moves next; known once the move is over."""
        self.turn = state.turn
        self.moved: list[dict[int, int]] | None = None
        """For each effect that moved pieces, in order, the cell that each went to (-1: off the board); None: not kept.
        """
        self.work = [MOST_WORK]
        """The number of steps left (see `MOST_WORK`), shared by this state and its copies."""

    def copy(self) -> WorkingState:
        """A copy on which to try a further choice; only the count of steps left is shared."""
        other = WorkingState.__new__(WorkingState)
        other.pieces = list(self.pieces)
        other._at = None if self._at is None else dict(self._at)
        other.moved = None
        other.values = list(self.values)
        other.links, other.seats, other.work = list(self.links), self.seats, self.work
        other.mover, other.to_move, other.turn = self.mover, self.to_move, self.turn
        return other

    @contextmanager
    def played_by(self, player: int | None) -> Iterator[None]:
        """Another player in the place of the one to move meanwhile; None for nobody else."""
        before = self.mover, self.to_move
        if player is not None:
            self.mover = self.to_move = player
        yield
        self.mover, self.to_move = before

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
        """The current position as a state; `outcome` is the player whose pieces and goals have won, DRAW or None."""
        if self.seats and outcome is not None and outcome >= 0:
            outcome = 1 - outcome
        return State(tuple(self.pieces), tuple(self.values), self.to_move ^ self.seats, self.turn, outcome,
                     tuple(self.links), self.seats)

    def shift(self, cells: int) -> None:
        """Shift everything on an unbounded board by a number of cells in board order; nothing may leave the window."""
        everything = sum(self.pieces)
        self._at = None
        for index, holding in enumerate(self.pieces):
            if index:
                self.pieces[index] = holding << cells if cells >= 0 else holding >> -cells
        self.pieces[0] = everything & ~sum(self.pieces[1:])

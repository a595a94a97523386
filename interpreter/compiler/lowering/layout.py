"""The layout of a position in a row of words, and conversions between rows and states.

A row holds, in order: for each piece (0: empty) the words of its set of cells, the words of each kind of link, the
variables, then the player to move, the turn, the outcome and the seats. What follows is not part of the position:
whether a rule failed, and what else the kernel keeps. None is -1, or `NO_NUMBER` for a number.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from dsl import hir
from dsl.resolve.sorts import Integer
from interpreter.boards import Board
from interpreter.model.state import State

NO_NUMBER = -(1 << 62)
"""The value of `none` where a number is expected; numbers have at most 62 bits."""
GOING = -2
"""The outcome while the game goes on."""
_WORD = (1 << 64) - 1


@attrs.frozen
class Layout:
    """The places of values in a game's rows."""

    words: int
    """The number of words of a set of cells."""
    pieces: int
    """The number of pieces, empty included."""
    links: tuple[int, ...]
    """Where the words of each kind of link begin."""
    link_words: tuple[int, ...]
    """How many words each kind of link has."""
    values: int
    """Where the variables begin."""
    missing: tuple[int, ...]
    """For each place among the variables the number that stands for none there."""
    kept: int = 0
    """The number of words that the kernel keeps besides the position."""

    @classmethod
    def of(cls, rules: hir.Rules, board: Board, sizes: Sequence[int], *, kept: int = 0) -> Layout:
        """The layout of a game; `sizes` has the number of values of each variable."""
        words = -(-board.size // 64)
        start = words * len(rules.pieces)
        links, link_words = [], []
        for layer in board.layers:
            links.append(start)
            link_words.append(-(-len(layer.pairs) // 64))
            start += link_words[-1]
        missing = [NO_NUMBER if isinstance(kind.sort, Integer) else -1
                   for kind, size in zip(rules.variables, sizes, strict=True) for _ in range(size)]
        return cls(words, len(rules.pieces), tuple(links), tuple(link_words), start, tuple(missing), kept)

    @property
    def to_move(self) -> int:
        """The place of the player to move."""
        return self.values + len(self.missing)

    @property
    def turn(self) -> int:
        """The place of the number of moves made."""
        return self.to_move + 1

    @property
    def outcome(self) -> int:
        """The place of the outcome."""
        return self.to_move + 2

    @property
    def seats(self) -> int:
        """The place of the number that tells whether seats are exchanged."""
        return self.to_move + 3

    @property
    def position(self) -> int:
        """The number of words of the position."""
        return self.to_move + 4

    @property
    def failed(self) -> int:
        """The place of the number of a rule's failure; 0 stands there for none."""
        return self.position

    @property
    def own(self) -> int:
        """Where the words begin that the kernel keeps besides the position."""
        return self.position + 1

    @property
    def width(self) -> int:
        """The number of words of a row."""
        return self.own + self.kept

    def row(self, state: State) -> list[int]:
        """The row of a state, with negative numbers as they are; what the kernel keeps besides the position is 0."""
        result: list[int] = []
        for cells in state.pieces:
            result += split(cells, self.words)
        for there, words in zip(state.links, self.link_words, strict=True):
            result += split(there, words)
        result += [none if value is None else int(value)
                   for value, none in zip(state.values, self.missing, strict=True)]
        result += [state.to_move, state.turn, GOING if state.outcome is None else state.outcome, state.seats]
        return result + [0] * (1 + self.kept)

    def state(self, row: Sequence[int]) -> State:
        """The state of a row, whose numbers may be signed or unsigned."""
        words = self.words
        signed = [value - (1 << 64) if value >= 1 << 63 else value
                  for value in map(int, row[self.values : self.position])]
        values, (to_move, turn, outcome, seats) = signed[:-4], signed[-4:]
        return State(
            tuple([join(row[piece * words : piece * words + words]) for piece in range(self.pieces)]),
            tuple([None if value == none else value for value, none in zip(values, self.missing, strict=True)]),
            to_move, turn, None if outcome == GOING else outcome,
            tuple([join(row[start : start + count])
                   for start, count in zip(self.links, self.link_words, strict=True)]),
            seats,
        )


def split(cells: int, words: int) -> list[int]:
    """The words of a set, the first cells first."""
    return [cells >> 64 * index & _WORD for index in range(words)]


def join(words: Sequence[int]) -> int:
    """The set that has these words."""
    cells = 0
    for index, part in enumerate(words):
        cells |= (int(part) & _WORD) << 64 * index
    return cells

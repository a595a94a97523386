"""What a compiled search works with: a game's kernel, arrays of the right sizes, and a table that searches share.

`solver.searches.weak` asks questions with it, `solver.searches.compiled` answers them. With `native` false everything
runs as plain Python, on the kernel's plain functions: slow, but the same code, for tests and debuggers.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import attrs

from interpreter.errors import RuleError
from interpreter.kernel import plain
from interpreter.kernel.kernel import Kernel
from interpreter.kernel.translating import native_module
from interpreter.model.state import Move, State

_PACKAGE = "solver.searches.compiled"
_ROOM, _PLIES, _ENTRIES = 1 << 13, 256, 512
"""Rows of an arena, frames, and a kernel's entries, at first: a search that needs more begins again with more."""
_PLAIN_ROOM, _PLAIN_PLIES, _PLAIN_ENTRIES = 1 << 9, 64, 64
_MOST_ROOM = 1 << 24
_MOST_PLIES = 1 << 14
HISTORY = 1 << 14
"""Numbers that moves are given in the history heuristic."""
FEWEST_ENTRIES = 1 << 10
_FIRST_ENTRIES = 1 << 16
_PLAIN_TABLE = 1 << 16


class Outgrown(Exception):
    """A search needs more room than there can be; the text says for what."""


def compiled(name: str, native: bool) -> ModuleType:
    """A module of solver functions: compiled, or as plain Python."""
    return native_module(_PACKAGE, name) if native else importlib.import_module(f"{_PACKAGE}.{name}")


@attrs.frozen(eq=False)
class Arrays:
    """Makes arrays as compiled or as plain functions take them."""

    native: bool

    def words(self, count: int, width: int) -> Any:
        """Rows of words."""
        if not self.native:
            return plain.rows(count, width)
        import numpy as np

        return np.zeros((count, width), np.uint64)

    def numbers(self, count: int, width: int) -> Any:
        """Rows of numbers."""
        if not self.native:
            return plain.numbers(count, width)
        import numpy as np

        return np.zeros((count, width), np.int64)

    def line(self, values: Sequence[int]) -> Any:
        """A row of numbers."""
        found = self.numbers(1, len(values))[0]
        for place, value in enumerate(values):
            found[place] = value
        return found


@attrs.define(eq=False)
class Table:
    """A transposition table of so many entries, a power of two, for positions packed into `width` words.

    It begins small and grows to `most` entries: memory that is touched for the first time takes longer than a search.
    """

    arrays: Arrays
    width: int
    entries: int
    most: int
    rows: Any = attrs.field(init=False)
    age: int = 0
    """Goes up with every question, modulo 256, so that what former questions left can give way."""
    _asking: Any = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.rows = self.arrays.words(self.entries, self.width + 1)
        self._asking = compiled("asking", self.arrays.native)

    @classmethod
    def of(cls, arrays: Arrays, width: int, memory: int) -> Table:
        """A table that may grow as long as it fits into so many MiB."""
        most = (memory << 20) // (8 * (width + 1))
        if not arrays.native:
            most = min(most, _PLAIN_TABLE)
        most = max(FEWEST_ENTRIES, 1 << max(0, most.bit_length() - 1))
        return cls(arrays, width, min(most, _FIRST_ENTRIES if arrays.native else FEWEST_ENTRIES), most)

    def wants_to_grow(self, used: int) -> bool:
        """Whether there should be more room with so many entries written."""
        return used > self.entries // 2 and self.entries < self.most

    def grow(self) -> None:
        """Have eight times as much room, or as much as there may be. No search may run meanwhile."""
        larger = min(self.most, self.entries * 8)
        rows = self.arrays.words(larger, self.width + 1)
        self._asking.move(self.rows, rows)
        self.rows, self.entries = rows, larger

    @property
    def bytes(self) -> int:
        """How much memory the table takes."""
        return self.entries * (self.width + 1) * 8

    def known(self, key: Any) -> tuple[int, int] | None:
        """The bounds of a packed position; None where nothing is known of it."""
        found = self.arrays.line((0, 0))
        return (int(found[0]), int(found[1])) if self._asking.ask(self.rows, key, found) else None


@attrs.frozen(eq=False)
class Child:
    """A legal move of a position with what it leads to; a position itself where there is no move."""

    move: Move | None
    row: Any
    key: Any
    outcome: int | None
    to_move: int


@attrs.define(eq=False)
class Board:
    """A game's kernel as searches use it: its entries, the symmetries that merge positions, and what they need."""

    kernel: Kernel
    elements: Any
    arrays: Arrays = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self.arrays = Arrays(self.kernel.native)

    @classmethod
    def of(cls, kernel: Kernel, elements: Sequence[int]) -> Board:
        """A kernel with the numbers of the symmetries that may be used, 0 (the identity) first."""
        return cls(kernel, Arrays(kernel.native).line(elements))

    @property
    def width(self) -> int:
        """How many words a packed position has."""
        return self.kernel.assembled.packing.width

    @property
    def functions(self) -> tuple[Any, Any, Any]:
        """`expand`, `pack_least` and `value_of`."""
        functions = self.kernel.functions
        return functions["expand"], functions["pack_least"], functions["value_of"]

    @property
    def places(self) -> Any:
        """Where a row has what searches look at; see `solver.searches.compiled.alphabeta`."""
        layout = self.kernel.assembled.layout
        valued = self.kernel.game.rules.value is not None
        proposing = "candidates" in self.kernel.functions
        return self.arrays.line((layout.outcome, layout.to_move, layout.failed, self.width, int(valued), layout.values,
                                 int(proposing)))

    def child(self, state: State) -> Child:
        """A state that is not finished."""
        row = self.kernel.row(state)
        return Child(None, row, self.key(row, Workspace.of(self, 1, 2, 1)), None, state.to_move)

    def children(self, state: State) -> list[Child]:
        """The legal moves of a state that is not finished, in order. Raises RuleError where a rule fails."""
        kernel, layout = self.kernel, self.kernel.assembled.layout
        room = _ENTRIES
        while True:
            work = Workspace.of(self, room, 2, room)
            row = kernel.row(state)
            many = int(self.functions[0](row, work.positions, work.moves, work.entries, work.scratch))
            if many >= 0:
                break
            if int(row[layout.failed]) != 1 or room >= _MOST_ROOM:
                raise self.failure(row)
            room *= 4
        found = []
        for place in range(many):
            after = work.positions[place]
            outcome = int(after[layout.outcome])
            outcome = outcome - (1 << 64) if outcome >= 1 << 63 else outcome
            found.append(Child(kernel.move(work.moves[place]), after, self.key(after, work),
                               None if outcome == -2 else outcome, int(after[layout.to_move])))
        return found

    def key(self, row: Any, work: Workspace) -> Any:
        """The packed representative of a position."""
        found = self.arrays.words(1, self.width)[0]
        self.functions[1](row, found, self.elements, work.images)
        return found

    def failure(self, row: Any) -> Exception:
        """Why a rule failed in a position."""
        kernel = self.kernel
        code = int(row[kernel.assembled.layout.failed])
        if code == 1:
            return Outgrown(f"a position has more than {_MOST_ROOM:,} moves")
        rules = kernel.game.rules
        row[kernel.assembled.layout.failed] = 0
        problem = RuleError(kernel.assembled.failures[code] if code else "G407", "a rule fails", rules.moves[0].span)
        problem.source = rules.source
        problem.position = kernel.game.drawing(kernel.state(row))
        return problem


@attrs.define(eq=False)
class Workspace:
    """The arrays of one search."""

    positions: Any
    keys: Any
    spread: Any
    moves: Any
    notes: Any
    frames: Any
    entries: Any
    scratch: Any
    images: Any
    plies: Any
    proposals: Any

    @classmethod
    def of(cls, board: Board, room: int, depth: int, entries: int, frame: int = 16) -> Workspace:
        """Arrays for so many positions at once, so many plies and so many of a kernel's entries."""
        assembled, arrays = board.kernel.assembled, board.arrays
        width = assembled.layout.width
        return cls(
            arrays.words(room, width), arrays.words(room, board.width), arrays.words(1, room)[0],
            arrays.numbers(room, assembled.move_width), arrays.numbers(room, 6), arrays.numbers(depth, frame),
            arrays.numbers(entries, assembled.entry_width), arrays.words(assembled.scratch, width),
            arrays.words(3, max(width, board.width)), arrays.numbers(depth, 2),
            arrays.numbers(entries, assembled.move_width + 2),
        )


@attrs.define(eq=False)
class Room:
    """How large a search's arrays are; grows when they are too small."""

    positions: int
    plies: int
    entries: int

    @classmethod
    def first(cls, native: bool) -> Room:
        """What most games need."""
        return cls(_ROOM, _PLIES, _ENTRIES) if native else cls(_PLAIN_ROOM, _PLAIN_PLIES, _PLAIN_ENTRIES)

    def more(self, *, plies: bool) -> None:
        """Four times as much. Raises Outgrown past what is sensible."""
        if plies:
            self.plies *= 4
            self.positions *= 4
        else:
            self.positions *= 4
            self.entries *= 4
        if self.plies > _MOST_PLIES:
            raise Outgrown(f"a line of play is longer than {_MOST_PLIES:,} moves")
        if self.positions > _MOST_ROOM * 4:
            raise Outgrown("positions have too many moves")

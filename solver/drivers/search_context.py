"""The context of a search on a kernel: the game's kernel, arrays of the right sizes, and a shared transposition table.

`solver.drivers.weak` asks questions in it, `solver.native` answers them. With `native` false everything runs as plain
Python on the kernel's plain functions: slow, but the same code, for tests and debuggers.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from interpreter.analysis.hopes import OTHER, OWN
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import Move, State
from solver.native import runtime
from solver.native.functions import Expand, Line, PackLeast, Records, Row, Rows, ValueOf
from solver.native.records import Arrays
from solver.native.workspace import Context, Layout, Workspace

_ROOM, _PLIES, _ENTRIES = 1 << 13, 256, 512
"""Initial numbers of arena rows, frames and kernel entries; a search that needs more starts again with more."""
_PLAIN_ROOM, _PLAIN_PLIES, _PLAIN_ENTRIES = 1 << 9, 64, 64
_MOST_ROOM = 1 << 24
_MOST_PLIES = 1 << 14
FEWEST_ENTRIES = 1 << 10
_FIRST_ENTRIES = 1 << 16
_PLAIN_TABLE = 1 << 16


class Outgrown(Exception):
    """A search needs larger arrays than are allowed; the text says what for."""


@attrs.define(eq=False)
class TranspositionTable:
    """A transposition table for positions packed into `width` words; see `solver.native.transposition`.

    The number of entries is a power of two. The table begins small and grows up to `most` entries, because touching the
    memory of a large one for the first time can take longer than the search.
    """

    arrays: Arrays
    width: int
    entries: int
    most: int
    rows: Rows = attrs.field(init=False)
    age: int = 0
    """Incremented with every question and used modulo 256, so that entries of earlier questions can be replaced."""

    def __attrs_post_init__(self) -> None:
        self.rows = self.arrays.words(self.entries, self.width + 1)

    @classmethod
    def of(cls, arrays: Arrays, width: int, memory: int) -> TranspositionTable:
        """Return a small table that may grow as long as it fits into `memory` MiB."""
        most = (memory << 20) // (8 * (width + 1))
        if not arrays.native:
            most = min(most, _PLAIN_TABLE)
        most = max(FEWEST_ENTRIES, 1 << max(0, most.bit_length() - 1))
        return cls(arrays, width, min(most, _FIRST_ENTRIES if arrays.native else FEWEST_ENTRIES), most)

    def wants_to_grow(self, used: int) -> bool:
        """Whether the table should grow when `used` entries are filled."""
        return used > self.entries // 2 and self.entries < self.most

    def grow(self) -> None:
        """Make the table eight times as large, up to `most` entries. No search may run meanwhile."""
        larger = min(self.most, self.entries * 8)
        rows = self.arrays.words(larger, self.width + 1)
        runtime.module("transposition", native=self.arrays.native).move_entries(self.rows, rows)
        self.rows, self.entries = rows, larger

    @property
    def bytes(self) -> int:
        """The table's size in bytes."""
        return self.entries * (self.width + 1) * 8

    def known(self, key: Row) -> tuple[int, int] | None:
        """Return the bounds of a packed position's score; None where the table has no entry for it."""
        result = self.arrays.line((0, 0))
        ask = runtime.module("transposition", native=self.arrays.native).ask
        return (int(result[0]), int(result[1])) if ask(self.rows, key, result) else None


@attrs.frozen(eq=False)
class Child:
    """A legal move with the position it leads to; a position alone where `move` is None."""

    move: Move | None
    row: Row
    key: Row
    outcome: int | None
    to_move: int


@attrs.define(eq=False)
class SearchContext:
    """A game's kernel as searches use it, with its row layout and the symmetries that merge positions."""

    kernel: Kernel
    elements: Line
    hoping_for: Game | None = None
    """The original game, where the kernel is that of the game which `interpreter.analysis.hopes.hoping` makes of it."""
    arrays: Arrays = attrs.field(init=False)
    layout: Records[Layout] = attrs.field(init=False)
    """One record: where a row holds the fields that searches read."""

    def __attrs_post_init__(self) -> None:
        self.arrays = Arrays(self.kernel.native)
        layout, result = self.kernel.assembled.layout, self.arrays.records(Layout, 1)
        result[0].outcome, result[0].to_move, result[0].failure = layout.outcome, layout.to_move, layout.failed
        result[0].packed, result[0].standing = self.width, layout.values
        result[0].valued = int((self.hoping_for or self.kernel.game).rules.value is not None)
        result[0].hoping = int(self.hoping_for is not None)
        result[0].proposing = int("candidates" in self.kernel.functions)
        self.layout = result

    @classmethod
    def of(cls, kernel: Kernel, elements: Sequence[int], *, hoping_for: Game | None = None) -> SearchContext:
        """Return a context for a kernel and the numbers of the symmetries to use, 0 (the identity) first."""
        return cls(kernel, Arrays(kernel.native).line(elements), hoping_for)

    @property
    def width(self) -> int:
        """The number of words in a packed position."""
        return self.kernel.assembled.packing.width

    @property
    def functions(self) -> tuple[Expand, PackLeast, ValueOf]:
        """The kernel's `expand`, `pack_least` and `value_of`."""
        functions = self.kernel.functions
        return functions["expand"], functions["pack_least"], functions["value_of"]

    def hopes(self, row: Row) -> int:
        """Return flags of who can still win in a position: `OWN` and `OTHER` of `interpreter.analysis.hopes`."""
        return OWN | OTHER if self.hoping_for is None else int(self.functions[2](row))

    def shared(self, table: TranspositionTable) -> Context:
        """Return what compiled searches that use the same table share."""
        return Context(self.layout, self.elements, table.rows)

    def workspace(self, room: int, plies: int, entries: int) -> Workspace:
        """Return a search's arrays for `room` positions at once, `plies` plies and `entries` kernel entries."""
        assembled, arrays = self.kernel.assembled, self.arrays
        width = assembled.layout.width
        return Workspace(
            positions=arrays.words(room, width), keys=arrays.words(room, self.width), hashes=arrays.row(room),
            moves=arrays.numbers(room, assembled.move_width), entries=arrays.numbers(entries, assembled.entry_width),
            scratch=arrays.words(assembled.scratch, width), images=arrays.words(3, max(width, self.width)),
            proposals=arrays.numbers(entries, assembled.move_width + 2), plies=arrays.line([0] * plies))

    def child(self, state: State) -> Child:
        """Return an unfinished state as a child without a move."""
        row = self.kernel.row(state)
        return Child(None, row, self.key(row, self.workspace(1, 2, 1)), None, state.to_move)

    def children(self, state: State) -> list[Child]:
        """Return the legal moves of an unfinished state, in order. Raises RuleError where a rule fails."""
        kernel, layout = self.kernel, self.kernel.assembled.layout
        room = _ENTRIES
        while True:
            work = self.workspace(room, 2, room)
            row = kernel.row(state)
            count = int(self.functions[0](row, work.positions, work.moves, work.entries, work.scratch))
            if count >= 0:
                break
            if int(row[layout.failed]) != 1 or room >= _MOST_ROOM:
                raise self.failure(row)
            room *= 4
        result = []
        for index in range(count):
            after = work.positions[index]
            outcome = int(after[layout.outcome])
            outcome = outcome - (1 << 64) if outcome >= 1 << 63 else outcome
            result.append(Child(kernel.move(work.moves[index]), after, self.key(after, work),
                                None if outcome == -2 else outcome, int(after[layout.to_move])))
        return result

    def key(self, row: Row, work: Workspace) -> Row:
        """Return the packed representative of a position: the least of its images."""
        result = self.arrays.row(self.width)
        self.functions[1](row, result, self.elements, work.images)
        return result

    def failure(self, row: Row) -> Exception:
        """Return the exception to raise where the kernel failed in a position."""
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
class Room:
    """The sizes of a search's arrays, which grow when they are too small."""

    positions: int
    plies: int
    entries: int

    @classmethod
    def first(cls, native: bool) -> Room:
        """Return the initial sizes, which suffice for most games."""
        return cls(_ROOM, _PLIES, _ENTRIES) if native else cls(_PLAIN_ROOM, _PLAIN_PLIES, _PLAIN_ENTRIES)

    def more(self, *, plies: bool) -> None:
        """Quadruple the positions and, with `plies`, the plies, else the entries. Raises Outgrown past a limit."""
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

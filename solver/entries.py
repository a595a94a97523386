"""The entry points of a game's compiled kernel, with the arrays that searches pass to them.

`Entries.of(game)` compiles a game's kernel, or loads it from disk. NumPy and Numba are needed from there on.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import attrs

from interpreter.arrays import Numbers, Words
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.hooks import Hooks
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import Move, State
from interpreter.patterns.matching import Book
from interpreter.semantics.limits import MOST_MOVES, too_many_moves_of

_ROOM = 64
"""The initial capacity of move lists."""


@attrs.define(eq=False, slots=False)
class Entries:
    """The compiled rules of a game, for searches; the kernel's entry points are its attributes."""

    game: Game
    kernel: Kernel
    room: int = _ROOM
    """The capacity of move lists and entry lists; grows when it is too small."""

    @classmethod
    def of(cls, game: Game, hooks: Hooks | None = None, patterns: Book | None = None, *, kept: bool = True) -> Entries:
        """Compile a game; with patterns the kernel has `candidates`. It is written to disk only if `kept`.

        Raises NotLowered where the compiler cannot lower a rule.
        """
        return cls(game, Kernel.of(game, hooks=hooks, patterns=patterns, kept=kept))

    def __getattr__(self, name: str) -> Any:
        """An entry point of the kernel."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self.kernel.functions[name]

    @cached_property
    def cyclic(self) -> bool:
        """Whether positions may repeat."""
        return not self.game.acyclic

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.game.players)

    @property
    def width(self) -> int:
        """The number of words in a row."""
        return self.kernel.assembled.layout.width

    @property
    def move_width(self) -> int:
        """The number of integers in an encoded move."""
        return self.kernel.assembled.move_width

    @property
    def packed_width(self) -> int:
        """The number of words in a packed position."""
        return self.kernel.assembled.packing.width

    @property
    def outgrown(self) -> int:
        """The failure code of a row that outgrew the window on an unbounded board (G411); 0 where there is none."""
        return self._failure("G411")

    @property
    def stuck(self) -> int:
        """The failure code of a row in which no move is left (G407), where moves that repeat a position are forbidden;
        else 0."""
        return self._failure("G407") if self.game.repetition.forbids else 0

    def _failure(self, code: str) -> int:
        """The number in a row of the failure with a diagnostic code; 0 where the kernel has none."""
        failures = self.kernel.assembled.failures
        return failures.index(code) if code in failures else 0

    @property
    def repeating(self) -> int:
        """The effect of a repetition in searches: DRAWS, LOSES or FORBIDDEN of `solver.native.workspace`.

        DRAWS for repetition rules that are not simple.
        """
        from solver.native.workspace import DRAWS, FORBIDDEN, LOSES

        rule = self.game.rules.repetition if self.game.repetition.simple else None
        return LOSES if rule == "loses" else FORBIDDEN if rule == "forbidden" else DRAWS

    def words(self, *shape: int) -> Words:
        """A zeroed uint64 array."""
        import numpy as np

        return np.zeros(shape, np.uint64)

    def numbers(self, *shape: int) -> Numbers:
        """A zeroed int64 array."""
        import numpy as np

        return np.zeros(shape, np.int64)

    def entry_rows(self) -> Numbers:
        """A work array for the entries that moves are listed from: int64[room, entry width]."""
        return self.numbers(self.room, self.kernel.assembled.entry_width)

    def scratch(self) -> Words:
        """The scratch rows of the kernel: uint64[rows, width]."""
        return self.words(self.kernel.assembled.scratch, self.width)

    def row(self, state: State) -> Words:
        """The row of a state."""
        result: Words = self.kernel.row(state)
        return result

    def packed(self, states: Sequence[State]) -> Words:
        """The packed positions of some states: a row for each, and at least one row."""
        result = self.words(max(len(states), 1), self.packed_width)
        for number, state in enumerate(states):
            self.pack_row(self.row(state), result[number])
        return result

    def move(self, numbers: Numbers) -> Move:
        """Decode a move of the kernel for the interpreter."""
        return self.kernel.move(numbers)

    def make_room(self, row: Words) -> None:
        """Handle the failure of an entry point in a position: enlarge the lists if they were too small.

        Raises RuleError where a rule fails, or where a position has too many moves; AssertionError where the row is
        not the one that failed, as to try again would never end.
        """
        failed = self.kernel.assembled.layout.failed
        assert int(row[failed]), "no rule failed in this row"
        if int(row[failed]) == 1:
            self.room *= 4
            if self.room > MOST_MOVES:
                raise too_many_moves_of(self.game.rules, self.game.board.size)
            row[failed] = 0
            return
        try:
            self.kernel._failed(row)
        except RuleError as problem:
            problem.source = problem.source or self.game.rules.source
            raise

    def is_outgrown(self, row: Words) -> bool:
        """Whether an entry point failed because a position outgrew the window on an unbounded board."""
        return self.outgrown != 0 and int(row[self.kernel.assembled.layout.failed]) == self.outgrown

    def outgrowing(self, state: State) -> tuple[Move, ...]:
        """The moves of a state that outgrow the window on an unbounded board.

        Searches leave them out at the root, and value positions that outgrow the window deeper in the tree as draws.
        Raises RuleError (G411) where no other move is left.
        """
        if not self.outgrown:
            return ()
        start = self.row(state)
        while True:
            moves = self.numbers(self.room, self.move_width)
            count = int(self.offer(start, moves, self.entry_rows(), self.scratch()))
            if count >= 0:
                break
            self.make_room(start)
        result, others, grown = [], 0, start
        for move in moves[:count]:
            row = start.copy()
            code = self._step(row, move)
            if code < 0 and self.is_outgrown(row):
                result.append(self.move(move))
                grown = row
            others += code == 0
        if result and not others:
            self.make_room(grown)
        return tuple(result)

    def forbidden(self, state: State, history: Sequence[State]) -> tuple[Move, ...]:
        """The moves of a state that the rules forbid because they repeat one of the positions before it."""
        game = self.game
        if not (self.cyclic and game.repetition.forbids):
            return ()
        successors = game.engine.successors(state)
        allowed = {move for move, _ in game.by_repetition(state, successors, history)}
        return tuple(move for move, _ in successors if move not in allowed)

    def after(self, state: State, move: Move) -> State | None:
        """The state after a move; None where a rule takes it back or fails."""
        row = self.row(state)
        return self.kernel.state(row) if self._step(row, self.kernel.coded(move)) == 0 else None

    def _step(self, row: Words, move: Numbers) -> int:
        """Carry out a move in a row, as the kernel's `step` does, with room enough for the moves after it."""
        before, failed = row.copy(), self.kernel.assembled.layout.failed
        while True:
            code = int(self.step(row, move, self.entry_rows(), self.scratch()))
            if code >= 0 or int(row[failed]) != 1:
                return code
            self.make_room(row)
            row[:] = before


@attrs.define(eq=False)
class Line:
    """Writes lines of play from one position in notation; common prefixes of lines are cached."""

    entries: Entries
    state: State
    _known: dict[tuple[Move, ...], tuple[State, str]] = attrs.field(factory=dict)

    def texts(self, moves: Sequence[Move]) -> tuple[str, ...]:
        """The moves of a line in notation, up to the first that is illegal or fails."""
        state, result = self.state, []
        for number in range(1, len(moves) + 1):
            way = tuple(moves[:number])
            if way not in self._known:
                after = self.entries.after(state, moves[number - 1])
                if after is None:
                    break
                self._known[way] = after, self.entries.game.notation.write(state, moves[number - 1])
            state, text = self._known[way]
            result.append(text)
        return tuple(result)

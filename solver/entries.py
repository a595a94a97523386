"""A game's kernel as searches use it: its entries, and the arrays that they work with.

`Entries.of(game)` compiles a game's kernel, or takes it from disk. NumPy and Numba are needed from there on.
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
"""Moves that there is room for at first, besides those of the root."""


@attrs.define(eq=False, slots=False)
class Entries:
    """A game's compiled rules, for searches."""

    game: Game
    kernel: Kernel
    room: int = _ROOM
    """How many moves, and entries, there is room for; grows when it is too little."""

    @classmethod
    def of(cls, game: Game, hooks: Hooks | None = None, patterns: Book | None = None, *, kept: bool = True) -> Entries:
        """Compile a game; with patterns it has `candidates`. Nothing is written to disk unless it is `kept`.

        Raises NotLowered where the compiler has no words for a rule.
        """
        return cls(game, Kernel.of(game, hooks=hooks, patterns=patterns, kept=kept))

    def __getattr__(self, name: str) -> Any:
        """An entry of the kernel."""
        if name.startswith("_"):
            raise AttributeError(name)
        return self.kernel.functions[name]

    @cached_property
    def cyclic(self) -> bool:
        """Whether positions may come back."""
        return not self.game.acyclic

    @property
    def players(self) -> int:
        """How many players there are."""
        return len(self.game.players)

    @property
    def width(self) -> int:
        """Words of a row."""
        return self.kernel.assembled.layout.width

    @property
    def move_width(self) -> int:
        """Numbers of a move."""
        return self.kernel.assembled.move_width

    @property
    def packed_width(self) -> int:
        """Words of a packed position."""
        return self.kernel.assembled.packing.width

    @property
    def outgrown(self) -> int:
        """How a row says that the window on an unbounded board is outgrown (G411); 0 where that cannot be."""
        failures = self.kernel.assembled.failures
        return failures.index("G411") if "G411" in failures else 0

    @property
    def repeating(self) -> int:
        """What a repetition does, as searches take it: DRAWS, LOSES or FORBIDDEN of `solver.native.workspace`."""
        from solver.native.workspace import DRAWS, FORBIDDEN, LOSES

        rule = self.game.rules.repetition if self.game.repetition.simple else None
        return LOSES if rule == "loses" else FORBIDDEN if rule == "forbidden" else DRAWS

    def words(self, *shape: int) -> Words:
        """An array of words, all 0."""
        import numpy as np

        return np.zeros(shape, np.uint64)

    def numbers(self, *shape: int) -> Numbers:
        """An array of numbers, all 0."""
        import numpy as np

        return np.zeros(shape, np.int64)

    def entry_rows(self) -> Numbers:
        """The array for entries of moves."""
        return self.numbers(self.room, self.kernel.assembled.entry_width)

    def scratch(self) -> Words:
        """The rows that entries work on."""
        return self.words(self.kernel.assembled.scratch, self.width)

    def row(self, state: State) -> Words:
        """The row of a state."""
        result: Words = self.kernel.row(state)
        return result

    def packed(self, states: Sequence[State]) -> Words:
        """Some states, packed; a row for each, and at least one row."""
        result = self.words(max(len(states), 1), self.packed_width)
        for number, state in enumerate(states):
            self.pack_row(self.row(state), result[number])
        return result

    def move(self, numbers: Numbers) -> Move:
        """A move of the kernel as the interpreter has it."""
        return self.kernel.move(numbers)

    def make_room(self, row: Words) -> None:
        """Note why an entry failed in a position: more room next time. Raises RuleError where a rule fails."""
        failed = self.kernel.assembled.layout.failed
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
        """Whether an entry failed in a position as it outgrew the window on an unbounded board."""
        return self.outgrown != 0 and int(row[self.kernel.assembled.layout.failed]) == self.outgrown

    def outgrowing(self, state: State) -> tuple[Move, ...]:
        """The moves of a state that outgrow the window on an unbounded board.

        Searches do not look at them in their root, and count as drawn what outgrows it deeper. Raises RuleError (G411)
        where no move is left.
        """
        if not self.outgrown:
            return ()
        start, scratch = self.row(state), self.scratch()
        while True:
            moves, entries = self.numbers(self.room, self.move_width), self.entry_rows()
            count = int(self.offer(start, moves, entries, scratch))
            if count >= 0:
                break
            self.make_room(start)
        result, others = [], 0
        for move in moves[:count]:
            row = start.copy()
            code = int(self.step(row, move, entries, scratch))
            if code < 0 and self.is_outgrown(row):
                result.append(self.move(move))
            others += code == 0
        if result and not others:
            self.make_room(row)
        return tuple(result)

    def after(self, state: State, move: Move) -> State | None:
        """The state after a move; None where a rule takes it back or fails."""
        row = self.row(state)
        code = self.step(row, self.kernel.coded(move), self.entry_rows(), self.scratch())
        return self.kernel.state(row) if code == 0 else None


@attrs.define(eq=False)
class Line:
    """Writes the moves of lines of play from one position; what lines begin with in common is written once."""

    entries: Entries
    state: State
    _known: dict[tuple[Move, ...], tuple[State, str]] = attrs.field(factory=dict)

    def texts(self, moves: Sequence[Move]) -> tuple[str, ...]:
        """Moves that follow one another, as they are written."""
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

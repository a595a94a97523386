"""Values of terms that depend only on the board and on one or two bound names, computed at compile time.

The interpreter computes them, once for each combination of values, so that they agree with it by construction.
`interpreter.compiler.lowering` replaces terms that do not depend on bound names either by constants, and numbers the
other ones; `interpreter.compiler.passes.tables` turns these into table lookups.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from math import prod

import attrs

from dsl import hir
from dsl.resolve.sorts import CELLS, PLAYER, Integer, Sort
from dsl.words import WORDS, Cost
from interpreter.analysis.dependence import MOVER, Depending, depends_on
from interpreter.errors import RuleError
from interpreter.model.ranges import values_of
from interpreter.model.state import State, WorkingState
from interpreter.semantics.evaluate import Evaluator

MOST_COMPUTED = 20_000
"""The most combinations of values for which a term is computed."""


@attrs.frozen
class Fixed:
    """A term, and the bound names that determine its value."""

    term: hir.Expr
    slots: tuple[int, ...]
    ranges: tuple[range, ...]
    """The range of numbers that encode the values of each name."""
    may_be_none: tuple[bool, ...]
    """For each name whether it may be none, which is then encoded as -1, the first of its range."""
    none: int
    """The number that encodes none among the values of the term."""

    @property
    def many(self) -> int:
        """The number of combinations of values."""
        return prod(map(len, self.ranges))


class BoardValues:
    """The values of terms that the board and bound names determine, in one game."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator, self._rules, self._board = evaluator, evaluator.rules, evaluator.board
        self._depending: Depending = {}
        self._numbers: dict[tuple[int, tuple[range, ...], int], int] = {}
        self._found: dict[int, list[int] | None] = {}
        self.terms: list[Fixed] = []
        """The terms that were numbered, by number."""

    def number(self, term: hir.Expr, of: Callable[[int], tuple[Sort | None, bool]], none: int, most: int = 2) -> int:
        """The number of a term; -1 where its value depends on more, it is a name or literal, or a table entry anyway.

        `of` returns the sort of a bound name, and whether it may be none; the term may depend on at most `most` names.
        """
        if isinstance(term, (hir.Local, hir.Role, hir.Literal)) or (
                isinstance(term, hir.Apply) and term.sort != CELLS and WORDS[term.function].cost is Cost.ENTRY):
            return -1
        slots = depends_on(term, self._depending)
        if slots is None or len(slots) > most:
            return -1
        order = tuple(sorted(slots))
        ranges, nones = [], []
        for slot in order:
            sort, may_be_none = (PLAYER, False) if slot == MOVER else of(slot)
            values = values_of(sort, self._rules, self._board)
            if not values or (may_be_none and isinstance(sort, Integer)):
                return -1
            ranges.append(range(-1, values.stop) if may_be_none else values)
            nones.append(may_be_none)
        fixed = Fixed(term, order, tuple(ranges), tuple(nones), none)
        key = id(term), fixed.ranges, none
        if key not in self._numbers:
            self._numbers[key] = len(self.terms)
            self.terms.append(fixed)
        return self._numbers[key]

    def values(self, number: int) -> list[int] | None:
        """The values of a term for all combinations, numbers or bitsets; None where one fails, or there are too many.
        """
        if number not in self._found:
            fixed = self.terms[number]
            self._found[number] = self._computed(fixed) if fixed.many <= MOST_COMPUTED else None
        return self._found[number]

    def constant(self, number: int) -> int | None:
        """The value of a term that the board alone determines, a number or bitset; None for other terms."""
        values = None if number < 0 or self.terms[number].slots else self.values(number)
        return None if values is None else values[0]

    def _computed(self, fixed: Fixed) -> list[int] | None:
        function = self._evaluator.compile(fixed.term)
        pieces = (self._board.everything, *([0] * (len(self._rules.pieces) - 1)))
        nothing = State(pieces, (0,) * sum(self._evaluator.sizes), 0, 0, None, (0,) * len(self._rules.layers))
        table = WorkingState(nothing)
        room = hir.slots_of(fixed.term) + 1 + max(fixed.slots, default=0)
        values = []
        try:
            for combination in product(*fixed.ranges):
                bound: list[int | None] = [None] * room
                table.mover = 0
                for slot, value, may_be_none in zip(fixed.slots, combination, fixed.may_be_none, strict=True):
                    if slot == MOVER:
                        table.mover = value
                    else:
                        bound[slot] = None if may_be_none and value < 0 else value
                result = function(table, bound)
                values.append(fixed.none if result is None else int(result))
        except (RuleError, IndexError, TypeError, ValueError):
            return None
        return values

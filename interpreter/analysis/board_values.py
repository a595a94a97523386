"""What the board decides: terms that depend on nothing but it, and on the values of one or two bound names.

The interpreter computes them, once for each combination of values: so they are right by definition.
`interpreter.compiler.lowering` asks for what does not depend on bound names either, and says of the values of other
terms which they are; `interpreter.compiler.passes.tables` looks these up.
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
"""Terms are computed for so many combinations of values at most."""


@attrs.frozen
class Fixed:
    """A term, and the bound names that decide it."""

    term: hir.Expr
    slots: tuple[int, ...]
    ranges: tuple[range, ...]
    """What numbers stand for the values that each name can have."""
    may_be_none: tuple[bool, ...]
    """Which of them may be none: -1, the first of its numbers."""
    none: int
    """What number stands for none among the values of the term."""

    @property
    def many(self) -> int:
        """How many combinations of values there are."""
        return prod(map(len, self.ranges))


class BoardValues:
    """The values of such terms in one game."""

    def __init__(self, evaluator: Evaluator) -> None:
        self._evaluator, self._rules, self._board = evaluator, evaluator.rules, evaluator.board
        self._depending: Depending = {}
        self._numbers: dict[tuple[int, tuple[range, ...], int], int] = {}
        self._found: dict[int, list[int] | None] = {}
        self.terms: list[Fixed] = []
        """The terms that were asked for, by number."""

    def number(self, term: hir.Expr, of: Callable[[int], tuple[Sort | None, bool]], none: int, most: int = 2) -> int:
        """The number of a term; -1 where something else decides it, it is a name, or it is an entry of a table.

        `of` tells the sort of a bound name, and whether it may be none; so many names may decide it at `most`.
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
        """The numbers or sets that a term is for all combinations; None where it fails for one, or there are many."""
        if number not in self._found:
            fixed = self.terms[number]
            self._found[number] = self._computed(fixed) if fixed.many <= MOST_COMPUTED else None
        return self._found[number]

    def constant(self, number: int) -> int | None:
        """The number or set that a term is which the board alone decides; None of others."""
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

"""Facts that a rule's conditions imply about the position in which it applies, for `interpreter.analysis.termination`.

Besides the contents of the chosen cells (`dsl.checks.bounds`): the possible values of variables, pieces that are absent
from the board, and pieces that are certainly present. All of it holds until the first effect.
"""

from __future__ import annotations

import attrs

from dsl import hir
from dsl.checks.bounds import Bounds, Interval, OneOf, Place, Value
from dsl.words import WORDS, Form
from interpreter.boards import Board, mask_of

_TURNED = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


@attrs.define(eq=False)
class Knowledge(Bounds):
    """What is known of a position with one player as the mover, before it changes."""

    board: Board = attrs.field(kw_only=True)
    values: dict[int, OneOf] = attrs.field(factory=dict)
    """The possible values of variables without index, by number; those that are missing may have any value."""
    absent: int = 0
    """The pieces, as a bit mask, that are absent from the board."""
    present: int = 0
    """The pieces, as a bit mask, that are certainly on the board."""

    def afresh(self) -> Knowledge:
        """Knowledge for the same player, with nothing known."""
        return Knowledge(self.rules, self.mover, board=self.board)

    def changed(self) -> None:
        """Forget what a change of the position may invalidate."""
        super().changed()
        self.values, self.absent, self.present = {}, 0, 0

    def at(self, place: Place) -> int:
        """The pieces that a cell may hold, as a bit mask."""
        return super().at(place) & ~self.absent

    def held(self, term: hir.Expr, place: Place = None) -> int:
        """The pieces that a cell may hold if it is in a set, as a bit mask."""
        if isinstance(term, hir.IfElse):
            return self.held(term.yes, place) | self.held(term.no, place)
        return super().held(term, place)

    # ---- learning

    def choose(self, choice: hir.Choice) -> bool:
        """Learn from a choice: where a number from 1 to the count of a piece is chosen, the piece is present."""
        domain = choice.domain
        if isinstance(domain, hir.Numbers) and self._least(domain.low) >= 1:
            high = domain.high
            limits = high.arguments if isinstance(high, hir.Apply) and high.function == "min" else (high,)
            for limit in limits:
                self.present |= counted(limit)
        return super().choose(choice)

    def assume(self, condition: hir.Expr | None) -> bool:
        """Learn from a condition assumed true; False when it is certainly false."""
        if not super().assume(condition):
            return False
        match condition:
            case hir.Not(operand=hir.Exists(collection=hir.CellsOf() | hir.Owned() as cells)):
                self.absent |= self._pieces_of(cells)
            case hir.Exists(collection=hir.CellsOf(pieces=(piece,))):
                self.present |= 1 << piece
            case hir.Comparison(operator=operator, left=left, right=right):
                return self._compare(operator, left, right) and self._compare(_TURNED.get(operator, operator), right,
                                                                              left)
        return True

    def _compare(self, operator: str, left: hir.Expr, right: hir.Expr) -> bool:
        """Learn about the left side of a comparison assumed true; False when it is certainly false."""
        if operator in (">", ">=", "=") and self._least(right) >= (0 if operator == ">" else 1):
            self.present |= counted(left)
        if not isinstance(left, hir.Variable) or left.index is not None or operator not in ("=", "!="):
            return True
        before, other = self.of(left), self.of(right)
        if not isinstance(before, OneOf) or not isinstance(other, OneOf):
            return True
        if operator == "=":
            after = OneOf(before.values & other.values, before.none and other.none)
        elif other.single is not None:
            after = OneOf(before.values & ~other.values, before.none)
        elif not other.values and other.none:
            after = OneOf(before.values, False)
        else:
            return True
        self.values = {**self.values, left.number: after}
        return bool(after.values or after.none)

    def _least(self, term: hir.Expr) -> float:
        result = self.of(term)
        return result.low if isinstance(result, Interval) else float("-inf")

    # ---- by class of expression

    _of = Bounds._of.extended()

    @_of.register
    def _of_variable(self, term: hir.Variable) -> Value:
        if term.index is None and term.number in self.values:
            return self.values[term.number]
        return self.anything(term.sort)

    # ---- nonempty sets

    def has_some(self, cells: hir.Expr) -> bool:
        """Whether a set is certainly not empty: `{c in P where c.column >= count(P) - n}` with n at least 1.

        Where no two cells are in the same column, k cells reach at least column k - 1.
        """
        if not isinstance(cells, hir.Comprehension):
            return False
        binding = cells.binding
        match binding.domain, binding.guard:
            case hir.CellsOf(pieces=(piece,)), hir.Comparison(
                    operator=">=", left=hir.Apply(function=along, arguments=(hir.Local(slot=binding.slot),)),
                    right=hir.Arithmetic(operator="-", left=many, right=less)):
                return (bool(self.present & counted(many) & 1 << piece) and self._least(less) >= 1
                        and self._all_apart(along))
        return False

    def _all_apart(self, coordinate: str) -> bool:
        """Whether all cells of the board have different rows (columns), with none below 0."""
        if self.board.unbounded or coordinate not in ("coordinate_row", "coordinate_column"):
            return False
        numbers = self.board.row_of if coordinate == "coordinate_row" else self.board.column_of
        return len(set(numbers)) == self.board.size and min(numbers) >= 0


def counted(term: hir.Expr) -> int:
    """The piece that a term counts, as a bit mask; 0 where the term is not the count of a piece."""
    match term:
        case hir.Apply(function=function, arguments=(hir.CellsOf(pieces=(piece,)),)) if (
                WORDS[function].form is Form.COUNT):
            return mask_of((piece,))
    return 0

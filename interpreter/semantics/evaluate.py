"""Compiles terms into Python closures over the working state and the rule's bound values.

`Evaluator.compile(term)` gives a closure `f(table, bound)`. Nothing is optimised, except that the values of fixed terms
are cached, so this file is the definition of what the language's expressions mean. A set of cells is a bitmask, and
none is None. A step from none is none; none is in no set; none equals only none, and is neither less nor greater than
any value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from math import prod
from typing import Any

from dsl import hir
from dsl.dispatch import dispatched
from dsl.resolve.sorts import CELL, CELLS, PIECE, PLAYER, Kind
from dsl.words import WORDS
from interpreter.analysis.fixed import Fixed
from interpreter.boards import Board, mask_of, members
from interpreter.errors import RuleError
from interpreter.model.indices import index_of
from interpreter.model.piles import Piles
from interpreter.model.state import WorkingState
from interpreter.semantics import conditions
from interpreter.semantics.functions import Bound, CellSet, Function
from interpreter.semantics.limits import TooMuchWork
from interpreter.words import AGGREGATIONS, CHEAPEST, CLOSURES, MEANINGS


class Evaluator:
    """Compiles terms for one game on one board."""

    def __init__(self, rules: hir.Rules, board: Board, *, remember: bool = True) -> None:
        self.rules = rules
        self.board = board
        self.remember = remember
        """Whether values of fixed terms are cached; see `interpreter.analysis.fixed`."""
        self._fixed = Fixed()
        self._inside_fixed = False
        self.sizes = [prod(index_of(name, rules).size(rules, board) for name in kind.indices)
                      for kind in rules.variables]
        self.offsets = [sum(self.sizes[:number]) for number in range(len(self.sizes))]
        self.piles = Piles.of(rules, board.size, self.sizes)
        """How states store piles; None for games without piles."""
        self.no_moves: Callable[[WorkingState, bool], bool] = lambda table, anyone: False
        """Whether the player to move, or with True every player, has no move; set by the engine's `Ends`."""
        self._doubtful: set[int] = set()
        """The slots of bound values that may be none, for the terms that are compiled after them."""

    # ---- entry points

    def compile(self, term: hir.Expr) -> Function:
        """Compile a term."""
        return self._compile(term)

    def known(self, term: hir.Expr) -> Function:
        """Compile a term whose value must not be none; the function raises RuleError where it is."""
        function, span = self._compile(term), term.span
        if not any(self._may_be_none(part) for part in hir.walk(term)):
            return function

        def run(table: WorkingState, bound: Bound) -> Any:
            value = function(table, bound)
            if value is None:
                raise RuleError("G406", "the value is none here, expected one that is known", span)
            return value

        return run

    def _may_be_none(self, part: object) -> bool:
        if isinstance(part, hir.Variable):
            return self.rules.variables[part.number].or_none
        if isinstance(part, hir.Local):
            return part.slot in self._doubtful
        if isinstance(part, hir.Apply):
            return WORDS[part.function].may_be_none and part.sort != CELL
        return isinstance(part, hir.Literal) and part.value is None

    def bound_to(self, slot: int, value: hir.Expr) -> Function:
        """Compile the value that a slot is bound to, noting for terms compiled after it whether it may be none."""
        if any(self._may_be_none(part) for part in hir.walk(value)):
            self._doubtful.add(slot)  # checked by `known`, where a value is required
        return self._compile(value)

    def optional(self, term: hir.Expr | None) -> Function | None:
        """Compile a term that may be absent."""
        return None if term is None else self._compile(term)

    def elements(self, term: hir.Expr) -> Callable[[WorkingState, Bound], Sequence[int]]:
        """A function that gives the elements of a set, in board order."""
        function = self._compile(term)
        if term.sort == CELLS:
            return lambda table, bound: members(function(table, bound))
        return function

    def chosen(self, choices: tuple[hir.Choice, ...]) -> Callable[[WorkingState, Bound], Iterator[None]]:
        """A generator function that binds every combination of choices, in order, and yields after each."""
        if not choices:
            return _once
        first, rest = choices[0], self.chosen(choices[1:]) if choices[1:] else None
        elements, guard, slots = self.elements(first.domain), self.optional(first.guard), first.slots
        slot, span = slots[0], first.span

        def one(table: WorkingState, bound: Bound) -> Iterator[None]:
            values, work = elements(table, bound), table.work
            work[0] -= len(values)
            if work[0] < 0:
                raise TooMuchWork(span)
            for value in values:
                bound[slot] = value
                if guard is None or guard(table, bound):
                    if rest is None:
                        yield
                    else:
                        yield from rest(table, bound)

        def several(table: WorkingState, bound: Bound) -> Iterator[None]:
            work = table.work
            for values in combinations(elements(table, bound), len(slots)):
                work[0] -= 1
                if work[0] < 0:
                    raise TooMuchWork(span)
                for place, value in zip(slots, values, strict=True):
                    bound[place] = value
                if guard is None or guard(table, bound):
                    if rest is None:
                        yield
                    else:
                        yield from rest(table, bound)

        return one if len(slots) == 1 else several

    def bound_values(self, binding: hir.Binding) -> Callable[[WorkingState, Bound], Iterator[int]]:
        """A generator function that binds each element that passes the guard, and yields it."""
        elements, guard, slot = self.elements(binding.domain), self.optional(binding.guard), binding.slot
        span = binding.domain.span

        def run(table: WorkingState, bound: Bound) -> Iterator[int]:
            values, work = elements(table, bound), table.work
            work[0] -= len(values)
            if work[0] < 0:
                raise TooMuchWork(span)
            for value in values:
                bound[slot] = value
                if guard is None or guard(table, bound):
                    yield value

        return run

    def place(self, number: int, index: hir.Expr | None) -> Callable[[WorkingState, Bound], int]:
        """A function that gives the index of a variable's value in the values of a state."""
        offset, size, kind = self.offsets[number], self.sizes[number], self.rules.variables[number]
        if index is None:
            return lambda table, bound: offset
        at, span = self._compile(index), index.span

        def run(table: WorkingState, bound: Bound) -> int:
            value = at(table, bound)
            if value is None or not 0 <= value < size:
                raise RuleError("G403", f"{kind.name}[...] is used at no {kind.index} of the board", span)
            return offset + int(value)

        return run

    def show(self, term: hir.Expr, value: int | None) -> str:
        """The text of a value, for messages."""
        if value is None:
            return "none"
        if term.sort == CELL:
            return self.board.names[value]
        return self.rules.players[value] if term.sort == PLAYER else str(value)

    # ---- by class of term

    def _compile(self, term: hir.Expr) -> Function:
        """Compile a term; the function of a fixed term caches its values."""
        slots = self._fixed.slots(term) if self.remember and not self._inside_fixed else None
        if slots is None:
            return self._made(term)
        self._inside_fixed = True
        function = self._made(term)
        self._inside_fixed = False
        return _remembering(function, slots)

    @dispatched
    def _made(self, term: hir.Expr) -> Function:
        raise TypeError(f"no evaluation for {type(term).__name__}")

    @_made.register
    def _literal(self, term: hir.Literal) -> Function:
        value = term.value
        return lambda table, bound: value

    @_made.register
    def _named_cell(self, term: hir.NamedCell) -> Function:
        cell = self.board.cell_named(term.name)
        return lambda table, bound: cell

    @_made.register
    def _local(self, term: hir.Local) -> Function:
        slot = term.slot
        return lambda table, bound: bound[slot]

    @_made.register
    def _role(self, term: hir.Role) -> Function:
        if term.name == "mover":
            return lambda table, bound: table.mover
        return lambda table, bound: 1 - table.mover

    @_made.register
    def _own_piece(self, term: hir.OwnPiece) -> Function:
        player, pieces = self.known(term.player), term.pieces
        return lambda table, bound: pieces[player(table, bound)]

    @_made.register
    def _pair(self, term: hir.Pair) -> Function:
        first, second, count = self._compile(term.first), self._compile(term.second), term.count

        def run(table: WorkingState, bound: Bound) -> int:
            one, other = first(table, bound), second(table, bound)
            return -1 if one is None or other is None or one < 0 or not 0 <= other < count else one * count + other

        return run

    @_made.register
    def _variable(self, term: hir.Variable) -> Function:
        place = self.place(term.number, term.index)
        return lambda table, bound: table.values[place(table, bound)]

    @_made.register
    def _cells_of(self, term: hir.CellsOf) -> Function:
        if len(term.pieces) == 1:
            piece = term.pieces[0]
            return lambda table, bound: table.pieces[piece]
        pieces = term.pieces

        def run(table: WorkingState, bound: Bound) -> int:
            cells = 0
            for index in pieces:
                cells |= table.pieces[index]
            return cells

        return run

    @_made.register
    def _cells_holding(self, term: hir.CellsHolding) -> Function:
        piece = self._compile(term.piece)

        def run(table: WorkingState, bound: Bound) -> int:
            index = piece(table, bound)
            return 0 if index is None else table.pieces[index]

        return run

    @_made.register
    def _owned(self, term: hir.Owned) -> Function:
        owned = self.rules.own if term.mine else self.rules.others

        def run(table: WorkingState, bound: Bound) -> int:
            cells = 0
            for index in owned[table.mover]:
                cells |= table.pieces[index]
            return cells

        return run

    @_made.register
    def _region(self, term: hir.Region) -> Function:
        cells = self.board.regions[term.name]
        return lambda table, bound: cells

    @_made.register
    def _listing(self, term: hir.Listing) -> Function:
        values = term.values
        return lambda table, bound: values

    @_made.register
    def _numbers(self, term: hir.Numbers) -> Function:
        low, high = self.known(term.low), self.known(term.high)
        return lambda table, bound: range(low(table, bound), high(table, bound) + 1)

    @_made.register
    def _cell_set(self, term: hir.CellSet) -> Function:
        parts = [(self._compile(item), item.sort == CELL) for item in term.items]

        def run(table: WorkingState, bound: Bound) -> int:
            cells = 0
            for part, single in parts:
                value = part(table, bound)
                if single:
                    cells |= 0 if value is None else 1 << value
                else:
                    cells |= value
            return cells

        return run

    @_made.register
    def _comprehension(self, term: hir.Comprehension) -> Function:
        values = self.bound_values(term.binding)
        return lambda table, bound: mask_of(values(table, bound))

    @_made.register
    def _only(self, term: hir.Only) -> Function:
        values, body, span = self.bound_values(term.binding), self.optional(term.body), term.span
        name = term.binding.name

        def run(table: WorkingState, bound: Bound) -> int:
            result = [value for value in values(table, bound) if body is None or body(table, bound)]
            if len(result) != 1:
                raise RuleError("G404", f"'that {name}' stands for {len(result)} elements here, expected exactly one",
                                span)
            return result[0]

        return run

    @_made.register
    def _aggregate(self, term: hir.Aggregate) -> Function:
        return AGGREGATIONS[term.kind].value(self, term)

    @_made.register
    def _closure(self, term: hir.Closure) -> Function:
        return CLOSURES["reached"].value(self, term)

    @_made.register
    def _cheapest(self, term: hir.Cheapest) -> Function:
        return CHEAPEST.value(self, term)

    @_made.register
    def _let(self, term: hir.Let) -> Function:
        slot, value = term.slot, self.bound_to(term.slot, term.value)
        body = self._compile(term.body)
        self._doubtful.discard(slot)

        def run(table: WorkingState, bound: Bound) -> Any:
            bound[slot] = value(table, bound)
            return body(table, bound)

        return run

    @_made.register
    def _arithmetic(self, term: hir.Arithmetic) -> Function:
        left, right = self.known(term.left), self.known(term.right)
        operators: dict[str, Function] = {
            "+": lambda table, bound: left(table, bound) + right(table, bound),
            "-": lambda table, bound: left(table, bound) - right(table, bound),
            "*": lambda table, bound: left(table, bound) * right(table, bound),
            "div": lambda table, bound: left(table, bound) // right(table, bound),
            "mod": lambda table, bound: left(table, bound) % right(table, bound),
        }
        return operators[term.operator]

    @_made.register
    def _set_arithmetic(self, term: hir.SetArithmetic) -> Function:
        left, right = self._compile(term.left), self._compile(term.right)
        operators: dict[str, CellSet] = {
            "+": lambda table, bound: left(table, bound) | right(table, bound),
            "-": lambda table, bound: left(table, bound) & ~right(table, bound),
            "and": lambda table, bound: left(table, bound) & right(table, bound),
        }
        return operators[term.operator]

    _made.add({hir.Quantified: conditions.quantified, hir.Comparison: conditions.comparison,
               hir.Contains: conditions.contains, hir.Exists: conditions.exists, hir.Not: conditions.negation,
               hir.All: conditions.conjunction, hir.Any: conditions.disjunction, hir.NoMoves: conditions.no_moves})

    @_made.register
    def _if_else(self, term: hir.IfElse) -> Function:
        condition, yes, no = self._compile(term.condition), self._compile(term.yes), self._compile(term.no)
        return lambda table, bound: yes(table, bound) if condition(table, bound) else no(table, bound)

    @_made.register
    def _apply(self, term: hir.Apply) -> Function:
        function = MEANINGS[term.function].value(self, term)
        return _flooding(function, self.board.size) if WORDS[term.function].floods else function

    def arguments(self, term: hir.Apply) -> list[Function]:
        """Compile a word's arguments: cells, pieces and kinds may be none, other values must be known."""
        return [_lenient(self, item) for item in term.arguments]

def _lenient(evaluator: Evaluator, term: hir.Expr) -> Function:
    """Compile an argument: a cell, piece or kind may be none, other values must be known."""
    doubtful = term.sort in (CELL, PIECE) or isinstance(term.sort, Kind)
    return evaluator.compile(term) if doubtful else evaluator.known(term)


def _flooding(function: Function, size: int) -> Function:
    """Wrap the function of a word that may traverse the whole board: each call costs `size` steps of work."""
    def run(table: WorkingState, bound: Bound) -> Any:
        table.work[0] -= size
        return function(table, bound)

    return run


_MOST_REMEMBERED = 100_000


def _remembering(function: Function, slots: tuple[int, ...]) -> Function:
    """Memoise a function whose result depends only on the values of some slots."""
    known: dict[Any, Any] = {}
    if len(slots) == 1:
        (slot,) = slots

        def one(table: WorkingState, bound: Bound) -> Any:
            key = bound[slot]
            if key not in known:
                if len(known) > _MOST_REMEMBERED:
                    known.clear()
                known[key] = function(table, bound)
            return known[key]

        return one

    def run(table: WorkingState, bound: Bound) -> Any:
        key = tuple([bound[slot] for slot in slots])
        if key not in known:
            if len(known) > _MOST_REMEMBERED:
                known.clear()
            known[key] = function(table, bound)
        return known[key]

    return run


def _once(table: WorkingState, bound: Bound) -> Iterator[None]:
    yield

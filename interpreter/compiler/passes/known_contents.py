"""Leaves out look-ups of pieces that are known to stand on cells, and removals of pieces known not to.

An IR-to-IR pass. Lowering puts a piece on a cell by a function that removes whatever stands there, and looks up the
piece that is carried. Where it chooses cells, it states what the rules say of them as suppositions: that a cell holds a
given piece (`suppose_on`), or any piece (`suppose_filled`), that two cells are different (`suppose_apart`). The pass
follows the statements of a function, and keeps what is known of each row until something may have changed it. Where the
former piece is known, putting another changes only two words; a piece that is a known number is put by a few
instructions without a call. Measured: 1.2 times as fast where men are carried on 64 cells.

The pass also removes the suppositions; where it is off, `without_suppositions` does.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Final

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import FreshNames, bound_names, elements, root, targets
from interpreter.compiler.analysis.uses import WRITING, pure_functions
from interpreter.compiler.build import binary, bit, element, expr, inverted, known, plus, times
from interpreter.compiler.lowering.sets import Sets
from interpreter.compiler.primitives import SUPPOSITIONS

_NO_PIECE: Final = expr(0)
"""The number that stands for no piece, on an empty cell."""
_MOST_WRITTEN_OUT: Final = 4
"""The most kinds of pieces with which a piece is put without a call, in sets of one word."""


def without_suppositions(module: ir.Module) -> ir.Module:
    """A module without the suppositions, which only this pass uses."""
    return ir.with_bodies(module, lambda function: _without(function.body) if _supposes(function) else function.body)


def with_contents_known(module: ir.Module, sets: Sets, pieces: int) -> ir.Module:
    """A module in which what is known to stand on cells is not looked up; `pieces` is the number of kinds of pieces,
    empty included."""
    writing = _Writing(module, pieces * sets.words)
    functions: list[ir.Function | ir.Foreign] = []
    for function in module.functions:
        if isinstance(function, ir.Function) and function.name not in sets.library.functions and (
                _supposes(function) or _puts(function, sets)):
            body = _Follower(function, writing, sets, pieces).block(function.body, _State())
            functions.append(attrs.evolve(function, body=body))
        else:
            functions.append(function)
    same = all(new is old for new, old in zip(functions, module.functions, strict=True))
    return module if same else attrs.evolve(module, functions=tuple(functions))


def _supposes(function: ir.Function) -> bool:
    return any(_is_supposition(statement) for statement in ir.statements(function.body))


def _puts(function: ir.Function, sets: Sets) -> bool:
    return any(isinstance(statement, ir.Evaluate) and statement.call.function == sets.asked_put
               for statement in ir.statements(function.body))


def _is_supposition(statement: ir.Statement) -> bool:
    return isinstance(statement, ir.Evaluate) and statement.call.function in SUPPOSITIONS


def _without(block: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
    return tuple(ir.with_blocks(statement, _without) for statement in block if not _is_supposition(statement))


# ---- what may change the pieces of a row


class _Writing:
    """Tells which statements may change the pieces of which rows."""

    def __init__(self, module: ir.Module, beyond: int) -> None:
        self._beyond = beyond
        """The place from which on a row holds other data than pieces."""
        self._numbers = {constant.name: constant.values[0] for constant in module.constants if constant.sort == ir.INT}
        self._tables = {table.name for table in module.tables}
        self._pure = pure_functions(module)
        self._functions = {function.name: function for function in module.functions}
        self._harmless: dict[str, bool] = {}

    def is_steady(self, cell: ir.Expr) -> bool:
        """Whether a cell stays the same as long as the names in its expression do."""
        return not any(isinstance(part, ir.Call) or (isinstance(part, ir.Element) and not (
            isinstance(part.collection, ir.Name) and part.collection.name in self._tables)) for part in ir.walk(cell))

    def _is_beyond(self, place: ir.Expr) -> bool:
        """Whether a place of a row is certainly outside of the pieces' sets."""
        match place:
            case ir.Literal(value=value):
                return value >= self._beyond
            case ir.Name(name=name):
                return self._numbers.get(name, -1) >= self._beyond
            case ir.Binary(operator="+", left=left, right=right):
                return self._is_beyond(left) or self._is_beyond(right)
        return False

    def _leaves_pieces(self, name: str) -> bool:
        """Whether a function changes no piece of any row."""
        if name in self._pure:
            return True
        if name not in self._harmless:
            self._harmless[name] = False  # for one that calls itself
            function = self._functions.get(name)
            self._harmless[name] = isinstance(function, ir.Function) and not self.rows(function.body)
        return self._harmless[name]

    def rows(self, block: Iterable[ir.Statement]) -> set[ir.Expr]:
        """The rows whose pieces statements may change."""
        result: set[ir.Expr] = set()
        for statement in ir.statements(tuple(block)):
            if isinstance(statement, (ir.Assign, ir.Update)):
                result.update(root(target) for target in elements(statement.target)
                              if not self._is_beyond(target.indices[-1]))
                if isinstance(statement, ir.Assign):
                    result.update(target for target in targets(statement.target) if isinstance(target.sort, ir.Array))
            for node in ir.expressions_of(statement):
                for part in ir.walk(node):
                    if isinstance(part, ir.Call) and part.function not in SUPPOSITIONS and (
                            part.function in WRITING or part.function in self._functions) and (
                            not self._leaves_pieces(part.function)):
                        result.update(root(argument) for argument in part.arguments
                                      if isinstance(argument.sort, ir.Array))
        return result


# ---- what is known


@attrs.define
class _Row:
    """What is known of the cells of a row."""

    holding: dict[ir.Expr, ir.Expr] = attrs.field(factory=dict)
    """The piece known to stand on each cell: its number, or the mover's."""
    filled: set[ir.Expr] = attrs.field(factory=set)
    """Cells on which something stands."""

    def copy(self) -> _Row:
        """A copy for another row."""
        return _Row(dict(self.holding), set(self.filled))


@attrs.define
class _State:
    """What is known at a point of a function."""

    rows: dict[ir.Expr, _Row] = attrs.field(factory=lambda: defaultdict(_Row))
    apart: set[frozenset[ir.Expr]] = attrs.field(factory=set)
    """Pairs of cells that are different cells."""

    def copy(self) -> _State:
        """A copy for a block that may run."""
        return _State(defaultdict(_Row, {row: result.copy() for row, result in self.rows.items()}), set(self.apart))

    def forget(self, rows: Iterable[ir.Expr], names: set[str]) -> None:
        """Drop what depends on rows, or on values of names, that may have changed."""
        for row in rows:
            self.rows.pop(row, None)
        if not names:
            return

        def of_these(node: ir.Expr) -> bool:
            return any(isinstance(part, ir.Name) and part.name in names for part in ir.walk(node))

        for row, result in list(self.rows.items()):
            if of_these(row):
                del self.rows[row]
            else:
                result.holding = {cell: piece for cell, piece in result.holding.items()
                                  if not of_these(cell) and not of_these(piece)}
                result.filled = {cell for cell in result.filled if not of_these(cell)}
        self.apart = {pair for pair in self.apart if not any(map(of_these, pair))}


class _Follower:
    """Follows the statements of a function, and rewrites them with what is known."""

    def __init__(self, function: ir.Function, writing: _Writing, sets: Sets, pieces: int) -> None:
        self._writing, self._sets, self._pieces = writing, sets, pieces
        self._names = FreshNames(bound_names(function))
        self._carried: dict[ir.Expr, ir.Expr] = {}
        """For the names of looked-up pieces, what these are known to be."""

    def block(self, block: tuple[ir.Statement, ...], state: _State) -> tuple[ir.Statement, ...]:
        """Rewrite statements with what is known; `state` becomes what is known after them."""
        result: list[ir.Statement] = []
        for statement in block:
            result += self._statement(statement, state)
        return tuple(result)

    def _statement(self, statement: ir.Statement, state: _State) -> Iterable[ir.Statement]:
        match statement:
            case ir.Evaluate(call=ir.Call(function=name, arguments=arguments)) if name in SUPPOSITIONS:
                if name == "suppose_apart" or self._writing.is_steady(arguments[1]):
                    _suppose(state, name, arguments)
                return ()
            case ir.Evaluate(call=ir.Call(function=name, arguments=(row, cell, piece))) if (
                    name == self._sets.asked_put):
                return self._put(statement, row, cell, self._carried.get(piece, piece), state)
            case ir.Assign(target=ir.Name() as target, value=value):
                return (self._named(statement, target, value, state),)
            case ir.If(test=test, yes=yes, no=no):
                done, otherwise = self.block(yes, state.copy()), self.block(no, state.copy())
                self._forget((statement,), state)
                return (ir.If(test, done, otherwise),)
            case ir.For(start=ir.Literal(value=0), stop=ir.Literal(value=stop), body=(ir.Assign(
                    target=ir.Element(collection=to, indices=(place,)),
                    value=ir.Element(collection=origin, indices=(same,))),)) if (
                        place == same == statement.name and stop >= self._pieces * self._sets.words):
                state.rows[to] = state.rows[origin].copy()  # the row is copied
                return (statement,)
            case ir.While(body=body) | ir.For(body=body) | ir.ForEach(body=body):
                self._forget((statement,), state)
                return (attrs.evolve(statement, body=self.block(body, state.copy())),)
        self._forget((statement,), state)
        return (statement,)

    def _forget(self, statements: tuple[ir.Statement, ...], state: _State) -> None:
        """Drop what the statements may have changed."""
        names: set[str] = set()
        for statement in ir.statements(statements):
            if isinstance(statement, (ir.Assign, ir.Update)):
                names |= {name.name for name in targets(statement.target)}
            elif isinstance(statement, (ir.For, ir.ForEach)):
                names.add(statement.name.name)
        state.forget(self._writing.rows(statements), names)
        if names:
            self._carried = {name: piece for name, piece in self._carried.items() if not any(
                isinstance(part, ir.Name) and part.name in names for node in (name, piece) for part in ir.walk(node))}

    def _named(self, statement: ir.Assign, target: ir.Name, value: ir.Expr, state: _State) -> ir.Statement:
        """Rewrite the assignment of a value to a name."""
        self._forget((statement,), state)
        match value:
            case ir.Call(function=name, arguments=(row, cell)) if name == self._sets.asked_piece:
                there = state.rows[row].holding.get(cell)
                if there is not None:
                    self._carried[target] = there
                    return ir.Assign(target, there)
        for known_there in state.rows.values():
            if value in known_there.holding:
                known_there.holding[target] = known_there.holding[value]
        return statement

    def _put(self, statement: ir.Statement, row: ir.Expr, cell: ir.Expr, piece: ir.Expr,
             state: _State) -> Iterable[ir.Statement]:
        """Rewrite the statement that puts a piece on a cell."""
        there = state.rows[row]
        before = there.holding.get(cell)
        _put_on(there, cell, piece, state)
        if before == piece:
            return ()
        if before is not None:
            return self._exchanged(row, cell, before, piece)
        number = known(piece)
        if number is not None and self._pieces <= _MOST_WRITTEN_OUT and self._sets.words == 1:
            place = self._names.new("bit", ir.WORD)
            away = [ir.Update(element(row, other), "&", inverted(place)) for other in range(self._pieces)
                    if other != number]
            return ir.Assign(place, bit(cell)), *away, ir.Update(element(row, number), "|", place)
        assert isinstance(statement, ir.Evaluate)
        call = statement.call
        return (ir.Evaluate(attrs.evolve(call, arguments=(row, cell, piece))),)

    def _exchanged(self, row: ir.Expr, cell: ir.Expr, before: ir.Expr, piece: ir.Expr) -> Iterable[ir.Statement]:
        """The statements that put a piece on a cell on which another is known to stand."""
        words, place = self._sets.words, self._names.new("bit", ir.WORD)
        if words == 1:
            return (ir.Assign(place, bit(cell)), ir.Update(element(row, before), "^", place),
                    ir.Update(element(row, piece), "|", place))
        part = self._names.new("part", ir.INT)
        return (ir.Assign(place, bit(binary("&", cell, 63))), ir.Assign(part, binary(">>", cell, 6)),
                ir.Update(element(row, plus(times(before, words), part)), "^", place),
                ir.Update(element(row, plus(times(piece, words), part)), "|", place))


def _suppose(state: _State, name: str, arguments: tuple[ir.Expr, ...]) -> None:
    """Record what a supposition states."""
    match name, arguments:
        case "suppose_on", (row, cell, piece):
            state.rows[row].holding[cell] = piece
        case "suppose_filled", (row, cell):
            state.rows[row].filled.add(cell)
        case _:
            state.apart.add(frozenset(arguments))


def _put_on(there: _Row, cell: ir.Expr, piece: ir.Expr, state: _State) -> None:
    """Record that a piece was put on a cell, and drop what was known of cells that may be the same."""
    before = there.holding.get(cell)
    for other, held in list(there.holding.items()):
        apart = frozenset((cell, other)) in state.apart or (held == _NO_PIECE and cell in there.filled) or (
            before is not None and held != before and _is_certain(before) and _is_certain(held) and (
                _NO_PIECE in (before, held) or (isinstance(before, ir.Literal) and isinstance(held, ir.Literal))))
        if other != cell and not (apart and isinstance(other, (ir.Name, ir.Literal))):
            del there.holding[other]
        elif other != cell:
            state.apart.add(frozenset((cell, other)))
    there.filled = {other for other in there.filled if frozenset((cell, other)) in state.apart}
    if isinstance(cell, (ir.Name, ir.Literal)):
        there.holding[cell] = piece


def _is_certain(piece: ir.Expr) -> bool:
    """Whether a piece's kind is known, or it is the mover's, which is never none."""
    return isinstance(piece, (ir.Literal, ir.Binary))

"""The runtime functions that one game's kernel uses, specialised for it.

`Library.use` returns the name of a function specialised for given tables and numbers; each specialisation is made once.
The runtime functions that it calls join the kernel with it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from threading import RLock
from typing import Final, TypeAlias

import attrs

from interpreter.compiler import ir
from interpreter.compiler.each import without_each
from interpreter.compiler.operations import ON_WORD, OPERATIONS, known_distance, on_vector, stored
from interpreter.compiler.reader import IRError, Reader, Signature, signature
from interpreter.compiler.runtime_sources import own, own_numbers, runtime
from interpreter.compiler.sorts import FUNCTIONS
from interpreter.compiler.specialise import folded, specialised

_ITEMS: Final = {"Table": "Static", "WordTable": "Word", "Tables": "Table", "WordTables": "WordTable",
                 "Sets": "Cells"}
"""For annotations of sequences that are substituted item by item, the annotation of the items."""
_OF_KERNEL: Final = "the kernel's "
"""A prefix of the names of functions that are substituted: runtime functions may have the same names."""


class _Own(Mapping[str, Signature]):
    """The signatures of the functions that every kernel defines itself, read on demand."""

    def __init__(self, cells: ir.Sort) -> None:
        self._cells = cells
        self._found: dict[str, Signature] = {}

    def __getitem__(self, name: str) -> Signature:
        if name not in self._found:
            self._found[name] = signature(own()[name], self._cells)
        return self._found[name]

    def __contains__(self, name: object) -> bool:
        return name in own()

    def __iter__(self) -> Iterator[str]:
        return iter(own())

    def __len__(self) -> int:
        return len(own())


@cache
def _reader(cells: ir.Sort, known: frozenset[tuple[str, int]]) -> Reader:
    """The reader of runtime functions shared by all kernels with the same sort of sets and known numbers."""
    return Reader(cells, dict.fromkeys(own_numbers(), ir.INT), runtime(), literals=dict(known),
                  operations=frozenset(OPERATIONS), foreign=_Own(cells))


_READING: Final = RLock()
"""Held while reading: threads that make kernels share readers."""


Given: TypeAlias = int | str | ir.Expr | Sequence["Given"]
"""A value to substitute for a parameter: a number or truth value, the name of a table or function, an expression, or a
sequence of these for several tables, sets or numbers that are indexed by known numbers."""


@attrs.define
class Library:
    """The runtime functions of a kernel."""

    cells: ir.Sort
    """The sort of the game's sets of cells."""
    known: Mapping[str, int]
    """Numbers that are always substituted for parameters and constants of their names, such as `words`, the number of
    words of a set."""
    empty: Callable[[], ir.Expr]
    """Makes the empty set."""
    reserve: Callable[[str], str]
    """Reserves a name that is still free in the kernel, as close to the wished one as possible."""
    functions: dict[str, ir.Function] = attrs.field(factory=dict)
    """The specialised functions by their names in the kernel, each after those that it calls."""
    _instances: dict[tuple[str, tuple[tuple[str, ir.Expr], ...]], str] = attrs.field(factory=dict)
    _reader: Reader = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        self._reader = _reader(self.cells, frozenset(self.known.items()))

    @property
    def signatures(self) -> dict[str, Signature]:
        """The signatures of the specialised functions."""
        return {name: Signature(tuple(parameter.sort for parameter in function.parameters), function.result)
                for name, function in self.functions.items()}

    def put(self, function: str, wish: str = "", more: Sequence[ir.Name] = (), /, **given: Given) -> str:
        """The same as `use`, with substitutions given as numbers, names, expressions or sequences of these.

        Raises IRError where one is missing.
        """
        return self.use(function, wish, more, **self._given(function, given))

    def use(self, function: str, wish: str = "", more: Sequence[ir.Name] = (), /, **bound: ir.Expr) -> str:
        """Specialise a runtime function for tables and known numbers, once; its name in the kernel.

        It gets the additional parameters `more`, for substituted expressions that refer to them. Raises IRError where a
        substitution is missing.
        """
        bound = self._bound(function, bound)
        key = function, tuple(sorted(bound.items()))
        if key not in self._instances:
            name = self._instances[key] = self.reserve(wish or function)
            self._make(function, name, bound, more)
        return self._instances[key]

    def define(self, function: str, name: str, **given: Given) -> None:
        """Add a runtime function under a name that every kernel defines itself (`interpreter.compiler.runtime.game`).

        Substitutions for which it has no parameter are ignored. Raises IRError where one is missing.
        """
        static = runtime().source(function).static
        known = {key: value for key, value in given.items() if key in static}
        self._make(function, name, self._bound(function, self._given(function, known)))

    def _given(self, function: str, given: Mapping[str, Given]) -> dict[str, ir.Expr]:
        static = runtime().source(function).static
        return {name: self._put_in(value, static[name]) for name, value in given.items()}

    def _bound(self, function: str, bound: Mapping[str, ir.Expr]) -> dict[str, ir.Expr]:
        """The substitutions together with the known numbers. Raises IRError where one is missing."""
        static = runtime().source(function).static
        known = {name: ir.Literal(self.known[name], ir.INT) for name in static if name in self.known}
        if missing := set(static) - {*bound, *known}:
            raise IRError(f"{function}: {', '.join(sorted(missing))} must be given")
        return {**known, **bound}

    def _put_in(self, value: Given, annotation: str) -> ir.Expr:
        if isinstance(value, (int, str)):
            sort = self._reader.named(ast.Name(annotation))
            if isinstance(value, int):
                return ir.Literal(int(value), sort)
            return ir.Name(f"{_OF_KERNEL}{value}" if annotation in FUNCTIONS else value, sort)
        if isinstance(value, Sequence):
            return ir.Tuple(tuple(self._put_in(part, _ITEMS[annotation]) for part in value))
        return value

    def _make(self, function: str, name: str, bound: Mapping[str, ir.Expr], more: Sequence[ir.Name] = ()) -> None:
        numbers = {key: value.value for key, value in bound.items() if isinstance(value, ir.Literal)}
        source = runtime().source(function)
        with _READING:
            read = self._reader.read_anew(function, numbers) if source.generic else self._reader.function(function)
        made = specialised(read, bound, name)
        made = attrs.evolve(made, body=self._expanded(made.body), parameters=(*made.parameters, *more))
        self.functions[name] = attrs.evolve(made, body=without_each(made))

    def _parameters(self, function: str) -> tuple[ir.Name, ...]:
        with _READING:
            return self._reader.function(function).parameters

    def call(self, function: str, arguments: Mapping[str, ir.Expr], wish: str = "") -> ir.Call:
        """Make a call of a runtime function, specialised for the arguments of its static parameters."""
        static = runtime().source(function).static
        name = self.use(function, wish, **{key: value for key, value in arguments.items() if key in static})
        made = self.functions[name]
        return ir.Call(name, tuple(arguments[parameter.name] for parameter in made.parameters), made.result)

    # ---- calls in functions

    def _expanded(self, block: tuple[ir.Statement, ...]) -> tuple[ir.Statement, ...]:
        """Lower operations on sets to the game's sort of sets, and calls of runtime functions to specialised ones."""
        block = ir.with_statements(block, lambda statement: stored(statement, self.cells))
        return ir.with_expressions(block, lambda node: ir.transformed(node, self._expression))

    def _expression(self, node: ir.Expr) -> ir.Expr:
        if not isinstance(node, ir.Call):
            return node
        if node.function.startswith(_OF_KERNEL):
            return ir.Call(node.function.removeprefix(_OF_KERNEL), node.arguments, node.sort)
        if node.function in OPERATIONS:
            return self._operation(node)
        if node.function not in runtime() or node.function in own():  # defined by the kernel itself
            return node
        parameters = self._parameters(node.function)
        given = {parameter.name: argument for parameter, argument in zip(parameters, node.arguments, strict=True)}
        return self.call(node.function, given)

    def _operation(self, node: ir.Call) -> ir.Expr:
        name, arguments, wish = node.function, node.arguments, ""
        if name == "nothing":
            return self.empty()
        if self.cells == ir.WORD and name in ON_WORD:
            return folded(ON_WORD[name](*arguments), {})
        if isinstance(self.cells, ir.Vector):
            result = on_vector(name, arguments, self.empty())
            if result is not None:
                return folded(result, {})
        if name == "of_table":
            table, index, words = arguments
            name, arguments = "at", (table, folded(ir.Binary("*", index, words, ir.INT), {}), words)
        if name == "moved":
            distance = known_distance(arguments[1])
            if not distance:
                return arguments[0]
            name, arguments = "up" if distance > 0 else "down", (arguments[0], ir.Literal(abs(distance), ir.INT))
            wish = f"{name}_{abs(distance)}"
        parameters = self._parameters(name)
        return self.call(name, {parameter.name: argument
                                for parameter, argument in zip(parameters, arguments, strict=True)}, wish)

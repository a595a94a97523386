"""Finds the ranges of numbers in IR, and the cells for which a condition on numbers holds, by trying all values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from itertools import product
from math import prod

import attrs

from interpreter.compiler import ir
from interpreter.compiler.analysis.names import targets
from interpreter.compiler.build import known
from interpreter.compiler.emit.python import Emitter
from interpreter.compiler.lowering.sets import Sets
from interpreter.compiler.specialise import folded

_MOST_TRIED = 300_000
"""The most combinations of numbers and cells for which a condition is tried."""
_MOST_TABLE = 120_000
"""The most words of a table."""
_PLAIN = frozenset({"abs", "min", "max", "number"})
"""The functions that conditions which are tried may call."""
_SPACE = {"ONE": 1, "EMPTY": 0, "number": int}


@attrs.frozen
class Numbers:
    """The numbers of one function, in a kernel whose tables and cells are known."""

    sets: Sets
    told: Mapping[str, range]
    """The ranges of names, from the loops that assign them, or as they count cells."""

    @classmethod
    def of(cls, function: ir.Function, sets: Sets) -> Numbers:
        """Collect the ranges of the numbers of a function."""
        told: dict[str, range] = {}
        several: set[str] = {parameter.name for parameter in function.parameters}
        copies: list[tuple[str, str]] = []

        def tell(name: str, values: range | None) -> None:
            if values is None or name in told:
                several.add(name)
            else:
                told[name] = values

        for statement in ir.statements(function.body):
            match statement:
                case ir.For(name=name, start=start, stop=stop, step=1):
                    first, last = known(folded(start, {})), known(folded(stop, {}))
                    tell(name.name, None if first is None or last is None else range(first, last))
                case ir.ForEach(name=name):
                    tell(name.name, range(sets.board.size))
                case ir.Assign(target=ir.Name(name=given), value=ir.Call(function="popcount" | "count")):
                    tell(given, range(sets.board.size + 1))
                case ir.Assign(target=ir.Name(name=given), value=ir.Name(name=same)):
                    tell(given, None if same in several else told.get(same))
                    copies.append((given, same))
                case ir.Assign(target=target) | ir.Update(target=target):
                    for other in targets(target):
                        tell(other.name, None)
        for _ in copies:  # a name that is given something else later, such as in a loop, passes that on
            several |= {given for given, same in copies if same in several}
        return cls(sets, {name: values for name, values in told.items() if name not in several})

    def ranges(self, node: ir.Expr, cell: str, names: Sequence[str]) -> list[range] | None:
        """The ranges of names for which all tables in an expression have an entry, whatever the cell is.

        None where they are not known, or the expression has more than tables and numbers.
        """
        looked_up = {part.name for entry in ir.walk(node) if isinstance(entry, ir.Element)
                     for index in entry.indices for part in ir.walk(index) if isinstance(part, ir.Name)}
        if len(names) > 2 or not self._is_plain(node) or not set(names) <= looked_up | self.told.keys():
            return None
        holds = self._function(node, [cell, *names])
        result = [self.told.get(name) for name in names]
        lows = [0 if values is None else values.start for values in result]
        for place, values in enumerate(result):
            if values is not None:
                continue
            tried = list(lows)
            high = 0
            while high * self.sets.board.size <= _MOST_TRIED:
                tried[place] = high
                try:
                    for number in range(self.sets.board.size):
                        holds(number, *tried)
                except KeyError:
                    break
                high += 1
            else:
                return None
            result[place] = range(high)
        return [values for values in result if values is not None]

    def cells(self, node: ir.Expr, cell: str, names: Sequence[str], ranges: Sequence[range]) -> list[int] | None:
        """The cells for which a condition holds, for all numbers in turn; None where a table lacks an entry for some,
        or there are too many."""
        count, size = prod(map(len, ranges)), self.sets.board.size
        if not 0 < count * size <= _MOST_TRIED or count * self.sets.words > _MOST_TABLE:
            return None
        holds = self._function(node, [cell, *names])
        try:
            return [sum(1 << number for number in range(size) if holds(number, *values)) for values in product(*ranges)]
        except KeyError:
            return None

    def _is_plain(self, node: ir.Expr) -> bool:
        """Whether an expression is made of numbers and entries of tables alone."""
        tables = self.sets.tables.values
        for part in ir.walk(node):
            match part:
                case ir.Element(collection=ir.Name(name=name), indices=(_,)) if name in tables:
                    continue
                case ir.Name(name=name, sort=sort) if sort == ir.INT or name in tables or name in _SPACE:
                    continue
                case ir.Call(function=function) if function in _PLAIN:
                    continue
                case ir.Element() | ir.Name() | ir.Call() | ir.Tuple() | ir.Tail() | ir.Unary(operator="~"):
                    return False
                case ir.Binary(operator="//" | "%"):
                    return False
        return True

    def _function(self, node: ir.Expr, names: Sequence[str]) -> Callable[..., bool]:
        """An expression as a Python function of some names, which raises KeyError where a table lacks an entry."""
        space: dict[str, object] = dict(_SPACE)
        for part in ir.walk(node):
            if isinstance(part, ir.Name) and part.name in self.sets.tables.values:
                space[part.name] = dict(enumerate(self.sets.tables.values[part.name]))
        text = f"lambda {', '.join(names)}: {ast.unparse(Emitter().expression(node))}"
        result: Callable[..., bool] = eval(text, space)  # made of our own IR
        return result

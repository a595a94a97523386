"""The blocks of loops over what a name ranges over, and parameters that are bound while their body is lowered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELL, CELLS, Integer, Sort
from interpreter.kernel.dependence import Bound
from interpreter.kernel.errors import NotLowered
from interpreter.kernel.whole import Whole

if TYPE_CHECKING:
    from interpreter.kernel.terms import Terms


class Letting:
    """A parameter bound while its body is lowered."""

    def __init__(self, terms: Terms, term: hir.Let) -> None:
        self.terms, self.term = terms, term

    def __enter__(self) -> None:
        self.before = self.terms.bound.get(self.term.slot)
        self.terms.let(self.term)

    def __exit__(self, *_: object) -> None:
        if self.before is None:
            del self.terms.bound[self.term.slot]
        else:
            self.terms.bound[self.term.slot] = self.before


class Looping:
    """The blocks of a loop over a domain, or of nested loops for several names in one choice."""

    def __init__(self, terms: Terms, slots: Sequence[int], names: Sequence[str], domain: hir.Expr,
                 guard: hir.Expr | None) -> None:
        self.terms, self.slots, self.names, self.domain, self.guard = terms, slots, names, domain, guard
        self.values: list[str] = []

    def __enter__(self) -> str:
        terms, writer = self.terms, self.terms.writer
        self.before = {slot: terms.bound.get(slot) for slot in self.slots}
        self.depth = writer.depth
        sort: Sort | None = self.domain.sort
        sort = getattr(sort, "element", sort)
        guard = self.guard
        if self.domain.sort == CELLS:
            whole = None
            if guard is not None and len(self.slots) == 1:
                binding = hir.Binding(self.slots[0], self.names[0], self.domain, guard)
                whole = Whole.of(terms, binding)
                guard = None if whole is not None else guard
            self._cells(whole or terms.cells(self.domain))
            sort = CELL
        elif isinstance(self.domain, hir.Listing):
            self._listing(self.domain.values)
        elif isinstance(self.domain, hir.Numbers):
            self._numbers(self.domain)
            if isinstance(self.domain.low.sort, Integer) and isinstance(self.domain.high.sort, Integer):
                sort = Integer(self.domain.low.sort.low, self.domain.high.sort.high)
        else:
            raise NotLowered(f"a choice from {type(self.domain).__name__}")
        for slot, value in zip(self.slots, self.values, strict=True):
            terms.bound[slot] = Bound(value, sort=sort)
        terms.guard_all(guard)
        return self.values[0]

    def _open(self, header: str, *names: str) -> None:
        writer = self.terms.writer
        writer.open(header, loop=True)
        writer._blocks[-1].names.update(names)

    def _cells(self, whole: str) -> None:
        terms, writer, sets = self.terms, self.terms.writer, self.terms.sets
        if sets.words == 1:
            rest = writer.fresh("rest")
            writer.line(f"{rest} = {whole}")
            for name in self.names:
                value = writer._fresh(name)
                self._open(f"while {rest} != EMPTY:", value, rest)
                writer.line(f"{value} = lowest({rest})")
                writer.line(f"{rest} &= {rest} - ONE")
                self.values.append(value)
                if len(self.values) < len(self.names):
                    inner = writer._fresh("rest")
                    writer.line(f"{inner} = {rest}")
                    rest = inner
            return
        whole = terms.name(whole, "cells")
        part, rest = writer.fresh("part"), writer.fresh("rest")
        writer.line(f"{part} = 0")
        writer.line(f"{rest} = {whole}[0]")
        for name in self.names:
            value = writer._fresh(name)
            self._open("while True:", value, part, rest)
            with writer.block(f"while {rest} == EMPTY and {part} < {sets.words - 1}:", loop=True):
                writer.line(f"{part} += 1")
                writer.line(f"{rest} = {whole}[{part}]")
            with writer.block(f"if {rest} == EMPTY:"):
                writer.line("break")
            writer.line(f"{value} = ({part} << 6) + lowest({rest})")
            writer.line(f"{rest} &= {rest} - ONE")
            self.values.append(value)
            if len(self.values) < len(self.names):
                inner_part, inner = writer._fresh("part"), writer._fresh("rest")
                writer.line(f"{inner_part} = {part}")
                writer.line(f"{inner} = {rest}")
                part, rest = inner_part, inner

    def _listing(self, values: Sequence[int]) -> None:
        writer = self.terms.writer
        count = len(values)
        plain = list(values) == list(range(count))
        last = ""
        for place, name in enumerate(self.names):
            value = writer._fresh(name)
            at = value if plain else writer._fresh("k")
            self._open(f"for {at} in range({f'{last} + 1' if place else '0'}, {count}):", value, at)
            if not plain:
                table = self.terms.program.tables.table(f"{name}_values", list(values))
                writer.line(f"{value} = {table}[{at}]")
            last = at
            self.values.append(value)

    def _numbers(self, domain: hir.Numbers) -> None:
        terms, writer = self.terms, self.terms.writer
        low, high = terms.known(domain.low), terms.name(terms.known(domain.high), "last")
        for place, name in enumerate(self.names):
            value = writer._fresh(name)
            self._open(f"for {value} in range({f'{self.values[-1]} + 1' if place else low}, {high} + 1):", value)
            self.values.append(value)

    def __exit__(self, *_: object) -> None:
        terms = self.terms
        terms.writer.close(terms.writer.depth - self.depth)
        for slot, before in self.before.items():
            if before is None:
                terms.bound.pop(slot, None)
            else:
                terms.bound[slot] = before

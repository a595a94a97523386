"""Writes the loops over what a name ranges over."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import CELL, CELLS, Integer, Sort
from interpreter.compiler import ir
from interpreter.compiler.build import NO_BITS, ONE, all_of, binary, compared, element, expr, lowest, minus, plus
from interpreter.compiler.lowering.bound import Bound
from interpreter.compiler.lowering.errors import NotLowered

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering


class Looping:
    """The blocks of a loop over a domain, or of nested loops for several names in one choice."""

    def __init__(self, terms: ExprLowering, slots: Sequence[int], names: Sequence[str], domain: hir.Expr,
                 guard: hir.Expr | None, without: ir.Expr | None = None) -> None:
        self.terms, self.slots, self.names, self.domain, self.guard = terms, slots, names, domain, guard
        self.without = without
        """The cells of the domain to leave out; None for none."""
        self.values: list[ir.Name] = []

    def __enter__(self) -> ir.Name:
        terms, writer = self.terms, self.terms.writer
        self.scope = terms.scope(*self.slots)
        self.scope.__enter__()
        self.depth = writer.depth
        sort: Sort | None = self.domain.sort
        sort = getattr(sort, "element", sort)
        if self.domain.sort == CELLS:
            cells = terms.cells(self.domain)
            self._cells(cells if self.without is None else terms.sets.minus(cells, self.without))
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
        terms.guard_all(self.guard)
        return self.values[0]

    def _local(self, wish: str, sort: ir.Sort = ir.INT) -> ir.Name:
        """A name for a value that changes between iterations."""
        return ir.Name(self.terms.writer.name(wish), sort)

    def _cells(self, whole: ir.Expr) -> None:
        terms, writer, sets = self.terms, self.terms.writer, self.terms.sets
        if len(self.names) == 1:
            self.values.append(self._local(self.names[0]))
            writer.open_each(self.values[0], whole)
            return
        if sets.words == 1:
            rest = writer.let("rest", whole)
            for name in self.names:
                value = self._local(name)
                writer.open_while(sets.some(rest))
                writer.assign(value, lowest(rest))
                writer.update(rest, "&", minus(rest, ONE))
                self.values.append(value)
                if len(self.values) < len(self.names):
                    inner = self._local("rest", ir.WORD)
                    writer.assign(inner, rest)
                    rest = inner
            return
        whole = terms.name(whole, "cells")
        part, rest = writer.fresh("part"), writer.fresh("rest", ir.WORD)
        writer.assign(part, 0)
        writer.assign(rest, element(whole, 0))
        none_left = compared(rest, "==", NO_BITS)
        for name in self.names:
            value = self._local(name)
            writer.open_while(ir.TRUE)
            with writer.repeat(all_of([none_left, compared(part, "<", sets.words - 1)])):
                writer.update(part, "+", 1)
                writer.assign(rest, element(whole, part))
            with writer.when(none_left):
                writer.leave()
            writer.assign(value, plus(binary("<<", part, 6), lowest(rest)))
            writer.update(rest, "&", minus(rest, ONE))
            self.values.append(value)
            if len(self.values) < len(self.names):
                inner_part, inner = self._local("part"), self._local("rest", ir.WORD)
                writer.assign(inner_part, part)
                writer.assign(inner, rest)
                part, rest = inner_part, inner
                none_left = compared(rest, "==", NO_BITS)

    def _listing(self, values: Sequence[int]) -> None:
        writer = self.terms.writer
        count = len(values)
        plain = list(values) == list(range(count))
        start: ir.Expr = expr(0)
        for name in self.names:
            value = self._local(name)
            at = value if plain else self._local("k")
            writer.open_range(at, start, count)
            if not plain:
                writer.assign(value, element(self.terms.program.tables.numbers(f"{name}_values", list(values)), at))
            start = plus(at, 1)
            self.values.append(value)

    def _numbers(self, domain: hir.Numbers) -> None:
        terms, writer = self.terms, self.terms.writer
        start, high = terms.known(domain.low), terms.name(terms.known(domain.high), "last")
        for name in self.names:
            value = self._local(name)
            writer.open_range(value, start, plus(high, 1))
            start = plus(value, 1)
            self.values.append(value)

    def __exit__(self, *_: object) -> None:
        terms = self.terms
        terms.writer.close(terms.writer.depth - self.depth)
        self.scope.__exit__(None, None, None)

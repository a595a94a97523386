"""Bounds the number of ways to make choices, to draw moves choice by choice (`interpreter.compiler.passes.splitting`).

A set that does not read the position is computed as it is, and one that does is no larger than with the whole board in
place of the pieces' sets in it. A bound that is too low would make some moves impossible, so whatever is not known to
grow counts as the whole board.
"""

from __future__ import annotations

from math import comb, prod

import attrs

from dsl import hir
from dsl.checks.bounds import plain
from dsl.checks.reads import grows, reads_position
from dsl.resolve.sorts import CELLS, Integer, SetOf
from interpreter.compiler.lowering.module_builder import ModuleBuilder
from interpreter.model.ranges import values_of

MOST = 64
"""The most ways that choices may have to be drawn like this: with more, too many draws would be rejected."""


@attrs.define
class _Growth:
    """Finds supersets that do not read the position: they have every cell that a set can have in any position."""

    everything: hir.Expr
    """The whole board: the superset where nothing else is known."""
    left: int = 2_000
    """How many terms may still be visited: a definition's arguments are inlined wherever it uses them."""

    def of(self, term: hir.Expr) -> hir.Expr:
        """The superset of a set, or of a single cell that is an item of a set."""
        self.left -= 1
        if self.left < 0:
            return self.everything
        if not reads_position(term):
            return term
        match term:
            case hir.Let():
                return self.of(plain(term))
            case hir.SetArithmetic(operator="-", left=left, right=right):
                return self.of(left) if reads_position(right) else attrs.evolve(term, left=self.of(left))
            case hir.SetArithmetic(operator="+" | "and", left=left, right=right):
                return attrs.evolve(term, left=self.of(left), right=self.of(right))
            case hir.CellSet(items=items):
                return attrs.evolve(term, items=tuple(map(self.of, items)))
            case hir.Comprehension(binding=binding):
                return attrs.evolve(term, binding=self._binding(binding))
            case hir.Aggregate(binding=binding, body=hir.Expr() as body) if term.sort == CELLS and (
                    binding.domain.sort == CELLS or not reads_position(binding.domain)):
                return attrs.evolve(term, binding=self._binding(binding), body=self.of(body))
            case hir.IfElse(condition=condition, yes=yes, no=no) if term.sort == CELLS:
                either = self.of(yes), self.of(no)
                if not reads_position(condition):
                    return attrs.evolve(term, yes=either[0], no=either[1])
                return hir.CellSet(either, sort=CELLS, span=term.span)
            case hir.Apply(arguments=arguments) if grows(term) and not any(
                    reads_position(argument) for argument in arguments if argument.sort != CELLS):
                return attrs.evolve(term, arguments=tuple(
                    self.of(argument) if argument.sort == CELLS else argument for argument in arguments))
        return self.everything

    def _binding(self, binding: hir.Binding) -> hir.Binding:
        """A binding with every element that it can have in any position."""
        guard = binding.guard
        return attrs.evolve(binding, domain=self.of(binding.domain),
                            guard=None if guard is not None and reads_position(guard) else guard)


def most(choices: tuple[hir.Choice, ...], program: ModuleBuilder) -> int:
    """The most ways in which choices can be made, one after another."""
    return prod(_most(choice, program) for choice in choices)


def _most(choice: hir.Choice, program: ModuleBuilder) -> int:
    count = _size(choice.domain, program)
    return comb(count, len(choice.slots))


def _size(domain: hir.Expr, program: ModuleBuilder) -> int:
    """The most elements that a set can have in any position."""
    match domain:
        case hir.Listing(values=values):
            return len(values)
        case hir.Numbers(low=low, high=high) if isinstance(low.sort, Integer) and isinstance(high.sort, Integer):
            return max(high.sort.high - low.sort.low + 1, 0)
    if domain.sort != CELLS:
        element = domain.sort.element if isinstance(domain.sort, SetOf) else None
        values_there = values_of(element, program.rules, program.board)
        return MOST + 1 if values_there is None else len(values_there)
    if "cells" not in program.board.regions:
        return program.board.size
    everything = hir.Region("cells", sort=CELLS, span=domain.span)
    result = _evaluated(_Growth(everything).of(domain), program)
    return program.board.size if result is None else result


def _evaluated(grown: hir.Expr, program: ModuleBuilder) -> int | None:
    """The most cells that a set which does not read the position has, over all values of its bound names.

    None where that takes too long.
    """
    sorts = {part.slot: part.sort for part in hir.walk(grown) if isinstance(part, hir.Local)}
    number = program.values.number(grown, lambda slot: (sorts[slot], False), 0, most=len(sorts) + 1)
    result = None if number < 0 else program.values.values(number)
    return None if result is None else max(cells.bit_count() for cells in result)

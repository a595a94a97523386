"""Refuses rules that cannot be compiled, whatever else they have: such games are left to the interpreter."""

from __future__ import annotations

from dsl import hir
from dsl.checks.cost_bound import Effort
from dsl.resolve.sorts import Integer
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.semantics.limits import MOST_MOVES

MOST_BITS = 62
"""The most bits of numbers in kernels."""


def refuse(rules: hir.Rules, cells: int) -> None:
    """Raise NotLowered where the numbers of some rules are too large, or it is open who wins where there is no move.

    `cells` is the number of cells of the board.
    """
    if rules.is_weighted and _weights(rules, cells).bit_length() > MOST_BITS:
        raise NotLowered(f"weights of chance whose sum can have more than {MOST_BITS} bits")
    if bits_of_numbers(rules, cells) > MOST_BITS:
        raise NotLowered(f"numbers of more than {MOST_BITS} bits")
    if rules.teams and rules.no_moves in ("loses", "wins"):
        raise NotLowered(f"'no moves {rules.no_moves}' with teams")


def bits_of_numbers(rules: hir.Rules, cells: int) -> int:
    """The most bits, without the sign, of a number that a game's rules keep or calculate, also on the way."""
    sorts = [kind.sort for kind in rules.variables]
    sorts += [node.sort for node in rules.nodes if isinstance(node, hir.Expr)]
    largest = (max(-sort.low, sort.high) for sort in sorts if isinstance(sort, Integer))
    return max(_weights(rules, cells), *largest, 0).bit_length()


def _weights(rules: hir.Rules, cells: int) -> int:
    """The largest sum of the weights of chance moves in a position."""
    effort = Effort(rules, cells)
    return sum(rule.weight.sort.high * min(MOST_MOVES, effort.rule(rule).ways(rule.choices, rule.body))
               for rule in rules.moves if rule.weight is not None and isinstance(rule.weight.sort, Integer))

"""Finds move rules that have no move where an earlier rule has one, such as jumps excluded by the condition of steps.

The condition of `move step(...) when no c in S: some f(c)` implies that `move jump(a in S, b in f(a))` has no move.
"""

from __future__ import annotations

from dsl import hir
from interpreter.analysis.dependence import Shapes, shape_of


def excluded(rules: hir.Rules, shapes: Shapes) -> frozenset[int]:
    """The numbers of the move rules that, by their text, have no move where any earlier rule has one."""
    moves = rules.moves
    return frozenset(number for number in range(1, len(moves)) if all(
        earlier.is_step or excludes(earlier.when, moves[number], shapes) for earlier in moves[:number]))


def excludes(when: hir.Expr | None, rule: hir.Move, shapes: Shapes) -> bool:
    """Whether a condition implies, by its text, that a rule has no move."""
    conditions = when.operands if isinstance(when, hir.All) else (when,)
    return rule.when is None and any(_says_none(condition, rule, shapes) for condition in conditions)


def _says_none(condition: hir.Expr | None, rule: hir.Move, shapes: Shapes) -> bool:
    """Whether a condition states that there are no values for the first two choices of a rule."""
    match condition, rule.choices[:2]:
        case (hir.Quantified(kind="no", binding=hir.Binding(slot=slot, domain=first, guard=None),
                                 body=hir.Exists(collection=second)),
              (hir.Choice(slots=(chosen,), domain=ours, guard=None), hir.Choice(domain=next_, guard=None))):
            same = shape_of(first, shapes) == shape_of(ours, shapes) and not shape_of(first, shapes)[1]
            asked, listed = shape_of(second, shapes), shape_of(next_, shapes)
            return same and asked[0] == listed[0] and asked[1] in ((), (slot,)) and listed[1] in ((), (chosen,))
    return False

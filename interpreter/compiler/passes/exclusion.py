"""Rules that have no move where another rule has one, such as jumps that must be made and steps that wait for none.

`move step(...) when no c in S: some f(c)` says of `move jump(a in S, b in f(a))` that it has no move: where entries of
the first rule were listed, the second one's need not be looked for. Measured: 1.25 times as fast where pieces must
jump.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from interpreter.analysis.dependence import Shapes, shape_of

if TYPE_CHECKING:
    from interpreter.compiler.lowering.module_builder import ModuleBuilder


def excluded(program: ModuleBuilder, number: int) -> bool:
    """Whether a rule has no move where one of those before it has; False where the pass is off."""
    rules = program.rules.moves
    return program.passes.exclusion and number > 0 and all(
        earlier.is_step or excludes(earlier.when, rules[number], program.shapes) for earlier in rules[:number])


def excludes(when: hir.Expr | None, rule: hir.Move, shapes: Shapes) -> bool:
    """Whether a rule has no move where a condition holds."""
    conditions = when.operands if isinstance(when, hir.All) else (when,)
    return rule.when is None and any(_says_none(condition, rule, shapes) for condition in conditions)


def _says_none(condition: hir.Expr | None, rule: hir.Move, shapes: Shapes) -> bool:
    """Whether a condition says that there are no values for the first two choices of a rule."""
    match condition, rule.choices[:2]:
        case (hir.Quantified(kind="no", binding=hir.Binding(slot=slot, domain=first, guard=None),
                                 body=hir.Exists(collection=second)),
              (hir.Choice(slots=(chosen,), domain=ours, guard=None), hir.Choice(domain=next_, guard=None))):
            same = shape_of(first, shapes) == shape_of(ours, shapes) and not shape_of(first, shapes)[1]
            asked, listed = shape_of(second, shapes), shape_of(next_, shapes)
            return same and asked[0] == listed[0] and asked[1] in ((), (slot,)) and listed[1] in ((), (chosen,))
    return False

"""What is known of a move before its effects happen: the parts of a condition after them that they cannot change.

`then CHOICES when P` asks P of the position that the effects before it make. Of `P and Q` a part that reads nothing
that they write is the same before: `b is far` for a cell that was chosen, the value of another variable.
`interpreter.compiler.passes.beforehand` asks such parts first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import attrs

from dsl import hir
from dsl.checks.reads import reads, reads_itself
from dsl.words import Reads
from interpreter.analysis.dependence import free_slots
from interpreter.effects import EFFECTS


@attrs.frozen
class Written:
    """What effects may change."""

    parts: Reads
    """The parts of a position."""
    variables: frozenset[int]
    """The variables of which some value may be another, where the effects set variables one by one."""
    slots: frozenset[int]
    """The names that they bind."""

    @classmethod
    def by(cls, effects: Sequence[hir.Effect]) -> Written:
        """What some effects may change, those inside them included."""
        parts, variables, slots = Reads.NOTHING, set[int](), set[int]()
        for part in hir.walk(effects):
            if isinstance(part, hir.Effect):
                parts |= EFFECTS[type(part)].writes
                slots.update(hir.bound_in(part))
            if isinstance(part, hir.SetVariable):
                variables.add(part.number)
            if isinstance(part, hir.Keep):
                slots.add(part.slot)
        return cls(parts, frozenset(variables), frozenset(slots))

    def may_change(self, term: hir.Expr) -> bool:
        """Whether a term may be another thing after the effects."""
        if self.slots & free_slots(term, {}):
            return True
        both = reads(term) & self.parts
        if both != Reads.VARIABLES:
            return bool(both)
        readers = [part for part in hir.walk(term) if reads_itself(part) & Reads.VARIABLES]
        return any(not isinstance(part, hir.Variable) or part.number in self.variables for part in readers)


def known_before(condition: hir.Expr, effects: Sequence[hir.Effect],
                 may_fail: Callable[[hir.Expr], bool]) -> tuple[tuple[hir.Expr, ...], tuple[hir.Expr, ...]]:
    """The parts of a condition that is asked after effects that can be asked before them, and the others.

    A part in which a rule may fail stays where it is, as do those behind one: who asks them must come past it.
    """
    parts = tuple(_parts(condition))
    written = Written.by(effects)
    before, after = list[hir.Expr](), list[hir.Expr]()
    for place, part in enumerate(parts):
        if may_fail(part):
            after += parts[place:]
            break
        (after if written.may_change(part) else before).append(part)
    return tuple(before), tuple(after)


def _parts(condition: hir.Expr) -> Iterator[hir.Expr]:
    """What must hold for a condition to hold, in the order in which it is asked."""
    if isinstance(condition, hir.All):
        for part in condition.operands:
            yield from _parts(part)
    else:
        yield condition

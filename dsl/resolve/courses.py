"""Resolves tracks: named sequences of cells, `track inner = "a2" to "f2", "e1" to "e6" cyclic`.

`declared_courses(resolver)` returns the `hir.CourseKind` of each declaration. The code calls a declared track a course,
since tiles have tracks as well. Its cells are computed when the board is built (`interpreter.boards.courses`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.reads import reads_position
from dsl.resolve.expressions import ExprResolver
from dsl.resolve.scope import Scope
from dsl.resolve.sorts import CELL
from dsl.syntax import rules

if TYPE_CHECKING:
    from dsl.resolve.declarations import DeclarationResolver


def declared_courses(resolver: DeclarationResolver) -> tuple[hir.CourseKind, ...]:
    """The tracks of a file; mistakes in them are reported."""
    world = resolver.world
    result: list[hir.CourseKind] = []
    for item in resolver.all(rules.Course):
        if not world.declare(item.name, "track"):
            continue
        if not world.board.bounded:
            resolver.error("G241", "an unbounded board has no tracks, expected a board with fixed cells", item.span)
        terms = ExprResolver(world, Scope(nobody="'track'"))
        stretches = tuple(tuple(terms.value(point, CELL) for point in part.points) for part in item.stretches)
        for part, points in zip(item.stretches, stretches, strict=True):
            if any(map(reads_position, points)):
                resolver.error("G280", "a track cannot depend on the position, expected cells by their places",
                               part.span)
        world.courses[item.name.text] = len(result)
        result.append(hir.CourseKind(item.name.text, stretches, terms.scope.slots, item.cyclic, span=item.name.span))
    return tuple(result)

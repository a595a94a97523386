"""Words of tracks: steps along them, and the cells on the way. A track is its index in `Board.courses`."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from itertools import accumulate
from operator import and_, or_
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import CellBounds, OneOf
from dsl.resolve.sorts import COURSE
from interpreter.boards import mask_of, members
from interpreter.boards.courses import Course, around, ray_along, reach_along
from interpreter.compiler import ir
from interpreter.compiler.build import binary, element, expr, line, plus, times
from interpreter.model.state import WorkingState
from interpreter.words.meaning import Meaning

if TYPE_CHECKING:
    from interpreter.analysis.bounds import BoardBounds
    from interpreter.analysis.symmetry_proof import Key, Renaming
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function


class _NextAlong(Meaning):
    """`next(c, lap, n)`: the cell n steps ahead, none past the end of the track."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, (cell, track, *rest) = evaluator.board, evaluator.arguments(term)
        steps = rest[0] if rest else None

        def next_on_track(table: WorkingState, bound: Bound) -> int | None:
            origin, course = cell(table, bound), board.courses[track(table, bound)]
            number = 1 if steps is None else steps(table, bound)
            target = -1 if origin is None else course.ahead(origin, number)
            return None if target < 0 else target

        return next_on_track

    def bounds(self, known: BoardBounds, term: hir.Apply) -> OneOf:
        cell, track, *steps = term.arguments
        origin, courses = known.of(cell), known.of(track)
        number = known.of(steps[0]).single if steps else 1
        if number is None:
            return OneOf(known.board.everything, True)
        targets = [known.board.courses[course].ahead(place, number)
                   for place in members(origin.values) for course in members(courses.values)]
        return OneOf(mask_of(target for target in targets if target >= 0), origin.none or -1 in targets)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        cell, track, *steps = term.arguments
        courses = terms.board.courses
        origin, course, count = terms.value(cell), terms.known(track), len(courses)
        if not steps:
            ahead = [course.ahead(cell, 1) for cell in range(terms.board.size) for course in courses]
            table = terms.program.tables.table("next_on_track", [-1] * count + ahead)
            return element(line(table), plus(plus(times(origin, count), course), count))
        tables = {"begins": _begins(terms), "lengths": [len(course.cells) for course in courses],
                  "cyclic": [int(course.cyclic) for course in courses]}
        name = terms.sets.library.put(
            "cell_ahead", count=count, **_places(terms, "first", "cell_at"),
            **{key: terms.program.tables.table(f"tracks_{key}", values) for key, values in tables.items()})
        return terms.sets.called(name, origin, course, terms.known(steps[0]))


class _Along(Meaning):
    """The cells after a cell on a track, as far as they are in a set."""

    def __init__(self, walked: Callable[[Course, int, int], int]) -> None:
        self.walked = walked
        """A function from a track, a cell and a set to the cells on the way."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, (cell, track, *rest) = evaluator.board, evaluator.arguments(term)
        within, walked = rest[0] if rest else None, self.walked

        def along(table: WorkingState, bound: Bound) -> int:
            origin, course = cell(table, bound), board.courses[track(table, bound)]
            allowed = board.everything if within is None else within(table, bound)
            return 0 if origin is None else walked(course, origin, allowed)

        return along

    def bounds(self, known: BoardBounds, term: hir.Apply) -> CellBounds:
        """The bounds for those of the set, in which the result is monotonic."""
        cell, track, *within = term.arguments
        origin, courses = known.of(cell), known.of(track)
        everything = known.board.everything
        allowed = known.cells(within[0]) if within else CellBounds(everything, everything)
        certain = origin.single is not None and courses.single is not None
        least = most = 0
        for place in members(origin.values):
            for course in members(courses.values):
                most |= self.walked(known.board.courses[course], place, allowed.most)
                least |= self.walked(known.board.courses[course], place, allowed.least) if certain else 0
        return CellBounds(least, most)


class _RayAlong(_Along):
    """`ray(c, lap, S)`: the cells after one on a track, up to the first outside a set, which is excluded."""

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        origin, course, allowed = _walk(terms, term)
        name = terms.sets.library.put("ray_on_track", count=len(terms.board.courses),
                                      **_places(terms, "first", "more", "after", "cell_at"))
        return terms.sets.called(name, origin, course, allowed)


class _ReachAlong(_Along):
    """`reach(c, lap, S)`: the cells after one on a track, up to and including the first outside a set."""

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        origin, course, allowed = _walk(terms, term)
        return terms.sets.called(_reached(terms), origin, course, allowed, expr(0))


class _Around(_Along):
    """`around(c, lap, S)`: like `reach` in both directions, but only the cells after the first bend."""

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        origin, course, allowed = _walk(terms, term)
        name = _reached(terms)
        return terms.sets.either(terms.sets.called(name, origin, course, allowed, expr(1)),
                                 terms.sets.called(name, origin, binary("^", course, 1), allowed, expr(1)))

    def image(self, renaming: Renaming, term: hir.Apply) -> Key:
        """The same for both directions of a track."""
        keys = renaming.arguments(term)
        if isinstance(term.arguments[1], hir.Literal) and term.arguments[1].sort == COURSE:
            keys[2] = ("literal", keys[2][1] & ~1)
        return (term.function, *keys)


class _Back(Meaning):
    """`opposite(lap)`: the same track in the other direction."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        (track,) = evaluator.arguments(term)
        return lambda table, bound: track(table, bound) ^ 1

    def bounds(self, known: BoardBounds, term: hir.Apply) -> OneOf:
        courses = known.of(term.arguments[0])
        return OneOf(mask_of(course ^ 1 for course in members(courses.values)), courses.none)

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        return binary("^", terms.known(term.arguments[0]), 1)


class _OnTrack(Meaning):
    """The cells of a track, where its name stands for a set."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        board, (track,) = evaluator.board, evaluator.arguments(term)
        return lambda table, bound: board.courses[track(table, bound)].everything

    def bounds(self, known: BoardBounds, term: hir.Apply) -> CellBounds:
        result = [known.board.courses[course].everything for course in members(known.of(term.arguments[0]).values)]
        if not result:
            return CellBounds(0, known.board.everything)
        return CellBounds(reduce(and_, result), reduce(or_, result))

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        table = terms.sets.table("track_cells", [course.everything for course in terms.board.courses])
        return terms.sets.of_table(table, terms.known(term.arguments[0]))


# ---- lowering


def _walk(terms: ExprLowering, term: hir.Apply) -> tuple[ir.Expr, ir.Expr, ir.Expr]:
    """The IR of the cell where a walk begins, its track, and the set whose cells it follows."""
    cell, track, *within = term.arguments
    origin = terms.name(terms.value(cell), "cell")
    allowed = terms.sets.everything if not within else terms.name(terms.cells(within[0]), "within")
    return origin, terms.name(terms.known(track), "track"), allowed


def _reached(terms: ExprLowering) -> str:
    """The runtime function that gives the cells on the way, up to and including the first outside a set."""
    return terms.sets.library.put("reached_on_track", count=len(terms.board.courses),
                                  **_places(terms, "first", "more", "after", "cell_at", "bends"))


def _begins(terms: ExprLowering) -> list[int]:
    """The offset of the first place of each track, and the total number of places."""
    return [0, *accumulate(len(course.cells) for course in terms.board.courses)]


def _places(terms: ExprLowering, *wanted: str) -> dict[str, str]:
    """The wanted tables of places, by name; see `interpreter.compiler.runtime.courses`."""
    board, begins = terms.board, _begins(terms)
    tables: dict[str, list[int]] = {"first": [], "more": [], "after": [], "cell_at": [], "bends": []}
    for cell in range(board.size):
        for begin, course in zip(begins, board.courses, strict=False):
            tables["first"].append(begin + course.places[cell][0] if cell in course.places else -1)
    for begin, course in zip(begins, board.courses, strict=False):
        last = len(course.cells) - 1
        for index, cell in enumerate(course.cells):
            later = [other for other in course.places[cell] if other > index]
            tables["more"].append(begin + later[0] if later else -1)
            tables["after"].append(begin + index + 1 if index < last else begin if course.cyclic else -1)
            tables["cell_at"].append(cell)
            tables["bends"].append(int(course.bends[index]))
    return {name: terms.program.tables.table(f"tracks_{name}", tables[name]) for name in wanted}


MEANINGS = {
    "next_along": _NextAlong(),
    "ray_along": _RayAlong(ray_along),
    "reach_along": _ReachAlong(lambda course, cell, through: reach_along(course, cell, through, 0)),
    "around": _Around(around),
    "track_back": _Back(),
    "track_cells": _OnTrack(),
}

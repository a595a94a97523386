"""Lowering what is asked of tracks: steps along them, and the cells that are met on the way."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING

from dsl import hir
from interpreter.compiler import ir
from interpreter.compiler.build import binary, element, expr, line, plus, times

if TYPE_CHECKING:
    from interpreter.compiler.lowering.expressions import ExprLowering


def next_cell(terms: ExprLowering, arguments: Sequence[hir.Expr]) -> ir.Expr:
    """The cell some steps on along a track, -1 for none."""
    cell, track, *steps = arguments
    origin, course, count = terms.value(cell), terms.known(track), len(terms.board.courses)
    if not steps:
        ahead = [course.ahead(cell, 1) for cell in range(terms.board.size) for course in terms.board.courses]
        table = terms.program.tables.table("next_on_track", [-1] * count + ahead)
        return element(line(table), plus(plus(times(origin, count), course), count))
    courses = terms.board.courses
    tables = {"begins": _begins(terms), "lengths": [len(course.cells) for course in courses],
              "cyclic": [int(course.cyclic) for course in courses]}
    name = terms.sets.library.put(
        "cell_ahead", count=count, **_places(terms, "first", "cell_at"),
        **{key: terms.program.tables.table(f"tracks_{key}", values) for key, values in tables.items()})
    return terms.sets.called(name, origin, course, terms.known(steps[0]))


def met(terms: ExprLowering, function: str, arguments: Sequence[hir.Expr]) -> ir.Expr:
    """The cells that are met from one on: those of a set (`ray_along`), or these and the first that is not in it."""
    sets, count = terms.sets, len(terms.board.courses)
    cell, track, *within = arguments
    origin = terms.name(terms.value(cell), "cell")
    allowed = sets.everything if not within else terms.name(terms.cells(within[0]), "within")
    course = terms.name(terms.known(track), "track")
    if function == "ray_along":
        name = sets.library.put("ray_on_track", count=count, **_places(terms, "first", "more", "after", "cell_at"))
        return sets.called(name, origin, course, allowed)
    name = sets.library.put("reached_on_track", count=count,
                            **_places(terms, "first", "more", "after", "cell_at", "bends"))
    if function == "reach_along":
        return sets.called(name, origin, course, allowed, expr(0))
    return sets.either(sets.called(name, origin, course, allowed, expr(1)),
                       sets.called(name, origin, binary("^", course, 1), allowed, expr(1)))


def on_track(terms: ExprLowering, track: hir.Expr) -> ir.Expr:
    """The cells of a track."""
    table = terms.sets.table("track_cells", [course.everything for course in terms.board.courses])
    return terms.sets.of_table(table, terms.known(track))


def _begins(terms: ExprLowering) -> list[int]:
    """The first place of each track, and how many there are in all."""
    return [0, *accumulate(len(course.cells) for course in terms.board.courses)]


def _places(terms: ExprLowering, *wanted: str) -> dict[str, str]:
    """Some of the tables of places, by name; see `interpreter.compiler.runtime.courses`."""
    board, begins = terms.board, _begins(terms)
    tables: dict[str, list[int]] = {"first": [], "more": [], "after": [], "cell_at": [], "bends": []}
    for cell in range(board.size):
        for begin, course in zip(begins, board.courses, strict=False):
            tables["first"].append(begin + course.places[cell][0] if cell in course.places else -1)
    for begin, course in zip(begins, board.courses, strict=False):
        last = len(course.cells) - 1
        for place, cell in enumerate(course.cells):
            later = [other for other in course.places[cell] if other > place]
            tables["more"].append(begin + later[0] if later else -1)
            tables["after"].append(begin + place + 1 if place < last else begin if course.cyclic else -1)
            tables["cell_at"].append(cell)
            tables["bends"].append(int(course.bends[place]))
    return {name: terms.program.tables.table(f"tracks_{name}", tables[name]) for name in wanted}

"""Builds the parts of a playable game from resolved rules: the board, the symmetries, the engine.

Errors that can only be found with the board (an unknown cell, a symmetry that this shape lacks) are reported here, as
diagnostics like the checker's.
"""

from __future__ import annotations

from itertools import chain, pairwise

import attrs

from dsl import hir
from dsl.diagnostics import Diagnostic, did_you_mean, error
from dsl.resolve.sorts import COURSE
from dsl.words import WORDS
from interpreter.boards import Board, BoardError, build, members
from interpreter.boards.courses import Course
from interpreter.model.state import State, WorkingState
from interpreter.model.state_maps import StateMap, generators, group
from interpreter.semantics.engine import Engine
from interpreter.semantics.evaluate import Evaluator
from interpreter.semantics.networks import LinkLayer


def build_board(rules: hir.Rules) -> Board | Diagnostic:
    """The board of a game, or a diagnostic where it cannot be built."""
    kind = rules.board
    try:
        board = build(kind.kind, kind.shape, paths=kind.paths, diagonals=kind.diagonals)
    except BoardError as problem:
        return error("G224", str(problem), kind.span)
    try:
        if kind.coordinates is not None:
            board = build(kind.kind, kind.shape, coordinates=kind.coordinates, diagonals=kind.diagonals)
    except BoardError as problem:
        return error("G233", str(problem), kind.coordinates_span or kind.span)
    try:
        if kind.without is not None:
            missing = _missing(kind.without, board)
            if missing is not None:
                return missing
            table = _empty(rules, board)
            removed = Evaluator(rules, board).compile(kind.without)(table, [None] * hir.slots_of(kind.without))
            board = build(kind.kind, kind.shape, coordinates=kind.coordinates, without=frozenset(members(removed)),
                          diagonals=kind.diagonals)
    except BoardError as problem:
        return error("G224", str(problem), kind.span)
    result = _with_courses(rules, board)
    return _with_layers(rules, result) if isinstance(result, Board) else result


def _empty(rules: hir.Rules, board: Board) -> WorkingState:
    """A working state with an empty board."""
    return WorkingState(State((board.everything, *([0] * (len(rules.pieces) - 1))), (), 0, 0, None))


def _with_courses(rules: hir.Rules, board: Board) -> Board | Diagnostic:
    """The board with the tracks that the rules declare, each in both directions."""
    tracks: list[Course] = []
    table = _empty(rules, board)
    for kind in rules.courses:
        missing = _missing(kind.stretches, board)
        if missing is not None:
            return missing
        stretches: list[tuple[int, ...]] = []
        for points in kind.stretches:
            span = points[0].span.to(points[-1].span)
            bound: list[int | None] = [None] * kind.slots
            named = [Evaluator(rules, board).compile(point)(table, bound) for point in points]
            if None in named:
                return error("G281", f"there is no such cell, expected one of the board's {board.size} cells", span)
            stretch = named[:1]
            for one, other in pairwise(named):
                line = board.straight(one, other)
                if not line:
                    phrase = f"no straight line leads from {board.names[one]} to {board.names[other]}, " \
                             "expected cells in one line"
                    return error("G281", phrase, span, help="cells can be listed one by one: a, b, c")
                stretch += line[1:]
            first = stretch[0]
            if stretches and stretches[-1][-1] == first:
                phrase = f"the track comes to {board.names[first]} twice on end, expected each cell of a bend once"
                return error("G281", phrase, span)
            stretches.append(tuple(stretch))
        cells = tuple(chain.from_iterable(stretches))
        if len(cells) < 2 or (kind.cyclic and cells[0] == cells[-1]):
            return error("G281", f"the track '{kind.name}' ends where it begins, expected another cell; of a cyclic "
                         "track the first comes after the last by itself", kind.span)
        bends = tuple(index == len(stretch) - 1 for stretch in stretches for index in range(len(stretch)))
        course = Course(kind.name, cells, bends, kind.cyclic)
        tracks += [course, course.back()]
    return attrs.evolve(board, courses=tuple(tracks)) if tracks else board


def crossing_tracks(rules: hir.Rules, board: Board) -> list[Diagnostic]:
    """Errors where the rules use *the* place of a cell on a track that visits a cell more than once."""
    result: dict[object, Diagnostic] = {}
    for part in hir.walk_rules(rules):
        if isinstance(part, hir.Apply) and WORDS[part.function].each_once:
            for inner in hir.walk(part.arguments):
                if not isinstance(inner, hir.Literal) or inner.sort != COURSE or inner.value is None:
                    continue
                course = board.courses[inner.value]
                if course.twice is not None:
                    cell = board.names[course.twice]
                    word = WORDS[part.function].example.partition("(")[0]
                    phrase = f"'{word}' on the track '{course.name}', which comes to {cell} more than once, " \
                             "expected a track that comes to each cell once"
                    result[part.span] = error("G282", phrase, part.span,
                                              help=f"ray(c, {course.name}) goes on from all its places")
    return list(result.values())


def _missing(terms: object, board: Board) -> Diagnostic | None:
    """The error for a cell that terms name and the board lacks; None where there is none."""
    missing = next((part for part in hir.walk(terms) if isinstance(part, hir.NamedCell)
                    and board.cell_named(part.name) is None), None)
    return None if missing is None else _unknown_cell(missing, board)


def _with_layers(rules: hir.Rules, board: Board) -> Board | Diagnostic:
    """The board with the kinds of links that the rules declare."""
    layers = []
    table = _empty(rules, board)
    for kind in rules.layers:
        missing = _missing(kind.others, board)
        if missing is not None:
            return missing
        of = Evaluator(rules, board).compile(kind.others)
        others = []
        for cell in range(board.size):
            bound: list[int | None] = [None] * kind.slots
            bound[kind.slot] = cell
            others.append(of(table, bound))
        try:
            layer = LinkLayer.make(kind.name, board, others, never_crossing=kind.never_crossing)
        except BoardError as problem:
            return error("G242", str(problem), kind.span)
        if not layer.pairs:
            return error("G242", f"on this board no two cells can be linked by '{kind.name}'", kind.span)
        layers.append(layer)
    return attrs.evolve(board, layers=tuple(layers)) if layers else board


def unknown_cells(rules: hir.Rules, board: Board) -> list[Diagnostic]:
    """Errors for cells that the rules name and the board lacks."""
    result: dict[object, Diagnostic] = {}
    for part in hir.walk_rules(rules):
        if isinstance(part, hir.NamedCell) and board.cell_named(part.name) is None:
            result[part.span] = _unknown_cell(part, board)
    return list(result.values())


def _unknown_cell(part: hir.NamedCell, board: Board) -> Diagnostic:
    help_text, suggestion = did_you_mean(part.name, board.names)
    return error("G234", f"the board has no cell \"{part.name}\"", part.span,
                 help=help_text or f"its cells are {board.names[0]} to {board.names[-1]}", suggestion=suggestion)


def build_symmetries(
        rules: hir.Rules, board: Board) -> tuple[list[tuple[hir.Symmetry, list[StateMap]]], list[Diagnostic]]:
    """The maps of each declared symmetry, and errors for symmetries that the board lacks."""
    maps: list[tuple[hir.Symmetry, list[StateMap]]] = []
    problems = []
    for symmetry in rules.symmetries:
        try:
            maps.append((symmetry, generators(rules, board, symmetry)))
        except BoardError as problem:
            problems.append(error("G306", str(problem), symmetry.span))
    return maps, problems


def full_group(rules: hir.Rules, board: Board, maps: list[StateMap]) -> tuple[StateMap, ...]:
    """The group generated by the maps of declared symmetries. Raises BoardError where it is too large."""
    return group(rules, board, maps)


def swap_map(maps: list[tuple[hir.Symmetry, list[StateMap]]]) -> StateMap | None:
    """The symmetry by which the pie rule swaps sides: the first declared one that swaps the players."""
    return next((element for symmetry, elements in maps if symmetry.swapping for element in elements), None)


def make_engine(rules: hir.Rules, board: Board, swap: StateMap | None, *, ignore_ends: bool = False,
                remember: bool = True) -> Engine:
    """An engine for the rules, with the map by which sides are swapped."""
    engine = Engine(rules, board, ignore_ends=ignore_ends, remember=remember)
    engine.swap = swap
    return engine

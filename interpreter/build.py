"""From resolved rules to a game that can be played: the board, the symmetries, the engine.

What can only be seen with the board at hand (a cell's name, a symmetry that this shape lacks) is reported here, as
diagnostics like the checker's.
"""

from __future__ import annotations

import attrs

from dsl import hir
from dsl.diagnostics import Diagnostic, did_you_mean, error
from interpreter.boards import Board, BoardError, build, members
from interpreter.model.state import State, WorkingState
from interpreter.model.state_maps import StateMap, generators, group
from interpreter.semantics.engine import Engine
from interpreter.semantics.evaluate import Evaluator
from interpreter.semantics.networks import LinkLayer


def build_board(rules: hir.Rules) -> Board | Diagnostic:
    """The board of a game."""
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
            missing = next((part for part in hir.walk(kind.without) if isinstance(part, hir.NamedCell)
                            and board.cell_named(part.name) is None), None)
            if missing is not None:
                return _unknown_cell(missing, board)
            table = _empty(rules, board)
            removed = Evaluator(rules, board).compile(kind.without)(table, [None] * hir.slots_of(kind.without))
            board = build(kind.kind, kind.shape, coordinates=kind.coordinates, without=frozenset(members(removed)),
                          diagonals=kind.diagonals)
    except BoardError as problem:
        return error("G224", str(problem), kind.span)
    return _with_layers(rules, board)


def _empty(rules: hir.Rules, board: Board) -> WorkingState:
    """A table with nothing on it."""
    return WorkingState(State((board.everything, *([0] * (len(rules.pieces) - 1))), (), 0, 0, None))


def _with_layers(rules: hir.Rules, board: Board) -> Board | Diagnostic:
    """The board with the kinds of links that the rules name."""
    layers = []
    table = _empty(rules, board)
    for kind in rules.layers:
        missing = next((part for part in hir.walk(kind.others) if isinstance(part, hir.NamedCell)
                        and board.cell_named(part.name) is None), None)
        if missing is not None:
            return _unknown_cell(missing, board)
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
    """Cells that the rules name and the board does not have."""
    found: dict[object, Diagnostic] = {}
    for part in hir.walk_rules(rules):
        if isinstance(part, hir.NamedCell) and board.cell_named(part.name) is None:
            found[part.span] = _unknown_cell(part, board)
    return list(found.values())


def _unknown_cell(part: hir.NamedCell, board: Board) -> Diagnostic:
    help_text, suggestion = did_you_mean(part.name, board.names)
    return error("G234", f"the board has no cell \"{part.name}\"", part.span,
                 help=help_text or f"its cells are {board.names[0]} to {board.names[-1]}", suggestion=suggestion)


def build_symmetries(
        rules: hir.Rules, board: Board) -> tuple[list[tuple[hir.Symmetry, list[StateMap]]], list[Diagnostic]]:
    """The maps of each declared symmetry, and what the board does not have."""
    maps: list[tuple[hir.Symmetry, list[StateMap]]] = []
    problems = []
    for symmetry in rules.symmetries:
        try:
            maps.append((symmetry, generators(rules, board, symmetry)))
        except BoardError as problem:
            problems.append(error("G306", str(problem), symmetry.span))
    return maps, problems


def full_group(rules: hir.Rules, board: Board, maps: list[StateMap]) -> tuple[StateMap, ...]:
    """All products of the declared symmetries. Raises BoardError when there are too many."""
    return group(rules, board, maps)


def swap_map(maps: list[tuple[hir.Symmetry, list[StateMap]]]) -> StateMap | None:
    """The symmetry by which the pie rule swaps sides: the first declared one that swaps the players."""
    return next((element for symmetry, elements in maps if symmetry.swapping for element in elements), None)


def make_engine(rules: hir.Rules, board: Board, swap: StateMap | None, *, ignore_ends: bool = False,
                remember: bool = True) -> Engine:
    """An engine that knows how sides are swapped."""
    engine = Engine(rules, board, ignore_ends=ignore_ends, remember=remember)
    engine.swap = swap
    return engine

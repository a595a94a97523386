"""Isomorphism of games on different boards: a map of one board onto the other that maps all rules.

`isomorphism(one, other)` searches for a map between two lattices, such as the reflection that turns a board of 3 rows
and 2 columns into one of 2 rows and 3 columns, under which every rule of the one game becomes that of the other, by the
normal forms of `interpreter.analysis.symmetry_proof`. Where these do not cover the rules (the order in which forced
rules and `each` apply, links, tracks, the pie rule, unbounded boards), nothing is proved, and the result is None.
"""

from __future__ import annotations

from functools import cached_property

import attrs

from dsl import hir
from interpreter.analysis.symmetry_proof import Key, Renaming, Unclear
from interpreter.boards import Board
from interpreter.game import Game
from interpreter.model.board_maps import BoardError, BoardMap
from interpreter.model.state_maps import StateMap, state_map


@attrs.frozen(slots=False)
class MapOntoOther(BoardMap):
    """A bijective map of a board onto another board; rows and columns are mapped to those of the other board."""

    other_rows: tuple[int, ...] = attrs.field(eq=False, repr=False)
    other_columns: tuple[int, ...] = attrs.field(eq=False, repr=False)

    @cached_property
    def rows(self) -> tuple[int, ...] | None:
        """The other board's row that each row is mapped to; None unless all are mapped to rows, of the same number."""
        return self._among(self.row_sets, self.other_rows)

    @cached_property
    def columns(self) -> tuple[int, ...] | None:
        """The same for columns."""
        return self._among(self.column_sets, self.other_columns)

    def _among(self, sets: tuple[int, ...], others: tuple[int, ...]) -> tuple[int, ...] | None:
        images = tuple(others.index(image) if (image := self.of_set(mask)) in others else -1 for mask in sets)
        return None if -1 in images or len(sets) != len(others) or 0 in sets else images


def isomorphism(one: Game, other: Game) -> BoardMap | None:
    """A map of one game's board onto the other's that maps all rules and the start; None where none is proved.

    The positions of two isomorphic games correspond by the map, so that their values and counts are the same.
    """
    if not _followed(one) or not _followed(other) or not _same_frame(one, other):
        return None
    try:
        wanted = _form(other, None)
    except Unclear:
        return None
    for cells in board_maps(one.board, other.board):
        try:
            element = state_map(one.rules, one.board, cells, swapping=False, reversing=())
            carried = _form(one, element)
        except (Unclear, BoardError):
            continue
        if carried == wanted and element.of_state(one.engine.start()) == other.engine.start():
            return cells
    return None


def board_maps(one: Board, other: Board) -> list[BoardMap]:
    """The maps of a bounded lattice onto another that preserve steps, from the matrices of their kind of board."""
    kind = one.kind
    if one.unbounded or other.unbounded or one.kind is not other.kind or one.paths or one.size != other.size:
        return []
    place = {point: cell for cell, point in enumerate(_at_origin(other.points))}
    steps = list(kind.steps.values())
    result = []
    for name, ((a, b), (c, d)) in kind.matrices.items():
        def image(point: tuple[int, int], matrix: tuple[int, int, int, int] = (a, b, c, d)) -> tuple[int, int]:
            return (matrix[0] * point[0] + matrix[1] * point[1], matrix[2] * point[0] + matrix[3] * point[1])

        cells = [place.get(point, -1) for point in _at_origin([image(point) for point in one.points])]
        ways = [steps.index(image(step)) if image(step) in steps else -1 for step in steps]
        if -1 in cells or -1 in ways:
            continue
        result.append(MapOntoOther(name, tuple(cells), tuple(ways), tuple(one.rows), tuple(one.columns),
                                   tuple(other.rows), tuple(other.columns)))
    return [cells for cells in result if _keeps_steps(cells, one, other)]


def _at_origin(points: tuple[tuple[int, int], ...] | list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Points shifted so that their least coordinates are 0."""
    first, second = min(x for x, _ in points), min(y for _, y in points)
    return [(x - first, y - second) for x, y in points]


def _keeps_steps(cells: BoardMap, one: Board, other: Board) -> bool:
    for cell, steps in enumerate(one.steps):
        there = other.steps[cells.cells[cell]]
        for way, after in enumerate(steps):
            if there[cells.directions[way]] != (-1 if after < 0 else cells.cells[after]):
                return False
    return all(cells.of_set(near) == other.neighbours[cells.cells[cell]] for cell, near in enumerate(one.neighbours))


_COMPARED = frozenset({
    "players", "board", "pieces", "variables", "enumerations", "start", "moves", "after", "illegal", "passing", "again",
    "passes", "ends", "no_moves", "repetition", "repetition_at"})
"""The fields of rules that are compared."""
_SAYING_NOTHING = frozenset({
    "source", "title", "params", "genre", "start_slots", "symmetries", "notations", "value", "empty_glyph",
    "cells_drawn", "no_moves_span", "repetition_span"})
"""The fields of rules that do not affect play."""


def _followed(game: Game) -> bool:
    """Whether normal forms cover all rules of a game: other fields than those above must be empty."""
    rules = game.rules
    if any(getattr(rules, field.name) for field in attrs.fields(hir.Rules)
           if field.name not in _COMPARED | _SAYING_NOTHING):
        return False
    ordered = any(isinstance(part, hir.Each) for part in hir.walk_rules(rules))
    return not (ordered or game.board.unbounded)


def _same_frame(one: Game, other: Game) -> bool:
    """Whether everything independent of cells is equal in both: players, pieces, variables, `no moves`, repetition."""
    def frame(rules: hir.Rules) -> tuple[object, ...]:
        return (len(rules.players), [(piece.owner, piece.sides) for piece in rules.pieces],
                [(kind.index, kind.sort, kind.or_none, kind.aside) for kind in rules.variables],
                [(kind.values, kind.shapes) for kind in rules.enumerations],
                rules.no_moves, rules.repetition, rules.repetition_at,
                rules.order, rules.loop, rules.sides)

    return frame(one.rules) == frame(other.rules)


def _form(game: Game, element: StateMap | None) -> Key:
    """The normal form of all rules, in order, or of their images under a map. Raises Unclear."""
    rules = game.rules
    renaming = Renaming(rules, game.board, element)
    passing = () if rules.passing is None else (rules.passing,)
    groups = (rules.moves, rules.after, rules.illegal, rules.again, rules.passes, rules.ends, passing)
    return tuple(tuple(renaming.rule(item) for item in group) for group in groups)

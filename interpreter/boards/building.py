"""Builds boards: from a kind and its shape, or from the paths of a graph."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from dsl.boards import KINDS
from dsl.boards.kind import Diagonals, Kind, Shape
from dsl.boards.window import Window
from interpreter.boards.board import Board
from interpreter.boards.coordinates import Coordinates
from interpreter.boards.sets import mask_of
from interpreter.model.board_maps import BoardError

MOST_CELLS = 10_000
"""Larger boards are refused: a set of cells for each cell would outgrow memory."""


def build(
    kind: str,
    shape: tuple[int, ...],
    *,
    coordinates: str | None = None,
    without: frozenset[int] = frozenset(),
    paths: Iterable[Sequence[str]] = (),
    diagonals: Diagonals | None = None,
) -> Board:
    """Build a board.

    `kind` and `shape` are the word of a kind and its arguments, `coordinates` a template (see `Coordinates`), `without`
    the cells of the full board to leave out: the others are renumbered and keep their names, rows, columns and regions.
    A graph takes `paths` instead: each joins every cell that it names to the next, and a path of one name adds a cell.
    With `diagonals` cells of a square board that touch at a corner are neighbours as well: for all cells, or with
    `alternate` for those with an even sum of row and column.

    Raises BoardError for a board that is not possible.
    """
    if kind not in KINDS:
        raise BoardError(f"there is no board {kind!r}, expected one of: {', '.join(KINDS)}")
    asked = KINDS[kind]
    if len(shape) != len(asked.arguments):
        raise BoardError(f"{kind} was given {len(shape)} numbers, expected {len(asked.arguments)}: "
                         f"{', '.join(asked.arguments) or 'none'}")
    for argument, value in zip(asked.arguments, shape, strict=True):
        if value < 1:
            raise BoardError(f"{kind} was given {value} for {argument}, expected at least 1")
    if asked.of_paths:
        if coordinates is not None or without:
            raise BoardError(f"a {kind} takes neither coordinates nor cells left out: its links name its cells")
        return _build_graph(asked, paths)
    if tuple(paths):
        raise BoardError(f"{kind} brings its own neighbours, expected links on a graph only")
    count = asked.cell_count(shape)
    if count > MOST_CELLS and not asked.bounded:
        most = max(room for room in range(1, MOST_CELLS) if asked.cell_count((room,)) <= MOST_CELLS)
        raise BoardError(f"{kind} was given {shape[0]} rows and columns, expected at most {most}")
    if count > MOST_CELLS:
        raise BoardError(f"{kind} was given a shape of {count} cells, expected at most {MOST_CELLS}")
    return _build_lattice(asked, shape, diagonals, coordinates, without)


def _build_lattice(kind: Kind, shape: Shape, diagonals: Diagonals | None, coordinates: str | None,
                   without: frozenset[int]) -> Board:
    """Build a board on the lattice of a kind."""
    full = kind.cells(shape)
    if not without <= frozenset(range(len(full))):
        raise BoardError(f"{kind.word} has cells 0 to {len(full) - 1}, but {sorted(without)} were to be left out")
    cells = [place for cell, place in enumerate(full) if cell not in without]
    if not cells:
        raise BoardError(f"every cell of the {kind.word} board is left out, expected one to stay")
    row_count, column_count = kind.row_count(shape), kind.column_count(shape)
    template = Coordinates.parse(kind.coordinates if coordinates is None else coordinates)
    points = [kind.point(shape, row, column) for row, column in cells]
    at = {point: cell for cell, point in enumerate(points)}
    steps = tuple(tuple(at.get((x + dx, y + dy), -1) for dx, dy in kind.steps.values()) for x, y in points)
    straight, every = ([kind.directions.index(direction) for direction in words]
                       for words in (kind.direction_sets[kind.neighbouring], kind.directions))
    adjacent = [every if diagonals == "all" or (diagonals == "alternate" and (row + column) % 2 == 0) else straight
                for row, column in cells]
    return Board(
        kind=kind,
        shape=shape,
        coordinates=template,
        names=_names(kind, shape, full, cells, template),
        row_of=tuple(row for row, _ in cells),
        column_of=tuple(column for _, column in cells),
        row_count=row_count,
        column_count=column_count,
        directions=kind.directions,
        steps=steps,
        neighbours=tuple(mask_of(step[way] for way in ways if step[way] >= 0)
                         for step, ways in zip(steps, adjacent, strict=True)),
        regions={
            name: mask_of(cell for cell, (row, column) in enumerate(cells) if belongs(shape, row, column))
            for name, belongs in kind.regions.items()
        },
        rows=_masks_by((row for row, _ in cells), row_count),
        columns=_masks_by((column for _, column in cells), column_count),
        places=tuple(kind.place(shape, row, column) for row, column in cells),
        points=tuple(points),
    )


def _names(kind: Kind, shape: Shape, full: Sequence[tuple[int, int]], cells: Sequence[tuple[int, int]],
           template: Coordinates) -> tuple[str, ...]:
    """The names of cells by a template. Raises BoardError where two are the same."""
    hidden = kind.home(shape) - 1 if isinstance(kind, Window) else 0
    column_count = kind.column_count(shape)
    heights = [kind.row_count(shape)] * column_count
    if kind.rows_within_columns:
        heights = [0] * column_count
        for row, column in full:
            heights[column] = max(heights[column], row + 1)
    names: dict[str, None] = {}
    for row, column in cells:
        name = template.name(template.row.text(row - hidden, heights[column]),
                             template.column.text(column - hidden, column_count))
        if name in names:
            raise BoardError(f"coordinates {template.template!r} name two cells {name!r}, expected for instance a"
                             " letter or a dot between two numbers")
        names[name] = None
    return tuple(names)


def _masks_by(keys: Iterable[int], count: int) -> tuple[int, ...]:
    """For each key from 0 to `count - 1`, the bitmask of the cells that have it."""
    masks = [0] * count
    for cell, key in enumerate(keys):
        masks[key] |= 1 << cell
    return tuple(masks)


def _build_graph(kind: Kind, paths: Iterable[Sequence[str]]) -> Board:
    """Build a graph board from its paths, with its cells placed on a circle, clockwise from the top."""
    index: dict[str, int] = {}
    near: list[set[int]] = []
    paths = tuple(tuple(path) for path in paths)
    for path in paths:
        for name in path:
            if name not in index:
                index[name] = len(near)
                near.append(set())
        for here, there in pairwise(path):
            if here == there:
                raise BoardError(f"the graph links {here!r} to itself, expected another cell")
            near[index[here]].add(index[there])
            near[index[there]].add(index[here])
    size = len(near)
    if not 1 <= size <= MOST_CELLS:
        raise BoardError(f"the graph has {size} cells, expected 1 to {MOST_CELLS}")
    radius = 0.5 / math.sin(math.pi / size) if size > 1 else 0.0
    angles = [2 * math.pi * cell / size for cell in range(size)]
    return Board(
        kind=kind,
        shape=(),
        coordinates=None,
        names=tuple(index),
        row_of=(),
        column_of=(),
        row_count=0,
        column_count=0,
        directions=(),
        steps=((),) * size,
        neighbours=tuple(mask_of(cells) for cells in near),
        regions=dict.fromkeys(kind.regions, (1 << size) - 1),
        rows=(),
        columns=(),
        places=tuple((radius * math.sin(angle), -radius * math.cos(angle)) for angle in angles),
        points=(),
        paths=tuple(tuple(index[name] for name in path) for path in paths),
    )

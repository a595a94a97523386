"""Lines, rays, shifts of whole sets and sights in plain Python, compared with walks from cell to cell."""

from __future__ import annotations

from functools import cache, partial

import networkx as nx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from interpreter.boards import Board, build
from interpreter.compiler.lowering import sets
from interpreter.compiler.lowering.sets import Sets
from interpreter.compiler.lowering.writer import Tables
from interpreter.compiler.passes.shifts import places_of, runs_of
from interpreter.compiler.passes.sliding_attacks import _rows, _usable
from interpreter.compiler.runtime import floods, lines, sliding_attacks
from tests.runtime import cells_of, mask_of, masks, starts_of, steps_of, table_of, words_of

SHAPES = (("square", (3, 4)), ("square", (9, 10)), ("hexagon", (3,)), ("hexagon", (6,)), ("rhombus", (9, 9)))
LENGTHS = (1, 2, 3, 4, 5)


@cache
def board_of(kind: str, shape: tuple[int, ...]) -> Board:
    """Build a board, once."""
    return build(kind, shape)


boards = st.sampled_from(SHAPES).map(lambda made: board_of(*made))
shifted = st.sampled_from([made for made in SHAPES if made[0] != "hexagon"]).map(lambda made: board_of(*made))
"""Boards on which steps are shifts."""


def words_on(board: Board) -> int:
    """The number of words of its sets."""
    return -(-board.size // 64)


def walk(board: Board, cell: int, way: int) -> list[int]:
    """The cells from a cell on in a direction, in order."""
    found = []
    while (cell := board.steps[cell][way]) >= 0:
        found.append(cell)
    return found


def lines_of(board: Board, length: int) -> list[set[int]]:
    """All straight lines of the given length, found by walks."""
    found = []
    for cell in range(board.size):
        for way in range(len(board.directions) // 2):
            line = [cell, *walk(board, cell, way)[:length - 1]]
            if len(line) == length:
                found.append(set(line))
    return found


def met(board: Board, cell: int, way: int, within: set[int]) -> set[int]:
    """The cells from a cell on in a direction, up to the first that is not in a set."""
    found = set()
    for other in walk(board, cell, way):
        if other not in within:
            break
        found.add(other)
    return found


@given(data=st.data(), board=boards, length=st.sampled_from(LENGTHS))
def test_lines_are_found_in_every_way(data: st.DataObject, board: Board, length: int) -> None:
    words, mask = words_on(board), data.draw(masks(board.size))
    fresh = mask & data.draw(masks(board.size))
    a, new = words_of(mask, words), words_of(fresh, words)
    all_lines = lines_of(board, length)
    inside = [line for line in all_lines if line <= cells_of(mask)]
    table = table_of([sum(1 << cell for cell in line) for line in all_lines], words)
    assert lines.has_line_by_table(a, table, len(all_lines), words) == bool(inside)
    assert cells_of(mask_of(lines.in_lines(a, table, len(all_lines), words))) == set().union(*inside)
    expected = any(line & cells_of(fresh) for line in inside)
    through = [[sum(1 << other for other in line) for line in all_lines if cell in line] for cell in range(board.size)]
    by_cell, starts = table_of([line for row in through for line in row], words), starts_of(through)
    by_table = partial(lines.line_through, lines=by_cell, starts=starts, words=words)
    assert lines.has_new_line(a, new, by_table) == expected
    steps, count = steps_of(board), len(board.directions)
    if length > 1:
        assert lines.has_new_line_by_steps(a, new, length, steps, count) == expected
        assert lines.has_new_line_at([7, *a], 1, new, length, steps, count) == expected
    for cell in range(0, board.size, 7):
        assert by_table(a, cell) == any(cell in line for line in inside)


@given(data=st.data(), board=boards.filter(lambda board: words_on(board) == 1), length=st.sampled_from(LENGTHS))
def test_runs_along_whole_lines(data: st.DataObject, board: Board, length: int) -> None:
    mask, half = data.draw(masks(board.size)), len(board.directions) // 2
    for cell in range(board.size):
        whole = [{cell, *walk(board, cell, way), *walk(board, cell, way + half)} for way in range(half)]
        table = [0] * half * cell + [sum(1 << other for other in line) for line in whole]
        found = lines.line_along((mask,), cell, table, half, sets.doublings(length))
        inside = [line for line in lines_of(board, length) if line <= cells_of(mask)]
        assert found == any(line <= other for line in inside for other in whole)


@given(data=st.data(), board=shifted, length=st.sampled_from(LENGTHS))
def test_lines_by_shifts(data: st.DataObject, board: Board, length: int) -> None:
    words, mask = words_on(board), data.draw(masks(board.size))
    made = Sets(board, Tables(), {})
    runs = [runs_of(made, way, length) for way in range(len(board.directions) // 2)]
    backs = [back for found, _ in runs for back in found]
    found = lines.has_line_by_shifts(
        words_of(mask, words), backs, len(runs[0][0]), [words_of(begins, words) for _, begins in runs],
        [1] * len(runs), words)
    assert found == any(line <= cells_of(mask) for line in lines_of(board, length))


@given(data=st.data(), board=boards, length=st.sampled_from(LENGTHS))
def test_cells_that_complete_lines(data: st.DataObject, board: Board, length: int) -> None:
    words, mask, size = words_on(board), data.draw(masks(board.size)), board.size
    found, half = cells_of(mask), len(board.directions) // 2
    all_lines = lines_of(board, length)
    expected = {cell for cell in range(size) if any(line <= found | {cell} for line in all_lines)}
    everywhere = [words_of(board.everything, words)]
    table = table_of([sum(1 << cell for cell in line) for line in all_lines], words)
    done = lines.completing_by_table(words_of(mask, words), table, len(all_lines), everywhere, words)
    assert cells_of(mask_of(done)) == expected
    made = Sets(board, Tables(), {})
    if made.by_shifts:
        places = places_of(made, length)
        done = lines.completing_by_shifts(
            words_of(mask, words), lambda cells: any(line <= found for line in all_lines),
            [made.distance(way) or 0 for way in range(half)], [words_of(place, words) for place in places], length,
            everywhere, words)
        assert cells_of(mask_of(done)) == expected


@given(data=st.data(), board=boards)
def test_rays_end_where_a_set_does(data: st.DataObject, board: Board) -> None:
    words, count = words_on(board), len(board.directions)
    mask = data.draw(masks(board.size))
    within = words_of(mask, words)
    rays = table_of([sum(1 << other for other in walk(board, cell, way))
                     for cell in range(board.size) for way in range(count)], words)
    upward = [int(any(other > cell for cell in range(board.size) for other in walk(board, cell, way)))
              for way in range(count)]
    for cell in range(0, board.size, 5):
        for way in range(count):
            expected = met(board, cell, way, cells_of(mask))
            assert cells_of(mask_of(lines.ray(cell, way, within, rays, upward, count, words))) == expected
            assert cells_of(mask_of(lines.ray_by_steps(cell, way, within, steps_of(board), count, words))) == expected


@given(data=st.data(), board=boards)
def test_a_number_of_steps_in_a_direction(data: st.DataObject, board: Board) -> None:
    """So many steps ahead is the cell at that place of the walk; a negative number goes the opposite way."""
    cell, number = data.draw(st.integers(0, board.size - 1)), data.draw(st.integers(-12, 12))
    count = len(board.directions)
    for way in range(count):
        line = [cell, *walk(board, cell, way if number >= 0 else (way + count // 2) % count)]
        expected = line[abs(number)] if abs(number) < len(line) else -1
        assert lines.steps_ahead(cell, way, number, steps_of(board), count, count // 2) == expected
        assert lines.steps_ahead(-1, way, number, steps_of(board), count, count // 2) == -1


@given(data=st.data(), board=shifted)
def test_steps_of_whole_sets_are_shifts(data: st.DataObject, board: Board) -> None:
    words, mask, goal = words_on(board), data.draw(masks(board.size)), data.draw(masks(board.size))
    for way in range(len(board.directions)):
        leading = {cell: step for cell in range(board.size) if (step := board.steps[cell][way]) >= 0}
        distance = next(iter({step - cell for cell, step in leading.items()}))
        reached = words_of(sum(1 << step for step in leading.values()), words)
        if words == 1:
            back, forth = [max(distance, 0)], [max(-distance, 0)]
            came = lines.came_from((mask,), 0, reached, back, forth)
            assert cells_of(mask_of(came)) == {cell for cell, step in leading.items() if mask >> step & 1}
        found = lines.seeing(words_of(mask, words), words_of(goal, words), [reached], -distance, board.size)
        inside = cells_of(mask)
        assert cells_of(mask_of(found)) == {
            cell for cell in inside if ({cell} | met(board, cell, way, inside)) & cells_of(goal)}


@given(data=st.data(), board=shifted)
def test_floods(data: st.DataObject, board: Board) -> None:
    words, mask, start = words_on(board), data.draw(masks(board.size)), data.draw(masks(board.size))
    near = table_of(board.neighbours, words)
    ways = [way for way in range(len(board.directions))
            if all(steps[way] < 0 or beside >> steps[way] & 1
                   for steps, beside in zip(board.steps, board.neighbours, strict=True))]
    froms = [sum(1 << cell for cell in range(board.size) if board.steps[cell][way] >= 0) for way in ways]
    far = [next(step - cell for cell in range(board.size) if (step := board.steps[cell][way]) >= 0) for way in ways]

    def by_table(a: tuple[int, ...]) -> tuple[int, ...]:
        return floods.neighbours(a, near, words)

    def by_shifts(a: tuple[int, ...]) -> tuple[int, ...]:
        return floods.neighbours_by_shifts(a, [words_of(cells, words) for cells in froms], far)

    a, region = words_of(start, words), words_of(mask, words)
    beside = set().union(*(cells_of(board.neighbours[cell]) for cell in cells_of(start)))
    assert cells_of(mask_of(by_table(a))) == cells_of(mask_of(by_shifts(a))) == beside
    graph = nx.Graph((cell, other) for cell in range(board.size) for other in cells_of(board.neighbours[cell]))
    inside = graph.subgraph(cells_of(mask))
    joined = set().union(*(part for part in nx.connected_components(inside) if part & cells_of(start)))
    assert cells_of(mask_of(floods.flood(a, region, by_table))) == joined
    assert cells_of(mask_of(floods.flood_by_shifts(a, region, by_shifts))) == joined


@pytest.mark.parametrize("side", [9, 10, 14])
@given(data=st.data())
def test_sights_are_rays_along_lines(side: int, data: st.DataObject) -> None:
    board = board_of("square", (side, side))
    words, mask = words_on(board), data.draw(masks(board.size))
    ways = tuple(range(len(board.directions)))
    through = _usable(Sets(board, Tables(), {}), ways)
    assert through is not None
    table = _rows(through, words)
    for cell in range(0, board.size, 3):
        seen = cells_of(mask_of(sliding_attacks.sight(cell, words_of(mask, words), table, len(through[0]), words)))
        assert seen == set().union(*(met(board, cell, way, cells_of(mask)) for way in ways))

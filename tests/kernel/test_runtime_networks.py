"""Runtime functions on pieces, links and networks in plain Python, compared with graphs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import partial
from typing import Any, TypeAlias

import networkx as nx
from hypothesis import given
from hypothesis import strategies as st

from interpreter.boards import build
from interpreter.compiler.runtime import floods, links, networks, pieces
from tests.runtime import cells_of, mask_of, masks, starts_of, steps_of, table_of, words_of

SIZE = 7
Set: TypeAlias = tuple[int, ...]
PAIRS = list(itertools.combinations(range(SIZE), 2))
sets = masks(SIZE)
graphs = st.sets(st.sampled_from(PAIRS)).map(lambda edges: nx.Graph([*edges]))


class Cells:
    """Networks of adjacent cells, spread over two words."""

    def __init__(self, graph: nx.Graph[int]) -> None:
        graph.add_nodes_from(range(SIZE))
        self.graph = graph
        near = table_of([spread({*graph[cell]}) for cell in range(SIZE) for _ in range(10)], 2)
        neighbours_of = partial(floods.neighbours, near=near, words=2)
        flooded = partial(floods.flood, neighbours_of=neighbours_of)
        self.to = partial(networks.cell_joined_to, near=near, words=2)
        self.joined_with = partial(networks.cell_joined_with, near=near, words=2)
        self.reached = partial(networks.cell_reached, flooded=flooded)
        self.flooded, self.near, self.neighbours_of = flooded, near, neighbours_of
        self.around = partial(networks.cell_around, neighbours_of=neighbours_of)


def spread(cells: set[int]) -> int:
    """A bitmask of the cells at positions ten apart."""
    return sum(1 << 10 * cell for cell in cells)


def wide(mask: int) -> Set:
    """A set of spread cells as words."""
    return words_of(spread(cells_of(mask)), 2)


def narrow(words: Set) -> set[int]:
    """The cells of such words; the inverse of `wide`."""
    found = cells_of(mask_of(words))
    assert all(cell % 10 == 0 for cell in found)
    return {cell // 10 for cell in found}


def parts(graph: nx.Graph[int], mask: int) -> list[set[int]]:
    """The connected components of some cells."""
    return list(nx.connected_components(graph.subgraph(cells_of(mask))))


def lacking(graph: nx.Graph[int], cells: int, start: int, goal: int, extra: int) -> tuple[float, set[int], set[int]]:
    """How many extra cells a shortest path between two sets needs, those cells, and where they re-enter the network."""
    inside = cells_of(cells | extra)
    weights = {cell: 0 if cells >> cell & 1 else 1 for cell in inside}

    def costs(begin: int) -> dict[int, float]:
        made = nx.DiGraph()
        made.add_node("begin")
        for cell in inside & cells_of(begin):
            made.add_edge("begin", cell, weight=weights[cell])
        for one, other in graph.subgraph(inside).edges:
            made.add_edge(one, other, weight=weights[other])
            made.add_edge(other, one, weight=weights[one])
        return nx.single_source_dijkstra_path_length(made, "begin")  # type: ignore[no-any-return]

    one, other = costs(start), costs(goal)
    least = min((one[cell] for cell in cells_of(goal) if cell in one), default=float("inf"))
    on_way = {cell for cell in inside if cell in one and cell in other
              and one[cell] + other[cell] - weights[cell] == least}
    ways = {cell for cell in on_way if weights[cell]}
    arrivals = {cell for cell in on_way - ways if any(one[other] == one[cell] for other in ways & set(graph[cell]))}
    return least, ways, arrivals


def contested(joined: nx.Graph[int], open_to: nx.Graph[int], cells: set[int], start: set[int], goal: set[int],
              extra: set[int]) -> float:
    """How many extra cells a connection lacks if the opponent answers each one, by relaxation to a fixed point.

    The first graph joins the cells of the network, the second also has the links that extra cells would get.
    """
    whole = list(nx.connected_components(joined.subgraph(cells)))
    parts = [0.0 if part & start else float("inf") for part in whole]
    levels = dict.fromkeys(extra - cells, float("inf"))
    beside = [set().union(*(open_to[cell] for cell in part)) & set(levels) for part in whole]

    def second(near: set[int]) -> float:
        return sorted([levels[cell] for cell in near] + [float("inf")] * 2)[1]

    while True:
        before = parts[:], dict(levels)
        for cell in levels:
            joined_by = [level for level, near in zip(parts, beside, strict=True) if cell in near]
            levels[cell] = 1 if cell in start else 1 + min([second(set(open_to[cell]) & set(levels)), *joined_by])
        parts = [min(level, second(near)) for level, near in zip(parts, beside, strict=True)]
        if before == (parts, levels):
            return min([second(goal & set(levels)), *(parts[k] for k in range(len(whole)) if whole[k] & goal)])


@given(graph=graphs, cells=sets, start=sets)
def test_parts_of_networks(graph: nx.Graph[int], cells: int, start: int) -> None:
    made = Cells(graph)
    whole = wide(cells)
    joined = set().union(*(part for part in parts(graph, cells) if part & cells_of(start)))
    for reached in (made.reached, partial(networks.reached, to=made.to, words=2)):
        assert narrow(reached([], whole, 0, wide(start))) == joined
        round_about = bool(nx.cycle_basis(graph.subgraph(cells_of(cells))))
        assert networks.loop([], whole, 0, reached, made.to, 2) == round_about


@given(graph=graphs, cells=sets, goals=st.lists(sets, min_size=2, max_size=4))
def test_a_part_joins_all_of_some_sets(graph: nx.Graph[int], cells: int, goals: list[int]) -> None:
    made = Cells(graph)
    expected = any(all(part & cells_of(goal) for goal in goals) for part in parts(graph, cells))
    first, *others = map(wide, goals)
    assert networks.joined([], wide(cells), 0, first, others, made.reached, 2) == expected


@given(graph=graphs, steps=st.lists(sets, min_size=1, max_size=5), start=sets)
def test_joining_keeps_up_with_what_comes_and_goes(graph: nx.Graph[int], steps: list[int], start: int) -> None:
    made = Cells(graph)
    row = [0] * 5
    for cells in steps:
        found = networks.joining(row, 1, wide(cells), wide(start), made.flooded, made.near, 2)
        assert narrow(found) == set().union(*(part for part in parts(graph, cells) if part & cells_of(start)))


@given(graph=graphs, cells=sets, start=sets, goal=sets, extra=sets)
def test_shortest_ways(graph: nx.Graph[int], cells: int, start: int, goal: int, extra: int) -> None:
    made = Cells(graph)
    row: list[int] = []
    given = row, wide(cells), 0, wide(start), wide(goal), wide(extra)
    least, ways, arrivals = lacking(graph, cells, start, goal, extra)
    around = partial(networks.around, joined_with=made.joined_with, words=2)
    expected = 100 if least == float("inf") else least
    assert networks.cell_distance(*given, made.reached, made.neighbours_of, 100) == expected
    for around_of in (made.around, around):
        assert networks.distance(*given, made.reached, around_of, 100, 2) == expected
        if least not in (0, float("inf")):
            assert narrow(networks.ways(*given, 0, made.reached, around_of, 2)) == ways
            assert narrow(networks.ways(*given, 1, made.reached, around_of, 2)) == arrivals


@given(graph=graphs, cells=sets, start=sets, goal=sets, extra=sets)
def test_ways_that_are_answered(graph: nx.Graph[int], cells: int, start: int, goal: int, extra: int) -> None:
    made = Cells(graph)
    row: list[int] = []
    given = row, wide(cells), 0, wide(start), wide(goal), wide(extra)
    least = contested(graph, graph, *map(cells_of, (cells, start, goal, extra)))
    around = partial(networks.around, joined_with=made.joined_with, words=2)
    expected = 100 if least == float("inf") else least
    for around_of in (made.around, around):
        assert networks.contested(*given, made.reached, around_of, made.joined_with, 100, 2) == expected


# ---- links

@given(there=st.sets(st.sampled_from(PAIRS)), possible=st.sets(st.sampled_from(PAIRS), min_size=1), cells=sets,
       extra=sets, chance=st.randoms(use_true_random=False))
def test_links(there: set[tuple[int, int]], possible: set[tuple[int, int]], cells: int, extra: int,
               chance: object) -> None:
    extra &= ~cells
    numbers = {pair: number for number, pair in enumerate(sorted(possible))}
    of_cell = [[(numbers[pair], sum(pair) - cell) for pair in numbers if cell in pair] for cell in range(SIZE)]
    tables = {"starts": starts_of(of_cell), "numbers": [number for row in of_cell for number, _ in row],
              "ends": [end for row in of_cell for _, end in row]}
    row = [0, sum(1 << number for pair, number in numbers.items() if pair in there)]
    present = partial(links.has_link, begin=1)
    crossing = [[(number + 1) % len(numbers)] if len(numbers) > 1 and number % 2 else [] for number in numbers.values()]
    crossed = partial(links.crossed, starts=starts_of(crossing), crossings=[k for found in crossing for k in found],
                      there=present)
    blocked = {number for number, others in enumerate(crossing) if any(row[1] >> other & 1 for other in others)}
    for one, other in PAIRS:
        assert links.link_between(one, other, **tables) == links.link_between(other, one, **tables) == numbers.get(
            (one, other), -1)
    for number in numbers.values():
        assert present(row, number) == (row[1] >> number & 1 == 1)
        assert crossed(row, number) == (number in blocked)
        assert not links.never_crossed(row, number)
    assert not cells_of(links.linked_to(row, -1, **tables, there=present, words=1)[0])
    for cell in range(SIZE):
        linked = {end for number, end in of_cell[cell] if row[1] >> number & 1}
        assert cells_of(links.linked_to(row, cell, **tables, there=present, words=1)[0]) == linked
        found = networks.link_joined_to(row, (cells,), 0, cell, **tables, there=present, words=1)
        assert cells_of(found[0]) == linked & cells_of(cells)
        could = {end for number, end in of_cell[cell]
                 if number not in blocked and (extra >> cell & 1 or extra >> end & 1)}
        wider = networks.link_joined_with(row, (cells,), 0, cell, (extra,), **tables, there=present,
                                          crossed_by=crossed, words=1)
        assert cells_of(wider[0]) == (linked | could) & cells_of(cells | extra)


# ---- tiles

BOARD = build("square", (5, 5))
COUNT = len(BOARD.directions)
tiles = st.lists(st.tuples(*[st.sampled_from([-1, 0, 1])] * COUNT), min_size=1, max_size=10)


def _tracks(sides: list[int]) -> dict[str, Any]:
    """The keyword arguments of functions on tracks."""
    return {"sides": sides, "count": COUNT}


@given(data=st.data(), kinds=tiles)
def test_tiles_and_their_tracks(data: st.DataObject, kinds: list[tuple[int, ...]]) -> None:
    many = len(kinds) + 1
    on = data.draw(st.lists(st.integers(0, many - 1), min_size=BOARD.size, max_size=BOARD.size))
    row = [sum(1 << cell for cell, piece in enumerate(on) if piece == kind) for kind in range(many)]
    sides = [-1] * COUNT + [side for kind in kinds for side in kind]
    piece_on = partial(pieces.piece_at, pieces=many, words=1)
    assert [piece_on(row, cell) for cell in range(BOARD.size)] == on
    steps, given = steps_of(BOARD), _tracks(sides)
    tracks = [[(-1,) * COUNT, *kinds][piece] for piece in on]
    to: Callable[..., tuple[int, ...]] = partial(
        networks.track_joined_to, steps=steps, piece_on=piece_on, words=1, **given)
    for player in (0, 1):
        cells = pieces.track_cells(row, player, **given, pieces=many, words=1)
        assert cells_of(cells[0]) == {cell for cell, track in enumerate(tracks) if player in track}
        for way in range(COUNT):
            out = pieces.track_leaving(row, cells, player, way, **given, pieces=many, words=1)
            assert cells_of(out[0]) == {cell for cell, track in enumerate(tracks) if track[way] == player}
            assert pieces.leaving(row, cells, player, way) == cells
        for cell, track in enumerate(tracks):
            joined = set()
            for way, other in enumerate(BOARD.steps[cell]):
                side = tracks[other][(way + COUNT // 2) % COUNT] if other >= 0 else -1
                assert pieces.facing(row, cell, way, sides, steps, COUNT, piece_on) == side
                if other >= 0 and track[way] == side == player:
                    joined.add(other)
            assert cells_of(to(row, cells, player, cell)[0]) == joined
            assert networks.track_joined_with(row, cells, player, cell, (0,), to) == to(row, cells, player, cell)


@given(cells=masks(BOARD.size), others=masks(BOARD.size), least=st.integers(1, 5))
def test_a_part_spans_what_stands_on_the_board(cells: int, others: int, least: int) -> None:
    near = list(BOARD.neighbours)
    flooded = partial(floods.flood, neighbours_of=partial(floods.neighbours, near=near, words=1))
    everything = BOARD.everything
    occupied = cells | others
    found = networks.spans(
        [everything & ~occupied], (cells,), 0, least, [(everything,)], list(BOARD.rows), BOARD.row_count,
        list(BOARD.columns), BOARD.column_count, 0, 4, 6, 2, partial(networks.cell_reached, flooded=flooded),
        pieces.leaving, 1)
    expected = False
    graph = nx.Graph((cell, other) for cell in range(BOARD.size) for other in cells_of(near[cell]))
    for stripes in (BOARD.rows, BOARD.columns):
        used = [stripe for stripe in stripes if stripe & occupied]
        apart = [number for number, stripe in enumerate(stripes) if stripe & occupied]
        if used and apart[-1] - apart[0] + 1 >= least:
            expected |= any(part & cells_of(used[0]) and part & cells_of(used[-1]) for part in parts(graph, cells))
    assert found == expected

"""Links and networks: which links cross, the effects `link` and `unlink`, and queries on networks.

Crossings are compared with exact geometry, distances and loops with networkx, tracks with a walk along them. Positions
are read from text, so that one game serves thousands of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations

import networkx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dsl.diagnostics import GameFileError
from dslgame import RuleError
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.semantics.networks import LinkLayer
from tests.kernel.test_runtime_networks import contested
from tests.probe import PLACE, loaded, played, start_of, started

Point = tuple[int, int]
Segment = tuple[Point, Point]

# ---- which links cross


JOIN = "move join({a, b} in cells where free(a, b, road)):\n    link a to b by road"


def layer_of(others: str, board: str) -> tuple[Game, LinkLayer]:
    """A game with one kind of non-crossing links, and their layer."""
    game = loaded(f"links road between c and {others} never crossing", JOIN, "no moves draws", board=board)
    return game, game.board.layers[0]


def crossing_pairs(layer: LinkLayer) -> set[frozenset[int]]:
    return {frozenset((one, other)) for one in range(len(layer.pairs)) for other in range(len(layer.pairs))
            if layer.crossing[one] >> other & 1}


def meet(one: Segment, other: Segment) -> bool:
    """Whether two segments share a point that is not an end of both."""
    (ax, ay), (bx, by) = one
    (cx, cy), (dx, dy) = other
    slope = (bx - ax) * (dy - cy) - (by - ay) * (dx - cx)
    if slope:
        t = Fraction((cx - ax) * (dy - cy) - (cy - ay) * (dx - cx), slope)
        u = Fraction((cx - ax) * (by - ay) - (cy - ay) * (bx - ax), slope)
        return 0 <= t <= 1 and 0 <= u <= 1 and not (t in (0, 1) and u in (0, 1))
    if (cx - ax) * (by - ay) != (cy - ay) * (bx - ax):
        return False  # side by side
    (low, high), (least, most) = sorted(one), sorted(other)
    return max(low, least) < min(high, most)


@pytest.mark.parametrize(("others", "board"), [
    ("leap(c, 1, 2)", "square(5, 5)"),
    ("leap(c, 1, 2) + leap(c, 0, 2)", "square(4, 5)"),
    ("cells", "square(3, 3)"),
    ("cells", "square(1, 5)"),
    ("neighbours(c)", "square(3, 4)"),
    ("leap(c, 1, 1)", "square(4, 3)"),
    ("cells", "square(3, 4) without corners"),
    ("cells", "rhombus(3, 3)"),
    ("neighbours(neighbours(c))", "rhombus(3, 4)"),
    ("cells", "hexagon(2)"),
    ("neighbours(neighbours(c)) - neighbours(c)", "hexagon(3)"),
])
def test_crossing_is_as_in_exact_geometry(others: str, board: str) -> None:
    """All pairs of links of a board; lattice points keep straight lines and intersections exact."""
    game, layer = layer_of(others, board)
    points = [game.board.points[cell] for cell in range(game.board.size)]
    segments = [(points[one], points[other]) for one, other in layer.pairs]
    expected = {frozenset(pair) for pair in combinations(range(len(segments)), 2)
                if meet(segments[pair[0]], segments[pair[1]])}
    assert crossing_pairs(layer) == expected


def test_cells_of_a_graph_stand_on_a_circle() -> None:
    """Two links cross where their ends alternate on the circle."""
    paths = "".join(f"    p{number} - p{(number + 1) % 7}\n" for number in range(7))
    _, layer = layer_of("cells", f"graph:\n{paths.rstrip()}")
    expected = {frozenset((one, other)) for one, other in combinations(range(len(layer.pairs)), 2)
                if (a := layer.pairs[one])[0] < (b := layer.pairs[other])[0] < a[1] < b[1]
                or b[0] < a[0] < b[1] < a[1]}
    assert len(layer.pairs) == 21
    assert crossing_pairs(layer) == expected
    assert len(expected) == 35  # four points on a circle make one crossing


def test_a_knights_link_crosses_nine_others() -> None:
    """The count for a link far from the edges of the board."""
    game, layer = layer_of("leap(c, 1, 2)", "square(10, 10)")
    one, other = game.board.cell_named("e5"), game.board.cell_named("f7")
    assert one is not None
    assert other is not None
    assert layer.crossing[layer.number(one, other)].bit_count() == 9


def test_links_that_touch_cross() -> None:
    """Links cross if one ends on the middle of another or if they overlap on a line; not if they only share an end."""
    position = started("links road between c and cells never crossing", JOIN, "no moves draws",
                       start_of('link "a1" to "c1" by road'), board="square(2, 4)")
    assert set(position.moves()) >= {"c1-d1", "c2-c1", "a2-a1", "d2-c1"}
    assert not {"b2-b1", "a1-b1", "b1-c1", "b1-d1", "a1-d1", "a1-c1"} & set(position.moves())


def test_links_of_other_kinds_may_be_crossed() -> None:
    """`never crossing` applies only to links of the same kind."""
    game = loaded("links wall between c and leap(c, 1, 1) never crossing", "links road between c and leap(c, 1, 1)",
                  'move a:\n    link "a1" to "b2" by wall\n    link "a1" to "b2" by road',
                  'move b:\n    link "a2" to "b1" by road', 'move c:\n    link "a2" to "b1" by wall',
                  'draw when linked("a1", "b2", wall) and linked("a2", "b1", road)', board="square(2, 2)")
    assert game.start().play("a").play("b").outcome == "draw"
    assert game.start().play("b").play("a").outcome == "draw"
    with pytest.raises(RuleError, match="G410"):
        game.start().play("a").play("c")


# ---- link and unlink


ROADS = """
links road between c and neighbours(c)
var last in cells or none

move set(a in cells, b in cells):
    link a to b by road

move take(a in cells, b in cells):
    unlink a to b by road

move off(a in occupied):
    a := empty

define many = count(c in cells where some n in neighbours(c): linked(c, n, road)) > 3
draw when many or last != none
repetition draws
"""


def test_link_and_unlink() -> None:
    """Links are symmetric; linking twice, or unlinking what is not linked, changes nothing; pieces do not matter."""
    game = loaded(ROADS, start_of('"a1" := red', 'link "a1" to "b1" by road'), board="square(1, 3)")
    start = game.start()
    assert start.links == {"road": (("a1", "b1"),)}
    assert start.play("set:c1-b1").links == {"road": (("a1", "b1"), ("b1", "c1"))}
    assert start.play("set:b1-a1").links == start.links
    assert start.play("take:b1-a1").links == {"road": ()}
    assert start.play("take:b1-c1").links == start.links
    assert start.play("off:a1").links == start.links
    assert start.play("take:a1-b1").play("set:b1-c1").links == {"road": (("b1", "c1"),)}


def test_positions_that_differ_in_links_differ() -> None:
    """Positions with different links differ, and a repetition needs the same links."""
    position = loaded(ROADS, board="square(1, 4)").start()
    assert position != position.play("set:a1-b1")
    assert played(position, "set:a1-b1 set:b1-c1").outcome is None
    assert played(position, "set:a1-b1 take:a1-b1").outcome == "draw"


@pytest.mark.parametrize(("effect", "code", "message"), [
    ('link "a1" to "c1" by road', "G410", "a1 and c1 cannot be linked by 'road'"),
    ('unlink "a1" to "c1" by road', "G410", "a1 and c1 cannot be linked by 'road'"),
    ('link "b1" to "b1" by road', "G410", "b1 and b1 cannot be linked by 'road'"),
    ('link "a1" to "a1".west by road', "G401", "a link leads to no cell"),
    ('unlink "a1".west to "a1" by road', "G401", "a link leads to no cell"),
    ('link "a1" to c by road', "G410", "cannot be linked"),
])
def test_link_that_cannot_be_is_a_rule_error(effect: str, code: str, message: str) -> None:
    """`unlink` is refused as well as `link`."""
    game = loaded("links road between c and neighbours(c)", f"move go(c in cells):\n    c := own\n    {effect}",
                  'move other:\n    link "a1" to "b1" by road', "draw when no empty", board="square(1, 3)")
    with pytest.raises(RuleError) as caught:
        game.start().play("go:c1")
    assert (caught.value.code, caught.value.span.line) == (code, 8)
    assert message in caught.value.phrase


def test_crossing_link_is_a_rule_error() -> None:
    """The error names the cells."""
    game = loaded("links road between c and leap(c, 1, 1) never crossing", start_of('link "a1" to "b2" by road'),
                  'move go:\n    link "b1" to "a2" by road', "draw when no empty", board="square(2, 2)")
    with pytest.raises(RuleError, match="G410") as caught:
        game.start().play("go")
    assert caught.value.phrase == "the link from b1 to a2 would cross another"


def test_mistake_in_the_start_is_told_when_the_game_is_made() -> None:
    """A wrong link in `start` is reported when the game is loaded."""
    with pytest.raises(GameFileError, match="G410"):
        loaded(ROADS, start_of('link "a1" to "c1" by road'), board="square(1, 3)")


def test_links_can_be_one_sided_in_their_declaration() -> None:
    """A link declared from one cell only can be made from either end."""
    game = loaded("links road between c and {c.east}", PLACE, start_of('link "b1" to "a1" by road'),
                  'value 1 if linked("a1", "b1", road) else 0', board="square(1, 3)")
    assert [layer.pairs for layer in game.board.layers] == [((0, 1), (1, 2))]
    assert game.start().value() == 1


def test_cascade_of_links_alone_ends() -> None:
    """A cascade may change only links; it terminates, or is refused if it repeats."""
    game = loaded("links road between c and neighbours(c)", PLACE,
                  "forced join({a, b} in cells where free(a, b, road)):\n    link a to b by road",
                  "value count(group(\"a1\", cells linked by road))", board="square(9, 9)")
    assert len(game.start().play("a1").links["road"]) == 2 * 9 * 8
    game = loaded("links road between c and neighbours(c)", PLACE,
                  'forced on when not linked("a1", "b1", road):\n    link "a1" to "b1" by road',
                  'forced off when linked("a1", "b1", road):\n    unlink "a1" to "b1" by road', board="square(1, 2)")
    with pytest.raises(RuleError, match="G408"):
        game.start().play("a1")


def test_links_are_drawn() -> None:
    """Links are listed under the board, by their cells."""
    game = loaded(ROADS, start_of('link "a1" to "b1" by road'), board="square(1, 3)")
    assert str(game.start()).splitlines()[-1] == "road: a1-b1"
    assert str(game.start().play("take:a1-b1")).splitlines()[-1] == "road: none"


def test_links_turn_with_their_cells() -> None:
    """The images of a position with links have the same canonical form; positions with other links do not."""
    game = loaded("links road between c and neighbours(c)", PLACE, 'value 1 if linked("a1", "b1", road) else 2',
                  "define link_at(c) = some n in neighbours(c): linked(c, n, road)", "draw when link_at(\"b2\")",
                  "move join({a, b} in cells where free(a, b, road)):\n    link a to b by road",
                  "symmetry all turns and mirrors")
    images = {game.start().play(f"join:{pair}").canonical() for pair in ("a1-b1", "b1-c1", "a2-a3", "a1-a2", "c3-c2")}
    assert len(images) == 1
    assert game.start().play("join:b1-b2").canonical() not in images
    assert len({game.start().play(move).canonical() for move in game.start().moves() if move.startswith("join")}) == 2


# ---- asked of sets of cells


ASKED = """
pieces wall
define net = red + blue + stone
value (distance(net, blue, stone, empty)
    + 100 * distance(red, top, bottom, empty)
    + 10000 * distance(red + stone, left, right, empty + blue)
    + 1000000 * (1 if loop(red) else 0)
    + 10000000 * (1 if spans(red + blue, 3) else 0))
"""


@cache
def asked(board: str) -> Game:
    return loaded(ASKED, PLACE, board=board)


def steps_to_add(graph: networkx.Graph, net: set[int], extra: set[int], start: set[int], goal: set[int],
                 size: int) -> int:
    """The fewest extra cells on a path from `start` to `goal`, by weighted shortest paths; `size` without a path."""
    directed = networkx.DiGraph()
    for cell in net | extra:
        if cell in start:
            directed.add_edge("start", cell, weight=int(cell not in net))
        if cell in goal:
            directed.add_edge(cell, "goal", weight=0)
    for one, other in graph.edges:
        for here, there in ((one, other), (other, one)):
            if {here, there} <= net | extra:
                directed.add_edge(here, there, weight=int(there not in net))
    if "start" not in directed or "goal" not in directed or not networkx.has_path(directed, "start", "goal"):
        return size
    return int(networkx.shortest_path_length(directed, "start", "goal", weight="weight"))


def graph_of(game: Game) -> networkx.Graph:
    board = game.board
    graph = networkx.Graph()
    graph.add_nodes_from(range(board.size))
    graph.add_edges_from((cell, other) for cell in range(board.size) for other in range(board.size)
                         if board.neighbours[cell] >> other & 1)
    return graph


def reaches_across(game: Game, graph: networkx.Graph, cells: set[int], occupied: set[int], least: int) -> bool:
    """Whether a component spans the occupied rows, or columns, from first to last, if these are at least `least`."""
    board = game.board
    for places in (board.row_of, board.column_of):
        found = [places[cell] for cell in occupied]
        if not found or max(found) - min(found) + 1 < least:
            continue
        for part in networkx.connected_components(graph.subgraph(cells)):
            if {min(found), max(found)} <= {places[cell] for cell in part}:
                return True
    return False


@settings(max_examples=150)
@given(data=st.data())
def test_sets_of_cells_are_asked_as_graphs(data: st.DataObject) -> None:
    """Distances agree with shortest paths, loops with cycles, spans with components, also with walls and holes."""
    game = asked(data.draw(st.sampled_from(["square(4, 4)", "square(3, 5) without corners", "square(1, 4)"])))
    board, size = game.board, game.board.size
    signs = data.draw(st.lists(st.sampled_from("..RRRBSW"), min_size=size, max_size=size))
    rows = {row: "".join(signs[cell] for cell in range(size) if board.row_of[cell] == row) for row in board.row_of}
    position = game.read_position("/".join(rows[row] for row in sorted(rows)))
    at = {sign: {cell for cell in range(size) if signs[cell] == sign} for sign in ".RBSW"}
    regions = {name: {cell for cell in range(size) if board.regions[name] >> cell & 1} for name in board.regions}
    graph = graph_of(game)
    expected = steps_to_add(graph, at["R"] | at["B"] | at["S"], at["."], at["B"], at["S"], size)
    expected += 100 * steps_to_add(graph, at["R"], at["."], regions["top"], regions["bottom"], size)
    left, right = regions["left"], regions["right"]
    expected += 10_000 * steps_to_add(graph, at["R"] | at["S"], at["."] | at["B"], left, right, size)
    expected += 1_000_000 * bool(networkx.cycle_basis(graph.subgraph(at["R"])))
    occupied = set(range(size)) - at["."]
    expected += 10_000_000 * reaches_across(game, graph, at["R"] | at["B"], occupied, 3)
    assert position.value() == expected


@settings(max_examples=60)
@given(signs=st.lists(st.sampled_from("..RRB"), min_size=19, max_size=19))
def test_distance_on_hexagonal_cells(signs: list[str]) -> None:
    """Distances agree with shortest paths on a hexagonal board."""
    game = loaded("value distance(red, left, right, empty)", PLACE, board="hexagon(3)")
    board = game.board
    rows = {row: "".join(signs[cell] for cell in range(19) if board.row_of[cell] == row) for row in board.row_of}
    position = game.read_position("/".join(rows[row] for row in sorted(rows)))
    at = {sign: {cell for cell in range(19) if signs[cell] == sign} for sign in ".R"}
    regions = {name: {cell for cell in range(19) if board.regions[name] >> cell & 1} for name in ("left", "right")}
    assert position.value() == steps_to_add(graph_of(game), at["R"], at["."], regions["left"], regions["right"], 19)


def ways_arrive(graph: networkx.Graph, net: set[int], extra: set[int], start: set[int],
                goal: set[int]) -> tuple[set[int], set[int]]:
    """The network cells that follow an extra cell on some shortest path, and the extra cells on shortest paths."""
    directed = networkx.DiGraph()
    for cell in net | extra:
        if cell in start:
            directed.add_edge("start", cell, weight=int(cell not in net))
        if cell in goal:
            directed.add_edge(cell, "goal", weight=0)
    for one, other in graph.edges:
        for here, there in ((one, other), (other, one)):
            if {here, there} <= net | extra:
                directed.add_edge(here, there, weight=int(there not in net))
    if "start" not in directed or "goal" not in directed or not networkx.has_path(directed, "start", "goal"):
        return set(), set()
    least = networkx.shortest_path_length(directed, "start", "goal", weight="weight")
    before = networkx.single_source_dijkstra_path_length(directed, "start", weight="weight")
    after = networkx.single_source_dijkstra_path_length(directed.reverse(), "goal", weight="weight")
    arriving = {there for here, there in directed.edges if here in extra and there in net and here in before
                and there in after and before[here] + after[there] == least}
    ways = {cell for cell in extra if cell in before and cell in after and before[cell] + after[cell] == least}
    return arriving, ways


@settings(max_examples=100)
@given(signs=st.lists(st.sampled_from("....RRB"), min_size=20, max_size=20))
def test_arrivals_are_on_shortest_ways(signs: list[str]) -> None:
    """The interpreter and a plain Python kernel agree with weighted shortest paths."""
    game = loaded("value sum(1 + c.row * 5 + c.column for c in arrivals(red, top, bottom, empty)) + "
                  "1000 * sum(1 + c.row * 5 + c.column for c in ways(red, top, bottom, empty))", PLACE,
                  board="square(4, 5)")
    position = game.read_position("/".join("".join(signs[row * 5 : row * 5 + 5]) for row in range(4)))
    at = {sign: {cell for cell in range(20) if signs[cell] == sign} for sign in ".R"}
    regions = {name: {cell for cell in range(20) if game.board.regions[name] >> cell & 1} for name in ("top", "bottom")}
    arriving, ways = ways_arrive(graph_of(game), at["R"], at["."], regions["top"], regions["bottom"])
    assert position.value() == sum(1 + cell for cell in arriving) + 1000 * sum(1 + cell for cell in ways)
    assert plain_kernel(game).value(position.state) == position.value()


@cache
def plain_kernel(game: Game) -> Kernel:
    return Kernel.of(game, native=False)


# ---- asked of links


BRIDGING = """
links wire between c and leap(c, 1, 2) never crossing

move place(c in empty):
    c := own
    each n in leap(c, 1, 2) and mine where free(c, n, wire):
        link c to n by wire
"""
WIRES = """
value (distance(red linked by wire, top, bottom, empty)
    + 100 * distance(red + blue linked by wire, left, right, {})
    + 10000 * (1 if loop(red linked by wire) else 0)
    + 100000 * count(group("b2", red linked by wire))
    + 10000000 * (1 if joined(red linked by wire, top, bottom) else 0)
    + 100000000 * (1 if spans(red linked by wire, 4) else 0))
"""
ARRIVING = """
define chain_end(c) = c is arrivals(red linked by wire, top, bottom, empty)
value sum(1 + c.row * 5 + c.column for c in cells where chain_end(c)) + 1000 * count(linked_to("b2", wire)) + (
    100000 * sum(1 + c.row * 5 + c.column for c in ways(red linked by wire, top, bottom, empty)))
"""


@settings(max_examples=150)
@given(data=st.data())
def test_links_are_asked_as_graphs(data: st.DataObject) -> None:
    """An added cell counts as linked to every cell to which a link is still free."""
    game = loaded(BRIDGING, WIRES, "draw when no empty", board="square(4, 5)")
    board, size = game.board, game.board.size
    layer = board.layers[0]
    signs = data.draw(st.lists(st.sampled_from("..RRRB"), min_size=size, max_size=size))
    there: list[int] = []
    for link in data.draw(st.lists(st.integers(0, len(layer.pairs) - 1), unique=True, max_size=20)):
        if all(not layer.crossing[link] >> other & 1 for other in there):
            there.append(link)
    text = "/".join("".join(signs[row * 5 : row * 5 + 5]) for row in range(4))
    position = game.read_position(text + " Red wire=" + ",".join(layer.text(board, link) for link in there))
    at = {sign: {cell for cell in range(size) if signs[cell] == sign} for sign in ".RB"}
    regions = {name: {cell for cell in range(size) if board.regions[name] >> cell & 1} for name in board.regions}

    graph = networkx.Graph()
    graph.add_nodes_from(range(size))
    graph.add_edges_from(layer.pairs[link] for link in there)
    with_free = graph.copy()
    with_free.add_edges_from(
        pair for link, pair in enumerate(layer.pairs)
        if set(pair) & at["."] and all(not layer.crossing[link] >> other & 1 for other in there))
    expected = steps_to_add(with_free, at["R"], at["."], regions["top"], regions["bottom"], size)
    expected += 100 * steps_to_add(graph, at["R"] | at["B"], set(), regions["left"], regions["right"], size)
    red = graph.subgraph(at["R"])
    expected += 10_000 * bool(networkx.cycle_basis(red))
    b2 = board.cell_named("b2")
    expected += 100_000 * (len(networkx.node_connected_component(red, b2)) if b2 in at["R"] else 0)
    parts = [set(part) for part in networkx.connected_components(red)]
    expected += 10_000_000 * any(part & regions["top"] and part & regions["bottom"] for part in parts)
    expected += 100_000_000 * reaches_across(game, graph, at["R"], set(range(size)) - at["."], 4)
    assert position.value() == expected


@settings(max_examples=100)
@given(data=st.data())
def test_arrivals_over_links_are_on_shortest_ways(data: st.DataObject) -> None:
    """An extra cell counts as linked to every cell to which a link is free."""
    game = arriving()
    layer = game.board.layers[0]
    signs = data.draw(st.lists(st.sampled_from("...RRB"), min_size=20, max_size=20))
    there: list[int] = []
    for link in data.draw(st.lists(st.integers(0, len(layer.pairs) - 1), unique=True, max_size=20)):
        if all(not layer.crossing[link] >> other & 1 for other in there):
            there.append(link)
    text = "/".join("".join(signs[row * 5 : row * 5 + 5]) for row in range(4))
    position = game.read_position(text + " Red wire=" + ",".join(layer.text(game.board, link) for link in there))
    at = {sign: {cell for cell in range(20) if signs[cell] == sign} for sign in ".R"}
    regions = {name: {cell for cell in range(20) if game.board.regions[name] >> cell & 1} for name in ("top", "bottom")}
    graph = graph_of_links(game, there)
    b2 = game.board.cell_named("b2")
    beside = len(list(graph[b2])) if b2 in graph else 0
    graph.add_edges_from(pair for link, pair in enumerate(layer.pairs) if set(pair) & at["."]
                         and all(not layer.crossing[link] >> other & 1 for other in there))
    ends, ways = ways_arrive(graph, at["R"], at["."], regions["top"], regions["bottom"])
    expected = sum(1 + cell for cell in ends) + 1000 * beside + 100000 * sum(1 + cell for cell in ways)
    assert position.value() == expected
    assert plain_kernel(game).value(position.state) == position.value()

    game = answering()
    position = game.read_position(text + " Red wire=" + ",".join(layer.text(game.board, link) for link in there))
    least = contested(graph_of_links(game, there), graph, at["R"], regions["top"], regions["bottom"], at["."])
    assert position.value() == (20 if least == float("inf") else least)
    assert plain_kernel(game).value(position.state) == position.value()


def graph_of_links(game: Game, there: list[int]) -> networkx.Graph:
    """The graph of all cells and the given links."""
    graph = networkx.Graph()
    graph.add_nodes_from(range(game.board.size))
    graph.add_edges_from(game.board.layers[0].pairs[link] for link in there)
    return graph


@cache
def answering() -> Game:
    value = "value contested(red linked by wire, top, bottom, empty)"
    return loaded(BRIDGING, value, "draw when no empty", board="square(4, 5)")


@cache
def arriving() -> Game:
    return loaded(BRIDGING, ARRIVING, "draw when no empty", board="square(4, 5)")


def test_links_made_by_hand() -> None:
    """Three bridges join two sides; a bridge across them is not free; without its middle link the chain is broken."""
    game = loaded(BRIDGING, "win Red when joined(red linked by wire, top, bottom)", "draw when no empty",
                  "value distance(red linked by wire, top, bottom, empty)", board="square(6, 6)")
    position = played(game.start(), "c6 a1 d4 f1 c2")
    assert position.links == {"wire": (("c6", "d4"), ("d4", "c2"))}
    assert position.value() == 1
    position = played(position, "e3 a6 b3")  # no link of Blue is in the way of c2-e1
    assert position.links == {"wire": (("c6", "d4"), ("d4", "c2"), ("b3", "a1"), ("e3", "f1"))}
    assert position.outcome is None
    assert played(position, "e1").outcome == "Red"
    assert played(position, "e1").links["wire"][-1] == ("c2", "e1")


def test_link_in_the_way_is_not_set() -> None:
    """A free link is not set if it crosses another, whichever player owns that one."""
    game = loaded(BRIDGING, "draw when no empty", board="square(6, 6)")
    position = played(game.start(), "c3 b4 d5 d3")  # c3-d5, and b4-d3 would cross it
    assert position.links == {"wire": (("d5", "c3"),)}


# ---- asked of tracks


SIDES = {"/w": "WBBW", "/b": "BWWB", "\\w": "WWBB", "\\b": "BBWW", "+w": "WBWB", "+b": "BWBW"}
"""The owner of the track at the north, east, south and west side of each tile."""
WAYS = ((-1, 0), (0, 1), (1, 0), (0, -1))
TILES = """
tiles with a track of each player:
    "/" joins north west, south east
    "\\" joins north east, south west
    "+" joins north south, east west

value ((1 if loop(track[White]) else 0) + (2 if loop(track[Black]) else 0)
    + (4 if spans(track[White], span) else 0) + (8 if spans(track[Black], span) else 0)
    + (16 if joined(track[White], top, left) else 0))

move lay(c in empty, t in tiles):
    c := t

notation lay "{c}{t}{t.north}"
draw when no empty
"""


@cache
def tiled(span: int) -> Game:
    return loaded(f"param span = {span}", TILES, board="square(4, 4)", players="White, Black")


def walks(tiles: dict[Point, str], owner: str) -> Iterator[tuple[list[Point], bool]]:
    """Every walk along a player's tracks, and whether it returns to its beginning."""
    for place in tiles:
        for side in range(4):
            if SIDES[tiles[place]][side] == owner:
                yield walk(tiles, owner, place, side)


def walk(tiles: dict[Point, str], owner: str, place: Point, side: int) -> tuple[list[Point], bool]:
    """Follow a track from a tile out through one of its sides; return its cells and whether it closes."""
    first, path = (place, side), [place]
    while True:
        there = place[0] + WAYS[side][0], place[1] + WAYS[side][1]
        entered = (side + 2) % 4
        if there not in tiles or SIDES[tiles[there]][entered] != owner:
            return path, False
        side = next(way for way in range(4) if way != entered and SIDES[tiles[there]][way] == owner)
        place = there
        path.append(place)
        if (place, side) == first:
            return path, True


def spanned(tiles: dict[Point, str], owner: str, least: int) -> bool:
    """Whether a track leads from one outermost side to the opposite one, at least `least` apart."""
    for axis, (out, back) in enumerate(((0, 2), (3, 1))):
        places = [place[axis] for place in tiles]
        if not places or max(places) - min(places) + 1 < least:
            continue
        for place, name in tiles.items():
            if place[axis] != min(places) or SIDES[name][out] != owner:
                continue
            side = next(way for way in range(4) if way != out and SIDES[name][way] == owner)
            path = walk(tiles, owner, place, side)[0]
            end = path[-1]
            if len(path) == 1:
                leaves = side
            else:
                came = next(way for way in range(4) if (end[0] + WAYS[way][0], end[1] + WAYS[way][1]) == path[-2]
                            and SIDES[tiles[end]][way] == owner)
                leaves = next(way for way in range(4) if way != came and SIDES[tiles[end]][way] == owner)
            if end[axis] == max(places) and leaves == back:
                return True
    return False


@settings(max_examples=250)
@given(names=st.lists(st.sampled_from(["."] * 2 + 2 * list(SIDES)), min_size=16, max_size=16), span=st.integers(1, 5))
def test_tracks_are_asked_as_walks(names: Sequence[str], span: int) -> None:
    """Loops, spans and connections agree with walks along the tracks on random boards."""
    tiles = {(at // 4, at % 4): name for at, name in enumerate(names) if name != "."}
    position = tiled(span).read_position("|".join(",".join(names[row * 4 : row * 4 + 4]) for row in range(4)))
    white = list(walks(tiles, "W"))
    expected = int(any(closed for _, closed in white))
    expected += 2 * any(closed for _, closed in walks(tiles, "B"))
    expected += 4 * spanned(tiles, "W", span) + 8 * spanned(tiles, "B", span)
    expected += 16 * any(path[0][0] == 0 and any(column == 0 for _, column in path) for path, _ in white)
    assert position.value() == expected


def test_loops_of_tracks_made_by_hand() -> None:
    """Four corner tiles make exactly one loop for each player; any other combination makes none."""
    game = tiled(9)
    values = [game.read_position(f".,.,.,.|.,{a},{b},.|.,{c},{d},.|.,.,.,.").value()
              for a in SIDES for b in SIDES for c in SIDES for d in SIDES]
    assert sorted(set(values)) == [0, 1, 2]
    assert (values.count(1), values.count(2)) == (1, 1)


@pytest.mark.parametrize(("part", "code"), [
    ("c := man[facing(c, north)]", "G406"),
    ("score[facing(c, north)] += 1", "G403"),
    ("last := facing(c, north)", "G401"),
    ("c := t if loop(track[facing(c, north)])", "G406"),
])
def test_nobody_where_a_player_is_needed_is_a_rule_error(part: str, code: str) -> None:
    """`facing` without a track gives no player, which is refused as owner, index or value."""
    game = loaded(TILES.split("value")[0], "pieces man of each", "var score[player] in 0..9", "var last in players",
                  f'move lay(c in empty, t in tiles):\n    c := t\n    {part}\nnotation lay "{{c}}{{t}}{{t.north}}"',
                  "draw when no empty or last = White and score[White] = 9", players="White, Black")
    with pytest.raises(RuleError, match=code):
        game.start().play("b2+White")

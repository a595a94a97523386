"""Words of networks: connected parts, distances, loops.

A network is a set of cells joined as neighbours, by links of a kind (`S linked by bridge`), or across borders that are
not shut (`S cut by wall`), or the tracks of a player's tiles. `interpreter.semantics.networks` defines each kind;
`interpreter.compiler.lowering.networks` chooses the runtime functions for it.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from dsl import hir
from dsl.checks.bounds import CellBounds
from dsl.resolve.sorts import NETWORK
from interpreter.compiler import ir
from interpreter.model.state import WorkingState
from interpreter.semantics.networks import (
    CellNetwork,
    CutNetwork,
    LinkNetwork,
    Network,
    TrackNetwork,
    Tracks,
    flood,
)
from interpreter.words.meaning import Meaning, Unbounded

if TYPE_CHECKING:
    from interpreter.analysis.bounds import BoardBounds
    from interpreter.compiler.lowering.expressions import ExprLowering
    from interpreter.compiler.lowering.networks import Networks
    from interpreter.semantics.evaluate import Evaluator
    from interpreter.semantics.functions import Bound, Function

_Networked = Callable[..., Network]
"""A function of a working state and bound values that gives a network."""


class _Joined(Meaning):
    """`joined(N, S, T, ...)`: whether a connected part of a network has a cell of each set."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        cells, *sides = term.arguments
        if cells.sort != NETWORK and len(sides) == 2:
            return self._two_sides(evaluator, term)
        network, (first, *others) = _network_of(evaluator, cells), [evaluator.known(side) for side in sides]

        def joined(table: WorkingState, bound: Bound) -> bool:
            whole = network(table, bound)
            goals = [other(table, bound) for other in others]
            rest = first(table, bound) & whole.cells
            while rest:
                part = whole.reached(rest & -rest)
                if all(part & goal for goal in goals):
                    return True
                rest &= ~part
            return False

        return joined

    def _two_sides(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        """Compile the word for two sets in a network of neighbouring cells, where one flood fill decides."""
        near, (cells, one_side, other_side) = evaluator.board.neighbours, evaluator.arguments(term)

        def joined(table: WorkingState, bound: Bound) -> bool:
            region, start, goal = cells(table, bound), one_side(table, bound), other_side(table, bound)
            return bool(region & start and region & goal and flood(start, region, near) & goal)

        return joined

    def bounds(self, known: BoardBounds, term: hir.Apply) -> bool | None:
        network, *sides = term.arguments
        if network.sort == NETWORK:
            return None
        region, goals = known.cells(network), [known.cells(side) for side in sides]
        near = known.board.neighbours
        if _all_in_one(region.least, [goal.least for goal in goals], near):
            return True
        return None if _all_in_one(region.most, [goal.most for goal in goals], near) else False

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        network, others = terms.program.network(terms, term)
        goals = [f"goal_{number}" for number in range(2, len(others) + 1)]
        more = [ir.Name(goal, terms.sets.cells) for goal in goals]

        def put(networks: Networks, kind: str, wish: str) -> str:
            reached = networks.function(kind, "reached")
            made = networks.library.put("joined", wish, more, goals=goals, reached_from=reached)
            if kind == "cell":
                networks.sets.asked_joined.add(made)
            return made

        question = f"{term.function}_{len(others)}"
        return network.asked(terms.program.networks.answering(network.kind, question, put), others)


def _all_in_one(region: int, goals: Sequence[int], near: Sequence[int]) -> bool:
    """Whether a connected part of a set of cells has a cell of each goal."""
    rest = goals[0] & region
    while rest:
        part = flood(rest & -rest, region, near)
        if all(part & goal for goal in goals):
            return True
        rest &= ~part
    return False


class _Group(Meaning):
    """`group(S, N)`: the cells of a network that are connected to a cell of a set."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        if term.arguments[1].sort != NETWORK:
            near, (start, cells) = evaluator.board.neighbours, evaluator.arguments(term)
            return lambda table, bound: flood(start(table, bound), cells(table, bound), near)
        origins, network = evaluator.known(term.arguments[0]), _network_of(evaluator, term.arguments[1])
        return lambda table, bound: network(table, bound).reached(origins(table, bound))

    def bounds(self, known: BoardBounds, term: hir.Apply) -> CellBounds:
        origins, network = term.arguments
        if network.sort == NETWORK:
            return CellBounds(0, known.board.everything)
        start, region = known.cells(origins), known.cells(network)
        near = known.board.neighbours
        return CellBounds(flood(start.least, region.least, near), flood(start.most, region.most, near))

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        origins, network = term.arguments
        if network.sort == NETWORK:
            whole, others = terms.program.network(terms, term)
            return whole.asked(terms.program.networks.function(whole.kind, "reached"), others)
        return terms.sets.flood(terms.cells(origins), terms.cells(network))


class _Asked(Unbounded):
    """A query of a whole network, with further arguments after it."""

    def __init__(self, ask: Callable[..., int]) -> None:
        self.ask = ask
        """The function that answers it, from the network, the working state and the other arguments."""

    def value(self, evaluator: Evaluator, term: hir.Apply) -> Function:
        ask, network = self.ask, _network_of(evaluator, term.arguments[0])
        others = [evaluator.known(item) for item in term.arguments[1:]]

        def asked(table: WorkingState, bound: Bound) -> int:
            return ask(network(table, bound), table, *[other(table, bound) for other in others])

        return asked

    @abstractmethod
    def put(self, networks: Networks, kind: str, wish: str) -> str:
        """Put the runtime function that answers it for networks of a kind into the library, and return its name."""

    def lowered(self, terms: ExprLowering, term: hir.Apply) -> ir.Expr:
        network, others = terms.program.network(terms, term)
        return network.asked(terms.program.networks.answering(network.kind, term.function, self.put), others)


class _Loop(_Asked):
    """`loop(N)`: whether a network has a cycle."""

    def put(self, networks: Networks, kind: str, wish: str) -> str:
        reached = networks.function(kind, "reached")
        return networks.library.put("loop", wish, reached_from=reached, to=networks.function(kind, "to"))


class _Spans(_Asked):
    """`spans(N, n)`: whether a connected part is open at two opposite sides of the bounding box of all pieces."""

    def put(self, networks: Networks, kind: str, wish: str) -> str:
        reached, leaving = networks.function(kind, "reached"), networks.function(kind, "leaving")
        board, sets = networks.program.board, networks.sets
        ways = {way: board.directions.index(way) for way in ("north", "south", "west", "east")}
        return networks.library.put(
            "spans", wish, everything=[sets.constant(board.everything)], rows=sets.table("rows", board.rows),
            row_count=board.row_count, columns=sets.table("columns", board.columns), column_count=board.column_count,
            reached_from=reached, leaving_by=leaving, **ways)


class _Distance(_Asked):
    """`distance(N, S, T, extra)`: the least number of extra cells that a connection needs."""

    def put(self, networks: Networks, kind: str, wish: str) -> str:
        reached, size = networks.function(kind, "reached"), networks.program.board.size
        if kind == "cell":
            return networks.library.put("cell_distance", reached_from=reached, size=size,
                                        neighbours_of=networks.sets.neighbours_function)
        around = networks.function(kind, "around")
        return networks.library.put("distance", wish, reached_from=reached, size=size, around_of=around)


class _Contested(_Asked):
    """`contested(N, S, T, extra)`: the two-distance, the extra cells that a connection needs where each is answered."""

    def put(self, networks: Networks, kind: str, wish: str) -> str:
        reached, around = networks.function(kind, "reached"), networks.function(kind, "around")
        return networks.library.put("contested", wish, reached_from=reached, around_of=around,
                                    joined_with=networks.function(kind, "with"), size=networks.program.board.size)


class _Ways(_Asked):
    """`ways(N, S, T, extra)`, `arrivals(...)`: the extra cells of shortest paths, or the network's cells after them."""

    def __init__(self, ask: Callable[..., int], *, arrivals: bool) -> None:
        super().__init__(ask)
        self.arrivals = arrivals

    def put(self, networks: Networks, kind: str, wish: str) -> str:
        reached = networks.function(kind, "reached")
        return networks.library.put("ways", wish, arrivals=int(self.arrivals), reached_from=reached,
                                    around_of=networks.function(kind, "around"))


def _network_of(evaluator: Evaluator, term: hir.Expr) -> _Networked:
    """Compile a network: of neighbouring cells, of links, with shut borders, or of a player's tracks."""
    board = evaluator.board
    match term:
        case hir.Linked(cells=cells, layer=number):
            among, layer = evaluator.compile(cells), board.layers[number]
            return lambda table, bound: LinkNetwork(board, among(table, bound), layer, table.links[number])
        case hir.Cut(cells=cells, variable=number):
            among, begin, size = evaluator.compile(cells), evaluator.offsets[number], evaluator.sizes[number]
            return lambda table, bound: CutNetwork(board, among(table, bound), table.values[begin : begin + size])
        case hir.Track(player=player):
            who, tracks = evaluator.known(player), Tracks.of(evaluator.rules, board)
            return lambda table, bound: TrackNetwork(board, tracks, table, who(table, bound))
    among = evaluator.compile(term)
    return lambda table, bound: CellNetwork(board, among(table, bound))


MEANINGS = {
    "joined": _Joined(),
    "group": _Group(),
    "loop": _Loop(lambda network, table: network.has_loop()),
    "spans": _Spans(lambda network, table, least: network.spans(table, least)),
    "distance": _Distance(lambda network, table, *sides: network.distance(*sides)),
    "contested": _Contested(lambda network, table, *sides: network.contested(*sides)),
    "arrivals": _Ways(lambda network, table, *sides: network.arrivals(*sides), arrivals=True),
    "ways": _Ways(lambda network, table, *sides: network.ways(*sides), arrivals=False),
}

"""The functions of the language at work: each makes one function out of those of its arguments.

`ON_CELLS` holds those of cells and numbers by name, `ON_NETWORKS` those that are asked of a network, `ON_PIECES` those
of pieces and tiles. `interpreter.semantics.evaluate` looks a call up here; the names are
those of `dsl.words`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from dsl import hir
from dsl.syntax.source import Span
from interpreter.boards import Board, mask_of, members
from interpreter.errors import RuleError
from interpreter.model.state import WorkingState
from interpreter.semantics.courses import ON_TRACKS
from interpreter.semantics.networks import CellNetwork, Network, Tracks, flood
from interpreter.semantics.sites import ON_SITES

Bound = list[Any]  # the values of a rule's slots: cells, numbers, players, ... or None
Function = Callable[[WorkingState, Bound], Any]
Test = Callable[[WorkingState, Bound], bool]
CellSet = Callable[[WorkingState, Bound], int]


def _step(board: Board, arguments: list[Function], span: Span) -> Function:
    cell, direction = arguments
    steps = board.steps

    def run(table: WorkingState, bound: Bound) -> int | None:
        origin = cell(table, bound)
        if origin is None:
            return None
        target = steps[origin][direction(table, bound)]
        return None if target < 0 else target

    return run


def _coordinate(of: Callable[[Board], tuple[int, ...]]) -> Callable[[Board, list[Function], Span], Function]:
    def build(board: Board, arguments: list[Function], span: Span) -> Function:
        (cell,) = arguments
        numbers = of(board)

        return lambda table, bound: numbers[some_cell(cell(table, bound), "a row or column", span)]

    return build


def _cell(board: Board, arguments: list[Function], span: Span) -> Function:
    row, column = arguments

    def run(table: WorkingState, bound: Bound) -> int | None:
        found = board.cell_at(row(table, bound), column(table, bound))
        return None if found < 0 else found

    return run


def _stripe(of: Callable[[Board], tuple[int, ...]]) -> Callable[[Board, list[Function], Span], Function]:
    def build(board: Board, arguments: list[Function], span: Span) -> Function:
        (number,) = arguments
        stripes = of(board)

        def run(table: WorkingState, bound: Bound) -> int:
            at = number(table, bound)
            return stripes[at] if 0 <= at < len(stripes) else 0

        return run

    return build


def _neighbours(board: Board, arguments: list[Function], span: Span) -> Function:
    (cells,) = arguments
    neighbours = board.neighbours

    def run(table: WorkingState, bound: Bound) -> int:
        found = 0
        for cell in members(cells(table, bound)):
            found |= neighbours[cell]
        return found

    return run


def _degree(board: Board, arguments: list[Function], span: Span) -> Function:
    (cell,) = arguments
    degrees = [len(members(neighbours)) for neighbours in board.neighbours]
    return lambda table, bound: degrees[some_cell(cell(table, bound), "degree(...)", span)]


def _opposite(board: Board, arguments: list[Function], span: Span) -> Function:
    (direction,) = arguments
    half = len(board.directions) // 2  # boards list their directions in the order of the compass
    return lambda table, bound: (direction(table, bound) + half) % (2 * half)


def _piece(board: Board, arguments: list[Function], span: Span) -> Function:
    (cell,) = arguments

    def run(table: WorkingState, bound: Bound) -> int | None:
        place = cell(table, bound)
        return None if place is None else table.piece_at(place)

    return run


def _group(board: Board, arguments: list[Function], span: Span) -> Function:
    origins, cells = arguments
    return lambda table, bound: flood(origins(table, bound), cells(table, bound), board.neighbours)


def _leap(board: Board, arguments: list[Function], span: Span) -> Function:
    cell, one, other = arguments

    def run(table: WorkingState, bound: Bound) -> int:
        origin, rows, columns = cell(table, bound), one(table, bound), other(table, bound)
        return 0 if origin is None else board.leaps(rows, columns)[origin]

    return run


def _joined(board: Board, arguments: list[Function], span: Span) -> Function:
    cells, one_side, other_side, *more = arguments
    if more:
        return _joined_network(board, lambda table, bound: CellNetwork(board, cells(table, bound)), arguments[1:], span)

    def run(table: WorkingState, bound: Bound) -> bool:
        region, start, goal = cells(table, bound), one_side(table, bound), other_side(table, bound)
        return bool(region & start and region & goal and flood(start, region, board.neighbours) & goal)

    return run


def _of_link(
    test: Callable[[WorkingState, Board, int, int, int], bool],
) -> Callable[[Board, list[Function], Span], Function]:
    def build(board: Board, arguments: list[Function], span: Span) -> Function:
        one, other, number = arguments

        def run(table: WorkingState, bound: Bound) -> bool:
            here, there, layer = one(table, bound), other(table, bound), number(table, bound)
            if here is None or there is None:
                return False
            link = board.layers[layer].number(here, there)
            return link >= 0 and test(table, board, layer, link, table.links[layer])

        return run

    return build


def _linked_to(board: Board, arguments: list[Function], span: Span) -> Function:
    cell, number = arguments

    def run(table: WorkingState, bound: Bound) -> int:
        origin, layer = cell(table, bound), number(table, bound)
        there = table.links[layer]
        return mask_of(other for link, other in board.layers[layer].of_cell.get(origin, ()) if there >> link & 1)

    return run


def _line(board: Board, arguments: list[Function], span: Span) -> Function:
    cells, length = arguments

    def run(table: WorkingState, bound: Bound) -> bool:
        number, region = length(table, bound), cells(table, bound)
        if number < 1:
            raise RuleError("G405", f"line(..., {number}) asks for a line of {number} cells, expected at least 1", span)
        return board.has_line(region, number)

    return run


def _lines(board: Board, arguments: list[Function], span: Span) -> Function:
    cells, length = arguments

    def run(table: WorkingState, bound: Bound) -> int:
        number = length(table, bound)
        region = cells(table, bound)
        if number < 1:
            raise RuleError("G405", f"lines(..., {number}) asks for lines of {number} cells, expected at least 1", span)
        return board.in_lines(region, number)

    return run


def _count(board: Board, arguments: list[Function], span: Span) -> Function:
    (cells,) = arguments
    return lambda table, bound: cells(table, bound).bit_count()


def _numbers(combine: Callable[..., int]) -> Callable[[Board, list[Function], Span], Function]:
    def build(board: Board, arguments: list[Function], span: Span) -> Function:
        return lambda table, bound: combine(*(argument(table, bound) for argument in arguments))

    return build


def some_cell(cell: int | None, function: str, span: Span) -> int:
    """A cell that a function is asked of. Raises RuleError where there is none."""
    if cell is None:
        raise RuleError("G403", f"{function} is asked of no cell: a step left the board", span)
    return cell


ON_CELLS: dict[str, Callable[[Board, list[Function], Span], Function]] = {
    "step": _step,
    "coordinate_row": _coordinate(lambda board: board.row_of),
    "coordinate_column": _coordinate(lambda board: board.column_of),
    "cell": _cell,
    "row": _stripe(lambda board: board.rows),
    "column": _stripe(lambda board: board.columns),
    "neighbours": _neighbours,
    "degree": _degree,
    "opposite": _opposite,
    "piece": _piece,
    "group": _group,
    "leap": _leap,
    "joined": _joined,
    "free": _of_link(lambda table, board, layer, link, there: board.layers[layer].is_free(link, there)),
    "linked": _of_link(lambda table, board, layer, link, there: bool(there >> link & 1)),
    "linked_to": _linked_to,
    "line": _line,
    "lines": _lines,
    "count": _count,
    "abs": _numbers(abs),
    "min": _numbers(min),
    "max": _numbers(max),
    **ON_TRACKS,
    **ON_SITES,
}


# ---- asked of a network

Networked = Callable[[WorkingState, Bound], Network]


def _joined_network(board: Board, network: Networked, arguments: list[Function], span: Span) -> Function:
    first, *others = arguments

    def run(table: WorkingState, bound: Bound) -> bool:
        whole = network(table, bound)
        goals = [other(table, bound) for other in others]
        rest = first(table, bound) & whole.cells
        while rest:
            part = whole.reached(rest & -rest)
            if all(part & goal for goal in goals):
                return True
            rest &= ~part
        return False

    return run


def _group_network(board: Board, network: Networked, arguments: list[Function], span: Span) -> Function:
    (origins,) = arguments
    return lambda table, bound: network(table, bound).reached(origins(table, bound))


def _loop(board: Board, network: Networked, arguments: list[Function], span: Span) -> Function:
    return lambda table, bound: network(table, bound).has_loop()


def _spans(board: Board, network: Networked, arguments: list[Function], span: Span) -> Function:
    (least,) = arguments
    return lambda table, bound: network(table, bound).spans(table, least(table, bound))


def _distance(board: Board, network: Networked, arguments: list[Function], span: Span) -> Function:
    one_side, other_side, extra = arguments

    def run(table: WorkingState, bound: Bound) -> int:
        return network(table, bound).distance(one_side(table, bound), other_side(table, bound), extra(table, bound))

    return run


def _arrivals(board: Board, network: Networked, arguments: list[Function], span: Span) -> Function:
    one_side, other_side, extra = arguments

    def run(table: WorkingState, bound: Bound) -> int:
        return network(table, bound).arrivals(one_side(table, bound), other_side(table, bound), extra(table, bound))

    return run


def _ways(board: Board, network: Networked, arguments: list[Function], span: Span) -> Function:
    one_side, other_side, extra = arguments

    def run(table: WorkingState, bound: Bound) -> int:
        return network(table, bound).ways(one_side(table, bound), other_side(table, bound), extra(table, bound))

    return run


ON_NETWORKS: dict[str, Callable[[Board, Networked, list[Function], Span], Function]] = {
    "joined": _joined_network,
    "group": _group_network,
    "loop": _loop,
    "spans": _spans,
    "distance": _distance,
    "arrivals": _arrivals,
    "ways": _ways,
}
"""Those in `ON_CELLS` as well come here only for networks that are more than cells and their neighbours."""


# ---- of tiles


def _side(board: Board, rules: hir.Rules, arguments: list[Function]) -> Function:
    piece, direction = arguments
    sides = [kind.sides for kind in rules.pieces]

    def run(table: WorkingState, bound: Bound) -> int | None:
        index = piece(table, bound)
        found = sides[index][direction(table, bound)] if index is not None and sides[index] else -1
        return None if found < 0 else found

    return run


def _facing(board: Board, rules: hir.Rules, arguments: list[Function]) -> Function:
    cell, direction = arguments
    tracks = Tracks.of(rules, board)

    def run(table: WorkingState, bound: Bound) -> int | None:
        origin = cell(table, bound)
        if origin is None:
            return None
        way = direction(table, bound)
        target = board.steps[origin][way]
        return None if target < 0 else tracks.owner(table, target, (way + tracks.half) % (2 * tracks.half))

    return run


def _of_piece(values: Callable[[hir.Rules], Sequence[int]]) -> Callable[[Board, hir.Rules, list[Function]], Function]:
    """A value that each piece has, -1 for none."""
    def build(board: Board, rules: hir.Rules, arguments: list[Function]) -> Function:
        (piece,), found = arguments, [None if value < 0 else value for value in values(rules)]

        def run(table: WorkingState, bound: Bound) -> int | None:
            index = piece(table, bound)
            return None if index is None else found[index]

        return run

    return build


def _piece_of(board: Board, rules: hir.Rules, arguments: list[Function]) -> Function:
    kind, player = arguments
    pieces = pieces_by_kind(rules)

    def run(table: WorkingState, bound: Bound) -> int | None:
        number = kind(table, bound)
        found = -1 if number is None else pieces[number][player(table, bound)]
        return None if found < 0 else found

    return run


def owners(rules: hir.Rules) -> list[int]:
    """For each piece who owns it, -1 for nobody."""
    return [-1 if piece.owner is None else piece.owner for piece in rules.pieces]


def kinds(rules: hir.Rules) -> list[int]:
    """For each piece its kind, -1 for empty and for tiles."""
    names = hir.kinds_of(rules.pieces)
    return [names.index(piece.name) if piece.name in names else -1 for piece in rules.pieces]


def pieces_by_kind(rules: hir.Rules) -> list[list[int]]:
    """For each kind the piece of each player, -1 where the player has none."""
    of_kind, found = kinds(rules), [[-1] * len(rules.players) for _ in hir.kinds_of(rules.pieces)]
    for index, piece in enumerate(rules.pieces):
        if of_kind[index] >= 0 and piece.owner is not None:
            found[of_kind[index]][piece.owner] = index
    return found


ON_PIECES: dict[str, Callable[[Board, hir.Rules, list[Function]], Function]] = {
    "side": _side, "facing": _facing, "owner": _of_piece(owners), "kind": _of_piece(kinds), "piece_of": _piece_of}

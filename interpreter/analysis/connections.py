"""Proof that a game is a connection game: the first player to connect their regions wins, and both never can.

`connection_of` proves the following, or returns None:

1. Each move puts one piece of the mover's kind on an empty cell, any empty cell, and does nothing else; pieces never
   change. So further pieces of one's own never hurt. There are no other kinds of pieces, so that each cell is empty or
   a player's.
2. The only ends are wins of a player whose pieces connect some regions of the board, by steps between neighbours. So a
   win depends on the winner's pieces alone, and persists when the winner gets more.
3. The players cannot both be connected: of two disjoint sets of cells only one connects its player's regions.

It does not prove that one of them is always connected in the end; where nobody is, no rule says what happens, and play
stops with an error. Solvers may then reason with the cells that a win needs ("carriers"). Condition 3 is needed since a
strategy that wins on some cells, whatever the opponent does elsewhere, must not come too late for an opponent's win
there.

Proof of 3: take the graph of cells and neighbours, with a vertex for each region, adjacent to its cells, and one more
vertex, the hub. Either both players have the same three regions: connect the hub to these. If both players were
connected, their two connected sets and the hub would each be adjacent to each of three regions, a minor K(3,3). Or the
players have two regions each, four in all: connect the hub to the four, and these in a ring, the players' alternating.
If both players were connected, the two sets would connect opposite vertices of the ring, and with the hub that is a
minor K(5). A planar graph has neither (Wagner), so it suffices that the graph with the hub is planar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.checks.reads import reads
from dsl.words import WORDS, Reads
from interpreter.boards import members
from interpreter.errors import RuleError
from interpreter.model.state import WorkingState

if TYPE_CHECKING:
    from interpreter.game import Game


@attrs.frozen
class Connection:
    """A connection game: for each player the piece to put and the regions to connect, as bitsets of cells."""

    pieces: tuple[int, int]
    regions: tuple[tuple[int, ...], tuple[int, ...]]


def connection_of(game: Game) -> Connection | None:
    """The pieces and regions of a connection game; None where a game is not proved to be one."""
    rules = game.rules
    pieces = _placed(rules)
    if pieces is None or game.board.unbounded or rules.no_moves:
        return None
    regions: list[tuple[int, ...] | None] = [None, None]
    for end in rules.ends:
        term = end.condition.term
        if end.kind != "win" or end.player is None or not (
                isinstance(term, hir.Apply) and WORDS[term.function].joins):
            return None
        cells, *given = term.arguments
        if any(reads(region) != Reads.NOTHING for region in given):
            return None
        try:
            sets = tuple(_cells(game, region, end.condition.slots) for region in given)
        except RuleError:  # it fails in play, too
            return None
        if isinstance(end.player, hir.Literal) and isinstance(cells, hir.CellsOf):
            player = end.player.value
            if player is None or cells.pieces != (pieces[player],) or regions[player] is not None:
                return None
            regions[player] = sets
        elif end.player == hir.Role("mover", sort=end.player.sort, span=end.player.span) and isinstance(
                cells, hir.Owned) and cells.mine and regions == [None, None]:
            regions = [sets, sets]
        else:
            return None
    one, other = regions
    if one is None or other is None or not _exclusive(game, one, other):
        return None
    return Connection(pieces, (one, other))


def _placed(rules: hir.Rules) -> tuple[int, int] | None:
    """The piece that each player puts on any empty cell, if moves do nothing else; else None."""
    by_moves_alone = not (rules.after or rules.forced or rules.illegal or rules.ranking or rules.again or rules.pies
                         or rules.has_chance or rules.order or rules.has_precedence)
    if len(rules.players) != 2 or len(rules.moves) != 1 or not by_moves_alone:
        return None
    if rules.passing is not None or rules.layers or rules.variables:
        return None
    move = rules.moves[0]
    if move.when is not None or len(move.choices) != 1 or len(move.body) != 1:
        return None
    choice, effect = move.choices[0], move.body[0]
    if len(choice.slots) != 1 or choice.guard is not None or not isinstance(choice.domain, hir.CellsOf):
        return None
    if choice.domain.pieces != (0,) or not isinstance(effect, hir.SetPiece) or effect.guard is not None:
        return None
    cells, piece = effect.cells, effect.piece
    if not isinstance(cells, hir.Local) or cells.slot != choice.slots[0]:
        return None
    if not isinstance(piece, hir.OwnPiece) or not isinstance(piece.player, hir.Role):
        return None
    if piece.player.name != "mover" or len(piece.pieces) != 2:
        return None
    one, other = piece.pieces
    owners = [kind.owner for kind in rules.pieces[1:]]
    return (one, other) if len(owners) == 2 and owners[one - 1] == 0 and owners[other - 1] == 1 else None


def _cells(game: Game, term: hir.Expr, slots: int) -> int:
    engine = game.engine
    return int(engine.evaluator.compile(term)(WorkingState(engine.start()), [None] * slots))


def _exclusive(game: Game, one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """Whether it is proved that not both players can be connected."""
    import networkx  # not at the top: it takes a tenth of a second, and few games need it

    graph = networkx.Graph()
    for cell, near in enumerate(game.board.neighbours):
        graph.add_edges_from((cell, neighbour) for neighbour in members(near))
    for player, regions in enumerate((one, other)):
        for number, region in enumerate(regions):
            graph.add_edges_from(((player, number), cell) for cell in members(region))
    if sorted(one) == sorted(other) and len(one) == 3:
        graph.remove_nodes_from([(1, number) for number in range(3)])
        graph.add_edges_from(("hub", (0, number)) for number in range(3))
    elif len(one) == len(other) == 2:
        ring = [(0, 0), (1, 0), (0, 1), (1, 1)]
        graph.add_edges_from(zip(ring, [*ring[1:], ring[0]], strict=True))
        graph.add_edges_from(("hub", corner) for corner in ring)
    else:
        return False
    return bool(networkx.check_planarity(graph)[0])

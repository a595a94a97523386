"""Resolves names: the meaning of a name, a member or an index in a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.boards.borders import BORDER, INNER, PLURALS, VERTEX, sites
from dsl.resolve import cuts, kinds
from dsl.resolve.indices import index_example, index_sort, pair
from dsl.resolve.scope import PieceName
from dsl.resolve.sorts import (
    BOOLEAN,
    CELL,
    CELLS,
    COURSE,
    DIRECTION,
    LAYER,
    NETWORK,
    OPEN,
    PIECE,
    PLAYER,
    UNKNOWN,
    Integer,
    Kind,
    SetOf,
    Sort,
)
from dsl.resolve.turns import allies
from dsl.resolve.uses import expand
from dsl.syntax import rules
from dsl.syntax.foreign_syntax import MEMBERS
from dsl.syntax.source import Span
from dsl.words import CALLED

if TYPE_CHECKING:
    from dsl.resolve.expressions import ExprResolver


def name(resolver: ExprResolver, node: rules.Name, wanted: Sort | None) -> hir.Expr:
    """Resolve a name: one that is bound, declared, or known to every game or board."""
    world = resolver.world
    if world.notes is not None:
        world.notes.meet(node, wanted, resolver.scope)
    local = resolver.scope.names.get(node.text)
    if local is not None:
        return attrs.evolve(local, span=node.span)
    if node.text in world.refused:
        return resolver.unknown(node.span)
    if node.text in world.declared:
        world.used.add(node.text)
    if node.text in world.params:
        number = world.params[node.text]
        return hir.Literal(number, sort=Integer(number, number), span=node.span)
    if node.text in world.definitions:
        return expand(resolver, world.definitions[node.text], (), None, node, wanted)
    if node.text in world.variables:
        return _variable(resolver, node, None, node.span)
    if node.text in world.piece_names:
        return _piece(resolver, world.piece_names[node.text], node, wanted)
    if node.text in world.players:
        return hir.Literal(world.players.index(node.text), sort=PLAYER, span=node.span)
    if node.text in world.teams:
        return hir.Listing(world.teams[node.text], sort=SetOf(PLAYER), span=node.span)
    if node.text in world.words:
        sort, index = world.words[node.text]
        return hir.Literal(index, sort=sort, span=node.span)
    if node.text in world.enumerations:
        enumerated = world.enumerations[node.text]
        return hir.Listing(tuple(range(len(enumerated.values))), sort=SetOf(enumerated), span=node.span)
    if node.text in world.graph_cells:
        return hir.Literal(world.graph_cells[node.text], sort=CELL, span=node.span)
    if node.text in world.layers:
        return hir.Literal(world.layers[node.text], sort=LAYER, span=node.span)
    if node.text in world.courses:
        return hir.Literal(2 * world.courses[node.text], sort=COURSE, span=node.span)
    return builtin(resolver, node, wanted)


def builtin(resolver: ExprResolver, node: rules.Name, wanted: Sort | None) -> hir.Expr:
    """Resolve a name of the language or of the board: a region, a direction, a role."""
    world, span = resolver.world, node.span
    board = world.board
    if node.text in board.regions:
        return hir.Region(node.text, sort=CELLS, span=span)
    if node.text in board.directions:
        return hir.Literal(board.directions.index(node.text), sort=DIRECTION, span=span)
    if node.text in board.direction_sets:
        indices = tuple(board.directions.index(name) for name in board.direction_sets[node.text])
        return hir.Listing(indices, sort=SetOf(DIRECTION), span=span)
    everything = tuple(range(1, len(world.pieces)))
    places = world.enumerations.get(PLURALS.get(node.text, ""))
    if places is not None:
        return hir.Listing(tuple(range(len(places.values))), sort=SetOf(places), span=span)
    inner = world.enumerations.get(INNER.get(node.text, ""))
    if inner is not None and world.shape:
        return hir.Listing(sites(board, world.shape, inner.name).inner, sort=SetOf(inner), span=span)
    match node.text:
        case "empty" if wanted == PIECE:
            return hir.Literal(0, sort=PIECE, span=span)
        case "empty":
            return hir.CellsOf((0,), sort=CELLS, span=span)
        case "occupied":
            return hir.CellsOf(everything, sort=CELLS, span=span)
        case "mine" | "theirs" | "allies" | "mover" | "opponent" | "own" if resolver.scope.nobody:
            resolver.report("G235", f"found '{node.text}' in {resolver.scope.nobody}, where nobody moves, "
                        "expected a piece or a player by name", span)
            return resolver.unknown(span)
        case "mine" | "theirs":
            return hir.Owned(node.text == "mine", sort=CELLS, span=span)
        case "allies" if world.teams:
            return allies(world, span)
        case "mover":
            return hir.Role("mover", sort=PLAYER, span=span)
        case "opponent":
            if len(world.players) != 2:
                if world.doubtful("players"):
                    return resolver.unknown(span)
                resolver.report("G214", f"'opponent' needs exactly two players, found {len(world.players)}", span)
                return resolver.unknown(span)
            return hir.Role("opponent", sort=PLAYER, span=span)
        case "own":
            return _own(resolver, node, wanted)
        case "players":
            return hir.Listing(tuple(range(len(world.players))), sort=SetOf(PLAYER), span=span)
        case "track" if world.tiles:
            resolver.report("G211", "'track' is one for each player, expected track[...]", span,
                        "for instance track[mover]")
            return resolver.unknown(span)
        case "tiles" if world.tiles:
            return hir.Listing(world.tiles, sort=SetOf(PIECE), span=span)
        case "pieces":
            world.used.update(world.piece_names)
            return hir.Listing(everything, sort=SetOf(PIECE), span=span)
        case "boolean":
            return hir.Listing((0, 1), sort=SetOf(BOOLEAN), span=span)
        case "rows" | "columns" if board.rows_and_columns:
            count = world.row_count if node.text == "rows" else world.column_count
            role = node.text[:-1]
            low, high = (hir.Literal(n, sort=Integer(n, n), span=span) for n in (0, count - 1))
            return hir.Numbers(low, high, sort=SetOf(Integer(0, count - 1, role)), span=span)
    otherwise = ""
    if node.text in resolver.scope.ahead:
        otherwise = f"'when' is asked before '{node.text}' is chosen; a condition on it stands beside its choice: " \
                    f"({node.text} in S where P)"
    world.unknown(node, bound=resolver.scope.names, otherwise=otherwise or resolver.expected)
    return resolver.unknown(span)


def _own(resolver: ExprResolver, node: rules.Name, wanted: Sort | None) -> hir.Expr:
    """The piece of the mover; an error unless every player owns exactly one."""
    world = resolver.world
    owned = [[i for i, piece in enumerate(world.pieces) if i and piece.owner == p]
             for p in range(len(world.players))]
    for player, pieces in zip(world.players, owned, strict=True):
        if len(pieces) == 1:
            continue
        if world.doubtful("pieces") or world.doubtful("players"):
            return resolver.unknown(node.span)
        names = ", ".join(world.pieces[i].name for i in pieces)
        result = f"the pieces of {player} are {names}" if pieces else f"there is no piece of {player}"
        shared = [f"{name}[mover]" for name, piece in world.piece_names.items() if piece.by_player is not None][:4]
        several = f"name the piece: {' or '.join(shared)}" if shared else "name the piece, or declare 'man of each'"
        resolver.report("G308", f"'own' is ambiguous: {result}, expected exactly one piece for each player", node.span,
                    several if pieces else "give each player a piece: pieces red of Red, ...")
        return resolver.unknown(node.span)
    mover = hir.Role("mover", sort=PLAYER, span=node.span)
    return hir.OwnPiece(mover, tuple(pieces[0] for pieces in owned), sort=PIECE, span=node.span)


def _piece(resolver: ExprResolver, piece: PieceName, node: rules.Name, wanted: Sort | None) -> hir.Expr:
    if isinstance(wanted, Kind):
        return kinds.literal(resolver.world, piece, node.span)
    if len(piece.indices) == 1 and wanted != CELLS:
        return hir.Literal(piece.indices[0], sort=PIECE, span=node.span)
    if wanted == PIECE:
        resolver.report("G308", f"'{piece.name}' is ambiguous: each player has one, expected one player's", node.span,
                     f"write {piece.name}[mover] or {piece.name}[{resolver.world.players[0]}]")
        return resolver.unknown(node.span)
    return hir.CellsOf(piece.indices, sort=CELLS, span=node.span)


def chosen_before(resolver: ExprResolver, node: rules.That, wanted: Sort | None) -> hir.Expr:
    """`that c`: the only element that fulfils a condition."""
    result = resolver.scope.those.get(node.name.text)
    place = resolver.scope.places.get(f"that {node.name.text}")
    if resolver.world.notes is not None and place is not None:
        resolver.world.notes.uses[node.name.span] = place
    if result is None:
        name = node.name.text
        resolver.report("G207", f"'that {name}' refers to nothing, expected 'exactly one {name} in ...' before it",
                    node.span)
        return resolver.unknown(node.span)
    return attrs.evolve(result, span=node.span)


def member(resolver: ExprResolver, node: rules.Member, wanted: Sort | None) -> hir.Expr:
    """`x.y`: a property of a value, such as the next cell in a direction."""
    base = resolver.resolve(node.base, None)
    if base.sort == PIECE and resolver.world.tiles:
        side = resolver.direction(node.name)
        return resolver.unknown(node.span) if side.sort == UNKNOWN else hir.Apply(
            "side", (base, side), sort=PLAYER, span=node.span)
    if base.sort == CELLS and isinstance(node.name, rules.Name) and node.name.text in ("count", "size", "length"):
        resolver.report("G206", "found a set of cells, expected a cell", base.span, MEMBERS[node.name.text])
        return resolver.unknown(node.span)
    for what, word in ((BORDER, "from_border"), (VERTEX, "from_vertex")):
        if base.sort == resolver.world.enumerations.get(what):
            side = resolver.direction(node.name)
            return side if side.sort == UNKNOWN else hir.Apply(word, (base, side), sort=CELL, span=node.span)
    base = resolver.converted(base, CELL)
    board = resolver.world.board
    if isinstance(node.name, rules.Name) and node.name.text in ("row", "column") and (
            node.name.text not in resolver.scope.names or board.rows_and_columns):
        return _coordinate(resolver, base, node.name, node.span)
    if base.sort == UNKNOWN:
        return resolver.unknown(node.span)
    direction = resolver.direction(node.name)
    if direction.sort == UNKNOWN:
        return resolver.unknown(node.span)
    sort = OPEN if base.sort == OPEN and resolver.world.tiles else CELL
    if sort == OPEN:
        return hir.Apply("step", (base, direction), sort=sort, span=node.span)
    return cuts.step(resolver, base, direction, node.span)


def _coordinate(resolver: ExprResolver, base: hir.Expr, name: rules.Name, span: Span) -> hir.Expr:
    """The row or column number of a cell."""
    if not resolver.world.board.rows_and_columns:
        if base.sort != UNKNOWN:
            phrase = f"'.{name.text}' needs a board with rows and columns, found {resolver.world.board.title}"
            resolver.report("G215", phrase, name.span)
        return resolver.unknown(span)
    count = resolver.world.row_count if name.text == "row" else resolver.world.column_count
    sort = Integer(0, count - 1, name.text)
    return hir.Apply("coordinate_" + name.text, (base,), sort=sort, span=span)


def index(resolver: ExprResolver, node: rules.Index, wanted: Sort | None) -> hir.Expr:
    """`x[y]`: a variable or piece at an index."""
    world, name = resolver.world, node.name
    if name.text in world.refused:
        return resolver.unknown(node.span)
    if name.text in world.declared:
        world.used.add(name.text)
    if name.text in world.definitions:
        plain = resolver.plain(node)
        return resolver.unknown(node.span) if plain is None else expand(
            resolver, world.definitions[name.text], plain, node.index, node, wanted)
    if node.arguments:
        resolver.report("G216", f"'{name.text}[...]' takes no arguments, expected no (...) after it", node.span,
                    "the cases of a definition may have parameters: define steps[man](c) = ...")
        return resolver.unknown(node.span)
    if name.text in world.variables:
        return _variable(resolver, name, node.index, node.span, node.second)
    if node.second is not None and name.text not in CALLED:
        resolver.report("G210", f"'{name.text}' is no variable with two indices, expected one in [...]",
                        node.second.span, "a cell by its row and column is cell(0, 0)")
        return resolver.unknown(node.span)
    if name.text in world.piece_names:
        return _piece_of(resolver, world.piece_names[name.text], node)
    if name.text == "track" and world.tiles:
        return hir.Track(resolver.value(node.index, PLAYER), sort=NETWORK, span=node.span)
    local = resolver.scope.names.get(name.text)
    if world.notes is not None:
        world.notes.refer([name], resolver.scope)
    if local is not None and isinstance(local.sort, Kind):
        return kinds.piece_of(resolver, attrs.evolve(local, span=name.span), node.index, node.span)
    if local is not None or name.text in CALLED:
        resolver.report("G210", f"'{name.text}' has no values to pick from, expected no [...] after it", node.span,
                     "a step is written c.north" if local is not None
                     else f"functions take round brackets: {CALLED[name.text].example}")
        return resolver.unknown(node.span)
    indexed = [n for n, i in world.variables.items() if world.variable_kinds[i].index]
    indexed += [n for n, definition in world.definitions.items() if definition.bodies[0].case is not None]
    indexed += [n for n, piece in world.piece_names.items() if piece.by_player is not None]
    world.unknown(name, indexed, "variable", otherwise="" if indexed else
                  f"declare it, for instance: var {name.text}[player] in 0..9, or pieces {name.text} of each")
    return resolver.unknown(node.span)


def _piece_of(resolver: ExprResolver, piece: PieceName, node: rules.Index) -> hir.Expr:
    player = resolver.value(node.index, PLAYER)
    if piece.by_player is None:
        resolver.report("G210", f"'{piece.name}' is one piece, expected no [...] after it", node.span,
                     f"declare it as '{piece.name} of each' to give one to each player")
        return resolver.unknown(node.span)
    return hir.OwnPiece(player, piece.by_player, sort=PIECE, span=node.span)


def _variable(resolver: ExprResolver, name: rules.Name, index: rules.Expression | None, span: Span,
              second: rules.Expression | None = None) -> hir.Expr:
    world = resolver.world
    number = world.variables[name.text]
    kind = world.variable_kinds[number]
    if not kind.index and index is not None:
        resolver.report("G210", f"'{name.text}' is one value for the whole game, expected no [...] after it", span,
                    f"for one each declare for instance: var {name.text}[player] in 0..9")
        return resolver.unknown(span)
    if kind.index and index is None:
        example = index_example(kind.index)
        resolver.report("G211", f"'{name.text}' has a value for each {kind.index}, expected {name.text}[...]", span,
                    f"for instance {name.text}[{example}]")
        return resolver.unknown(span)
    if index is not None and (second is not None) != (len(kind.indices) == 2):
        wanted = "two indices" if len(kind.indices) == 2 else "one index"
        resolver.report("G211", f"'{name.text}' has {wanted}, [{kind.index}]", span)
        return resolver.unknown(span)
    if index is not None and second is not None:
        one, other = kind.indices
        return hir.Variable(number, pair(resolver.value(index, index_sort(one, world)),
                                         resolver.value(second, index_sort(other, world)), kind, world, span),
                            sort=kind.sort, span=span)
    term = None if index is None else resolver.value(index, index_sort(kind.index, world))
    return hir.Variable(number, term, sort=kind.sort, span=span)

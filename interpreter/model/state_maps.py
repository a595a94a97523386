"""Symmetries of a game: maps of whole states, and their group.

A declared symmetry maps cells by its board map, may swap the players (their pieces, and who is to move), and may
reverse the range of some variables. `interpreter.model.board_maps` has the maps of bare boards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import attrs

from dsl import hir
from dsl.boards.borders import BORDER, VERTEX
from dsl.resolve.sorts import CELL, DIRECTION, PIECE, PLAYER, Covered, Enumerated, Integer, Sort
from interpreter.boards import Board, BoardMap, mask_of, members
from interpreter.model.board_maps import LARGEST_GROUP, BoardError
from interpreter.model.indices import Images, index_of, site_images
from interpreter.model.piles import of_pieces
from interpreter.model.state import State

_Value = Callable[[int], int]


@attrs.frozen(eq=False)
class StateMap:
    """One symmetry, as a map of states."""

    cells: BoardMap
    swapping: bool
    reversing: frozenset[int]
    pieces: tuple[int, ...]
    """The image of each piece."""
    sources: tuple[int, ...]
    """For each index of the values, the index from which its new value is taken."""
    converters: tuple[_Value | None, ...]
    """For each index of the values, the function that maps the old value to the new one; None for no change."""
    links: tuple[tuple[int, ...], ...] = ()
    """For each kind of link, the image of each link."""
    board: Board | None = None
    """The board if it is unbounded, so that images are shifted back to the window's home; else None."""

    @property
    def key(self) -> tuple[object, ...]:
        """A key that identifies the map."""
        return self.cells.cells, self.cells.directions, self.swapping, self.reversing

    def of_player(self, player: int) -> int:
        """The image of a player."""
        return 1 - player if self.swapping else player

    def of_state(self, state: State) -> State:
        """The image of a state: the position, who is to move, and the outcome."""
        pieces = [0] * len(state.pieces)
        for piece, cells in enumerate(state.pieces):
            pieces[self.pieces[piece]] |= self.cells.of_set(cells)
        if self.board is not None:
            pieces = _settled(pieces, self.board)
        values = tuple([
            old if convert is None or old is None else convert(old)
            for old, convert in zip((state.values[place] for place in self.sources), self.converters, strict=True)
        ]) if state.values else ()
        outcome = state.outcome
        if outcome is not None and outcome >= 0:
            outcome = self.of_player(outcome)
        links = tuple([
            mask_of(images[link] for link in members(there))
            for images, there in zip(self.links, state.links, strict=True)
        ]) if state.links else ()
        return State(tuple(pieces), values, self.of_player(state.to_move), state.turn, outcome, links, state.seats)


def _settled(pieces: list[int], board: Board) -> list[int]:
    """The sets of cells by piece, shifted so that their extent begins at the window's home."""
    by = board.settled(sum(pieces[1:]))
    if not by:  # at home, or outgrown, which the engine reports
        return pieces
    shifted = [holding << by if by > 0 else holding >> -by for holding in pieces[1:]]
    return [board.everything & ~sum(shifted), *shifted]


def piece_images(rules: hir.Rules, cells: BoardMap, swapping: bool) -> tuple[int, ...]:
    """The image of each piece: the same, or, with players swapped, the other player's in the same place of the list.

    Tiles are turned as well: the image of a tile has each track at the image of its side. Raises BoardError where there
    is no such tile.
    """
    images = list(range(len(rules.pieces)))
    if swapping:
        owned = [[i for i, piece in enumerate(rules.pieces) if i and piece.owner == player] for player in (0, 1)]
        for ours, theirs in zip(*owned, strict=True):
            images[ours], images[theirs] = theirs, ours
    tiles = {piece.sides: index for index, piece in enumerate(rules.pieces) if piece.sides}
    for sides, index in tiles.items():
        turned = [-1] * len(sides)
        for direction, owner in enumerate(sides):
            turned[cells.directions[direction]] = 1 - owner if swapping and owner >= 0 else owner
        if tuple(turned) not in tiles:
            raise BoardError(f"'{cells.name}' takes the tile {rules.pieces[index].name} to one that is not in the set")
        images[index] = tiles[tuple(turned)]
    return tuple(images)


def link_images(board: Board, cells: BoardMap) -> tuple[tuple[int, ...], ...]:
    """For each kind of link, the image of each link. Raises BoardError where a link has no image."""
    result = []
    for layer in board.layers:
        images = layer.images(cells.cells)
        if -1 in images:
            link = layer.text(board, images.index(-1))
            raise BoardError(f"'{cells.name}' takes the possible {layer.name} {link} to one that cannot be")
        result.append(images)
    return tuple(result)


def state_map(rules: hir.Rules, board: Board, cells: BoardMap, *, swapping: bool,
              reversing: Iterable[int]) -> StateMap:
    """The map of states induced by a board map. Raises BoardError where pieces, links or variables have no image."""
    reversed_ = frozenset(reversing)
    pieces = piece_images(rules, cells, swapping)
    players = (1, 0) if swapping else tuple(range(len(rules.players)))
    sources: list[int] = []
    converters: list[_Value | None] = []
    offset = 0
    for number, kind in enumerate(rules.variables):
        images: Sequence[int] = (0,)
        for index in kind.indices:
            inner = index_of(index, rules).images(board, Images(cells, pieces, players))
            images = [image * len(inner) + at for image in images for at in inner]
        convert = _converter(kind.sort, board, cells, pieces, players, number in reversed_)
        places = [0] * len(images)
        for old, new in enumerate(images):
            places[new] = offset + old
        sources.extend(places)
        converters.extend([convert] * len(images))
        offset += len(images)
    return StateMap(cells, swapping, reversed_, pieces, tuple(sources), tuple(converters), link_images(board, cells),
                    board if board.unbounded else None)


def _converter(sort: Sort, board: Board, cells: BoardMap, pieces: Sequence[int], players: Sequence[int],
               reverse: bool) -> _Value | None:
    """The function that maps values of a sort; None where they do not change. Raises BoardError."""
    if isinstance(sort, Covered):
        return None if list(pieces) == list(range(len(pieces))) else of_pieces(sort, pieces)
    tables: dict[Sort, Sequence[int]] = {CELL: cells.cells, PIECE: pieces, PLAYER: players, DIRECTION: cells.directions}
    if isinstance(sort, Enumerated) and sort.name in (BORDER, VERTEX):
        tables[sort] = site_images(sort.name, board, cells)
    if sort in tables:
        table = tables[sort]
        return lambda value: table[value]
    if isinstance(sort, Integer) and reverse:
        total = sort.low + sort.high
        return lambda value: total - value
    if isinstance(sort, Integer) and sort.role in ("row", "column"):
        images = cells.rows if sort.role == "row" else cells.columns
        if images is None:
            raise BoardError(f"'{cells.name}' does not map {sort.role}s onto {sort.role}s, but a variable holds one")
        return lambda value: images[value]
    return None


def generators(rules: hir.Rules, board: Board, symmetry: hir.Symmetry) -> list[StateMap]:
    """The maps of one declared symmetry. Raises BoardError when the board does not have it."""
    maps = board.symmetry(symmetry.phrase) if symmetry.phrase else (board.identity,)
    return [state_map(rules, board, cells, swapping=symmetry.swapping, reversing=symmetry.reversing) for cells in maps]


def group(rules: hir.Rules, board: Board, maps: Iterable[StateMap]) -> tuple[StateMap, ...]:
    """The group that the maps generate, the identity first. Raises BoardError when it is too large."""
    identity = state_map(rules, board, board.identity, swapping=False, reversing=())
    basis = list(maps)
    result = {identity.key: identity}
    frontier = [identity]
    while frontier:
        grown = []
        for element in frontier:
            for factor in basis:
                product = state_map(rules, board, element.cells.then(factor.cells),
                                    swapping=element.swapping != factor.swapping,
                                    reversing=element.reversing ^ factor.reversing)
                if product.key not in result:
                    result[product.key] = product
                    grown.append(product)
        if len(result) > LARGEST_GROUP:
            raise BoardError(f"the symmetries make a group of more than {LARGEST_GROUP}")
        frontier = grown
    return tuple(result.values())


def _rest(state: State) -> tuple[object, ...]:
    """The fields of a state other than its pieces, as a sort key."""
    values = tuple(-(10**12) if value is None else value for value in state.values)
    outcome = -2 if state.outcome is None else state.outcome
    return state.links, values, state.to_move, state.turn, outcome, state.seats


def canonical(state: State, maps: Sequence[StateMap]) -> State:
    """The canonical representative of a state under a group, given with the identity first: its least image."""
    least = state
    for element in maps[1:]:
        image = element.of_state(state)
        if image.pieces < least.pieces or (image.pieces == least.pieces and _rest(image) < _rest(least)):
            least = image
    return least

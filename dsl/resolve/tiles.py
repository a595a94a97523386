"""Resolves `tiles`: from shapes with tracks to pieces with a side in each direction.

`add_tiles(world, declaration)` adds one piece for each shape and each assignment of its tracks to the players. Called
by `dsl.resolve.declarations`.
"""

from __future__ import annotations

from itertools import permutations, product

from dsl import hir
from dsl.diagnostics import error
from dsl.resolve.scope import TILES_PHRASE, World
from dsl.syntax import rules

MOST_TILES = 500
"""The maximum number of tiles."""


def add_tiles(world: World, item: rules.Tiles) -> None:
    """Add the pieces of a declaration of tiles to the world."""
    phrase = " ".join(word.text for word in item.words)
    if phrase != TILES_PHRASE:
        span = item.words[0].span.to(item.words[-1].span)
        world.report(error("G240", f"found 'tiles {phrase}', expected 'tiles {TILES_PHRASE}:'", span))
        world.doubt("tiles")
        return
    words = world.board
    if not words.directions:
        world.report(error("G215", f"tiles need a board with directions, found {world.board.title}", item.span))
        world.doubt("tiles")
        return
    if world.tiles:
        world.report(error("G219", "a second declaration of tiles, expected only one", item.span))
        return
    known: dict[tuple[int, ...], str] = {}
    signs: set[str] = set()
    for shape in item.shapes:
        tracks = _tracks(world, shape)
        if tracks is None:
            world.doubt("tiles")
            continue
        if shape.sign.value in signs:
            phrase = f"a second shape with the sign '{shape.sign.value}', expected another sign"
            world.report(error("G240", phrase, shape.sign.span))
            continue
        signs.add(shape.sign.value)
        for owners in permutations(range(len(world.players))):
            sides = [-1] * len(words.directions)
            for owner, track in zip(owners, tracks, strict=True):
                for direction in track:
                    sides[direction] = owner
            sign = shape.sign.value
            name = sign + _letter(world, owners[0])
            if tuple(sides) in known:
                world.report(error("G240", f"the tile {sign} joins what {known[tuple(sides)]} joins, expected another",
                                   shape.span))
                break
            known[tuple(sides)] = sign
            world.pieces.append(hir.PieceKind(name, None, name, "", sign, tuple(sides)))
    if len(known) > MOST_TILES:
        world.report(error("G240", f"found {len(known)} tiles, expected at most {MOST_TILES}", item.span))
    elif known and not _some_fit(world, list(known)):
        world.report(error("G240", "no two of these tiles can lie side by side: no side is like one that faces it",
                           item.span, help="a track must leave some tile where a track of its player enters another"))


def _tracks(world: World, shape: rules.TileShape) -> list[list[int]] | None:
    """The directions that each track joins; None, with an error, where the shape is invalid."""
    directions = world.board.directions
    before = len(world.diagnostics)
    count = len(shape.tracks)
    if count != len(world.players) and not world.doubtful("players"):
        world.report(error("G240", f"found {count} track{'s' * (count != 1)}, expected one for each of the "
                           f"{len(world.players)} players, with commas between them", shape.span))
    if not 1 <= len(shape.sign.value) <= 3 or any(c.isspace() or c in ";," for c in shape.sign.value):
        phrase = f"the sign '{shape.sign.value}' cannot be written, expected 1 to 3 visible characters"
        world.report(error("G240", phrase, shape.sign.span))
    taken: set[str] = set()
    for track in shape.tracks:
        for side in track:
            if side.text in ("and", "to", "with"):
                phrase = f"found '{side.text}' between the sides of a track, expected the sides alone"
                world.report(error("G240", phrase, side.span, help="for instance: north south, east west"))
            elif side.text not in directions:
                world.unknown(side, iter(directions), "direction")
            elif side.text in taken:
                world.report(error("G240", f"the side {side.text} is joined twice, expected once", side.span))
            taken.add(side.text)
    if len(world.diagnostics) > before or count != len(world.players) or not taken.issubset(directions):
        return None
    return [[directions.index(side.text) for side in track] for track in shape.tracks]


def _letter(world: World, player: int) -> str:
    """The suffix that distinguishes the tiles of one shape: the shortest prefix of a player's name that is unique."""
    name = world.players[player].lower()
    others = [other.lower() for other in world.players if other != world.players[player]]
    return next((name[:count] for count in range(1, len(name) + 1)
                 if not any(other.startswith(name[:count]) for other in others)), name)


def _some_fit(world: World, tiles: list[tuple[int, ...]]) -> bool:
    """Whether a tile has a side that matches a side of a tile that could face it."""
    half = len(world.board.directions) // 2
    return any(one[direction] >= 0 and one[direction] == other[(direction + half) % (2 * half)]
               for one, other in product(tiles, tiles) for direction in range(2 * half))

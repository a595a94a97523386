"""Trax: White and Black lay tiles on an unbounded table, each tile with a white and a black track.

A tile joins its four edges in pairs, one pair white and one black; there are six tiles. White moves first and lays one
of two tiles. Later a move lays any tile next to a laid one, so that tracks that meet have the same colour. An empty
place that two tracks of one colour enter is filled with the only tile that fits, as part of the move, until there is no
such place. If three tracks of one colour enter an empty place, the whole move is illegal.

A player wins with a loop of their own colour, or with a line: a track of their own colour from one outermost edge of
all tiles to the opposite one, over at least `line` rows or columns. If a move makes both players win, the mover wins.

A1 is the top left place of the smallest rectangle around all tiles; columns are A to Z, AA and so on, and @ left of A,
rows 1, 2 and so on, and 0 above 1. A move is a place and a shape, `@0/`, `B1\\` or `C2+`: / joins north with west and
south with east, \\ north with east and south with west, + each side with the opposite one. The colours follow from the
neighbours; of the first tile, the track at the north is white, and the shape is / or +. A tile is called by its shape
and the colour of the track at its north: `/w`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"line": 3}, {"line": 5}]

OTHER = {"White": "Black", "Black": "White"}
STEP = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
FACING = {"N": "S", "E": "W", "S": "N", "W": "E"}

TILES: dict[str, dict[str, set[str]]] = {
    "/w": {"White": {"N", "W"}, "Black": {"S", "E"}},
    "/b": {"White": {"S", "E"}, "Black": {"N", "W"}},
    "\\w": {"White": {"N", "E"}, "Black": {"S", "W"}},
    "\\b": {"White": {"S", "W"}, "Black": {"N", "E"}},
    "+w": {"White": {"N", "S"}, "Black": {"E", "W"}},
    "+b": {"White": {"E", "W"}, "Black": {"N", "S"}},
}
"""For each tile by name, the sides that each player's track joins."""

FIRST = ("/w", "+w")

Place = tuple[int, int]  # (row, column); A1 is (1, 1)
End = tuple[Place, str]  # where a track crosses a side of a place


class State(NamedTuple):
    """The tiles by place, with A1 at (1, 1), and the player to move."""

    tiles: frozenset[tuple[Place, str]]
    mover: str


class Reference(Rules[State]):
    """Trax, in which a line of `line` rows or columns wins."""

    def __init__(self, *, line: int = 8) -> None:
        if line < 2:
            raise ValueError(f"line must be 2 or more, not {line}")
        self.line = line

    def start(self) -> State:
        return State(frozenset(), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        moved = OTHER[state.mover]
        tiles = dict(state.tiles)
        for player in (moved, OTHER[moved]):
            if any(self.is_loop(track) or self.is_line(track, tiles) for track in tracks(tiles, player)):
                return player
        return None

    def is_loop(self, track: list[End]) -> bool:
        """Whether a track is closed."""
        return not loose_ends(track)

    def is_line(self, track: list[End], tiles: dict[Place, str]) -> bool:
        """Whether a track joins opposite outermost edges that are at least `line` rows or columns apart."""
        rows, columns = {row for row, _ in tiles}, {column for _, column in tiles}
        ends = loose_ends(track)
        north = any(side == "N" and row == min(rows) for (row, _), side in ends)
        south = any(side == "S" and row == max(rows) for (row, _), side in ends)
        west = any(side == "W" and column == min(columns) for (_, column), side in ends)
        east = any(side == "E" and column == max(columns) for (_, column), side in ends)
        down, across = len(rows) >= self.line, len(columns) >= self.line  # no row or column in between is empty
        return (north and south and down) or (west and east and across)

    def options(self, state: State) -> list[str]:
        if not state.tiles:
            return [text_of((0, 0), tile) for tile in FIRST]
        tiles = dict(state.tiles)
        return [
            text_of(place, tile)
            for place in open_places(tiles)
            for tile in TILES
            if fits(tiles, place, tile) and closed({**tiles, place: tile}) is not None
        ]

    def after(self, state: State, move: str) -> State:
        tiles = dict(state.tiles)
        result = closed({**tiles, **self.laid(state, move)})
        assert result is not None, f"an illegal cascade: {move}"
        return State(frozenset(counted_from_a1(result).items()), OTHER[state.mover])

    def laid(self, state: State, move: str) -> dict[Place, str]:
        """The tile that a move lays, by its place, without the tiles that it forces."""
        match = re.fullmatch(r"(@|[A-Z]+)(\d+)([/\\+])", move)
        assert match is not None, move
        tiles = dict(state.tiles)
        place = (int(match[2]), column_number(match[1]))
        (tile,) = [
            tile
            for tile in (TILES if tiles else FIRST)
            if tile[0] == match[3] and (not tiles or fits(tiles, place, tile))
        ]
        return {place: tile}

    def board(self, state: State) -> dict[str, str]:
        return {place_name(place): tile for place, tile in state.tiles}


def neighbour(place: Place, side: str) -> Place:
    """The place beyond a side."""
    return place[0] + STEP[side][0], place[1] + STEP[side][1]


def open_places(tiles: dict[Place, str]) -> list[Place]:
    """The empty places next to a tile, row by row."""
    return sorted({neighbour(place, side) for place in tiles for side in STEP} - set(tiles))


def entering(tiles: dict[Place, str], place: Place) -> dict[str, set[str]]:
    """For each player, the sides at which that player's tracks enter an empty place."""
    found: dict[str, set[str]] = {"White": set(), "Black": set()}
    for side in STEP:
        beyond = tiles.get(neighbour(place, side))
        if beyond is not None:
            colour = "White" if FACING[side] in TILES[beyond]["White"] else "Black"
            found[colour].add(side)
    return found


def fits(tiles: dict[Place, str], place: Place, tile: str) -> bool:
    """Whether a tile on an empty place continues every track that enters it."""
    return all(sides <= TILES[tile][player] for player, sides in entering(tiles, place).items())


def closed(tiles: dict[Place, str]) -> dict[Place, str] | None:
    """The table with every forced tile laid, or None if three tracks of one colour enter an empty place."""
    tiles = dict(tiles)
    filled = True
    while filled:
        filled = False
        for place in open_places(tiles):
            for player, sides in entering(tiles, place).items():
                if len(sides) > 2:
                    return None
                if len(sides) == 2:
                    (tiles[place],) = [tile for tile in TILES if TILES[tile][player] == sides]
                    filled = True
                    break
            if filled:
                break
    return tiles


def tracks(tiles: dict[Place, str], player: str) -> Iterator[list[End]]:
    """Yield the tracks of a player, each as a list of the tile sides that it crosses, two for every tile."""
    waiting = {(place, side) for place, tile in tiles.items() for side in TILES[tile][player]}
    while waiting:
        track = [waiting.pop()]
        for place, side in track:  # the list grows during the loop
            (through,) = TILES[tiles[place]][player] - {side}
            for end in ((place, through), (neighbour(place, side), FACING[side])):
                if end in waiting:
                    waiting.remove(end)
                    track.append(end)
        yield track


def loose_ends(track: list[End]) -> list[End]:
    """The ends at which a track leaves its outermost tiles; none if it is closed."""
    return [(place, side) for place, side in track if (neighbour(place, side), FACING[side]) not in track]


def counted_from_a1(tiles: dict[Place, str]) -> dict[Place, str]:
    """Renumber the table so that its top row and its left column are 1."""
    top, left = min(row for row, _ in tiles), min(column for _, column in tiles)
    return {(row - top + 1, column - left + 1): tile for (row, column), tile in tiles.items()}


def column_name(column: int) -> str:
    """Return the name of a column: @ for 0, then A to Z, AA and so on."""
    if column == 0:
        return "@"
    letters = ""
    while column > 0:
        column, letter = divmod(column - 1, 26)
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[letter] + letters
    return letters


def column_number(name: str) -> int:
    """Return the number of a column by its name."""
    number = 0
    for letter in name:
        number = number * 26 + "@ABCDEFGHIJKLMNOPQRSTUVWXYZ".index(letter)
    return number


def place_name(place: Place) -> str:
    """Return the name of a place: column, then row."""
    return f"{column_name(place[1])}{place[0]}"


def text_of(place: Place, tile: str) -> str:
    """Return the text of a move: its place and the shape of its tile."""
    return place_name(place) + tile[0]

"""Hexplode: Red and Blue in turn put a counter on a tile that is empty or their own; full tiles explode.

The board is a hexagon of hexagonal tiles with `side` tiles on each side. Columns run from 0 on the left; column i has
min(side + i, 3 * side - 2 - i) tiles, numbered from 0 at the top. A move is a tile, `tile_1_2`: column 1, tile 2.

A tile with as many counters as it has neighbours explodes: it is emptied, and each of its neighbours gets a counter and
changes to the mover's colour. This goes on while a tile is full. When the opponent has no counter left, and more than
two are on the board, the mover wins at once; what was still to explode does not.

The order of explosions matters only for what lies on the board when somebody has won. Here it is always the first tile
in board order (column by column, from the top) that explodes.

A board may be damaged: tiles that begin at fewer than 0 counters, and belong to nobody until they hold more than 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{"side": 2}, {"side": 3}, {"side": 4}]

PIECE = {"Red": "red", "Blue": "blue"}
OTHER = {"Red": "Blue", "Blue": "Red"}

Tile = tuple[int, int]  # (column, number in it), both from 0


class State(NamedTuple):
    """The counters and colours ("" for none) of all tiles in board order, and the player to move."""

    counts: tuple[int, ...]
    colours: tuple[str, ...]
    mover: str


class Reference(Rules[State]):
    """Hexplode on a hexagon; `damage` maps the names of damaged tiles to the counters they begin with."""

    def __init__(self, *, side: int = 3, damage: Mapping[str, int] | None = None) -> None:
        if side < 2:
            raise ValueError(f"side must be 2 or more, not {side}")
        heights = [min(side + column, 3 * side - 2 - column) for column in range(2 * side - 1)]
        self.tiles = [(column, number) for column, height in enumerate(heights) for number in range(height)]
        self.names = [f"tile_{column}_{number}" for column, number in self.tiles]
        self.damage = dict(damage or {})
        self.next_to = [
            [index for index, other in enumerate(self.tiles) if adjacent(tile, other, side)] for tile in self.tiles
        ]

    def start(self) -> State:
        counts = tuple(self.damage.get(name, 0) for name in self.names)
        return State(counts, ("",) * len(counts), "Red")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return OTHER[state.mover] if self.wiped_out(state.mover, list(state.counts), list(state.colours)) else None

    def options(self, state: State) -> list[str]:
        mine = PIECE[state.mover]
        return [name for name, colour in zip(self.names, state.colours, strict=True) if colour in ("", mine)]

    def after(self, state: State, move: str) -> State:
        return self.cascade(state, move)[0]

    def cascade(self, state: State, move: str) -> tuple[State, list[str]]:
        """The state after a move, and the tiles that exploded, in their order."""
        counts, colours = list(state.counts), list(state.colours)
        self.add(self.names.index(move), state.mover, counts, colours)
        exploded: list[str] = []
        while not self.wiped_out(OTHER[state.mover], counts, colours):
            full = [tile for tile, near in enumerate(self.next_to) if counts[tile] >= len(near)]
            if not full:
                break
            tile = self.first_of(full)
            self.explode(tile, state.mover, counts, colours)
            exploded.append(self.names[tile])
        return State(tuple(counts), tuple(colours), OTHER[state.mover]), exploded

    def first_of(self, full: list[int]) -> int:
        """The tile to explode first, of full tiles in board order."""
        return full[0]

    def add(self, tile: int, mover: str, counts: list[int], colours: list[str]) -> None:
        """Add a counter to a tile, which becomes the mover's if it then has more than 0 counters."""
        counts[tile] += 1
        if counts[tile] > 0:
            colours[tile] = PIECE[mover]

    def explode(self, tile: int, mover: str, counts: list[int], colours: list[str]) -> None:
        """Move one counter from a tile to each of its neighbours."""
        counts[tile] -= len(self.next_to[tile])
        if counts[tile] == 0:
            colours[tile] = ""
        for near in self.next_to[tile]:
            self.add(near, mover, counts, colours)

    def wiped_out(self, player: str, counts: list[int], colours: list[str]) -> bool:
        """Whether a player has no counters, while more than two are on the board."""
        return PIECE[player] not in colours and sum(count for count in counts if count > 0) > 2

    def board(self, state: State) -> dict[str, str]:
        return {name: colour for name, colour in zip(self.names, state.colours, strict=True) if colour}

    def variables(self, state: State) -> dict[str, object]:
        """The counters of every tile, in board order."""
        return {"count": list(state.counts)}


def adjacent(one: Tile, other: Tile, side: int) -> bool:
    """Whether two tiles are neighbours: in one column, or in neighbouring columns half a tile apart in height."""
    across = abs(one[0] - other[0])
    down = abs(height(one, side) - height(other, side))
    return (across, down) in ((0, 2), (1, 1))


def height(tile: Tile, side: int) -> int:
    """The vertical position of a tile's centre, in half tiles from the top; all columns are centred."""
    column, number = tile
    return abs(column - (side - 1)) + 2 * number

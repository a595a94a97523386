"""Klotski on the Hua Rong Dao board: Cao Cao's 2 x 2 block must reach the middle of the bottom row.

Ten blocks on 4 columns and 5 rows move by one cell; the shortest solution takes 116 such steps (81 moves if a block may
keep moving). A move is the upper left cell of the block before and after.
"""

from __future__ import annotations

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}]

FIRST = ["^CC^", "vCCv", "^GG^", "vssv", "s..s"]
SIZES = {"s": (1, 1), "^": (1, 2), "G": (2, 1), "C": (2, 2)}

State = frozenset[tuple[str, Place]]
"""The blocks by kind, and the column and row of their upper left cell."""


def covered(kind: str, corner: Place) -> set[Place]:
    """The cells that a block covers."""
    wide, high = SIZES[kind]
    return {(corner[0] + x, corner[1] - y) for x in range(wide) for y in range(high)}


class Reference(Rules[State]):
    """Klotski from its classical position."""

    def start(self) -> State:
        on = {(x, 4 - row): FIRST[row][x] for row in range(5) for x in range(4)}
        corners = {(kind, place) for place, kind in on.items() if kind in "s^"}
        return frozenset(corners | {("G", (1, 2)), ("C", (1, 4))})

    def to_move(self, state: State) -> str:
        return "Player"

    def outcome(self, state: State) -> str | None:
        return "Player" if ("C", (1, 1)) in state else None

    def options(self, state: State) -> list[str]:
        found = []
        for kind, (x, y) in state:
            others = set().union(*(covered(*block) for block in state if block != (kind, (x, y))))
            for to in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                cells = covered(kind, to)
                if cells <= {*places(5, 4)} and not cells & others:
                    found.append(name((x, y)) + name(to))
        return found

    def after(self, state: State, move: str) -> State:
        return frozenset((kind, place if name(place) != move[:2] else next(
            to for to in places(5, 4) if name(to) == move[2:])) for kind, place in state)

    def board(self, state: State) -> dict[str, str]:
        names = {"s": "soldier", "G": "guan", "C": "cao"}
        on = {name(cell): names.get(kind, "lower") for kind, corner in state for cell in covered(kind, corner)}
        return {**on, **{name(corner): "upper" for kind, corner in state if kind == "^"}}

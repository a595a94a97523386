"""The L game (E. de Bono, 1967), in which a player who cannot move their L loses.

On 4 x 4 cells each player has an L of four cells, and there are two neutral coins. A move lifts the mover's L and puts
it down in another place, turned or mirrored at will, and then one coin may be moved to any free cell. A move is the L's
corner, the end of its long arm and that of its short arm, then perhaps `/` and a coin's cells before and after.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}]

OTHER = {"Red": "Blue", "Blue": "Red"}
BOARD = places(4, 4)


def all_shapes() -> dict[str, frozenset[Place]]:
    """Map the text of every placement of an L to its cells."""
    found = {}
    for (x, y), sign, foot, upright in product(BOARD, (-1, 1), (-1, 1), (False, True)):
        long = [(x, y + sign * step) if upright else (x + sign * step, y) for step in range(3)]
        short = (x + foot, y) if upright else (x, y + foot)
        if {*long, short} <= {*BOARD}:
            found[name(long[0]) + name(long[2]) + name(short)] = frozenset({*long, short})
    return found


SHAPES = all_shapes()


class State(NamedTuple):
    """The cells of each L and of the coins; the player to move."""

    red: frozenset[Place]
    blue: frozenset[Place]
    coins: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """The L game."""

    def start(self) -> State:
        rows = ["oRR.", ".BR.", ".BR.", ".BBo"]
        on = {(x, 3 - row): rows[row][x] for row in range(4) for x in range(4)}
        red, blue, coins = (frozenset(place for place in BOARD if on[place] == sign) for sign in "RBo")
        return State(red, blue, coins, "Red")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.shapes(state) else OTHER[state.mover]

    def shapes(self, state: State) -> list[str]:
        """The placements that the mover's L can go to."""
        own, foreign = (state.red, state.blue) if state.mover == "Red" else (state.blue, state.red)
        return [text for text, cells in SHAPES.items() if not cells & (foreign | state.coins) and cells != own]

    def options(self, state: State) -> list[str]:
        foreign = state.blue if state.mover == "Red" else state.red
        found = []
        for text in self.shapes(state):
            free = [place for place in BOARD if place not in SHAPES[text] | foreign | state.coins]
            found += [text] + [f"{text}/{name(coin)}{name(to)}" for coin in state.coins for to in free]
        return found

    def after(self, state: State, move: str) -> State:
        text, _, coin = move.partition("/")
        coins = state.coins
        if coin:
            coins = frozenset({place for place in coins if name(place) != coin[:2]}
                              | {place for place in BOARD if name(place) == coin[2:]})
        if state.mover == "Red":
            return State(SHAPES[text], state.blue, coins, "Blue")
        return State(state.red, SHAPES[text], coins, "Red")

    def board(self, state: State) -> dict[str, str]:
        return {name(place): piece for piece, cells in (("red", state.red), ("blue", state.blue), ("coin", state.coins))
                for place in cells}

"""Abalone, for two: 61 cells in a hexagon of side five, fourteen marbles each.

A turn moves one, two or three own marbles that stand side by side in a straight line, all by one cell in the same
direction. Along their line the cell in front must be empty, or hold the first of a row of fewer marbles of the other
player, which are pushed one cell; the cell behind these must be empty, or off the board, so that the last one falls
off. In any other direction all cells to go to must be empty. Own marbles are never pushed off. A player who has pushed
off six marbles wins. A repeated position is a draw, which is left to the caller.

Cells are in cube coordinates (x, y, z) with x + y + z = 0, x to the right and z down. They are called by column letter
from the left and by number from the top of the column. `a1southeast` moves along a line, named by its last marble;
`a1a3northeast` moves the marbles from a1 to a3 aside; the end in the left column comes first, in one column the upper.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

OTHER = {"Black": "White", "White": "Black"}
RADIUS = 4
WAYS = {"north": (0, 1, -1), "northeast": (1, 0, -1), "southeast": (1, -1, 0), "south": (0, -1, 1),
        "southwest": (-1, 0, 1), "northwest": (-1, 1, 0)}

Place = tuple[int, int, int]

CELLS = {(x, y, -x - y) for x in range(-RADIUS, RADIUS + 1) for y in range(-RADIUS, RADIUS + 1)
         if abs(x + y) <= RADIUS}


def step(place: Place, way: Place, times: int = 1) -> Place:
    """The place a number of steps away."""
    x, y, z = (here + times * there for here, there in zip(place, way, strict=True))
    return x, y, z


def name(place: Place) -> str:
    """Return the name of a place: its column's letter, and its number in the column from the top."""
    x, _, z = place
    return f"{'abcdefghi'[x + RADIUS]}{z - max(-RADIUS, -RADIUS - x) + 1}"


PLACE = {name(place): place for place in CELLS}


class State(NamedTuple):
    """The marbles of both players, and the player to move."""

    black: frozenset[Place]
    white: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Abalone."""

    def start(self) -> State:
        left = {place for place in CELLS if place[0] <= -3 or (place[0] == -2 and name(place)[1] in "345")}
        return State(frozenset(left), frozenset((-x, -y, -z) for x, y, z in left), "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def sides(self, state: State) -> tuple[frozenset[Place], frozenset[Place]]:
        """The mover's marbles, and the other player's."""
        return (state.black, state.white) if state.mover == "Black" else (state.white, state.black)

    def outcome(self, state: State) -> str | None:
        return OTHER[state.mover] if len(self.sides(state)[0]) == 8 else None

    def pushed(self, state: State, last: Place, way: Place) -> tuple[list[Place], list[Place]] | None:
        """The mover's marbles that move along a line, from the last one on, and those they push; None if illegal."""
        own, theirs = self.sides(state)
        moving, pushed = [], []
        at = last
        while at in own:
            moving.append(at)
            at = step(at, way)
        while at in theirs:
            pushed.append(at)
            at = step(at, way)
        if len(moving) > 3 or len(pushed) >= len(moving) or at in own or (at not in CELLS and not pushed):
            return None
        return moving, pushed

    def options(self, state: State) -> list[str]:
        own, theirs = self.sides(state)
        found = []
        for marble in own:
            found += [f"{name(marble)}{word}" for word, way in WAYS.items() if self.pushed(state, marble, way)]
            for axis in ("south", "northeast", "southeast"):
                for length in (2, 3):
                    group = [step(marble, WAYS[axis], number) for number in range(length)]
                    if not own.issuperset(group):
                        continue
                    ends = sorted((group[0], group[-1]), key=self.order)
                    for word, way in WAYS.items():
                        targets = [step(one, way) for one in group]
                        if all(to in CELLS and to not in own and to not in theirs for to in targets):
                            found.append(f"{name(ends[0])}{name(ends[1])}{word}")
        return found

    def order(self, place: Place) -> tuple[int, int]:
        """A sort key: columns from the left, in a column from the top."""
        return place[0], place[2]

    def after(self, state: State, move: str) -> State:
        own, theirs = self.sides(state)
        if move[3:4].isdigit():
            one, other, way = PLACE[move[:2]], PLACE[move[2:4]], WAYS[move[4:]]
            middle = {step(one, along) for along in WAYS.values()} & {step(other, along, -1) for along in WAYS.values()
                                                                      if step(one, along, 2) == other}
            moving = [one, other, *middle]
            mine, left = own - set(moving) | {step(place, way) for place in moving}, theirs
        else:
            way = WAYS[move[2:]]
            found = self.pushed(state, PLACE[move[:2]], way)
            assert found is not None
            mine = own - set(found[0]) | {step(place, way) for place in found[0]}
            left = theirs - set(found[1]) | {step(place, way) for place in found[1]} & CELLS
        black, white = (mine, left) if state.mover == "Black" else (left, mine)
        return State(frozenset(black), frozenset(white), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): piece for marbles, piece in ((state.black, "black"), (state.white, "white"))
                for place in marbles}

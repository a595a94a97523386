"""Renju: five in a row, with forbidden moves for Black (Renju International Federation, "The rules of Renju").

Black wins by exactly five; a stone of Black that makes no five may not make an overline (six or more), two fours or two
threes. A four is what becomes a five by one stone, where the four stones of one row with both ends open are one four;
a three is what becomes such an open four by one stone that makes no five elsewhere and is not forbidden itself (9.3: it
makes no overline, no double four and no double three that these rules forbid). White wins by five or more. Opening
rules are left out. Without a move Black draws.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import DRAW, Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{"size": 7}, {"size": 6}, {"size": 9}]

OTHER = {"Black": "White", "White": "Black"}
WAYS = [(1, 0), (0, 1), (1, 1), (1, -1)]


class State(NamedTuple):
    """The stones of both players, and the player to move."""

    black: frozenset[Place]
    white: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Renju on a board of any size."""

    def __init__(self, *, size: int = 15) -> None:
        self.places = dict.fromkeys(places(size, size))

    def start(self) -> State:
        return State(frozenset(), frozenset(), "Black")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        for player, own in (("Black", state.black), ("White", state.white)):
            if any(length(own, place, way) >= 5 for place in own for way in WAYS):
                return player
        return None if self.options(state) else DRAW

    def options(self, state: State) -> list[str]:
        free = [place for place in self.places if place not in state.black | state.white]
        return [name(place) for place in free if state.mover == "White" or not self.forbidden(state, place)]

    def forbidden(self, state: State, place: Place) -> bool:
        """Whether a place is forbidden to Black."""
        black = state.black | {place}
        lengths = [length(black, place, way) for way in WAYS]
        if 5 in lengths:
            return False
        fours = [self.fours(state, black, place, way) for way in WAYS]
        return max(lengths) > 5 or sum(fours) >= 2 or sum(
            not four and self.is_three(state, black, place, way) for four, way in zip(fours, WAYS, strict=True)) >= 2

    def completing(self, state: State, black: frozenset[Place], place: Place, way: Place) -> list[Place]:
        """The free places on a line where one more stone makes a five that contains the given stone."""
        found = []
        for step in range(-5, 6):
            at = (place[0] + step * way[0], place[1] + step * way[1])
            if at in self.places and at not in black | state.white:
                row = stones(black | {at}, at, way)
                if place in row and len(row) == 5:
                    found.append(at)
        return found

    def fours(self, state: State, black: frozenset[Place], place: Place, way: Place) -> int:
        """The number of fours along a line that contain the stone."""
        found = self.completing(state, black, place, way)
        return min(1, len(found)) if length(black, place, way) == 4 else len(found)

    def is_three(self, state: State, black: frozenset[Place], place: Place, way: Place) -> bool:
        """Whether a stone that may be placed on a line makes an open four that contains the stone."""
        for step in range(-4, 5):
            at = (place[0] + step * way[0], place[1] + step * way[1])
            if at in self.places and at not in black | state.white:
                more = black | {at}
                if (length(more, place, way) == 4 and len(self.completing(state, more, place, way)) == 2
                        and all(length(more, at, other) != 5 for other in WAYS)
                        and not self.forbidden(state._replace(black=black), at)):
                    return True
        return False

    def after(self, state: State, move: str) -> State:
        place = next(place for place in self.places if name(place) == move)
        if state.mover == "Black":
            return State(state.black | {place}, state.white, "White")
        return State(state.black, state.white | {place}, "Black")

    def board(self, state: State) -> dict[str, str]:
        return {**{name(place): "black" for place in state.black}, **{name(place): "white" for place in state.white}}


def stones(own: frozenset[Place], place: Place, way: Place) -> set[Place]:
    """The unbroken row of stones through a place, along a line."""
    found = {place}
    for sign in (1, -1):
        x, y = place
        while (x := x + sign * way[0], y := y + sign * way[1]) in own:
            found.add((x, y))
    return found


def length(own: frozenset[Place], place: Place, way: Place) -> int:
    """The length of the unbroken row through a place."""
    return len(stones(own, place, way))

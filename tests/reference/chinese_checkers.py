"""Chinese checkers, for two to six players on a star of hexagonal cells.

The star has six points of `side` rows. Red, Orange, Yellow, Green, Blue and Purple sit around it, Red at the topmost
point and the others clockwise; with fewer than six players some points are empty: with two, Red and Green play, with
three Red, Yellow and Blue, with four Red, Orange, Green and Blue, with five all but Purple. Each player's men fill
their own point. A man goes to a cell beside it, if that is empty; or it hops over a man beside it to the cell right
behind, if that is empty, and may hop on from there. A man in the point opposite the own one may move inside it only. A
player who has a man on each cell of that point wins. A player who has no move passes, as do the players without men.
Repetitions are left to the caller.

A cell is found by how many rows it is below the topmost and how many slanting columns from the left; its name is the
column's letter and the row's number, from 1.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"seats": 2, "side": 1}, {"seats": 3, "side": 2}, {"seats": 4, "side": 3},
                               {"seats": 5, "side": 2}, {"seats": 2}]

NAMES = ["Red", "Orange", "Yellow", "Green", "Blue", "Purple"]
PLAYING = {2: "Red Green", 3: "Red Yellow Blue", 4: "Red Orange Green Blue", 5: "Red Orange Yellow Green Blue",
           6: "Red Orange Yellow Green Blue Purple"}
AROUND = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1)]

Place = tuple[int, int]  # row, column


class State(NamedTuple):
    """The places of each player's men, and the number of the player to move."""

    men: tuple[frozenset[Place], ...]
    mover: int


def name(place: Place) -> str:
    """Return the name of a place."""
    return f"{ascii_lowercase[place[1]]}{place[0] + 1}"


class Reference(Rules[State]):
    """Chinese checkers."""

    def __init__(self, *, seats: int = 6, side: int = 4) -> None:
        self.playing = PLAYING[seats].split()
        self.points: list[frozenset[Place]] = []
        middle = 2 * side
        self.cells: set[Place] = set()
        tips: list[set[Place]] = [set() for _ in NAMES]
        for row in range(4 * side + 1):
            for column in range(4 * side + 1):
                # The three distances from the middle sum to 0; in a cell of the star at most one exceeds `side`.
                far = (row - middle, column - middle, 2 * middle - row - column)
                out = [number for number, distance in enumerate(far) if abs(distance) > side]
                if len(out) > 1 or (out and abs(far[out[0]]) > 2 * side):
                    continue
                self.cells.add((row, column))
                if out:
                    up = far[out[0]] < 0
                    tips[{0: 0 if up else 3, 1: 4 if up else 1, 2: 2 if up else 5}[out[0]]].add((row, column))
        self.points = [frozenset(tip) for tip in tips]
        self.of_name = {name(place): place for place in self.cells}

    def start(self) -> State:
        return State(tuple(point if player in self.playing else frozenset()
                           for player, point in zip(NAMES, self.points, strict=True)), 0)

    def to_move(self, state: State) -> str:
        return NAMES[state.mover]

    def outcome(self, state: State) -> str | None:
        before = (state.mover - 1) % 6
        return NAMES[before] if state.men[before] == self.points[(before + 3) % 6] else None

    def ends(self, man: Place, others: frozenset[Place]) -> set[Place]:
        """The cells that a man can reach, given the cells of all other men."""
        found = {(man[0] + row, man[1] + column) for row, column in AROUND}
        seen, rest = {man}, [man]
        while rest:
            at = rest.pop()
            for row, column in AROUND:
                over, end = (at[0] + row, at[1] + column), (at[0] + 2 * row, at[1] + 2 * column)
                if over in others and end in self.cells - others - seen:
                    seen.add(end)
                    rest.append(end)
        return ((found | seen) & self.cells) - others - {man}

    def options(self, state: State) -> list[str]:
        everybody = frozenset().union(*state.men)
        goal = self.points[(state.mover + 3) % 6]
        found = [f"{name(man)}-{name(end)}" for man in state.men[state.mover]
                 for end in self.ends(man, everybody - {man}) if man not in goal or end in goal]
        return found or ["pass"]

    def after(self, state: State, move: str) -> State:
        men = list(state.men)
        if move != "pass":
            start, end = (self.of_name[text] for text in move.split("-"))
            men[state.mover] = men[state.mover] - {start} | {end}
        return State(tuple(men), (state.mover + 1) % 6)

    def board(self, state: State) -> dict[str, str]:
        return {name(place): f"{player} man" for player, men in zip(NAMES, state.men, strict=True) for place in men}

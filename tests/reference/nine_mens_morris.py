"""Nine men's morris: three squares, one within the other, joined at the middles of their sides; 24 points, 16 lines
of three points each. White and Black in turn place their `men` (nine), then move a man along a line to an empty point
next to it; a player with `flying` men left (three), or fewer, to any empty point.

Who closes a mill, three own men on a line, takes an opponent's man: one that is in no mill if there is any, else any.
However many mills are closed at once, one man is taken. A player with two men left, those in hand included, has lost,
and so has a player who cannot move.

Points are a1 to g7. A move is a point (`d2`), two points (`d2-d1`), or `x` and the point where a man is taken, which
is a separate move by the same player. In play a repeated position is a draw, which a state cannot tell.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"men": 3}, {"men": 5}, {"men": 6, "flying": 0}, {"men": 12, "flying": 4}]

LINES = [
    line.split()
    for line in (
        "a1 d1 g1", "b2 d2 f2", "c3 d3 e3", "a4 b4 c4", "e4 f4 g4", "c5 d5 e5", "b6 d6 f6", "a7 d7 g7",
        "a1 a4 a7", "b2 b4 b6", "c3 c4 c5", "d1 d2 d3", "d5 d6 d7", "e3 e4 e5", "f2 f4 f6", "g1 g4 g7",
    )
]  # fmt: skip
POINTS = sorted({point for line in LINES for point in line})
OTHER = {"White": "Black", "Black": "White"}


class State(NamedTuple):
    """The owner of the man on each of POINTS, "" for none; the men that White and Black have in hand."""

    owners: tuple[str, ...]
    hands: tuple[int, int]
    taking: bool
    """Whether the mover has closed a mill and must take a man."""
    mover: str


class Reference(Rules[State]):
    """Nine men's morris with any number of men."""

    def __init__(self, *, men: int = 9, flying: int = 3) -> None:
        self.men = men
        self.flying = flying

    def start(self) -> State:
        return State(("",) * 24, (self.men, self.men), False, "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        for number, player in enumerate(("White", "Black")):
            if state.owners.count(player) + state.hands[number] <= 2:
                return OTHER[player]
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        owner = dict(zip(POINTS, state.owners, strict=True))
        if state.taking:
            theirs = [point for point in POINTS if owner[point] == OTHER[state.mover]]
            free = [point for point in theirs if not in_mill(state, point)]
            return [f"x{point}" for point in free or theirs]
        empty = [point for point in POINTS if owner[point] == ""]
        if state.hands[state.mover == "Black"] > 0:
            return empty
        own = [point for point in POINTS if owner[point] == state.mover]
        flies = len(own) <= self.flying
        return [f"{here}-{there}" for here in own for there in empty if flies or next_to(here, there)]

    def after(self, state: State, move: str) -> State:
        owners = list(state.owners)
        if move[0] == "x":
            owners[POINTS.index(move[1:])] = ""
            return State(tuple(owners), state.hands, False, OTHER[state.mover])
        here, _, there = move.rpartition("-")
        white, black = state.hands
        if here:
            owners[POINTS.index(here)] = ""
        elif state.mover == "White":
            white -= 1
        else:
            black -= 1
        owners[POINTS.index(there)] = state.mover
        after = State(tuple(owners), (white, black), True, state.mover)
        return after if in_mill(after, there) else after._replace(taking=False, mover=OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {point: owner.lower() for point, owner in zip(POINTS, state.owners, strict=True) if owner}

    def variables(self, state: State) -> dict[str, object]:
        return {"hand": list(state.hands), "taking": int(state.taking)}


def in_mill(state: State, point: str) -> bool:
    """Whether the man on a point is part of a mill."""
    owner = state.owners[POINTS.index(point)]
    return any(point in line and all(state.owners[POINTS.index(other)] == owner for other in line) for line in LINES)


def next_to(here: str, there: str) -> bool:
    """Whether two points are neighbours on a line."""
    return any({here, there} == {one, two} for line in LINES for one, two in pairwise(line))

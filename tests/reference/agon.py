"""Agon, also called Queen's Guards, on a hexagon of 91 cells.

Each player has a queen and six guards. At first all stand on the outermost ring, which is numbered here from 0, White's
queen's corner, to 29: White's queen on 0 and guards on 4, 9, 13, 17, 21, 26; Black's queen on 15 and guards on 2, 6,
11, 19, 24, 28. White begins. A piece steps to an empty cell beside it that is no farther from the middle; only queens
may step into the middle. No piece may come between two of the opponent's that are next to it on opposite sides. A piece
that stands so is captured. If a queen is captured, her captor puts her on an empty cell and then moves again, since
that was the owner's turn. If guards are captured, their owner must use turns to put one after another on an empty cell
of the outermost ring. The queen in the middle with her six guards around it wins; if a player's guards stand around the
empty middle after the player's move, the player loses, and so does a player who cannot move. Repetition is left to the
caller.

A cell is (q, r, s), which add up to 0; the middle is (0, 0, 0). Columns from the left are named by letters, and the
cells of a column are numbered from the top.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}]

SIDE = 6
OTHER = {"White": "Black", "Black": "White"}
Place = tuple[int, int, int]
MIDDLE: Place = (0, 0, 0)
WAYS: list[Place] = [(1, -1, 0), (1, 0, -1), (0, 1, -1), (-1, 1, 0), (-1, 0, 1), (0, -1, 1)]
GUARDS = {"White": (4, 9, 13, 17, 21, 26), "Black": (2, 6, 11, 19, 24, 28)}


def plus(place: Place, way: Place, times: int = 1) -> Place:
    """The place a number of steps away."""
    return (place[0] + times * way[0], place[1] + times * way[1], place[2] + times * way[2])


def ring(place: Place) -> int:
    """The distance of a place from the middle."""
    return max(map(abs, place))


def name(place: Place) -> str:
    """Return the name of a place: q is the column, r counts down it."""
    q, r, _ = place
    top = max(1 - SIDE, 1 - SIDE - q)
    return f"{'abcdefghijk'[q + SIDE - 1]}{r - top + 1}"


CELLS = [(q, r, -q - r) for q in range(1 - SIDE, SIDE) for r in range(1 - SIDE, SIDE) if abs(q + r) < SIDE]
OF_NAME = {name(place): place for place in CELLS}


def rim() -> list[Place]:
    """The outermost ring, clockwise from the corner at the upper left."""
    found = []
    place = (1 - SIDE, 0, SIDE - 1)
    for way in WAYS:
        for _ in range(SIDE - 1):
            found.append(place)
            place = plus(place, way)
    return found


class State(NamedTuple):
    """The pieces as place with owner and kind, the player to move, and whether a captured queen was just relocated."""

    pieces: frozenset[tuple[Place, tuple[str, str]]]
    mover: str
    exiled: bool


class Reference(Rules[State]):
    """Agon."""

    def start(self) -> State:
        cells = rim()
        pieces = {cells[0]: ("White", "queen"), cells[15]: ("Black", "queen")}
        for player, numbers in GUARDS.items():
            pieces |= {cells[number]: (player, "guard") for number in numbers}
        return State(frozenset(pieces.items()), "White", False)

    def to_move(self, state: State) -> str:
        return state.mover

    def between(self, pieces: dict[Place, tuple[str, str]], place: Place, player: str) -> bool:
        """Whether a player's pieces stand on two opposite sides of a place."""
        def has(cell: Place) -> bool:
            return cell in pieces and pieces[cell][0] == player

        return any(has(plus(place, way)) and has(plus(place, way, -1)) for way in WAYS)

    def caught(self, pieces: dict[Place, tuple[str, str]], owner: str, kind: str) -> list[Place]:
        """A player's captured pieces of a kind."""
        return [place for place, piece in pieces.items()
                if piece == (owner, kind) and self.between(pieces, place, OTHER[owner])]

    def outcome(self, state: State) -> str | None:
        pieces = dict(state.pieces)
        around = [pieces.get(plus(MIDDLE, way)) for way in WAYS]
        again = state.exiled or self.caught(pieces, OTHER[state.mover], "queen")
        before = state.mover if again else OTHER[state.mover]
        if around == [(before, "guard")] * 6:
            if pieces.get(MIDDLE) == (before, "queen"):
                return before
            if MIDDLE not in pieces:
                return OTHER[before]
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        pieces, mover = dict(state.pieces), state.mover
        other = OTHER[mover]
        free = [place for place in CELLS if place not in pieces]
        queens = self.caught(pieces, other, "queen")
        if queens:
            return [f"{name(queen)}-{name(end)}" for queen in queens for end in free
                    if not self.between(pieces, end, mover)]
        safe = {place for place in free if not self.between(pieces, place, other)}
        guards = self.caught(pieces, mover, "guard")
        if guards:
            return [f"{name(guard)}-{name(end)}" for guard in guards for end in safe if ring(end) == SIDE - 1]
        return [f"{name(start)}-{name(end)}" for start, (owner, kind) in pieces.items() if owner == mover
                for end in (plus(start, way) for way in WAYS)
                if end in safe and ring(end) <= ring(start) and (end != MIDDLE or kind == "queen")]

    def after(self, state: State, move: str) -> State:
        pieces, mover = dict(state.pieces), state.mover
        start, end = (OF_NAME[text] for text in move.split("-"))
        piece = pieces.pop(start)
        pieces[end] = piece
        exiled = piece[0] != mover
        again = exiled or self.caught(pieces, OTHER[mover], "queen")
        return State(frozenset(pieces.items()), mover if again else OTHER[mover], exiled)

    def board(self, state: State) -> dict[str, str]:
        return {name(place): f"{player} {kind}" for place, (player, kind) in state.pieces}

    def variables(self, state: State) -> dict[str, object]:
        """`exiled`: whether the last move relocated a captured queen."""
        return {"exiled": state.exiled}

"""The rules that Russian and International draughts share: flying kings and multiple captures.

Played on the dark cells, a1 being one. White's men fill `filled` rows at the bottom, Black's as many at the top; White
moves first. A man steps one cell diagonally ahead, a king any number of empty cells along a diagonal. A man captures a
piece of the other side diagonally beside it, ahead or backward, by jumping onto the empty cell behind it; a king
captures the first piece on a diagonal, from any distance, and lands behind it. A player who can capture must, and goes
on while the same piece can. Captured pieces stay on the board until the move is over, and are not jumped twice. A
player who cannot move loses. Cells are named by column letter from the left and row number from the bottom; `c3-d4`
moves, `c3xe5xg7` captures.
"""

from __future__ import annotations

from abc import abstractmethod
from itertools import pairwise
from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

OTHER = {"White": "Black", "Black": "White"}
WAYS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]

Pieces = dict[Place, tuple[str, str]]  # owner, and "man" or "king"


class State(NamedTuple):
    """The pieces as place with owner and kind, and the player to move."""

    pieces: frozenset[tuple[Place, tuple[str, str]]]
    mover: str


class FlyingDraughts(Rules[State]):
    """Draughts with flying kings; a subclass defines their landings, promotion during captures, and forced captures."""

    def __init__(self, *, size: int, filled: int) -> None:
        self.size, self.filled = size, filled
        self.cells = {place for place in places(size, size) if sum(place) % 2 == 0}
        self.of_name = {name(place): place for place in self.cells}

    def start(self) -> State:
        pieces: Pieces = {}
        for place in self.cells:
            if place[1] < self.filled:
                pieces[place] = "White", "man"
            elif place[1] >= self.size - self.filled:
                pieces[place] = "Black", "man"
        return State(frozenset(pieces.items()), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        return None if self.options(state) else OTHER[state.mover]

    def run(self, blocked: Pieces, at: Place, way: tuple[int, int]) -> list[Place]:
        """The empty cells in a direction up to the first occupied one."""
        found = []
        place = at[0] + way[0], at[1] + way[1]
        while place in self.cells and place not in blocked:
            found.append(place)
            place = place[0] + way[0], place[1] + way[1]
        return found

    def crowned(self, piece: tuple[str, str], at: Place) -> tuple[str, str]:
        """The piece after it ends its move on a cell: a man on the far row becomes a king."""
        far = self.size - 1 if piece[0] == "White" else 0
        return (piece[0], "king") if at[1] == far else piece

    @abstractmethod
    def landings(self, pieces: Pieces, king: tuple[str, str], behind: list[Place], taken: frozenset[Place]
                 ) -> list[Place]:
        """The empty cells behind a captured piece on which the king may land; `taken` are all captured places."""

    @abstractmethod
    def passing(self, piece: tuple[str, str], at: Place) -> tuple[str, str]:
        """The piece after it lands on a cell in the middle of a capture."""

    @abstractmethod
    def best(self, captures: list[list[Place]]) -> list[list[Place]]:
        """The captures that are allowed, of all possible ones, of which there is at least one."""

    def captures(self, pieces: Pieces, piece: tuple[str, str], at: Place, taken: frozenset[Place]
                 ) -> list[tuple[Place, list[Place]]]:
        """The captures possible next, as captured place and landings; `pieces` does not contain the capturing piece."""
        found = []
        for way in WAYS:
            before = self.run(pieces, at, way) if piece[1] == "king" else []
            last = before[-1] if before else at
            victim = last[0] + way[0], last[1] + way[1]
            if victim in taken or pieces.get(victim, piece)[0] == piece[0]:
                continue
            landings = self.run(pieces, victim, way)
            if piece[1] == "man":
                landings = landings[:1]
            else:
                landings = self.landings(pieces, piece, landings, taken | {victim})
            if landings:
                found.append((victim, landings))
        return found

    def chains(self, pieces: Pieces, piece: tuple[str, str], at: Place, taken: frozenset[Place]) -> list[list[Place]]:
        """All complete captures by a piece, as the places that it visits, beginning with its own."""
        found = []
        for victim, landings in self.captures(pieces, piece, at, taken):
            for landing in landings:
                after = self.passing(piece, landing)
                found += [[at, *chain] for chain in self.chains(pieces, after, landing, taken | {victim})]
        return found or [[at]]

    def options(self, state: State) -> list[str]:
        pieces = dict(state.pieces)
        captures, steps = [], []
        for place, piece in pieces.items():
            if piece[0] != state.mover:
                continue
            others = {other: what for other, what in pieces.items() if other != place}
            captures += [chain for chain in self.chains(others, piece, place, frozenset()) if len(chain) > 1]
            ahead = 1 if piece[0] == "White" else -1
            for way in WAYS:
                if piece[1] == "king":
                    steps += [(place, end) for end in self.run(pieces, place, way)]
                elif way[1] == ahead:
                    steps += [(place, end) for end in self.run(pieces, place, way)[:1]]
        if captures:
            return ["x".join(map(name, chain)) for chain in self.best(captures)]
        return [f"{name(start)}-{name(end)}" for start, end in steps]

    def after(self, state: State, move: str) -> State:
        pieces = dict(state.pieces)
        way = [self.of_name[cell] for cell in move.replace("-", "x").split("x")]
        piece = pieces.pop(way[0])
        for (x, y), end in pairwise(way):
            while (x, y) != end:
                pieces.pop((x, y), None)
                x, y = x + (1 if end[0] > x else -1), y + (1 if end[1] > y else -1)
            piece = self.passing(piece, end)
        pieces[way[-1]] = self.crowned(piece, way[-1])
        return State(frozenset(pieces.items()), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): f"{player} {kind}" for place, (player, kind) in state.pieces}

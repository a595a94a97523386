"""Tak, on boards of three to six rows.

A player has flat stones, which may also be laid standing, as walls, and capstones: 10 and none on three rows, 15 and
none on four, 21 and one on five, 30 and one on six. In the first turn each player lays a flat stone of the other
player's. After that a move lays a stone, flat or as a wall, or a capstone on an empty cell, or moves pieces: as many as
the board has rows at most, from the top of a pile whose top piece is the mover's, in a straight line, dropping one or
more of the lowest carried pieces on each cell. Nothing may be put on a capstone, and on a wall only a capstone alone,
which makes a flat stone of it and ends the move. A line of cells from one side of the board to the opposite one, side
by side, whose tops are flat stones and capstones of one player wins; if both players have one, the mover wins. If no
cell is empty, or a player has no piece left, the player with more flat stones on top wins. A repeated position is a
draw, which is left to the caller. Cells are named by column letter from the left and row number from the bottom; `c3`
in the first turn, then `Fc3`, `Wc3`, `Cc3`, with a small letter for Black's, and `3a1-b1-2c1-1d1`.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{}, {"size": 3}, {"size": 4}, {"size": 3, "stones": 5, "capstones": 2}, {"size": 6}]

OTHER = {"White": "Black", "Black": "White"}
STOCK = {3: (10, 0), 4: (15, 0), 5: (21, 1), 6: (30, 1)}
KINDS = {"F": "flat", "W": "wall", "C": "capstone"}


class State(NamedTuple):
    """The pieces on each cell from the bottom up, White's in capitals, and the player to move."""

    piles: frozenset[tuple[Place, str]]
    mover: str


def owner(piece: str) -> str:
    """The owner of a piece."""
    return "White" if piece.isupper() else "Black"


class Reference(Rules[State]):
    """Tak."""

    def __init__(self, *, size: int = 5, stones: int | None = None, capstones: int | None = None) -> None:
        self.size = size
        self.stones = STOCK[size][0] if stones is None else stones
        self.capstones = STOCK[size][1] if capstones is None else capstones

    def start(self) -> State:
        return State(frozenset(), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def left(self, state: State, player: str) -> tuple[int, int]:
        """The numbers of stones and capstones that a player has not laid."""
        laid = [piece.upper() for _, pile in state.piles for piece in pile if owner(piece) == player]
        return self.stones - laid.count("F") - laid.count("W"), self.capstones - laid.count("C")

    def has_road(self, tops: dict[Place, str], player: str) -> bool:
        """Whether a player's flat stones and capstones join opposite sides."""
        own = {place for place, piece in tops.items() if owner(piece) == player and piece.upper() in "FC"}
        for axis in (0, 1):
            seen = waiting = {place for place in own if place[axis] == 0}
            while waiting:
                beside = {(x + a, y + b) for x, y in waiting for a, b in ((0, 1), (1, 0), (0, -1), (-1, 0))}
                waiting = beside & own - seen
                seen = seen | waiting
            if any(place[axis] == self.size - 1 for place in seen):
                return True
        return False

    def outcome(self, state: State) -> str | None:
        tops = {place: pile[-1] for place, pile in state.piles}
        last = OTHER[state.mover]
        for player in (last, state.mover):
            if self.has_road(tops, player):
                return player
        if len(tops) < self.size ** 2 and all(sum(self.left(state, player)) for player in OTHER):
            return None
        white, black = list(tops.values()).count("F"), list(tops.values()).count("f")
        return DRAW if white == black else "White" if white > black else "Black"

    def options(self, state: State) -> list[str]:
        piles = dict(state.piles)
        empty = [place for place in places(self.size, self.size) if place not in piles]
        if sum(len(pile) for pile in piles.values()) < 2:
            return [name(place) for place in empty]
        stones, capstones = self.left(state, state.mover)
        found = [self.own(state, kind) + name(place) for kind in "FWC" if (capstones if kind == "C" else stones) > 0
                 for place in empty]
        for place, pile in piles.items():
            if owner(pile[-1]) == state.mover:
                for many in range(1, min(self.size, len(pile)) + 1):
                    for step in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                        found += [f"{many}{name(place)}-{way}" for way in self.ways(piles, place, step, pile[-1], many)]
        return found

    def ways(self, piles: dict[Place, str], at: Place, step: Place, top: str, many: int) -> list[str]:
        """The texts of all ways to carry `many` pieces on: the next cell, then how many go on to each further one."""
        x, y = at[0] + step[0], at[1] + step[1]
        below = piles.get((x, y), "F")[-1].upper()
        crushes = below == "W" and top.upper() == "C" and many == 1
        if not (0 <= x < self.size and 0 <= y < self.size) or (below != "F" and not crushes):
            return []
        further = [f"-{fewer}{way}" for fewer in range(1, many) for way in self.ways(piles, (x, y), step, top, fewer)]
        return [name((x, y)) + more for more in ["", *further]]

    def own(self, state: State, kind: str) -> str:
        """The letter of the mover's piece of a kind."""
        return kind if state.mover == "White" else kind.lower()

    def after(self, state: State, move: str) -> State:
        piles = dict(state.piles)
        spread = re.findall(r"(\d*)([a-z]\d)", move) if "-" in move else []
        if not spread:
            piece = move[0] if len(move) == 3 else "f" if state.mover == "White" else "F"
            piles[place_of(move[-2:])] = piece
        else:
            numbers = [int(spread[0][0])] + [int(number) for number, _ in spread[2:]]
            cells = [place_of(cell) for _, cell in spread]
            for here, there, many in zip(cells, cells[1:], numbers, strict=False):
                pile = piles.pop(here)
                if pile[:-many]:
                    piles[here] = pile[:-many]
                under = piles.get(there, "")
                if under and under[-1] in "Ww":
                    under = under[:-1] + ("F" if under[-1] == "W" else "f")
                piles[there] = under + pile[-many:]
        return State(frozenset(piles.items()), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {cell: pile[-1] for cell, pile in self.piles(state).items()}

    def piles(self, state: State) -> dict[str, list[str]]:
        """The pieces on each cell, from the bottom up."""
        return {name(place): [f"{owner(piece)} {KINDS[piece.upper()]}" for piece in pile]
                for place, pile in state.piles}


def place_of(cell: str) -> Place:
    """The column and row of a cell."""
    return "abcdef".index(cell[0]), int(cell[1]) - 1

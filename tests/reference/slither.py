"""Slither, by Corey Clark, on a square board of any size.

In a turn a player may move one of their stones to an orthogonally or diagonally neighbouring empty cell, and then must
place a stone on an empty cell. After the turn any two stones of that player that touch at a corner must have a stone of
that player beside both. Black wins with a chain of stones side by side from the top to the bottom, White from the left
to the right. A player who has no legal turn passes; otherwise nobody may. After the first turn the second player may
swap: the stone changes its colour and is mirrored about the diagonal from the top left, and Black is to move. Cells are
named by column letter from the left and row number from the bottom; `b2` places, `a1-b2+c3` moves and places.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, beside, name, places

CASES: list[dict[str, int]] = [{"size": 4}, {"size": 3}, {"size": 2}, {"size": 5}, {}]

OTHER = {"Black": "White", "White": "Black"}


class State(NamedTuple):
    """The stones of both players, the player to move, and whether the swap comes later (0), now (1) or is over (2)."""

    black: frozenset[Place]
    white: frozenset[Place]
    mover: str
    turn: int


class Reference(Rules[State]):
    """Slither."""

    def __init__(self, *, size: int = 8) -> None:
        self.size = size
        self.places = places(size, size)
        self.of_name = {name(place): place for place in self.places}

    def start(self) -> State:
        return State(frozenset(), frozenset(), "Black", 0)

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        last = self.size - 1
        if self.connects(state.black, {(x, last) for x in range(self.size)}, {(x, 0) for x in range(self.size)}):
            return "Black"
        if self.connects(state.white, {(0, y) for y in range(self.size)}, {(last, y) for y in range(self.size)}):
            return "White"
        return None

    def connects(self, stones: frozenset[Place], begin: set[Place], end: set[Place]) -> bool:
        """Whether an orthogonal chain of stones joins two edges."""
        reached = set(stones & begin)
        waiting = list(reached)
        while waiting:
            for place in beside(waiting.pop()):
                if place in stones and place not in reached:
                    reached.add(place)
                    waiting.append(place)
        return bool(reached & end)

    def allowed(self, stones: frozenset[Place]) -> bool:
        """Whether no two stones touch only at a corner."""
        return all(
            (x + right, y) in stones or (x, y + 1) in stones
            for x, y in stones for right in (-1, 1) if (x + right, y + 1) in stones
        )

    def turns(self, state: State) -> dict[str, frozenset[Place]]:
        """Map the legal turns to the mover's stones after them."""
        own = state.black if state.mover == "Black" else state.white
        taken = state.black | state.white
        found = {name(place): own | {place} for place in self.places if place not in taken}
        for start in own:
            for end in self.places:
                if end in taken or max(abs(end[0] - start[0]), abs(end[1] - start[1])) != 1:
                    continue
                left = own - {start} | {end}
                found |= {f"{name(start)}-{name(end)}+{name(place)}": left | {place} for place in self.places
                          if place not in taken - {start} | {end}}
        return {text: stones for text, stones in found.items() if self.allowed(stones)}

    def options(self, state: State) -> list[str]:
        return [*(self.turns(state) or ["pass"]), *(["swap"] if state.turn == 1 else [])]

    def after(self, state: State, move: str) -> State:
        turn = min(state.turn + 1, 2)
        if move == "swap":
            last = self.size - 1
            return State(frozenset(), frozenset((last - y, last - x) for x, y in state.black), "Black", turn)
        if move == "pass":
            return State(state.black, state.white, OTHER[state.mover], turn)
        stones = self.turns(state)[move]
        if state.mover == "Black":
            return State(stones, state.white, "White", turn)
        return State(state.black, stones, "Black", turn)

    def board(self, state: State) -> dict[str, str]:
        return {name(place): piece for stones, piece in ((state.black, "black"), (state.white, "white"))
                for place in stones}

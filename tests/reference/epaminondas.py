"""Epaminondas, by Robert Abbott, on a board of any size, without the rule against symmetric patterns.

White's stones fill the two rows at the bottom, Black's those at the top. A phalanx is one stone or more of a player in
a straight line, any part of a longer one included. A turn moves a phalanx along its own line, forward or backward, each
stone by the same number of cells, at most as many as it has stones. The cells before it must be empty, but the first
stone may come to a cell with a stone of the other player, if the row of that player's stones that begins there and goes
on in the same direction has fewer stones than the phalanx; all of that row is captured, and the move ends there. A
single stone moves by one cell in any direction. A player who has more stones on the opponent's first row than the
opponent on theirs, when their turn begins, wins. A player who cannot move loses. A repeated position is a draw, which
is left to the caller. Cells are named by column letter from the left and row number from the bottom;
`northeast:a1-c3-e5` names the last and the first stone of the phalanx, and where the first one goes.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places

CASES: list[dict[str, int]] = [{"rows": 5, "columns": 4}, {"rows": 4, "columns": 3}, {"rows": 7, "columns": 6}, {}]

OTHER = {"White": "Black", "Black": "White"}
WAYS = {(0, 1): "north", (1, 1): "northeast", (1, 0): "east", (1, -1): "southeast",
        (0, -1): "south", (-1, -1): "southwest", (-1, 0): "west", (-1, 1): "northwest"}


class State(NamedTuple):
    """The stones of both players, and the player to move."""

    white: frozenset[Place]
    black: frozenset[Place]
    mover: str


class Reference(Rules[State]):
    """Epaminondas."""

    def __init__(self, *, rows: int = 12, columns: int = 14) -> None:
        self.rows = rows
        self.cells = set(places(rows, columns))
        self.of_name = {name(place): place for place in self.cells}

    def start(self) -> State:
        return State(frozenset(place for place in self.cells if place[1] < 2),
                     frozenset(place for place in self.cells if place[1] >= self.rows - 2), "White")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        white = sum(y == self.rows - 1 for _, y in state.white)
        black = sum(y == 0 for _, y in state.black)
        ahead = white - black if state.mover == "White" else black - white
        if ahead > 0:
            return state.mover
        return None if self.options(state) else OTHER[state.mover]

    def found(self, state: State) -> dict[str, tuple[frozenset[Place], frozenset[Place]]]:
        """Map every move to the mover's stones after it and the captured stones."""
        own, theirs = (state.white, state.black) if state.mover == "White" else (state.black, state.white)
        moves = {}
        for rear in own:
            for x, y in WAYS:
                phalanx: list[Place] = []
                front = rear
                while front in own:
                    phalanx.append(front)
                    for length in range(1, len(phalanx) + 1):
                        goal = front[0] + length * x, front[1] + length * y
                        if goal not in self.cells or goal in own:
                            break
                        row: list[Place] = []
                        end = goal
                        while end in theirs:
                            row.append(end)
                            end = end[0] + x, end[1] + y
                        if len(row) < len(phalanx):
                            now = {(stone[0] + length * x, stone[1] + length * y) for stone in phalanx}
                            text = f"{WAYS[x, y]}:{name(rear)}-{name(front)}-{name(goal)}"
                            moves[text] = own - set(phalanx) | now, frozenset(row)
                        if row:
                            break
                    front = front[0] + x, front[1] + y
        return moves

    def options(self, state: State) -> list[str]:
        return list(self.found(state))

    def after(self, state: State, move: str) -> State:
        own, captured = self.found(state)[move]
        if state.mover == "White":
            return State(own, state.black - captured, "Black")
        return State(state.white - captured, own, "White")

    def board(self, state: State) -> dict[str, str]:
        return {name(place): piece for stones, piece in ((state.white, "white"), (state.black, "black"))
                for place in stones}

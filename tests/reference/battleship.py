"""Battleship with one ship of one cell each: both hide it in their half of the board, then fire at the other half.

Ann has the left half, Bob the right one. A move is the cell fired at, or @ and the cell of the ship. Nobody fires at a
cell twice. Who hits first wins; when both have fired all their shots and nobody has hit, it is a draw.
"""

from __future__ import annotations

from string import ascii_lowercase
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"size": 1, "shots": 9}, {"shots": 1}, {"size": 2, "shots": 9},
                               {"size": 3, "shots": 3}, {"size": 4, "shots": 9}]
PLAYERS = ("Ann", "Bob")


class State(NamedTuple):
    """The cells of the ships, "" before they are hidden, and the cells that each player has fired at, in order."""

    ships: tuple[str, str]
    fired: tuple[tuple[str, ...], tuple[str, ...]]


class Reference(Rules[State]):
    """The game on two squares of `size` x `size` side by side, with some shots for each."""

    def __init__(self, *, size: int = 2, shots: int = 2) -> None:
        self.shots = shots
        rows = range(size, 0, -1)
        self.halves = tuple([f"{letter}{row}" for row in rows for letter in letters]
                            for letters in (ascii_lowercase[:size], ascii_lowercase[size:2 * size]))
        self.cells = [f"{letter}{row}" for row in rows for letter in ascii_lowercase[:2 * size]]

    def start(self) -> State:
        return State(("", ""), ((), ()))

    def to_move(self, state: State) -> str:
        return PLAYERS[self._mover(state)]

    def _mover(self, state: State) -> int:
        if "" in state.ships:
            return state.ships.index("")
        return 1 if len(state.fired[0]) > len(state.fired[1]) else 0

    def outcome(self, state: State) -> str | None:
        for mine, theirs in ((0, 1), (1, 0)):
            if state.ships[theirs] in state.fired[mine]:
                return PLAYERS[mine]
        return DRAW if all(len(fired) == self.shots for fired in state.fired) else None

    def options(self, state: State) -> list[str]:
        mover = self._mover(state)
        if not state.ships[mover]:
            return ["@" + cell for cell in self.halves[mover]]
        return [cell for cell in self.halves[1 - mover] if cell not in state.fired[mover]]

    def after(self, state: State, move: str) -> State:
        ann, bob = state.ships
        if move[0] == "@":
            return state._replace(ships=(move[1:], bob) if self._mover(state) == 0 else (ann, move[1:]))
        by_ann, by_bob = state.fired
        fired = (by_ann, (*by_bob, move)) if self._mover(state) else ((*by_ann, move), by_bob)
        return state._replace(fired=fired)

    def board(self, state: State) -> dict[str, str]:
        return {cell: piece for cell, piece in zip(state.ships, ("ann", "bob"), strict=True) if cell}

    def variables(self, state: State) -> dict[str, object]:
        hit = {*state.fired[0], *state.fired[1]}
        return {"shot": [int(cell in hit) for cell in self.cells], "fired": [len(fired) for fired in state.fired]}

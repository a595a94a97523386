"""A small Stratego on 4x4 cells: in turn both set up a flag, a spy, a captain and a marshal, from the left."""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"patience": 4}]
PLAYERS = ("Red", "Blue")
RANKS = {"flag": 0, "spy": 1, "captain": 2, "marshal": 3}
LETTERS = {"flag": "F", "spy": "S", "captain": "C", "marshal": "M"}
Cell = tuple[int, int]


class State(NamedTuple):
    """The pieces as cell (column, row from the bottom), owner, kind, and whether known to the opponent; counters."""

    pieces: tuple[tuple[Cell, int, str, bool], ...]
    placed: int
    quiet: int
    turn: int
    flag_lost: bool


class Reference(Rules[State]):
    """The full state of the game."""

    def __init__(self, *, patience: int = 12) -> None:
        self.patience = patience

    def start(self) -> State:
        return State((), 0, 0, 0, False)

    def to_move(self, state: State) -> str:
        return PLAYERS[state.turn]

    def outcome(self, state: State) -> str | None:
        if state.flag_lost:
            return PLAYERS[1 - state.turn]
        if state.quiet == self.patience:
            return DRAW
        return None if self.options(state) else PLAYERS[1 - state.turn]

    def _own(self, state: State) -> list[tuple[Cell, int, str, bool]]:
        return [piece for piece in state.pieces if piece[1] == state.turn]

    def options(self, state: State) -> list[str]:
        if state.placed < 8:
            there = {kind for _, _, kind, _ in self._own(state)}
            return [LETTERS[kind].lower() if state.turn else LETTERS[kind] for kind in RANKS if kind not in there]
        mine = {cell for cell, *_ in self._own(state)}
        found = []
        for (column, row), _, kind, _ in self._own(state):
            for aside, up in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                target = column + aside, row + up
                if kind != "flag" and target not in mine and 0 <= target[0] < 4 and 0 <= target[1] < 4:
                    found.append(self.name((column, row)) + self.name(target))
        return found

    def after(self, state: State, move: str) -> State:
        pieces = {cell: (owner, kind, known) for cell, owner, kind, known in state.pieces}
        quiet, lost = state.quiet, False
        if state.placed < 8:
            kind = next(kind for kind, letter in LETTERS.items() if letter == move.upper())
            pieces[state.placed // 2, 3 * state.turn] = state.turn, kind, False
        else:
            origin, target = (("abcd".index(name[0]), int(name[1]) - 1) for name in (move[:2], move[2:]))
            owner, kind, known = pieces.pop(origin)
            defender = pieces.pop(target, None)
            quiet = 0 if defender else quiet + 1
            if defender is None:
                pieces[target] = owner, kind, known
            elif RANKS[kind] > RANKS[defender[1]] or (kind, defender[1]) == ("spy", "marshal"):
                pieces[target] = owner, kind, True
                lost = defender[1] == "flag"
            elif kind != defender[1]:
                pieces[target] = *defender[:2], True
        placed = min(8, state.placed + 1)
        there = tuple(sorted((cell, *piece) for cell, piece in pieces.items()))
        return State(there, placed, quiet, 1 - state.turn, lost)

    def name(self, cell: Cell) -> str:
        """Return the name of a cell."""
        return "abcd"[cell[0]] + str(cell[1] + 1)

    def board(self, state: State) -> dict[str, str]:
        return {self.name(cell): f"{PLAYERS[owner]} {kind}" for cell, owner, kind, _ in state.pieces}

    def variables(self, state: State) -> dict[str, object]:
        known = {cell for cell, _, _, known in state.pieces if known}
        return {"placed": state.placed, "quiet": state.quiet,
                "known": [int((column, row) in known) for row in (3, 2, 1, 0) for column in range(4)]}

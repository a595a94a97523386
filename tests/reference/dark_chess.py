"""Chess on four by four cells without check: kings may move into danger, and capturing the king wins.

Having no move is a draw, and so are `patience` plies without a capture or a pawn's move.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"patience": 10}]
PLAYERS = ("White", "Black")
NAMES = {"K": "king", "Q": "queen", "R": "rook", "B": "bishop", "N": "knight", "P": "pawn"}
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
ASLANT = ((1, 1), (1, -1), (-1, -1), (-1, 1))
JUMPS = tuple((a * s, b * t) for a, b in ((1, 2), (2, 1)) for s in (1, -1) for t in (1, -1))
Cell = tuple[int, int]


class State(NamedTuple):
    """The rows from the top, White's pieces in capitals; the plies since a capture or a pawn's move; the turn."""

    rows: tuple[str, ...]
    quiet: int
    turn: int


class Reference(Rules[State]):
    """The full state of the game; `seen` gives the cells that a player sees."""

    def __init__(self, *, patience: int = 40) -> None:
        self.patience = patience

    def start(self) -> State:
        return State(("r.kr", "pppp", "PPPP", "R.KR"), 0, 0)

    def to_move(self, state: State) -> str:
        return PLAYERS[state.turn]

    def outcome(self, state: State) -> str | None:
        board = "".join(state.rows)
        for player, king in enumerate("Kk"):
            if king not in board:
                return PLAYERS[1 - player]
        return DRAW if state.quiet == self.patience or not self.options(state) else None

    def at(self, state: State, cell: Cell) -> str:
        """The letter of a cell; "" outside the board."""
        return state.rows[cell[0]][cell[1]] if 0 <= cell[0] < 4 and 0 <= cell[1] < 4 else ""

    def owned(self, letter: str, player: int) -> bool:
        """Whether a letter is a player's piece."""
        return letter.isalpha() and letter.isupper() == (player == 0)

    def targets(self, state: State, cell: Cell, player: int) -> list[Cell]:
        """The cells that a piece can go to."""
        kind, (row, column) = self.at(state, cell).upper(), cell
        if kind == "P":
            ahead = row - 1 if player == 0 else row + 1
            straight = [(ahead, column)] if self.at(state, (ahead, column)) == "." else []
            return straight + [(ahead, side) for side in (column - 1, column + 1)
                               if self.owned(self.at(state, (ahead, side)), 1 - player)]
        steps = {"N": JUMPS, "R": STRAIGHT, "B": ASLANT}.get(kind, STRAIGHT + ASLANT)
        found = []
        for down, right in steps:
            for many in range(1, 2 if kind in "KN" else 4):
                target = row + down * many, column + right * many
                there = self.at(state, target)
                if there and not self.owned(there, player):
                    found.append(target)
                if there != ".":
                    break
        return found

    def cells(self, state: State, player: int) -> list[Cell]:
        """The cells of a player's pieces."""
        return [(row, column) for row in range(4) for column in range(4)
                if self.owned(state.rows[row][column], player)]

    def seen(self, state: State, player: int) -> set[Cell]:
        """The cells that a player sees."""
        own = self.cells(state, player)
        return {*own, *(target for cell in own for target in self.targets(state, cell, player))}

    def options(self, state: State) -> list[str]:
        found = []
        for cell in self.cells(state, state.turn):
            for target in self.targets(state, cell, state.turn):
                text = self.name(cell) + self.name(target)
                if self.at(state, cell).upper() == "P" and target[0] == (3 if state.turn else 0):
                    found += [f"{text}={letter.lower() if state.turn else letter}" for letter in "RBNQ"]
                else:
                    found.append(text)
        return found

    def after(self, state: State, move: str) -> State:
        origin, target = ((4 - int(name[1]), "abcd".index(name[0])) for name in (move[:2], move[2:4]))
        letter, taken = self.at(state, origin), self.at(state, target)
        rows = [list(row) for row in state.rows]
        rows[origin[0]][origin[1]] = "."
        rows[target[0]][target[1]] = move[5:] or letter
        quiet = 0 if letter in "Pp" or taken != "." else state.quiet + 1
        return State(tuple(map("".join, rows)), quiet, 1 - state.turn)

    def name(self, cell: Cell) -> str:
        """Return the name of a cell."""
        return "abcd"[cell[1]] + str(4 - cell[0])

    def board(self, state: State) -> dict[str, str]:
        return {self.name((row, column)): f"{PLAYERS[letter.islower()]} {NAMES[letter.upper()]}"
                for row in range(4) for column in range(4) if (letter := state.rows[row][column]) != "."}

    def variables(self, state: State) -> dict[str, object]:
        return {"quiet": state.quiet}

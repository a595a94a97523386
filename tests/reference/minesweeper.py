"""Minesweeper: mines are laid at random, and an opened cell shows how many of its neighbours have one.

`chance_of_winning` computes the probability of winning by best play, over the layouts that are still possible, which
are all that a player knows.
"""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [{}, {"rows": 1, "columns": 4, "mines": 1}, {"rows": 3, "columns": 3, "mines": 2},
                               {"rows": 4, "columns": 5, "mines": 4}]
Cell = tuple[int, int]


class State(NamedTuple):
    """The mines and the opened cells."""

    mines: frozenset[Cell]
    opened: frozenset[Cell]


class Reference(Rules[State]):
    """The full state of the game; the player sees only the numbers."""

    def __init__(self, *, rows: int = 2, columns: int = 3, mines: int = 2) -> None:
        self.rows, self.columns, self.mines = rows, columns, mines
        self.cells = [(row, column) for row in range(rows) for column in range(columns)]

    def start(self) -> State:
        return State(frozenset(), frozenset())

    def to_move(self, state: State) -> str:
        return "nature" if len(state.mines) < self.mines else "Solver"

    def outcome(self, state: State) -> str | None:
        if state.opened & state.mines:
            return DRAW  # a single player has nobody to lose to
        return "Solver" if len(state.opened) == len(self.cells) - self.mines else None

    def probability(self, state: State, move: str) -> Fraction:
        return Fraction(1, len(self.cells) - len(state.mines))

    def name(self, cell: Cell) -> str:
        """Return the name of a cell."""
        return "abcdefgh"[cell[1]] + str(self.rows - cell[0])

    def options(self, state: State) -> list[str]:
        if len(state.mines) < self.mines:
            return [self.name(cell) + "*" for cell in self.cells if cell not in state.mines]
        return [self.name(cell) for cell in self.cells if cell not in state.opened]

    def after(self, state: State, move: str) -> State:
        cell = self.rows - int(move[1]), "abcdefgh".index(move[0])
        if move.endswith("*"):
            return state._replace(mines=state.mines | {cell})
        return state._replace(opened=state.opened | {cell})

    def around(self, mines: frozenset[Cell], cell: Cell) -> int:
        """The number of neighbours with a mine."""
        return sum(max(abs(cell[0] - row), abs(cell[1] - column)) == 1 for row, column in mines)

    def board(self, state: State) -> dict[str, str]:
        return {self.name(cell): "bang" if cell in state.mines else "clear" for cell in state.opened}

    def variables(self, state: State) -> dict[str, object]:
        return {"mined": [int(cell in state.mines) for cell in self.cells], "laid": len(state.mines),
                "around": [self.around(state.mines, cell) if cell in state.opened else 0 for cell in self.cells]}


def chance_of_winning(rows: int, columns: int, mines: int) -> Fraction:
    """The probability of winning by best play, with all layouts of mines equally likely."""
    rules = Reference(rows=rows, columns=columns, mines=mines)

    @cache
    def wins(layouts: frozenset[frozenset[Cell]], opened: frozenset[Cell]) -> int:
        """The number of these layouts in which best play wins."""
        if len(opened) == len(rules.cells) - mines:
            return len(layouts)
        most = 0
        for cell in set(rules.cells) - opened:
            seen: dict[int, set[frozenset[Cell]]] = {}
            for layout in layouts:
                if cell not in layout:
                    seen.setdefault(rules.around(layout, cell), set()).add(layout)
            most = max(most, sum(wins(frozenset(kept), opened | {cell}) for kept in seen.values()))
        return most

    every = frozenset(map(frozenset, combinations(rules.cells, mines)))
    return Fraction(wins(every, frozenset()), len(every))

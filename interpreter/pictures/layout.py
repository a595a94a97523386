"""How a game's board is laid out in its pictures: where its cells are, their outlines, and what they are drawn as.

Where cells are drawn as wedges, all cells of the board are long: what stands on one lies along it, from the border of
the board that is nearer. Those above the middle have their border at the top, the others at the bottom.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

import attrs

from dsl.resolve.presentation import CELLS, LONG
from interpreter.boards import Board, members
from interpreter.model.state import WorkingState
from interpreter.pictures.canvas import Place
from interpreter.pictures.places import outline, places_of

if TYPE_CHECKING:
    from interpreter.game import Game

LENGTH = 4.6
"""How long a cell is where cells are long, in widths: five pieces lie on it side by side."""
BETWEEN = 0.7
"""How far rows of long cells are apart."""
PIECE = 1.18
"""How large pieces are on long cells, next to those on others."""
STEP = 0.885
"""How far the pieces of a pile are apart where there is room."""


@attrs.frozen(eq=False)
class Layout:
    """A game's board in its pictures."""

    board: Board
    places: tuple[Place, ...]
    """The centre of each cell; x to the right, y down."""
    looks: tuple[str, ...]
    """What each cell is drawn as, a word of `dsl.resolve.presentation.CELLS`."""

    @cached_property
    def long(self) -> bool:
        """Whether cells are long."""
        return LONG in self.looks

    @cached_property
    def pointed(self) -> bool:
        """Whether cells are points where lines meet."""
        return "points" in self.looks

    def outline(self, cell: int, size: float = 1.0) -> Sequence[Place]:
        """The corners of a cell; none where cells are points."""
        (x, y), beyond = self.places[cell], (LENGTH - 1) / 2
        corners = outline(self.board, (x, y), size)
        return [(right, down + (beyond if down > y else -beyond)) for right, down in corners] if self.long else corners

    def towards(self, cell: int) -> int:
        """Which way a long cell goes from its border: 1 for down, -1 for up."""
        return 1 if 2 * self.board.row_of[cell] < self.board.row_count - 1 else -1

    def along(self, cell: int, count: int) -> list[Place]:
        """The places of so many pieces on a long cell, from its border on."""
        (x, y), way = self.places[cell], self.towards(cell)
        step = step_of(count)
        return [(x, y + way * (index * step - FIRST)) for index in range(count)]

    def wedge(self, cell: int) -> Sequence[Place]:
        """The corners of a wedge on a long cell."""
        (x, y), way = self.places[cell], self.towards(cell)
        border = y - way * LENGTH / 2
        return [(x - 0.46, border), (x + 0.46, border), (x, border + 0.94 * way * LENGTH)]

    def tray(self, cell: int) -> Sequence[Place]:
        """The outline of a long cell, and half of what is between it and the rows beside it."""
        row, middle = self.board.row_of[cell], self.places[cell][1]
        above, below = BETWEEN / 2 * (row > 0), BETWEEN / 2 * (row < self.board.row_count - 1)
        return [(x, y + below if y > middle else y - above) for x, y in self.outline(cell)]

    def moved(self, at: Place) -> Place:
        """Where a place of the board with cells as high as wide lies where they are long."""
        if not self.long:
            return at
        x, y = at
        row = min(max(round(y), 0), self.board.row_count - 1)
        beyond = y - row
        outside = (LENGTH - 1) / 2 * (1 if beyond > 0 else -1) if abs(beyond) > 0.5 else 0.0
        return x, row * (LENGTH + BETWEEN) + outside + beyond


FIRST = LENGTH / 2 - 0.46
"""How far the first piece on a long cell lies from the middle of it."""


def step_of(count: int) -> float:
    """How far the pieces of a pile of so many are apart on a long cell."""
    return min(STEP, 2 * FIRST / max(1, count - 1))


_KNOWN: WeakKeyDictionary[Game, Layout] = WeakKeyDictionary()


def layout_of(game: Game) -> Layout:
    """The layout of a game's board."""
    if game not in _KNOWN:
        plain = Layout(game.board, places_of(game.board), _looks(game))
        _KNOWN[game] = attrs.evolve(plain, places=tuple(map(plain.moved, plain.places))) if plain.long else plain
    return _KNOWN[game]


def _looks(game: Game) -> tuple[str, ...]:
    looks = [CELLS[0]] * game.board.size
    for item in game.rules.cells_drawn:
        cells = game.board.everything
        if item.cells is not None:
            wanted = game.engine.evaluator.compile(item.cells.term)
            cells = int(wanted(WorkingState(game.engine.start()), [None] * item.cells.slots) or 0)
        for cell in members(cells):
            looks[cell] = item.look
    return tuple(looks)

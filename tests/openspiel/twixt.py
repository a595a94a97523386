"""OpenSpiel's twixt: an action is column * size + row, with rows from the bottom; repeating Red's action is the swap.

OpenSpiel's swap is our `swap` 1 and always offered; the adapter omits it for `swap` 0. Boards are square, of sizes 5 to
24. OpenSpiel keeps one table of crossings, for the size of the last board that was made, so games of different sizes
must be played in different processes (OWN_PROCESS).
"""

from __future__ import annotations

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [
    {"rows": size, "columns": size, "swap": swap} for size, swap in ((5, 0), (5, 1), (6, 1), (8, 1), (12, 1))
]
OWN_PROCESS = True
"""Each board size needs a process of its own."""

LINKS = ((-2, 1), (-1, 2), (1, 2), (2, 1))
"""The row and column offsets of links to the right, in the order of OpenSpiel's tensor."""


class OpenSpiel(Adapter):
    """TwixT on a square board."""

    players = ("Red", "Blue")

    def __init__(self, *, rows: int, columns: int, swap: int = 1) -> None:
        if rows != columns or not 5 <= rows <= 24 or swap not in (0, 1):
            raise ValueError(f"not in OpenSpiel: {rows} rows, {columns} columns, swap {swap}")
        self.size = rows
        self.swap = swap
        super().__init__(f"twixt(board_size={rows},ansi_color_output=False)")

    def text_of(self, action: int, state: Played) -> str:
        if state.actions == (action,):
            return "swap"
        column, height = divmod(action, self.size)
        return self.name(self.size - 1 - height, column)

    def options(self, state: Played) -> list[str]:
        return [text for text in super().options(state) if self.swap or text != "swap"]

    def board(self, state: Played) -> dict[str, str]:
        """Read the drawing, in which every third line has pegs, without the corners; | and _ may be among them."""
        found = {}
        for row, line in enumerate(str(state.spiel).splitlines()[2 : 3 * self.size : 3]):
            signs = [sign for sign in line if sign in "xo."]
            for column, sign in enumerate(signs, start=1 if row in (0, self.size - 1) else 0):
                if sign != ".":
                    found[self.name(row, column)] = {"x": "red", "o": "blue"}[sign]
        return found

    def links(self, state: Played) -> dict[str, list[tuple[str, str]]]:
        """Read the tensor, six planes of size * (size - 2) for each player, the second to fifth of which show links.

        Red's planes leave out the left and the right column; Blue's are rotated by a quarter turn.
        """
        tensor = state.spiel.observation_tensor(0)
        plane = self.size * (self.size - 2)
        found: list[list[tuple[int, int]]] = []
        for number in range(plane):
            along, across = divmod(number, self.size - 2)
            for first, row, column in ((1, along, across + 1), (7, across + 1, self.size - 1 - along)):
                for layer, (down, right) in enumerate(LINKS, start=first):
                    if tensor[layer * plane + number] == 1.0:
                        found.append(sorted([(row, column), (row + down, column + right)]))
        return {"bridge": [(self.name(*one), self.name(*other)) for one, other in sorted(found)]}

    def name(self, row: int, column: int) -> str:
        """Return the name of the hole in a row and column, counted from the top left."""
        return f"{'abcdefghijklmnopqrstuvwx'[column]}{row + 1}"

"""TwixT: Red joins the top row to the bottom row, Blue the left column to the right column, by pegs and links.

The board has `rows` x `columns` holes without the four corners. Red moves first and puts a red peg into an empty hole
that is not in the left or right column; Blue puts blue pegs, not in the top or bottom row. The new peg is linked to
every peg of its colour a knight's step away, unless the link would cross a link that is there, of either colour. Links
stay for ever. A chain of links between the two sides of a colour wins.

Programs differ in three things:
- Instead of the second move the second player may swap. With `swap` 1 the red peg is taken out, and a blue one put
  where a quarter turn clockwise takes it; Red moves next. It can be done on square boards, and not if the peg stands in
  the top or bottom row. With `swap` 2 the players exchange seats: the player called Blue plays the red pegs, which
  remain, and the player called Red moves next, with the blue pegs. With `swap` 0 nobody may swap.
- The game is a draw when the next player has no hole to play. With `early_draw` 1 it is a draw as soon as neither
  colour could be joined if it had a peg in every hole that it may use and every link that crosses none.
- The sizes of the board.

Cells are named by column letter from the left and row number from the top (b1, c1, ..., a2, ...). A move is the name of
a cell or `swap`.
"""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

from tests.reference.rules import DRAW, Rules

CASES: list[dict[str, int]] = [
    *({"rows": 5, "columns": 5, "swap": swap} for swap in (0, 1, 2)),
    {"rows": 6, "columns": 6, "swap": 1},
    {"rows": 7, "columns": 7},
    {"rows": 5, "columns": 8},
    {"rows": 8, "columns": 5, "swap": 1},
    {"rows": 9, "columns": 9, "swap": 0},
    {"rows": 6, "columns": 5, "early_draw": 1},
    {"rows": 7, "columns": 7, "swap": 1, "early_draw": 1},
]

OTHER = {"Red": "Blue", "Blue": "Red"}
COLOUR = {"Red": "red", "Blue": "blue"}

Hole = tuple[int, int]  # (row, column), both from 0
Link = tuple[Hole, Hole]  # the earlier hole in board order first


class State(NamedTuple):
    """The pegs by hole in board order, "" for an empty hole; the links; the player to move; what the swap needs."""

    pegs: tuple[str, ...]
    links: frozenset[Link]
    mover: str
    """The player's name, not the colour: after seats are exchanged, Red plays the blue pegs."""
    turn: int
    """The number of moves made, at most 2."""
    exchanged: bool


class Reference(Rules[State]):
    """TwixT on `rows` x `columns` holes."""

    def __init__(self, *, rows: int = 24, columns: int = 24, swap: int = 2, early_draw: int = 0) -> None:
        if rows < 3 or columns < 3 or swap not in (0, 1, 2) or early_draw not in (0, 1):
            raise ValueError(f"no such game: {rows} rows, {columns} columns, swap {swap}, early draw {early_draw}")
        self.rows = rows
        self.columns = columns
        self.swap = swap
        self.early_draw = early_draw
        corners = set(product((0, rows - 1), (0, columns - 1)))
        self.holes = [hole for hole in product(range(rows), range(columns)) if hole not in corners]
        self.names = [f"{column_name(column)}{row + 1}" for row, column in self.holes]

    def start(self) -> State:
        return State(("",) * len(self.holes), frozenset(), "Red", 0, False)

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        for colour in ("red", "blue"):
            pegs = self.holes_with(state, colour)
            if self.joined(colour, pegs, {link for link in state.links if link[0] in pegs}):
                return self.player_of(colour, state)
        if self.early_draw and not any(self.may_join(colour, state) for colour in ("red", "blue")):
            return DRAW
        return None if self.options(state) else DRAW

    def options(self, state: State) -> list[str]:
        colour = self.colour_of(state.mover, state)
        allowed = [
            name
            for name, hole, peg in zip(self.names, self.holes, state.pegs, strict=True)
            if peg == "" and self.may_use(colour, hole)
        ]
        return allowed + ["swap"] * self.may_swap(state)

    def after(self, state: State, move: str) -> State:
        turn = min(state.turn + 1, 2)
        if move != "swap":
            hole = self.holes[self.names.index(move)]
            state = self.with_peg(state, hole, self.colour_of(state.mover, state))
        elif self.swap == 1:
            (row, column) = self.holes_with(state, "red").pop()
            state = self.with_peg(self.start(), (column, self.rows - 1 - row), "blue")._replace(mover="Blue")
        else:
            state = state._replace(exchanged=True)
        return state._replace(mover=OTHER[state.mover], turn=turn)

    def board(self, state: State) -> dict[str, str]:
        return {name: peg for name, peg in zip(self.names, state.pegs, strict=True) if peg}

    def links(self, state: State) -> dict[str, list[tuple[str, str]]]:
        """The names of the links' ends, in board order."""
        name = dict(zip(self.holes, self.names, strict=True))
        return {"bridge": [(name[one], name[other]) for one, other in sorted(state.links)]}

    def colour_of(self, player: str, state: State) -> str:
        """The colour that a player plays."""
        return COLOUR[OTHER[player] if state.exchanged else player]

    def player_of(self, colour: str, state: State) -> str:
        """The player who plays a colour."""
        return next(player for player in OTHER if self.colour_of(player, state) == colour)

    def holes_with(self, state: State, peg: str) -> set[Hole]:
        """The holes with a peg of a colour ("" for the empty holes)."""
        return {hole for hole, held in zip(self.holes, state.pegs, strict=True) if held == peg}

    def may_use(self, colour: str, hole: Hole) -> bool:
        """Whether a colour may use a hole: it is not on the other colour's sides."""
        row, column = hole
        return 0 < column < self.columns - 1 if colour == "red" else 0 < row < self.rows - 1

    def may_swap(self, state: State) -> bool:
        """Whether the player to move may swap."""
        if state.turn != 1 or self.swap == 0:
            return False
        (row, _) = self.holes_with(state, "red").pop()
        return self.swap == 2 or (self.rows == self.columns and 0 < row < self.rows - 1)

    def with_peg(self, state: State, hole: Hole, colour: str) -> State:
        """The state with one more peg and the links that it makes."""
        pegs = list(state.pegs)
        pegs[self.holes.index(hole)] = colour
        links = set(state.links)
        for other in self.holes_with(state, colour):
            if knights_step(hole, other):
                link = (min(hole, other), max(hole, other))
                if not any(cross(link, there) for there in state.links):
                    links.add(link)
        return state._replace(pegs=tuple(pegs), links=frozenset(links))

    def joined(self, colour: str, nodes: set[Hole], links: set[Link]) -> bool:
        """Whether links lead from one side of a colour to the other."""
        axis, last = (0, self.rows - 1) if colour == "red" else (1, self.columns - 1)
        reached = [hole for hole in nodes if hole[axis] == 0]
        for hole in reached:  # the list grows during the loop
            for one, other in links:
                if hole in (one, other):
                    beyond = other if hole == one else one
                    if beyond not in reached:
                        reached.append(beyond)
        return any(hole[axis] == last for hole in reached)

    def may_join(self, colour: str, state: State) -> bool:
        """Whether a colour could be joined if only it moved, ignoring crossings between new links."""
        free = {hole for hole in self.holes_with(state, "") if self.may_use(colour, hole)}
        nodes = free | self.holes_with(state, colour)
        links = {
            (one, other)
            for one, other in product(nodes, nodes)
            if one < other
            and knights_step(one, other)
            and ((one, other) in state.links or not any(cross((one, other), there) for there in state.links))
        }
        return self.joined(colour, nodes, links)


def knights_step(one: Hole, other: Hole) -> bool:
    """Whether two holes are a knight's move apart."""
    return {abs(one[0] - other[0]), abs(one[1] - other[1])} == {1, 2}


def cross(first: Link, second: Link) -> bool:
    """Whether two links cross, that is, share an inner point; a shared end is not a crossing."""
    (a, b), (c, d) = first, second
    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


def turn(start: Hole, end: Hole, hole: Hole) -> int:
    """The side of the line from start to end on which a hole lies: positive, negative, or 0 on the line."""
    return (end[0] - start[0]) * (hole[1] - start[1]) - (end[1] - start[1]) * (hole[0] - start[0])


def column_name(column: int) -> str:
    """Return the name of a column: a to z, then aa and so on."""
    letters = ""
    while column >= 0:
        column, letter = divmod(column, 26)
        letters = "abcdefghijklmnopqrstuvwxyz"[letter] + letters
        column -= 1
    return letters

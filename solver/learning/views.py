"""Situations as feature tables: what stands around each anchor, in each orientation that a pattern can have there.

A view is an anchor's cell in a situation, together with a frame. Its features are the contents of each place of a
window around the cell, whether a place is on the goal that the view heads for, and which links between places are
possible or exist. For each place that could be played, the table says whether it was. Places are mapped to cells by the
same frames and sites as those of pattern files, so that rules found here mean the same in a file.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import numpy as np

from dsl.patterns.meaning import Offset
from dsl.syntax.source import Source
from interpreter.arrays import Integers, Truths
from interpreter.boards import members
from interpreter.game import Game
from interpreter.model.state import Move, State, WorkingState
from interpreter.patterns.frames import Frame
from interpreter.patterns.matching import Book, Site
from solver.learning.situations import Situation

EMPTY, OWN, ENEMY, OUTSIDE = range(4)
"""The possible contents of a place."""
WORDS = ("empty", "own", "enemy", "outside")
POSSIBLE, THERE = 1, 2
"""The states of a link; 0 for neither."""
_GENERAL = ("last move", "own piece", "enemy piece")
_OF_CHAINS = ("own chain end toward goal", "enemy chain end toward goal")


@attrs.frozen
class Link:
    """A link between two places of the window."""

    layer: int
    one: int
    other: int


@attrs.frozen(eq=False)
class Views:
    """All views of some situations at one anchor."""

    anchor: str
    frames: tuple[Frame, ...]
    """All frames of the first site, by which turned and mirrored rules are recognised as the same."""
    situation: Integers
    """The number of each view's situation."""
    stands: Integers
    """For each view and place its contents, EMPTY to OUTSIDE."""
    goal: Truths | None
    """For each view and place whether it is on the goal; None where views head for none."""
    links: Integers
    """For each view and link of the window its state: POSSIBLE, THERE or 0."""
    moves: Integers
    """For each view and place the number of the legal move that is played there, -1 for none."""
    played: Truths
    """For each view and place whether that move was chosen."""


class Window:
    """The places around an anchor, and how they map to the cells and links of a board."""

    def __init__(self, game: Game, reach: int, symmetries: str, anchors: Sequence[str]) -> None:
        """Raises GameFileError where an anchor is invalid, or the game's moves are not made by choosing a cell."""
        self.game, self.reach, self.symmetries = game, reach, symmetries
        self.places: list[Offset] = [(across, ahead) for ahead in range(-reach, reach + 1)
                                     for across in range(-reach, reach + 1)]
        self.number = {place: number for number, place in enumerate(self.places)}
        self.anchors = tuple(anchors)
        self.book = _book(game, symmetries, anchors)
        self._points = {point: cell for cell, point in enumerate(game.board.points)}
        self._cells: dict[Frame, Integers] = {}
        self._numbers: dict[Frame, Integers] = {}
        self.links = self._window_links()

    def of_frame(self, frame: Frame) -> Integers:
        """Return for each cell the cells at the window's places around it, in a frame; -1 off the board."""
        if frame not in self._cells:
            steps = [frame.offset(*place) for place in self.places]
            self._cells[frame] = np.array([[self._points.get((row + down, column + across), -1)
                                            for down, across in steps] for row, column in self.game.board.points])
        return self._cells[frame]

    def _window_links(self) -> list[Link]:
        """Return the links, of all layers, between two places of the window, each once."""
        board = self.game.board
        result: dict[Link, None] = {}
        if not board.layers:
            return []
        middle = max(range(board.size), key=lambda cell: int((self._plain()[cell] >= 0).sum()))
        around = {int(cell): number for number, cell in enumerate(self._plain()[middle]) if cell >= 0}
        for layer, kind in enumerate(board.layers):
            for one, other in kind.pairs:
                if one in around and other in around:
                    result[Link(layer, around[one], around[other])] = None
        return list(result)

    def _plain(self) -> Integers:
        return self.of_frame(self.book.sites[0][0][0].frames[0])

    def of_links(self, frame: Frame) -> Integers:
        """Return for each cell the numbers of the window's links around it, counted through all layers; -1 for none."""
        if frame not in self._numbers:
            cells, board = self.of_frame(frame), self.game.board
            starts = np.cumsum([0, *(len(kind.pairs) for kind in board.layers)])
            result = np.full((board.size, len(self.links)), -1)
            for cell in range(board.size):
                for index, link in enumerate(self.links):
                    one, other = int(cells[cell, link.one]), int(cells[cell, link.other])
                    if one >= 0 and other >= 0:
                        number = board.layers[link.layer].number(one, other)
                        result[cell, index] = -1 if number < 0 else int(starts[link.layer]) + number
            self._numbers[frame] = result
        return self._numbers[frame]

    @property
    def one_to_one(self) -> bool:
        """Whether different cells stand for different moves in the start position."""
        moves = list(self._all_moves(self.game.engine.start()).values())
        return len(set(moves)) == len(moves)

    # ---- views

    def views(self, situations: Sequence[Situation]) -> list[Views]:
        """Return the views of situations, one `Views` for each anchor."""
        rows: list[list[tuple[int, Site, Frame, int]]] = [[] for _ in self.anchors]
        tables = [self._stands(situation.state) for situation in situations]
        kinds = [self._link_kinds(situation.state) for situation in situations]
        moves = [self._moves(situation) for situation in situations]
        for number, situation in enumerate(situations):
            mover = WorkingState(situation.state).mover
            for anchor, pattern in enumerate(self.book.patterns[:-1]):
                for site in self.book.sites[mover][pattern.start]:
                    for cell in members(self.book.cells_of(site, situation.state, situation.before)):
                        rows[anchor] += [(number, site, frame, cell) for frame in site.frames]
        return [self._views(anchor, result, tables, kinds, moves) for anchor, result in enumerate(rows)]

    def _views(self, anchor: int, rows: list[tuple[int, Site, Frame, int]], tables: list[Integers],
               kinds: list[Integers], moves: list[tuple[Integers, int]]) -> Views:
        count, places = len(rows), len(self.places)
        stands = np.zeros((count, places), np.int8)
        links = np.zeros((count, len(self.links)), np.int8)
        made = np.full((count, places), -1)
        played = np.zeros((count, places), bool)
        heads = any(site.goal for _, site, _, _ in rows)
        goal = np.zeros((count, places), bool) if heads else None
        for index, (number, site, frame, cell) in enumerate(rows):
            own = self.of_frame(frame)[cell]
            stands[index] = tables[number][own]
            made[index] = moves[number][0][own]
            played[index] = made[index] == moves[number][1]
            if self.links:
                links[index] = kinds[number][self.of_links(frame)[cell]]
            if goal is not None:
                goal[index] = self._set(site.goal)[own]
        frames = self.book.sites[0][self.book.patterns[anchor].start][0].frames
        return Views(self.anchors[anchor], frames, np.array([row[0] for row in rows], int), stands, goal, links,
                     made, played)

    def _set(self, cells: int) -> Truths:
        """Return whether each cell is in a set; the last entry stands for off the board."""
        result = np.zeros(self.game.board.size + 1, bool)
        result[list(members(cells))] = True
        return result

    def _stands(self, state: State) -> Integers:
        """Return the contents of each cell, seen by the player to move; the last entry stands for off the board."""
        mover = WorkingState(state).mover
        result = np.full(self.game.board.size + 1, EMPTY, np.int8)
        for piece, cells in zip(self.game.rules.pieces, state.pieces, strict=True):
            if piece.owner is not None:
                result[list(members(cells))] = OWN if piece.owner == mover else ENEMY
        result[-1] = OUTSIDE
        return result

    def _link_kinds(self, state: State) -> Integers:
        """Return the state of each link of all layers; the last entry stands for no link."""
        result: list[int] = []
        for number, kind in enumerate(self.game.board.layers):
            there = state.links[number]
            result += [THERE if there >> link & 1 else POSSIBLE if kind.is_free(link, there) else 0
                       for link in range(len(kind.pairs))]
        return np.array([*result, 0], np.int8)

    def _moves(self, situation: Situation) -> tuple[Integers, int]:
        """Return each cell's number of the legal move that `play` means there, or -1; and the chosen move's number."""
        numbers = {move: number for number, move in enumerate(situation.legal)}
        result = np.full(self.game.board.size + 1, -1)
        for cell, move in self._all_moves(situation.state).items():
            result[cell] = numbers.get(move, -1)
        return result, numbers[situation.chosen]

    def _all_moves(self, state: State) -> dict[int, Move]:
        """Return the move that `play` means at each cell, legal or not."""
        pattern = self.book.patterns[-1]
        mover = WorkingState(state).mover
        site = self.book.sites[mover][pattern.start][0]
        result = {}
        for cell in range(self.game.board.size):
            move = self.book.move_at(pattern, state, site, cell)
            if move is not None:
                result[cell] = move
        return result


def default_anchors(game: Game) -> tuple[str, ...]:
    """Return the anchors of any game with pieces, and the ends of chains in games where sides are to be joined."""
    try:
        _book(game, "", _OF_CHAINS)
    except ValueError:
        return _GENERAL
    return (*_OF_CHAINS, *_GENERAL)


def _book(game: Game, symmetries: str, anchors: Sequence[str]) -> Book:
    """Return a book with one pattern for each anchor, and a last one at any cell."""
    lines = ["patterns", *([f"symmetries {symmetries}"] if symmetries else [])]
    for number, anchor in enumerate(anchors):
        lines += [f'offensive "{number}" at {anchor}:', "    play (1, 0)"]
    lines += ['offensive "any" at any cell:', "    play (0, 0)"]
    return Book.of(Source("<anchors>", "\n".join(lines) + "\n"), game)

"""The cell patterns of a game's board that a learned value uses as features of a position.

A pattern is a set of cells: one cell, a straight line, or a block; on graphs, the cells nearest to one. Its index has
the contents of each cell as a digit. Two kinds of weights are learned for it: those of its place, shared with its
images under the game's symmetries (with the opposite sign where these swap the players), and those of its form, shared
with all patterns of the same form on the board. Searches use the sum of both, one weight for each index (`merged`). On
request, patterns of cells on random paths are added, with weights of their place alone. Numbers that the rules keep,
of a cell (together with what stands there) or of a player, have a weight for each of their values. All weights may
depend on who is to move. N-tuples of cells are from W. W. Bledsoe and I. Browning (1959), for games from S. M. Lucas,
who took random paths ("Learning to play Othello with n-tuple systems", 2008); separate weights for each player to move
are from M. Thill, P. Koch and W. Konen ("Reinforcement learning with n-tuples", 2012).
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

import attrs
import numpy as np

from dsl.resolve.sorts import Integer
from interpreter.game import Game

if TYPE_CHECKING:
    from interpreter.boards import Board
    from interpreter.model.state_maps import StateMap

MOST_INDICES = 1024
"""The most indices of a pattern."""
MOST_TUPLE_INDICES = 8192
"""The most indices of a pattern of cells on a random path."""
MOST_CELLS = 8
"""The most cells of a pattern."""
MOST_PATTERNS = 1000
"""The most patterns, besides random paths: larger boards do without blocks, then without lines."""
TUPLE = "tuple"
"""Stands for the form of patterns of cells on random paths, which have no weights by form."""
MOST_VALUES = 64
"""The most values of a number that are told apart; higher ones count as the last of them."""

Cells = tuple[int, ...]
Weights: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"
"""float64[n]"""


@attrs.frozen
class Pattern:
    """Some cells of a board, with the name of the form that they have."""

    form: str
    cells: Cells


@attrs.frozen
class Table:
    """Locates a pattern's weights by place or by form; several patterns may share them."""

    pattern: int
    """The number of the pattern."""
    powers: tuple[int, ...]
    """The factor of each cell's contents in the index."""
    base: int
    """Where the weights begin."""
    sign: int
    """1, or -1 where the players are swapped."""


@attrs.frozen
class Number:
    """A number that the rules keep, with a weight for each value; for a cell, one for each value and content."""

    place: int
    """Its place among the variables."""
    cell: int
    """The cell that it belongs to; -1 where it is a player's."""
    low: int
    """Its least value."""
    size: int
    """How many of its values are told apart."""
    base: int
    """Where its weights begin."""
    sign: int
    """1, or -1 where the players are swapped."""


@attrs.frozen(eq=False)
class Features:
    """The patterns of a game, the numbers that its rules keep, and the layout of the weights of both."""

    contents: int
    """How many contents a cell can have."""
    patterns: tuple[Pattern, ...]
    tables: tuple[Table, ...]
    """A table by place for each pattern, in their order; then one by form for each pattern that has a form."""
    labels: tuple[int, ...]
    """The content that each content becomes where the players are swapped."""
    numbers: tuple[Number, ...]
    count: int
    """How many weights there are."""
    second: int
    """The offset of the weights that count where the second player is to move; 0 where both players share them.
    """

    @classmethod
    def of(cls, game: Game, tuples: int = 0, *, by_mover: bool = False) -> Features:
        """Return a game's features, with patterns of `tuples` random paths and their images under its symmetries.

        With `by_mover` weights differ by who is to move.

        Raises ValueError where the board has no borders, or the game has neither pieces nor numbers of cells or
        players.
        """
        if game.board.unbounded:
            raise ValueError(f"{game.title} is played on a board without borders; patterns of cells need one that is "
                             "always the same")
        contents = len(game.rules.pieces)
        maps = game.symmetries
        patterns: tuple[Pattern, ...] = ()
        if contents > 1:  # without pieces there are numbers alone
            patterns = _patterns(game.board, _most_cells(contents, MOST_INDICES))
            patterns += _tuples(game.board, _most_cells(contents, MOST_TUPLE_INDICES), tuples, maps, patterns)
        swapped = next((item.pieces for item in maps if item.swapping), tuple(range(contents)))
        places: dict[tuple[int, ...], int] = {}
        forms: dict[str, int] = {}
        tables, count = [], 0
        for number, pattern in enumerate(patterns):
            key, order, sign = _least_image(pattern.cells, maps)
            if key not in places:
                places[key] = count
                count += contents ** len(key)
            tables.append(Table(number, tuple(contents**place for place in order), places[key], sign))
        for number, pattern in enumerate(patterns):
            if pattern.form == TUPLE:
                continue
            if pattern.form not in forms:
                forms[pattern.form] = count
                count += contents ** len(pattern.cells)
            tables.append(Table(number, _powers(contents, pattern), forms[pattern.form], 1))
        numbers = tuple(_numbers(game, contents, count))
        count = max([count, *(item.base + item.size * (contents if item.cell >= 0 else 1) for item in numbers)])
        if not count:
            raise ValueError(f"{game.title} has neither pieces nor numbers of cells or players; a value is learned of "
                             "these")
        second = count if by_mover else 0
        return cls(contents, patterns, tuple(tables), swapped, numbers, count + second, second)

    def merged(self, weights: Weights, mover: int = 0) -> tuple[tuple[Table, ...], tuple[int, ...], Weights]:
        """Merge the weights by place and by form, as they count where the first player (0) or the second is to move.

        There is one weight for each index of each pattern, in the order of its cells, and for each value of each
        number. Returns a table for each pattern, where the weights of each number begin, and all weights.
        """
        planes = weights[mover * self.second:], weights[(1 - mover) * self.second:]
        found = [np.zeros(self.contents ** len(pattern.cells)) for pattern in self.patterns]
        labels = (np.arange(self.contents), np.array(self.labels))
        for table in self.tables:
            there = found[table.pattern]
            codes, index = np.arange(len(there)), np.zeros(len(there), np.int64)
            for place, power in enumerate(table.powers):
                digit = codes // self.contents**place % self.contents
                index += labels[0 if table.sign > 0 else 1][digit] * power
            there += table.sign * planes[table.sign < 0][table.base + index]
        for item in self.numbers:
            own = planes[item.sign < 0][item.base:item.base + item.size * (self.contents if item.cell >= 0 else 1)]
            if item.cell >= 0 and item.sign < 0:
                own = own.reshape(self.contents, item.size)[labels[1]].reshape(-1)
            found.append(item.sign * own)
        begin = [0, *itertools.accumulate(map(len, found))]
        tables = tuple(Table(number, _powers(self.contents, pattern), begin[number], 1)
                       for number, pattern in enumerate(self.patterns))
        return tables, tuple(begin[len(tables):-1]), np.concatenate(found)

    def touching(self, tables: Sequence[Table], cells: int) -> tuple[list[int], list[int], list[int]]:
        """Return the tables that use each cell, as flat lists: where each cell's begin, their numbers, its factors."""
        result: list[list[tuple[int, int]]] = [[] for _ in range(cells)]
        for number, table in enumerate(tables):
            for cell, power in zip(self.patterns[table.pattern].cells, table.powers, strict=True):
                result[cell].append((number, power))
        begin = [0]
        for there in result:
            begin.append(begin[-1] + len(there))
        return begin, [row for there in result for row, _ in there], [power for there in result for _, power in there]


def _most_cells(contents: int, indices: int) -> int:
    """Return how many cells a pattern may have so that it has at most `indices` indices."""
    return max(1, min(MOST_CELLS, int(math.log(indices) / math.log(contents) + 1e-9)))


def _powers(contents: int, pattern: Pattern) -> tuple[int, ...]:
    """Return the factor of each cell's contents in an index, in the pattern's own order of cells."""
    return tuple(contents**place for place in range(len(pattern.cells)))


def _least_image(cells: Cells, maps: Sequence[StateMap]) -> tuple[Cells, tuple[int, ...], int]:
    """Return the least image of cells under some maps, each cell's place in it, and -1 if it swaps players, else 1."""
    least: Cells | None = None
    for item in maps:
        image = [item.cells.cells[cell] for cell in cells]
        key = tuple(sorted(image))
        if least is None or key < least:
            least, order, sign = key, tuple(key.index(cell) for cell in image), -1 if item.swapping else 1
    assert least is not None
    return least, order, sign


def _numbers(game: Game, contents: int, count: int) -> Iterator[Number]:
    """Yield the numbers of a game's cells and players; their weights begin behind `count` others.

    Numbers that symmetries map onto each other share weights, with the opposite sign where players are swapped; not
    where the symmetry changes their values. A number that is mapped onto itself with the players swapped favours
    neither and is left out, unless it has weights for each content of its cell.
    """
    result: dict[int, tuple[int, int]] = {}
    for kind, offset in zip(game.rules.variables, game.engine.evaluator.offsets, strict=True):
        if not isinstance(kind.sort, Integer) or kind.indices not in (("cell",), ("player",)):
            continue
        of_cell = kind.indices == ("cell",)
        size = min(kind.sort.high - kind.sort.low + 1, MOST_VALUES)
        for index in range(game.board.size if of_cell else len(game.players)):
            place = offset + index
            images = [(item.sources.index(place), -1 if item.swapping else 1) for item in game.symmetries
                      if item.converters[item.sources.index(place)] is None]
            if (place, -1) in images and not (of_cell and contents > 1):
                continue
            least, sign = min(images, key=lambda image: (image[0], -image[1]))
            if least not in result:
                result[least] = count, size
                count += size * (contents if of_cell else 1)
            yield Number(place, index if of_cell else -1, kind.sort.low, size, result[least][0], sign)


# ---- finding patterns


def _patterns(board: Board, size: int) -> tuple[Pattern, ...]:
    """Return the patterns of a board, each set of cells once."""
    kinds = [[Pattern("cell", (cell,)) for cell in range(board.size)]]
    axes = _axes(board)
    if size >= 2 and not axes:
        kinds.append([Pattern("near", near) for cell in range(board.size) if len(near := _near(board, cell, size)) > 1])
    if size >= 2 and axes:
        kinds.append(list(_lines(board, axes, size)))
    if size >= 4 and len(axes) >= 2:
        kinds.append(list(_blocks(board, axes, size)))
    result: dict[Cells, Pattern] = {}
    for kind in kinds:
        fresh = {tuple(sorted(pattern.cells)): pattern for pattern in reversed(kind)}
        if len(result) + len(fresh) > MOST_PATTERNS and result:
            break
        result = {**fresh, **result}
    return tuple(result[key] for key in sorted(result, key=lambda key: (len(key), result[key].form, key)))


def _tuples(board: Board, size: int, count: int, maps: Sequence[StateMap], others: Sequence[Pattern]) -> tuple[
        Pattern, ...]:
    """Return patterns of `count` random paths of `size` cells, with their images under some maps.

    Patterns that exist already are left out. The result is always the same; there are fewer paths where the board does
    not have as many.
    """
    chance = random.Random(0)
    near = [sorted({there for there in steps if there >= 0} | set(board.neighbour_lists[cell]))
            for cell, steps in enumerate(board.steps)]
    known = {tuple(sorted(pattern.cells)) for pattern in others}
    found: dict[Cells, None] = {}
    for _ in range(10 * count):
        if count == 0:
            break
        at = int(chance.random() * board.size)  # only `random()` gives the same sequence in all Python versions
        cells = {at}
        for _ in range(10 * size):
            if len(cells) == size or not near[at]:
                break
            at = near[at][int(chance.random() * len(near[at]))]
            cells.add(at)
        images = {tuple(sorted(item.cells.cells[cell] for cell in cells)) for item in maps}
        if len(cells) == size and not images & (known | set(found)):
            found.update(dict.fromkeys(sorted(images)))
            count -= 1
    return tuple(Pattern(TUPLE, cells) for cells in found)


def _axes(board: Board) -> list[int]:
    """Return the directions in which cells have neighbours, one of each opposite pair, the shortest steps first."""
    result: list[int] = []
    opposite: set[int] = set()
    for one in range(len(board.directions)):
        pairs = [(cell, steps[one]) for cell, steps in enumerate(board.steps) if steps[one] >= 0]
        if not pairs or one in opposite:
            continue
        result.append(one)
        opposite |= {other for other in range(len(board.directions))
                     if all(board.steps[there][other] == cell for cell, there in pairs)}

    def length(direction: int) -> float:
        cell, there = next((cell, steps[direction]) for cell, steps in enumerate(board.steps) if steps[direction] >= 0)
        (x, y), (u, v) = board.places[cell], board.places[there]
        return round(math.hypot(u - x, v - y), 3)

    return sorted(result, key=length)


def _walk(board: Board, cell: int, direction: int, steps: int) -> int:
    """Return the cell that is some steps from another in a direction; -1 where there is none."""
    for _ in range(steps):
        if cell >= 0:
            cell = board.steps[cell][direction]
    return cell


def _lines(board: Board, axes: Sequence[int], size: int) -> Iterator[Pattern]:
    """Yield the straight lines of `size` cells, or along each axis the longest ones where they are shorter."""
    for axis in axes:
        for length in range(size, 1, -1):
            result = [Pattern(f"line {axis} {length}", cells) for cell in range(board.size)
                      if -1 not in (cells := tuple(_walk(board, cell, axis, step) for step in range(length)))]
            if result:
                yield from result
                break


def _blocks(board: Board, axes: Sequence[int], size: int) -> Iterator[Pattern]:
    """Yield the blocks of two rows, along each of the two shortest axes."""
    for along, across in ((axes[0], axes[1]), (axes[1], axes[0])):
        for cell in range(board.size):
            starts = (cell, _walk(board, cell, across, 1))
            cells = tuple(_walk(board, start, along, step) for step in range(size // 2) for start in starts)
            if -1 not in cells:
                yield Pattern(f"block {along} {across}", cells)


def _near(board: Board, cell: int, size: int) -> Cells:
    """Return at most `size` cells, those nearest to a cell, itself included."""
    result, at = [cell], 0
    while at < len(result) and len(result) < size:
        result += [near for near in board.neighbour_lists[result[at]] if near not in result]
        at += 1
    return tuple(result[:size])

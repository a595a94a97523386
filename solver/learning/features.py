"""The patterns of cells by which a learned value knows a position, found on a game's board.

A pattern is some cells: one, a straight line, or a block; on graphs, the cells nearest to one. Its index has the
contents of each cell as a digit. Two kinds of weights are learned for it: those of its place, which it shares with its
images under the game's symmetries (players swapped: with the other sign), and those of its form, which it shares with
the same form everywhere on the board. What is searched with has the sum of both, one weight for each index (`merged`).
Where it is asked for, patterns of cells on random paths are added, with weights of their place alone. Numbers that the
rules keep, of a cell (with what stands there) or of a player, have a weight for each of their values. All weights may
differ by who is to move. N-tuples of cells are W. W. Bledsoe and I. Browning's (1959), for games S. M. Lucas's, who
took random paths ("Learning to play Othello with n-tuple systems", 2008); weights for either player to move are from
M. Thill, P. Koch and W. Konen ("Reinforcement learning with n-tuples", 2012).
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
"""How many indices a pattern has at most;"""
MOST_TUPLE_INDICES = 8192
"""and how many one of cells on a random path."""
MOST_CELLS = 8
"""How many cells."""
MOST_PATTERNS = 1000
"""Larger boards do without blocks, then without lines."""
TUPLE = "tuple"
"""The form of patterns of cells on a random path, which is none."""
MOST_VALUES = 64
"""How many values of a number are told apart; what is above counts as the last of them."""

Cells = tuple[int, ...]
Weights: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"
"""float64[n]"""


@attrs.frozen
class Pattern:
    """Some cells, by the form that they have."""

    form: str
    cells: Cells


@attrs.frozen
class Table:
    """Weights of a pattern, by its place or by its form; several patterns may have the same."""

    pattern: int
    """The number of the pattern."""
    powers: tuple[int, ...]
    """How much the contents of each of its cells count in its index."""
    base: int
    """Where the weights begin."""
    sign: int
    """1, or -1 where the players are swapped."""


@attrs.frozen
class Number:
    """A number that the rules keep, and which weights it has: one for each value, for each content of its cell."""

    place: int
    """Its place among the variables."""
    cell: int
    """The cell that it is of; -1 where it is a player's."""
    low: int
    """Its least value;"""
    size: int
    """how many are told apart."""
    base: int
    """Where its weights begin."""
    sign: int
    """1, or -1 where the players are swapped."""


@attrs.frozen(eq=False)
class Features:
    """The patterns of a game, the numbers that its rules keep, and which weights they have."""

    contents: int
    """How many contents a cell can have."""
    patterns: tuple[Pattern, ...]
    tables: tuple[Table, ...]
    """One by the place of each pattern, in their order; then those by the form, of patterns that have one."""
    labels: tuple[int, ...]
    """The content that each becomes where the players are swapped."""
    numbers: tuple[Number, ...]
    count: int
    """How many weights there are."""
    second: int
    """How far behind its weights those begin that count where the second player is to move; 0 where they are the same.
    """

    @classmethod
    def of(cls, game: Game, tuples: int = 0, *, by_mover: bool = False) -> Features:
        """The patterns of a game, with so many of cells on random paths and their images under its symmetries.

        With `by_mover` weights differ by who is to move.

        Raises ValueError where the board has no borders, or pieces stand in piles.
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
        """One weight for each index of each pattern, in the order of its cells, and for each value of each number, as
        they count where the first player is to move, or the second.

        Returns a table for each pattern, where the weights of each number begin, and all weights.
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
        """For each cell where those of the tables begin that look at it, their numbers, and how much it counts."""
        result: list[list[tuple[int, int]]] = [[] for _ in range(cells)]
        for number, table in enumerate(tables):
            for cell, power in zip(self.patterns[table.pattern].cells, table.powers, strict=True):
                result[cell].append((number, power))
        begin = [0]
        for there in result:
            begin.append(begin[-1] + len(there))
        return begin, [row for there in result for row, _ in there], [power for there in result for _, power in there]


def _most_cells(contents: int, indices: int) -> int:
    """How many cells a pattern may have for so many indices."""
    return max(1, min(MOST_CELLS, int(math.log(indices) / math.log(contents) + 1e-9)))


def _powers(contents: int, pattern: Pattern) -> tuple[int, ...]:
    """How much the contents of each cell count in an index, in the pattern's own order."""
    return tuple(contents**place for place in range(len(pattern.cells)))


def _least_image(cells: Cells, maps: Sequence[StateMap]) -> tuple[Cells, tuple[int, ...], int]:
    """The least image of some cells under some maps, the place of each cell in it, and -1 where it swaps players."""
    least: Cells | None = None
    for item in maps:
        image = [item.cells.cells[cell] for cell in cells]
        key = tuple(sorted(image))
        if least is None or key < least:
            least, order, sign = key, tuple(key.index(cell) for cell in image), -1 if item.swapping else 1
    assert least is not None
    return least, order, sign


def _numbers(game: Game, contents: int, count: int) -> Iterator[Number]:
    """The numbers of a game's cells and players; their weights begin behind so many others.

    A symmetry that makes another number of one says nothing of it; one that swaps players says of a number that stays
    in its place, where no pieces stand, that it favours neither, and it is left out.
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
    """The patterns of a board, each set of cells once."""
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
    """Patterns of so many cells on random paths, with their images under some maps; none that is there already.

    Always the same ones. There are fewer where a board has not so many.
    """
    chance = random.Random(0)
    near = [sorted({there for there in steps if there >= 0} | set(board.neighbour_lists[cell]))
            for cell, steps in enumerate(board.steps)]
    known = {tuple(sorted(pattern.cells)) for pattern in others}
    found: dict[Cells, None] = {}
    for _ in range(10 * count):
        if count == 0:
            break
        at = int(chance.random() * board.size)  # the sequence of `random` alone is the same in all versions
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
    """Directions, one of each two that are opposite, in which there are cells; the shortest steps first."""
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
    """The cell so many steps from another; -1 for none."""
    for _ in range(steps):
        if cell >= 0:
            cell = board.steps[cell][direction]
    return cell


def _lines(board: Board, axes: Sequence[int], size: int) -> Iterator[Pattern]:
    """Straight lines of so many cells, of fewer where the board has no longer ones that way."""
    for axis in axes:
        for length in range(size, 1, -1):
            result = [Pattern(f"line {axis} {length}", cells) for cell in range(board.size)
                      if -1 not in (cells := tuple(_walk(board, cell, axis, step) for step in range(length)))]
            if result:
                yield from result
                break


def _blocks(board: Board, axes: Sequence[int], size: int) -> Iterator[Pattern]:
    """Blocks of two rows, along the two shortest axes."""
    for along, across in ((axes[0], axes[1]), (axes[1], axes[0])):
        for cell in range(board.size):
            starts = (cell, _walk(board, cell, across, 1))
            cells = tuple(_walk(board, start, along, step) for step in range(size // 2) for start in starts)
            if -1 not in cells:
                yield Pattern(f"block {along} {across}", cells)


def _near(board: Board, cell: int, size: int) -> Cells:
    """So many cells, those nearest to one."""
    result, at = [cell], 0
    while at < len(result) and len(result) < size:
        result += [near for near in board.neighbour_lists[result[at]] if near not in result]
        at += 1
    return tuple(result[:size])

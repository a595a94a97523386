"""Encodes positions as feature planes for neural networks: a plane for each kind of thing on the board.

`Planes.of(batch).of_states(states)` gives float32 with the axes game, plane, row, column, or game, plane, cell where
the board is a graph. Players are numbered from the player to move: first the mover's pieces, then those of the next
player. The planes contain the whole position, so equal planes mean positions that are equal as far as play goes, except
that a number with a range of more than 2**24 is rounded; they contain no history.

A plane is defined by a table: for each viewing side and each place of the plane, the location of the number in a
position's words, and what it is compared with or divided by. NumPy evaluates the table here, and GPU threads do in
`interpreter.device.threads`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import attrs
import numpy as np

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, CELL, DIRECTION, PIECE, PLAYER, Covered, Enumerated, Integer
from interpreter.arrays import Bytes, Floats, Numbers, Truths, Words
from interpreter.game import Game
from interpreter.kernel.many import Batch

WORD, SHIFT, MASK, OFFSET, SPAN, NONE = range(6)
"""The columns of a table's entries.

The value of an entry is `word >> shift & mask`, signed. Where the span is 0, the plane has 1 if the value equals the
offset, else 0. Otherwise it has -1 for the value that stands for none, and `(value - offset) / span` for others.
"""
_NEVER = -(1 << 63)
"""A value that never occurs."""
_LONG = 4
"""The least length of a run of columns that is copied as a slice."""
Parts: TypeAlias = "Numbers | int"
"""A number for each side and cell, broadcast from shape (sides, 1), (cells,) or a scalar."""


@attrs.frozen(eq=False)
class Planes:
    """The conversion of one game's positions into planes."""

    batch: Batch
    names: tuple[str, ...]
    """What each plane shows."""
    shape: tuple[int, ...]
    """(planes, rows, columns); on a graph (planes, cells)."""
    entries: Numbers
    """The distinct entries, a row each, with the columns `WORD` to `NONE`."""
    shown: Numbers
    """int64 (sides, places of all planes): the index of each place's entry, for each viewing side."""
    _plans: dict[int, _Plan] = attrs.field(factory=dict, init=False)

    @classmethod
    def of(cls, batch: Batch) -> Planes:
        """The planes of a game."""
        board, players = batch.game.board, len(batch.game.players)
        extent: tuple[int, ...] = (board.size,)
        places = np.arange(board.size)
        if board.points:
            points = np.array(board.points)
            points = points - points.min(axis=0)
            extent = tuple((points.max(axis=0) + 1).tolist())
            places = points[:, 0] * extent[1] + points[:, 1]
        names, tables = zip(*_Tables.of(batch).all(int(np.prod(extent))), strict=True)
        whole = np.empty((players, len(names), int(np.prod(extent)), len(_NOTHING)), np.int64)
        whole[:] = _NOTHING
        for number, table in enumerate(tables):
            whole[:, number, places] = np.broadcast_to(table, (players, board.size, len(_NOTHING)))
        entries, shown = np.unique(whole.reshape(-1, len(_NOTHING)), axis=0, return_inverse=True)
        return cls(batch, names, (len(names), *extent), entries, shown.reshape(players, -1).astype(np.int64))

    def of_states(self, states: Words, viewers: Numbers | Sequence[int] | None = None) -> Floats:
        """The planes of some positions, each as seen by its player to move, or by the players `viewers`.

        What the game hides from that player is encoded as the player sees it: see `interpreter.semantics.hidden`.
        """
        layout = self.batch.kernel.assembled.layout
        looking = np.asarray(states[:, layout.to_move] if viewers is None else viewers, np.int64)
        if not self.batch.game.observer.sees_all:
            states = self._seen(states, looking)
        sides = looking ^ states[:, layout.seats].astype(np.int64)
        result = np.empty((len(states), self.shown.shape[1]), np.float32)
        for side in np.unique(sides).tolist():
            seen = sides == side
            if seen.all():
                self._fill(result, states, side)
            else:
                of_side = np.empty((int(seen.sum()), result.shape[1]), np.float32)
                self._fill(of_side, states[seen], side)
                result[seen] = of_side
        return result.reshape(len(states), *self.shape)

    def _fill(self, result: Floats, states: Words, side: int) -> None:
        """Write the planes of positions as seen by a side into `result`."""
        plan = self._plan(side)
        parts = np.ascontiguousarray(states[:, plan.words]).astype("<u8").view(np.uint8)
        plan.bits.copy(np.unpackbits(parts, axis=1, bitorder="little"), result)
        values = np.empty((len(states), plan.many), np.float32)
        read = plan.read(states)
        for to, start, offset in plan.equal:
            values[:, to] = read[:, start] == offset
        if len(plan.numbers):
            numbers = (read[:, plan.number_of] - plan.numbered[:, OFFSET]) / plan.numbered[:, SPAN]
            if (plan.numbered[:, NONE] != _NEVER).any():
                numbers[read[:, plan.number_of] == plan.numbered[:, NONE]] = -1
            values[:, plan.numbers] = numbers
        plan.values.copy(values, result)

    def _plan(self, side: int) -> _Plan:
        """The cached plan for the planes of a side."""
        if side not in self._plans:
            self._plans[side] = _Plan.of(self.entries[self.shown[side]])
        return self._plans[side]

    def _seen(self, states: Words, looking: Numbers) -> Words:
        """The positions as their viewers see them."""
        game, kernel = self.batch.game, self.batch.kernel
        return self.batch.rows([game.observer.view(kernel.state(row), int(viewer))
                                for row, viewer in zip(states, looking, strict=True)])


@attrs.frozen
class _Copies:
    """A mapping of columns of a source array to columns of a target array; runs are copied as slices."""

    runs: list[tuple[slice, slice]]
    """Target columns and source columns: as many, or a single one for all."""
    to: Numbers
    start: Numbers
    """The remaining columns, one by one: target columns in `to`, source columns in `start`."""

    @classmethod
    def of(cls, columns: Numbers) -> _Copies:
        """Make it from the source column of each target column, -1 where nothing is copied."""
        left, runs = columns.copy(), list[tuple[slice, slice]]()
        for step in (1, 0):
            for to, length in list(_runs((np.diff(left) == step) & (left[1:] >= 0), len(left))):
                start = int(left[to])
                if start >= 0 and length >= _LONG:
                    runs.append((slice(to, to + length), slice(start, start + (length if step else 1))))
                    left[to : to + length] = -1
        to_others = np.flatnonzero(left >= 0)
        return cls(runs, to_others, left[to_others])

    def copy(self, source: Bytes | Floats, target: Floats) -> None:
        """Copy the columns in every row."""
        for to, start in self.runs:
            target[:, to] = source[:, start]
        if len(self.to):
            target[:, self.to] = source[:, self.start]


@attrs.frozen(eq=False)
class _Plan:
    """The vectorised evaluation of the entries of all places, for one side."""

    words: Numbers
    """The words whose bits are shown."""
    bits: _Copies
    """Copies the bits of these words to their places."""
    readings: list[tuple[slice, slice, int, int]]
    many_read: int
    """The readings of all other values: (where they are written, from which words, shift, mask); and their number."""
    equal: list[tuple[slice, slice, int]]
    """Comparisons: (where the results are written, which readings, the value compared with)."""
    numbers: Numbers
    number_of: Numbers
    numbered: Numbers
    """Scaled numbers: where they are written, their readings, and their entries."""
    many: int
    """The number of values written."""
    values: _Copies
    """Copies these values to their places."""

    @classmethod
    def of(cls, entries: Numbers) -> _Plan:
        """Make a plan from the entry of each place."""
        bit = (entries[:, MASK] == 1) & (entries[:, OFFSET] == 1) & (entries[:, SPAN] == 0)
        words, ranks = np.unique(entries[bit, WORD], return_inverse=True)
        bits, values = np.full((2, len(entries)), -1)
        bits[bit] = ranks.ravel() * 64 + entries[bit, SHIFT]
        others, values[~bit] = _as_they_come(entries[~bit])
        readings, reading = _as_they_come(others[:, : MASK + 1])
        alike = (np.diff(readings[:, WORD]) == 1) & (np.diff(readings[:, SHIFT:], axis=0) == 0).all(axis=1)
        read = [(slice(to, to + count), slice(int(readings[to, WORD]), int(readings[to, WORD]) + count),
                 int(readings[to, SHIFT]), int(readings[to, MASK])) for to, count in _runs(alike, len(readings))]
        numbers = np.flatnonzero(others[:, SPAN] > 0)
        follows = (np.diff(reading) == 1) & (np.diff(others[:, OFFSET]) == 0) & (np.diff(others[:, SPAN] > 0) == 0)
        equal = [(slice(to, to + count), slice(int(reading[to]), int(reading[to]) + count), int(others[to, OFFSET]))
                 for to, count in _runs(follows, len(others)) if not others[to, SPAN]]
        return cls(words, _Copies.of(bits), read, len(readings), equal, numbers, reading[numbers], others[numbers],
                   len(others), _Copies.of(values))

    def read(self, states: Words) -> Numbers:
        """The values of all readings in each position."""
        result = np.empty((len(states), self.many_read), np.uint64)
        for to, start, shift, mask in self.readings:
            result[:, to] = states[:, start] if mask == -1 else states[:, start] >> np.uint64(shift) & np.uint64(mask)
        return result.view(np.int64)


def _runs(follows: Truths, count: int) -> Iterator[tuple[int, int]]:
    """Yield the start and length of each run among `count` things; `follows[k]` says whether thing k + 1 continues a
    run."""
    begins = np.flatnonzero(np.concatenate([[True], ~follows]))[:count]
    yield from zip(begins.tolist(), np.diff(begins, append=count).tolist(), strict=True)


def _as_they_come(rows: Numbers) -> tuple[Numbers, Numbers]:
    """The distinct rows in order of first occurrence, and for each row the index of its distinct row."""
    _, first, which = np.unique(rows, axis=0, return_index=True, return_inverse=True)
    order = np.argsort(first)
    rank = np.empty(len(order), np.int64)
    rank[order] = np.arange(len(order))
    return rows[first[order]], rank[which.ravel()]


def _equal(word: Parts, shift: Parts = 0, mask: Parts = -1, value: Parts = 1) -> Numbers:
    """Entries that are 1 where some bits of a word equal a value, else 0."""
    return np.stack(np.broadcast_arrays(*map(np.atleast_1d, (word, shift, mask, value, 0, 0))), axis=-1)


def _number(word: Parts, low: int, span: int, none: int = _NEVER) -> Numbers:
    """Entries that scale a number to 0 to 1, with -1 for none."""
    return np.stack(np.broadcast_arrays(*map(np.atleast_1d, (word, 0, -1, low, span, none))), axis=-1)


_NOTHING = _equal(0, 0, 0, 1)[0]
"""The entry of a place that is always 0."""


@attrs.frozen(eq=False)
class _Tables:
    """Generates the planes of a game: names, with their entries as arrays (sides, cells, columns)."""

    batch: Batch
    game: Game
    sides: Numbers
    """All sides, with shape (sides, 1)."""
    cells: Numbers
    pieces: Numbers
    """For each side the piece of each of the first planes; -1 for none."""
    most: int
    """The number of these planes for each player."""

    @classmethod
    def of(cls, batch: Batch) -> _Tables:
        rules = batch.game.rules
        players = len(rules.players)
        owned = [[number for number, piece in enumerate(rules.pieces) if number and piece.owner == player]
                 for player in range(players)]
        most = max(map(len, owned))
        free = [number for number, piece in enumerate(rules.pieces) if number and piece.owner is None]
        pieces = np.full((players, players * most + len(free)), -1)
        for mover in range(players):
            for index in range(players):
                theirs = owned[(mover + index) % players]
                pieces[mover, index * most : index * most + len(theirs)] = theirs
            pieces[mover, players * most :] = free
        return cls(batch, batch.game, np.arange(players)[:, None], np.arange(batch.game.board.size), pieces, most)

    def all(self, places: int) -> Iterator[tuple[str, Numbers]]:
        """Yield all planes, where a plane has `places` places."""
        game, layout = self.game, self.batch.kernel.assembled.layout
        for name, pieces in zip(self._piece_names(), self.pieces.T, strict=True):
            there = pieces[:, None] >= 0
            yield name, _equal(np.where(there, pieces[:, None], 0) * layout.words + self.cells // 64, self.cells % 64,
                               1, np.where(there, 1, 2))
        offset = layout.values
        for number, kind in enumerate(game.rules.variables):
            size = game.engine.evaluator.sizes[number]
            yield from self._variable(kind, offset, size)
            offset += size
        for number in range(len(game.board.layers)):
            yield from self._links(number)
        for player in range(1, len(game.players)):
            yield f"the mover's side is {game.players[player]}", _equal(0, 0, 0, np.where(self.sides == player, 0, 1))
        turns = max((pie.turn + 1 for pie in game.rules.pies), default=0)
        if turns:
            yield "moves made, as far as swapping goes", _number(layout.turn, 0, turns)
        if game.board.points and len(game.board.points) < places:
            yield "cells of the board", _equal(0, 0, 0, 0)

    def _piece_names(self) -> Iterator[str]:
        game, most = self.game, self.most
        players = len(game.players)
        for index in range(players):
            who = "the mover's" if index == 0 else "the opponent's" if players == 2 else f"player {index} on:"
            for number in range(most):
                shown = self.pieces[:, index * most + number]
                kinds = dict.fromkeys(game.rules.pieces[piece].name for piece in shown if piece >= 0)
                yield f"{who} {' or '.join(kinds)}"
        yield from (game.piece_names[piece] for piece in self.pieces[0, players * most :])

    def _variable(self, kind: hir.VariableKind, offset: int, size: int) -> Iterator[tuple[str, Numbers]]:
        """Yield the planes of a variable: spread over the board where it is indexed by cell, row or column."""
        board = self.game.board
        spread = {"cell": range(board.size), "row": board.row_of, "column": board.column_of}.get(kind.index)
        if spread is not None:
            yield from self._shown(kind.name, kind, offset + np.array(list(spread)))
            return
        for number in range(size):
            if kind.index == "player":
                name = f"{kind.name} of the {'mover' if number == 0 else f'player {number} on'}"
                yield from self._shown(name, kind, offset + (self.sides + number) % size)
            else:
                yield from self._shown(f"{kind.name}[{number}]" if kind.index else kind.name, kind, offset + number)

    def _shown(self, name: str, kind: hir.VariableKind, word: Parts) -> Iterator[tuple[str, Numbers]]:
        """Yield the planes of a value: for numbers one plane, from 0 to 1, -1 for none; for other sorts one per
        value."""
        game, sort = self.game, kind.sort
        missing = self.batch.kernel.assembled.layout.missing
        if isinstance(sort, Integer):
            none = next(value for value in missing if value < -1) if kind.or_none else _NEVER
            yield name, _number(word, sort.low, max(sort.high - sort.low, 1), none)
        elif sort == BOOLEAN:
            yield name, _number(word, 0, 1)
        elif isinstance(sort, Covered):
            mask = (1 << sort.bits) - 1
            for place in range(sort.digits):
                for number, pieces in enumerate(self.pieces.T):
                    value = np.where(pieces >= 0, pieces, mask + 1)[:, None]
                    yield (f"{name}, piece {place + 1} is of plane {number}",
                           _equal(word, sort.bits * place, mask, value))
        elif sort == CELL and not kind.index:
            yield name, _equal(word, value=self.cells)
        elif sort == PLAYER:
            players = len(game.players)
            for player in range(players):
                yield (f"{name} is the {'mover' if player == 0 else f'player {player} on'}",
                       _equal(word, value=(self.sides + player) % players))
        else:
            words = {PIECE: game.piece_names, DIRECTION: game.board.directions, CELL: game.board.names}.get(
                sort, sort.values if isinstance(sort, Enumerated) else ())
            for number, of_value in enumerate(words):
                yield f"{name} is {of_value}", _equal(word, value=number)

    def _links(self, number: int) -> Iterator[tuple[str, Numbers]]:
        """Yield the planes of a layer of links: one for each offset at which links can leave a cell."""
        board = self.game.board
        layer = board.layers[number]
        ways: dict[tuple[int, ...], Numbers] = {}
        for cell, links in sorted(layer.of_cell.items()):
            for rank, (link, other) in enumerate(sorted(links, key=lambda item: item[1])):
                way: tuple[int, ...] = (rank,)
                if board.points:
                    way = tuple(np.subtract(board.points[other], board.points[cell]).tolist())
                ways.setdefault(way, np.full(board.size, -1))[cell] = link
        first = self.batch.kernel.assembled.layout.links[number]
        for to, there in sorted(ways.items()):
            yield (f"{layer.name} {' '.join(f'{step:+d}' for step in to)}",
                   _equal(first + np.maximum(there, 0) // 64, np.maximum(there, 0) % 64, 1, np.where(there >= 0, 1, 2)))


__all__ = ["Planes"]

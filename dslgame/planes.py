"""Positions as arrays of numbers, for programs that learn: a plane for each thing that can be seen on the board.

`Planes.of(batch).of_states(states)` gives float32 with the axes game, plane, row, column, or game, plane, cell where
the board is a graph. Players are seen from the player to move: first the mover's pieces, then those of the next player.
Everything that makes a position is there, so equal planes are equal positions as far as play goes; history is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, CELL, DIRECTION, PIECE, PLAYER, Covered, Enumerated, Integer
from interpreter.arrays import Bytes, Floats, Numbers, Words
from interpreter.compiler.lowering.layout import Layout
from interpreter.kernel.many import Batch


@attrs.frozen(eq=False)
class Planes:
    """How one game's positions become planes."""

    batch: Batch
    names: tuple[str, ...]
    """What each plane shows."""
    shape: tuple[int, ...]
    """Planes, rows and columns; on a graph planes and cells."""
    _places: Numbers
    """Where each cell stands in a plane."""
    _pieces: Numbers
    """For each player to move, the piece that each of the first planes shows; -1 for none."""
    _ways: dict[int, list[tuple[str, Numbers]]] = attrs.field(factory=dict, init=False)

    @classmethod
    def of(cls, batch: Batch) -> Planes:
        """The planes of a game."""
        board, rules = batch.game.board, batch.game.rules
        extent: tuple[int, ...] = (board.size,)
        places = np.arange(board.size)
        if board.points:
            points = np.array(board.points)
            points = points - points.min(axis=0)
            extent = tuple((points.max(axis=0) + 1).tolist())
            places = points[:, 0] * extent[1] + points[:, 1]
        players = len(rules.players)
        owned = [[number for number, piece in enumerate(rules.pieces) if number and piece.owner == player]
                 for player in range(players)]
        most = max(map(len, owned))
        free = [number for number, piece in enumerate(rules.pieces) if number and piece.owner is None]
        pieces = np.full((players, players * most + len(free)), -1)
        for mover in range(players):
            for place in range(players):
                theirs = owned[(mover + place) % players]
                pieces[mover, place * most : place * most + len(theirs)] = theirs
            pieces[mover, players * most :] = free
        made = cls(batch, (), extent, places, pieces)
        names = [*made._piece_names(most, len(free), free), *(name for name, _ in made._further(None))]
        return attrs.evolve(made, names=tuple(names), shape=(len(names), *extent))

    def _piece_names(self, most: int, many: int, free: list[int]) -> Iterator[str]:
        game = self.batch.game
        players = len(game.players)
        for place in range(players):
            who = "the mover's" if place == 0 else "the opponent's" if players == 2 else f"player {place} on:"
            for number in range(most):
                shown = self._pieces[:, place * most + number]
                kinds = dict.fromkeys(game.rules.pieces[piece].name for piece in shown if piece >= 0)
                yield f"{who} {' or '.join(kinds)}"
        yield from (game.piece_names[piece] for piece in free)

    @property
    def _layout(self) -> Layout:
        return self.batch.kernel.assembled.layout

    # ---- making planes

    def of_states(self, states: Words, viewers: Numbers | Sequence[int] | None = None) -> Floats:
        """The planes of some positions, each seen by its player to move, or by one of the players `viewers`.

        What the game hides from that player looks as it does to the player: see `interpreter.semantics.hidden`.
        """
        states = self._seen(states, viewers)
        layout, size = self._layout, self.batch.game.board.size
        count = len(states)
        flat = np.zeros((count, len(self.names), int(np.prod(self.shape[1:]))), np.float32)
        bits = np.zeros((count, layout.pieces + 1, size), np.uint8)
        for piece in range(1, layout.pieces):
            bits[:, piece] = _bits(states, piece * layout.words, layout.words, size)
        shown = self._pieces.shape[1]
        viewed = states
        if viewers is not None:
            viewed = states.copy()
            viewed[:, layout.to_move] = viewers
        side = self._side(viewed)
        places = slice(None) if flat.shape[2] == size and (self._places == np.arange(size)).all() else self._places
        flat[:, :shown, places] = bits[np.arange(count)[:, None], self._pieces[side]]
        for number, (_, plane) in enumerate(self._further(viewed), start=shown):
            flat[:, number, places] = plane
        return flat.reshape(count, *self.shape)

    def _seen(self, states: Words, viewers: Numbers | Sequence[int] | None) -> Words:
        """The positions as those who look see them."""
        game, kernel = self.batch.game, self.batch.kernel
        if game.observer.sees_all:
            return states
        looking = states[:, self._layout.to_move] if viewers is None else viewers
        return self.batch.rows([game.observer.view(kernel.state(row), int(viewer))
                                for row, viewer in zip(states, looking, strict=True)])

    def _side(self, states: Words) -> Numbers:
        """Whose pieces the player to move has."""
        return (states[:, self._layout.to_move] ^ states[:, self._layout.seats]).astype(np.int64)

    def _further(self, states: Any) -> Iterator[tuple[str, Any]]:
        """The planes after those of the pieces: names, and values by game and cell; no values without states."""
        game, layout = self.batch.game, self._layout
        offset = 0
        for number, kind in enumerate(game.rules.variables):
            size = game.engine.evaluator.sizes[number]
            yield from self._variable(kind, offset, size, states)
            offset += size
        for number in range(len(game.board.layers)):
            yield from self._links(number, states)
        for player in range(1, len(game.players)):
            yield (f"the mover's side is {game.players[player]}",
                   None if states is None else (self._side(states) == player)[:, None])
        turns = max((pie.turn + 1 for pie in game.rules.pies), default=0)
        if turns:
            yield "moves made, as far as swapping goes", None if states is None else (
                states[:, layout.turn].astype(np.float32) / turns)[:, None]
        if game.board.points and len(game.board.points) < int(np.prod(self.shape[-2:])):
            yield "cells of the board", None if states is None else np.ones((1, 1), np.float32)

    def _variable(self, kind: hir.VariableKind, offset: int, size: int, states: Any) -> Iterator[tuple[str, Any]]:
        """The planes of a variable: spread over the board where it belongs to cells, rows or columns."""
        game = self.batch.game
        board = game.board
        values: Any = None
        side: Any = None
        if states is not None:
            values = states[:, self._layout.values + offset : self._layout.values + offset + size].astype(np.int64)
            side = self._side(states)
        spread = {"cell": range(board.size), "row": board.row_of, "column": board.column_of}.get(kind.index)
        if spread is not None:
            yield from self._values(kind.name, kind, None if values is None else values[:, list(spread)], side)
            return
        for number in range(size):
            name = f"{kind.name}[{number}]" if kind.index else kind.name
            column: Any = None
            if kind.index == "player":
                name = f"{kind.name} of the {'mover' if number == 0 else f'player {number} on'}"
            if values is not None:
                place = (side + number) % size if kind.index == "player" else np.full(len(values), number)
                column = values[np.arange(len(values)), place][:, None]
            yield from self._values(name, kind, column, side)

    def _values(self, name: str, kind: hir.VariableKind, values: Any, side: Any) -> Iterator[tuple[str, Any]]:
        """Numbers as one plane, from 0 to 1, -1 for none; kinds of things as a plane for each."""
        game, sort = self.batch.game, kind.sort
        missing = self._layout.missing
        if isinstance(sort, Integer):
            span = max(sort.high - sort.low, 1)
            none = next(value for value in missing if value < -1) if kind.or_none else 0
            yield name, None if values is None else np.where(
                (values == none) & kind.or_none, -1, (values - sort.low) / span)
        elif sort == BOOLEAN:
            yield name, None if values is None else values.astype(np.float32)
        elif isinstance(sort, Covered):
            for place in range(sort.digits):
                digit = None if values is None else values >> sort.bits * place & (1 << sort.bits) - 1
                for shown in range(self._pieces.shape[1]):
                    yield f"{name}, piece {place + 1} is of plane {shown}", (
                        None if digit is None else digit == self._pieces[side, shown][:, None])
        elif sort == CELL and not kind.index:
            yield name, None if values is None else values == np.arange(game.board.size)[None]
        elif sort == PLAYER:
            for player in range(len(game.players)):
                yield f"{name} is the {'mover' if player == 0 else f'player {player} on'}", (
                    None if values is None else (values >= 0) & (
                        (values - side[:, None]) % len(game.players) == player))
        else:
            words = {PIECE: game.piece_names, DIRECTION: game.board.directions, CELL: game.board.names}.get(
                sort, sort.values if isinstance(sort, Enumerated) else ())
            for number, word in enumerate(words):
                yield f"{name} is {word}", None if values is None else values == number

    def _links(self, number: int, states: Any) -> Iterator[tuple[str, Any]]:
        """Planes of links: one for each way in which they can go from a cell."""
        layout = self._layout
        many = len(self.batch.game.board.layers[number].pairs)
        bits: Any = None
        if states is not None:
            bits = np.zeros((len(states), many + 1), np.uint8)
            bits[:, :many] = _bits(states, layout.links[number], layout.link_words[number], many)
        for name, there in self._ways_of(number):
            yield name, None if bits is None else np.take(bits, there, axis=1)

    def _ways_of(self, number: int) -> list[tuple[str, Numbers]]:
        """The ways in which a kind of link can go, each with the link of each cell that goes so; one too many: none."""
        if number not in self._ways:
            board = self.batch.game.board
            layer = board.layers[number]
            ways: dict[tuple[int, ...], Numbers] = {}
            for cell, links in sorted(layer.of_cell.items()):
                for rank, (link, other) in enumerate(sorted(links, key=lambda item: item[1])):
                    way = (rank,)
                    if board.points:
                        way = tuple(np.subtract(board.points[other], board.points[cell]).tolist())
                    ways.setdefault(way, np.full(board.size, len(layer.pairs)))[cell] = link
            self._ways[number] = [(f"{layer.name} {' '.join(f'{step:+d}' for step in way)}", there)
                                  for way, there in sorted(ways.items())]
        return self._ways[number]


def _bits(states: Words, start: int, words: int, size: int) -> Bytes:
    """The bits of some words of each row, as an array of 0 and 1."""
    parts = np.ascontiguousarray(states[:, start : start + words]).astype("<u8").view(np.uint8)
    return np.unpackbits(parts, axis=1, bitorder="little")[:, :size]


__all__ = ["Planes"]

"""The information shown beside a board that belongs to no cell: pieces in hand and counters, by player.

Pictures, the page and the terminal's board view all show these blocks; each draws a piece as a piece and a player in
the player's colour. Plain text boards use `board_values.below`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import attrs

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, PIECE, PLAYER, Integer
from interpreter import board_values
from interpreter.site_values import is_places, names_of
from interpreter.unknown import UNKNOWN

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.model.state import State


@attrs.frozen
class Entry:
    """An item of a row: a label, a value, or both, with the piece or player that it shows."""

    label: str = ""
    value: str = ""
    piece: int = 0
    """The kind of piece to show; 0 for none."""
    player: int | None = None
    """The player whose name is the value."""

    @property
    def words(self) -> str:
        """The entry as text."""
        if self.piece and self.value:
            return f"{self.label} ×{self.value}"
        return " ".join(filter(None, (self.label, self.value)))


@attrs.frozen
class Row:
    """A variable's name and entries; without entries it reads `none`."""

    name: str
    entries: tuple[Entry, ...]

    @property
    def words(self) -> str:
        """The row as text."""
        return f"{self.name}: {', '.join(entry.words for entry in self.entries) or 'none'}"


@attrs.frozen
class Block:
    """The rows of a player; of no particular player where that is None."""

    player: int | None
    rows: tuple[Row, ...]


def blocks(game: Game, state: State, *, without: frozenset[str] = frozenset(), drawn: bool = False) -> list[Block]:
    """The blocks beside the board: one for each player with any rows, then one for the rest.

    Variables without information (`none`, or a condition that does not hold) are omitted, and so are those of
    `without`. Where piles are `drawn` with their heights, piles of equal pieces are omitted, as the drawing suffices.
    """
    of_players: dict[int, list[Row]] = {}
    others: list[Row] = []
    for number, kind in hir.drawn_variables(game.rules):
        if kind.index == "cell" or kind.name in without:
            continue
        values = game.variable_values(state, number)
        if is_places(kind):
            others.append(Row(_spaced(kind.name), tuple(Entry(name) for name in names_of(game, kind, values))))
            continue
        for player, row in _rows(game, kind, values, number):
            (others if player is None else of_players.setdefault(player, [])).append(row)
    for line in board_values.piles(game, state):
        name, _, said = line.partition(": ")
        pairs = [item.partition("=") for item in said.split(", ")]
        told = tuple(Entry(cell, pile) for cell, _, pile in pairs if not (drawn and _alike(pile)))
        if told:
            others.append(Row(name, told))
    for line in board_values.seats(game, state):
        name, _, said = line.partition(": ")
        others.append(Row(name, (Entry(said),)))
    result = [Block(player, tuple(of_players[player])) for player in sorted(of_players)]
    return [*result, Block(None, tuple(others))] if others else result


def _rows(game: Game, kind: hir.VariableKind, values: Sequence[int | None],
          number: int) -> Iterator[tuple[int | None, Row]]:
    """The rows of a variable, each with the player that it belongs to, or None."""
    said = [(label, value) for label, value in zip(board_values.labels(game, kind), values, strict=True)]
    if kind.index == "piece" and said[0][1] == game.variable_values(game.engine.start(), number)[0]:
        said[0] = "", None  # 'empty' is a kind of piece only for rules; its value is unchanged
    if kind.index == "player":
        for player, value in enumerate(values):
            if not _silent(kind, value):
                yield player, Row(_spaced(kind.name), (_entry(game, kind, "", value),))
    elif kind.index == "piece" and isinstance(kind.sort, Integer):
        yield from _held(game, kind, said)
    elif kind.indices and kind.sort == PLAYER:
        for player in range(len(game.players)):
            if mine := tuple(Entry(label) for label, value in said if value == player):
                yield player, Row(_spaced(kind.name), mine)
    elif len(kind.indices) == 2 and "player" in kind.indices:
        yield from _by_pairs(game, kind, values)
    else:
        sparse = len(kind.indices) == 2
        shown = [(label, value) for label, value in said
                 if not (board_values.says_nothing(kind, value) if sparse else _silent(kind, value))]
        if shown or sparse:
            yield None, Row(_spaced(kind.name), tuple(_entry(game, kind, label, value) for label, value in shown))


def _by_pairs(game: Game, kind: hir.VariableKind,
              values: Sequence[int | None]) -> Iterator[tuple[int | None, Row]]:
    """The rows of a variable indexed by player and something else: for each player the values with information."""
    one, other = (board_values.labels_of(game, index) for index in kind.indices)
    first = kind.indices[0] == "player"
    for player in range(len(game.players)):
        mine = [(label, values[player * len(other) + place if first else place * len(other) + player])
                for place, label in enumerate(other if first else one)]
        yield player, Row(_spaced(kind.name), tuple(
            _entry(game, kind, label, value) for label, value in mine if not board_values.says_nothing(kind, value)))


def _held(game: Game, kind: hir.VariableKind,
          said: Sequence[tuple[str, int | None]]) -> Iterator[tuple[int | None, Row]]:
    """The rows of numbers by piece, one for each owner; pieces whose number is 0 are omitted."""
    result: dict[int | None, list[Entry]] = {piece.owner: [] for piece in game.rules.pieces[1:]}
    if said[0][1]:
        result.setdefault(None, []).append(Entry("empty", game.shown(kind, said[0][1])))
    for index, (piece, (_, value)) in enumerate(zip(game.rules.pieces, said, strict=True)):
        if index and value:
            result[piece.owner].append(Entry(piece.name, game.shown(kind, value), index))
    for owner, entries in result.items():
        yield owner, Row(_spaced(kind.name), tuple(entries))


def _alike(pile: str) -> bool:
    """Whether a pile, given as glyphs with or without `+` between them, consists of equal pieces."""
    return len(set(pile.split("+") if "+" in pile else pile)) == 1


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _silent(kind: hir.VariableKind, value: int | None) -> bool:
    return value is None or (kind.sort == BOOLEAN and not value)


def _entry(game: Game, kind: hir.VariableKind, label: str, value: int | None) -> Entry:
    """The entry for a value."""
    if value is None or value is UNKNOWN:
        return Entry(label, game.shown(kind, value))
    if kind.sort == PIECE:
        return Entry(label, game.piece_names[value], piece=value) if value else Entry(label, "empty")
    return Entry(label, game.shown(kind, value), player=value if kind.sort == PLAYER else None)

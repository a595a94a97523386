"""Texts of variables: their values on cells, and the lines under the board.

Text boards (`Game.drawing`) and pictures (`interpreter.pictures`) both use them, so that they agree. The text of a cell
is unambiguous: a variable's value is omitted only where it is the default (`none`, or 0, `no`, `empty` of variables
that are never `none`), and of several variables all values are shown, or none is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, PIECE, Integer
from interpreter.model.indices import index_of
from interpreter.site_values import is_places, names_of
from interpreter.unknown import UNKNOWN

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.model.state import State

YES = "*"
"""The text of a condition that holds on a cell."""
ABSENT = "-"
"""The text, among the values of several variables on a cell, of one that is `none` or a condition that does not hold.
"""


def says_nothing(kind: hir.VariableKind, value: int | None) -> bool:
    """Whether a value is the default, which is not shown: `none`, or 0, `no`, `empty` where it is never `none`.
    """
    if value is UNKNOWN:
        return False
    if kind.or_none or not (isinstance(kind.sort, Integer) or kind.sort in (BOOLEAN, PIECE)):
        return value is None
    return value == 0


def of_cells(game: Game, state: State) -> dict[int, str]:
    """The texts of the cell variables, by cell; those of several variables in the order of the file.

    Cells where all values are defaults are omitted.
    """
    kinds = [(number, kind) for number, kind in hir.drawn_variables(game.rules) if kind.index == "cell"]
    columns = [game.variable_values(state, number) for number, _ in kinds]
    result = {}
    for cell, values in enumerate(zip(*columns, strict=True)):
        pairs = [(kind, value) for (_, kind), value in zip(kinds, values, strict=True)]
        if not all(says_nothing(kind, value) for kind, value in pairs):
            result[cell] = ",".join(_on_cell(game, kind, value) for kind, value in pairs)
    return result


def _on_cell(game: Game, kind: hir.VariableKind, value: int | None) -> str:
    """The short text of a value on a cell."""
    if value is None:
        return ABSENT
    if kind.sort == BOOLEAN and not kind.or_none:
        return YES if value else ABSENT
    return game.shown(kind, value)


def in_words(game: Game, state: State) -> dict[int, str]:
    """The pieces under tops, and the values of cell variables, as text by cell, for readers who cannot see the drawing.
    """
    result: dict[int, list[str]] = {}
    lying = game.engine.evaluator.piles
    if lying is not None:
        for cell in heights(game, state):
            names = [game.piece_names[piece] for piece in lying.under(state.values, cell)]
            result[cell] = [f"on {', '.join(names)}"]
    for number, kind in hir.drawn_variables(game.rules):
        if kind.index == "cell":
            for cell, value in enumerate(game.variable_values(state, number)):
                if not says_nothing(kind, value):
                    result.setdefault(cell, []).append(f"{kind.name} {game.shown(kind, value)}")
    return {cell: " ".join(words) for cell, words in result.items()}


def written_on(glyphs: Sequence[str], texts: Mapping[int, str], signs: Sequence[str], empty: str) -> list[str]:
    """The glyphs of all cells, with `texts` appended to those of some cells.

    `signs` are the glyphs of the game's pieces, `empty` that of empty cells. Numbers directly follow a glyph, or
    replace that of an empty cell, where no glyph of the game could be mistaken for a part of them; otherwise the text
    follows a separator.
    """
    used = set("".join(signs))
    separator = next((sign for sign in ":'~^" if sign not in used), ":")
    result = list(glyphs)
    for cell, text in texts.items():
        plain = not set(text) - set("0123456789-,*") and not used & set("0123456789-,*")
        glyph = "" if plain and glyphs[cell] == empty else glyphs[cell]
        result[cell] = glyph + ("" if plain else separator) + text
    return result


def below(game: Game, state: State, *, telling: bool = False) -> Iterator[tuple[hir.VariableKind, str]]:
    """The variables that belong to no cell, each with its line of text: the values with the labels of their indices.

    With `telling`, variables that are `none`, and conditions that do not hold, are omitted.
    """
    for number, kind in hir.drawn_variables(game.rules):
        values = game.variable_values(state, number)
        if kind.index == "cell":
            continue
        if telling and all(value is None or (kind.sort == BOOLEAN and not value) for value in values):
            continue
        if is_places(kind):
            yield kind, f"{kind.name}: {', '.join(names_of(game, kind, values)) or 'none'}"
            continue
        pairs = list(zip(labels(game, kind), values, strict=True))
        if kind.index == "piece" and pairs[0][1] == game.variable_values(game.engine.start(), number)[0]:
            del pairs[0]  # 'empty' is a kind of piece only for rules; its value is unchanged
        if len(kind.indices) == 2:
            pairs = [(label, value) for label, value in pairs if not says_nothing(kind, value)]
            if not pairs:
                yield kind, f"{kind.name}: none"
                continue
        words = [f"{label}=" * bool(label) + _below(game, kind, value) for label, value in pairs]
        yield kind, f"{kind.name}: {', '.join(words)}"


def _below(game: Game, kind: hir.VariableKind, value: int | None) -> str:
    """The text of a value under the board; `empty` for no piece, as the glyph of empty cells would be unclear there."""
    return "empty" if kind.sort == PIECE and value == 0 and value is not UNKNOWN else game.shown(kind, value)


def labels(game: Game, kind: hir.VariableKind) -> Sequence[str]:
    """The labels of a variable's values, one for each combination of indices; one empty text where it has no index."""
    result = [""]
    for index in kind.indices:
        result = [f"{before} {label}".lstrip() for before in result for label in labels_of(game, index)]
    return result


def labels_of(game: Game, index: str) -> Sequence[str]:
    """The labels of the values of an index."""
    return index_of(index, game.rules).labels(game)


def heights(game: Game, state: State) -> dict[int, str]:
    """The number of pieces on each cell that holds more than one, as text."""
    piles = game.engine.evaluator.piles
    if piles is None:
        return {}
    result = {cell: 1 + len(piles.under(state.values, cell)) for cell in range(game.board.size)}
    return {cell: str(height) for cell, height in result.items() if height > 1}


def piles(game: Game, state: State) -> list[str]:
    """The line that lists the piles of more than one piece, each from the lowest piece up; or no line."""
    result = game.engine.evaluator.piles
    if result is None:
        return []
    glyphs = [piece.glyph for piece in game.rules.pieces]
    joint = "+" if any(len(glyph) > 1 for glyph in glyphs[1:]) else ""
    words = [f"{game.board.names[cell]}={joint.join(glyphs[piece] for piece in result.at(state, cell))}"
             for cell in heights(game, state)]
    return [f"piles: {', '.join(words)}"] if words else []


def seats(game: Game, state: State) -> list[str]:
    """The line that says who plays what, where a pie rule exchanged the seats; or no line."""
    if not state.seats:
        return []
    one, other = game.players[:2]
    return [f"seats: {one} in the place of {other}, {other} in the place of {one}"]

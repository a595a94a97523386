"""What a position shows beside its pieces: values of variables on their cells, and lines under the board.

Text boards (`Game.drawing`) and pictures (`interpreter.pictures`) take both from here, so that they say the same. What
a cell shows is unambiguous: a variable's value is left out only where it is the one that says nothing (`none`, or 0,
`no`, `empty` of variables that are never `none`), and of several variables all values are shown, or none is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from dsl import hir
from dsl.resolve.sorts import BOOLEAN, PIECE, Integer
from interpreter.model.indices import index_of
from interpreter.site_values import is_places, names_of

if TYPE_CHECKING:
    from interpreter.game import Game
    from interpreter.model.state import State

YES = "*"
"""How a cell shows a condition that holds there."""
ABSENT = "-"
"""How a cell shows, among the values of several variables, one that is `none` or a condition that does not hold."""


def says_nothing(kind: hir.VariableKind, value: int | None) -> bool:
    """Whether a value goes without saying: `none`, and 0, `no` or `empty` where a variable is never `none`."""
    if kind.or_none or not (isinstance(kind.sort, Integer) or kind.sort in (BOOLEAN, PIECE)):
        return value is None
    return value == 0


def of_cells(game: Game, state: State) -> dict[int, str]:
    """What the variables of cells say, by cell; of several variables their values in the order of the file.

    Cells of which they all say nothing are left out.
    """
    kinds = [(number, kind) for number, kind in enumerate(hir.said_variables(game.rules)) if kind.index == "cell"]
    columns = [game.variable_values(state, number) for number, _ in kinds]
    result = {}
    for cell, values in enumerate(zip(*columns, strict=True)):
        pairs = [(kind, value) for (_, kind), value in zip(kinds, values, strict=True)]
        if not all(says_nothing(kind, value) for kind, value in pairs):
            result[cell] = ",".join(_on_cell(game, kind, value) for kind, value in pairs)
    return result


def _on_cell(game: Game, kind: hir.VariableKind, value: int | None) -> str:
    """One value as a cell shows it: short."""
    if value is None:
        return ABSENT
    if kind.sort == BOOLEAN and not kind.or_none:
        return YES if value else ABSENT
    return game.shown(kind, value)


def in_words(game: Game, state: State) -> dict[int, str]:
    """What lies under tops, and what the variables of cells say, for those that cannot see where a text stands."""
    result: dict[int, list[str]] = {}
    lying = game.engine.evaluator.piles
    if lying is not None:
        for cell in heights(game, state):
            names = [game.piece_names[piece] for piece in lying.under(state.values, cell)]
            result[cell] = [f"on {', '.join(names)}"]
    for number, kind in enumerate(hir.said_variables(game.rules)):
        if kind.index == "cell":
            for cell, value in enumerate(game.variable_values(state, number)):
                if not says_nothing(kind, value):
                    result.setdefault(cell, []).append(f"{kind.name} {game.shown(kind, value)}")
    return {cell: " ".join(words) for cell, words in result.items()}


def written_on(glyphs: Sequence[str], texts: Mapping[int, str], signs: Sequence[str], empty: str) -> list[str]:
    """The glyphs of cells with the texts of some of them.

    `signs` are the glyphs of the game's pieces, `empty` that of empty cells. Numbers follow a glyph at once, or stand
    alone on an empty cell, where no glyph could be taken for a part of them; other texts, or texts beside such glyphs,
    follow a separator.
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
    """The variables that belong to no cell, each with the line that shows it: values with what they belong to.

    With `telling` those are left out that are `none`, and conditions that do not hold.
    """
    for number, kind in enumerate(hir.said_variables(game.rules)):
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
            del pairs[0]  # 'empty' is a kind of piece only for rules; nothing was done with its value
        if len(kind.indices) == 2:
            pairs = [(label, value) for label, value in pairs if not says_nothing(kind, value)]
            if not pairs:
                yield kind, f"{kind.name}: none"
                continue
        words = [f"{label}=" * bool(label) + _below(game, kind, value) for label, value in pairs]
        yield kind, f"{kind.name}: {', '.join(words)}"


def _below(game: Game, kind: hir.VariableKind, value: int | None) -> str:
    """One value under the board; no piece in a word, as the sign of empty cells says nothing there."""
    return "empty" if kind.sort == PIECE and value == 0 else game.shown(kind, value)


def labels(game: Game, kind: hir.VariableKind) -> Sequence[str]:
    """What the values of a variable belong to; one empty text where it has no index."""
    result = [""]
    for index in kind.indices:
        result = [f"{before} {label}".lstrip() for before in result for label in labels_of(game, index)]
    return result


def labels_of(game: Game, index: str) -> Sequence[str]:
    """What the values of an index are called."""
    return index_of(index, game.rules).labels(game)


def heights(game: Game, state: State) -> dict[int, str]:
    """How many pieces lie on each cell that holds more than one."""
    piles = game.engine.evaluator.piles
    if piles is None:
        return {}
    result = {cell: 1 + len(piles.under(state.values, cell)) for cell in range(game.board.size)}
    return {cell: str(height) for cell, height in result.items() if height > 1}


def piles(game: Game, state: State) -> list[str]:
    """What lies on the cells that hold more than one piece, the lowest first: one line, or none."""
    result = game.engine.evaluator.piles
    if result is None:
        return []
    glyphs = [piece.glyph for piece in game.rules.pieces]
    joint = "+" if any(len(glyph) > 1 for glyph in glyphs[1:]) else ""
    words = [f"{game.board.names[cell]}={joint.join(glyphs[piece] for piece in result.at(state, cell))}"
             for cell in heights(game, state)]
    return [f"piles: {', '.join(words)}"] if words else []


def seats(game: Game, state: State) -> list[str]:
    """Who plays what, where a pie rule exchanged the seats: one line, or none."""
    if not state.seats:
        return []
    one, other = game.players[:2]
    return [f"seats: {one} in the place of {other}, {other} in the place of {one}"]

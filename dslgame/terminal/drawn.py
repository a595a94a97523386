"""A board as text with the place of each cell in it, so that cells can be pointed at and coloured."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import attrs

import interpreter.pictures.colours as colours
from interpreter.boards import members
from interpreter.drawing import draw
from interpreter.game import Game
from interpreter.model.state import State
from interpreter.site_values import between, drawn_as_text

_BEGIN, _END = "\ue000", "\ue001"
"""Around a cell in a drawing: private signs that no game writes."""
WIDE = 3
"""Columns of a cell where there is room."""


@attrs.frozen
class Piece:
    """A stretch of a line: its text, and the cell that it shows, or -1."""

    text: str
    cell: int = -1


@attrs.frozen
class Drawn:
    """A board as lines of pieces."""

    lines: tuple[tuple[Piece, ...], ...]

    @property
    def width(self) -> int:
        """Columns of the longest line."""
        return max((sum(len(piece.text) for piece in line) for line in self.lines), default=0)

    def places(self) -> Iterator[tuple[int, int, int, int]]:
        """Each cell with its line, its first column and the column after it."""
        for number, line in enumerate(self.lines):
            column = 0
            for piece in line:
                if piece.cell >= 0:
                    yield piece.cell, number, column, column + len(piece.text)
                column += len(piece.text)

    def cell_at(self, line: int, column: int) -> int | None:
        """The cell at a place, or right beside it; None where there is none."""
        near = [(max(start - column, column - stop + 1, 0) + 2 * abs(line - row), cell)
                for cell, row, start, stop in self.places() if abs(line - row) <= 1]
        distance, cell = min(near, default=(9, -1))
        return cell if distance <= 2 else None

    def next(self, cell: int, down: int, right: int) -> int:
        """The nearest cell in a direction; the same where there is none."""
        places = {found: (row, (start + stop) / 2) for found, row, start, stop in self.places()}
        if cell not in places:
            return next(iter(places), cell)
        row, column = places[cell]
        best, nearest = cell, float("inf")
        for other, (line, middle) in places.items():
            ahead = (line - row) * 2 * down + (middle - column) * right
            aside = abs(middle - column) if down else abs(line - row) * 2
            if ahead > 0 and aside <= 2 * ahead and ahead + 3 * aside < nearest:
                best, nearest = other, ahead + 3 * aside
        return best


def drawn(game: Game, state: State, *, columns: int, rows: int) -> Drawn:
    """A position's board, with wide cells and a line between where so many columns and rows have room for that."""
    signs = rounds(game)
    glyphs = [signs.get(glyph.strip(), glyph.strip()) or " " for glyph in game.glyphs(state)]
    shown = game.surroundings(state)
    widest = max(map(len, glyphs))
    wide = max(WIDE, widest + 2)
    for width, apart in ((wide, True), (wide, False), (widest, False)):
        if apart and game.board.kind.of_paths:
            continue
        found = _drawn(game, state, [_centred(glyph, width) for glyph in glyphs], shown, apart=apart)
        if found.width <= columns and len(found.lines) <= rows:
            break
    lines = [*found.lines, *((Piece(line),) for line in game.below(state))]
    return Drawn(tuple(lines))


def rounds(game: Game) -> dict[str, str]:
    """Signs that look like the pieces, by glyph, where a game has two and both are discs: the lighter is hollow."""
    pieces = game.rules.pieces[1:]
    if len(pieces) != 2 or any(piece.shape != "disc" or piece.sides for piece in pieces):
        return {}
    dark, light = sorted(pieces, key=lambda piece: colours.is_light(colours.of_piece(game.rules, piece)))
    return {dark.glyph: "●", light.glyph: "○"}


def _centred(text: str, width: int) -> str:
    return (" " * ((width - len(text)) // 2) + text).ljust(width)


def _drawn(game: Game, state: State, glyphs: list[str], shown: int | None, *, apart: bool) -> Drawn:
    text = draw(game.board, glyphs, style=lambda cell, glyph: f"{_BEGIN}{cell}:{glyph}{_END}", shown=shown,
                between=partial(between, game, state) if drawn_as_text(game) else None)
    lines: list[tuple[Piece, ...]] = []
    for number, line in enumerate(text.split("\n")):
        if number and apart:
            lines.append(())
        lines.append(tuple(_pieces(line)))
    return Drawn(tuple(lines))


def _pieces(line: str) -> Iterator[Piece]:
    while line:
        label, begin, rest = line.partition(_BEGIN)
        if label:
            yield Piece(label)
        if not begin:
            return
        inside, _, line = rest.partition(_END)
        cell, _, glyph = inside.partition(":")
        yield Piece(glyph, int(cell))


def changed(before: State | None, after: State) -> set[int]:
    """The cells on which something else stands than before."""
    if before is None or len(before.pieces) != len(after.pieces):
        return set()
    found = 0
    for one, other in zip(before.pieces, after.pieces, strict=True):
        found |= one ^ other
    return set(members(found))

"""What stands beside a board in pictures: a line for each player, with hands as pieces, and lines for the rest."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import attrs

import interpreter.pictures.colours as colours
from interpreter.beside import Block, Entry, Row, blocks
from interpreter.model.state import State
from interpreter.pictures.canvas import Canvas, text_width
from interpreter.pictures.lettering import LEAST_WIDTH, SIZE_BELOW, unsaid
from interpreter.pictures.pieces import draw_piece, draw_tile
from interpreter.pictures.sizes import scale_alone

if TYPE_CHECKING:
    from interpreter.game import Game

_SMALL = 0.56
"""How large a piece in a line is, next to one on the board."""
_HIGH = 0.62
"""How far a line is below the one before."""
_SHORT = 40
"""How many characters of texts alone are not broken."""
_APART, _GAP = 0.32, 0.1
"""Between parts of a line, and within one."""


@attrs.frozen
class _Part:
    """A part of a line that is not broken: a player's disc, or a piece, or neither, then a text."""

    text: str
    bold: bool = False
    colour: str = ""
    piece: int = 0

    @property
    def width(self) -> float:
        sign = _SMALL + _GAP if self.piece else 0.3 + _GAP if self.colour else 0.0
        return sign + text_width(self.text, SIZE_BELOW)


def draw_beside(canvas: Canvas, game: Game, state: State) -> None:
    """Draw what belongs to no cell under the board, in as many lines as its width takes."""
    left, _, right, bottom = canvas.bounds
    room, y = max(right - left, LEAST_WIDTH), bottom + 0.5
    for block in blocks(game, state, without=unsaid(game), drawn=True):
        for rows in [block.rows] if block.player is not None else [(row,) for row in block.rows]:
            for line in _broken(list(_parts(game, block, rows)), room):
                _draw_line(canvas, game, line, (left + right) / 2, y)
                y += _HIGH


def _parts(game: Game, block: Block, rows: tuple[Row, ...]) -> Iterator[_Part]:
    if block.player is not None:
        yield _Part(game.players[block.player], True, colours.of_player(game.rules, block.player))
    for row in rows:
        if len(row.words) <= _SHORT and not any(entry.piece or entry.player is not None for entry in row.entries):
            yield _Part(row.words)
            continue
        for index, entry in enumerate(row.entries or (Entry("none"),)):
            name = "" if index else f"{row.name}: "
            if name and entry.piece:
                yield _Part(name.rstrip())
                name = ""
            colour = "" if entry.player is None else colours.of_player(game.rules, entry.player)
            words = f"×{entry.value}" if entry.piece and entry.label and entry.value.isdigit() else entry.words
            comma = "," if index + 1 < len(row.entries) and not entry.piece else ""
            yield _Part(f"{name}{words}{comma}", colour=colour, piece=entry.piece)


def _broken(parts: list[_Part], room: float) -> list[list[_Part]]:
    """Parts in as many lines as the room takes."""
    lines: list[list[_Part]] = [[]]
    for part in parts:
        if lines[-1] and _width([*lines[-1], part]) > room:
            lines.append([])
        lines[-1].append(part)
    return lines


def _width(line: list[_Part]) -> float:
    return sum(part.width for part in line) + _APART * (len(line) - 1)


def _draw_line(canvas: Canvas, game: Game, line: list[_Part], middle: float, y: float) -> None:
    x = middle - _width(line) / 2
    for part in line:
        start = x
        if part.piece:
            with canvas.moved((start + _SMALL / 2, y), (_SMALL, _SMALL)):
                if game.rules.pieces[part.piece].sides:
                    draw_tile(canvas, game, part.piece, (0.0, 0.0))
                else:
                    draw_piece(canvas, game, part.piece, (0.0, 0.0), scale=scale_alone(game, part.piece))
            start += _SMALL + _GAP
        elif part.colour:
            canvas.circle((start + 0.15, y), 0.14, fill=part.colour, stroke=colours.outline(part.colour),
                          stroke_width=0.02)
            start += 0.3 + _GAP
        canvas.text((start, y), part.text, SIZE_BELOW, anchor="start", fill=colours.INK,
                    **({"font_weight": "bold"} if part.bold else {}))
        x += part.width + _APART

"""How pieces look: discs and the other shapes of `show ... drawn`, glyphs, and tiles with curved tracks."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from interpreter.boards import Board
from interpreter.game import Game
from interpreter.pictures import colours
from interpreter.pictures.canvas import Canvas, Place, number
from interpreter.pictures.places import middle, outline

_TILE = "#a4553f"


def draw_piece(canvas: Canvas, game: Game, index: int, at: Place, words: str = "") -> None:
    """A piece on a cell, with a text (such as a number of counters) on it."""
    piece = game.rules.pieces[index]
    colour = colours.of_piece(game.rules, piece)
    if piece.shape == "glyph":
        if not words:
            light = colours.is_light(colour)
            size = 0.78 if len(piece.glyph) == 1 else 0.45
            canvas.text(at, piece.glyph, size, fill=colour, font_weight="bold",
                        stroke="#5b5142" if light else "none", stroke_width=0.03)
            return
        draw_disc(canvas, game, at, colour)
    else:
        _SHAPES[piece.shape](canvas, game, at, colour)
    if not words and piece.shape == "disc" and not _first_of_its_colour(game, index):
        words = piece.glyph.upper()
    size = 0.46 if len(words) < 3 else 0.32
    canvas.text(at, words, size, fill=colours.on(colour), font_weight="bold")


def _first_of_its_colour(game: Game, index: int) -> bool:
    """Whether no piece before this one is drawn as a disc of the same colour; the others show their letter."""
    rules = game.rules
    colour = colours.of_piece(rules, rules.pieces[index])
    return not any(piece.shape == "disc" and colours.of_piece(rules, piece) == colour
                   for piece in rules.pieces[1:index])


# ---- shapes


def draw_disc(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
    """A round piece."""
    canvas.circle(at, 0.37, fill=colour, stroke=colours.outline(colour), stroke_width=0.04)


def _ring(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
    canvas.circle(at, 0.29, fill="none", stroke=colour, stroke_width=0.13)


def _cross(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
    x, y = at
    for way in (1, -1):
        canvas.line((x - 0.27, y - 0.27 * way), (x + 0.27, y + 0.27 * way), stroke=colour, stroke_width=0.13,
                    stroke_linecap="round")


def _dot(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
    canvas.circle(at, 0.16, fill=colour)


def _bar(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
    canvas.line((at[0] - 0.5, at[1]), (at[0] + 0.5, at[1]), stroke=colour, stroke_width=0.16)


def _post(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
    canvas.line((at[0], at[1] - 0.5), (at[0], at[1] + 0.5), stroke=colour, stroke_width=0.16)


def _block(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
    corners = outline(game.board, at, 0.92)
    if corners:
        canvas.polygon(corners, fill=colour, stroke=colours.outline(colour), stroke_width=0.02)
    else:
        draw_disc(canvas, game, at, colour)


def _nothing(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
    pass


_SHAPES: Mapping[str, Callable[[Canvas, Game, Place, str], None]] = {
    "disc": draw_disc, "ring": _ring, "cross": _cross, "dot": _dot, "bar": _bar, "post": _post, "block": _block,
    "nothing": _nothing,
}
"""By the words of `show ... drawn`."""


# ---- tiles


def draw_tile(canvas: Canvas, game: Game, index: int, at: Place) -> None:
    """A tile: each player's track from side to side, curved where the sides are next to each other."""
    board, piece = game.board, game.rules.pieces[index]
    canvas.polygon(outline(board, at, 0.97), fill=_TILE, stroke="#6d3526", stroke_width=0.03)
    for player in range(len(game.players)):
        directions = [board.directions[place] for place, owner in enumerate(piece.sides) if owner == player]
        colour = colours.of_player(game.rules, player)
        for start, end in _pairs(board, directions):
            _track(canvas, board, at, start, end, colour)


def _pairs(board: Board, directions: list[str]) -> list[tuple[str, str]]:
    """The sides that a track joins two by two; one with three ends or more leads from its first to each other."""
    return [(directions[0], other) for other in directions[1:]]


def _track(canvas: Canvas, board: Board, at: Place, start: str, end: str, colour: str) -> None:
    (ax, ay), (bx, by) = middle(board, at, start), middle(board, at, end)
    commands = (f"M{number(ax)} {number(ay)} C{number((ax + 1.2 * at[0]) / 2.2)} {number((ay + 1.2 * at[1]) / 2.2)} "
                f"{number((bx + 1.2 * at[0]) / 2.2)} {number((by + 1.2 * at[1]) / 2.2)} {number(bx)} {number(by)}")
    for width, stroke in ((0.24, colours.outline(colour)), (0.18, colour)):
        canvas.path(commands, [(ax, ay), (bx, by)], fill="none", stroke=stroke, stroke_width=width)

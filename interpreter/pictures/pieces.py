"""How pieces look: discs and the other shapes of `show ... drawn`, glyphs, and tiles with curved tracks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import interpreter.pictures.colours as colours
from dsl import hir
from dsl.resolve.presentation import LETTERED
from interpreter.boards import Board
from interpreter.pictures.canvas import Canvas, Place, number, text_width
from interpreter.pictures.figures import FIGURES, draw_figure, draw_man
from interpreter.pictures.layout import PIECE, STEP, step_of
from interpreter.pictures.places import middle, outline
from interpreter.pictures.sizes import WHOLE, Scale

if TYPE_CHECKING:
    from interpreter.game import Game

_TILE = "#a4553f"
_CORNER = "#fffdf6"
_ON_DISC = 4
"""Longer texts do not stand on a piece: nobody could read them."""
_ACROSS_DISC, _ACROSS_CELL = 0.66, 0.92
"""How wide a text on a disc, and one on a cell, may be."""


def draw_piece(canvas: Canvas, game: Game, index: int, at: Place, words: str = "", scale: Scale = WHOLE) -> None:
    """A piece on a cell, with a text (such as a number of counters) on it; `scale` says how large one with a size is.

    The text stands on the piece where nothing else does; where the piece needs its letter to be told from others, or
    has no room, it stands in a corner of the cell.
    """
    piece = game.rules.pieces[index]
    colour = colours.of_piece(game.rules, piece)
    if piece.size or piece.sized_by:
        _draw_sized(canvas, game, piece, at, scale)
        write_in_corner(canvas, at, " ".join(filter(None, (_letter(game, index), words))))
        return
    if piece.shape == "nothing":
        write_on_cell(canvas, at, words)
        return
    if piece.shape == "glyph":
        size, place = (0.78 if len(piece.glyph) == 1 else 0.45), at
        if words:  # less, and higher, to leave the corner free
            size, place = 0.75 * size, (at[0], at[1] - 0.14)
        canvas.text(place, piece.glyph, size, fill=colour, font_weight="bold",
                    stroke="#5b5142" if colours.is_light(colour) else "none", stroke_width=0.03)
        write_in_corner(canvas, at, words)
        return
    _SHAPES[piece.shape](canvas, game, at, colour)
    letter = _letter(game, index)
    if piece.shape in _WIDE:
        taken = letter or len(words) > _ON_DISC or words.upper() in {kind.glyph.upper() for kind in game.rules.pieces}
        middle, corner = (letter, words) if taken else (words, "")
        size = 0.46 if len(middle) < 3 else _fitting(middle, 0.32, _ACROSS_DISC)
        canvas.text(at, middle, size, fill=colours.on(colour), font_weight="bold")
        write_in_corner(canvas, at, corner)
    else:
        write_in_corner(canvas, at, " ".join(filter(None, (letter, words))))


def _draw_sized(canvas: Canvas, game: Game, piece: hir.PieceKind, at: Place, scale: Scale) -> None:
    """A piece that has a size."""
    colour = colours.of_piece(game.rules, piece)
    with canvas.moved(at, scale):
        if piece.shape == "glyph":
            canvas.text((0.0, 0.0), piece.glyph, 0.9 if len(piece.glyph) == 1 else 0.45, fill=colour,
                        font_weight="bold", stroke="#5b5142" if colours.is_light(colour) else "none",
                        stroke_width=0.03)
        elif piece.shape in _THICK:
            (x, y), style = _THICK[piece.shape], {"stroke": colours.outline(colour), "stroke_width": 0.03, "rx": 0.14}
            canvas.rectangle((-x, -y), (x, y), fill=colour, **style, **canvas.kind("block"))
        else:
            _SHAPES[piece.shape](canvas, game, (0.0, 0.0), colour)


PILE_STEP = 0.11
"""How far a piece of a pile lies above the one under it, at most."""
PILE_LEAN = 0.22
"""How far the top of a pile, and its lowest piece, lie from the middle of their cell together."""


def draw_pile(canvas: Canvas, game: Game, pile: Sequence[int], at: Place, words: str = "",
              scale: Callable[[int], Scale] = lambda index: WHOLE) -> None:
    """A pile, the lowest piece first: each piece a little above the one under it, and how many they are.

    `scale` says how large a kind of piece is.
    Of high piles the edges of covered pieces are thin; of all of them the colours can be seen in their order.
    """
    x, y = at
    step = min(PILE_STEP, PILE_LEAN / (len(pile) - 1))
    low = y + step * (len(pile) - 1) / 2
    for place, index in enumerate(pile):
        draw_in_pile(canvas, game, index, (x, low - step * place), top=place == len(pile) - 1, scale=scale(index))
    write_in_corner(canvas, at, ",".join(filter(None, (str(len(pile)), words))))


def draw_along(canvas: Canvas, game: Game, pile: Sequence[int], places: Sequence[Place], words: str = "",
               scale: Callable[[int], Scale] = lambda index: WHOLE) -> None:
    """A pile laid along a long cell, the lowest piece first, and how many they are where they lie on one another."""
    for index, at in zip(pile, places, strict=True):
        with canvas.moved(at, (PIECE, PIECE)):
            draw_in_pile(canvas, game, index, (0.0, 0.0), top=True, scale=scale(index))
    count = str(len(pile)) if step_of(len(pile)) < STEP else ""
    write_along(canvas, game, pile[-1], places[-1], ",".join(filter(None, (count, words))))


def write_along(canvas: Canvas, game: Game, index: int, at: Place, words: str) -> None:
    """A text on the last piece of a pile that is laid along a cell."""
    piece = game.rules.pieces[index]
    colour = colours.of_piece(game.rules, piece)
    if piece.shape == "disc" and words:
        canvas.text(at, words, 0.46 if len(words) < 3 else _fitting(words, 0.32, _ACROSS_DISC), fill=colours.on(colour),
                    font_weight="bold")
    else:
        write_in_corner(canvas, at, words)


def draw_in_pile(canvas: Canvas, game: Game, index: int, at: Place, *, top: bool, scale: Scale = WHOLE) -> None:
    """A piece of a pile."""
    piece = game.rules.pieces[index]
    colour = colours.of_piece(game.rules, piece)
    if piece.size or piece.sized_by:
        _draw_sized(canvas, game, piece, at, scale)
        return
    if piece.shape in ("glyph", "nothing"):  # a sign alone covers nothing
        draw_disc(canvas, game, at, colour)
    if piece.shape == "glyph" and top:
        canvas.text(at, piece.glyph, 0.46 if len(piece.glyph) == 1 else 0.32, fill=colours.on(colour),
                    font_weight="bold")
    elif piece.shape != "glyph":
        draw_piece(canvas, game, index, at)


def write_on_cell(canvas: Canvas, at: Place, words: str) -> None:
    """A text in the middle of a cell with nothing on it."""
    size = 0.5 if len(words) < 3 else 0.36 if len(words) < 5 else _fitting(words, 0.26, _ACROSS_CELL)
    canvas.text(at, words, size, fill=colours.INK)


def write_in_corner(canvas: Canvas, at: Place, words: str) -> None:
    """A text in the lower right corner of a cell, on a ground of its own, beside what stands in the middle."""
    if not words:
        return
    size = _fitting(words, 0.3, _ACROSS_CELL - 0.16)
    width = max(text_width(words, size) + 0.1, 0.3)
    right, middle = at[0] + _ACROSS_CELL / 2 - 0.03, at[1] + 0.28
    canvas.rectangle((right - width, middle - 0.17), (right, middle + 0.17), fill=_CORNER, stroke=colours.LINES,
                     stroke_width=0.02, rx=0.08)
    canvas.text((right - width / 2, middle), words, size, fill=colours.INK, font_weight="bold")


def _fitting(words: str, size: float, room: float) -> float:
    """The size of a text, smaller where it would be wider than the room that there is."""
    return min(size, size * room / text_width(words, size))


def _letter(game: Game, index: int) -> str:
    """What a piece shows to be told from others that look the same: its glyph, a capital where that will do.

    Of two that look the same the first, as a man beside a king, shows none.
    """
    rules = game.rules
    piece = rules.pieces[index]
    colour = colours.of_piece(rules, piece)
    alike = [number for number, other in enumerate(rules.pieces) if number and number != index
             and other.shape == piece.shape and colours.of_piece(rules, other) == colour
             and (other.size, other.sized_by) == (piece.size, piece.sized_by)]
    if piece.shape != LETTERED and (not alike or (len(alike) == 1 and alike[0] > index)):
        return ""
    capital = piece.glyph.upper()
    return piece.glyph if capital in (rules.pieces[number].glyph.upper() for number in alike) else capital


# ---- shapes


def draw_disc(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
    """A round piece."""
    canvas.circle(at, 0.37, fill=colour, stroke=colours.outline(colour), stroke_width=0.04, **canvas.kind("disc"))


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
        canvas.polygon(corners, fill=colour, stroke=colours.outline(colour), stroke_width=0.02,
                       **canvas.kind("block"))
    else:
        draw_disc(canvas, game, at, colour)


def _man(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
    draw_man(canvas, at, colour, crowned=False)


def _crowned(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
    draw_man(canvas, at, colour, crowned=True)


def _figure(word: str) -> Callable[[Canvas, Game, Place, str], None]:
    def figure(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
        draw_figure(canvas, word, at, colour)

    return figure


def _nothing(canvas: Canvas, game: Game, at: Place, colour: str) -> None:
    pass


_SHAPES: Mapping[str, Callable[[Canvas, Game, Place, str], None]] = {
    "disc": draw_disc, "ring": _ring, "cross": _cross, "dot": _dot, "bar": _bar, "post": _post, "block": _block,
    LETTERED: draw_disc, "nothing": _nothing, "man": _man, "crowned": _crowned,
    **{word: _figure(word) for word in FIGURES},
}
"""By the words of `show ... drawn`."""
_THICK: Mapping[str, Place] = {"bar": (0.48, 0.3), "post": (0.3, 0.48)}
"""Half the width and height of bars and posts that have sizes."""
_WIDE = frozenset({"disc", "block", LETTERED})
"""Shapes that a text can stand on."""


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

"""One position as a picture: `drawing` gives its elements, `svg` a whole document.

Everything is read off the rules: the board's cells, the borders that a player is to join, rows that slide, links in
their owners' colours, tiles with their tracks, and on top of them the pieces (`pieces`) with the numbers that variables
give to cells. What belongs to no cell stands under the board.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal
from weakref import WeakKeyDictionary

import interpreter.pictures.colours as colours
from dsl import hir
from dsl.resolve.presentation import LONG
from dsl.words import WORDS
from interpreter import board_values
from interpreter.boards import Board, members
from interpreter.model.state import State
from interpreter.pictures.canvas import Canvas, Drawing, Place
from interpreter.pictures.courses import draw_bends
from interpreter.pictures.hands import draw_beside
from interpreter.pictures.layout import Layout, layout_of
from interpreter.pictures.lettering import below, label_cells, write_caption
from interpreter.pictures.pieces import draw_along, draw_piece, draw_pile, draw_tile, write_in_corner, write_on_cell
from interpreter.pictures.places import side
from interpreter.pictures.seeds import draw_seeds, sows
from interpreter.pictures.sites import draw_sites
from interpreter.pictures.sizes import scale_at
from interpreter.pictures.sliding import draw_bars

if TYPE_CHECKING:
    from interpreter.game import Game

_THIN = {"stroke": "#7d6640", "stroke_width": 0.035, "stroke_linecap": "round"}
"""The lines between points."""
LAST, FORCED, WON = "#e0007a", "#00897b", "#1a7f37"
"""The marks of the last move, of what it forced, and of the cells that won."""
Beside = Literal["drawn", "lines", "nothing"]
"""How what belongs to no cell is shown."""
Legend = Sequence[tuple[str, str]]
"""Colours (`#rrggbb`), each with what it means."""


def svg(
    game: Game,
    state: State,
    *,
    last: Iterable[int] = (),
    forced: Iterable[int] = (),
    shades: Mapping[int, str] | None = None,
    captions: Mapping[int, str] | None = None,
    legend: Legend = (),
    coordinates: bool = True,
    caption: str = "",
    pixels: float = 40,
) -> str:
    """A position as an SVG document; `pixels` is the distance of neighbouring cells, the rest is as for `drawing`."""
    picture = drawing(game, state, last=last, forced=forced, shades=shades, captions=captions, legend=legend,
                      coordinates=coordinates, caption=caption)
    return picture.document(pixels=pixels, title=f"{game.title}: {caption}" if caption else game.title)


def drawing(
    game: Game,
    state: State,
    *,
    last: Iterable[int] = (),
    forced: Iterable[int] = (),
    shades: Mapping[int, str] | None = None,
    captions: Mapping[int, str] | None = None,
    legend: Legend = (),
    coordinates: bool = True,
    caption: str = "",
    won: Iterable[int] = (),
    parts: bool = False,
    beside: Beside = "drawn",
) -> Drawing:
    """A position as a picture.

    `last` are the cells of the last move, which are marked, `forced` those that it forced (see `marks`); `shades`
    colours cells (`#rrggbb`), `captions` writes a short text on cells, `legend` explains colours beside the board, and
    `caption` stands under it. `won` are cells that won the game. With `parts` a page can tell the parts (see `Canvas`).
    `beside` says how what belongs to no cell is shown: `drawn`, in plain `lines`, or not at all (`nothing`).
    """
    canvas = Canvas(parts=parts)
    shown = _shown(game, state, around=coordinates)
    layout = layout_of(game)
    places = layout.places
    shades, captions = shades or {}, captions or {}
    with canvas.part("bars"):
        bars = draw_bars(canvas, game, state)
    if shades or game.board.unbounded:
        draw_ground(canvas, game, shown, shades, see_through=bars)
    else:
        canvas.paste(_ground(game, parts=parts, see_through=bars))
    with canvas.part("links"):
        _draw_links(canvas, game, state, places)
        draw_sites(canvas, game, state, places)
    _draw_contents(canvas, game, state, shown, captions)
    with canvas.part("marks"):
        draw_marks(canvas, layout, won, WON)
        draw_marks(canvas, layout, last, LAST)
        draw_marks(canvas, layout, forced, FORCED)
    if coordinates:
        with canvas.part("labels"):
            label_cells(canvas, layout, shown)
    _draw_legend(canvas, legend)
    with canvas.part("below"):
        if beside == "lines":
            below(canvas, game, state, caption)
        else:
            if beside == "drawn":
                draw_beside(canvas, game, state)
            write_caption(canvas, caption)
    return canvas.drawing()


def _shown(game: Game, state: State, *, around: bool) -> tuple[int, ...]:
    """The cells to draw: all of them, or on an unbounded board those with something on them, and perhaps around it."""
    board = game.board
    if not board.unbounded:
        return tuple(range(board.size))
    wanted = board.everything & ~state.pieces[0]
    if around or not wanted:
        wanted = game.surroundings(state) or board.everything
    rows = [board.row_of[cell] for cell in members(wanted)]
    columns = [board.column_of[cell] for cell in members(wanted)]
    return tuple(cell for cell in range(board.size) if min(rows) <= board.row_of[cell] <= max(rows)
                 and min(columns) <= board.column_of[cell] <= max(columns))


# ---- the board


_Grounds = dict[tuple[bool, bool], Canvas]
_GROUNDS: WeakKeyDictionary[Game, _Grounds] = WeakKeyDictionary()
"""Boards with nothing on them, which are the same in all positions; drawing one takes longer than all that is on it."""


def _ground(game: Game, *, parts: bool, see_through: bool) -> Canvas:
    """A whole board with nothing on it, drawn once."""
    known = _GROUNDS.setdefault(game, {})
    if (parts, see_through) not in known:
        canvas = Canvas(parts=parts)
        draw_ground(canvas, game, range(game.board.size), {}, see_through=see_through)
        known[parts, see_through] = canvas
    return known[parts, see_through]


def draw_ground(canvas: Canvas, game: Game, shown: Sequence[int], shades: Mapping[int, str], *, see_through: bool,
                ) -> None:
    """The board with nothing on it; `see_through` where rows that slide lie under its cells."""
    layout = layout_of(game)
    with canvas.part("ground"):
        if game.board.kind.outline is None:
            _draw_graph(canvas, game.board, layout.places, shades)
        elif layout.pointed:
            _draw_points(canvas, game.board, layout.places, shades)
        elif layout.long:
            _draw_long(canvas, layout, shades)
        else:
            _draw_cells(canvas, layout, shown, shades, see_through=see_through)
    with canvas.part("goals"):
        if game.board.kind.outline is not None and not layout.long:
            _draw_goals(canvas, game, layout.places)


def _draw_cells(canvas: Canvas, layout: Layout, shown: Sequence[int], shades: Mapping[int, str], *, see_through: bool,
                ) -> None:
    for cell in shown:
        tone = "clear" if see_through else _tone(layout, cell)
        fill = shades.get(cell) or _TONES[tone]
        stroke = "none" if layout.looks[cell] == "nothing" else colours.LINES
        canvas.polygon(layout.outline(cell), fill=fill, stroke=stroke, stroke_width=0.03, **canvas.kind(tone))


def _draw_long(canvas: Canvas, layout: Layout, shades: Mapping[int, str]) -> None:
    """Cells that are long: wedges by turns in two colours, others as trays, on one ground with a frame."""
    cells = range(layout.board.size)
    corners = [corner for cell in cells for corner in layout.outline(cell)]
    low, high = (min(x for x, _ in corners), min(y for _, y in corners)), (max(x for x, _ in corners),
                                                                           max(y for _, y in corners))
    around = [low, (high[0], low[1]), high, (low[0], high[1])]
    canvas.polygon(around, fill=_TONES["plain"], stroke="none", **canvas.kind("bed"))
    for cell in cells:
        look = layout.looks[cell]
        if cell in shades:
            canvas.polygon(layout.outline(cell), fill=shades[cell], stroke="none")
        if look == LONG:
            tone = "even" if _checked(layout.board, cell) == "light" else "odd"
            canvas.polygon(layout.wedge(cell), fill=_LONG[tone], stroke="none", **canvas.kind(tone))
        elif look != "nothing" and cell not in shades:
            canvas.polygon(layout.tray(cell), fill=_LONG["tray"], stroke="none", **canvas.kind("tray"))
    canvas.polygon(around, fill="none", stroke=colours.INK, stroke_width=0.07, **canvas.kind("frame"))


_TONES: Mapping[str, str] = {"clear": "none", "blank": "#ffffff", "light": "#fbf5e8", "dark": "#e3cda4",
                             "plain": colours.BOARD}
"""The colours of cells with nothing on them; pages may have others for the same names."""
_LONG: Mapping[str, str] = {"even": "#d9b98a", "odd": "#a8643c", "tray": "#e0cba3"}
"""The colours of wedges and of what is between them, where cells are long."""


def _tone(layout: Layout, cell: int) -> str:
    """Which colour a cell with nothing on it has."""
    match layout.looks[cell]:
        case "nothing":
            return "blank"
        case "checks":
            return _checked(layout.board, cell)
    return "plain"


def _checked(board: Board, cell: int) -> str:
    """Which of two colours a cell has where they go by turns."""
    return "light" if (board.row_of[cell] + board.column_of[cell]) % 2 != (board.row_count - 1) % 2 else "dark"


def _draw_points(canvas: Canvas, board: Board, places: Sequence[Place], shades: Mapping[int, str]) -> None:
    """Cells as the points where lines meet."""
    canvas.cover(places, 0.5)
    low = min(x for x, _ in places) - 0.5, min(y for _, y in places) - 0.5
    high = max(x for x, _ in places) + 0.5, max(y for _, y in places) + 0.5
    canvas.rectangle(low, high, fill="#ecd3a0")
    # Of tracks the lines are known that pieces go along; on other boards they are all that join neighbours.
    ways = [board.directions.index(name) for name in board.kind.direction_sets.get(board.kind.neighbouring, ())]
    for cell, near in enumerate(board.neighbours):
        joined = {board.steps[cell][way] for way in ways} if board.courses else members(near)
        for other in joined:
            if cell < other:
                canvas.line(places[cell], places[other], **_THIN)
    draw_bends(canvas, board, places, **_THIN)
    for cell, colour in shades.items():
        canvas.circle(places[cell], 0.42, fill=colour)


def _draw_graph(canvas: Canvas, board: Board, places: Sequence[Place], shades: Mapping[int, str]) -> None:
    canvas.cover(places, 0.5)
    for cell, near in enumerate(board.neighbours):
        for other in members(near):
            if cell < other:
                canvas.line(places[cell], places[other], stroke=colours.LINES, stroke_width=0.06)
    for cell, place in enumerate(places):
        canvas.circle(place, 0.38 if cell in shades else board.kind.dot(board),
                      fill=shades.get(cell, colours.BOARD), stroke=colours.LINES, stroke_width=0.04)


def _draw_goals(canvas: Canvas, game: Game, places: Sequence[Place]) -> None:
    """Colour the borders that a player wins by joining."""
    board = game.board
    sides, lines = board.kind.borders, list[tuple[Place, Place, str]]()
    for region, player in goals(game.rules).items():
        for cell in members(board.regions.get(region, 0)):
            for direction in sides.get(region, ()):
                if board.steps[cell][board.directions.index(direction)] < 0:
                    start, end = (_outward(places[cell], corner) for corner in side(board, places[cell], direction))
                    lines.append((start, end, colours.of_player(game.rules, player)))
    for start, end, colour in lines:  # under all of them, so that a border is one line
        if colours.is_light(colour):
            canvas.line(start, end, stroke=colours.outline(colour), stroke_width=0.18, stroke_linecap="round")
    for start, end, colour in lines:
        canvas.line(start, end, stroke=colour, stroke_width=0.14, stroke_linecap="round")


def _outward(centre: Place, corner: Place) -> Place:
    return centre[0] + 1.1 * (corner[0] - centre[0]), centre[1] + 1.1 * (corner[1] - centre[1])


def goals(rules: hir.Rules) -> dict[str, int]:
    """The regions of the board that a single player wins by joining, with that player."""
    claimed: dict[str, set[int]] = {}
    for end in rules.ends:
        if end.kind == "win" and isinstance(end.player, hir.Literal) and end.player.value is not None:
            for part in hir.walk(end.condition.term):
                if isinstance(part, hir.Apply) and WORDS[part.function].joins:
                    for argument in part.arguments[1:]:
                        if isinstance(argument, hir.Region):
                            claimed.setdefault(argument.name, set()).add(end.player.value)
    return {region: next(iter(players)) for region, players in claimed.items() if len(players) == 1}


# ---- what is on it


def _draw_links(canvas: Canvas, game: Game, state: State, places: Sequence[Place]) -> None:
    board = game.board
    for layer, there in zip(board.layers, state.links, strict=True):
        for link in members(there):
            one, other = layer.pairs[link]
            piece = next((index for index, cells in enumerate(state.pieces) if index and cells >> one & 1), 0)
            draw_link(canvas, places[one], places[other], link_colour(game, layer.name, piece))


def link_colour(game: Game, layer: str, piece: int) -> str:
    """The colour of a link of a kind from a cell that a piece stands on (0: none)."""
    own = colours.of_piece(game.rules, game.rules.pieces[piece]) if piece else colours.INK
    return colours.NAMED.get(layer, own)


def draw_link(canvas: Canvas, start: Place, end: Place, colour: str) -> None:
    """A link from a cell to another."""
    canvas.line(start, end, stroke=colour, stroke_width=0.16, stroke_linecap="round")


def _draw_contents(canvas: Canvas, game: Game, state: State, shown: Sequence[int], captions: Mapping[int, str],
                   ) -> None:
    standing = {cell: piece for piece, cells in enumerate(state.pieces) if piece for cell in members(cells)}
    texts, heights = board_values.of_cells(game, state), board_values.heights(game, state)
    piles, sown, layout = game.engine.evaluator.piles, sows(game), layout_of(game)
    for cell in shown:
        piece, place = standing.get(cell, 0), layout.places[cell]
        words = captions.get(cell, texts.get(cell, ""))
        pile = piles.at(state, cell) if piles is not None and cell in heights else (piece,)
        scale = partial(scale_at, game, state, cell=cell)
        with canvas.part("piece", cell=cell, kind=piece) if piece else canvas.part("words"):
            if piece and game.rules.pieces[piece].sides:
                draw_tile(canvas, game, piece, place)
                write_in_corner(canvas, place, words)
            elif piece and layout.long:
                draw_along(canvas, game, pile, layout.along(cell, len(pile)), words, scale)
            elif piece and piles is not None and cell in heights:
                draw_pile(canvas, game, pile, place, words, scale)
            elif piece:
                draw_piece(canvas, game, piece, place, words, scale(piece))
            elif sown and (words.isdigit() or not words):
                draw_seeds(canvas, place, int(words or 0))
            else:
                write_on_cell(canvas, place, words)


def draw_marks(canvas: Canvas, layout: Layout, cells: Iterable[int], colour: str) -> None:
    """Frames around cells, dashed where they were forced; those of cells that won go round the others."""
    dashes = {"stroke_dasharray": "0.12 0.08"} if colour == FORCED else {}
    size, radius, width = (0.98, 0.5, 0.1) if colour == WON else (0.9, 0.46, 0.07)
    for cell in cells:
        corners = layout.outline(cell, size)
        if corners:
            canvas.polygon(corners, fill="none", stroke=colour, stroke_width=width, **dashes)
        else:
            canvas.circle(layout.places[cell], radius, fill="none", stroke=colour, stroke_width=width, **dashes)


def _draw_legend(canvas: Canvas, legend: Legend) -> None:
    """Colours and what they mean, to the right of the board."""
    _, top, right, _ = canvas.bounds
    for row, (colour, words) in enumerate(legend):
        y = top + 0.3 + 0.6 * row
        canvas.rectangle((right + 0.5, y - 0.2), (right + 0.9, y + 0.2), fill=colour, stroke=colours.LINES,
                         stroke_width=0.02)
        canvas.text((right + 1.05, y), words, 0.36, anchor="start", fill=colours.INK)

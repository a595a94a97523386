"""Data for a self-contained HTML file that plays a game: its rules as JavaScript, and its picture in parts.

The rules are compiled by `interpreter.compiler.emit.javascript_game`. The browser composes the picture of a position
from parts that `interpreter.pictures` draws here: the empty board once, and each piece and text at the origin, from
where it is moved to its cell. `alone/painter.js` is the counterpart of this module.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import attrs

from dsl import hir
from dsl.boards.borders import BORDER, VERTEX
from dsl.resolve import presentation
from dsl.resolve.sorts import BOOLEAN, PIECE, Integer, Sort
from dslgame.web import pictures
from dslgame.web.choosing import MOST_ORDERS, choice_label, choice_letter, sorts_of
from interpreter import board_values
from interpreter.compiler.emit.javascript_game import game_module, values_of
from interpreter.compiler.emit.javascript_text import halves
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.notation import whole_choices
from interpreter.model.state import DRAW, State
from interpreter.pictures.board import FORCED, LAST, draw_ground, draw_link, draw_marks, link_colour
from interpreter.pictures.canvas import Canvas
from interpreter.pictures.layout import FIRST, STEP, layout_of
from interpreter.pictures.lettering import LABEL_SIZE, LEAST_WIDTH, LINE, SIZE_BELOW, label_cells
from interpreter.pictures.pieces import (
    PILE_LEAN,
    PILE_STEP,
    draw_along,
    draw_in_pile,
    draw_piece,
    draw_tile,
    write_along,
    write_in_corner,
    write_on_cell,
)
from interpreter.pictures.seeds import MOST_SEEDS, draw_seeds, sows
from interpreter.pictures.sites import draw_site, is_drawn
from interpreter.pictures.sizes import scale_alone, scale_at, scale_of, sizes_of
from interpreter.pictures.sliding import draw_bars, sliding
from interpreter.wording import sentence

Plain = dict[str, Any]
BLANK = "\ue000"
"""A placeholder for each character of a text that the browser fills in: no game uses it, and all characters count as
equally wide."""
MOST_LETTERS = 40
"""The most characters of a text on a cell; longer ones are not drawn."""


class CannotPlayAlone(Exception):
    """A game has something that a self-contained file cannot show; the message says what."""


def packed(game: Game, start: State) -> tuple[Plain, str]:
    """The data that the page needs of a game besides its rules, and its rules as a JavaScript module.

    Raises CannotPlayAlone, NotLowered where the game cannot be compiled to a kernel, and IRError where the kernel has
    something that JavaScript cannot call.
    """
    kernel = Kernel.of(game, native=False)
    layout = kernel.assembled.layout
    repetition = game.repetition
    data: Plain = {
        **facts(game), "repetition": repetition.result, "repetition_at": repetition.at, "no_moves": game.rules.no_moves,
        "valued": False, "aside": sorted(layout.values + place for place in repetition.aside),
        "start": [int(half) for value in layout.row(start) for half in halves(value)],
        "width": layout.position, "seats": layout.seats, "links": list(layout.links),
        "cells": pictures.described(game, start, range(game.board.size)),
        "rules_of_moves": [_rule(game, rule) for rule in game.rules.moves],
        "most_orders": MOST_ORDERS, "picture": picture(game),
    }
    return data, game_module(game, kernel.assembled)


def facts(game: Game) -> Plain:
    """The data of a game that pages show, apart from its positions."""
    return {
        "title": game.title, "params": game.params, "rules": game.rules.source.text, "board": game.board.title,
        "players": pictures.described_players(game), "nobody": sentence(str(game.outcome_name(DRAW))),
        "shape": pictures.cell_shape(game),
        "pieces": [{"name": game.piece_names[index], "picture": pictures.piece_picture(game, index)}
                   for index in range(1, len(game.rules.pieces))],
        "moves": [{"name": rule.name} for rule in game.rules.moves],
    }


def script(module: str) -> str:
    """A game's module as one statement of a script, with its names in a scope of their own: `const kernel = ...`."""
    inner = re.sub(r"^export default .*\n", "", module, flags=re.MULTILINE)
    inner = re.sub(r"^export (?=class|const|function|let)", "", inner, flags=re.MULTILINE)
    # Nothing in a script may look like its end, or like the beginning of a comment of HTML, to a browser.
    inner = inner.replace("</", "<\\/").replace("<!--", "<\\!--")
    return f"const kernel = (() => {{\n{inner}\nreturn game;\n}})();\n"


# ---- moves


def _rule(game: Game, rule: hir.Move) -> Plain:
    """The structure of the paths of a rule's moves: its choices as [kind of choice, number of values], and its
    continuation."""
    choices, onward = whole_choices(rule)
    return {"choices": [[_kind(game, sorts_of(choice)[0]), len(choice.slots)] for choice in choices],
            "onward": None if onward is None else [onward.rule, len(onward.given)]}


def _kind(game: Game, sort: Sort) -> Plain:
    """How choices of a sort are written in paths: the letter, and the label of each value where it has one."""
    letter = choice_letter(game, sort)
    if letter in "cp":
        return {"letter": letter}
    result = values_of(game, sort)
    return {"letter": letter, "low": result.start, "labels": [choice_label(game, sort, value) for value in result]}


# ---- the picture in parts


def picture(game: Game) -> Plain:
    """The picture of a game in parts, which `alone/painter.js` describes."""
    start, layout, board = game.engine.start(), layout_of(game), game.board
    places = layout.places
    whole = Canvas(parts=True)
    bars = draw_bars(whole, game, start)
    under = len(whole.elements)
    if not board.unbounded:
        draw_ground(whole, game, range(board.size), {}, see_through=bars)
    ground = len(whole.elements)
    if not board.unbounded:
        with whole.part("labels"):
            label_cells(whole, layout, range(board.size))
    named = hir.drawn_variables(game.rules)
    of_cells = [_variable(game, kind) for _, kind in named if kind.index == "cell"]
    longest = min(sum(kind["longest"] + 1 for kind in of_cells) - 1, MOST_LETTERS) if of_cells else 0
    drawn, alone = sliding(game), attrs.evolve(layout, places=((0.0, 0.0),))
    return {
        "bounds": None if board.unbounded else [round(value, 3) for value in whole.bounds],
        "window": _window(game) if board.unbounded else None,
        "ground": "\n".join(whole.elements[under:ground]), "labels": "\n".join(whole.elements[ground:]),
        "bars": _bars(game) if bars and drawn is not None else None,
        "places": [[round(x, 3), round(y, 3)] for x, y in places],
        "sites": [_sites(game, kind) for _, kind in named if is_drawn(kind)],
        "links": [_links(game, number) for number in range(len(board.layers))],
        "pieces": [_piece(game, index, longest) for index in range(len(game.rules.pieces))],
        "names": list(game.piece_names), "glyphs": [piece.glyph for piece in game.rules.pieces],
        "sizes": [_sizes(game, index) for index in range(len(game.rules.pieces))],
        "pile": _pile(game, longest), "long": _long(game, longest), "of_cells": of_cells,
        "lines": [_line(game, number, kind) for number, kind in named if kind.index != "cell" and not is_drawn(kind)
                  and (drawn is None or drawn.number != number)],
        "absent": board_values.ABSENT, "size": SIZE_BELOW, "line": LINE, "least": LEAST_WIDTH,
        "last": _element(lambda canvas: draw_marks(canvas, alone, [0], LAST)),
        "forced": _element(lambda canvas: draw_marks(canvas, alone, [0], FORCED)),
    }


def _window(game: Game) -> Plain:
    """The parts of an unbounded board: the element of each cell, the first row and column of its contents, and the
    labels.

    After each move the contents of the board are shifted so that they begin at a fixed row and column. So the shown
    window has the same first row and column in all positions, and each label keeps its place.
    """
    board, layout = game.board, layout_of(game)
    places = layout.places
    at = {(row, column): cell for cell, (row, column) in enumerate(zip(board.row_of, board.column_of, strict=True))}
    origin = board.regions["origin"].bit_length() - 1
    first = board.row_of[origin], board.column_of[origin]

    def ground(cell: int) -> Plain:
        canvas = Canvas(parts=True)
        draw_ground(canvas, game, [cell], {}, see_through=False)
        return _box(canvas)

    def labels(row: int, column: int) -> dict[str, Plain]:
        canvas = Canvas()
        canvas.cover([places[at[first]]], 0.5)
        shown = sorted({at[first], at[row, first[1]], at[first[0], column]})
        label_cells(canvas, layout, shown)
        result: dict[str, Plain] = {}
        for label in board.kind.labels(board, shown, places, places[at[first]][0] - 0.5):
            alone = Canvas()
            alone.text(label.at, label.text, LABEL_SIZE)
            result[canvas.elements[len(result)]] = {**_box(alone), "element": canvas.elements[len(result)]}
        return result

    always = labels(*first)

    def further(row: int, column: int) -> list[Plain]:
        result = labels(row, column)
        if not always.keys() <= result.keys():
            raise CannotPlayAlone("the labels of its board, which has no end, move with what is on it")
        return [label for key, label in result.items() if key not in always]

    rows, columns = range(first[0] + 1, board.row_count), range(first[1] + 1, board.column_count)
    return {"first": list(first), "cells": [ground(cell) for cell in range(board.size)],
            "labels": list(always.values()), "rows": {row: further(row, first[1]) for row in rows},
            "columns": {column: further(first[0], column) for column in columns}}


def _box(canvas: Canvas) -> Plain:
    """The elements of a canvas as one text, and its bounds."""
    return {"element": "\n".join(canvas.elements), "bounds": [round(value, 3) for value in canvas.bounds]}


def _element(draw: Callable[[Canvas], None]) -> str:
    canvas = Canvas(parts=True)
    draw(canvas)
    return "\n".join(canvas.elements)


def _bars(game: Game) -> Plain:
    """Sliding rows: for each value of their variable the bars of all rows, and the frame over them."""
    result = sliding(game)
    assert result is not None
    kind, start = game.rules.variables[result.number], game.engine.start()
    first, size = game.engine.evaluator.offsets[result.number], game.engine.evaluator.sizes[result.number]
    elements: list[str] = []
    by_value = []
    for value in range(result.low, result.high + 1):
        canvas = Canvas()
        draw_bars(canvas, game, start._replace(
            values=(*start.values[:first], *[value] * size, *start.values[first + size :])))
        elements = canvas.elements
        by_value.append(elements[:size])
    return {"variable": kind.name, "low": result.low, "by_value": by_value, "frame": "\n".join(elements[size:])}


def _sites(game: Game, kind: hir.VariableKind) -> Plain:
    """The elements of a variable of borders or vertices, by place and value."""
    places, sites = layout_of(game).places, game.board.sites(kind.index)
    values = values_of(game, kind.sort)
    assert kind.index in (BORDER, VERTEX)

    def site(cell: int, way: int, value: int) -> str:
        return _element(lambda canvas: draw_site(canvas, game, kind, places[cell], way, value))

    return {"variable": kind.name, "low": values.start,
            "elements": [[site(cell, way, value) for value in values] for cell, way in sites.sides]}


def _links(game: Game, number: int) -> Plain:
    """A layer of links: the pair of cells that each joins, the colours by the piece on the first cell, and one drawn
    link."""
    layer = game.board.layers[number]
    return {"pairs": [list(pair) for pair in layer.pairs],
            "colours": [link_colour(game, layer.name, piece) for piece in range(len(game.rules.pieces))],
            "element": _element(lambda canvas: draw_link(canvas, (0.0, 0.0), (1.0, 1.0), BLANK))}


def _piece(game: Game, index: int, longest: int) -> Plain:
    """The elements of a piece (0: none): bare, with a text of each length, and with texts that are drawn
    differently."""
    piece, sown = game.rules.pieces[index], sows(game)

    def standing(words: str) -> str:
        canvas = Canvas(parts=True)
        if index == 0 and sown and words.isdigit():
            draw_seeds(canvas, (0.0, 0.0), int(words))
        elif index == 0:
            write_on_cell(canvas, (0.0, 0.0), words)
        elif piece.sides:
            draw_tile(canvas, game, index, (0.0, 0.0))
            write_in_corner(canvas, (0.0, 0.0), words)
        else:
            draw_piece(canvas, game, index, (0.0, 0.0), words, scale_alone(game, index))
        return "\n".join(canvas.elements)

    # A text that could be mistaken for the sign of a piece is placed differently.
    signs = {sign for other in game.rules.pieces for sign in (other.glyph, other.glyph.upper(), other.glyph.lower())}
    if sown:  # higher numbers look like the last of these, except for the number
        signs = {str(count) for count in range(MOST_SEEDS + 1)}
    return {"bare": standing(""), "lengths": [standing(BLANK * length) for length in range(1, longest + 1)],
            "signs": {sign: standing(sign) for sign in sorted(signs)} if longest and (index or sown) else {}}


def _sizes(game: Game, index: int) -> Plain | None:
    """The SVG scales of a piece whose size depends on its cell: by cell, or by the value of a variable; else None."""
    sizes, piece = sizes_of(game, index), game.rules.pieces[index]
    if sizes is None or not sizes.by:
        return None
    if sizes.by in presentation.SIZES:
        scales = [scale_at(game, game.engine.start(), index, cell) for cell in range(game.board.size)]
        return {"variable": None, "low": 0, "scales": ["{:g} {:g}".format(*scale) for scale in scales]}
    values = range(sizes.least, sizes.most + 1)
    return {"variable": sizes.by, "low": sizes.least,
            "scales": ["{:g} {:g}".format(*scale_of(piece, sizes, value)) for value in values]}


def _pile(game: Game, longest: int) -> Plain | None:
    """The elements of piles: pieces covered and on top, the corner text by its length, and the offsets of pieces."""
    if game.engine.evaluator.piles is None:
        return None
    pieces = range(1, len(game.rules.pieces))
    middle = (0.0, 0.0)

    def standing(index: int, *, top: bool) -> str:
        return _element(lambda canvas: draw_in_pile(canvas, game, index, middle, top=top,
                                                    scale=scale_alone(game, index)))

    def corner(length: int) -> str:
        return _element(lambda canvas: write_in_corner(canvas, middle, BLANK * length))

    return {"covered": ["", *(standing(index, top=False) for index in pieces)],
            "top": ["", *(standing(index, top=True) for index in pieces)], "step": PILE_STEP, "lean": PILE_LEAN,
            "corner": [corner(length) for length in range(1, longest + 5)]}


def _long(game: Game, longest: int) -> Plain | None:
    """How pieces are laid out along long cells: direction, distances, the element of each piece, and the text on the
    last.

    The text is indexed by the piece and its length. None where cells are not long.
    """
    layout = layout_of(game)
    if not layout.long:
        return None
    pieces = range(1, len(game.rules.pieces))

    def standing(index: int) -> str:
        return _element(lambda canvas: draw_along(canvas, game, [index], [(0.0, 0.0)]))

    def text(index: int, length: int) -> str:
        return _element(lambda canvas: write_along(canvas, game, index, (0.0, 0.0), BLANK * length))

    return {"towards": [layout.towards(cell) for cell in range(game.board.size)], "border": FIRST, "step": STEP,
            "pieces": ["", *map(standing, pieces)],
            "texts": [[], *([text(index, length) for length in range(1, longest + 5)] for index in pieces)]}


# ---- variables


def _variable(game: Game, kind: hir.VariableKind) -> Plain:
    """How the values of a variable are written, and which one is left unwritten."""
    texts, low = _texts(game, kind)
    values = kind.sort
    longest = max([len(text) for text in texts] if texts is not None else
                  [len(str(value)) for value in (values.low, values.high)] if isinstance(values, Integer) else [1])
    return {"name": kind.name, "quiet": 0 if board_values.says_nothing(kind, 0) else None, "low": low, "texts": texts,
            "longest": max(longest, len(board_values.ABSENT)),
            "short": [board_values.ABSENT, board_values.YES] if kind.sort == BOOLEAN and not kind.or_none else None}


def _texts(game: Game, kind: hir.VariableKind) -> tuple[list[str] | None, int]:
    """The texts of a variable's values (None where these are numbers), and the least value."""
    if isinstance(kind.sort, Integer):
        return None, 0
    result = values_of(game, kind.sort)
    return [game.shown(kind, value) for value in result], result.start


def _line(game: Game, number: int, kind: hir.VariableKind) -> Plain:
    """A variable that belongs to no cell, as a line under the board."""
    texts, low = _texts(game, kind)
    first = game.variable_values(game.engine.start(), number)
    if texts is not None and kind.sort == PIECE:
        texts = ["empty", *texts[1:]]
    return {"name": kind.name, "labels": list(board_values.labels(game, kind)), "texts": texts, "low": low,
            "boolean": kind.sort == BOOLEAN, "none": game.shown(kind, None),
            "empty": ["null" if first[0] is None else str(first[0])] if kind.index == "piece" else None,
            "sparse": len(kind.indices) == 2,
            "quiet": 0 if board_values.says_nothing(kind, 0) else None}

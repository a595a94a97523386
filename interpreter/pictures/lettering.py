"""Texts around a board: coordinates, the values of variables that belong to no cell, a caption."""

from __future__ import annotations

import math
from collections.abc import Sequence

from dsl import meaning
from dsl.sorts import BOOLEAN
from interpreter.boards import Board, column_label, row_label
from interpreter.game import Game
from interpreter.pictures import colours
from interpreter.pictures.canvas import Canvas, Place
from interpreter.pictures.places import is_on_grid
from interpreter.pictures.sliding import sliding
from interpreter.state import State

_SIZE = 0.34


def label_cells(canvas: Canvas, board: Board, shown: Sequence[int], places: Sequence[Place]) -> None:
    """Coordinates: beside rows and columns where they have names of their own, else each cell's name at the cell."""
    if board.kind == "graph":
        _label_graph(canvas, board, places)
    elif board.kind == "hexagon":
        _label_hexagon(canvas, board)
    else:
        _label_lattice(canvas, board, shown, places)


def _write(canvas: Canvas, at: Place, words: str) -> None:
    canvas.text(at, words, _SIZE, fill=colours.FAINT)


def _label_lattice(canvas: Canvas, board: Board, shown: Sequence[int], places: Sequence[Place]) -> None:
    rows = sorted({board.row_of[cell] for cell in shown})
    columns = sorted({board.column_of[cell] for cell in shown})
    slant, height = (0.5, 0.75**0.5) if board.kind == "rhombus" else (0.0, 1.0)
    left, _, _, _ = canvas.bounds
    for row in rows:
        first = slant * row + columns[0] if board.kind == "rhombus" else left + 0.5
        _write(canvas, (first - 0.85, height * row), row_label(board, row))
    below = board.coordinates is not None and board.coordinates.row.up
    beyond = rows[-1] + 0.95 if below else rows[0] - 0.95
    for column in columns:
        _write(canvas, (slant * beyond + column, height * beyond), column_label(board, column))


def _label_hexagon(canvas: Canvas, board: Board) -> None:
    """Columns above (or below) their first cell, rows where their bent line begins, as the text drawing has them."""
    coordinates = board.coordinates
    assert coordinates is not None, "only graphs go without"
    middle = board.shape[0] - 1
    width = 0.75**0.5

    def flipped(y: float) -> float:
        return 2 * middle - y if coordinates.row.up else y

    for column in range(board.column_count):
        above = abs(column - middle) / 2 - 0.85
        _write(canvas, (width * column, flipped(above)), column_label(board, column))
    for line in range(board.row_count):
        index = board.row_count - 1 - line if coordinates.row.up else line
        first = max(0, line - middle)
        beside = line + abs(first - middle) / 2 + 0.4
        _write(canvas, (width * (first - 1) + 0.15, flipped(beside)), coordinates.row.text(index, board.row_count))


def _label_graph(canvas: Canvas, board: Board, places: Sequence[Place]) -> None:
    if is_on_grid(board):
        left, bottom = min(x for x, _ in places) - 0.85, max(y for _, y in places) + 0.85
        for x, name in sorted({(place[0], name[0]) for place, name in zip(places, board.names, strict=True)}):
            _write(canvas, (x, bottom), name)
        for y, name in sorted({(place[1], name[1:]) for place, name in zip(places, board.names, strict=True)}):
            _write(canvas, (left, y), name)
        return
    if not any(board.neighbours):
        for place, name in zip(places, board.names, strict=True):
            _write(canvas, (place[0], place[1] + 0.62), name)
        return
    middle = [sum(values) / board.size for values in zip(*places, strict=True)]
    for place, name in zip(places, board.names, strict=True):
        across, down = place[0] - middle[0], place[1] - middle[1]
        far = math.hypot(across, down)
        if far < 0.1:
            _write(canvas, (place[0] + 0.35, place[1] + 0.58), name)
        else:
            _write(canvas, (place[0] + 0.66 * across / far, place[1] + 0.66 * down / far), name)


def below(canvas: Canvas, game: Game, state: State, caption: str) -> None:
    """What belongs to no cell, one line each, then the caption."""
    lines = [*_variables(game, state), *_seats(game, state)]
    left, _, right, bottom = canvas.bounds
    middle = (left + right) / 2
    y = bottom + 0.45
    for words in lines:
        canvas.text((middle, y), words, 0.36, fill=colours.INK)
        y += 0.5
    if caption:
        canvas.text((middle, y + 0.05), caption, 0.42, fill=colours.INK, font_weight="bold")


def _variables(game: Game, state: State) -> list[str]:
    drawn = sliding(game)
    lines = []
    for number, kind in enumerate(game.rules.variables):
        values = game.variable_values(state, number)
        if kind.index == "cell" or (drawn is not None and drawn.number == number):
            continue
        if all(value is None or (kind.sort == BOOLEAN and not value) for value in values):
            continue
        labels = _labels(game, kind)
        shown = [game.shown(kind, value) for value in values]
        words = ", ".join(f"{label} {value}" if label else value for label, value in zip(labels, shown, strict=True))
        lines.append(f"{kind.name}: {words}")
    return lines


def _labels(game: Game, kind: meaning.VariableKind) -> Sequence[str]:
    """What the values of a variable belong to."""
    board = game.board
    match kind.index:
        case "":
            return [""]
        case "player":
            return game.players
        case "row":
            return [row_label(board, row) for row in range(board.row_count)]
        case "column":
            return [column_label(board, column) for column in range(board.column_count)]
        case "piece":
            return ["empty", *game.piece_names[1:]]
        case "direction":
            return board.directions
    return next(item.values for item in game.rules.enumerations if item.name == kind.index)


def _seats(game: Game, state: State) -> list[str]:
    one, other = game.players[:2] if state.seats else ("", "")
    return [f"seats: {one} plays what was {other}'s, {other} what was {one}'s"] if state.seats else []

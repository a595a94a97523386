"""Pictures for the page as SVG elements: pieces, the board of a position, and the steps of a move.

The drawings of `interpreter.pictures` become plain values here: the elements as text, and their bounding box. Cells
come with their places, so that the page can lay clickable areas over them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from dsl import hir
from interpreter import board_values
from interpreter.beside import blocks
from interpreter.boards import members
from interpreter.game import Game, Position
from interpreter.model.state import Move, State
from interpreter.pictures import Drawing, drawing
from interpreter.pictures.board import Beside
from interpreter.pictures.canvas import Canvas
from interpreter.pictures.layout import layout_of
from interpreter.pictures.lettering import unsaid
from interpreter.pictures.marks import marks_of
from interpreter.pictures.motion import moved, moves_sets
from interpreter.pictures.pieces import draw_piece, draw_tile
from interpreter.pictures.sizes import scale_alone
from interpreter.pictures.winning import winning_cells

Plain = dict[str, Any]
MOST_FRAMES = 60
"""The most steps of a move that are shown one by one; of longer cascades some are left out."""


def boxed(picture: Drawing, margin: float = 0.15) -> Plain:
    """A drawing as plain values, with a margin around it."""
    box = (picture.left - margin, picture.top - margin, picture.width + 2 * margin, picture.height + 2 * margin)
    return {"body": picture.body, "box": [round(number, 3) for number in box]}


def piece_picture(game: Game, index: int) -> Plain:
    """The picture of a single piece."""
    canvas = Canvas()
    if game.rules.pieces[index].sides:
        draw_tile(canvas, game, index, (0.0, 0.0))
    else:
        draw_piece(canvas, game, index, (0.0, 0.0), scale=scale_alone(game, index))
    canvas.cover([(0.0, 0.0)], 0.5)
    return boxed(canvas.drawing(), 0.05)


def board_picture(game: Game, state: State, before: State | None = None, move: Move | None = None,
                  beside: Beside = "lines") -> Plain:
    """The board of a state; given `before` and `move`, with the last move and the winning cells marked."""
    if before is None or move is None:
        return boxed(drawing(game, state, parts=True, beside=beside))
    marks = marks_of(game, before, move)
    won = winning_cells(game, before, state) if move.rule >= 0 else frozenset()
    return boxed(drawing(game, state, last=sorted(marks.last), forced=sorted(marks.forced), won=sorted(won),
                         parts=True, beside=beside))


def beside(game: Game, state: State) -> list[Plain]:
    """The rows of what belongs to no cell: a block for each player that has some, then one for the rest."""
    return [{"player": block.player,
             "rows": [{"name": row.name, "entries": [attrs.asdict(entry) for entry in row.entries]}
                      for row in block.rows]} for block in blocks(game, state, without=unsaid(game), drawn=True)]


def cells(game: Game, state: State) -> list[list[Any]]:
    """The cells that are shown, as `described`; of an unbounded board those around its contents."""
    board, shown = game.board, range(game.board.size)
    if board.unbounded:
        around = game.surroundings(state) or board.everything
        rows = [board.row_of[cell] for cell in members(around)]
        columns = [board.column_of[cell] for cell in members(around)]
        wanted = [cell for cell in shown if min(rows) <= board.row_of[cell] <= max(rows)
                  and min(columns) <= board.column_of[cell] <= max(columns)]
    else:
        wanted = list(shown)
    return described(game, state, wanted)


def described(game: Game, state: State, wanted: Iterable[int]) -> list[list[Any]]:
    """For each of some cells its number, name, place (x, y), contents in words, and on boards with rows its row and
    column."""
    board, places = game.board, layout_of(game).places
    standing = {cell: game.piece_names[piece] for piece, there in enumerate(state.pieces) if piece
                for cell in members(there)}
    values = board_values.in_words(game, state)
    return [[cell, board.names[cell], round(places[cell][0], 3), round(places[cell][1], 3),
             " ".join(filter(None, [standing.get(cell, ""), values.get(cell, "")])),
             *([board.row_of[cell], board.column_of[cell]] if board.row_of else [])] for cell in wanted]


def says_nothing(game: Game) -> bool:
    """Whether a board is a mere dummy: a single cell, on which nothing ever stands."""
    rules = game.rules
    return game.board.size == 1 and not game.board.unbounded and len(rules.pieces) == 1 and \
        not any(kind.index == "cell" for _, kind in hir.drawn_variables(rules))


def cell_shape(game: Game) -> list[list[float]]:
    """The corners of a cell relative to its centre; empty where cells are points."""
    layout = attrs.evolve(layout_of(game), places=((0.0, 0.0),))
    return [[round(x, 3), round(y, 3)] for x, y in layout.outline(0)]


def frames(position: Position, move: Move) -> tuple[list[Plain], int]:
    """The effects of a move step by step, the picture after its own effects and after each forced rule, and the number
    of forced steps.

    Each frame has the rule's name and line. There are none where nothing is forced. Of many steps some are left out.
    """
    from interpreter.semantics.forced import Applied

    game, applied = position.game, list[Applied]()
    game.engine.watch(position.state, move, applied)
    if not applied:
        return [], 0
    rule = game.rules.moves[move.rule]
    own = slid(game, position.state, move)
    first = boxed(drawing(game, applied[0].origin, parts=True, beside="nothing"))
    found = [{"rule": rule.name, "line": rule.span.line, "picture": first,
              "beside": beside(game, applied[0].origin), "slid": own}]
    every = max(1, -(-len(applied) // MOST_FRAMES))
    for number, step in enumerate(applied, start=1):
        if number % every and number != len(applied):
            continue
        changed: set[int] = set()
        for one, other in zip(step.before, step.after, strict=True):
            changed |= set(members(one ^ other))
        picture = boxed(drawing(game, step.result, forced=sorted(changed), parts=True, beside="nothing"))
        found.append({"rule": step.rule.name, "line": step.rule.span.line, "picture": picture,
                      "beside": beside(game, step.result), "slid": []})
    return found, len(applied)


def slid(game: Game, before: State, move: Move) -> list[list[int]]:
    """The pieces that a move moves, as [from, to] (-1: off the board), where the page cannot tell that from two
    pictures."""
    if not moves_sets(game):
        return []
    return [[origin, at] for origin, at in sorted(moved(game, before, move).items()) if origin != at]


def described_players(game: Game) -> list[Plain]:
    """For each player the name, the colour, the `side` by which results name the player or its team, and the name of
    the winner when that side wins."""
    return [{"name": name, "colour": player_colour(game, number), "side": side, "winner": game.outcome_name(side)}
            for number, (name, side) in enumerate(zip(game.players, game.sides, strict=True))]


def player_colour(game: Game, player: int) -> str:
    """A player's colour, `#rrggbb`."""
    from interpreter.pictures import colours

    return colours.of_player(game.rules, player)

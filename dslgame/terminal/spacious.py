"""The large form of a board on the terminal: cells two lines high with their outlines, lines between points, links.

Squares form a grid; hexagons, pointed or flat, are staggered and have slanted edges. Borders that a player has to join
are in that player's colour, walls are heavy, and tiles show their tracks. Characters are placed by (line, column); the
centres of neighbouring cells are some columns and two lines apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

import attrs

import interpreter.pictures.colours as colours
from dsl.boards import outlines
from dsl.boards.borders import BORDER
from dslgame.terminal.sheet import Drawn, Piece
from interpreter.boards import Board, members
from interpreter.game import Game
from interpreter.model.state import State
from interpreter.pictures.board import goals, link_colour
from interpreter.pictures.layout import layout_of
from interpreter.pictures.places import places_of
from interpreter.site_values import holding

Spot = tuple[int, int]
"""A line and a column."""
Edge = Sequence[tuple[int, int, str]]
"""The characters of an edge, each with its offset in lines and columns from a cell's first character."""
WALL = "#ffd866"
"""The colour of walls."""
_JOINTS = " ╵╶└╷│┌├╴┘─┴┐┤┬┼"
"""Box-drawing characters, indexed by the directions of their arms: north (1), east (2), south (4) and west (8)."""
_HEAVY = {"─": "━", "│": "┃"}
_ARMS = ((-1, 0, 1), (0, 1, 2), (1, 0, 4), (0, -1, 8))
_TRACKS = {frozenset(way.split()): sign for way, sign in (
    ("north south", "│"), ("east west", "─"), ("north east", "╰"), ("north west", "╯"), ("south east", "╭"),
    ("south west", "╮"))}


@attrs.frozen
class _Form:
    """The geometry of cells of an outline: the distances between them, their width, and their edges by direction."""

    across: float
    """Columns per unit of horizontal distance."""
    down: float
    """Lines per unit of vertical distance."""
    width: int
    """The width of a cell's text in columns."""
    edges: Mapping[str, Edge]

    def spot(self, place: tuple[float, float]) -> Spot:
        """The line and column at which the text of a cell with its centre at `place` begins."""
        return round(self.down * place[1]), round(self.across * place[0])


def spacious(game: Game, state: State, texts: Sequence[str], shown: Sequence[int]) -> Drawn | None:
    """The large form of a board; None where it can only be drawn as plain text. `texts` are indexed by cell."""
    board = game.board
    if board.kind.of_paths or board.kind.outline is None:
        return None
    pointed = layout_of(game).pointed or bool(board.layers)
    form = _form(board, max(map(len, texts)))
    if form is None:
        return None
    sheet = _Sheet(form, {cell: form.spot(place) for cell, place in enumerate(places_of(board)) if cell in set(shown)})
    if pointed:
        if not board.layers:
            _draw_lines(sheet, board)
    else:
        _draw_outlines(sheet, game, state)
    _draw_goals(sheet, game)
    for layer, there in zip(board.layers, state.links, strict=True):
        for link in members(there):
            one, other = layer.pairs[link]
            piece = next((kind for kind, cells in enumerate(state.pieces) if kind and cells >> one & 1), 0)
            sheet.line(one, other, link_colour(game, layer.name, piece))
    _label(sheet, board, shown)
    return sheet.drawn(_contents(game, state, texts, shown, form.width))


def _form(board: Board, wide: int) -> _Form | None:
    """The form of a board's cells for texts of `wide` columns, an odd number; None where there is none."""
    if board.kind.outline is outlines.SQUARE:
        return _Form(max(4, wide + 1), 2, wide, {
            "north": [(-1, k, "─") for k in range(wide)], "south": [(1, k, "─") for k in range(wide)],
            "west": [(0, -1, "│")], "east": [(0, wide, "│")]})
    wide = max(wide, 3)
    if board.kind.outline is outlines.POINTED and wide <= 7:
        wide = 3 if wide == 3 else 7  # else edges of neighbours would not meet
        low, high = (wide - 3) // 4, wide - 1 - (wide - 3) // 4
        return _Form(wide + 1, 4 / 3**0.5, wide, {
            "west": [(0, -1, "│")], "east": [(0, wide, "│")], "northwest": [(-1, low, "╱")],
            "northeast": [(-1, high, "╲")], "southwest": [(1, low, "╲")], "southeast": [(1, high, "╱")]})
    if board.kind.outline is outlines.FLAT:
        return _Form((wide + 1) * 2 / 3**0.5, 2, wide, {
            "north": [(-1, k, "_") for k in range(wide)], "south": [(1, k, "_") for k in range(wide)],
            "northwest": [(0, -1, "╱")], "northeast": [(0, wide, "╲")],
            "southwest": [(1, -1, "╲")], "southeast": [(1, wide, "╱")]})
    return None


class _Sheet:
    """A canvas of coloured characters, in which the texts of cells have reserved spots."""

    def __init__(self, form: _Form, spots: Mapping[int, Spot]) -> None:
        self.form, self.spots = form, spots
        self.signs: dict[Spot, tuple[str, str]] = {}
        self.taken = {(line, column + k) for line, column in spots.values() for k in range(form.width)}

    def put(self, spot: Spot, sign: str, colour: str = "", *, over: bool = True) -> None:
        """Put a character at a spot outside of cells' texts; with `over` false only where there is none yet."""
        if spot not in self.taken and (over or spot not in self.signs):
            self.signs[spot] = sign, colour

    def edge(self, cell: int, direction: str, colour: str = "", *, heavy: bool = False) -> None:
        """Draw the edge of a cell in a direction."""
        line, column = self.spots[cell]
        for down, right, sign in self.form.edges.get(direction, ()):
            self.put((line + down, column + right), _HEAVY.get(sign, sign) if heavy else sign, colour,
                     over=bool(colour) or heavy)

    def line(self, one: int, other: int, colour: str = "") -> None:
        """Draw a line between two cells."""
        middle = self.form.width // 2
        (top, left), (bottom, right) = sorted((self.spots[one], self.spots[other]))
        left, right = left + middle, right + middle
        steps = max(bottom - top, abs(right - left))
        result = [(round(top + (bottom - top) * step / steps), round(left + (right - left) * step / steps))
                  for step in range(steps + 1)]
        for (line, column), after in pairwise(result):
            slanted = "╲" if right > left else "╱"
            sign = "─" if after[0] == line else "│" if after[1] == column else slanted
            self.put(after, "╳" if {sign, self.signs.get(after, ("",))[0]} == {"╲", "╱"} else sign, colour)

    def drawn(self, contents: Mapping[int, Sequence[Piece]]) -> Drawn:
        """The canvas with the contents of cells, as lines of pieces."""
        parts: dict[Spot, Piece] = {spot: Piece(sign, colour=colour) for spot, (sign, colour) in self.signs.items()}
        for cell, pieces in contents.items():
            line, column = self.spots[cell]
            for piece in pieces:
                parts[line, column] = piece
                column += len(piece.text)
        left = min(column for _, column in parts)
        lines = []
        for line in range(min(line for line, _ in parts), max(line for line, _ in parts) + 1):
            lines.append(tuple(_joined(sorted((column, piece) for (at, column), piece in parts.items()
                                              if at == line), left)))
        return Drawn(tuple(lines))


def _joined(result: Sequence[tuple[int, Piece]], end: int) -> Iterator[Piece]:
    """The pieces of a line with the gaps between them; adjacent characters of the same colour that belong to no cell
    are merged."""
    text, colour = "", ""
    for column, piece in result:
        if text and (piece.cell >= 0 or piece.colour != colour or column > end):
            yield Piece(text, colour=colour)
            text = ""
        if column > end:
            yield Piece(" " * (column - end))
        if piece.cell >= 0:
            yield piece
        else:
            text, colour = text + piece.text, piece.colour
        end = column + len(piece.text)
    if text:
        yield Piece(text, colour=colour)


def _draw_outlines(sheet: _Sheet, game: Game, state: State) -> None:
    """Draw the edges of all cells; on squares also their corners, and the walls between them."""
    board = game.board
    for cell in sheet.spots:
        for direction in sheet.form.edges:
            sheet.edge(cell, direction)
    if board.kind.outline is outlines.SQUARE:
        _join(sheet)
        for number in holding(game, state, BORDER):
            cell, way = board.sites(BORDER).sides[number]
            if cell in sheet.spots:
                sheet.edge(cell, board.directions[way], WALL, heavy=True)


def _join(sheet: _Sheet) -> None:
    """Draw the corners of squares."""
    for line, column in sheet.spots.values():
        for spot in ((line + down, column + right) for down in (-1, 1) for right in (-1, sheet.form.width)):
            lines = sum(arm for down, right, arm in _ARMS if (spot[0] + down, spot[1] + right) in sheet.signs
                        and sheet.signs[spot[0] + down, spot[1] + right][0] == ("│" if down else "─"))
            if lines:
                sheet.put(spot, _JOINTS[lines])


def _draw_lines(sheet: _Sheet, board: Board) -> None:
    """Draw lines between neighbouring points; on boards with tracks, along the tracks."""
    ways = [board.directions.index(name) for name in board.kind.direction_sets.get(board.kind.neighbouring, ())]
    for cell, near in enumerate(board.neighbours):
        for other in {board.steps[cell][way] for way in ways} if board.courses else members(near):
            if cell < other and cell in sheet.spots and other in sheet.spots:
                sheet.line(cell, other)


def _draw_goals(sheet: _Sheet, game: Game) -> None:
    """Draw the borders that a player wins by joining, in that player's colour."""
    board = game.board
    for region, player in goals(game.rules).items():
        colour = colours.of_player(game.rules, player)
        for cell in members(board.regions.get(region, 0)):
            for direction in board.kind.borders.get(region, ()):
                if cell in sheet.spots and board.steps[cell][board.directions.index(direction)] < 0:
                    sheet.edge(cell, direction, colour, heavy=True)


def _label(sheet: _Sheet, board: Board, shown: Sequence[int]) -> None:
    """Write the coordinates, as near to their places in the pictures as there is room."""
    form, places = sheet.form, places_of(board)
    left = min(places[cell][0] for cell in shown) - 0.5
    for label in board.kind.labels(board, shown, places, left):
        line, start = form.spot(label.at)
        column = start + (form.width - len(label.text)) // 2
        while any((line, column + k) in sheet.signs or (line, column + k) in sheet.taken
                  for k in range(-1, len(label.text) + 1)) and column > -1000:
            column -= 1
        for k, sign in enumerate(label.text):
            sheet.put((line, column + k), sign)


def _contents(game: Game, state: State, texts: Sequence[str], shown: Sequence[int],
              width: int) -> dict[int, Sequence[Piece]]:
    """The pieces of text on each cell, centred in its width."""
    tiles = {cell: kind for kind, piece in enumerate(game.rules.pieces) if piece.sides
             for cell in members(state.pieces[kind])}
    return {cell: _tracks(game, tiles[cell], cell) if cell in tiles else
            [Piece(texts[cell].strip().center(width), cell)] for cell in shown}


def _tracks(game: Game, kind: int, cell: int) -> Sequence[Piece]:
    """A tile drawn as its tracks, each in its player's colour, the one that reaches the west first."""
    sides = game.rules.pieces[kind].sides
    result = []
    for player in range(len(game.players)):
        ways = [game.board.directions[way] for way, owner in enumerate(sides) if owner == player]
        sign = _TRACKS.get(frozenset(ways))
        if sign is not None:
            result.append(("west" not in ways, sign, colours.of_player(game.rules, player)))
    if len(result) != 2:
        return [Piece(game.rules.pieces[kind].glyph.center(3), cell)]
    result.sort()
    if {"─", "│"} == {sign for _, sign, _ in result}:
        level, upright = result[0][2], result[1][2]
        return [Piece("─", colour=level), Piece("│", cell, upright), Piece("─", colour=level)]
    (_, one, first), (_, other, second) = result[0], result[-1]
    return [Piece(f"{one} ", cell, first), Piece(other, colour=second)]

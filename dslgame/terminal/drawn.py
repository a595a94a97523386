"""Draws a position's board as text in which each cell has a known place, so that it can be clicked and coloured."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import attrs

import interpreter.pictures.colours as colours
from dsl.boards.kind import centred
from dslgame.terminal.sheet import Drawn, Piece
from dslgame.terminal.spacious import spacious
from interpreter.beside import blocks
from interpreter.board_values import of_cells
from interpreter.boards import members
from interpreter.drawing import draw
from interpreter.game import Game
from interpreter.model.state import State
from interpreter.pictures.layout import layout_of
from interpreter.pictures.sizes import size_at, sizes_of
from interpreter.site_values import between, drawn_as_text

_BEGIN, _END = "\ue000", "\ue001"
"""Delimiters of a cell in a drawing: private-use characters that no game writes."""
WIDE = 3
"""The width of a cell in columns, where there is room."""
MOST_BRACKETS = 3
_LINES = str.maketrans("-|", "─│")


def drawn(game: Game, state: State, *, columns: int, rows: int) -> Drawn:
    """A position's board in the largest form that fits, and under it the lines of what belongs to no cell."""
    signs = rounds(game)
    glyphs = [signs.get(glyph.strip(), glyph.strip()) or " " for glyph in game.glyphs(state)]
    beside = _beside(game, state)
    rows = max(1, rows - len(beside))
    result = _spacious(game, state, glyphs)
    if result is None or result.width > columns or len(result.lines) > rows:
        result = _compact(game, state, glyphs, columns=columns, rows=rows)
    return Drawn((*result.lines, *beside))


def _compact(game: Game, state: State, glyphs: list[str], *, columns: int, rows: int) -> Drawn:
    """A board as plain text, with wide cells and blank lines between rows where there is room."""
    shown = game.surroundings(state)
    widest = max(map(len, glyphs))
    wide = max(WIDE, widest + 2)
    for width, apart in ((wide, True), (wide, False), (widest, False)):
        if apart and game.board.kind.of_paths:
            continue
        result = _drawn(game, state, [centred(glyph, width) for glyph in glyphs], shown, apart=apart)
        if result.width <= columns and len(result.lines) <= rows:
            break
    if game.board.kind.of_paths:
        return Drawn(tuple(tuple(piece if piece.cell >= 0 else attrs.evolve(piece, text=piece.text.translate(_LINES))
                                 for piece in line) for line in result.lines))
    return result


def _spacious(game: Game, state: State, glyphs: list[str]) -> Drawn | None:
    """A board with the outlines of its cells; None where it has no such form."""
    board, empty = game.board, game.rules.empty_glyph
    around = game.surroundings(state) if board.unbounded else None
    shown = range(board.size) if around is None else members(around)
    words = of_cells(game, state)
    bare = [glyph == empty and bool(state.pieces[0] >> cell & 1) and cell not in words
            for cell, glyph in enumerate(glyphs)]
    pointed = layout_of(game).pointed or bool(board.layers)
    tiled = sum(cells for cells, piece in zip(state.pieces, game.rules.pieces, strict=True) if piece.sides)
    texts = ["" if blank or tiled >> cell & 1 else _sized(game, state, cell, glyphs[cell])
             for cell, blank in enumerate(bare)]
    width = max(1 if pointed else WIDE, max(len(text) + (2 if len(text) > 1 else 0) for text in texts))
    width += (width + 1) % 2
    if pointed:
        texts = [text or "·" for text in texts]
    return spacious(game, state, [text.center(width) for text in texts], shown)


def _sized(game: Game, state: State, cell: int, glyph: str) -> str:
    """The text of a piece, wider for a larger size: bars and blocks repeat their glyph, others have more brackets."""
    kind = next((piece for piece, cells in enumerate(state.pieces) if piece and cells >> cell & 1), 0)
    sizes, size = sizes_of(game, kind), size_at(game, state, kind, cell)
    if sizes is None or size is None:
        return glyph
    if game.rules.pieces[kind].shape in ("bar", "block"):
        return glyph * (2 * (size - sizes.least) + 1)
    brackets = min(MOST_BRACKETS, size - min(sizes.least, 1))
    return "(" * brackets + glyph + ")" * brackets


def _beside(game: Game, state: State) -> list[tuple[Piece, ...]]:
    """The lines under the board for what belongs to no cell: one for each player, in the player's colour, and one for
    each other entry."""
    lines: list[tuple[Piece, ...]] = []
    unsaid = drawn_as_text(game)
    for block in blocks(game, state, without=unsaid):
        words = "   ".join(row.words for row in block.rows)
        if block.player is None:
            lines += [(Piece(row.words),) for row in block.rows]
        else:
            lines.append((Piece(f"● {game.players[block.player]}", colour=colours.of_player(game.rules, block.player)),
                          Piece(f"  {words}")))
    return [(), *lines] if lines else []


def rounds(game: Game) -> dict[str, str]:
    """Round signs for the pieces, by glyph, where a game has two and both are discs: the lighter one is hollow."""
    pieces = game.rules.pieces[1:]
    if len(pieces) != 2 or any(piece.shape != "disc" or piece.sides for piece in pieces):
        return {}
    dark, light = sorted(pieces, key=lambda piece: colours.is_light(colours.of_piece(game.rules, piece)))
    return {dark.glyph: "●", light.glyph: "○"}


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
    """The cells whose pieces differ between two states."""
    if before is None or len(before.pieces) != len(after.pieces):
        return set()
    result = 0
    for one, other in zip(before.pieces, after.pieces, strict=True):
        result |= one ^ other
    return set(members(result))

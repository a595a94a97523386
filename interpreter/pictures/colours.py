"""The colours of pictures: what the colour names of game files look like, and colours for pieces that have none."""

from __future__ import annotations

from collections.abc import Mapping

from dsl import hir

NAMED: Mapping[str, str] = {
    "black": "#262626", "white": "#fdfdfb", "red": "#d8412f", "green": "#3d9a50", "yellow": "#f2c230",
    "blue": "#2f6fc4", "magenta": "#c03fa8", "cyan": "#27a7b8", "grey": "#8b8b8b", "orange": "#ec8a23",
    "brown": "#8a5a34", "purple": "#7b4bb3", "pink": "#ef8fb4",
}
"""What colour a name of a game file is."""
BOARD, LINES, INK, FAINT = "#f4e7cd", "#b59b6d", "#333333", "#8a7c62"
"""The cells of a board, the lines between them, text, and coordinates."""
_OF_PLAYERS = ("#d8412f", "#2f6fc4", "#3d9a50", "#ec8a23", "#7b4bb3", "#27a7b8")
_OF_NOBODY = "#8a6d4b"


def of_player(rules: hir.Rules, player: int) -> str:
    """The colour of a player: that of the player's name, or of the player's first piece, or one of a palette.

    From the palette players get the first colours that no other player has by name or piece.
    """
    given = [_given(rules, number) for number in range(len(rules.players))]
    if given[player]:
        return given[player]
    free = [colour for colour in _OF_PLAYERS if colour not in given] or list(_OF_PLAYERS)
    return free[given[:player].count("") % len(free)]


def _given(rules: hir.Rules, player: int) -> str:
    """The colour that a player's name or first piece says; '' for none."""
    named = NAMED.get(rules.players[player].lower())
    shown = next((piece.colour for piece in rules.pieces[1:] if piece.owner == player and piece.colour), "")
    return named or (resolved(shown) if shown else "")


def of_piece(rules: hir.Rules, piece: hir.PieceKind) -> str:
    """The colour of a piece: its own, or its player's."""
    if piece.colour:
        return resolved(piece.colour)
    return _OF_NOBODY if piece.owner is None else of_player(rules, piece.owner)


def resolved(colour: str) -> str:
    """A colour name of a game file, or `#rrggbb`, as `#rrggbb`."""
    return NAMED.get(colour, colour)


def is_light(colour: str) -> bool:
    """Whether dark text is read best on a colour."""
    red, green, blue = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue > 150


def on(colour: str) -> str:
    """The colour of text on a colour."""
    return "#222222" if is_light(colour) else "#ffffff"


def outline(colour: str) -> str:
    """The colour of a piece's rim: somewhat darker than the piece, and dark around light ones."""
    if is_light(colour):
        return "#5b5142"
    red, green, blue = (int(colour[place : place + 2], 16) * 6 // 10 for place in (1, 3, 5))
    return f"#{red:02x}{green:02x}{blue:02x}"

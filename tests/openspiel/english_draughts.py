"""OpenSpiel's checkers, whose jumps are an action each: here those of one move are put together.

Its boards have three rows of men each. It draws after 40 actions without a capture, where here the game goes on until a
position is repeated; a game that comes so far is given up.
"""

from __future__ import annotations

import re
from typing import Any

import attrs
from hypothesis import reject

from tests.reference.rules import Rules

CASES: list[dict[str, int]] = [{}, {"size": 10}]

PLAYERS = ("Black", "White")
KINDS = {"o": "man", "+": "man", "8": "king", "*": "king"}


@attrs.frozen
class Position:
    """OpenSpiel's state, the same as another if the same pieces stand on the board and the same player is to move."""

    drawn: str
    player: int
    spiel: Any = attrs.field(eq=False, repr=False)  # it has no types


class OpenSpiel(Rules[Position]):
    """English draughts on boards of an even size from 8."""

    def __init__(self, *, size: int = 8) -> None:
        import pyspiel

        self.size = size
        self.game: Any = pyspiel.load_game(f"checkers(rows={size},columns={size})")

    def start(self) -> Position:
        return position(self.game.new_initial_state())

    def to_move(self, state: Position) -> str:
        """Whose turn it is; OpenSpiel does not say it of an ended game, where nobody asks."""
        return "" if state.spiel.is_terminal() else PLAYERS[state.player]

    def outcome(self, state: Position) -> str | None:
        if not state.spiel.is_terminal():
            return None
        first, second = state.spiel.returns()
        if first == second:
            reject()
        return PLAYERS[0 if first > second else 1]

    def options(self, state: Position) -> list[str]:
        return list(self.whole_moves(state.spiel))

    def whole_moves(self, spiel: Any) -> dict[str, Any]:
        """The moves, and the states they lead to."""
        found: dict[str, Any] = {}
        for action in spiel.legal_actions():
            start, end = re.findall(r"[a-z]\d+", spiel.action_to_string(action))
            after = spiel.child(action)
            if abs(ord(start[0]) - ord(end[0])) == 1:
                found[f"{start}-{end}"] = after
            elif after.is_terminal() or after.current_player() != spiel.current_player():
                found[f"{start}x{end}"] = after
            else:
                found |= {f"{start}x{further}": last for further, last in self.whole_moves(after).items()}
        return found

    def after(self, state: Position, move: str) -> Position:
        return position(self.whole_moves(state.spiel)[move])

    def board(self, state: Position) -> dict[str, str]:
        rows = [line[-self.size :] for line in state.drawn.splitlines()[: self.size]]
        return {
            f"{'abcdefghijkl'[column]}{self.size - row}": KINDS[sign]
            for row, signs in enumerate(rows)
            for column, sign in enumerate(signs)
            if sign != "."
        }


def position(spiel: Any) -> Position:
    """What is compared of a state."""
    return Position(str(spiel), spiel.current_player(), spiel)

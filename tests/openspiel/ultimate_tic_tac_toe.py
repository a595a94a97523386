"""OpenSpiel's ultimate_tic_tac_toe, where a free choice of the small board is a separate action; here it is part of the
move."""

from __future__ import annotations

from typing import Any

from tests.openspiel.adapter import Adapter, Played

CASES: list[dict[str, int]] = [{}]


class OpenSpiel(Adapter):
    """Ultimate tic-tac-toe."""

    players = ("X", "O")

    def __init__(self) -> None:
        super().__init__("ultimate_tic_tac_toe")

    def text_of(self, action: int, state: Played) -> str:
        """Return the name of a cell in the small board that the player must move in."""
        return cell_name(forced_board(state.spiel), action)

    def options(self, state: Played) -> list[str]:
        return list(self._actions(state))

    def after(self, state: Played, move: str) -> Played:
        actions = self._actions(state)[move]
        spiel = state.spiel.clone()
        for action in actions:
            spiel.apply_action(action)
        return Played((*state.actions, *actions), spiel)

    def board(self, state: Played) -> dict[str, str]:
        rows = ["".join(line.split()) for line in str(state.spiel).split("\nCurrent")[0].splitlines() if line]
        return {
            f"{'abcdefghi'[column]}{9 - row}": sign
            for row, signs in enumerate(rows)
            for column, sign in enumerate(signs)
            if sign != "."
        }

    def _actions(self, state: Played) -> dict[str, tuple[int, ...]]:
        """Map the text of each move to its actions: a cell, or a small board and a cell in it."""
        if "Forced board: any" not in str(state.spiel):
            return {self.text_of(cell, state): (cell,) for cell in state.spiel.legal_actions()}
        return {
            cell_name(small, cell): (small, cell)
            for small in state.spiel.legal_actions()
            for cell in state.spiel.child(small).legal_actions()
        }


def forced_board(spiel: Any) -> int:
    """The number of the small board that the player must move in, read from OpenSpiel's text."""
    return int(str(spiel).rpartition(" ")[2])


def cell_name(small: int, cell: int) -> str:
    """Return the name of a cell of a small board; both are numbered row by row from the top left."""
    row, column = small // 3 * 3 + cell // 3, small % 3 * 3 + cell % 3
    return f"{'abcdefghi'[column]}{9 - row}"

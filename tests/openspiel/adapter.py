"""What the adapters of OpenSpiel's games share: a game is how it is loaded, and the text of each of its actions."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import attrs

from tests.reference.rules import DRAW, Rules


@attrs.frozen
class Played:
    """A state of OpenSpiel's, known by the actions that led to it."""

    actions: tuple[int, ...]
    spiel: Any = attrs.field(eq=False, repr=False)  # it has no types


class Adapter(Rules[Played]):
    """A game of OpenSpiel's for two players who move in turn."""

    players: tuple[str, ...] = ()
    """Our names, in OpenSpiel's order."""

    def __init__(self, loads_as: str) -> None:
        import pyspiel

        self.game: Any = pyspiel.load_game(loads_as)

    @abstractmethod
    def text_of(self, action: int, state: Played) -> str:
        """An action as our move."""

    def start(self) -> Played:
        return Played((), self.game.new_initial_state())

    def to_move(self, state: Played) -> str:
        """Whose turn it is; OpenSpiel does not say it of an ended game, where nobody asks."""
        return "" if state.spiel.is_terminal() else self.players[state.spiel.current_player()]

    def outcome(self, state: Played) -> str | None:
        if not state.spiel.is_terminal():
            return None
        first, second = state.spiel.returns()
        return DRAW if first == second else self.players[0 if first > second else 1]

    def options(self, state: Played) -> list[str]:
        return [self.text_of(action, state) for action in state.spiel.legal_actions()]

    def after(self, state: Played, move: str) -> Played:
        action = next(action for action in state.spiel.legal_actions() if self.text_of(action, state) == move)
        return Played((*state.actions, action), state.spiel.child(action))

    def board(self, state: Played) -> dict[str, str] | None:
        """Not told, unless a game does."""
        return None

    def variables(self, state: Played) -> dict[str, object] | None:
        """Not told, unless a game does."""
        return None

"""Base classes of the adapters: a game defines how OpenSpiel loads it, and the text of each of its actions."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import attrs

from tests.reference.rules import DRAW, Rules


@attrs.frozen
class Played:
    """A state of OpenSpiel, identified by the actions that led to it."""

    actions: tuple[int, ...]
    spiel: Any = attrs.field(eq=False, repr=False)  # it has no types


class Adapter(Rules[Played]):
    """Adapts a game of OpenSpiel for two players."""

    players: tuple[str, ...] = ()
    """Our names of the players, in OpenSpiel's order."""

    def __init__(self, loads_as: str) -> None:
        import pyspiel

        self.game: Any = pyspiel.load_game(loads_as)

    @abstractmethod
    def text_of(self, action: int, state: Played) -> str:
        """Return an action as the text of our move."""

    def start(self) -> Played:
        return Played((), self.game.new_initial_state())

    def to_move(self, state: Played) -> str:
        """The player to move; '' in an ended game, of which OpenSpiel does not tell it and nobody asks."""
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
        """None, unless an adapter overrides this."""
        return None

    def variables(self, state: Played) -> dict[str, object] | None:
        """None, unless an adapter overrides this."""
        return None


@attrs.frozen
class Both:
    """A state of a reference with OpenSpiel's state of the same game; equal if the reference's states are."""

    plain: Any
    spiel: Any = attrs.field(eq=False, repr=False)

    @property
    def drawn(self) -> bool:
        """Whether OpenSpiel has drawn the game."""
        return bool(self.spiel.is_terminal() and self.spiel.returns()[0] == self.spiel.returns()[1])


class WithoutDraws(Rules[Both]):
    """Adapts a game that OpenSpiel may draw by a rule of its own; after such a draw the reference plays on.

    Repetitions are left to the caller, as in the references.
    """

    players: tuple[str, ...] = ()
    """Our names of the players, in OpenSpiel's order."""

    def __init__(self, loads_as: str, reference: Rules[Any]) -> None:
        import pyspiel

        self.game: Any = pyspiel.load_game(loads_as)
        self.reference = reference

    @abstractmethod
    def following(self, spiel: Any) -> dict[str, Any]:
        """Map the texts of our moves to OpenSpiel's states after them."""

    @abstractmethod
    def read(self, spiel: Any) -> dict[str, str]:
        """Map the names of occupied cells to the names of their pieces."""

    def start(self) -> Both:
        return Both(self.reference.start(), self.game.new_initial_state())

    def to_move(self, state: Both) -> str:
        """The player to move; '' in an ended game, of which OpenSpiel does not tell it and nobody asks."""
        if state.drawn:
            return self.reference.to_move(state.plain)
        return "" if state.spiel.is_terminal() else self.players[state.spiel.current_player()]

    def outcome(self, state: Both) -> str | None:
        if state.drawn:
            return self.reference.outcome(state.plain)
        return self.players[0 if state.spiel.returns()[0] > 0 else 1] if state.spiel.is_terminal() else None

    def options(self, state: Both) -> list[str]:
        return self.reference.options(state.plain) if state.drawn else list(self.following(state.spiel))

    def after(self, state: Both, move: str) -> Both:
        spiel = state.spiel if state.drawn else self.following(state.spiel)[move]
        return Both(self.reference.after(state.plain, move), spiel)

    def board(self, state: Both) -> dict[str, str] | None:
        return self.reference.board(state.plain) if state.drawn else self.read(state.spiel)

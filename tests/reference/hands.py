"""The rules that Matching Pennies and similar games share: both players choose at once, and the choices decide.

The first player chooses without the second seeing it; once the second has chosen, both choices are shown.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from tests.reference.rules import Rules


class State(NamedTuple):
    """The first player's hidden choice, and the two shown choices; '' until they are made."""

    chosen: str = ""
    shown: tuple[str, str] = ("", "")


class Hands(Rules[State]):
    """A game of simultaneous choices; `choice` is the name of the choice's variable."""

    players: tuple[str, str]
    choice: str

    @property
    @abstractmethod
    def things(self) -> list[str]:
        """The possible choices; `variables` shows the first of them until a choice is made."""

    @abstractmethod
    def result(self, first: str, second: str) -> str:
        """The winner's name, or "draw", for the two choices."""

    def start(self) -> State:
        return State()

    def to_move(self, state: State) -> str:
        return self.players[1 if state.chosen else 0]

    def outcome(self, state: State) -> str | None:
        return self.result(*state.shown) if all(state.shown) else None

    def options(self, state: State) -> list[str]:
        return self.things

    def after(self, state: State, move: str) -> State:
        return State(shown=(state.chosen, move)) if state.chosen else State(chosen=move)

    def board(self, state: State) -> dict[str, str]:
        return {}

    def variables(self, state: State) -> dict[str, object]:
        return {
            "shown": [shown or self.things[0] for shown in state.shown],
            "rounds": int(all(state.shown)),
            "chosen": ["show" if state.chosen else "nothing", "nothing"],
            f"chosen_{self.choice}": [state.chosen or None, None],
        }

"""Two players show something at once, and who has won is seen: what Matching Pennies and its like have in common.

The first chooses unseen by the second; once the second has chosen, both show.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from tests.reference.rules import Rules


class State(NamedTuple):
    """What the first player has chosen, and what both show; empty texts before."""

    chosen: str = ""
    shown: tuple[str, str] = ("", "")


class Hands(Rules[State]):
    """Two players, the things that can be shown, and how the choice is called."""

    players: tuple[str, str]
    choice: str

    @property
    @abstractmethod
    def things(self) -> list[str]:
        """What can be shown; the first of them is there before anything is."""

    @abstractmethod
    def result(self, first: str, second: str) -> str:
        """Who wins with these, or a draw."""

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

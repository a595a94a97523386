"""The rules that the two games of Hasami Shogi share: men that slide, and custodial captures."""

from __future__ import annotations

from abc import abstractmethod
from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, beside, name

PLAYERS = ("Black", "White")


class State(NamedTuple):
    """The men of Black and of White, and the player to move."""

    men: tuple[frozenset[Place], frozenset[Place]]
    mover: int


class Hasami(Rules[State]):
    """Men that slide along rows and columns and capture lines of enemies between two of them."""

    rows_of_men = 1

    def __init__(self, size: int = 9) -> None:
        self.size = size

    def on_board(self, place: Place) -> bool:
        """Whether a place is on the board."""
        return all(0 <= part < self.size for part in place)

    def start(self) -> State:
        rows = range(self.rows_of_men)
        black = frozenset((x, y) for x in range(self.size) for y in rows)
        white = frozenset((x, self.size - 1 - y) for x in range(self.size) for y in rows)
        return State((black, white), 0)

    def to_move(self, state: State) -> str:
        return PLAYERS[state.mover]

    def ends(self, state: State, start: Place) -> list[Place]:
        """The places that a man can go to."""
        taken, found = state.men[0] | state.men[1], []
        for x, y in beside((0, 0)):
            end = start[0] + x, start[1] + y
            while self.on_board(end) and end not in taken:
                found.append(end)
                end = end[0] + x, end[1] + y
        return found

    def options(self, state: State) -> list[str]:
        return [name(start) + name(end) for start in state.men[state.mover] for end in self.ends(state, start)]

    def after(self, state: State, move: str) -> State:
        cells = [_place(text) for text in _halves(move)]
        own, other = state.men[state.mover] - {cells[0]} | {cells[1]}, state.men[1 - state.mover]
        lost: set[Place] = set()
        for x, y in beside((0, 0)):
            line, place = set(), (cells[1][0] + x, cells[1][1] + y)
            while place in other:
                line.add(place)
                place = place[0] + x, place[1] + y
            if place in own:
                lost |= line
        lost |= self.cornered(own, other, cells[1])
        left = other - lost
        return State((own, left) if state.mover == 0 else (left, own), 1 - state.mover)

    def cornered(self, own: frozenset[Place], other: frozenset[Place], end: Place) -> set[Place]:
        """The men in corners that a man captures by moving to `end`."""
        return set()

    def outcome(self, state: State) -> str | None:
        if self.won(state, 1 - state.mover):
            return PLAYERS[1 - state.mover]
        return None if self.options(state) else PLAYERS[1 - state.mover]

    @abstractmethod
    def won(self, state: State, player: int) -> bool:
        """Whether a player who has just moved has won."""

    def board(self, state: State) -> dict[str, str]:
        return {name(place): f"{player} man" for player, men in zip(PLAYERS, state.men, strict=True) for place in men}


def _halves(move: str) -> tuple[str, str]:
    """Split a move such as a9b10 into its two cells."""
    second = next(place for place in range(1, len(move)) if move[place].isalpha())
    return move[:second], move[second:]


def _place(cell: str) -> Place:
    return "abcdefghijklmnopqrstuvwxyz".index(cell[0]), int(cell[1:]) - 1

"""Hnefatafl on 11x11, by the Fetlar rules but for repetition.

Twenty-four attackers stand at the edges around twelve defenders and their king, who is on the throne in the middle.
Attackers move first. All pieces move any number of empty cells along a row or column. Only the king may end on the
throne or on a corner; all may pass over the empty throne. A man is captured when a move closes a trap: enemies on two
opposite sides, where a corner counts as an enemy, and so does the empty throne (the throne with the king is an enemy to
attackers anyway). The king helps to capture. He is captured only by attackers on all four sides, or on three if the
throne is on the fourth, and so never at the edge. A piece may step between two enemies unharmed. The defenders win when
the king is on a corner, the attackers when he is captured; a player who cannot move loses. A repeated position is a
draw, which is left to the caller. Cells are named by column letter from the left and row number from the bottom; a move
is both its cells with `-` between them.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, beside, name, places

CASES: list[dict[str, int]] = [{}]

OTHER = {"Attackers": "Defenders", "Defenders": "Attackers"}
SIZE = 11
FIRST = [
    "...aaaaa...",
    ".....a.....",
    "...........",
    "a....d....a",
    "a...ddd...a",
    "aa.ddkdd.aa",
    "a...ddd...a",
    "a....d....a",
    "...........",
    ".....a.....",
    "...aaaaa...",
]
THRONE = (5, 5)
CORNERS = {(0, 0), (0, 10), (10, 0), (10, 10)}
NAMES = {"a": "attacker", "d": "defender", "k": "king"}


class State(NamedTuple):
    """The pieces as place and letter, and the player to move."""

    pieces: frozenset[tuple[Place, str]]
    mover: str


class Reference(Rules[State]):
    """Hnefatafl."""

    def start(self) -> State:
        pieces = {((x, SIZE - 1 - row), letter) for row, text in enumerate(FIRST) for x, letter in enumerate(text)}
        return State(frozenset((place, letter) for place, letter in pieces if letter != "."), "Attackers")

    def to_move(self, state: State) -> str:
        return state.mover

    def outcome(self, state: State) -> str | None:
        king = next((place for place, letter in state.pieces if letter == "k"), None)
        if king is None:
            return "Attackers"
        if king in CORNERS:
            return "Defenders"
        return None if self.options(state) else OTHER[state.mover]

    def options(self, state: State) -> list[str]:
        pieces = dict(state.pieces)
        inside = set(places(SIZE, SIZE))
        found = []
        for start, letter in pieces.items():
            if (letter == "a") != (state.mover == "Attackers"):
                continue
            for right, up in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                end = start[0] + right, start[1] + up
                while end in inside and end not in pieces:
                    if letter == "k" or (end != THRONE and end not in CORNERS):
                        found.append(f"{name(start)}-{name(end)}")
                    end = end[0] + right, end[1] + up
        return found

    def after(self, state: State, move: str) -> State:
        pieces = dict(state.pieces)
        start, end = (("abcdefghijk".index(cell[0]), int(cell[1:]) - 1) for cell in move.split("-"))
        pieces[end] = pieces.pop(start)
        own = "a" if state.mover == "Attackers" else "dk"

        def enemy(place: Place) -> bool:
            """Whether a place helps the mover to capture."""
            return pieces.get(place, ".") in own or place in CORNERS or (place == THRONE and place not in pieces)

        taken = []
        for victim in beside(end):
            letter = pieces.get(victim)
            if letter is None or letter in own:
                continue
            beyond = 2 * victim[0] - end[0], 2 * victim[1] - end[1]
            around = beside(victim)
            if letter == "k":
                if all(pieces.get(place) == "a" or place == THRONE for place in around):
                    taken.append(victim)
            elif enemy(beyond):
                taken.append(victim)
        for victim in taken:
            del pieces[victim]
        return State(frozenset(pieces.items()), OTHER[state.mover])

    def board(self, state: State) -> dict[str, str]:
        return {name(place): NAMES[letter] for place, letter in state.pieces}

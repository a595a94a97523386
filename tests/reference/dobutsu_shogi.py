"""Dobutsu Shogi, on three columns and four rows; Sente sits at the bottom and begins.

Lions step to all eight neighbours, giraffes orthogonally, elephants diagonally, chicks ahead, hens like lions but not
diagonally backward. A chick that moves (not one that is dropped) onto the farthest row becomes a hen. Captured pieces
are held in the hand, hens as chicks, and are dropped on empty cells. A player who captures the lion wins. A lion on the
farthest row wins when no enemy can take it, and when it was not taken. A player who cannot move loses. Repetition is
left to the caller. Moves are written `b2b3` and `C@a2`.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places
from tests.reference.walkers import DIAGONAL, GOLD, KING, ORTHOGONAL, Man, Walk, attacked, reached

CASES: list[dict[str, int]] = [{}]

PLAYERS = ("Sente", "Gote")
WALKS = {"chick": Walk([(0, 1)]), "hen": Walk(GOLD), "giraffe": Walk(ORTHOGONAL), "elephant": Walk(DIAGONAL),
         "lion": Walk(KING)}
FAR = (3, 0)


class State(NamedTuple):
    """The pieces by place, the pieces in hand, and the player to move."""

    men: frozenset[tuple[Place, Man]]
    hands: tuple[Man, ...]
    mover: int


class Reference(Rules[State]):
    """Dobutsu Shogi."""

    def start(self) -> State:
        first = [((0, 0), "elephant"), ((1, 0), "lion"), ((2, 0), "giraffe"), ((1, 1), "chick")]
        men = {(place, Man(0, kind)) for place, kind in first}
        men |= {((2 - x, 3 - y), Man(1, kind)) for (x, y), kind in first}
        return State(frozenset(men), (), 0)

    def to_move(self, state: State) -> str:
        return PLAYERS[state.mover]

    def outcome(self, state: State) -> str | None:
        men, last = dict(state.men), 1 - state.mover
        lions = {man.owner: place for place, man in men.items() if man.kind == "lion"}
        if state.mover not in lions:
            return PLAYERS[last]
        if lions[last][1] == FAR[last] and not attacked(men, WALKS, lions[last], state.mover, 3, 4):
            return PLAYERS[last]
        if lions[state.mover][1] == FAR[state.mover]:
            return PLAYERS[state.mover]
        return None if self.options(state) else PLAYERS[last]

    def options(self, state: State) -> list[str]:
        men = dict(state.men)
        found = [name(place) + name(end) for place, man in men.items() if man.owner == state.mover
                 for end in reached(men, WALKS, place, 3, 4)]
        kinds = {man.kind for man in state.hands if man.owner == state.mover}
        letters = {kind: kind[0].upper() if state.mover == 0 else kind[0] for kind in kinds}
        empty = [place for place in places(4, 3) if place not in men]
        return found + [f"{letters[kind]}@{name(place)}" for kind in kinds for place in empty]

    def after(self, state: State, move: str) -> State:
        men, hands = dict(state.men), list(state.hands)
        place = _place(move[-2:])
        if "@" in move:
            kind = next(kind for kind in WALKS if kind[0] == move[0].lower() and kind != "hen")
            hands.remove(Man(state.mover, kind))
            men[place] = Man(state.mover, kind)
        else:
            man = men.pop(_place(move[:2]))
            if place in men and men[place].kind != "lion":
                taken = men[place].kind
                hands.append(Man(state.mover, "chick" if taken == "hen" else taken))
            promoted = man.kind == "chick" and place[1] == FAR[state.mover]
            men[place] = Man(state.mover, "hen") if promoted else man
        return State(frozenset(men.items()), tuple(sorted(hands)), 1 - state.mover)

    def board(self, state: State) -> dict[str, str]:
        return {name(place): f"{PLAYERS[man.owner]} {man.kind}" for place, man in state.men}

    def variables(self, state: State) -> dict[str, object]:
        held = [state.hands.count(Man(owner, kind)) for kind in WALKS for owner in (0, 1)]
        return {"hand": [0, *held]}


def _place(cell: str) -> Place:
    return "abc".index(cell[0]), int(cell[1]) - 1

"""Minishogi: Shogi on five by five cells, with one king, gold, silver, bishop, rook and pawn a side.

Sente sits at the bottom and begins. A pawn, silver, bishop or rook that moves onto, from or along the farthest row may
be promoted (`a4a5=+P`), and a pawn must be there; promoted pawns and silvers move as golds, promoted bishops and rooks
one step as a king as well. Captured pieces are held in the hand, not promoted, and dropped on empty cells (`P@c3`): a
pawn not on the farthest row and not in a column with an own unpromoted pawn. No king may be left attacked. A player who
cannot move loses, but a player who mates by dropping a pawn loses instead. Repetition is left to the caller.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import Rules
from tests.reference.squares import Place, name, places
from tests.reference.walkers import DIAGONAL, GOLD, KING, ORTHOGONAL, Man, Walk, attacked, reached

CASES: list[dict[str, int]] = [{}]

PLAYERS = ("Sente", "Gote")
WALKS = {"pawn": Walk([(0, 1)]), "silver": Walk([*DIAGONAL, (0, 1)]), "gold": Walk(GOLD), "bishop": Walk((), DIAGONAL),
         "rook": Walk((), ORTHOGONAL), "king": Walk(KING), "tokin": Walk(GOLD), "narigin": Walk(GOLD),
         "horse": Walk(ORTHOGONAL, DIAGONAL), "dragon": Walk(DIAGONAL, ORTHOGONAL)}
PROMOTED = {"pawn": "tokin", "silver": "narigin", "bishop": "horse", "rook": "dragon"}
PLAIN = {after: before for before, after in PROMOTED.items()}
FAR = (4, 0)


class State(NamedTuple):
    """The pieces by place, the pieces in hand, the player to move, and whether the last move dropped a pawn."""

    men: frozenset[tuple[Place, Man]]
    hands: tuple[Man, ...]
    mover: int
    dropped: bool


class Reference(Rules[State]):
    """Minishogi."""

    def start(self) -> State:
        row = ("king", "gold", "silver", "bishop", "rook")
        first = [*(((x, 0), kind) for x, kind in enumerate(row)), ((0, 1), "pawn")]
        men = {(place, Man(0, kind)) for place, kind in first}
        men |= {((4 - x, 4 - y), Man(1, kind)) for (x, y), kind in first}
        return State(frozenset(men), (), 0, False)

    def counts_for_repetition(self, state: State) -> object:
        """The state without whether the last move dropped a pawn."""
        return state._replace(dropped=False)

    def to_move(self, state: State) -> str:
        return PLAYERS[state.mover]

    def outcome(self, state: State) -> str | None:
        if self.options(state):
            return None
        mated_by_pawn = state.dropped and self._in_check(state, state.mover)
        return PLAYERS[state.mover if mated_by_pawn else 1 - state.mover]

    def _in_check(self, state: State, player: int) -> bool:
        men = dict(state.men)
        king = next(place for place, man in men.items() if man == Man(player, "king"))
        return attacked(men, WALKS, king, 1 - player, 5, 5)

    def options(self, state: State) -> list[str]:
        return [move for move in self._tried(state) if not self._in_check(self.after(state, move), state.mover)]

    def _tried(self, state: State) -> list[str]:
        men, mover = dict(state.men), state.mover
        found = []
        for place, man in men.items():
            if man.owner != mover:
                continue
            for end in reached(men, WALKS, place, 5, 5):
                move = name(place) + name(end)
                if man.kind in PROMOTED and FAR[mover] in (place[1], end[1]):
                    found.append(f"{move}={_sign(PROMOTED[man.kind], mover)}")
                    if man.kind != "pawn" or end[1] != FAR[mover]:
                        found.append(f"{move}={_sign(man.kind, mover)}")
                else:
                    found.append(move)
        for kind in {man.kind for man in state.hands if man.owner == mover}:
            columns = {place[0] for place, man in men.items() if man == Man(mover, "pawn")} if kind == "pawn" else set()
            found += [f"{_sign(kind, mover)}@{name(place)}" for place in places(5, 5) if place not in men
                      and place[0] not in columns and (kind != "pawn" or place[1] != FAR[mover])]
        return found

    def after(self, state: State, move: str) -> State:
        men, hands, mover = dict(state.men), list(state.hands), state.mover
        if "@" in move:
            kind = next(kind for kind in WALKS if _sign(kind, mover) == move[0])
            place = _place(move[-2:])
            hands.remove(Man(mover, kind))
            men[place] = Man(mover, kind)
        else:
            goal, _, becomes = move[2:].partition("=")
            man, end = men.pop(_place(move[:2])), _place(goal)
            if end in men:
                hands.append(Man(mover, PLAIN.get(men[end].kind, men[end].kind)))
            kind = next(kind for kind in WALKS if _sign(kind, mover) == becomes) if becomes else man.kind
            men[end] = Man(mover, kind)
        return State(frozenset(men.items()), tuple(sorted(hands)), 1 - mover, "@" in move and kind == "pawn")

    def board(self, state: State) -> dict[str, str]:
        return {name(place): f"{PLAYERS[man.owner]} {man.kind}" for place, man in state.men}

    def variables(self, state: State) -> dict[str, object]:
        held = [state.hands.count(Man(owner, kind)) for kind in WALKS for owner in (0, 1)]
        return {"hand": [0, *held], "dropped": state.dropped}


def _sign(kind: str, player: int) -> str:
    """Return the letter of a piece, with `+` if it is promoted; the second player's are in lower case."""
    text = f"+{PLAIN[kind][0].upper()}" if kind in PLAIN else kind[0].upper()
    return text if player == 0 else text.lower()


def _place(cell: str) -> Place:
    return "abcde".index(cell[0]), int(cell[1]) - 1

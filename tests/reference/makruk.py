"""Makruk, Thai chess, with a plain rule of sixty-four moves instead of counting.

White sits at the bottom and begins; pawns start in the third row of each side, kings to the left of their queens as
their players see them. Queens step one cell diagonally, bishops diagonally or one cell ahead; knights, rooks and kings
move as in chess. Pawns step one cell ahead onto empty cells, capture diagonally ahead, and become queens in the row in
which the other player's pawns began. No king may be left attacked. A player who cannot move loses if in check, else the
game is a draw. 128 plies without a capture or a pawn's move are a draw. Repetition is left to the caller.
"""

from __future__ import annotations

from typing import NamedTuple

from tests.reference.rules import DRAW, Rules
from tests.reference.squares import Place, name
from tests.reference.walkers import DIAGONAL, KING, ORTHOGONAL, Man, Men, Walk, reached

CASES: list[dict[str, int]] = [{}]

PLAYERS = ("White", "Black")
KNIGHT = [(x, y) for x in (-2, -1, 1, 2) for y in (-2, -1, 1, 2) if abs(x) != abs(y)]
WALKS = {"pawn": Walk([(1, 1), (-1, 1)]), "queen": Walk(DIAGONAL), "bishop": Walk([*DIAGONAL, (0, 1)]),
         "knight": Walk(KNIGHT), "rook": Walk((), ORTHOGONAL), "king": Walk(KING)}
"""How each kind captures; all but pawns also move so."""
PROMOTION = (5, 2)


class State(NamedTuple):
    """The pieces by place, the player to move, and the moves since a capture or a pawn's move."""

    men: frozenset[tuple[Place, Man]]
    mover: int
    quiet: int


class Reference(Rules[State]):
    """Makruk."""

    def start(self) -> State:
        row = ("rook", "knight", "bishop", "king", "queen", "bishop", "knight", "rook")
        first = [*(((x, 0), kind) for x, kind in enumerate(row)), *(((x, 2), "pawn") for x in range(8))]
        men = {(place, Man(0, kind)) for place, kind in first}
        men |= {((7 - x, 7 - y), Man(1, kind)) for (x, y), kind in first}
        return State(frozenset(men), 0, 0)

    def to_move(self, state: State) -> str:
        return PLAYERS[state.mover]

    def outcome(self, state: State) -> str | None:
        if not self.options(state):
            return PLAYERS[1 - state.mover] if _in_check(dict(state.men), state.mover) else DRAW
        return DRAW if state.quiet == 128 else None

    def counts_for_repetition(self, state: State) -> object:
        """The state without the clock of quiet plies."""
        return state._replace(quiet=0)

    def options(self, state: State) -> list[str]:
        found = []
        men, mover = dict(state.men), state.mover
        for place, man in men.items():
            if man.owner == mover:
                ends = reached(men, WALKS, place, 8, 8)
                if man.kind == "pawn":
                    step = (place[0], place[1] + (1 if mover == 0 else -1))
                    ends = [end for end in ends if end in men] + [step] * (step not in men and 0 <= step[1] < 8)
                found += [name(place) + name(end) for end in ends]
        return [move for move in found if not _in_check(dict(self.after(state, move).men), mover)]

    def after(self, state: State, move: str) -> State:
        men, end = dict(state.men), _place(move[2:])
        man = men.pop(_place(move[:2]))
        quiet = 0 if man.kind == "pawn" or end in men else min(state.quiet + 1, 128)
        promoted = man.kind == "pawn" and end[1] == PROMOTION[state.mover]
        men[end] = Man(state.mover, "queen") if promoted else man
        return State(frozenset(men.items()), 1 - state.mover, quiet)

    def board(self, state: State) -> dict[str, str]:
        return {name(place): f"{PLAYERS[man.owner]} {man.kind}" for place, man in state.men}

    def variables(self, state: State) -> dict[str, object]:
        return {"quiet": state.quiet}


def _in_check(men: Men, player: int) -> bool:
    king = next(place for place, man in men.items() if man == Man(player, "king"))
    return any(king in reached(men, WALKS, place, 8, 8) for place, man in men.items() if man.owner != player)


def _place(cell: str) -> Place:
    return "abcdefgh".index(cell[0]), int(cell[1]) - 1

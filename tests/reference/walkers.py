"""Pieces that step and slide, for the references of chess-like games: their targets and attacks.

Steps are (right, ahead) from the owner's view; the first player looks up the board, the second down. A slide repeats a
step over empty places.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from tests.reference.squares import Place

Step = tuple[int, int]
ORTHOGONAL: list[Step] = [(0, 1), (0, -1), (1, 0), (-1, 0)]
DIAGONAL: list[Step] = [(1, 1), (1, -1), (-1, 1), (-1, -1)]
KING = ORTHOGONAL + DIAGONAL
GOLD: list[Step] = [*ORTHOGONAL, (1, 1), (-1, 1)]


class Man(NamedTuple):
    """A piece: its owner (0 or 1) and its kind."""

    owner: int
    kind: str


class Walk(NamedTuple):
    """The steps and slides of a kind of piece."""

    steps: Sequence[Step] = ()
    slides: Sequence[Step] = ()


Men = Mapping[Place, Man]


def reached(men: Men, walks: Mapping[str, Walk], start: Place, columns: int, rows: int) -> list[Place]:
    """The places that a piece can step or slide to: empty ones, and those with pieces of the other player."""
    man = men[start]
    sign = 1 if man.owner == 0 else -1
    found = []
    for moves, far in ((walks[man.kind].steps, 1), (walks[man.kind].slides, max(columns, rows))):
        for right, ahead in moves:
            for times in range(1, far + 1):
                x, y = start[0] + sign * right * times, start[1] + sign * ahead * times
                if not (0 <= x < columns and 0 <= y < rows):
                    break
                there = men.get((x, y))
                if there is None or there.owner != man.owner:
                    found.append((x, y))
                if there is not None:
                    break
    return found


def attacked(men: Men, walks: Mapping[str, Walk], goal: Place, by: int, columns: int, rows: int) -> bool:
    """Whether a piece of player `by` can go to a place."""
    return any(goal in reached(men, walks, place, columns, rows) for place, man in men.items() if man.owner == by)

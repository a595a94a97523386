"""Gardner's Chess, written from its rules: chess on 25 cells."""

from __future__ import annotations

from tests.reference.small_chess import SmallChess

CASES: list[dict[str, int]] = [{}]


class Reference(SmallChess):
    """Rook, knight, bishop, queen and king, in the same columns for both."""

    rank = "RNBQK"

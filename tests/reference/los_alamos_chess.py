"""Los Alamos Chess, written from its rules: chess without bishops on 36 cells."""

from __future__ import annotations

from tests.reference.small_chess import SmallChess

CASES: list[dict[str, int]] = [{}]


class Reference(SmallChess):
    """Rooks, knights, queen and king."""

    rank = "RNQKNR"

"""The 16-bit codes of positions' values: four times the remoteness, plus a kind.

The kind is 0 while the value is open, 1 for a draw, and 2 + the number of the winner for a win. Where positions are
merged with those in which the other player is to move, it is 2 if the player to move wins, and 3 if the other does.
"""

from __future__ import annotations

from solver.strong import Value

DRAWN = 1
"""The kind of a draw."""
NEVER = (1 << 14) - 1
"""The code's remoteness for a draw without an end."""
LONGEST = NEVER - 1
"""The largest remoteness that a code can hold."""


def value_of(code: int) -> Value:
    """The value that a code stands for."""
    plies = code >> 2
    return Value((code & 3) - 2, None if plies == NEVER else plies)

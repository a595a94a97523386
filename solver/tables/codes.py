"""Values of positions as numbers of 16 bits: four times the remoteness, and a kind.

The kind is 0 while the value is open, 1 for a draw, 2 + the number of the winner; where positions are merged with those
of the other player, 2 where the player to move wins, and 3 where the other does.
"""

from __future__ import annotations

from solver.strong import Value

DRAWN = 1
"""The kind of a draw."""
NEVER = (1 << 14) - 1
"""The remoteness of a draw without an end."""
LONGEST = NEVER - 1
"""The largest remoteness."""


def value_of(code: int) -> Value:
    """The value that a number means."""
    plies = code >> 2
    return Value((code & 3) - 2, None if plies == NEVER else plies)

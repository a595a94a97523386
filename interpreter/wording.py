"""Results in words that fit any player's name: "Tigers won" and "win for Tigers" are as right as "Black won".

No verb stands in the present after a name: `Tigers wins` and `Chaos win` are both wrong, and no rule tells which name
is a plural.
"""

from __future__ import annotations


def finished(outcome: str) -> str:
    """The result of a game that is over, by its outcome's name: `draw` or `Black won`."""
    return "draw" if outcome == "draw" else f"{outcome} won"


def expected(outcome: str) -> str:
    """What a position is worth, by the name of its outcome under best play: `draw` or `win for Black`."""
    return "draw" if outcome == "draw" else f"win for {outcome}"

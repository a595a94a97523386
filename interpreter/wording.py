"""Texts of results that are grammatical for any player's name: "Tigers won" and "win for Tigers" like "Black won".

No verb in the present tense follows a name: `Tigers wins` and `Chaos win` are both wrong, and nothing says which names
are plural.
"""

from __future__ import annotations


def finished(outcome: str) -> str:
    """The text of a finished game's result, from its outcome's name: `draw` or `Black won`."""
    return "draw" if outcome == "draw" else f"{outcome} won"


def expected(outcome: str) -> str:
    """The text of a position's value, from the name of its outcome under best play: `draw` or `win for Black`."""
    return "draw" if outcome == "draw" else f"win for {outcome}"

"""Texts of results that are grammatical for any player's name: "Tigers won" and "win for Tigers" like "Black won".

No verb in the present tense follows a name: `Tigers wins` and `Chaos win` are both wrong, and nothing says which names
are plural. `nobody_won` names an end without a winner, which depends on the game; all texts follow from that name.
"""

from __future__ import annotations

_SENTENCES = {"draw": "The game is a draw.", "lost": "The game is lost.", "ended": "The game is over."}
"""The names of outcomes without a winner, and how pages say them."""


def nobody_won(players: int, *, paid: bool = False) -> str:
    """The name of the outcome without a winner in a game for some players; `paid` where the file declares payoffs.

    Somebody who plays alone has lost what is not won: there is nobody to draw with. Where payoffs say what an end is
    worth, it is only an end.
    """
    return "draw" if players > 1 else "ended" if paid else "lost"


def won(outcome: str) -> bool:
    """Whether an outcome's name is that of a winner, or of several possible ones."""
    return outcome not in _SENTENCES


def finished(outcome: str) -> str:
    """The text of a finished game's result, from its outcome's name: `draw`, `lost` or `Black won`."""
    return f"{outcome} won" if won(outcome) else outcome


def sentence(outcome: str) -> str:
    """The same as a sentence: `The game is a draw.` or `Black won.`"""
    return _SENTENCES.get(outcome) or f"{outcome} won."


def expected(outcome: str) -> str:
    """The text of a position's value, from the name of its outcome under best play: `draw` or `win for Black`."""
    return f"win for {outcome}" if won(outcome) else "draw" if outcome == "draw" else "cannot be won"


def among(outcome: str) -> str:
    """The same for moves that are counted by their results: `draw`, `lost`, `won by Black`; sets as they are."""
    return f"won by {outcome}" if won(outcome) and " or " not in outcome else outcome

"""What a player can do wrong in a game: it forfeits the game, and the match goes on."""

from __future__ import annotations

KINDS = {
    "illegal": "made an illegal move",
    "time": "took too long",
    "crash": "crashed",
    "garbage": "said what means nothing",
    "disconnect": "is gone",
    "refusal": "refused",
    "resignation": "resigned",
}
"""The ways in which a game is forfeited, by the word that logs have; each as people say it."""
MOST_QUOTED = 80
"""Characters of what a peer said that a message repeats."""


class Failed(Exception):
    """A player's failure: its kind, one of `KINDS`, and a sentence with the details."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


def quoted(text: str | bytes) -> str:
    """What a peer said, short and without anything that could drive a terminal."""
    if isinstance(text, bytes):
        text = text.decode(errors="replace")
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in text.strip()[: MOST_QUOTED + 1])
    return f"'{shown[:MOST_QUOTED]}...'" if len(shown) > MOST_QUOTED else f"'{shown}'"

"""Failures of a player in a game: it forfeits the game, and the match goes on."""

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
"""The kinds of failures as in logs, each with its words for people."""
MOST_QUOTED = 80
"""The most characters of a peer's text that a message quotes."""


class Failed(Exception):
    """A failure of a player: its kind, one of `KINDS`, and a sentence with the details."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


def quoted(text: str | bytes) -> str:
    """Quote a peer's text, shortened and without control characters."""
    if isinstance(text, bytes):
        text = text.decode(errors="replace")
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in text.strip()[: MOST_QUOTED + 1])
    return f"'{shown[:MOST_QUOTED]}...'" if len(shown) > MOST_QUOTED else f"'{shown}'"

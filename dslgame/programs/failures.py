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
MOST_TOLD = 200
"""The most characters of an exception's text that a message repeats."""


class Failed(Exception):
    """A failure of a player: its kind, one of `KINDS`, and a sentence with the details."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind, self.message = kind, message


def quoted(text: str | bytes) -> str:
    """Quote a peer's text, shortened and without control characters."""
    return f"'{one_line(text.decode(errors='replace') if isinstance(text, bytes) else text, MOST_QUOTED)}'"


def one_line(text: str, most: int = MOST_TOLD) -> str:
    """A text in one line, shortened to `most` characters, and without control characters."""
    shown = "".join(sign if sign.isprintable() else "\ufffd" for sign in " ".join(text.split())[: most + 1])
    return f"{shown[:most]}..." if len(shown) > most else shown


def told(problem: Exception) -> str:
    """An exception as one line, shortened."""
    text = one_line(str(problem))
    return type(problem).__name__ + (f": {text}" if text else "")


def sayable(text: str) -> str:
    """A text that can be sent: with `?` for lone surrogates, which no encoding has."""
    return text.encode(errors="replace").decode()

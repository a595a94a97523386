"""English words of several things, for messages: `a, b or c`, `a, b and c`."""

from __future__ import annotations

from collections.abc import Iterable


def either(words: Iterable[str]) -> str:
    """What may be chosen, as in `a, b or c`; no text of no words."""
    return _joined(words, "or")


def every(words: Iterable[str]) -> str:
    """All of several, as in `a, b and c`; no text of no words."""
    return _joined(words, "and")


def _joined(words: Iterable[str], conjunction: str) -> str:
    *others, last = list(words) or [""]
    return f"{', '.join(others)} {conjunction} {last}" if others else last

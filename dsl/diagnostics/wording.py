"""English enumerations of words for messages: `a, b or c`, `a, b and c`."""

from __future__ import annotations

from collections.abc import Iterable


def either(words: Iterable[str]) -> str:
    """Join alternatives as in `a, b or c`; empty text for no words."""
    return _joined(words, "or")


def every(words: Iterable[str]) -> str:
    """Join words as in `a, b and c`; empty text for no words."""
    return _joined(words, "and")


def _joined(words: Iterable[str], conjunction: str) -> str:
    *others, last = list(words) or [""]
    return f"{', '.join(others)} {conjunction} {last}" if others else last

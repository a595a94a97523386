"""The options of levels: how the value of each is read and written. `solver.players.kinds` says which level has which.
"""

from __future__ import annotations

from math import inf, isfinite
from typing import Any

import attrs

from dsl.diagnostics.wording import either

MOST = 10.0**15
"""The largest number of an option, unless it says otherwise."""


@attrs.frozen
class Option:
    """The values of an option: numbers, some words, or, with neither, the name of a file."""

    number: type[int] | type[float] | None = None
    """The type of its numbers, which are above 0; None for no numbers."""
    words: tuple[str, ...] = ()
    most: float = MOST
    """The largest number."""
    below: float = inf
    """What all numbers are below."""
    lifted: bool = False
    """Whether `none` stands for infinity."""
    off: str = ""
    """The word that says that the option is not used; '' where there is none."""

    def example(self, name: str) -> str:
        """How the option is written."""
        return f"{name}={self.words[0] if self.words else 'FILE' if self.number is None else 'N'}"

    def read(self, word: str) -> Any:
        """Parse the value of NAME=VALUE. Raises ValueError."""
        name, _, text = word.partition("=")
        if text in self.words or (text and self.number is None and not self.words):
            return text
        if self.lifted and text == "none":
            return inf
        number = None if self.number is None else _parsed(self.number, text)
        if number is None or not 0 < number <= self.most or number >= self.below:
            raise ValueError(f"found '{word}', expected {self._expected(name, number)}")
        return number

    def write(self, value: float | str) -> str:
        """Write a value so that `read` returns it again."""
        return "none" if value == inf else repr(value).removesuffix(".0") if isinstance(value, float) else str(value)

    def _expected(self, name: str, number: float | None) -> str:
        """What values there are, given the wrong `number` that was found; None where it is no number at all."""
        if self.words:
            share = [f"a share below {self.below:g}"] if self.number is not None else []
            return either([*(f"{name}={word}" for word in self.words), *share])
        if self.number is None:
            return f"a name, as in {name}=my.pattern"
        if number is None:
            return f"a number, as in {name}=4"
        return f"at most {self.most:g}" if number > self.most else "more than 0"


def _parsed(number: type[int] | type[float], text: str) -> float | None:
    """The finite number that a text stands for; None for other texts."""
    try:
        result = number(text)
    except ValueError:
        return None
    return result if isfinite(result) else None

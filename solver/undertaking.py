"""What valuing every position of a game would take, as it is said before long work begins.

Time and memory follow from the expected positions: a compiled kernel's speed from the plain one's, memory from what
`solver.tables` keeps of a position. Where that cannot be done here, it is said, with what is done instead.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import attrs

from dsl.diagnostics.wording import every
from interpreter.game import Game
from solver.forecast import bytes_in_words, in_words, seconds_in_words
from solver.pace import FASTER, Slow

if TYPE_CHECKING:
    from interpreter.kernel.kernel import Kernel

_LONG = 20.0
"""Seconds from which on work is long."""
_HOPELESS = 24 * 3600.0
"""Seconds after which nobody waits for an answer."""
_ON_DISK = 4.0
"""How many times the memory limit positions may take: what is finished goes to disk."""
_NO_LIMIT = 16 << 10
"""MiB that are taken to be there where nobody says."""
_POSITION, _MOVE = 15.0, 5.0
"""Bytes for a position besides its packed words: its slots, values, counts; and for each of its moves."""


@attrs.frozen
class Undertaking:
    """Valuing every position of a game."""

    game: Game
    positions: float
    seconds: float
    size: float
    """Bytes."""
    memory: float
    """Bytes that there are."""

    @classmethod
    def of(cls, game: Game, kernel: Kernel, slow: Slow, memory: int | None) -> Undertaking:
        """By what a plain kernel's enumeration showed; `memory` is the limit in MiB."""
        size = _POSITION + 8 * kernel.assembled.packing.width + _MOVE * slow.games.average
        return cls(game, slow.positions, slow.positions / (slow.rate * FASTER), slow.positions * size,
                   float(memory or _NO_LIMIT) * (1 << 20))

    @property
    def name(self) -> str:
        """The game's title with its params."""
        params = ", ".join(f"{name}={value}" for name, value in self.game.params.items())
        return f"{self.game.title} ({params})" if params else self.game.title

    @property
    def hopeless(self) -> bool:
        """Whether it takes longer, or more memory, than anybody has."""
        return self.seconds > _HOPELESS or self.size > _ON_DISK * self.memory

    @property
    def long(self) -> bool:
        """Whether it is worth saying beforehand."""
        return self.hopeless or self.seconds > _LONG

    @property
    def why_not(self) -> str:
        """Why it is not done; '' where it can be."""
        if not self.hopeless:
            return ""
        return f"there are too many positions to value, {in_words(self.positions)}"

    def text(self, searches: Mapping[str, float], *, asked: bool, value_only: bool, anyway: bool = True) -> str:
        """What is said before the work, in one paragraph.

        `searches` has the names of the methods that look at a part of the positions, with those of the largest games
        that they have solved; `anyway` says whether the work is begun though it is hopeless.
        """
        beyond = self.positions > max(searches.values(), default=0)
        amounts = f"{seconds_in_words(self.seconds)} and {bytes_in_words(self.size)}"
        if not self.hopeless:
            return f"{self.name} has {in_words(self.positions)} positions; valuing them all takes {amounts}."
        result = (f"{self.name} has {in_words(self.positions)} positions. Valuing them all (method strong) would take "
                  f"{amounts}")
        if asked:
            begun = "It is begun all the same." if anyway else (
                "It is not begun; with --anyway it is, and with --nodes N so far.")
            part = ("No game of this size has been solved by {} either." if beyond
                    else "Looking at a part of them is for {}.").format(_listed([*searches])) if searches else ""
            return f"{result}. {begun} {part}".rstrip()
        result += "; the value is searched for instead" if value_only else "; the first moves are searched instead"
        result += (", but no game of this size has been solved so." if beyond
                   else ", which looks at a part of them: how large a part, nobody can say.")
        hints = [] if value_only else ["With --value only the winner is asked for, which takes less."]
        if self.game.params:
            hints.append("A smaller board (-p) may be solved whole.")
        return " ".join([result, *hints])


def _listed(names: Sequence[str]) -> str:
    """As in `method proof` or `methods alphabeta, carriers and proof`."""
    return f"{'methods' if len(names) > 1 else 'method'} {every(names)}"

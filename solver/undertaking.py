"""The expected time and memory of valuing every position of a game, announced before long work begins.

Both follow from the expected number of positions: time from the plain kernel's speed, scaled to that of a compiled one,
memory from what `solver.tables` stores per position. Where the work is hopeless, the announcement says so, and what is
done instead.
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
"""The seconds above which work is long."""
_HOPELESS = 24 * 3600.0
"""The seconds above which work is hopeless."""
_ON_DISK = 4.0
"""The multiple of the memory limit above which work is hopeless: it may exceed 1, as finished positions go to disk."""
_NO_LIMIT = 16 << 10
"""The MiB of memory that are assumed where no limit is given."""
_POSITION, _MOVE = 15.0, 5.0
"""The bytes for a position besides its packed words (its slots, values and counts), and for each of its moves."""


@attrs.frozen
class Undertaking:
    """The expected cost of valuing every position of a game."""

    game: Game
    positions: float
    seconds: float
    size: float
    """Bytes."""
    memory: float
    """Bytes that are available."""

    @classmethod
    def of(cls, game: Game, kernel: Kernel, slow: Slow, memory: int | None) -> Undertaking:
        """Estimate the cost from what an enumeration by a plain kernel measured; `memory` is the limit in MiB."""
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
        """Whether the time or the memory exceeds the limits of what is feasible."""
        return self.seconds > _HOPELESS or self.size > _ON_DISK * self.memory

    @property
    def long(self) -> bool:
        """Whether the work is long enough to be announced."""
        return self.hopeless or self.seconds > _LONG

    @property
    def why_not(self) -> str:
        """Why the work is hopeless; '' where it is not."""
        if not self.hopeless:
            return ""
        return f"there are too many positions to value, {in_words(self.positions)}"

    def text(self, searches: Mapping[str, float], *, asked: bool, value_only: bool, anyway: bool = True) -> str:
        """The announcement before the work, in one paragraph.

        `searches` maps the names of the methods that visit a part of the positions to the number of positions of the
        largest games that they have solved. `asked` says that method strong was requested, `value_only` that only the
        root's value is wanted, `anyway` that hopeless work is begun all the same.
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
    """The names of methods in a sentence: `method proof` or `methods alphabeta, carriers and proof`."""
    return f"{'methods' if len(names) > 1 else 'method'} {every(names)}"

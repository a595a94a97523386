"""Families of games: a game file at several values of its params, with alternative changes of its rules.

`Family.instances()` yields every combination with its text and params; where these are not a valid game, the instance
has the reason. Nothing is solved here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product

import attrs

from dsl.diagnostics import Diagnostic, did_you_mean
from dsl.syntax.source import Source
from dslgame.laboratory.changes import Change, apply
from dslgame.laboratory.claims import Formula
from interpreter.game import Game, examine

MOST_INSTANCES = 10_000
"""The most combinations that a family may have; more are refused at once."""
_RANGE = re.compile(r"(-?[0-9]{1,9})\.\.(-?[0-9]{1,9})")
_NUMBER = re.compile(r"-?[0-9]{1,9}")


class FamilyError(ValueError):
    """An invalid family, range or column; the message says why and what was expected."""


@attrs.frozen
class Instance:
    """One game of a family."""

    number: int
    """Its index in the family, from 0."""
    params: Mapping[str, int]
    """The values of all params; only the requested ones where `game` is None."""
    changes: tuple[str, ...]
    """The changes of the file, as they were written, without those that change nothing."""
    source: Source
    game: Game | None
    """None where the text is not a valid game at these params."""
    problem: str = ""
    """The error, where `game` is None."""

    @property
    def name(self) -> str:
        """The params and changes, such as `rows=3 columns=2; win to lose`."""
        params = " ".join(f"{name}={value}" for name, value in self.params.items())
        return "; ".join([*([params] if params else []), *self.changes]) or "as it is"


def read_range(text: str) -> tuple[int, ...]:
    """Parse numbers and ranges, such as `3`, `2..4`, `2,3,5` or `2..4,8`. Raises FamilyError."""
    result: dict[int, None] = {}
    for part in text.split(","):
        word = part.strip()
        span = _RANGE.fullmatch(word)
        if span is not None:
            low, high = int(span[1]), int(span[2])
            if low > high:
                raise FamilyError(f"found '{word}', which has no number in it; expected the smaller one first")
            if high - low >= MOST_INSTANCES:
                raise FamilyError(f"found '{word}', expected at most {MOST_INSTANCES:,} numbers")
            result.update(dict.fromkeys(range(low, high + 1)))
        elif _NUMBER.fullmatch(word):
            result[int(word)] = None
        else:
            raise FamilyError(f"found '{word}', expected a number, a range such as 2..4, or several: 2,3,5")
    return tuple(result)


@attrs.frozen
class Family:
    """A game file with ranges of its params, and alternatives for its rules."""

    source: Source
    ranges: Mapping[str, Sequence[int]] = attrs.field(factory=dict)
    alternatives: Sequence[Sequence[Change]] = ()
    """Choices between changes; every instance has one change of each choice."""
    where: Formula | None = None
    """A condition on params; instances for which it does not hold are left out."""

    @property
    def size(self) -> int:
        """The number of combinations, including those that `where` leaves out."""
        count = 1
        for values in (*self.ranges.values(), *self.alternatives):
            count *= len(values)
        return count

    def instances(self) -> Iterator[Instance]:
        """Yield every instance in order: the last param varies fastest, the changes slowest.

        Raises FamilyError where there are too many combinations or a param does not exist, ChangeError where a change
        does not apply to the file, ClaimError where `where` cannot be evaluated.
        """
        if self.size > MOST_INSTANCES:
            raise FamilyError(f"the family has {self.size:,} instances, expected at most {MOST_INSTANCES:,}")
        number = 0
        for chosen in product(*self.alternatives):
            source = apply(self.source, *chosen)
            texts = tuple(change.text for change in chosen if change.kind != "as it is")
            for values in product(*self.ranges.values()):
                params = dict(zip(self.ranges, values, strict=True))
                game, result = examine(source, params)
                self._refuse_unknown(result, source)
                if self.where is not None and not self.where.holds(game.params if game else params):
                    continue
                problem = "" if game is not None else next(item.phrase for item in result if item.severity == "error")
                yield Instance(number, game.params if game else params, texts, source, game, problem)
                number += 1

    def _refuse_unknown(self, result: Sequence[Diagnostic], source: Source) -> None:
        """Raise FamilyError where `ranges` names a param that the file does not have."""
        if not any(item.code == "G501" for item in result):
            return
        from dsl.syntax import rules
        from dsl.syntax.parser import parse

        names = [item.name.text for item in parse(source).file.all(rules.Param)]
        unknown = next((name for name in self.ranges if name not in names), None)
        if unknown is not None:
            hint = did_you_mean(unknown, names)[0] or (f"its params are {', '.join(names)}" if names
                                                       else "it has no params")
            raise FamilyError(f"{source.name} has no param '{unknown}'; {hint}")

"""Measures of games: their definitions, how they are calculated from games, and when the values of two games differ.

The functions take plain numbers (points, lengths, estimates), so that they can be checked by hand. `DEFINITIONS` lists
all measures; the report and docs/laboratory.md show it. Sources: Browne, "Automatic Generation and Evaluation of
Recombination Games" (2008); Piette, Stephenson, Soemers and Browne, "General Board Game Concepts" (2021), the concepts
of Ludii; Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import attrs

from solver.players.matches import CONFIDENCE, interval

BROWNE, LUDII, ALLIS, OWN = "Browne 2008", "Ludii's concepts", "Allis 1994", ""
TRAILING = 0.5
"""A player whose estimate is below this is behind."""
DECIDED = 0.75
"""A game is decided from the ply on from which the winner's estimate stays at this or more."""


@attrs.frozen
class Definition:
    """The title, the meaning and the source of a measure."""

    title: str
    text: str
    source: str = OWN


DEFINITIONS: Mapping[str, Definition] = {
    "first_share": Definition("first player's share", "points per game of the player who moves first: 1 for a win, a "
                              "half for a draw", "Ludii's concepts (AdvantageP1)"),
    "balance": Definition("balance", "1 minus twice the distance of the first player's share from a half: 1 if both "
                          "sides have the same share", "Ludii's concepts (Balance)"),
    "draws": Definition("draws", "share of games without a winner", "Browne 2008 (drawishness)"),
    "unfinished": Definition("unfinished games", "share of games that do not end within the limit on plies",
                             "Browne 2008 (completion)"),
    "length": Definition("length", "mean number of plies per game", "Ludii's concepts (DurationTurns)"),
    "branching": Definition("branching", "mean number of legal moves per position, over all positions of all games",
                            "Allis 1994"),
    "state_space": Definition("state-space complexity", "log10 of the number of reachable positions", "Allis 1994"),
    "game_tree": Definition("game-tree complexity", "log10 of the number of leaves of the game tree, estimated from "
                            "random paths (Knuth 1975)", "Allis 1994"),
    "cells_used": Definition("cells used", "mean share of the board's cells that change during a game",
                             "Ludii's concepts (BoardCoverageUsed)"),
    "evenness": Definition("evenness of use", "entropy of the distribution of changes over the cells, divided by that "
                           "of a uniform distribution"),
    "cascade": Definition("forced cascade", "mean number of forced rules that apply after a move"),
    "longest_cascade": Definition("longest forced cascade", "the largest number seen after one move"),
    "first_moves": Definition("first moves", "the number of first moves"),
    "opening_classes": Definition("different first moves", "the number of first moves that differ under the game's "
                                  "symmetries"),
    "advantage": Definition("first-move advantage", "the first player's estimate after the best first move, minus a "
                            "half"),
    "advantage_with_pie": Definition("first-move advantage with the pie rule", "the same if the other player may take "
                                     "the better side after the first move: the most balanced move is played"),
    "decided": Definition("when it is decided", "share of a won game after which the winner's estimate stays at three "
                          "quarters or more", "Browne 2008 (decisiveness)"),
    "lead_changes": Definition("lead changes", "number of changes of the player with the better estimate, per ply",
                               "Browne 2008 (lead change)"),
    "drama": Definition("drama", "mean square root of the winner's deficit, over the plies at which the winner is "
                        "behind", "Browne 2008 (drama)"),
    "killer_moves": Definition("killer moves", "mean of the largest gain in the winner's estimate from a single move "
                               "of its own", "Browne 2008 (killer moves)"),
    "skill": Definition("skill", "share of the stronger of two levels against the weaker, with alternating sides",
                        "Browne 2008 (depth); Ludii's skill trace"),
}
"""All measures by name; in the name of a `Measure` of games between levels, a colon and the level follow."""


@attrs.frozen
class Measure:
    """A measure of one game."""

    name: str
    """A name in `DEFINITIONS`, followed by a colon and the level for games between levels."""
    value: float
    low: float
    """With `high` the 95% confidence interval; both are the value where it is exact."""
    high: float
    error: float = 0.0
    """The standard error; 0 where it is exact."""
    count: int = 0
    """The sample size; 0 where it is exact."""

    @property
    def definition(self) -> Definition:
        """The definition of the measure."""
        return DEFINITIONS[self.name.partition(":")[0]]

    @property
    def title(self) -> str:
        """The title of the measure for people, with its level."""
        _, colon, level = self.name.partition(":")
        return self.definition.title + (f", {level}" if colon else "")

    def as_object(self) -> dict[str, object]:
        """The measure as plain values for JSON."""
        return {"name": self.name, "title": self.title, "value": round(self.value, 6), "low": round(self.low, 6),
                "high": round(self.high, 6), "error": round(self.error, 6), "count": self.count}


def exact(name: str, value: float) -> Measure:
    """A measure without error."""
    return Measure(name, value, value, value)


def share(name: str, points: float, count: int) -> Measure:
    """The share of points, or of occurrences, in `count` games, with Wilson's interval."""
    result = points / count if count else 0.5
    low, high = interval(result, count)
    return Measure(name, result, low, high, (high - low) / (2 * CONFIDENCE), count)


def mean(name: str, values: Sequence[float]) -> Measure | None:
    """The mean of the values of several games, with its standard error; None without values."""
    if not values:
        return None
    count = len(values)
    middle = math.fsum(values) / count
    variance = math.fsum((value - middle) ** 2 for value in values) / (count - 1) if count > 1 else 0.0
    error = math.sqrt(variance / count)
    return Measure(name, middle, middle - CONFIDENCE * error, middle + CONFIDENCE * error, error, count)


def ratio(name: str, parts: Sequence[float], wholes: Sequence[float]) -> Measure | None:
    """The ratio of two sums over games, such as moves by positions, with the standard error of a ratio of means.

    None where the divisor is 0.
    """
    total = math.fsum(wholes)
    if not total:
        return None
    count, result = len(wholes), math.fsum(parts) / total
    variance = math.fsum((part - result * whole) ** 2 for part, whole in zip(parts, wholes, strict=True))
    error = math.sqrt(variance * count / (count - 1)) / total if count > 1 else 0.0
    return Measure(name, result, result - CONFIDENCE * error, result + CONFIDENCE * error, error, count)


# ---- from estimates


def decided_at(estimates: Sequence[float]) -> float:
    """The share of a won game after which the winner's estimates, one per position, stay at `DECIDED` or more."""
    plies = len(estimates) - 1
    at = plies
    while at > 0 and estimates[at - 1] >= DECIDED:
        at -= 1
    return at / plies if plies > 0 else 0.0


def lead_changes(estimates: Sequence[float]) -> float:
    """The number of lead changes per ply in one player's estimates; even positions are skipped."""
    sides = [value > TRAILING for value in estimates if value != TRAILING]
    plies = len(estimates) - 1
    return sum(one != other for one, other in itertools.pairwise(sides)) / plies if plies > 0 else 0.0


def drama(estimates: Sequence[float]) -> float:
    """The mean square root of how far the winner is behind, over the positions except the last in which it is behind.

    With the winner's estimate e and the other player's 1 - e, the winner is behind by 1 - 2e.
    """
    behind = [1 - 2 * value for value in estimates[:-1] if value < TRAILING]
    return math.fsum(map(math.sqrt, behind)) / len(behind) if behind else 0.0


def killer_move(estimates: Sequence[float], movers: Sequence[bool]) -> float:
    """The largest gain of the winner's estimate by one of its own moves; `movers` is true for the winner's plies."""
    gains = [after - before for before, after, own in zip(estimates, estimates[1:], movers, strict=False) if own]
    return max(gains, default=0.0)


def evenness(counts: Sequence[int]) -> float:
    """The entropy of counts divided by that of a uniform distribution: 1 where all are equal, 0 where one has all."""
    total = sum(counts)
    if len(counts) < 2 or not total:
        return 1.0
    shares = [count / total for count in counts if count]
    return -math.fsum(part * math.log(part) for part in shares) / math.log(len(counts)) + 0.0


def pie(estimates: Sequence[float]) -> tuple[float, float]:
    """The first player's advantage without and with the pie rule, from the estimates of the first moves."""
    return max(estimates) - 0.5, max(min(value, 1 - value) for value in estimates) - 0.5


# ---- two games


@attrs.frozen
class Change:
    """A measure of two games to compare."""

    before: Measure
    after: Measure

    @property
    def difference(self) -> float:
        """The second value minus the first."""
        return self.after.value - self.before.value

    @property
    def z(self) -> float:
        """The difference in standard errors; infinite where exact values differ."""
        error = math.hypot(self.before.error, self.after.error)
        if not error:
            return math.inf * self.difference if self.difference else 0.0
        return self.difference / error

    @property
    def significant(self) -> bool:
        """Whether the difference is significant at the 5% level (two-sided)."""
        return abs(self.z) > CONFIDENCE


def changes(one: Sequence[Measure], other: Sequence[Measure]) -> list[Change]:
    """The measures that both games have, as pairs."""
    others = {item.name: item for item in other}
    return [Change(item, others[item.name]) for item in one if item.name in others]

"""Measures of games: what each is called and means, how it is calculated from games, and when two differ.

The functions take plain numbers (points, lengths, estimates), so that they can be worked by hand. `DEFINITIONS` is the
one list of measures; the report and docs/laboratory.md show it. Sources: Browne, "Automatic Generation and Evaluation
of Recombination Games" (2008); Piette, Stephenson, Soemers and Browne, "General Board Game Concepts" (2021), the
concepts of Ludii; Allis, "Searching for Solutions in Games and Artificial Intelligence" (1994).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import attrs

from solver.players.matches import CONFIDENCE, interval

BROWNE, LUDII, ALLIS, OWN = "Browne 2008", "Ludii's concepts", "Allis 1994", ""
TRAILING = 0.5
"""An estimate under which a player is behind."""
DECIDED = 0.75
"""An estimate that the winner keeps from then on: the game is decided."""


@attrs.frozen
class Definition:
    """What a measure is."""

    title: str
    text: str
    source: str = OWN


DEFINITIONS: Mapping[str, Definition] = {
    "first_share": Definition("first player's share", "points of the player who moves first, for each game: 1 for a "
                              "win, a half for a draw", "Ludii's concepts (AdvantageP1)"),
    "balance": Definition("balance", "1 less twice the distance of the first player's share from a half: 1 where "
                          "sides have the same", "Ludii's concepts (Balance)"),
    "draws": Definition("draws", "share of games that nobody wins", "Browne 2008 (drawishness)"),
    "unfinished": Definition("unfinished games", "share of games that do not end within the plies allowed",
                             "Browne 2008 (completion)"),
    "length": Definition("length", "plies of a game, on average", "Ludii's concepts (DurationTurns)"),
    "branching": Definition("branching", "moves to choose from in a position, on average over all positions of all "
                            "games", "Allis 1994"),
    "state_space": Definition("state-space complexity", "log10 of the number of positions that can be reached",
                              "Allis 1994"),
    "game_tree": Definition("game-tree complexity", "log10 of the number of leaves of the game tree, by random ways "
                            "(Knuth 1975)", "Allis 1994"),
    "cells_used": Definition("cells used", "share of the board's cells on which something changes in a game, on "
                             "average", "Ludii's concepts (BoardCoverageUsed)"),
    "evenness": Definition("evenness of use", "entropy of the changes over the cells, divided by that of even use"),
    "cascade": Definition("forced cascade", "forced rules that apply after a move, on average"),
    "longest_cascade": Definition("longest forced cascade", "the most that were seen after one move"),
    "first_moves": Definition("first moves", "how many there are"),
    "opening_classes": Definition("different first moves", "how many of them are left up to the game's symmetries"),
    "advantage": Definition("first-move advantage", "estimate of the first player with the best first move, less a "
                            "half"),
    "advantage_with_pie": Definition("first-move advantage with the pie rule", "the same where the other player may "
                                     "take the better side after the first move: the most balanced move is played"),
    "decided": Definition("when it is decided", "share of a won game after which the winner's estimate stays at "
                          "three quarters or more", "Browne 2008 (decisiveness)"),
    "lead_changes": Definition("lead changes", "how often in a game the player with the better estimate changes, for "
                               "each ply", "Browne 2008 (lead change)"),
    "drama": Definition("drama", "mean root of how far the winner is behind, over the plies at which that is so",
                        "Browne 2008 (drama)"),
    "killer_moves": Definition("killer moves", "the largest gain of the winner's estimate by a move of its own, on "
                               "average", "Browne 2008 (killer moves)"),
    "skill": Definition("skill", "share of the stronger of two levels against the weaker, sides changed", "Browne "
                        "2008 (depth); Ludii's skill trace"),
}
"""Every measure; a level that plays is added to the name after a colon."""


@attrs.frozen
class Measure:
    """A measure of one game."""

    name: str
    """A name of `DEFINITIONS`, with a level after a colon where players of that level played."""
    value: float
    low: float
    """With `high`: where the true value lies, with 95% confidence; both are the value where it is exact."""
    high: float
    error: float = 0.0
    """The standard error; 0 where it is exact."""
    count: int = 0
    """Games, or plies, that it is taken from."""

    @property
    def definition(self) -> Definition:
        """What it is."""
        return DEFINITIONS[self.name.partition(":")[0]]

    @property
    def title(self) -> str:
        """Its name for people."""
        _, colon, level = self.name.partition(":")
        return self.definition.title + (f", {level}" if colon else "")

    def as_object(self) -> dict[str, object]:
        """For JSON."""
        return {"name": self.name, "title": self.title, "value": round(self.value, 6), "low": round(self.low, 6),
                "high": round(self.high, 6), "error": round(self.error, 6), "count": self.count}


def exact(name: str, value: float) -> Measure:
    """A number that is counted."""
    return Measure(name, value, value, value)


def share(name: str, points: float, count: int) -> Measure:
    """Points, or how often something was so, out of so many games, with Wilson's interval."""
    result = points / count if count else 0.5
    low, high = interval(result, count)
    return Measure(name, result, low, high, (high - low) / (2 * CONFIDENCE), count)


def mean(name: str, values: Sequence[float]) -> Measure | None:
    """The mean of values of different games, with its standard error; None without any."""
    if not values:
        return None
    count = len(values)
    middle = math.fsum(values) / count
    variance = math.fsum((value - middle) ** 2 for value in values) / (count - 1) if count > 1 else 0.0
    error = math.sqrt(variance / count)
    return Measure(name, middle, middle - CONFIDENCE * error, middle + CONFIDENCE * error, error, count)


def ratio(name: str, parts: Sequence[float], wholes: Sequence[float]) -> Measure | None:
    """A sum over games divided by another, such as moves by positions; the error is that of a ratio of means."""
    total = math.fsum(wholes)
    if not total:
        return None
    count, result = len(wholes), math.fsum(parts) / total
    variance = math.fsum((part - result * whole) ** 2 for part, whole in zip(parts, wholes, strict=True))
    error = math.sqrt(variance * count / (count - 1)) / total if count > 1 else 0.0
    return Measure(name, result, result - CONFIDENCE * error, result + CONFIDENCE * error, error, count)


# ---- from estimates


def decided_at(estimates: Sequence[float]) -> float:
    """The share of a won game after which the winner's estimates, one for each position, stay at `DECIDED` or more."""
    plies = len(estimates) - 1
    at = plies
    while at > 0 and estimates[at - 1] >= DECIDED:
        at -= 1
    return at / plies if plies > 0 else 0.0


def lead_changes(estimates: Sequence[float]) -> float:
    """How often the leader changes between one player's estimates, for each ply; level positions change nothing."""
    sides = [value > TRAILING for value in estimates if value != TRAILING]
    plies = len(estimates) - 1
    return sum(one != other for one, other in itertools.pairwise(sides)) / plies if plies > 0 else 0.0


def drama(estimates: Sequence[float]) -> float:
    """The mean root of how far the winner is behind, over the positions, but the last, in which that is so.

    The winner's estimate is e and the other player's 1 - e: behind by 1 - 2e.
    """
    behind = [1 - 2 * value for value in estimates[:-1] if value < TRAILING]
    return math.fsum(map(math.sqrt, behind)) / len(behind) if behind else 0.0


def killer_move(estimates: Sequence[float], movers: Sequence[bool]) -> float:
    """The largest gain of the winner's estimate by one of its moves; `movers` says which plies are the winner's."""
    gains = [after - before for before, after, own in zip(estimates, estimates[1:], movers, strict=False) if own]
    return max(gains, default=0.0)


def evenness(counts: Sequence[int]) -> float:
    """The entropy of counts, divided by that of as many equal ones: 1 where all are equal, 0 where one has all."""
    total = sum(counts)
    if len(counts) < 2 or not total:
        return 1.0
    shares = [count / total for count in counts if count]
    return -math.fsum(part * math.log(part) for part in shares) / math.log(len(counts)) + 0.0


def pie(estimates: Sequence[float]) -> tuple[float, float]:
    """The first player's advantage by the estimates of its first moves, without and with the pie rule."""
    return max(estimates) - 0.5, max(min(value, 1 - value) for value in estimates) - 0.5


# ---- two games


@attrs.frozen
class Change:
    """A measure of two games side by side."""

    before: Measure
    after: Measure

    @property
    def difference(self) -> float:
        """How much more the second has."""
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
        """Whether chance alone would show such a difference in fewer than 5 of 100 comparisons."""
        return abs(self.z) > CONFIDENCE


def changes(one: Sequence[Measure], other: Sequence[Measure]) -> list[Change]:
    """The measures that both games have, side by side."""
    others = {item.name: item for item in other}
    return [Change(item, others[item.name]) for item in one if item.name in others]

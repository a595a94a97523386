"""Sequential tests: a match that goes on until it shows which of two hypotheses about its players is the likelier.

The hypotheses are differences in strength, in Elo points: that the first player is `low` better than the second, or
`high`. The unit is two games from one opening with sides changed, which depend on each other: 0, 1/2, 1, 3/2 or 2
points of 2. After each, the generalised likelihood ratio compares the likeliest distribution over these five results
that has the one mean with the likeliest that has the other; the test ends when its logarithm leaves the bounds of Wald.
Source: M. Van den Bergh, "A practical introduction to the GSPRT" (2020), as engines of other games are tested.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal

import attrs

from dslgame.programs.standings import POINTS, Record

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The scores of two games."""
ERROR = 0.05
"""How often each hypothesis is refused though it holds."""
BELIEF = 1e-3
"""What is added to each count, so that a result not met yet is not held to be impossible."""

Verdict = Literal["accepted", "refused", "open"]


@attrs.frozen
class SequentialTest:
    """Whether the first player is better than the second by `high` Elo points rather than by `low`."""

    low: float
    high: float
    error: float = ERROR

    @property
    def bound(self) -> float:
        """The logarithm of the likelihood ratio at which the test ends, and minus which."""
        return math.log((1 - self.error) / self.error)

    def state(self, first: str, records: Iterable[Record]) -> State:
        """What the games of a match of two say, of which `first` is the first player's name; single games wait."""
        counts = pair_counts(first, records)
        ratio = log_likelihood_ratio(counts, expected_score(self.low), expected_score(self.high))
        verdict: Verdict = "accepted" if ratio >= self.bound else "refused" if ratio <= -self.bound else "open"
        return State(counts, ratio, verdict)


@attrs.frozen
class State:
    """How a sequential test stands."""

    counts: tuple[int, ...]
    """How often two games had each of `SCORES`."""
    ratio: float
    """The logarithm of the likelihood ratio; above 0 where the games speak for the first player."""
    verdict: Verdict


def pair_counts(first: str, records: Iterable[Record]) -> tuple[int, ...]:
    """How often a player had each of `SCORES` in two games from one opening: those numbered 2k and 2k + 1."""
    points: dict[int, list[float]] = {}
    for record in records:
        won = 0.5 if record["winner"] is None else float(record["winner"] == first)
        points.setdefault(record["number"] // 2, []).append(won)
    scores = [sum(games) / 2 for games in points.values() if len(games) == 2]
    return tuple(scores.count(score) for score in SCORES)


def expected_score(elo: float) -> float:
    """The share of points of who is so many Elo points better."""
    return 1 / (1 + math.exp(-elo / POINTS))


def log_likelihood_ratio(counts: Sequence[float], low: float, high: float) -> float:
    """The logarithm of how much likelier results are at a mean score of `high` than at `low`; 0 without results."""
    if not any(counts):
        return 0.0
    shares = [count + BELIEF for count in counts]
    at_low, at_high = likeliest(shares, low), likeliest(shares, high)
    return sum(count * math.log(more / less) for count, less, more in zip(counts, at_low, at_high, strict=True))


def likeliest(counts: Sequence[float], mean: float) -> list[float]:
    """The probabilities of `SCORES` with a mean, 0 < mean < 1, that make positive counts likeliest.

    They are p / (1 + t (score - mean)), p being the shares of the counts, for the one t at which their mean is `mean`.
    """
    total = sum(counts)
    shares = [count / total for count in counts]
    least, most = -1 / (SCORES[-1] - mean), 1 / (mean - SCORES[0])  # all probabilities are positive between
    for _ in range(200):
        middle = (least + most) / 2
        slope = sum(share * (score - mean) / (1 + middle * (score - mean))
                    for share, score in zip(shares, SCORES, strict=True))
        least, most = (middle, most) if slope > 0 else (least, middle)
    return [share / (1 + middle * (score - mean)) for share, score in zip(shares, SCORES, strict=True)]

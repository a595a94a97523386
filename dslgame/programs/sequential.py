"""Sequential tests (GSPRT): play a match until it is decided which of two hypotheses about its players is likelier.

The hypotheses are differences in strength: that the first player is `low` or `high` Elo points better than the second.
The unit is a pair of games from one opening with sides swapped, which are not independent: it scores 0, 1/2, 1, 3/2 or
2 points. The generalised likelihood ratio compares the likeliest distribution over these five results with the mean of
one hypothesis to that with the mean of the other; the test ends when its logarithm leaves Wald's bounds.
Source: M. Van den Bergh, "A practical introduction to the GSPRT" (2020), as engines of other games are tested.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Literal

import attrs

from dslgame.programs.standings import POINTS, Record

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The possible scores of a pair of games, as shares of its points."""
ERROR = 0.05
"""The probability of rejecting a hypothesis that holds."""
BELIEF = 1e-3
"""A pseudo-count added to each count, so that a result not seen yet does not have probability 0."""

Verdict = Literal["accepted", "refused", "open"]


@attrs.frozen
class SequentialTest:
    """Whether the first player is better than the second by `high` Elo points rather than by `low`."""

    low: float
    high: float
    error: float = ERROR

    @property
    def bound(self) -> float:
        """The absolute value of the log-likelihood ratio at which the test ends."""
        return math.log((1 - self.error) / self.error)

    def state(self, first: str, records: Iterable[Record]) -> State:
        """The state of the test after games of a match; incomplete pairs are ignored. `first` is a player's name."""
        counts = pair_counts(first, records)
        ratio = log_likelihood_ratio(counts, expected_score(self.low), expected_score(self.high))
        verdict: Verdict = "accepted" if ratio >= self.bound else "refused" if ratio <= -self.bound else "open"
        return State(counts, ratio, verdict)


@attrs.frozen
class State:
    """The state of a sequential test."""

    counts: tuple[int, ...]
    """The number of pairs of games with each of `SCORES`."""
    ratio: float
    """The log-likelihood ratio; above 0 where the games support the hypothesis `high`."""
    verdict: Verdict


def pair_counts(first: str, records: Iterable[Record]) -> tuple[int, ...]:
    """The number of pairs of games in which a player had each of `SCORES`; games 2k and 2k + 1 are a pair."""
    points: dict[int, list[float]] = {}
    for record in records:
        won = 0.5 if record["winner"] is None else float(record["winner"] == first)
        points.setdefault(record["number"] // 2, []).append(won)
    scores = [sum(games) / 2 for games in points.values() if len(games) == 2]
    return tuple(scores.count(score) for score in SCORES)


def expected_score(elo: float) -> float:
    """The expected share of points of a player that is `elo` Elo points better."""
    return 1 / (1 + math.exp(-elo / POINTS))


def log_likelihood_ratio(counts: Sequence[float], low: float, high: float) -> float:
    """The log-likelihood ratio of a mean score of `high` to one of `low`, given counts of results; 0 without results.
    """
    if not any(counts):
        return 0.0
    shares = [count + BELIEF for count in counts]
    at_low, at_high = likeliest(shares, low), likeliest(shares, high)
    return sum(count * math.log(more / less) for count, less, more in zip(counts, at_low, at_high, strict=True))


def likeliest(counts: Sequence[float], mean: float) -> list[float]:
    """The maximum-likelihood probabilities of `SCORES` with a given mean, 0 < mean < 1, for positive counts.

    They are p / (1 + t (score - mean)), where p are the shares of the counts, for the one t that gives them this mean.
    """
    total = sum(counts)
    shares = [count / total for count in counts]
    least, most = -1 / (SCORES[-1] - mean), 1 / (mean - SCORES[0])  # between these all probabilities are positive
    for _ in range(200):
        middle = (least + most) / 2
        slope = sum(share * (score - mean) / (1 + middle * (score - mean))
                    for share, score in zip(shares, SCORES, strict=True))
        least, most = (middle, most) if slope > 0 else (least, middle)
    return [share / (1 + middle * (score - mean)) for share, score in zip(shares, SCORES, strict=True)]

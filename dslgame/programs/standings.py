"""Standings of a match: scores with confidence intervals, Elo ratings with errors, and the cross table.

Ratings maximise the likelihood of the results in the model of Bradley and Terry, in which 400 points mean odds of ten
to one and a draw is half a win. A weak prior keeps the rating of a player who always wins finite. Errors are the
half-widths of 95% confidence intervals.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from solver.players.matches import CONFIDENCE, interval

POINTS = 400 / math.log(10)
"""The Elo points of one unit of the model, in which strengths are natural logarithms of odds."""
BELIEF = 1_000.0
"""The standard deviation of the prior of ratings in Elo points."""

Record = Mapping[str, Any]
"""The record of a game, as in logs."""


@attrs.define
class Row:
    """A player's results."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    """The number of forfeited games, which are also counted as lost or drawn."""
    seconds: float = 0.0
    processor: float | None = 0.0
    """The processor time in seconds; None where it was not measured in every game."""
    moves: float = 0.0
    elo: float = 0.0
    error: float = 0.0

    @property
    def games(self) -> int:
        """The number of games played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points: a win counts 1, a draw a half."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """The mean points per game; a half without games."""
        return self.points / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """The 95% confidence interval of the score."""
        return interval(self.score, self.games)

    @property
    def pace(self) -> float:
        """The mean seconds per move."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def processor_pace(self) -> float | None:
        """The mean processor time per move in seconds; None where it was not measured."""
        return self.processor / self.moves if self.moves and self.processor is not None else None


def table(names: Sequence[str], records: Iterable[Record]) -> tuple[list[Row], dict[tuple[str, str], Row]]:
    """The results of all players, best first, and the results of each player against each other, by both names."""
    rows = {name: Row(name) for name in names}
    pairs = {(one, other): Row(one) for one in names for other in names if one != other}
    for record in records:
        sides = list(record["players"].items())
        opening = len(record["opening"])
        made = len(record["moves"]) - opening
        playing = dict.fromkeys(name for _, name in sides)
        for name in playing:
            other = next(one for one in playing if one != name)
            seats = [side for side, one in sides if one == name]
            for row in (rows[name], pairs[name, other]):
                row.wins += record["winner"] == name
                row.draws += record["winner"] is None
                row.losses += record["winner"] == other
                row.forfeits += name in record["forfeits"]
                row.seconds += sum(record["seconds"][side] for side in seats)
                used = [record.get("processor", {}).get(side) for side in seats]
                row.processor = None if row.processor is None or None in used else row.processor + sum(used)
                row.moves += made * len(seats) / len(sides)
    for name, (elo, error) in ratings(names, pairs).items():
        rows[name].elo, rows[name].error = elo, error
    ranked = sorted(rows.values(), key=lambda row: (-row.score, -row.elo, row.name))
    return ranked, pairs


def ratings(names: Sequence[str], pairs: Mapping[tuple[str, str], Row]) -> dict[str, tuple[float, float]]:
    """The Elo rating of each player, with its error; the mean of the ratings is 0."""
    import numpy

    count = len(names)
    games = numpy.array([[pairs[one, other].games if one != other else 0 for other in names] for one in names], float)
    points = numpy.array([[pairs[one, other].points if one != other else 0 for other in names] for one in names])
    strength = numpy.zeros(count)
    trust = (POINTS / BELIEF) ** 2
    for _ in range(100):
        likely = 1 / (1 + numpy.exp(numpy.clip(strength[None, :] - strength[:, None], -50, 50)))
        slope = (points - games * likely).sum(axis=1) - trust * strength
        weight = games * likely * (1 - likely)
        curve = numpy.diag(weight.sum(axis=1) + trust) - weight
        step = numpy.linalg.solve(curve, slope)
        strength += numpy.clip(step, -2, 2)
        if numpy.abs(step).max() < 1e-9:
            break
    centred = numpy.eye(count) - 1 / count
    spread = centred @ numpy.linalg.inv(curve) @ centred
    return {name: (float((strength[number] - strength.mean()) * POINTS),
                   float(CONFIDENCE * math.sqrt(max(0.0, spread[number, number])) * POINTS))
            for number, name in enumerate(names)}


def difference(rows: Sequence[Row]) -> tuple[float, float]:
    """The Elo difference of two players, positive where the first is better, with its error."""
    one, other = rows
    return one.elo - other.elo, one.error + other.error

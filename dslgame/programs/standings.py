"""What games say of who plays better: scores with their intervals, Elo ratings with their errors, the cross table.

Ratings are those that make the results likeliest when a player who is 400 points better scores ten times as often
(Bradley and Terry's model, a draw being half a win), with a weak belief that nobody is far from the others, without
which a player who always won would be better without bound. Errors are those of a 95% confidence.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import attrs

from solver.players.matches import CONFIDENCE, interval

POINTS = 400 / math.log(10)
"""Elo points of a unit of the model."""
BELIEF = 1_000.0
"""Standard deviation, in Elo points, of what is believed of ratings before any game."""

Record = Mapping[str, Any]
"""A game as logs have it."""


@attrs.define
class Row:
    """A player's results."""

    name: str
    wins: int = 0
    draws: int = 0
    losses: int = 0
    forfeits: int = 0
    """Games of the lost ones, or drawn ones, that were forfeited."""
    seconds: float = 0.0
    processor: float | None = 0.0
    """Seconds of the processor; None where it was not seen in every game."""
    moves: float = 0.0
    elo: float = 0.0
    error: float = 0.0

    @property
    def games(self) -> int:
        """Games played."""
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """A win is 1, a draw a half."""
        return self.wins + self.draws / 2

    @property
    def score(self) -> float:
        """Points for each game; a half before any."""
        return self.points / self.games if self.games else 0.5

    @property
    def interval(self) -> tuple[float, float]:
        """Where the true score lies, with 95% confidence."""
        return interval(self.score, self.games)

    @property
    def pace(self) -> float:
        """Seconds for a move."""
        return self.seconds / self.moves if self.moves else 0.0

    @property
    def processor_pace(self) -> float | None:
        """Seconds of the processor for a move; None where they were not seen."""
        return self.processor / self.moves if self.moves and self.processor is not None else None


def table(names: Sequence[str], records: Iterable[Record]) -> tuple[list[Row], dict[tuple[str, str], Row]]:
    """The players' results, the best first, and those of each against each other: by both names, the first's."""
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
    """Each player's Elo rating, their mean being 0, with its error."""
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
    """Of two players, how many Elo points the first is better, with the error."""
    one, other = rows
    return one.elo - other.elo, one.error + other.error

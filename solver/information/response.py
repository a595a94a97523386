"""Values of best responses to strategies, and conversions between plans and behaviours, in floats and in fractions.

A strategy is given by its *plan*, for each sequence the product of the probabilities of the player's moves in it, or by
its *behaviour*, the probability of each move in its information state.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from interpreter.arrays import Reals
from solver.information.tree import SequenceForm, Treeplex


def best_worth(side: Treeplex, worth: Reals) -> float:
    """The value of a best response, where `worth` (float64[sequences]) is the value of each sequence."""
    worth = worth.copy()
    for begin, end in reversed(side.levels):
        first, last = side.firsts[begin], side.firsts[end]
        best = np.maximum.reduceat(worth[first:last], side.firsts[begin:end] - first)
        np.add.at(worth, side.parents[begin:end], best)
    return float(worth[0])


def exact_best(side: Treeplex, worth: Sequence[Fraction]) -> Fraction:
    """The value of a best response, as `best_worth` gives it, in fractions."""
    result = list(worth)
    for state in reversed(side.states):
        result[state.parent] += max(result[state.first : state.first + len(state.moves)])
    return result[0]


def plan_of(side: Treeplex, behaviour: Reals) -> Reals:
    """The plan of a behaviour: float64[sequences]."""
    plan = np.ones(side.sequences)
    for begin, end in side.levels:
        first, last = side.firsts[begin], side.firsts[end]
        counts = np.diff(side.firsts[begin : end + 1])
        plan[first:last] = behaviour[first:last] * np.repeat(plan[side.parents[begin:end]], counts)
    return plan


def behaviour_of(side: Treeplex, plan: Reals) -> Reals:
    """The behaviour of a plan: float64[sequences]; uniform in states that the plan never reaches."""
    counts, weights = np.diff(side.firsts), np.maximum(plan[1:], 0)  # linear programs give -1e-17
    whole = np.repeat(np.add.reduceat(weights, side.firsts[:-1] - 1), counts)
    result = np.ones(side.sequences)
    result[1:] = np.where(whole > 0, weights / np.where(whole > 0, whole, 1), np.repeat(1 / counts, counts))
    return result


def exact_plan(side: Treeplex, behaviour: Reals, limit: int) -> list[Fraction]:
    """A plan in fractions near a behaviour, whose probabilities are rounded to denominators up to `limit`."""
    plan = [Fraction(1)] * side.sequences
    for state in side.states:
        places = range(state.first, state.first + len(state.moves))
        shares = [max(Fraction(0), Fraction(float(behaviour[place])).limit_denominator(limit)) for place in places]
        whole = sum(shares)
        for place, share in zip(places, shares, strict=True):
            plan[place] = plan[state.parent] * (share / whole if whole else Fraction(1, len(state.moves)))
    return plan


def exact_value(form: SequenceForm, behaviours: Sequence[Reals]) -> Fraction | None:
    """The value of a game as a fraction, where strategies near the given ones are proven optimal; else None.

    The proof: the best responses to the two strategies have the same value, so that neither player can gain.
    """
    for most in (64, 1_000, 100_000):
        plans = [exact_plan(side, behaviour, most) for side, behaviour in zip(form.players, behaviours, strict=True)]
        to_first = [Fraction(0)] * form.players[0].sequences
        to_second = [Fraction(0)] * form.players[1].sequences
        for row, column, worth in zip(form.rows.tolist(), form.columns.tolist(), form.worth, strict=True):
            to_first[row] += worth * plans[1][column]
            to_second[column] -= worth * plans[0][row]
        upper, lower = exact_best(form.players[0], to_first), -exact_best(form.players[1], to_second)
        if upper == lower:
            return upper
    return None

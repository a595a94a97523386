"""Approximately optimal strategies of a sequence form, by counterfactual regret minimisation.

Discounted CFR (Brown and Sandholm 2019) with the parameters that its authors recommend, or CFR+ (Tammelin 2014), with
alternating updates. Each iteration goes through the information states of both players level by level, with array
operations on all states of a level; one product with a sparse matrix gives the values of the sequences against the
other player's plan and chance.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import attrs
import numpy as np

from interpreter.arrays import Reals
from solver.information.matrix import Payoffs
from solver.information.response import behaviour_of, plan_of
from solver.information.tree import SequenceForm, Treeplex

CHECKED = 25
"""The least number of iterations between checks of the exploitability; later, a quarter of those made so far."""
MOST_ITERATIONS = 100_000


@attrs.frozen(eq=False)
class Learning:
    """The result of learning: the plans, and the bounds of the game's value."""

    plans: tuple[Reals, Reals]
    lower: float
    upper: float
    iterations: int
    seconds: float

    @property
    def exploitability(self) -> float:
        """How much a best response gains against these strategies, on average over the two players."""
        return max(0.0, (self.upper - self.lower) / 2)


class Learner:
    """Improves two strategies with each iteration, by discounted CFR or, with `plus`, by CFR+."""

    def __init__(self, form: SequenceForm, *, plus: bool = False) -> None:
        self.form, self.plus = form, plus
        self.payoffs = Payoffs(form)
        self.iterations = 0
        self._sides = [_Side(side) for side in form.players]

    def step(self) -> None:
        """Run one iteration: the players learn in turn, each against the other's current strategy."""
        self.iterations += 1
        for player, side in enumerate(self._sides):
            side.learn(self.payoffs.against(player, self._sides[1 - player].plan), self.iterations, plus=self.plus)

    def plans(self) -> tuple[Reals, Reals]:
        """The average plans so far, which converge to optimal ones."""
        one, other = (plan_of(side.tree, behaviour_of(side.tree, side.sums)) if self.iterations else side.plan
                      for side in self._sides)
        return one, other


class _Side:
    """One player's regrets and strategy."""

    def __init__(self, tree: Treeplex) -> None:
        self.tree = tree
        self.regrets = np.zeros(tree.sequences)
        self.sums = np.zeros(tree.sequences)
        self._even = np.ones(tree.sequences)
        counts = np.diff(tree.firsts)
        self._even[1:] = np.repeat(1 / counts, counts)
        self.behaviour = self._even.copy()
        self.plan = plan_of(tree, self.behaviour)
        self._levels = [(begin, end, int(tree.firsts[begin]), int(tree.firsts[end]),
                         tree.firsts[begin:end] - tree.firsts[begin], counts[begin:end], tree.parents[begin:end])
                        for begin, end in tree.levels]
        self._starts, self._counts = tree.firsts[:-1] - 1, counts

    def learn(self, worth: Reals, iteration: int, *, plus: bool) -> None:
        """Update the regrets from the values of the sequences, `worth`, which is overwritten; then the strategy."""
        if not self.tree.states:
            return
        for _, _, first, last, starts, counts, parents in reversed(self._levels):
            mine = worth[first:last]
            whole = np.add.reduceat(mine * self.behaviour[first:last], starts)
            self.regrets[first:last] += mine - np.repeat(whole, counts)
            np.add.at(worth, parents, whole)
        if plus:
            np.maximum(self.regrets, 0, out=self.regrets)
        else:
            gained = iteration**1.5
            self.regrets *= np.where(self.regrets > 0, gained / (gained + 1), 0.5)
        positive = np.maximum(self.regrets[1:], 0)
        whole = np.repeat(np.add.reduceat(positive, self._starts), self._counts)
        self.behaviour[1:] = np.where(whole > 0, positive / np.where(whole > 0, whole, 1), self._even[1:])
        self.plan = plan_of(self.tree, self.behaviour)
        weight = float(iteration) if plus else float(iteration) ** 2
        self.sums += weight * self.plan


def learn(form: SequenceForm, *, exploitability: float = 1e-3, iterations: int | None = None,
          seconds: float | None = None, plus: bool = False,
          tell: Callable[[int, float], None] | None = None) -> Learning:
    """Learn strategies until their exploitability is small enough, or the iterations or seconds are used up."""
    started = time.perf_counter()
    learner = Learner(form, plus=plus)
    most = MOST_ITERATIONS if iterations is None else iterations
    check = min(CHECKED, most)
    while True:
        while learner.iterations < check:
            learner.step()
        plans = learner.plans()
        lower, upper = learner.payoffs.bounds(*plans)
        spent = time.perf_counter() - started
        result = Learning(plans, lower, upper, learner.iterations, spent)
        if tell is not None:
            tell(learner.iterations, result.exploitability)
        if result.exploitability <= exploitability or learner.iterations >= most or (
                seconds is not None and spent >= seconds):
            return result
        check = min(most, learner.iterations + max(CHECKED, learner.iterations // 4))

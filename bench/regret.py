"""Counterfactual regret minimisation against OpenSpiel: `python -m bench.regret [SECONDS]`.

Measures iterations of CFR+ per second of processor time, by `solver.information.regret` and by OpenSpiel's C++
`CFRPlusSolver`; both update each player once per iteration. Also prints the exploitability that each has reached when
its time ends, and the time that discounted CFR, as `dslgame solve --method regret` runs it, takes to get below 0.001.
"""

from __future__ import annotations

import sys
import time

import dslgame
from solver.information.regret import Learner, learn
from solver.information.tree import SequenceForm, sequence_form

GAMES = ("kuhn_poker", "leduc_poker", "liars_dice")
"""Games with the same names and rules in OpenSpiel."""
NEAR = 0.001


def form_of(name: str) -> SequenceForm:
    """The sequence form of a bundled game."""
    return sequence_form(dslgame.load(name))


def ours(form: SequenceForm, seconds: float) -> tuple[float, float]:
    """Iterations of our CFR+ per second, and the exploitability at the end."""
    learner, started = Learner(form, plus=True), time.process_time()
    while time.process_time() - started < seconds:
        learner.step()
    spent = time.process_time() - started
    lower, upper = learner.payoffs.bounds(*learner.plans())
    return learner.iterations / spent, (upper - lower) / 2


def theirs(name: str, seconds: float) -> tuple[float, float]:
    """Iterations of OpenSpiel's CFR+ per second, and the exploitability at the end."""
    import pyspiel

    game = pyspiel.load_game(name)
    solver, iterations, started = pyspiel.CFRPlusSolver(game), 0, time.process_time()
    while time.process_time() - started < seconds:
        solver.evaluate_and_update_policy()
        iterations += 1
    spent = time.process_time() - started
    return iterations / spent, pyspiel.exploitability(game, solver.average_policy())


if __name__ == "__main__":
    given = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    print(f"{'iterations a second':<20}{'ours':>10}{'OpenSpiel':>12}{'ratio':>8}{'exploitability':>18}{'OpenSpiel':>12}"
          f"{f'below {NEAR} in':>18}")
    for name in GAMES:
        form = form_of(name)
        (mine, left), (other, others_left) = ours(form, given), theirs(name, given)
        started = time.process_time()
        learn(form, exploitability=NEAR)
        spent = time.process_time() - started
        print(f"{name:<20}{mine:>10,.0f}{other:>12,.0f}{mine / other:>8.1f}{left:>18.2g}{others_left:>12.2g}"
              f"{spent:>16.2f} s")

"""Solves games of one or two players with hidden information: finds the value, and strategies that guarantee it.

`by_program` solves small games exactly, `by_learning` larger ones approximately. Called by the methods of
`solver.methods`.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import attrs

from interpreter.arrays import Reals
from interpreter.game import Game
from interpreter.model.state import Move, State
from solver.budget import MOST_HISTORIES, OutOfBudget
from solver.errors import Refused, TooLarge
from solver.information.response import behaviour_of, exact_value
from solver.information.strategies import Strategies
from solver.information.tree import SequenceForm, sequence_form
from solver.methods import GivesWay
from solver.report import Report

if TYPE_CHECKING:
    from solver.solve import Solution
    from solver.task import Task

MOST_SEQUENCES = 8_000
"""The most sequences, of both players together, for a linear program, unless that method is asked for."""
MOST_EXACT = 200_000
"""The most ends with which the value is proven as a fraction: more would take long."""
NEAR_ENOUGH = 1e-3
"""The exploitability at which learning ends, unless the task gives another."""
_HANDED_ON: dict[Game, tuple[State, SequenceForm]] = {}
"""The sequence form of a method that gave way, until the next method takes it."""


def form_of(task: Task) -> SequenceForm:
    """The sequence form of a task's game. Raises Refused where there is none; TooLarge where a limit is reached."""
    game, root = _game(task), task.space.start()
    if game in _HANDED_ON:
        start, form = _HANDED_ON.pop(game)
        if start == root:
            return form
    started = time.monotonic()

    def tell(nodes: int, expected: float | None) -> None:
        rate = nodes / max(1e-3, time.monotonic() - started)
        about = "" if expected is None else f" of about {max(expected, nodes):,.0f}"
        task.budget.spend(nodes, nodes, f"going through histories{about}, {rate:,.0f} a second")

    try:
        return sequence_form(game, root=root, most=task.budget.nodes or MOST_HISTORIES, tell=tell)
    except OutOfBudget as limit:
        raise TooLarge(f"the histories of {game.title} were not all gone through: {limit}") from None


def by_program(task: Task, why: str) -> Solution[State, Move]:
    """Find the exact value by linear programming."""
    from solver.information.linear import best_plans
    from solver.information.matrix import Payoffs

    form = form_of(task)
    size = sum(side.sequences for side in form.players)
    if not task.asked and size > MOST_SEQUENCES:
        _HANDED_ON.clear()
        _HANDED_ON[_game(task)] = task.space.start(), form
        raise GivesWay(f"{size:,} sequences are many for a linear program")
    task.budget.tell(form.nodes, form.nodes, f"solving a linear program of {size:,} sequences")
    plans = best_plans(form)
    lower, upper = Payoffs(form).bounds(*plans)
    exact = None
    if len(form.worth) <= MOST_EXACT:
        shares = [behaviour_of(side, plan) for side, plan in zip(form.players, plans, strict=True)]
        exact = exact_value(form, shares)
    result = (lower + upper) / 2 if exact is None else float(exact)
    done = f"{why}; a linear program of {size:,} sequences was solved"
    return _solution(task, form, plans, result, (upper - lower) / 2, None if exact is None else str(exact), "linear",
                     done, complete=True)


def by_learning(task: Task, why: str) -> Solution[State, Move]:
    """Find bounds of the value by counterfactual regret minimisation."""
    from solver.information.regret import learn

    form = form_of(task)

    def tell(iterations: int, exploitability: float) -> None:
        if task.budget.progress is not None:
            task.budget.progress(iterations, form.nodes, f"exploitability {exploitability:.2g}")

    near = task.exploitability or NEAR_ENOUGH
    result = learn(form, exploitability=near, tell=tell)
    rate = result.iterations / result.seconds if result.seconds else 0.0
    done = f"{why}; {result.iterations:,} iterations ({rate:,.0f} a second), exploitability {result.exploitability:.2g}"
    return _solution(task, form, result.plans, (result.lower + result.upper) / 2, result.exploitability, None, "regret",
                     done, complete=result.exploitability <= near)


def _game(task: Task) -> Game:
    game = task.game
    assert game is not None  # these methods accept games only
    return game


def _solution(task: Task, form: SequenceForm, plans: tuple[Reals, Reals], expected: float, error: float,
              exact: str | None, method: str, reason: str, *, complete: bool) -> Solution[State, Move]:
    """Make the Solution that all methods return, with the strategies; save these where the task asks for it."""
    from solver.solve import MoveValue, Solution

    game, root = _game(task), task.space.start()
    strategies = Strategies.of(game, form, plans, root=root, expected=expected, exact=exact,
                               exploitability=max(0.0, error), method=method)
    if task.save is not None:
        try:
            strategies.save(task.save)
        except OSError as problem:
            raise Refused(f"{task.save} cannot be written: {problem.strerror}") from None
    legal: list[Move] = [] if root.outcome is not None else game.engine.legal(root)
    moves = tuple(MoveValue(move, None, None, number) for number, move in enumerate(legal))
    report = Report(method, form.nodes, 0.0, score=f"{expected:.6f}")
    made: Solution[State, Move] = Solution(
        root.to_move, None, None, None, moves, form.nodes, form.nodes, method, 0.0, reason, None, complete,
        report=report)
    return attrs.evolve(made, strategies=strategies)

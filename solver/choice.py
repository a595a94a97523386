"""Choosing the method that solves a task: the requested one, or for `auto` the one with the least expected cost.

`auto` asks every record of `solver.methods` whether the method can be used, at what cost, and why. The cheapest begins;
when it finds that it will take longer than the next one, or finds no value, it gives way to that one. The solution's
`reason` says why methods gave way, then why the last one was taken; its report has what every method said.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any

import attrs

from dsl.diagnostics.wording import either
from solver.errors import Refused
from solver.methods import AUTO, Fit, GivesWay, Method, methods, names
from solver.report import Considered, Report
from solver.task import ASKED, Task

if TYPE_CHECKING:
    from solver.solve import Solution


def solve_task(task: Task) -> Solution[Any, Any]:
    """Solve a task by the requested method, or by those that `auto` tries one after another.

    Raises ValueError for an unknown method or impossible limits, Refused where the requested method, or every method,
    cannot be used, RuleError where a rule fails.
    """
    for name, limit in (("nodes", task.budget.nodes), ("memory", task.budget.memory)):
        if limit is not None and limit < 1:
            raise ValueError(f"the limit {name} is {limit}, expected at least 1")
    started = time.perf_counter()
    answer = _by_name(task) if task.asked else _by_cost(task)
    report = answer.report or Report(answer.method, answer.positions_merged, 0.0)
    seconds = time.perf_counter() - started
    report = attrs.evolve(report, seconds=report.seconds or seconds, rests_on=methods()[answer.method].rests_on)
    return attrs.evolve(answer, seconds=seconds, report=report)


def named(name: str) -> Method:
    """The method with a name. Raises ValueError where there is none."""
    if name not in methods():
        from dsl.diagnostics import did_you_mean

        meant = did_you_mean(name, names())[0]
        raise ValueError(f"there is no method '{name}'; {meant or 'expected ' + ', '.join(names())}")
    return methods()[name]


def ranked(task: Task) -> list[tuple[Method, Fit]]:
    """The methods that can solve a task, in order of expected cost."""
    return sorted(((method, fit) for method, fit in _fits(task) if fit.usable), key=lambda result: result[1].cost)


def _fits(task: Task) -> list[tuple[Method, Fit]]:
    """Each method with its fit for a task; methods that cannot save are left out where the solution is to be saved."""
    return [(method, _fit(method, task)) for method in methods().values()
            if task.save is None or "save" in method.takes]


def _fit(method: Method, task: Task) -> Fit:
    """The fit of a method for a task; a method that does not support the kind of game is not asked."""
    if task.hides and not method.hides:
        return Fit(math.inf, "it takes every player to see everything")
    if task.by_chance and not method.chance:
        return Fit(math.inf, "it does not know moves of chance")
    if task.space.players > 2 and not method.many:
        return Fit(math.inf, "it is for one or two players")
    return method.fit(task)


def _by_name(task: Task) -> Solution[Any, Any]:
    method = named(task.method)
    if task.save is not None and "save" not in method.takes:
        raise Refused(f"{task.save} is not made: method {method.name} does not find the values of all positions")
    fit = _fit(method, task)
    if not fit.usable:
        title = "this" if task.game is None else task.game.title
        others = [other.name for other, _ in ranked(attrs.evolve(task, method=AUTO))]
        advice = f"; expected {either((AUTO, *others))}" if others else ""
        raise Refused(f"method {method.name} cannot solve {title}: {fit.why}{advice}")
    return method.solve(task, ASKED)


def _by_cost(task: Task) -> Solution[Any, Any]:
    fits = {method.name: fit for method, fit in _fits(task)}
    order = ranked(task)
    gave_way: list[str] = []
    for index, (method, fit) in enumerate(order):
        rival = order[index + 1][1].cost if index + 1 < len(order) else math.inf
        try:
            answer = method.solve(attrs.evolve(task, rival=rival), "; ".join((*gave_way, fit.why)))
        except GivesWay as result:
            why = str(result)
            fits[method.name] = Fit(math.inf, why or "it was tried, and found no such end")
            gave_way += [why] if why else []
            continue
        if gave_way and not answer.reason.startswith(gave_way[0]):  # a limit was reached
            answer = attrs.evolve(answer, reason="; ".join((*gave_way, fit.why, answer.reason)))
        considered = tuple(Considered(name, None if math.isinf(fit.cost) else fit.cost, fit.why)
                           for name, fit in fits.items())
        report = answer.report or Report(answer.method, answer.positions_merged, 0.0)
        return attrs.evolve(answer, report=attrs.evolve(report, considered=considered))
    raise Refused("; ".join(gave_way) or _why_none(task))


def _why_none(task: Task) -> str:
    """The message that no method solves a task, with the reasons of the methods that support its chance and hidden
    information."""
    fitting = {method.name: _fit(method, task).why for method in methods().values()
               if (method.hides or not task.hides) and (method.chance or not task.by_chance)}
    title = "this" if task.game is None else task.game.title
    return f"no method solves {title}: " + ("; ".join(f"{name}: {why}" for name, why in fitting.items())
                                            or "none takes chance together with what it hides")

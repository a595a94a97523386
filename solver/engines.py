"""Valuing all positions by the engine that takes least: the definition, the kernel as plain Python, or compiled.

This is method strong at work. The interpreter begins, as it needs nothing; `solver.pace` foretells what the rest takes
by each engine. Where `auto` asks, valuing gives way to another method as soon as it is expected to take more.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs

from solver.budget import Budget, OutOfBudget
from solver.forecast import in_words
from solver.maxn import MaxN
from solver.methods import ALL, AUTO, PART, GivesWay, methods
from solver.pace import Pace, Slow
from solver.solve import VALUED, VALUED_MANY, Solution, answer_from, unknown
from solver.space import MoveT, Space, StateT
from solver.strong import Strong
from solver.task import ASKED, Task

if TYPE_CHECKING:
    from solver.game_space import GameSpace
    from solver.packed_space import PackedSpace
    from solver.tables.enumeration import Enumeration
    from solver.tables.table import TableSolver

TRIAL = 30_000
"""Positions that `auto` enumerates by the definition alone before it asks whether enumerating all is sensible."""
STEEP = 2.0
"""A game whose breadth-first layers still grow by this factor then is searched instead."""
STEEPER = 4.0
"""The same where positions may come back: their number grows more slowly later on."""
FEW = 300
"""Positions that the definition enumerates before the kernel is made: that takes a tenth of a second."""
COMPILED_TRIAL = 5_000_000
"""Positions that the kernel enumerates before `auto` asks the same."""
MANY = 8
"""A game is searched, too, where so many are not even the first tiers, and more than this follow."""


def value_all(task: Task) -> Solution[Any, Any]:
    """The values of all positions, and by them of the root and its moves; unknown past a limit.

    Raises GivesWay where `auto` asks and another method is expected to take less, RuleError where a rule fails, OSError
    where the solution cannot be saved.
    """
    space, budget = task.space, task.budget
    if task.history_rule:
        return _with_history(task)
    valued = VALUED if space.players <= 2 else VALUED_MANY
    reason = f"{valued}, {ASKED}" if task.asked else valued
    strong = enumeration(space, budget)
    try:
        if task.engine != "interpreter" and task.game_space is not None and (
                task.engine == "kernel" or not strong.enumerate_until(FEW)):
            answer = _by_kernel(task, task.game_space, reason)
            if answer is not None:
                return answer
        if _may_give_way(task) and space.acyclic and not strong.enumerate_until(TRIAL) and strong.growth() > STEEP:
            raise GivesWay(_too_many(len(strong.states)))
        strong.enumerate_until()
        strong.value_all()
    except OutOfBudget as limit:
        return unknown(space, len(strong.states), str(limit), ALL)
    return answer_from(space, strong, len(strong.states), reason)


def enumeration(space: Space[StateT, MoveT], budget: Budget, *,
                until: Callable[[Strong[StateT, MoveT]], None] | None = None) -> Strong[StateT, MoveT]:
    """A space that is to be enumerated and valued: by max^n where there are more than two players."""
    return (Strong if space.players <= 2 else MaxN)(space, budget, until=until)


def table_solver(space: GameSpace, budget: Budget, save: Path | None = None) -> TableSolver | None:
    """What solves a space with the game's kernel; None where the rules cannot be compiled.

    Raises NotLowered then if the solution is to be saved.
    """
    from interpreter.kernel.kernel import Kernel, NotLowered
    from solver.tables.table import TableSolver

    try:
        return TableSolver(space, Kernel.of(space.game), budget, save)
    except NotLowered:
        if save is not None:
            raise
        return None


def _may_give_way(task: Task) -> bool:
    return not task.asked and task.rival < float("inf")


def _with_history(task: Task) -> Solution[Any, Any]:
    from solver.game_space import GameSpace
    from solver.repetition import solve_with_history

    assert task.game_space is not None  # spaces of one's own have no rules of repetition
    merged_by_none = GameSpace(task.game_space.game, task.game_space.root, symmetry=False)
    return solve_with_history(merged_by_none, task.history_rule, task.budget)


def _by_kernel(task: Task, space: GameSpace, reason: str) -> Solution[Any, Any] | None:
    """The answer by the kernel: as plain Python, or compiled where that takes less; None where there is none."""
    packed = None if task.engine == "kernel" and space.players <= 2 else _packed(space)
    if packed is not None:
        answer = _by_plain_kernel(task, packed, reason)
        if answer is not None:
            return answer
    if space.players > 2:
        return None
    del packed
    solver = table_solver(space, task.budget, task.save)
    return None if solver is None else _by_table(task, solver, reason)


def _packed(space: GameSpace) -> PackedSpace | None:
    from interpreter.compiler.lowering.errors import NotLowered
    from solver.packed_space import PackedSpace

    try:
        return PackedSpace.of(space)
    except NotLowered:
        return None


def _by_plain_kernel(task: Task, packed: PackedSpace, reason: str) -> Solution[Any, Any] | None:
    """The answer by the kernel as plain Python; None where compiling it is expected to take less."""
    from solver.pace import seconds_of_compiling
    from solver.packed_space import values_of

    space, budget = task.space, task.budget
    limit = task.rival if _may_give_way(task) and task.rival < PART else None
    pace = Pace(packed, seconds_of_compiling(packed.kernel), limit, budget.nodes)
    fast = enumeration(packed, budget, until=pace.look)
    try:
        try:
            fast.enumerate_until()
        except Slow as slow:
            if space.players <= 2 or (_foretold(task, packed, slow) and not task.anyway):
                raise
            fast.until = None  # nothing compiled values positions of more than two players
            fast.enumerate_until()
        fast.value_all()
        answer = answer_from(space, values_of(packed, fast), len(fast.states), reason)
    except OutOfBudget as reached:
        answer = unknown(space, len(fast.states), str(reached), ALL)
    except Slow as slow:
        known = len(fast.states)
        del fast
        hopeless = _foretold(task, packed, slow)
        if _may_give_way(task):
            if hopeless:
                raise GivesWay(hopeless) from None
            if limit is not None and slow.positions > limit:
                raise GivesWay(f"there are {in_words(slow.positions)} positions, and valuing them all is expected to "
                               "take longer than a search") from None
        if not hopeless or task.anyway:
            return None
        answer = unknown(space, known, f"not begun: {hopeless}", ALL)
    return attrs.evolve(answer, engine="plain kernel")


def _foretold(task: Task, packed: PackedSpace, slow: Slow) -> str:
    """Say what valuing all positions will take, where that is long; why it is hopeless, or ''."""
    from solver.undertaking import Undertaking

    undertaking = Undertaking.of(packed.game_space.game, packed.kernel, slow, task.budget.memory)
    if task.said is not None and undertaking.long:
        other = attrs.evolve(task, method=AUTO)
        searches = {name: method.reach for name, method in methods().items()
                    if name != ALL and method.decides and method.fit(other).usable}
        task.said(undertaking.text(searches, asked=task.asked, value_only=task.value_only, anyway=task.anyway))
    return undertaking.why_not


def _too_many(known: int, step: str = "ply") -> str:
    return f"there are too many positions to value: after {known:,} their number still grew fast with each {step}"


def _by_table(task: Task, solver: TableSolver, reason: str) -> Solution[Any, Any]:
    """The answer by compiled rules; the budget's limits hold."""
    from solver.tables.enumeration import TooLarge

    space = task.space
    if _may_give_way(task):
        solver.until = _give_way_to_growth(STEEP if space.acyclic else STEEPER)
    try:
        table = solver.run()
    except (OutOfBudget, TooLarge) as limit:
        answer = unknown(space, solver.enumeration.positions, str(limit), ALL)
    else:
        answer = answer_from(space, table, table.merged, reason)
    return attrs.evolve(answer, engine="kernel")


def _give_way_to_growth(steep: float) -> Callable[[Enumeration], None]:
    """What is asked between the steps of an enumeration: raises GivesWay where far more positions will follow."""

    def ask(enumeration: Enumeration) -> None:
        known = enumeration.positions
        if known <= COMPILED_TRIAL:
            return
        tiers = enumeration.kernel.assembled.tiers
        if enumeration.growth() > steep:
            raise GivesWay(_too_many(known, "ply" if tiers.strict or len(enumeration.tiers) == 1 else "tier"))
        left = enumeration.amounts_left()
        if left > MANY:
            raise GivesWay(f"there are too many positions to value: after {known:,} not yet all with the first number "
                           f"for '{tiers.names[0]}', which can change {left} times")

    return ask

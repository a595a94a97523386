"""Method strong: values all positions with the fastest engine, the interpreter or the kernel, plain or compiled.

The interpreter begins, as it needs no preparation; `solver.pace` predicts how long the rest takes with each engine.
Under `auto`, method strong gives way to another method as soon as it is expected to take longer.
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
"""The number of positions that the interpreter alone enumerates before `auto` checks whether to go on."""
STEEP = 2.0
"""A game whose breadth-first layers still grow by more than this factor then is searched instead."""
STEEPER = 4.0
"""`STEEP` for games in which positions may repeat, whose layers grow more slowly later on."""
FEW = 300
"""The number of positions that the interpreter enumerates before the kernel is made, which takes about 0.1 s."""
COMPILED_TRIAL = 5_000_000
"""The number of positions that the compiled kernel enumerates before `auto` checks whether to go on."""
MANY = 8
"""A game is also searched instead where the positions with the first value of the tiers' first quantity are not yet
complete by then, and more than this many of its values may follow."""


def value_all(task: Task) -> Solution[Any, Any]:
    """Solve a task by valuing all positions; the solution is unknown where a limit is reached.

    Raises GivesWay where `auto` may take another method that is expected to take less time, RuleError where a rule
    fails, OSError where the solution cannot be saved.
    """
    space, budget = task.space, task.budget
    if task.followed_rule:
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
    """Make the enumeration of a space, which values it by max^n where there are more than two players."""
    return (Strong if space.players <= 2 else MaxN)(space, budget, until=until)


def table_solver(space: GameSpace, budget: Budget, save: Path | None = None) -> TableSolver | None:
    """Make the table solver of a space with the game's kernel; None where the rules cannot be compiled.

    Raises NotLowered instead if the solution is to be saved.
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

    assert task.game_space is not None  # spaces that are not of a game have no repetition rule
    merged_by_none = GameSpace(task.game_space.game, task.game_space.root, symmetry=False)
    return solve_with_history(merged_by_none, task.history_rule, task.budget)


def _by_kernel(task: Task, space: GameSpace, reason: str) -> Solution[Any, Any] | None:
    """Solve with the kernel, as plain Python or compiled, whichever takes less time; None where neither can be used."""
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
    """Solve with the kernel as plain Python; None where compiling it is expected to take less time."""
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
            fast.until = None  # there are no compiled tables for more than two players
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
    """Announce what valuing all positions will take, where that is long; return why it is hopeless, or ''."""
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
    """Solve with the compiled kernel, within the budget's limits."""
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
    """Make a callback for each step of an enumeration, which raises GivesWay where far more positions will follow."""

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

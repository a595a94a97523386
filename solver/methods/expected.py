"""Method expected: the expected results of games with chance under best play."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import TYPE_CHECKING

from solver.methods import Fit, Method

if TYPE_CHECKING:
    from interpreter.model.state import Move, State
    from solver.expected.value import Expected, Valued
    from solver.game_space import GameSpace
    from solver.solve import Solution
    from solver.task import Task

_BEGUN = 1_000
_NEVER_TOO_MANY = 1e8
"""The bound on a game's positions below which all can be valued here, without a forecast."""
_GUESSED = 1e15
"""Positions above which a forecast says only that there are too many, as each outcome of chance leads to others."""


def _fit(task: Task) -> Fit:
    if not task.by_chance:
        return Fit(math.inf, "it is for games with chance")
    if task.game is not None and task.game.rules.repetition and not task.space.acyclic:
        return Fit(math.inf, f"'repetition {task.game.rules.repetition}' makes values depend on the moves before")
    return Fit(_BEGUN, "every position is worth a mean result, as chance has a part in it")


def _solve(task: Task, why: str) -> Solution[State, Move]:
    import attrs

    from solver.budget import OutOfBudget
    from solver.expected.value import valued
    from solver.solve import unknown
    from solver.tables.enumeration import TooLarge

    assert task.game_space is not None  # only games have chance
    if not task.anyway and (hopeless := _hopeless(task.game_space, task.budget.memory)):
        return unknown(task.space, 0, f"not begun: {hopeless}; --anyway begins all the same", METHOD.name)
    try:
        result = valued(task.game_space, task.budget, task.engine)
    except (OutOfBudget, TooLarge) as limit:
        return unknown(task.space, 0, str(limit), METHOD.name)
    return attrs.evolve(_answer(task.game_space, result, why), engine=result.engine)


def _hopeless(space: GameSpace, memory: int | None) -> str:
    """Why valuing all positions is hopeless, by a forecast from some of them; '' where it is not, or unknown."""
    from interpreter.compiler.lowering.errors import NotLowered
    from solver.budget import Budget
    from solver.pace import Pace, Slow, seconds_of_compiling
    from solver.packed_space import PackedSpace
    from solver.strong import Strong
    from solver.undertaking import Undertaking

    try:
        packed = PackedSpace.of(space)
    except NotLowered:
        return ""
    if packed.most < _NEVER_TOO_MANY:
        return ""
    try:
        Strong(packed, Budget(), until=Pace(packed, seconds_of_compiling(packed.kernel)).look).enumerate_until()
    except Slow as slow:
        undertaking = Undertaking.of(space.game, packed.kernel, slow, memory)
        if slow.positions > _GUESSED and undertaking.hopeless:
            return "there are far too many positions to value"
        return undertaking.why_not
    return ""


def _answer(space: GameSpace, result: Valued, why: str) -> Solution[State, Move]:
    from solver.solve import MoveValue, Solution

    groups: dict[Hashable, int] = {}
    moves = []
    root = space.start()
    for move, after in [] if root.outcome is not None else space.successors(root):
        worth = result.of(after)
        moves.append(MoveValue(move, _certain(worth, space), None,
                               groups.setdefault(space.canonical(after), len(groups)), expected=worth))
    worth = result.of(root)
    mover = space.to_move(root)
    chosen = [] if space.engine.chance.decides(root) else moves
    best = (max if mover == 0 else min)(chosen, key=lambda move: move.expected.value if move.expected else 0.0,
                                        default=None)
    reason = f"{why}; {_how(result, worth)}"
    return Solution(mover, _certain(worth, space), None, None if best is None else best.move, tuple(moves),
                    result.graph.count, len(result.graph), METHOD.name, 0.0, reason, None, worth.known, None,
                    expected=worth)


def _certain(worth: Expected, space: GameSpace) -> int | None:
    """The player who wins whatever chance does; None where that is not certain, or a `payoff` counts instead."""
    from solver.space import DRAW

    if space.game.payoffs.declared:
        return None
    if worth.exact == 1:
        return 0
    if worth.exact == 0:
        return 1 if space.players == 2 else DRAW
    return None


def _how(result: Valued, worth: Expected) -> str:
    """How the value was found, or why it is not known."""
    if result.exact is not None:
        return "exact"
    sweeps = f"value iteration in {result.sweeps} sweep{'s' * (result.sweeps != 1)}"
    if worth.known:
        return f"{sweeps}, bounds {worth.high - worth.low:.0e} apart"
    return f"{sweeps} leaves it between {worth.low:.6f} and {worth.high:.6f}: play can go on without end"


METHOD = Method("expected", "finds the expected result of games with chance, from all positions",
                "with chance, of which every position can be kept", _fit, _solve,
                "whole positions: no hash decides", chance=True)

"""The methods that solve games, with one record each for the command, `auto`, players, messages and docs.

Every module of this package is one method and holds its record `METHOD`. A new method needs a module here and a row in
the table of docs/command.md; nothing else names it. `solver.choice` uses the records to choose the method of a task.
"""

from __future__ import annotations

import math
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

if TYPE_CHECKING:
    from interpreter.game import Game
    from solver.solve import Solution
    from solver.task import Task

AUTO = "auto"
"""Requests the method with the least expected cost."""
ALL = "strong"
"""The name of the method that values every position; costs are counted in positions that it values."""
ALPHABETA, PROOF, CARRIERS, CONNECTIONS = "alphabeta", "proof", "carriers", "connections"
"""The names of the methods that share a driver, `solver.drivers.engines`, which replaces one that fails by another."""
SHALLOW = "shallow"
"""The name of the method that looks a few plies ahead, which players also do."""
PART = 1e15
"""The cost of a search that visits an unknown part of the positions: more than can be valued."""
FEW_FOR_VALUE = 500_000
"""The same where only the root's value is wanted and no position can recur; measured on the bundled games."""


class Fit(NamedTuple):
    """How well a method fits a task, before it begins: whether it can be used, its expected cost, and why."""

    cost: float
    """How many positions method strong values in the time that this method takes; infinite where it cannot be used."""
    why: str
    """Why it suits the task, or why it cannot be used; continues a sentence."""

    @property
    def usable(self) -> bool:
        """Whether the method can solve the task."""
        return self.cost < math.inf


class GivesWay(Exception):
    """A method that `auto` began leaves the task to the next one; the text says why, '' if that need not be told."""


@attrs.frozen(eq=False)
class Method:
    """A way to solve games."""

    name: str
    """The name that `--method` takes."""
    summary: str
    """What it does, as a clause whose subject is the method."""
    games: str
    """Which games it is for, as a clause for the docs."""
    fit: Callable[[Task], Fit]
    """Rates how well it fits a task. Called before anything is enumerated, so it must be quick."""
    solve: Callable[[Task, str], Solution[Any, Any]]
    """Solves a task, given why it was chosen: the answer's `reason` repeats that, its `report` tells what was done.
    Raises GivesWay only where `auto` asks, RuleError where a rule fails."""
    rests_on: str
    """What its answers rely on besides a correct program: which keys identify positions, and how likely two of them
    collide. docs/solutions.md has the estimates."""
    takes: frozenset[str] = frozenset()
    """The options of the command that it takes but not every method does: "save", "patterns"."""
    chance: bool = False
    """Whether it supports chance moves, which no player chooses."""
    decides: bool = True
    """Whether it always finds the value, given enough time and memory."""
    reach: float = 1e14
    """About how many positions the largest games have that it has solved here, where it visits a part of them."""
    many: bool = False
    """Whether it also supports more than two players."""
    hides: bool = False
    """Whether it is for games of imperfect information; all other methods are not."""


@cache
def methods() -> Mapping[str, Method]:
    """All methods by name, in alphabetical order."""
    records = [import_module(f"{__name__}.{module.name}").METHOD for module in pkgutil.iter_modules(__path__)]
    return {record.name: record for record in sorted(records, key=lambda record: record.name)}


def names() -> tuple[str, ...]:
    """The names that can be requested: `auto`, and those of the methods."""
    return (AUTO, *methods())


def taking(option: str) -> tuple[str, ...]:
    """The names of the methods that take an option of the command."""
    return tuple(name for name, method in methods().items() if option in method.takes)


def cost_of_part(task: Task) -> float:
    """The cost of a search that suits a task and visits a part of the positions."""
    return FEW_FOR_VALUE if task.value_only and task.space.acyclic else PART


def no_search(task: Task, *, kernel: bool = True) -> str:
    """Why a search, which needs compiled rules if `kernel`, cannot be used for a task; '' where it can."""
    if task.history_rule:
        return f"'repetition {task.history_rule}' makes values depend on the moves before, which method strong follows"
    if kernel and task.game is None:
        return "it searches on the compiled rules of a game, and this is not a game"
    if kernel and task.engine == "interpreter":
        return "it searches on compiled rules, and the interpreter was asked for"
    return ""


def never_drawn(game: Game) -> bool:
    """Whether the rules show that every finished game has a winner; False means that they do not show it."""
    rules = game.rules
    return (rules.no_moves in ("loses", "wins") and rules.repetition != "draws"
            and all(end.kind != "draw" for end in rules.ends))

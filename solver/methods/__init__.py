"""The methods that solve games, one record each: what the command, `auto`, players, messages and docs know of them.

Every module of this package is one method and holds its record `METHOD`. A new method is a new module here and a row in
the table of docs/command.md; nothing else names it. `solver.choice` asks the records which of them is to solve a task.
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
"""Asks for the method that is expected to take least."""
ALL = "strong"
"""The name of the method that values every position: the others are measured by it."""
ALPHABETA, PROOF, CARRIERS, CONNECTIONS = "alphabeta", "proof", "carriers", "connections"
"""The names of the methods that share a driver, `solver.drivers.engines`, which answers by another where one fails."""
SHALLOW = "shallow"
"""The name of the method that looks a few plies ahead, which players do as well."""
PART = 1e15
"""Cost of a search where nobody can say how large a part of the positions it looks at: more than can be valued."""
FEW_FOR_VALUE = 500_000
"""The same where only the root's value is asked for and no position comes back; measured on the bundled games."""


class Fit(NamedTuple):
    """What a method says of a task before it begins: whether it can be used, what it is expected to cost, and why."""

    cost: float
    """As many positions as method strong values in the time that this method takes; infinite where it is out."""
    why: str
    """Why it suits the task, or why it cannot be used; continues a sentence."""

    @property
    def usable(self) -> bool:
        """Whether the method can solve the task."""
        return self.cost < math.inf


class GivesWay(Exception):
    """A method that `auto` began sees that it is not to solve the task; the text says why, '' where that is no news."""


@attrs.frozen(eq=False)
class Method:
    """A way to solve games."""

    name: str
    """As it is given to `--method`."""
    summary: str
    """What it does, in a clause: the method is the subject."""
    games: str
    """Which games it is for, in a clause, as the docs have it."""
    fit: Callable[[Task], Fit]
    """Whether and why it suits a task. Called before anything is enumerated, so it must be quick."""
    solve: Callable[[Task, str], Solution[Any, Any]]
    """Solves a task, given why it was chosen: the answer's `reason` says so, its `report` what was done.
    Raises GivesWay only where `auto` asks, RuleError where a rule fails."""
    rests_on: str
    """What its answers rest on besides a right program: which keys stand for positions, and how likely two are taken
    for one. docs/solutions.md has the estimates."""
    takes: frozenset[str] = frozenset()
    """The options of the command that are for this method and not for all: "save", "patterns"."""
    chance: bool = False
    """Whether it can take moves of chance, which no player chooses."""
    decides: bool = True
    """Whether it finds the value in the end, given time and memory."""
    reach: float = 1e14
    """Positions of the largest games that it has found the value of here, about, where it looks at a part of them."""
    many: bool = False
    """Whether it is for more than two players, too."""
    hides: bool = False
    """Whether it is for games in which players do not see everything; all others are not."""


@cache
def methods() -> Mapping[str, Method]:
    """All methods by name, in alphabetical order."""
    records = [import_module(f"{__name__}.{module.name}").METHOD for module in pkgutil.iter_modules(__path__)]
    return {record.name: record for record in sorted(records, key=lambda record: record.name)}


def names() -> tuple[str, ...]:
    """What can be asked for: `auto`, and the methods."""
    return (AUTO, *methods())


def taking(option: str) -> tuple[str, ...]:
    """The names of the methods that an option of the command is for."""
    return tuple(name for name, method in methods().items() if option in method.takes)


def cost_of_part(task: Task) -> float:
    """The cost of a search that is good for a task and looks at a part of the positions."""
    return FEW_FOR_VALUE if task.value_only and task.space.acyclic else PART


def no_search(task: Task, *, kernel: bool = True) -> str:
    """Why a search cannot be used for a task, with `kernel` one that needs compiled rules; '' where it can."""
    if task.history_rule:
        return f"'repetition {task.history_rule}' makes values depend on the moves before, which method strong follows"
    if kernel and task.game is None:
        return "it searches on the compiled rules of a game, and this is not a game"
    if kernel and task.engine == "interpreter":
        return "it searches on compiled rules, and the interpreter was asked for"
    return ""


def never_drawn(game: Game) -> bool:
    """Whether the rules show that all play that ends is won; False means that they do not show it."""
    rules = game.rules
    return (rules.no_moves in ("loses", "wins") and rules.repetition != "draws"
            and all(end.kind != "draw" for end in rules.ends))

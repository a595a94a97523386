"""The value of a game with chance: bounds of the first player's expected result, and the fraction for small games.

A win counts 1, a loss 0, a draw 1/2; in a game of one player all but a win counts 0. Without draws, the value is
therefore the probability of winning. Where the file declares a `payoff`, that counts instead.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import attrs
import numpy as np

from interpreter.arrays import Reals
from solver.budget import Budget
from solver.expected.exact import exact_values
from solver.expected.graph import OVER, Graph, by_interpreter, by_kernel

if TYPE_CHECKING:
    from interpreter.model.state import State
    from solver.game_space import Engine, GameSpace

TOLERANCE = 1e-9
"""The distance of the root's bounds at which sweeps end."""
ROUNDING = 1e-12
"""The assumed rounding error of sums of floating-point numbers between 0 and 1, over all sweeps made here."""
_FEW = 2_000
"""The most positions enumerated by the interpreter before the kernel is compiled, and swept by plain Python."""
_SWEEPS, _MOST_SWEEPS = 50, 100_000
_LONGEST_TEXT = 120


@attrs.frozen
class Expected:
    """The value of a position to the first player."""

    low: float
    high: float
    exact: Fraction | None = None
    scale: float = 1.0
    """The distance between the least and the greatest payoff, 0 included; at least 1."""

    @property
    def value(self) -> float:
        """The exact value where it is known, else the midpoint of the bounds."""
        return float(self.exact) if self.exact is not None else (self.low + self.high) / 2

    @property
    def error(self) -> float:
        """The largest possible error of `value`."""
        return 0.0 if self.exact is not None else (self.high - self.low) / 2 + ROUNDING * self.scale

    @property
    def known(self) -> bool:
        """Whether the exact value is known, or the bounds have converged."""
        return self.exact is not None or self.high - self.low <= 10 * TOLERANCE * self.scale

    @property
    def fraction(self) -> str | None:
        """The exact value as text; None where it is not known or too long to read."""
        text = "" if self.exact is None else str(self.exact)
        return text if 0 < len(text) <= _LONGEST_TEXT else None


@attrs.frozen(eq=False)
class Valued:
    """All positions of a game with chance, and their values."""

    graph: Graph
    low: Reals
    high: Reals
    exact: list[Fraction] | None
    engine: str
    """What enumerated the positions: "interpreter" or "kernel"."""
    sweeps: int
    scale: float
    """The distance between the least and the greatest payoff, 0 included; at least 1."""

    def of(self, state: State) -> Expected:
        """The value of a position. Raises KeyError for one that cannot be reached."""
        place = self.graph.find(state)
        return Expected(float(self.low[place]), float(self.high[place]),
                        None if self.exact is None else self.exact[place], self.scale)


def graph_of(space: GameSpace, budget: Budget, engine: Engine = "auto") -> tuple[Graph, str]:
    """The graph of a space, and which engine enumerated it. Raises OutOfBudget, RuleError."""
    from interpreter.kernel.kernel import Kernel, NotLowered

    if engine != "kernel":
        few = by_interpreter(space, budget, None if engine == "interpreter" else _FEW)
        if few is not None:
            return few, "interpreter"
    try:
        kernel = Kernel.of(space.game)
    except NotLowered:
        result = by_interpreter(space, budget)
        assert result is not None  # the budget is the only limit
        return result, "interpreter"
    return by_kernel(space, kernel, budget), "kernel"


def valued(space: GameSpace, budget: Budget, engine: Engine = "auto") -> Valued:
    """Enumerate all positions and compute their values. Raises OutOfBudget, RuleError."""
    graph, by = graph_of(space, budget, engine)
    least, most = 0.0, 1.0
    if space.game.payoffs.declared:
        least, most = float(graph.payoffs.min(initial=0.0)), float(graph.payoffs.max(initial=0.0))
    low = np.where(graph.movers == OVER, graph.payoffs, least)
    high = np.where(graph.movers == OVER, graph.payoffs, most)
    scale = max(1.0, most - least)
    count = swept(graph, low, high, budget, TOLERANCE * scale)
    return Valued(graph, low, high, exact_values(graph, low, high), by, count, scale)


def swept(graph: Graph, low: Reals, high: Reals, budget: Budget,
          tolerance: float = TOLERANCE) -> int:
    """Tighten bounds in place until the root's are close or nothing changes; return the number of sweeps."""
    from solver.native import expectation, runtime

    sweeps = runtime.compiled_entry(expectation.sweeps) if len(graph) > _FEW else expectation.sweeps
    chances, done = graph.chances, 0
    kids = np.ascontiguousarray(graph.kids, np.uint32)
    while done < _MOST_SWEEPS:
        result = int(sweeps(graph.movers, graph.starts, kids, chances, low, high, _SWEEPS, tolerance))
        done += abs(result)
        if result < _SWEEPS:
            return done
        budget.spend(len(graph), len(graph), f"valuing positions, between {low[0]:.6f} and {high[0]:.6f}")
    return done

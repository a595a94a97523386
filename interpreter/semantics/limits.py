"""Limits on the work for one position: the number of moves that are listed, and the steps of one evaluation.

Rules can demand more than any machine can do: five free choices on a hundred cells are 10^10 moves, four nested `some`
on four hundred cells are as many steps. Beyond these limits a rule fails with a diagnostic that names it. They are far
above what play needs: the most that was seen in random games of the bundled games is 2,176 moves and 5,624 steps.
"""

from __future__ import annotations

from dsl import hir
from dsl.checks.cost_bound import Effort
from dsl.syntax.source import Span
from interpreter.errors import RuleError

MOST_MOVES = 1 << 20
"""The most moves that the rules may offer in a position."""
MOST_WORK = 10_000_000
"""The most steps of one evaluation, which is listing a position's moves, playing a move, or testing a condition.

Each element of a set that is iterated over is a step, and each cell of the board where a network is traversed.
"""


def too_many_moves_of(rules: hir.Rules, cells: int) -> RuleError:
    """The failure of a position with too many moves where the rule is not known: names the one with most choices."""
    rule = Effort(rules, cells).widest()
    return too_many_moves(f"the move '{rule.name}'", rule.span)


def too_many_moves(what: str, span: Span) -> RuleError:
    """The failure of a position with too many moves; `what` names the rule, as in `the move 'place'`."""
    return RuleError("G412", f"{what} has more than {MOST_MOVES:,} legal moves here, expected fewer: make it in turns, "
                             "or choose from smaller sets", span)


class TooMuchWork(RuleError):
    """An evaluation takes too many steps."""

    def __init__(self, span: Span) -> None:
        super().__init__("G413", _too_much("this"), span)
        self._named = False

    def within(self, what: str) -> None:
        """Name the rule that was being evaluated in the message; the first, innermost name is kept."""
        if not self._named:
            self.phrase, self._named = _too_much(what), True
            self.args = (self.phrase,)


def _too_much(what: str) -> str:
    return (f"{what} takes more than {MOST_WORK:,} steps in one position, expected fewer: go through smaller sets, or "
            "through fewer sets in each other")

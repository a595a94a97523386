"""How much one question about a position may take: the moves that are listed, and the steps of one evaluation.

Rules can ask for more than any machine has: five free choices on a hundred cells are 10^10 moves, four `some` in each
other on four hundred cells as many steps. Past these limits a rule fails with a diagnostic that names it. They are far
above what play needs: the most that was seen in random games of the bundled games is 2,176 moves and 5,624 steps.
"""

from __future__ import annotations

from dsl import hir
from dsl.checks.cost_bound import Effort
from dsl.syntax.source import Span
from interpreter.errors import RuleError

MOST_MOVES = 1 << 20
"""Legal moves of a position."""
MOST_WORK = 10_000_000
"""Steps of one evaluation, which is the listing of a position's moves, the playing of a move, or a condition: each
element of a set that is gone through is a step, and each cell of the board where networks are followed."""


def too_many_moves_of(rules: hir.Rules, cells: int) -> RuleError:
    """The same where the rule is not known: of a game's moves the one with the most ways to choose is named."""
    rule = Effort(rules, cells).widest()
    return too_many_moves(f"the move '{rule.name}'", rule.span)


def too_many_moves(what: str, span: Span) -> RuleError:
    """The failure of a position with too many moves; `what` names the rule, `the move 'place'`."""
    return RuleError("G412", f"{what} has more than {MOST_MOVES:,} legal moves here, expected fewer: make it in turns, "
                             "or choose from smaller sets", span)


class TooMuchWork(RuleError):
    """An evaluation takes too many steps."""

    def __init__(self, span: Span) -> None:
        super().__init__("G413", _too_much("this"), span)
        self._named = False

    def within(self, what: str) -> None:
        """Name the rule that was at work; the innermost that is named stays."""
        if not self._named:
            self.phrase, self._named = _too_much(what), True
            self.args = (self.phrase,)


def _too_much(what: str) -> str:
    return (f"{what} takes more than {MOST_WORK:,} steps in one position, expected fewer: go through smaller sets, or "
            "through fewer sets in each other")

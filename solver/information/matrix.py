"""The payoffs of a sequence form as a sparse matrix of floating-point numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from interpreter.arrays import Reals
from solver.errors import Refused
from solver.information.response import best_worth
from solver.information.tree import SequenceForm

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NEEDS = "games in which players do not see everything are solved by SciPy: pip install 'dslgame[hidden]'"
"""The error message where SciPy is missing."""


class Payoffs:
    """The payoff matrices of a sequence form, and the values of plans by them."""

    def __init__(self, form: SequenceForm) -> None:
        try:
            from scipy.sparse import csr_array
        except ImportError as problem:
            raise Refused(NEEDS) from problem
        self.form = form
        size = form.players[0].sequences, form.players[1].sequences
        self.worth = worth = np.array([float(item) for item in form.worth])
        """The payoffs of the ends to the first player, in the order of the form."""
        self.rows: csr_array = csr_array((worth, (form.rows, form.columns)), shape=size)
        """The payoffs to the first player: [sequences of the first, sequences of the second]."""
        self.columns: csr_array = csr_array(-self.rows.T)
        """The payoffs to the second player: [sequences of the second, sequences of the first]."""

    def against(self, player: int, plan: Reals) -> Reals:
        """The value of each sequence of a player against the other's plan: float64[sequences]."""
        result: Reals = (self.columns if player else self.rows) @ plan
        return result

    def expected(self, one: Reals, other: Reals) -> float:
        """The expected payoff of two plans to the first player."""
        return float(one @ self.against(0, other))

    def bounds(self, one: Reals, other: Reals) -> tuple[float, float]:
        """The value that the first player's plan guarantees, and the most that the second player's plan concedes.

        The value of the game is between them; half their distance is the exploitability of the two plans.
        """
        upper = best_worth(self.form.players[0], self.against(0, other))
        lower = -best_worth(self.form.players[1], self.against(1, one))
        return lower, upper

"""The payoffs of a sequence form as a sparse matrix, for those who calculate with floating-point numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from solver.errors import Refused
from solver.information.response import Numbers, best_worth
from solver.information.tree import SequenceForm

if TYPE_CHECKING:
    from scipy.sparse import csr_array

NEEDS = "games in which players do not see everything are solved by SciPy: pip install 'dslgame[hidden]'"
"""What to say where SciPy is missing."""


class Payoffs:
    """What sequences are worth against a plan of the other player."""

    def __init__(self, form: SequenceForm) -> None:
        try:
            from scipy.sparse import csr_array
        except ImportError as problem:
            raise Refused(NEEDS) from problem
        self.form = form
        size = form.players[0].sequences, form.players[1].sequences
        self.worth = worth = np.array([float(item) for item in form.worth])
        """What the ends are worth to the first player, as the form has them."""
        self.rows: csr_array = csr_array((worth, (form.rows, form.columns)), shape=size)
        """What the ends are worth to the first player: [sequences of the first, sequences of the second]."""
        self.columns: csr_array = csr_array(-self.rows.T)
        """The same for the second player, with the sequences the other way round."""

    def against(self, player: int, plan: Numbers) -> Numbers:
        """What each sequence of a player is worth against the other's plan: float64[sequences]."""
        result: NDArray[np.float64] = (self.columns if player else self.rows) @ plan
        return result

    def expected(self, one: Numbers, other: Numbers) -> float:
        """What two plans are worth to the first player."""
        return float(one @ self.against(0, other))

    def bounds(self, one: Numbers, other: Numbers) -> tuple[float, float]:
        """What the first player's plan is sure to get, and what the second player's plan lets anybody get.

        The value of the game is between them; half their distance is the exploitability of the two plans.
        """
        upper = best_worth(self.form.players[0], self.against(0, other))
        lower = -best_worth(self.form.players[1], self.against(1, one))
        return lower, upper

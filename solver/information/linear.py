"""Optimal strategies of a sequence form, by linear programming with SciPy's HiGHS.

A linear program finds the first player's plan with the highest value against a best response (Koller, Megiddo and von
Stengel 1996, "Efficient computation of equilibria for extensive two-person games"); the second player's plan solves the
dual, which is set up as a program of its own.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np

from interpreter.arrays import Numbers, Reals
from solver.errors import Refused
from solver.information.matrix import NEEDS, Payoffs
from solver.information.tree import SequenceForm, Treeplex

_Entries: TypeAlias = tuple[Numbers, Numbers, Reals]
"""Rows, columns and values of a sparse matrix."""


def best_plans(form: SequenceForm) -> tuple[Reals, Reals]:
    """An optimal plan of each player: float64[sequences]. Raises Refused where SciPy is missing or finds none."""
    payoffs = Payoffs(form)
    return _best(form, payoffs, 0), _best(form, payoffs, 1)


def _best(form: SequenceForm, payoffs: Payoffs, player: int) -> Reals:
    """The plan of a player with the highest value against a best response."""
    try:
        from scipy.optimize import linprog
        from scipy.sparse import csr_array
    except ImportError as problem:
        raise Refused(NEEDS) from problem
    own, other = form.players[player], form.players[1 - player]
    rows, columns = (form.columns, form.rows) if player else (form.rows, form.columns)
    worth = payoffs.worth * (-1 if player else 1)
    # Variables: the plan, then the player's value at each of the other's information states, the root's first.
    states = 1 + len(other.states)
    unknown = own.sequences + states
    answers = _joined((columns, rows, -worth), _shifted(_answers(other), own.sequences))
    bound = csr_array((answers[2], answers[:2]), shape=(other.sequences, unknown))
    shares = _plans(own)
    plan = csr_array((shares[2], shares[:2]), shape=(1 + len(own.states), unknown))
    right = np.zeros(1 + len(own.states))
    right[0] = 1
    goal = np.zeros(unknown)
    goal[own.sequences] = -1
    limits: list[tuple[float | None, float | None]] = [(0, None)] * own.sequences + [(None, None)] * states
    result = linprog(  # type: ignore[call-overload]  # it takes sparse matrices, which its stubs do not know
        goal, A_ub=bound, b_ub=np.zeros(other.sequences), A_eq=plan, b_eq=right, method="highs",
                     bounds=limits)
    if result.x is None:
        raise Refused(f"the linear program was not solved: {result.message}")
    return np.asarray(np.clip(result.x[: own.sequences], 0, 1) + 0.0)


def _joined(one: _Entries, other: _Entries) -> _Entries:
    """Concatenate the entries of two matrices."""
    return (np.concatenate([one[0], other[0]]), np.concatenate([one[1], other[1]]),
            np.concatenate([one[2], other[2]]))


def _shifted(entries: _Entries, columns: int) -> _Entries:
    """Shift the entries of a matrix by a number of columns."""
    return entries[0], entries[1] + columns, entries[2]


def _plans(side: Treeplex) -> _Entries:
    """The constraints of a plan: 1 for the empty sequence; the moves of a state sum to the sequence that leads to it.
    """
    counts = np.diff(side.firsts)
    states = np.arange(1, 1 + len(side.states))
    rows = np.concatenate([np.zeros(1, np.int64), np.repeat(states, counts), states])
    columns = np.concatenate([np.arange(side.sequences), side.parents])
    return rows, columns, np.concatenate([np.ones(side.sequences), -np.ones(len(side.states))])


def _answers(side: Treeplex) -> _Entries:
    """For each sequence of the responding side: the value of its state less the values of the states after it."""
    counts = np.diff(side.firsts)
    states = np.arange(1, 1 + len(side.states))
    rows = np.concatenate([np.arange(side.sequences), side.parents])
    columns = np.concatenate([np.zeros(1, np.int64), np.repeat(states, counts), states])
    return rows, columns, np.concatenate([np.ones(side.sequences), -np.ones(len(side.states))])

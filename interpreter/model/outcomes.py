"""Outcomes as numbers: a winner, a draw, or one of several where a player's choice between equal results decides.

A number is that of a player, `DRAW`, or a lesser number for a set of two or more of these. With more than two players,
a player who cannot improve their own result may decide who else wins; then no single outcome is a position's value.
"""

from __future__ import annotations

from collections.abc import Iterable

from interpreter.model.state import DRAW

_SETS = -2
"""Sets are numbered from here downwards by their bits: bit 0 is a draw, bit 1 + p a win of player p."""


def bits_of(outcomes: Iterable[int]) -> int:
    """The bits of a set of winners and draws."""
    result = 0
    for outcome in outcomes:
        result |= 1 << outcome + 1
    return result


def number_of(bits: int) -> int:
    """The number of a non-empty set of outcomes, given as bits."""
    return _SETS - bits if bits & bits - 1 else bits.bit_length() - 2


def outcomes_in(outcome: int) -> tuple[int, ...]:
    """The outcomes that a number stands for: winners in their order, a draw last."""
    if outcome >= DRAW:
        return (outcome,)
    bits = _SETS - outcome
    winners = tuple(index - 1 for index in range(1, bits.bit_length()) if bits >> index & 1)
    return (*winners, DRAW) if bits & 1 else winners


def is_open(outcome: int) -> bool:
    """Whether a number stands for several outcomes."""
    return outcome < DRAW


def results(outcome: int, player: int) -> tuple[int, int]:
    """A player's worst and best result in the outcomes of a number: 2 for a win, 1 for a draw, 0 for a loss."""
    result = [2 if one == player else 1 if one == DRAW else 0 for one in outcomes_in(outcome)]
    return min(result), max(result)


def result_of(outcome: int, player: int, players: int) -> str:
    """A player's result where a number stands for one outcome: "win", "lose" or "draw"; a player alone who does not win
    loses (see `interpreter.wording.nobody_won`)."""
    if outcome == player:
        return "win"
    return "draw" if outcome == DRAW and players > 1 else "lose"


def tally(win: int, lose: int, draw: int, players: int) -> dict[str, int]:
    """Numbers of results for the player to move, of which those without a winner are losses of a player alone."""
    return {"win": win, "lose": lose + (draw if players == 1 else 0), "draw": draw if players > 1 else 0}

"""Computes the value of every state of a reference game by sweeps over all states until nothing changes.

This is plain retrograde analysis without symmetries and move ordering, so that it can be checked by reading. A state
from which nobody can force a win, because play ends in a draw or never ends, is a draw. The tests call it on games of
up to about 200,000 states.
"""

from __future__ import annotations

from collections.abc import Sequence
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from tests.reference.counting import successors
from tests.reference.rules import DRAW, Rules, StateT


class Value(NamedTuple):
    """The winner under best play ("draw" if nobody can force a win), and the remoteness in plies.

    The winner minimises the remoteness and the loser maximises it. A draw's remoteness is None in a game with cycles;
    without cycles it is 0 at the end, and otherwise 1 + the least remoteness of the drawn successors.
    """

    outcome: str
    remoteness: int | None


def solve(rules: Rules[StateT]) -> dict[StateT, Value]:
    """The value of every reachable state."""
    following = successors(rules)
    states = list(following)
    number = {state: index for index, state in enumerate(states)}
    children = [[number[child] for _, child in following[state]] for state in states]
    mover = [rules.to_move(state) for state in states]
    end = [rules.outcome(state) for state in states]

    # A state's remoteness is the number of the sweep that decides it: a move leads to a state that the previous sweep
    # found won for the mover, or the previous sweep found the last of the moves lost. Undecided states are draws.
    winner: list[str | None] = [None if outcome == DRAW else outcome for outcome in end]
    won_in: list[int | None] = [None if won is None else 0 for won in winner]
    pending = [index for index, outcome in enumerate(end) if outcome is None]
    sweep = 0
    while True:
        sweep += 1
        decided: dict[int, str] = {}
        for index in pending:
            winners = {winner[child] for child in children[index]}
            if mover[index] in winners:
                decided[index] = mover[index]
            elif len(winners) == 1 and (opponent := winners.pop()) is not None:
                decided[index] = opponent
        if not decided:
            break
        for index, won in decided.items():
            winner[index] = won
            won_in[index] = sweep
        pending = [index for index in pending if index not in decided]

    drawn_in = _draw_remoteness(children, [won is None for won in winner])
    return {
        state: Value(DRAW, drawn_in[index]) if won is None else Value(won, won_in[index])
        for index, (state, won) in enumerate(zip(states, winner, strict=True))
    }


def openings(rules: Rules[StateT]) -> dict[str, Value]:
    """Map each first move to the value of the state after it."""
    values = solve(rules)
    return {move: values[rules.play(rules.start(), move)] for move in rules.moves(rules.start())}


def _draw_remoteness(children: Sequence[Sequence[int]], drawn: Sequence[bool]) -> list[int | None]:
    """The plies from each drawn state to the nearest drawn end, through drawn states; all None if there is a cycle."""
    remoteness: list[int | None] = [None] * len(children)
    try:
        children_first = list(TopologicalSorter(dict(enumerate(children))).static_order())
    except CycleError:
        return remoteness
    for index in children_first:
        if drawn[index]:
            known = [remoteness[child] for child in children[index] if drawn[child]]
            remoteness[index] = 1 + min(plies for plies in known if plies is not None) if known else 0
    return remoteness

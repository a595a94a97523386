"""Counts over a reference game: move sequences by depth, tree sizes, distinct positions.

Equal states are counted together, weighted by the number of ways to reach them; what can follow depends on the state
alone, so this gives the same numbers as walking the whole tree. The tests call it; it solves nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tests.reference.rules import Rules, StateT


class Tree(NamedTuple):
    """Size of an unmerged game tree: nodes with the root, and the leaves among them."""

    nodes: int
    leaves: int


def levels(rules: Rules[StateT], *, ignore_ends: bool = False) -> Iterator[Counter[StateT]]:
    """The states after 0, 1, 2, ... moves, each with the number of move sequences to it; stops when there are none."""
    level = Counter({rules.start(): 1})
    while level:
        yield level
        following: Counter[StateT] = Counter()
        for state, ways in level.items():
            for move in _moves(rules, state, ignore_ends):
                following[rules.after(state, move)] += ways
        level = following


def perft(rules: Rules[StateT], depth: int, *, ignore_ends: bool = False) -> list[int]:
    """How many sequences of 1, 2, ..., depth moves there are.

    A game that ended earlier counts 0; with `ignore_ends` play goes on after a win while there are moves.
    """
    counts: list[int] = []
    if depth > 0:
        for played, level in enumerate(levels(rules, ignore_ends=ignore_ends)):
            if played > 0:
                counts.append(level.total())
            if played == depth:
                break
    return counts + [0] * (depth - len(counts))


def tree(rules: Rules[StateT], *, ignore_ends: bool = False) -> Tree:
    """The size of the whole game tree. The game must be finite."""
    nodes = leaves = 0
    for level in levels(rules, ignore_ends=ignore_ends):
        nodes += level.total()
        leaves += sum(ways for state, ways in level.items() if not _moves(rules, state, ignore_ends))
    return Tree(nodes, leaves)


def successors(rules: Rules[StateT]) -> dict[StateT, list[tuple[str, StateT]]]:
    """Every reachable state, the start and the ended ones included, with its moves and the states they lead to."""
    found: dict[StateT, list[tuple[str, StateT]]] = {}
    waiting = [rules.start()]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found[state] = [(move, rules.after(state, move)) for move in rules.moves(state)]
            waiting.extend(following for _, following in found[state])
    return found


def reachable(rules: Rules[StateT]) -> set[StateT]:
    """The distinct states (player to move included) that play can reach, the start and the ended ones included."""
    return set(successors(rules))


def _moves(rules: Rules[StateT], state: StateT, ignore_ends: bool) -> list[str]:
    return rules.options(state) if ignore_ends else rules.moves(state)

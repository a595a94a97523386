"""Counts over a reference game: move sequences by depth, tree sizes, distinct positions.

Equal states are counted together, weighted by the number of move sequences that lead to them. The continuations depend
only on the state, so this gives the same numbers as walking the whole tree. The tests call it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tests.reference.rules import Rules, StateT


class Tree(NamedTuple):
    """The size of a game tree without merging states: its nodes, root included, and how many of them are leaves."""

    nodes: int
    leaves: int


def levels(rules: Rules[StateT], *, ignore_ends: bool = False) -> Iterator[Counter[StateT]]:
    """Yield the states after 0, 1, 2, ... moves, each with the number of move sequences to it, until there are none."""
    level = Counter({rules.start(): 1})
    while level:
        yield level
        following: Counter[StateT] = Counter()
        for state, ways in level.items():
            for move in _moves(rules, state, ignore_ends):
                following[rules.after(state, move)] += ways
        level = following


def perft(rules: Rules[StateT], depth: int, *, ignore_ends: bool = False) -> list[int]:
    """The numbers of sequences of 1, 2, ..., depth moves.

    A game that ends earlier does not count; with `ignore_ends` play continues after a win as long as there are moves.
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
    """Every reachable state, including the start and finished ones, with its moves and the states after them."""
    found: dict[StateT, list[tuple[str, StateT]]] = {}
    waiting = [rules.start()]
    while waiting:
        state = waiting.pop()
        if state not in found:
            found[state] = [(move, rules.after(state, move)) for move in rules.moves(state)]
            waiting.extend(following for _, following in found[state])
    return found


def reachable(rules: Rules[StateT]) -> set[StateT]:
    """The distinct reachable states (which include the player to move), with the start and finished ones."""
    return set(successors(rules))


def _moves(rules: Rules[StateT], state: StateT, ignore_ends: bool) -> list[str]:
    return rules.options(state) if ignore_ends else rules.moves(state)

"""Chance nodes in a Monte-Carlo tree search, whose moves are drawn at random; and payoffs of ends.

The children of a chance node have their weight as `code`; each game that visits the node continues with a child drawn
with a probability in proportion to it. So the mean result of the node approaches its expected value. Of very many moves
at most `Settings.chance` are kept, drawn by weight (systematic sampling; sparse sampling in the sense of Kearns,
Mansour and Ng, Machine Learning 49, 2002).

A chance node is proven where all its moves lead to the same proven outcome.

Arrays: `row` uint64[words of a row]; for the others see the fields of the named tuples.
"""

from __future__ import annotations

from interpreter.kernel.plain import below, number
from solver.native.functions import Row, Word, inlined, part
from solver.native.mcts_state import ILLEGAL, PAID, WHOLE, Rules, Search
from solver.native.shared_tree import OPEN, indices

MOST_WEIGHT = 1 << 31
"""The sum of weights from which on they are rounded: random numbers have 32 bits."""


@inlined
def is_drawn(own: Search, node: int) -> bool:
    """Whether an expanded node is a chance node."""
    children = indices(own.tree[node].children)
    return len(children) > 0 and own.tree[children.start].code > 0


@part
def lighten(own: Search, count: int, whole: int) -> int:
    """Round the weights of the listed chance moves so that numbers can be drawn below their sum; the new sum.

    Each probability changes by at most 2**-31.
    """
    cut = 0
    while whole >> cut >= MOST_WEIGHT:
        cut += 1
    if cut == 0:
        return whole
    whole = 0
    for k in range(count):
        own.shares[k] = max(own.shares[k] >> cut, 1)
        whole += own.shares[k]
    return whole


@part
def thin_out(own: Search, count: int, whole: int, at: int) -> int:
    """Sample the listed chance moves by weight; how many are kept.

    `whole` is the sum of their weights, and `at` a random number below it. A kept move's weight is the number of times
    that it was picked.
    """
    most = own.settings[0].chance
    kept = 0
    passed = 0
    for k in range(count):
        passed += own.shares[k] * most
        picks = 0
        while at < passed:
            picks += 1
            at += whole
        if picks > 0:
            for j in range(len(own.move)):
                own.offered[kept, j] = own.offered[k, j]
            own.shares[kept] = picks
            kept += 1
    return kept


@part
def draw_child(own: Search, node: int, random: Word) -> int:
    """A child of a chance node, drawn by weight; -1 where all are illegal, -2 where a player chooses."""
    tree, parent = own.tree, own.tree[node]
    if not is_drawn(own, node):
        return -2
    whole = 0
    for child in indices(parent.children):
        if tree[child].proven != ILLEGAL:
            whole += tree[child].code
    if whole == 0:
        return -1
    at = below(random, whole)
    result = -1
    for child in indices(parent.children):
        if tree[child].proven == ILLEGAL:
            continue
        at -= tree[child].code
        if at < 0:
            result = child
            break
    return result


@part
def proven_by_chance(own: Search, node: int) -> bool:
    """Prove a chance node where all its legal children have the same proof; whether it is proven now.

    Where moves were sampled, the kept ones prove nothing.
    """
    tree, parent = own.tree, own.tree[node]
    common = OPEN
    weight = 0
    for child in indices(parent.children):
        proof = tree[child].proven
        weight += tree[child].code
        if proof == ILLEGAL:
            continue
        if proof == OPEN or (common not in (OPEN, proof)):
            return False
        common = proof
    if common == OPEN or weight == own.settings[0].chance:
        return False
    parent.proven = common
    return True


@part
def weigh_up(rules: Rules, own: Search, row: Row) -> bool:
    """Set the points of each side by the payoffs of an end; False where a payoff fails."""
    settings = own.settings[0]
    for player in range(settings.players):
        worth = rules.payoff_of(row, player)
        own.worths[own.sides[player]] = (worth - settings.low) * WHOLE // (settings.high - settings.low)
    own.state[0].proof = PAID
    return number(row[settings.failure]) == 0

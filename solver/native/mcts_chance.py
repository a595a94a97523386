"""Positions of chance in a Monte-Carlo tree search: their moves are drawn; and ends that are worth what the file says.

The children of a position of chance have their weight as `code`; each game that comes there goes on with one of them,
drawn by it. So what a node is expected to be worth is the mean that chance makes of it. Of very many moves some are
kept: as many as there is room for, each as likely as it weighs (systematic sampling; sparse sampling in the sense of
Kearns, Mansour and Ng, Machine Learning 49, 2002).

A position of chance is proven where all its moves lead to the same proven end.

Arrays: `row` uint64[words of a row]; those of the named tuples as they say.
"""

from __future__ import annotations

from interpreter.kernel.plain import below, number
from solver.native.functions import Row, Word, inlined, part
from solver.native.mcts_state import ILLEGAL, OPEN, PAID, WHOLE, Rules, Search


@inlined
def is_drawn(own: Search, node: int) -> bool:
    """Whether chance decides in a position that has children."""
    parent = own.tree[node]
    return parent.count > 0 and own.tree[parent.first].code > 0


@part
def thin_out(own: Search, count: int, whole: int, at: int) -> int:
    """Keep some of the listed moves of chance, which weigh so much together; how many. `at` is drawn from below it."""
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
    """A child of a position of chance, drawn by weight; -1 where all are illegal, -2 where a player chooses."""
    tree, parent = own.tree, own.tree[node]
    if not is_drawn(own, node):
        return -2
    whole = 0
    for child in range(parent.first, parent.first + parent.count):
        if tree[child].proven != ILLEGAL:
            whole += tree[child].code
    if whole == 0:
        return -1
    at = below(random, whole)
    result = -1
    for child in range(parent.first, parent.first + parent.count):
        if tree[child].proven == ILLEGAL:
            continue
        at -= tree[child].code
        if at < 0:
            result = child
            break
    return result


@part
def proven_by_chance(own: Search, node: int) -> bool:
    """Prove a position of chance by its children, where all lead to the same; whether it is proven now.

    Where moves were left out, those that were kept prove nothing.
    """
    tree, parent = own.tree, own.tree[node]
    common = OPEN
    weight = 0
    for child in range(parent.first, parent.first + parent.count):
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
    """Note what an end is worth to each side; False where a payoff fails."""
    settings = own.settings[0]
    for player in range(settings.players):
        worth = rules.payoff_of(row, player)
        own.worths[own.sides[player]] = (worth - settings.low) * WHOLE // (settings.high - settings.low)
    own.state[0].proof = PAID
    return number(row[settings.failure]) == 0

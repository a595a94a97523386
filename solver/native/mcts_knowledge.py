"""Estimates of moves in a Monte-Carlo tree search besides their own games: RAVE, implicit minimax, prior probabilities.

See `mcts` for the sources.

Arrays: `row` uint64[words of a row]; for the others see the fields of the named tuples.
"""

from __future__ import annotations

import math

from interpreter.kernel.plain import number
from solver.native.functions import inlined
from solver.native.learned import own_value, sum_up, term_of, value_after
from solver.native.mcts_chance import is_drawn, weigh_up
from solver.native.mcts_state import (
    DRAWN,
    ILLEGAL,
    INHERITED,
    SELDOM,
    UNIT,
    WHOLE,
    WON,
    Node,
    Rules,
    Search,
)
from solver.native.ordering import history_index, move_number
from solver.native.shared_tree import OPEN, indices
from solver.native.workspace import GOES_ON, copy_row, failed_by


@inlined
def proof_of(outcome: int) -> int:
    """The proof of a node by the outcome of its position."""
    return DRAWN if outcome < 0 else WON + outcome


@inlined
def worth_of_proof(proof: int, mover: int, players: int) -> int:
    """The minimax value of a proven node, for the player who moved to it."""
    if proof == DRAWN:
        return -UNIT if players == 1 else 0
    return UNIT if proof == WON + mover else -UNIT


@inlined
def expected_of(own: Search, child: Node, logarithm: float, exploring: float) -> float:
    """The UCT value of a child, with its RAVE statistics and its minimax value where these are on."""
    settings = own.settings[0]
    visits = child.visits
    if settings.rave == 0 and settings.minimax == 0:
        return SELDOM if visits == 0 else child.points / (float(WHOLE) * visits) + exploring * math.sqrt(
            logarithm / visits)
    later = child.later_visits if settings.rave != 0 else 0
    if visits == 0 and later == 0 and settings.minimax == 0:
        return SELDOM
    result = 0.5
    if later > 0:
        weight = later / (later + visits + float(later) * visits / max(settings.rave, 1))
        result = weight * child.later_points / (float(WHOLE) * later)
        if visits > 0:
            result += (1.0 - weight) * child.points / (float(WHOLE) * visits)
    elif visits > 0:
        result = child.points / (float(WHOLE) * visits)
    if settings.minimax != 0:
        share = settings.minimax / 1000.0
        worth = 0.5 + child.worth / (2.0 * UNIT)
        if visits == 0 and later == 0:
            result = worth
        result = (1.0 - share) * result + share * worth
    return result + exploring * math.sqrt(logarithm / (visits + 1))


UNIFORM = 0.02
"""The part of the prior probabilities that is the same for all moves."""


@inlined
def guided_value(own: Search, child: Node, visits: float, exploring: float) -> float:
    """The PUCT value of a child; `visits` is the square root of the visits of its parent."""
    share = own.settings[0].minimax / 1000.0
    mean = (child.points + child.later_points) / (float(WHOLE) * (child.visits + 1))
    result = (1.0 - share) * mean + share * (0.5 + child.worth / (2.0 * UNIT))
    return result + exploring * child.later_visits / UNIT * visits / (1 + child.visits)


@inlined
def set_priors(own: Search, first: int, count: int) -> None:
    """Set the prior probabilities of new nodes: a softmax of their static values, and a small part the same for all, so
    that every move is tried in the end."""
    tree, temperature = own.tree, UNIT * own.settings[0].temperature / 1000.0
    best = -UNIT
    for index in range(first, first + count):
        best = max(best, tree[index].worth)
    total = 0.0
    for index in range(first, first + count):
        total += math.exp((tree[index].worth - best) / temperature)
    for index in range(first, first + count):
        child = tree[index]
        share = math.exp((child.worth - best) / temperature) / total
        child.later_visits = int(UNIT * ((1.0 - UNIFORM) * share + UNIFORM / count))
        child.later_points = (UNIT + child.worth) * WHOLE // (2 * UNIT)


@inlined
def copy_proofs(own: Search, before: int, first: int, count: int) -> None:
    """Copy the proofs of the children that a node has before, to those of its new children by the same moves."""
    for index in indices(before):
        for other in range(first, first + count):
            same = True
            for k in range(len(own.move)):
                same = same and own.moves[index, k] == own.moves[other, k]
            if same:
                own.tree[other].proven = own.tree[index].proven


@inlined
def inherit(own: Search, first: int, count: int, mover: int) -> None:
    """Set the codes of new nodes, and start their RAVE statistics from the nearest ancestor with the same mover."""
    tree = own.tree
    before = 0
    for k in range(own.state[0].length - 1, -1, -1):
        if own.tree[own.path[k + 1]].mover == mover:
            before = own.tree[own.path[k]].children
            break
    known = indices(before)
    for other in known:
        own.known[tree[other].code] = other
    for index in range(first, first + count):
        child = tree[index]
        child.code = history_index(mover & 1, move_number(own.moves[index]))
        if before == 0:
            continue
        other = own.known[child.code]
        if known.start <= other < known.stop and tree[other].code == child.code:
            games = tree[other].later_visits
            child.later_visits = min(games, INHERITED)
            if games > 0:
                child.later_points = tree[other].later_points * child.later_visits // games


@inlined
def look_at_children(rules: Rules, own: Search, first: int, count: int, mover: int) -> bool:
    """Set the minimax values of new nodes, and prove those that end the game; False where a rule fails."""
    tree, settings, row = own.tree, own.settings[0], own.rows[2]
    shape = own.learned.shape[0]
    if shape.used != 0:
        sum_up(own.learned, own.rows[0], 0)
    for index in range(first, first + count):
        child = tree[index]
        copy_row(own.rows[0], row)
        code = rules.step(row, own.moves[index], own.entries, own.scratch)
        if code < 0:
            if not failed_by(row, settings.failure, settings.outgrown):
                return False
            continue  # worth 0, as a draw
        if code > 0:
            own.counts[0].taken_back += 1
            child.proven = ILLEGAL
            continue
        outcome = number(row[settings.outcome])
        if outcome != GOES_ON and settings.paying != 0:
            if not weigh_up(rules, own, row):
                return False
            child.worth = min(max(2 * own.worths[mover] - WHOLE, -WHOLE), WHOLE) * (UNIT // WHOLE)
        elif outcome != GOES_ON:
            own.counts[0].ends += 1
            child.proven = proof_of(outcome)
            child.worth = worth_of_proof(child.proven, mover, settings.players)
        else:
            value = own_value(rules.value_of, own.learned, row)
            if shape.used != 0:
                value = value_after(own.learned, own.rows[0], row, 0, value)
            worth = term_of(value, settings.scale)
            child.worth = worth if own.sides[number(row[settings.to_move])] == mover else -worth
            if number(row[settings.failure]) != 0:
                return False
    return True


@inlined
def sort_children(own: Search, first: int, count: int) -> None:
    """Sort new nodes by their estimates, the best first, with a comb sort."""
    tree, keys = own.tree, own.keys
    for k in range(count):
        child = tree[first + k]
        expected = child.worth
        if own.settings[0].minimax == 0 and child.later_visits > 0:
            expected = child.later_points * UNIT // (WHOLE * child.later_visits)
        if child.proven != OPEN:
            expected = -2 * UNIT
        keys[k] = expected
    gap = count
    changed = True
    while gap > 1 or changed:
        gap = max(1, gap * 10 // 13)
        changed = False
        for k in range(count - gap):
            if keys[k] < keys[k + gap]:
                changed = True
                keys[k], keys[k + gap] = keys[k + gap], keys[k]
                _swap_children(own, first + k, first + k + gap)


@inlined
def _swap_children(own: Search, one: int, other: int) -> None:
    """Swap two new nodes, which have no children yet."""
    first, second = own.tree[one], own.tree[other]
    first.proven, second.proven = second.proven, first.proven
    first.later_visits, second.later_visits = second.later_visits, first.later_visits
    first.later_points, second.later_points = second.later_points, first.later_points
    first.code, second.code = second.code, first.code
    first.worth, second.worth = second.worth, first.worth
    for k in range(len(own.move)):
        own.moves[one, k], own.moves[other, k] = own.moves[other, k], own.moves[one, k]


@inlined
def _known_worth(child: Node, players: int) -> int:
    """The minimax value of a legal node for the player who moved to it, by its proof where there is one."""
    return child.worth if child.proven == OPEN else worth_of_proof(child.proven, child.mover, players)


@inlined
def _mean_of(own: Search, node: int) -> int:
    """The minimax value of a chance node for the player to move: the mean of its children, by their probabilities."""
    tree, parent, players = own.tree, own.tree[node], own.settings[0].players
    total, weight = 0, 0
    for index in indices(parent.children):
        child = tree[index]
        if child.proven == ILLEGAL:
            continue
        total += _known_worth(child, players) * child.code
        weight += child.code
    return total // max(weight, 1)


@inlined
def minimax_of(own: Search, node: int) -> int:
    """The minimax value of a node for the player who moved to it, from its proof or its children."""
    tree, parent, players = own.tree, own.tree[node], own.settings[0].players
    if parent.proven != OPEN:
        return worth_of_proof(parent.proven, parent.mover, players) if parent.proven > 0 else parent.worth
    children = indices(parent.children)
    if own.settings[0].chance != 0 and is_drawn(own, node):
        best = _mean_of(own, node)
    else:
        best = -UNIT
        for index in children:
            child = tree[index]
            if child.proven != ILLEGAL:
                best = max(best, _known_worth(child, players))
    return best if tree[children.start].mover == parent.mover else -best

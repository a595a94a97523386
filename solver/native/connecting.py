"""Monte-Carlo tree search for games of connection, with virtual connections, electric current and random games.

For games that `interpreter.analysis.connections` recognises as games of connection, with two regions to join for each
player. The tree is like that of `mcts`, with proofs; each position that is added to it is evaluated once:

- Cells that no longer matter are filled in (`fill_in`): no moves are searched there, and the filled position is
  evaluated instead. Proofs took a twelfth of the positions (61,768 without it, 5,202 with it, in 25 positions on 6x6
  after three random moves), and a thirty-fifth after ten moves on 7x7 (25,450 and 717, in 26 positions), at the same
  speed; at equal time it won as many games on 11x11 as without.
- Virtual connections (`virtual_connections`) prove the position, or rule out moves that lose.
- The current between each player's regions (`circuit`) gives a probability of winning, and prior probabilities of the
  moves: the more current flows through the cell of a move, for both players together, the better. Selection uses these
  priors and the results so far (PUCT: Silver and others, Science 362, 2018).
- Random games to a full board are played from the position. In these, a player whose opponent takes one of the two
  cells that could each join two points answers with the other cell.

The evaluation is the mean of what the current and the random games give.

Several threads may search one tree, as in `mcts`; each also has arrays of its own.

Arrays: see the fields of the named tuples.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import attrs

from interpreter.kernel.plain import EMPTY, ONE, below, word
from solver.native.circuit import Circuit, current_of
from solver.native.fill_in import Ground, captor, find_groups, matters_little, next_dead
from solver.native.functions import Line, Lines, Records, compiled, inlined, part
from solver.native.shared_tree import (
    NEVER,
    OPEN,
    claim,
    finish_writing,
    indices,
    is_settled,
    packed,
    release,
    take_room,
)
from solver.native.virtual_connections import IF_FIRST, JOINED, REGIONS, Net, find_connections
from solver.native.workspace import next_random

WON, LOST = 1, -1
"""The proof of a node, besides OPEN, for the player who moved to it."""
DONE, WAITING, FULL, NOBODY, SETTLED = range(5)
"""Why a search ended: the root is proven, the limit of iterations is reached or the search was halted, the tree is
full, a full board was found on which neither player's regions are joined, no other move can become the most visited
one."""
GAMES = 5
"""Random games from each position."""
_MIXED = 0.5
"""The weight of the random games in the evaluation; the current has the rest."""
_STEEP, _TEMPO = 1.6, 0.5
"""The log odds of a win by the current: _STEEP times the logarithm of the ratio of the currents, plus _TEMPO for the
player to move."""
_LEAST = 0.01
"""Currents below this count as this."""
_REDUCED = 0.1
"""First-play urgency: a move that was not tried counts as its position's value less this."""


@attrs.define(eq=False)
class Node:
    """A position and the move that leads to it."""

    children: int = 0
    """Its children as `shared_tree.packed` has them, 0 where it is not expanded."""
    cell: int = 0
    """The cell that the move takes."""
    visits: int = 0
    proven: int = 0
    wins: float = 0.0
    """The sum of the evaluations of all visits, for the player who moved to it."""
    prior: float = 0.0
    """The prior probability of the move among those of its position."""


@attrs.define(eq=False)
class State:
    """The state and the counters of a search."""

    chance: int = 0
    """The state of a random sequence."""
    root: int = 0
    """The node where the search begins."""
    mover: int = 0
    """The player to move at the root."""
    last: int = -1
    """The cell taken by the last move before the root; -1 for none."""
    played: int = 0
    """The number of iterations."""
    length: int = 0
    """The depth of the current position below the root."""
    free: int = 0
    """The number of empty cells of the current position."""
    proofs: int = 0
    nobody: int = 0
    """Whether a full board was found on which neither player's regions are joined."""
    filled: int = 0
    """Cells that were filled in."""
    left_out: int = 0
    """Moves that virtual connections ruled out."""
    simulated: int = 0
    """Moves of random games."""
    goal: int = 0
    """The visits that the root will have when the time is up; 0 for a search that uses all of its time."""


class Board(NamedTuple):
    """The board as random games use it; points are those of `virtual_connections`."""

    near: Lines
    """[cells, most + 1]: the number of neighbours of each cell, and these."""
    sides: Line
    """[cells]: a bit for each region that a cell is in, in order of the points."""
    pairs: Lines
    """[cells, 3 * most + 1]: the number of pairs that a cell belongs to, and for each pair its other cell and the two
    points that either of its cells would join."""


class Search(NamedTuple):
    """The arrays and options of one search."""

    root: Line
    """[cells]: 0 for an empty cell, else player + 1."""
    colour: Line
    """[points]: the same for the cells of the current position; player + 1 for a region."""
    free: Line
    """[cells]: the empty cells of the current position."""
    place: Line
    """[cells]: the index of each empty cell in `free`."""
    kept: Line
    """[cells]: the empty cells of the position where random games begin."""
    stack: Line
    seen: Line
    """[cells], [cells + 1]: scratch space."""
    path: Line
    """[cells + 1]: the nodes from the root to the current position."""
    tree: Records[Node]
    used: Line
    claims: Line
    """See `shared_tree`."""
    halted: Line
    """[1]: any thread ends the search by writing a number other than 0."""
    state: Records[State]
    """One record."""
    threads: int
    """The number of threads that search the same tree and share `tree`, `used` and `claims`."""
    exploring: float
    """The PUCT exploration constant."""
    filling: int
    """Whether cells that no longer matter are filled in."""
    solving: int
    """Whether to prove the root instead of finding a move: then the root may be proven lost, and a full tree ends the
    search."""


# ---- positions


@part
def is_joined(player: int, board: Board, own: Search) -> bool:
    """Whether a player's pieces join the player's two regions."""
    colour, stack, seen, sides, near = own.colour, own.stack, own.seen, board.sides, board.near
    cells = len(sides)
    first, last, mine = 1 << (REGIONS * player), 2 << (REGIONS * player), player + 1
    stamp = seen[cells] + 1
    seen[cells] = stamp
    size = 0
    for cell in range(cells):
        if sides[cell] & first != 0 and colour[cell] == mine:
            seen[cell] = stamp
            stack[size] = cell
            size += 1
    while size > 0:
        size -= 1
        cell = stack[size]
        if sides[cell] & last != 0:
            return True
        for place in range(1, near[cell, 0] + 1):
            other = near[cell, place]
            if colour[other] == mine and seen[other] != stamp:
                seen[other] = stamp
                stack[size] = other
                size += 1
    return False


@inlined
def _take(cell: int, player: int, own: Search) -> None:
    """Put a piece on an empty cell."""
    state = own.state[0]
    state.free -= 1
    last, place = own.free[state.free], own.place[cell]
    own.free[place] = last
    own.place[last] = place
    own.colour[cell] = player + 1


@inlined
def _begin(own: Search) -> None:
    """Reset the current position to the root."""
    state = own.state[0]
    state.free = 0
    state.length = 0
    own.path[0] = state.root
    for cell in range(len(own.root)):
        own.colour[cell] = own.root[cell]
        if own.root[cell] == 0:
            own.free[state.free] = cell
            own.place[cell] = state.free
            state.free += 1


@part
def _fill_in(ground: Ground, own: Search) -> None:
    """Fill in dead cells and captured pairs of the current position until there are no more."""
    state, near = own.state[0], ground.near
    before, filled = -1, 0
    while before < filled:
        before = filled
        find_groups(ground)
        cell = next_dead(0, ground)
        while cell >= 0:
            _take(cell, 0, own)
            filled += 1
            find_groups(ground)
            cell = next_dead(cell + 1, ground)
        for one in range(len(own.root)):
            for place in range(1, near[one, 0] + 1):
                other = near[one, place]
                if other > one and matters_little(one, ground) and matters_little(other, ground):
                    player = captor(one, other, ground)
                    if player >= 0:
                        _take(one, player, own)
                        _take(other, player, own)
                        filled += 2
                        find_groups(ground)
    state.filled += filled


# ---- random games


@inlined
def _answer(last: int, mine: int, board: Board, own: Search) -> int:
    """The other cell of a pair of which the opponent took the cell `last`, a random one of several; -1 for none."""
    pairs, colour = board.pairs, own.colour
    result, count = -1, 0
    for place in range(1, 3 * pairs[last, 0] + 1, 3):
        cell = pairs[last, place]
        if colour[cell] == 0 and colour[pairs[last, place + 1]] == mine and colour[pairs[last, place + 2]] == mine:
            count += 1
            if count == 1 or below(next_random(own.state[0]), count) == 0:
                result = cell
    return result


@part
def fill(mover: int, last: int, board: Board, own: Search) -> int:
    """Play a random game until the board is full, answering moves into pairs; the winner, -1 for nobody."""
    state = own.state[0]
    state.simulated += state.free
    while state.free > 0:
        cell = -1
        if last >= 0:
            cell = _answer(last, mover + 1, board, own)
        if cell < 0:
            cell = own.free[below(next_random(own.state[0]), state.free)]
        _take(cell, mover, own)
        last = cell
        mover = 1 - mover
    if is_joined(0, board, own):
        return 0
    return 1 if is_joined(1, board, own) else -1


@inlined
def _sample(mover: int, last: int, board: Board, own: Search) -> float:
    """The mean result of `GAMES` random games for the player to move, from 0 to 1."""
    state = own.state[0]
    free = state.free
    for k in range(free):
        own.kept[k] = own.free[k]
    wins = 0.0
    for _ in range(GAMES):
        state.free = free
        for k in range(free):
            cell = own.kept[k]
            own.colour[cell] = 0
            own.free[k] = cell
            own.place[cell] = k
        winner = fill(mover, last, board, own)
        wins += 1.0 if winner == mover else 0.5 if winner < 0 else 0.0
    return wins / GAMES


# ---- the tree


@inlined
def _expand(own: Search) -> int:
    """Allocate nodes for the moves of the current position; the first of them, -1 where there is no room."""
    tree, count = own.tree, own.state[0].free
    first = take_room(own.used, len(tree), count)
    if first < 0:
        return first
    for k in range(count):
        child = tree[first + k]
        child.children = 0
        child.cell = own.free[k]
        child.visits = 0
        child.proven = OPEN
        child.wins = 0.0
        child.prior = 0.0
    return first


@inlined
def _leave_musts(first: int, net: Net, own: Search) -> int:
    """Mark moves outside of `Net.musts`, which leave the opponent a connection, as lost; how many others are not lost.
    """
    result = 0
    for index in range(first, first + own.state[0].free):
        child = own.tree[index]
        if net.musts[child.cell >> 6] & (ONE << word(child.cell & 63)) == EMPTY:
            child.proven = LOST
            own.state[0].left_out += 1
        elif child.proven != LOST:
            result += 1
    return result


@inlined
def _hope(first: int, circuit: Circuit, own: Search) -> None:
    """Set the prior probabilities of the moves, by the current through their cells."""
    cells, count = len(own.root), own.state[0].free
    total = 0.0
    for index in range(first, first + count):
        child = own.tree[index]
        if child.proven == OPEN:
            share = circuit.shares[child.cell] + circuit.shares[cells + child.cell]
            child.prior = share * share * share  # the cube won 19 of 30 games against the share itself
            total += child.prior
    for index in range(first, first + count):
        child = own.tree[index]
        child.prior = child.prior / total if total > 0.0 else 1.0 / count


@part
def _look_at(node: int, first: int, mover: int, net: Net, circuit: Circuit, own: Search) -> float:
    """Evaluate a node whose children are allocated: prove it by virtual connections, or set its priors by the current.

    The result is the probability that the player to move wins.
    """
    tree, here, root = own.tree, own.tree[node], own.state[0].root
    if find_connections(mover, IF_FIRST, net) != 0:
        if node == root:
            for index in range(first, first + own.state[0].free):
                if tree[index].cell == net.state[0].key:
                    tree[index].proven = WON
        here.proven = LOST
        return 1.0
    ours = max(current_of(net, circuit), _LEAST)
    found = find_connections(1 - mover, JOINED, net)
    if node == root and found == JOINED and own.solving == 0:  # all moves lose, but one has to be found
        found = 0
    if found == JOINED or (found == IF_FIRST and _leave_musts(first, net, own) == 0):
        here.proven = WON
        return 0.0
    theirs = max(current_of(net, circuit), _LEAST)
    _hope(first, circuit, own)
    return 1.0 / (1.0 + math.exp(-_TEMPO - _STEEP * math.log(ours / theirs)))


@inlined
def _best_child(node: int, own: Search) -> int:
    """The open child with the highest PUCT value; -1 where all are proven."""
    tree, parent = own.tree, own.tree[node]
    untried = 1.0 - parent.wins / max(parent.visits, 1) - _REDUCED
    wide = own.exploring * math.sqrt(float(parent.visits + 1))
    result, highest = -1, -1e9
    for index in indices(parent.children):
        child = tree[index]
        if child.proven != OPEN:
            continue
        worth = wide * child.prior / (child.visits + 1.0)
        worth += child.wins / child.visits if child.visits > 0 else untried
        if worth > highest:
            highest = worth
            result = index
    return result


@inlined
def _settle(own: Search) -> None:
    """Propagate the proof of the last node of the path to its ancestors, as far as it proves them."""
    tree, state = own.tree, own.state[0]
    state.proofs += 1
    proof = tree[own.path[state.length]].proven
    for k in range(state.length - 1, -1, -1):
        parent = tree[own.path[k]]
        proof = LOST if proof == WON else WON
        if proof == WON:
            for index in indices(parent.children):
                if tree[index].proven != LOST:
                    return
        parent.proven = proof
        state.proofs += 1


@inlined
def _prove_by_moves(node: int, own: Search) -> None:
    """Prove the last node of the path, all of whose moves are proven, and its ancestors as far as that proves them."""
    parent = own.tree[node]
    children = indices(parent.children)
    proof = WON if len(children) > 0 else OPEN
    for index in children:
        if own.tree[index].proven == WON:
            proof = LOST
        elif own.tree[index].proven == OPEN and proof == WON:
            proof = OPEN
    if proof != OPEN and parent.proven == OPEN:
        parent.proven = proof
        _settle(own)


@inlined
def _count_visit(worth: float, own: Search) -> None:
    """Back up an evaluation along the path; `worth` is for the player to move at its end."""
    for k in range(own.state[0].length, -1, -1):
        worth = 1.0 - worth
        visited = own.tree[own.path[k]]
        visited.visits += own.threads == 1 or k == 0
        visited.wins += worth


@inlined
def _add(node: int, mover: int, last: int, board: Board, net: Net, circuit: Circuit, ground: Ground,
         own: Search) -> float:
    """Expand and evaluate the current position, which no other thread is expanding.

    The result is the probability that the player to move wins; it means nothing where the node is proven.
    """
    state, here = own.state[0], own.tree[node]
    if is_joined(1 - mover, board, own):
        here.proven = WON
    elif state.free > 0 and own.filling != 0 and (node != state.root or own.solving == 0):
        _fill_in(ground, own)
        if is_joined(mover, board, own):
            here.proven = LOST
        elif is_joined(1 - mover, board, own):
            here.proven = WON
    if here.proven != OPEN and node == state.root:  # a move has to be found all the same
        here.proven = OPEN
        _begin(own)
    elif here.proven != OPEN:
        _settle(own)
    if here.proven != OPEN:
        return 0.5
    if state.free == 0:
        state.nobody = 1
        return 0.5
    first = _expand(own)
    if first < 0:
        return _sample(mover, last, board, own)
    children = packed(first, state.free, False)
    worth = _look_at(node, first, mover, net, circuit, own)
    finish_writing(own.used)
    here.children = children
    if here.proven != OPEN:
        _settle(own)
        return worth
    return (1.0 - _MIXED) * worth + _MIXED * _sample(mover, last, board, own)


@part
def _go_through(board: Board, net: Net, circuit: Circuit, ground: Ground, own: Search) -> None:
    """Run one iteration: descend to an unexpanded or proven node, evaluate it, and back the result up.

    With several threads, descending to a node adds a virtual loss, until the result is backed up.
    """
    tree, state = own.tree, own.state[0]
    _begin(own)
    node, mover, last = state.root, state.mover, state.last
    while tree[node].children != 0 and tree[node].proven == OPEN:
        child = _best_child(node, own)
        if child < 0:  # threads that proved the last two moves at once may have missed each other's proof
            _prove_by_moves(node, own)
            break
        node = child
        state.length += 1
        own.path[state.length] = node
        last = tree[node].cell
        tree[node].visits += own.threads > 1
        _take(last, mover, own)
        mover = 1 - mover
    here = tree[node]
    worth = 0.5
    if here.proven == OPEN and here.children == 0:
        if own.threads == 1:
            worth = _add(node, mover, last, board, net, circuit, ground, own)
        elif not claim(own.claims, node):
            worth = _sample(mover, last, board, own)
        else:
            if here.proven == OPEN and here.children == 0:
                worth = _add(node, mover, last, board, net, circuit, ground, own)
            elif here.proven == OPEN:  # another thread was faster
                worth = _sample(mover, last, board, own)
            release(own.claims, node)
    if here.proven != OPEN:
        worth = 0.0 if here.proven == WON else 1.0
    state.played += 1
    _count_visit(worth, own)


@compiled
def search(board: Board, net: Net, circuit: Circuit, ground: Ground, own: Search, until: int) -> int:
    """Search until `until` iterations were made in all, the search is halted, the root is proven, or its move is
    settled; why it ended.

    `net` has the same `colour` array as the search.
    """
    state = own.state[0]
    while state.played < until and own.halted[0] == 0:
        if own.tree[state.root].proven != OPEN:
            return DONE
        if own.solving != 0 and state.nobody != 0:
            return NOBODY
        if own.solving != 0 and own.used[0] + len(own.root) > len(own.tree):
            return FULL
        _go_through(board, net, circuit, ground, own)
        if state.goal != 0 and is_settled(own.tree, state.root, state.goal, NEVER):
            return SETTLED
    return WAITING


@inlined
def _copy_node(node: Node, into: Node) -> None:
    """Copy a node over another."""
    into.children, into.cell, into.visits = node.children, node.cell, node.visits
    into.proven, into.wins, into.prior = node.proven, node.wins, node.prior


@compiled
def keep_below(tree: Records[Node], node: int, kept: Records[Node], only_open: int) -> int:
    """Copy the subtree of a node to the front of another tree; the number of nodes copied.

    With `only_open`, proven nodes are copied without their children.
    """
    _copy_node(tree[node], kept[0])
    used = 1
    index = 0
    while index < used:
        children = indices(kept[index].children)
        if only_open != 0 and kept[index].proven != OPEN:
            kept[index].children = 0
        elif len(children) > 0:
            for k in range(len(children)):
                _copy_node(tree[children.start + k], kept[used + k])
            kept[index].children = packed(used, len(children), False)
            used += len(children)
        index += 1
    return used

"""Monte-Carlo tree search for games of connection, by virtual connections, current and random games.

For games that `interpreter.analysis.connections` shows to be such, with two regions to join for each player. It has
a tree like that of `mcts`, with proofs; each position that is added to it is looked at once:

- Cells that no longer matter are filled in (`fill_in`): nothing is moved to them, and what remains is looked at.
  Proofs took a twelfth of the positions (61,768 without it, 5,202 with it, in 25 positions on 6x6 after three random
  moves), and a thirty-fifth after ten moves on 7x7 (25,450 and 717, in 26 positions), at the same speed; at equal time
  it won as many games on 11x11 as without.
- Virtual connections (`virtual_connections`) prove it, or leave the moves that do not lose by them.
- The current that flows between each player's regions (`circuit`) tells how probable it is to be won, and which moves
  are probably good: those through whose cell the most flows, for both players together. What is looked into next goes
  by what moves are worth so far and by this (PUCT: Silver and others, Science 362, 2018).
- Some random games to a full board are played from there. Where a move takes one of two cells by which the opponent
  joins two things, he takes the other, in these games.

Several threads may search one tree, as `mcts` says, each with arrays of its own besides.

Half of what a position is worth is told by the current, half by the random games.

Arrays: those of the named tuples as they say.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import attrs

from interpreter.kernel.plain import EMPTY, ONE, below, word
from solver.native.circuit import Circuit, current_of
from solver.native.fill_in import Ground, captor, find_groups, matters_little, next_dead
from solver.native.functions import Line, Lines, Records, compiled, inlined, part
from solver.native.shared_tree import claim, finish_writing, release, take_room
from solver.native.virtual_connections import IF_FIRST, JOINED, REGIONS, Net, find_connections
from solver.native.workspace import next_random

OPEN, WON, LOST = 0, 1, -1
"""How a node is proven: for the player who moved to it."""
DONE, WAITING, FULL, NOBODY = 0, 1, 2, 3
"""Why a search ended: the root is proven, so many positions were looked at, the tree has no more room, a full board was
found on which nobody is joined."""
GAMES = 5
"""Random games from each position."""
_MIXED = 0.5
"""The part of what a position is worth that they tell."""
_STEEP, _TEMPO = 1.6, 0.5
"""How the logarithm of the ratio of the currents tells the odds; the player to move has so much more."""
_LEAST = 0.01
"""The least current that counts."""
_REDUCED = 0.1
"""A move that was not tried is worth so much less than its position."""


@attrs.define(eq=False)
class Node:
    """A position, by the move that leads to it."""

    first: int = -1
    """Where its children begin, -1 where there are none yet."""
    count: int = 0
    cell: int = 0
    """The cell that is taken by the move."""
    visits: int = 0
    proven: int = 0
    wins: float = 0.0
    """What was expected at all visits, for the player who moved to it."""
    prior: float = 0.0
    """What part of all hope in its position is in the move."""


@attrs.define(eq=False)
class State:
    """Where a search stands."""

    chance: int = 0
    """The state of a random sequence."""
    root: int = 0
    """The node where the search begins."""
    mover: int = 0
    """Who moves there."""
    last: int = -1
    """The cell that was taken last before; -1 for none."""
    played: int = 0
    """How often the tree was gone through."""
    length: int = 0
    """Moves of the way to the position that was reached."""
    free: int = 0
    """Empty cells there."""
    proofs: int = 0
    nobody: int = 0
    """Whether a full board was found on which nobody is joined."""
    filled: int = 0
    """Cells that no longer mattered."""
    left_out: int = 0
    """Moves that were none by virtual connections."""
    simulated: int = 0
    """Moves of random games."""


class Board(NamedTuple):
    """What random games need to know; points are those of `virtual_connections`."""

    near: Lines
    """[cells, most + 1]: how many neighbours a cell has, and these."""
    sides: Line
    """[cells]: a bit for each region that a cell is in, in order of the points."""
    pairs: Lines
    """[cells, 3 * most + 1]: how many ways there are to be joined by a cell or another, and for each that other one,
    and the two points that it joins."""


class Search(NamedTuple):
    """One search."""

    root: Line
    """[cells]: 0 for an empty cell, else player + 1."""
    colour: Line
    """[points]: the same of the position that was reached; of a region its player + 1."""
    free: Line
    """[cells]: the empty cells there."""
    place: Line
    """[cells]: where each stands among these."""
    kept: Line
    """[cells]: the empty cells where random games begin."""
    stack: Line
    seen: Line
    """[cells], [cells + 1]: to work with."""
    path: Line
    """[cells + 1]: the nodes of the way to the position."""
    tree: Records[Node]
    used: Line
    claims: Line
    """See `shared_tree`."""
    halted: Line
    """[1]: anything but 0 ends the search, whoever writes it."""
    state: Records[State]
    """One."""
    threads: int
    """How many threads search the same tree, which share `tree`, `used` and `claims`."""
    exploring: float
    """How much is given for what was seldom tried."""
    filling: int
    """Whether cells that no longer matter are filled in."""
    solving: int
    """Whether the root is to be proven, not a move to be found: then a root may be lost, and a full tree is told."""


# ---- positions


@part
def is_joined(player: int, board: Board, own: Search) -> bool:
    """Whether a player's pieces join his regions."""
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
    """Begin at the root."""
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
    """Fill in the cells that no longer matter."""
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
    """The other cell of a pair of which the opponent has taken one, by chance where there are several; -1 for none."""
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
    """Fill the board, by chance where there is nothing to answer; who is joined then, -1 for nobody."""
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
    """What the player to move may expect by some random games."""
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
    """Make nodes for the moves of the position that was reached; the first, -1 where there is no room."""
    tree, count = own.tree, own.state[0].free
    first = take_room(own.used, len(tree), count)
    if first < 0:
        return first
    for k in range(count):
        child = tree[first + k]
        child.first = -1
        child.count = 0
        child.cell = own.free[k]
        child.visits = 0
        child.proven = OPEN
        child.wins = 0.0
        child.prior = 0.0
    return first


@inlined
def _leave_musts(first: int, net: Net, own: Search) -> int:
    """Prove the moves lost that leave the opponent a connection; how many others there are."""
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
    """Tell how good moves probably are, by the current through their cells."""
    cells, count = len(own.root), own.state[0].free
    total = 0.0
    for index in range(first, first + count):
        child = own.tree[index]
        if child.proven == OPEN:
            share = circuit.shares[child.cell] + circuit.shares[cells + child.cell]
            child.prior = share * share * share  # cubed it won 19 of 30 games against the share itself
            total += child.prior
    for index in range(first, first + count):
        child = own.tree[index]
        child.prior = child.prior / total if total > 0.0 else 1.0 / count


@part
def _look_at(node: int, first: int, mover: int, net: Net, circuit: Circuit, own: Search) -> float:
    """Prove a node whose children are made, or what the player to move may expect there, by the current."""
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
    if node == root and found == JOINED and own.solving == 0:  # all moves lose: what is worth most is played
        found = 0
    if found == JOINED or (found == IF_FIRST and _leave_musts(first, net, own) == 0):
        here.proven = WON
        return 0.0
    theirs = max(current_of(net, circuit), _LEAST)
    _hope(first, circuit, own)
    return 1.0 / (1.0 + math.exp(-_TEMPO - _STEEP * math.log(ours / theirs)))


@inlined
def _best_child(node: int, own: Search) -> int:
    """The child to go to next; -1 where all are proven."""
    tree, parent = own.tree, own.tree[node]
    untried = 1.0 - parent.wins / max(parent.visits, 1) - _REDUCED
    wide = own.exploring * math.sqrt(float(parent.visits + 1))
    result, highest = -1, -1e9
    for index in range(parent.first, parent.first + parent.count):
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
    """Prove the nodes above the last of the path, which is proven, as far as that goes."""
    tree, state = own.tree, own.state[0]
    state.proofs += 1
    proof = tree[own.path[state.length]].proven
    for k in range(state.length - 1, -1, -1):
        parent = tree[own.path[k]]
        proof = LOST if proof == WON else WON
        if proof == WON:
            for index in range(parent.first, parent.first + parent.count):
                if tree[index].proven != LOST:
                    return
        parent.proven = proof
        state.proofs += 1


@inlined
def _prove_by_moves(node: int, own: Search) -> None:
    """Prove a node all of whose moves are proven, the last of the path, and the nodes above it."""
    parent = own.tree[node]
    proof = WON if parent.count > 0 else OPEN
    for index in range(parent.first, parent.first + parent.count):
        if own.tree[index].proven == WON:
            proof = LOST
        elif own.tree[index].proven == OPEN and proof == WON:
            proof = OPEN
    if proof != OPEN and parent.proven == OPEN:
        parent.proven = proof
        _settle(own)


@inlined
def _count_visit(worth: float, own: Search) -> None:
    """Count a visit for the nodes of the path; `worth` is for the player to move at its end."""
    for k in range(own.state[0].length, -1, -1):
        worth = 1.0 - worth
        visited = own.tree[own.path[k]]
        visited.visits += own.threads == 1 or k == 0
        visited.wins += worth


@inlined
def _add(node: int, mover: int, last: int, board: Board, net: Net, circuit: Circuit, ground: Ground,
         own: Search) -> float:
    """Look at a position that was reached and has no children yet, which no other thread does, and give it these; what
    the player to move may expect."""
    state, here = own.state[0], own.tree[node]
    if is_joined(1 - mover, board, own):
        here.proven = WON
    elif state.free > 0 and own.filling != 0 and (node != state.root or own.solving == 0):
        _fill_in(ground, own)
        if is_joined(mover, board, own):
            here.proven = LOST
        elif is_joined(1 - mover, board, own):
            here.proven = WON
    if here.proven != OPEN and node == state.root:  # a move is to be found none the less
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
    count = state.free
    worth = _look_at(node, first, mover, net, circuit, own)
    here.count = count
    finish_writing(own.used)
    here.first = first
    if here.proven != OPEN:
        _settle(own)
        return worth
    return (1.0 - _MIXED) * worth + _MIXED * _sample(mover, last, board, own)


@part
def _go_through(board: Board, net: Net, circuit: Circuit, ground: Ground, own: Search) -> None:
    """Go to a position that is to be added to the tree, or is proven, look at it, and count the visit.

    Where other threads are in the same tree, a node counts as lost for whoever chose it until its visit is counted.
    """
    tree, state = own.tree, own.state[0]
    _begin(own)
    node, mover, last = state.root, state.mover, state.last
    while tree[node].first >= 0 and tree[node].proven == OPEN:
        child = _best_child(node, own)
        if child < 0:  # threads that proved the last two at once may not have seen each other's proof
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
    if here.proven == OPEN and here.first < 0:
        if own.threads == 1:
            worth = _add(node, mover, last, board, net, circuit, ground, own)
        elif not claim(own.claims, node):
            worth = _sample(mover, last, board, own)
        else:
            if here.proven == OPEN and here.first < 0:
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
    """Go through the tree so often, or until it is halted or the root is proven; why it ended. `net` has the search's
    `colour`."""
    state = own.state[0]
    while state.played < until and own.halted[0] == 0:
        if own.tree[state.root].proven != OPEN:
            return DONE
        if own.solving != 0 and state.nobody != 0:
            return NOBODY
        if own.solving != 0 and own.used[0] + len(own.root) > len(own.tree):
            return FULL
        _go_through(board, net, circuit, ground, own)
    return WAITING


@inlined
def _copy_node(node: Node, into: Node) -> None:
    """Write a node in the place of another."""
    into.first, into.count, into.cell, into.visits = node.first, node.count, node.cell, node.visits
    into.proven, into.wins, into.prior = node.proven, node.wins, node.prior


@compiled
def keep_below(tree: Records[Node], node: int, kept: Records[Node], only_open: int) -> int:
    """Copy a node and all below it to the front of another tree, or with `only_open` what is not below a node that is
    proven; how many nodes that is."""
    _copy_node(tree[node], kept[0])
    used = 1
    index = 0
    while index < used:
        first, count = kept[index].first, kept[index].count
        if first >= 0 and only_open != 0 and kept[index].proven != OPEN:
            kept[index].first = -1
        elif first >= 0:
            for k in range(count):
                _copy_node(tree[first + k], kept[used + k])
            kept[index].first = used
            used += count
        index += 1
    return used

"""Monte-Carlo tree search for any game: UCT with random games, and proofs that go up the tree, as a loop.

The tree lies in arrays: `tree` has a row of numbers for each node, `moves` the move that led to it; a node's children
stand one after another. A node whose outcome is known by force is proven, and the search spends nothing more on it
(Winands, Bjornsson and Saito, "Monte-Carlo tree search solver", 2008). Nothing is said of the value of moves that were
not tried: those come first, by chance.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import types

from interpreter.kernel.native import below, scramble, stir
from interpreter.kernel.signatures import LINE, LINES, NUMBER, OFFER, PACK, RANDOM_GAME, ROW, ROWS, STEP, VALUE_OF
from solver.native.compiling import compiled, inlined
from solver.native.table import same

# The numbers of a node.
FIRST, COUNT, VISITS, POINTS, PROVEN, MOVER = range(6)
"""Where its children begin, how many there are, how often it was visited, the points of the player who moved to it (2
for a win, 1 for a draw), how it is proven, and who moved to it."""
NODE = 6
OPEN, ILLEGAL, DRAWN, WON = 0, -1, 1, 2
"""Not proven; a move that a rule takes back; a draw; WON + player: a win."""

# What is counted.
PLAYED, SIMULATED, USED, PROOFS, DEEPEST, FAILED, TAKEN_BACK, LOOPS, ENDS = range(9)
COUNTERS = 9

# What is fixed.
TO_MOVE, OUTCOME, FAILURE, PLAYERS, CYCLIC, REPEATING, HISTORY, LIMIT = range(8)
SETTINGS = 8
GOING = -2
DRAWS, LOSES, FORBIDDEN = 0, 1, 2
DONE, WAITING, FAIL, FULL = range(4)
_FLOAT = types.float64


@inlined
def _proof(outcome):
    """How a node with an outcome is proven."""
    return DRAWN if outcome < 0 else WON + outcome


@inlined
def _points(proof, mover, players):
    """The points of an outcome for a player."""
    if proof == DRAWN:
        return 0 if players == 1 else 1
    return 2 if proof == WON + mover else 0


@inlined
def _best_child(tree, node, exploring, seed):
    """The child to visit next by UCT; -1 where all are proven or illegal."""
    first, many = tree[node, FIRST], tree[node, COUNT]
    logarithm = math.log(float(max(tree[node, VISITS], 1)))
    found = -1
    highest = -1.0
    ties = 0
    for child in range(first, first + many):
        if tree[child, PROVEN] != OPEN and tree[child, PROVEN] != DRAWN:
            continue
        visits = tree[child, VISITS]
        if visits == 0:
            worth = 1e9
        else:
            worth = tree[child, POINTS] / (2.0 * visits) + exploring * math.sqrt(logarithm / visits)
        if worth > highest:
            highest = worth
            found = child
            ties = 1
        elif worth == highest:
            ties += 1
            seed = stir(seed)
            if below(scramble(seed), ties) == 0:
                found = child
    return found


@inlined
def _settle(tree, node, mover, players):
    """Prove a node from its children, where they are enough for it; whether it is proven now."""
    first, many = tree[node, FIRST], tree[node, COUNT]
    open_ = False
    drawn = False
    other = OPEN
    for child in range(first, first + many):
        proof = tree[child, PROVEN]
        if proof == WON + mover:
            tree[node, PROVEN] = proof
            return True
        if proof == OPEN:
            open_ = True
        elif proof == DRAWN:
            drawn = True
        elif proof >= WON:
            if other != OPEN and other != proof:
                open_ = True  # with more players it is not said who of them wins
            other = proof
    if open_ or (players > 2 and drawn and other != OPEN):
        return False
    tree[node, PROVEN] = DRAWN if drawn or other == OPEN else other
    return True


@inlined
def _settle_above(tree, path, length, players, C):
    """Prove the nodes above the last of a path, as far as that goes."""
    for k in range(length - 1, -1, -1):
        if not _settle(tree, path[k], tree[path[k + 1], MOVER], players):
            break
        C[PROOFS] += 1


@compiled(NUMBER(STEP, PACK, ROW, ROW, ROWS, LINES, ROWS, LINES, LINES, ROWS, NUMBER))
def child_of(step, pack, root, goal, R, E, X, tree, moves, P, node):
    """The child of a node that has the row `goal`, the most visited of several; -1 where none was visited.

    `root` is the row of the node, R has a row to work on, and P two packed ones.
    """
    S = R[0]
    pack(goal, P[0])
    first = tree[node, FIRST]
    found = -1
    if first < 0:
        return found
    for child in range(first, first + tree[node, COUNT]):
        if tree[child, VISITS] == 0 or tree[child, PROVEN] == ILLEGAL:
            continue
        if found >= 0 and tree[child, VISITS] <= tree[found, VISITS]:
            continue
        for j in range(len(root)):
            S[j] = root[j]
        if step(S, moves[child], E, X) == 0:
            pack(S, P[1])
            if same(P[0], P[1]):
                found = child
    return found


@compiled(NUMBER(LINES, LINES, LINE, NUMBER, NUMBER))
def keep_below(tree, moves, places, node, used):
    """Make a node of a tree of so many nodes the root; how many nodes stand below it, itself included.

    All others are dropped, and the rest move to the front. `places` is to work on: int64[used] or longer. Children
    always stand behind their parent, and in the order in which their parents were expanded.
    """
    for k in range(node, used):
        places[k] = -1
    places[node] = 0
    kept = 1
    for k in range(node, used):
        if places[k] >= 0 and tree[k, FIRST] >= 0:
            for child in range(tree[k, FIRST], tree[k, FIRST] + tree[k, COUNT]):
                places[child] = 0
    for k in range(node + 1, used):
        if places[k] == 0:
            places[k] = kept
            kept += 1
    for k in range(node, used):
        place = places[k]
        if place < 0:
            continue
        if tree[k, FIRST] >= 0:
            tree[k, FIRST] = places[tree[k, FIRST]] if tree[k, COUNT] > 0 else 0
        for j in range(NODE):
            tree[place, j] = tree[k, j]
        for j in range(moves.shape[1]):
            moves[place, j] = moves[k, j]
    tree[0, MOVER] = -1
    return kept


@compiled(NUMBER(OFFER, STEP, VALUE_OF, PACK, RANDOM_GAME, ROW, ROWS, LINES, ROWS, LINES, LINE, LINES, LINES, LINE,
                 ROWS, ROWS, types.uint64[::1], LINE, LINE, _FLOAT, NUMBER))
def sample(offer, step, value_of, pack, random_game, root, R, E, X, M, m, tree, moves, path, P, G, chance, C, settings,
           exploring, until):
    """Play games until so many were played, the root is proven, or the tree is full; why it ended.

    R has two rows to work on, E, X, M and m are for the kernel, `path` holds the nodes of a game, P the packed
    positions of one and G those of the game so far, `chance` the random seed.
    """
    to_move, outcome_at, players = settings[TO_MOVE], settings[OUTCOME], settings[PLAYERS]
    cyclic = settings[CYCLIC] != 0
    S, T = R[0], R[1]
    most = len(path) - 1
    while C[PLAYED] < until:
        if tree[0, PROVEN] != OPEN:
            return DONE
        for j in range(len(root)):
            S[j] = root[j]
        node = 0
        length = 0
        path[0] = 0
        if cyclic:
            pack(S, P[0])
        proof: Any = OPEN
        while True:
            if tree[node, PROVEN] != OPEN:
                proof = tree[node, PROVEN]
                break
            if tree[node, FIRST] < 0:
                if (tree[node, VISITS] == 0 and node != 0) or length >= most:
                    break
                many = offer(S, M, E, X)
                if many < 0:
                    C[FAILED] = np.int64(S[settings[FAILURE]])
                    return FAIL
                if C[USED] + many > len(tree):
                    if node == 0:
                        return FULL
                    break
                first = C[USED]
                C[USED] += many
                tree[node, FIRST] = first
                tree[node, COUNT] = many
                mover = np.int64(S[to_move])
                for k in range(many):
                    child = tree[first + k]
                    child[FIRST] = -1
                    child[COUNT] = 0
                    child[VISITS] = 0
                    child[POINTS] = 0
                    child[PROVEN] = OPEN
                    child[MOVER] = mover
                    for j in range(moves.shape[1]):
                        moves[first + k, j] = M[k, j]
            mover = np.int64(S[to_move])
            chance[0] = stir(chance[0])
            child = _best_child(tree, node, exploring, scramble(chance[0]))
            if child < 0:  # all moves are proven or cannot be made
                if _settle(tree, node, mover, players):
                    proof = tree[node, PROVEN]
                    C[PROOFS] += 1
                    _settle_above(tree, path, length, players, C)
                else:
                    proof = DRAWN
                break
            if tree[child, VISITS] == 0 or settings[CYCLIC] != 0:
                for j in range(len(S)):
                    T[j] = S[j]
            code = step(S, moves[child], E, X)
            if code != 0:
                if code < 0:
                    C[FAILED] = np.int64(S[settings[FAILURE]])
                    return FAIL
                C[TAKEN_BACK] += 1
                tree[child, PROVEN] = ILLEGAL
                for j in range(len(S)):
                    S[j] = T[j]
                continue
            if cyclic:
                pack(S, P[length + 1])
                met = False
                for k in range(length + 1):
                    met = met or same(P[k], P[length + 1])
                if not met:
                    for k in range(settings[HISTORY]):
                        met = met or same(G[k], P[length + 1])
                if met:
                    C[LOOPS] += 1
                    if settings[REPEATING] == FORBIDDEN and length == 0:
                        tree[child, PROVEN] = ILLEGAL
                        for j in range(len(S)):
                            S[j] = T[j]
                        continue
                    length += 1
                    path[length] = child
                    node = child
                    proof = DRAWN  # of this game alone: other ways to the position may end otherwise
                    if settings[REPEATING] != DRAWS and players == 2:
                        proof = WON + 1 - mover
                    break
            length += 1
            path[length] = child
            node = child
            outcome = np.int64(S[outcome_at])
            if outcome != GOING and tree[child, PROVEN] == OPEN:
                C[ENDS] += 1
                tree[child, PROVEN] = _proof(outcome)
                _settle_above(tree, path, length, players, C)
            if outcome != GOING:
                proof = _proof(outcome)
                break
        if proof == OPEN:
            chance[0] = stir(chance[0])
            plies = random_game(S, scramble(chance[0]), settings[LIMIT], E, X, m)
            if plies < 0:
                C[FAILED] = np.int64(S[settings[FAILURE]])
                return FAIL
            C[SIMULATED] += plies
            outcome = np.int64(S[outcome_at])
            if outcome == GOING:  # broken off: the game's value decides
                worth = value_of(S)
                outcome = np.int64(-1)
                if worth > 0:
                    outcome = np.int64(S[to_move])
                elif worth < 0 and players == 2:
                    outcome = 1 - np.int64(S[to_move])
            proof = _proof(outcome)
        C[PLAYED] += 1
        C[DEEPEST] = max(C[DEEPEST], length)
        for k in range(length + 1):
            visited = tree[path[k]]
            visited[VISITS] += 1
            visited[POINTS] += _points(proof, visited[MOVER], players)
    return WAITING

"""Random ways through a game's tree, for estimates of its size.

Knuth's estimator: on a random way on which each move is as likely as any other, the product of the numbers of moves is
the number of ways so long, on average. Where the ways to a position are counted too, the same gives the number of
positions: see `solver.complexity`.
"""

from __future__ import annotations

from numba import types

from interpreter.kernel.native import below, scramble, stir
from interpreter.kernel.signatures import LINE, LINES, NUMBER, OFFER, PACK, ROW, ROWS, STEP
from solver.native.compiling import compiled, inlined
from solver.native.table import same

FAIL, ENDED, LONG = -1, 0, 1
GOING = -2
# What is fixed.
TO_MOVE, OUTCOME, FIRST_PIECE, LAST_PIECE = range(4)
SETTINGS = 4


@inlined
def _copy(S, T):
    for j in range(len(S)):
        T[j] = S[j]


@inlined
def _replay(step, pack, root, S, played, order, many, E, X, before, after, outcome_at):
    """Play moves in some order from the root; whether that is legal. The last two positions are packed."""
    _copy(root, S)
    for k in range(many):
        if k > 0 and S[outcome_at] != root[outcome_at]:
            return False
        if k == many - 1:
            pack(S, before)
        if step(S, played[order[k]], E, X) != 0:
            return False
    pack(S, after)
    return True


@inlined
def _rebuild(step, pack, root, R, played, movers, order, many, without, E, X, before, after, settings):
    """Play the moves of a way in an order that puts nothing where R[0] has something else, one of them last.

    Whether that can be done by always taking the first move of the way that fits.
    """
    goal, S, T = R[0], R[2], R[1]
    outcome_at = settings[OUTCOME]
    _copy(root, S)
    for j in range(many):
        order[j] = 0
    order[without] = 1
    for _ in range(many - 1):
        if S[outcome_at] != root[outcome_at]:
            return False
        chosen = -1
        for j in range(many):
            if order[j] != 0 or movers[j] != int(S[settings[TO_MOVE]]):
                continue
            _copy(S, T)
            if step(T, played[j], E, X) != 0:
                continue
            fits = True
            for k in range(settings[FIRST_PIECE], settings[LAST_PIECE]):
                fits = fits and T[k] & ~goal[k] == 0
            if fits:
                chosen = j
                break
        if chosen < 0:
            return False
        order[chosen] = 1
        _copy(T, S)
    if S[outcome_at] != root[outcome_at] or movers[without] != int(S[settings[TO_MOVE]]):
        return False
    pack(S, before)
    if step(S, played[without], E, X) != 0:
        return False
    pack(S, after)
    return True


@inlined
def _parents(step, pack, root, R, played, movers, order, many, E, X, P, settings):
    """How many positions lead to the one in P[1] by a move of the way to it; P[0] has the one that did."""
    found = 1
    last = many - 1
    room = len(P) - 2
    before, after = P[len(P) - 1], P[len(P) - 2]
    for k in range(last - 1, -1, -1):
        if movers[k] != movers[last] or found + 1 >= room:
            continue
        for way in range(3):
            if way == 2:
                legal = _rebuild(step, pack, root, R, played, movers, order, many, k, E, X, before, after, settings)
            else:
                for j in range(many):
                    order[j] = j
                if way == 0:  # the two change places
                    order[k] = last
                else:  # the player's moves between come earlier
                    place = k
                    for j in range(k + 1, many):
                        if movers[j] == movers[last]:
                            order[place] = j
                            place = j
                order[last] = k
                legal = _replay(step, pack, root, R[2], played, order, many, E, X, before, after, settings[OUTCOME])
            if legal and same(after, P[1]):
                known = same(before, P[0])
                for j in range(1, found):
                    known = known or same(before, P[1 + j])
                if not known:
                    for j in range(P.shape[1]):
                        P[1 + found, j] = before[j]
                    found += 1
                break
    return found


@compiled(NUMBER(OFFER, STEP, PACK, ROW, ROWS, LINES, ROWS, LINES, LINES, LINE, LINE, LINE, LINE, ROWS,
                 types.uint64[::1], LINE, NUMBER))
def walk(offer, step, pack, root, R, E, X, M, played, movers, order, choices, parents, P, chance, settings, merged):
    """Go a random way through a game's tree; its length, or -1 where a rule fails (the row in R[0] says which).

    `choices` has the number of legal moves of each position on the way. With `merged`, `parents` has for each position
    but the root from how many positions a move leads to it that the way's own moves reach, made in another order: P has
    room for them, packed, and R for three rows.
    """
    S = R[0]
    outcome_at = settings[OUTCOME]
    _copy(root, S)
    length = 0
    while S[outcome_at] == root[outcome_at] and length < len(choices):
        many = offer(S, M, E, X)
        if many < 0:
            return -1
        legal = 0
        for k in range(many):
            _copy(S, R[1])
            code = step(R[1], M[k], E, X)
            if code < 0:
                _copy(R[1], S)
                return -1
            if code == 0:
                for j in range(M.shape[1]):
                    M[legal, j] = M[k, j]
                legal += 1
        if legal == 0:
            break
        choices[length] = legal
        chance[0] = stir(chance[0])
        k = below(scramble(chance[0]), legal)
        movers[length] = int(S[settings[TO_MOVE]])
        for j in range(M.shape[1]):
            played[length, j] = M[k, j]
        if merged != 0:
            pack(S, P[0])
        step(S, M[k], E, X)
        if merged != 0:
            pack(S, P[1])
            parents[length] = _parents(step, pack, root, R, played, movers, order, length + 1, E, X, P, settings)
        length += 1
    return length

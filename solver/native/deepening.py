"""Alpha-beta to a depth, for any game: a principal variation search with a table, killers and history, as a loop.

`search` goes on where it was left: everything it knows lies in the arrays that it is given, so that whoever calls it
can look at the clock between two calls. A score is from the view of the player to move: `WIN` less the plies to the
end where the end was seen, else the game's `value`. Each frame of the stack is a ply. Moves are made one at a time, as
most positions are refuted by their first.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types

from interpreter.kernel.native import scramble, stir
from interpreter.kernel.signatures import CANDIDATES, LINE, LINES, NUMBER, OFFER, PACK, ROW, ROWS, STEP, VALUE_OF
from solver.native.compiling import compiled, handed_in, inlined
from solver.native.table import EXACT, INFO, LOWER, MOVE, SCORE, UPPER, bound_of, depth_of, find, is_complete, put, same

WIN = 1 << 40
MOST = WIN - (1 << 20)
"""Scores of more than this are wins that were seen; no `value` counts for as much."""
INFINITE = 1 << 41

# The numbers of a frame.
(ALPHA, BETA, FIRST_ALPHA, BEST, BEST_MOVE, BEST_PLACE, DEPTH, COUNT, NEXT, CHILD, LEGAL, NULL_WINDOW, COMPLETE, LOOP,
 SAME, HASH_MOVE, SIDE) = range(17)
FRAME = 17

# What is counted, and where the search stands.
(NODES, LEAVES, ENDS, CUTS, FIRST_CUTS, PROBES, HITS, TABLE_CUTS, STORED, REPLACED, AGAIN, OFFERED, TAKEN_BACK, LOOPS,
 EXPANDED, PLY, STATE, FAILED, DEEPEST) = range(19)
COUNTERS = 19

ENTER, GO_ON, GIVE, DONE, FAIL = range(5)
"""What the search does next: begin a position, try its next move, hand its score to the one before, nothing more."""

# What is fixed in a search.
(TO_MOVE, OUTCOME, PLAYERS, CYCLIC, REPEATING, STUCK, AGE, SEED, HISTORY, FAILURE, CHOOSING, CHOOSING_FIRST,
 WIDTH, UNTABLED) = range(14)
SETTINGS = 14
"""UNTABLED: whether the table only orders moves, as what a position is worth hangs on the way to it."""
EVERY, PROPOSED, PROPOSED_FIRST, BY_CHANCE = range(4)
"""Which moves are searched: all, those that patterns propose, all but these first, some of them by chance."""
GOING = -2
DRAWS, LOSES, FORBIDDEN = 0, 1, 2
"""What a repetition does."""
NO_MOVE = -99
"""The rule of a line that holds no move."""
_NO_LOOP = 1 << 30
_PICKED = 24
"""So many moves are picked in order; the rest come as they are."""
_HISTORY_BITS = 14
HISTORY_SIZE = 2 << _HISTORY_BITS
_KILLER, _HASH_FIRST = 1 << 48, 1 << 52

_BLOCKS: Any = types.uint64[:, :, ::1]
_NUMBERS: Any = types.int64[:, :, ::1]
_LONG: Any = types.int64[:, :, :, ::1]


@inlined
def move_number(m):
    """A number that stands for a move in tables; never 0."""
    found = np.uint64(m[0] + 7)
    for k in range(m[1]):
        found = scramble(found * np.uint64(0x100000001B3) + np.uint64(m[2 + k]))
    return np.int64(found >> np.uint64(2)) | 1


@inlined
def ended(outcome, mover, players, ply):
    """The score of a game that is over for a player."""
    if outcome == mover:
        return WIN - ply
    if outcome >= 0 or players == 1:
        return ply - WIN
    return 0


@inlined
def _to_table(score, ply):
    """A score as seen from its position."""
    if score > MOST:
        return score + ply
    return score - ply if score < -MOST else score


@inlined
def _from_table(score, ply):
    """A score as seen from the root."""
    if score > MOST:
        return score - ply
    return score + ply if score < -MOST else score


@inlined
def _order(m, number, hash_move, killers, history, side):
    """How early a move is tried."""
    if number == hash_move:
        return np.int64(_HASH_FIRST)
    if number == killers[0]:
        return np.int64(_KILLER + 1)
    if number == killers[1]:
        return np.int64(_KILLER)
    return history[side << _HISTORY_BITS | (number >> 1 & (1 << _HISTORY_BITS) - 1)]


@handed_in(NUMBER(ROW, ROW, LINES, LINES, ROWS))
def none_proposed(S, B, P, E, X):
    """What stands in for a kernel's `candidates` where there are no patterns."""
    return 0


@handed_in(NUMBER(ROW))
def no_value(S):
    """What stands in for a kernel's `value_of` where only forced ends count."""
    return 0


@inlined
def _same_move(one, other):
    """Whether two moves are the same: the rule, how many values were chosen, and these."""
    found = one[0] == other[0] and one[1] == other[1]
    if found:
        for j in range(2, 2 + one[1]):
            found = found and one[j] == other[j]
    return found


@inlined
def _leave_out(M, many, left_out):
    """Take some moves out of a list; how many there are then."""
    after = 0
    for k in range(many):
        known = False
        for other in range(len(left_out)):
            known = known or _same_move(M[k], left_out[other])
        if not known:
            for j in range(M.shape[1]):
                M[after, j] = M[k, j]
            after += 1
    return after


@inlined
def _by_chance(m, many, width, seed):
    """Have so many moves stand first, each as likely as any other; how many there are."""
    for k in range(min(width, many)):
        seed = stir(seed)
        other = k + np.int64(scramble(seed) % np.uint64(many - k))
        for j in range(m.shape[1]):
            m[k, j], m[other, j] = m[other, j], m[k, j]
    return min(width, many)


@inlined
def _add_others(M, count, Q, many):
    """Write those of some moves that are not among the first ones after these; how many there are then."""
    after = count
    for k in range(many):
        known = False
        for other in range(count):
            if _same_move(Q[k], M[other]):
                known = True
                break
        if not known:
            for j in range(2 + Q[k, 1]):
                M[after, j] = Q[k, j]
            after += 1
    return after


@compiled(NUMBER(OFFER, CANDIDATES, STEP, VALUE_OF, PACK, ROWS, ROWS, LINES, LINES, ROWS, _NUMBERS, LINES, LINES,
                 LINES, LINE, ROWS, ROWS, LINES, _NUMBERS, LINE, ROWS, LINES, LINE, LINE, NUMBER))
def search(offer, candidates, step, value_of, pack, R, B, Q, E, X, M, order, F, K, H, P, keys, data, V, lengths, G,
           left_out, C, settings, limit):
    """Go on searching until so many nodes were visited in all, or the search is done; what it does next.

    R has the row of each ply, B the one before the first, E, X and Q are to work with, M and `order` have the moves of
    each ply and how early each is tried, F the frames, K the killers, H the history, P the packed positions, keys and
    data the table, V and lengths the principal variations, G the packed positions of the game so far, `left_out` the
    moves of the root that are not looked at (int64[n, width of a move]), C the counters.
    """
    state = C[STATE]
    ply = C[PLY]
    to_move, outcome_at, players = settings[TO_MOVE], settings[OUTCOME], settings[PLAYERS]
    cyclic = settings[CYCLIC] != 0
    score: Any = np.int64(0)
    complete: Any = np.int64(0)
    loop: Any = np.int64(_NO_LOOP)
    while True:
        if state == ENTER:
            if C[NODES] >= limit:
                break
            f = F[ply]
            S = R[ply]
            C[EXPANDED] += 1
            C[DEEPEST] = max(C[DEEPEST], ply)
            lengths[ply] = 0
            f[FIRST_ALPHA] = f[ALPHA]
            f[BEST] = -INFINITE
            f[BEST_MOVE] = 0
            f[LEGAL] = 0
            f[NEXT] = 0
            f[COMPLETE] = 1
            f[LOOP] = _NO_LOOP
            f[HASH_MOVE] = 0
            f[SIDE] = np.int64(S[to_move]) & 1
            f[NULL_WINDOW] = 0
            if not cyclic:
                pack(S, P[ply])
            C[PROBES] += 1
            at = find(keys, data, P[ply])
            if at >= 0:
                C[HITS] += 1
                f[HASH_MOVE] = data[at, MOVE]
                info = data[at, INFO]
                found = _from_table(data[at, SCORE], ply)
                bound = bound_of(info)
                sound = is_complete(info) or depth_of(info) >= f[DEPTH]
                above = bound & LOWER != 0 and found >= f[BETA] and (sound or found > MOST)
                below = bound & UPPER != 0 and found <= f[ALPHA] and (sound or found < -MOST)
                if ply > 0 and settings[UNTABLED] == 0 and (above or below or (bound == EXACT and sound)):
                    C[TABLE_CUTS] += 1
                    score = found
                    complete = np.int64(is_complete(info) or (above and found > MOST) or (below and found < -MOST))
                    loop = np.int64(_NO_LOOP)
                    state = GIVE
                    continue
            choosing = settings[CHOOSING_FIRST] if ply == 0 else settings[CHOOSING]
            many: Any = np.int64(0)
            proposed: Any = np.int64(0)
            if choosing in (PROPOSED, PROPOSED_FIRST):
                many = candidates(S, R[ply - 1] if ply > 0 else B[0], M[ply], E, X)
                if many > 0 and choosing == PROPOSED:
                    f[COMPLETE] = 0
                    if settings[WIDTH] > 0:
                        many = min(many, settings[WIDTH])
                proposed = many
                if many > 0 and choosing == PROPOSED_FIRST:
                    others = offer(S, Q, E, X)
                    if others < 0 or many + others > M.shape[1]:
                        S[settings[FAILURE]] = max(S[settings[FAILURE]], np.uint64(1))
                        many = np.int64(-1)
                    else:
                        many = _add_others(M[ply], many, Q, others)
            if many == 0:
                many = offer(S, M[ply], E, X)
                if choosing == BY_CHANCE and many > settings[WIDTH]:
                    f[COMPLETE] = 0
                    chance = np.uint64(settings[SEED])
                    for j in range(P.shape[1]):
                        chance = scramble(stir(chance ^ P[ply, j]))
                    many = _by_chance(M[ply], many, settings[WIDTH], chance)
            if many < 0:
                C[FAILED] = ply
                state = FAIL
                break
            if ply == 0:
                many = _leave_out(M[0], many, left_out)
            C[OFFERED] += many
            f[COUNT] = many
            seed = np.uint64(settings[SEED])
            for k in range(many):
                number = move_number(M[ply, k])
                order[ply, k] = _order(M[ply, k], number, f[HASH_MOVE], K[ply], H, f[SIDE])
                if k < proposed:
                    order[ply, k] += proposed - k
                if ply == 0:
                    seed = stir(seed)
                    order[ply, k] = (order[ply, k] << 10) + np.int64(scramble(seed) >> np.uint64(54))
            state = GO_ON
        elif state == GO_ON:
            f = F[ply]
            if f[NEXT] >= f[COUNT] or f[ALPHA] >= f[BETA]:
                state = GIVE
                if f[LEGAL] == 0:  # every move would repeat a position
                    stuck = settings[STUCK]
                    f[BEST] = 0 if stuck == 0 else ply - WIN if stuck == 1 else WIN - ply
                score = f[BEST]
                complete = f[COMPLETE]
                loop = f[LOOP]
                if loop >= ply and (ply > 0 or left_out[0, 0] == NO_MOVE):
                    loop = np.int64(_NO_LOOP)
                    bound = EXACT
                    if score <= f[FIRST_ALPHA]:
                        bound = UPPER
                    elif score >= f[BETA]:
                        bound = LOWER
                    came = put(keys, data, P[ply], _to_table(score, ply), bound, f[DEPTH], complete, f[BEST_MOVE],
                               settings[AGE])
                    C[STORED] += came == 1
                    C[REPLACED] += came == -1
                continue
            if C[NODES] >= limit:
                break
            k = f[NEXT]
            f[NEXT] = k + 1
            if k < _PICKED:
                best = k
                for other in range(k + 1, f[COUNT]):
                    if order[ply, other] > order[ply, best]:
                        best = other
                if best != k:
                    order[ply, k], order[ply, best] = order[ply, best], order[ply, k]
                    for j in range(M.shape[2]):
                        M[ply, k, j], M[ply, best, j] = M[ply, best, j], M[ply, k, j]
            f[CHILD] = k
            S, T = R[ply], R[ply + 1]
            for j in range(len(S)):
                T[j] = S[j]
            C[NODES] += 1
            code = step(T, M[ply, k], E, X)
            if code != 0:
                if code < 0:
                    C[FAILED] = ply + 1
                    state = FAIL
                    break
                C[TAKEN_BACK] += 1
                continue
            mover = np.int64(S[to_move])
            outcome = np.int64(T[outcome_at])
            f[SAME] = np.int64(T[to_move] == S[to_move])
            state = -1
            if outcome != GOING:
                C[ENDS] += 1
                score = np.int64(ended(outcome, mover, players, ply + 1))
                complete = np.int64(1)
                loop = np.int64(_NO_LOOP)
            elif cyclic:
                pack(T, P[ply + 1])
                met: Any = np.int64(_NO_LOOP)
                for other in range(ply, -1, -1):
                    if same(P[other], P[ply + 1]):
                        met = other
                        break
                if met == _NO_LOOP:
                    for other in range(settings[HISTORY]):
                        if same(G[other], P[ply + 1]):
                            met = -1
                            break
                if met != _NO_LOOP:
                    C[LOOPS] += 1
                    f[LOOP] = min(f[LOOP], met)
                    if settings[REPEATING] == FORBIDDEN:
                        state = GO_ON
                        continue
                    score = np.int64(0) if settings[REPEATING] == DRAWS else ply + 1 - WIN
                    if players == 1:
                        score = ply + 1 - WIN
                    complete = np.int64(1)
                    loop = met
                else:
                    state = ENTER
            else:
                state = ENTER
            f[LEGAL] += 1
            if state == ENTER and f[DEPTH] <= 1:
                state = -1
                C[LEAVES] += 1
                score = min(max(value_of(T), -MOST), MOST)
                if T[settings[FAILURE]] != 0:
                    C[FAILED] = ply + 1
                    state = FAIL
                    break
                if f[SAME] == 0:
                    score = -score
                complete = np.int64(0)
                loop = np.int64(_NO_LOOP)
            if state == ENTER:
                child = F[ply + 1]
                child[DEPTH] = f[DEPTH] - 1
                low, high = f[ALPHA], f[BETA]
                f[NULL_WINDOW] = np.int64(f[LEGAL] > 1 and high - low > 1)
                if f[NULL_WINDOW] == 1:
                    high = low + 1
                if f[SAME] == 0:
                    low, high = -high, -low
                child[ALPHA] = low
                child[BETA] = high
                ply += 1
                continue
            lengths[ply + 1] = 0
            f[NULL_WINDOW] = 0
            state = DONE  # the score is there: taken below
        elif state == GIVE:
            if ply == 0:
                C[STATE] = DONE
                C[PLY] = 0
                return DONE
            ply -= 1
            f = F[ply]
            if f[SAME] == 0:
                score = -score
            if f[NULL_WINDOW] == 1 and score > f[ALPHA] and score < f[BETA]:
                C[AGAIN] += 1
                f[NULL_WINDOW] = 0
                child = F[ply + 1]
                low, high = f[ALPHA], f[BETA]
                if f[SAME] == 0:
                    low, high = -high, -low
                child[ALPHA] = low
                child[BETA] = high
                ply += 1
                state = ENTER
                continue
            state = DONE
        if state == DONE:
            f = F[ply]
            f[LOOP] = min(f[LOOP], loop)
            f[COMPLETE] = min(f[COMPLETE], complete)
            if score > f[BEST]:
                f[BEST] = score
                m = M[ply, f[CHILD]]
                f[BEST_PLACE] = f[CHILD]
                if score > f[ALPHA]:
                    number = move_number(m)
                    f[BEST_MOVE] = number
                    f[ALPHA] = score
                    for j in range(M.shape[2]):
                        V[ply, 0, j] = m[j]
                    many = min(lengths[ply + 1], V.shape[1] - 1)
                    for k in range(many):
                        for j in range(M.shape[2]):
                            V[ply, k + 1, j] = V[ply + 1, k, j]
                    lengths[ply] = many + 1
                    if score >= f[BETA]:
                        C[CUTS] += 1
                        C[FIRST_CUTS] += f[LEGAL] == 1
                        f[COMPLETE] = complete
                        f[LOOP] = loop
                        if K[ply, 0] != number:
                            K[ply, 1] = K[ply, 0]
                            K[ply, 0] = number
                        at = f[SIDE] << _HISTORY_BITS | (number >> 1 & (1 << _HISTORY_BITS) - 1)
                        H[at] += f[DEPTH] * f[DEPTH]
                        if H[at] > 1 << 36:
                            for j in range(len(H)):
                                H[j] >>= 1
            state = GO_ON
    C[STATE] = state
    C[PLY] = ply
    return state

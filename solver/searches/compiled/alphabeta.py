"""Alpha-beta: whether the player to move in a position reaches at least some score, by one question after another.

A score is that of the player to move: WIN - n is a win in n plies, -(WIN - n) a loss in n plies, 0 a draw; 1 and -1
as bounds stand for a win and a loss in any number of plies. "Is the score at least 0?" and "at least 1?" lead to such
questions all the way down and have an answer only where all play ends. "At least WIN - n?" asks for a win within n
plies; its depth is bounded by itself, and what it finds says nothing of the way to a position. So both kinds of answers
are right with transpositions, and the second with cycles too. Every question is a null window; which ones to ask, and
the principal variation, are the caller's (`solver.searches.weak`).

The frames of the search lie in arrays, not on a stack: it pauses after so many positions and goes on when called again.
"""

from __future__ import annotations

from typing import Any

from interpreter.kernel.plain import EMPTY, FULL, jit, number, scramble, solver, word
from solver.searches.compiled.table import (
    best_of,
    bounds,
    digest,
    logarithm,
    look_up,
    lower_of,
    put,
    upper_of,
)

WIN = 32000
"""More than the plies of any game that is searched."""

# Places in `state`.
DEPTH, STATUS, AGE, SEEN_DRAW = 0, 1, 2, 3
STATE = 4
# What STATUS says.
GOING, ANSWERED, NO_ROOM, TOO_DEEP, FAILED = 0, 1, 2, 3, 4
# Places in `places`.
OUTCOME, TO_MOVE, FAILURE, PACKED, VALUED, STANDING, PROPOSING = 0, 1, 2, 3, 4, 5, 6
"""VALUED, PROPOSING: whether there is a value, and patterns, to order by; STANDING: the words of a row that say what
stands on the board."""
# Places in a frame.
PHASE, ROW, BASE, MANY, ASKED, LOWER, UPPER, CHILD, BEGUN, ENDING, MARKED = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
FRAME = 11
"""ENDING: a child that ends the game and answers the question, or -1; MARKED: whether others can see in `busy` that the
position is being searched."""
# Places in notes on children.
LEAST, MOST, ORDER, CODE = 0, 1, 2, 3
"""Bounds of the score, for the parent's player to move; the order, 0 for a child that is being searched, -1 for one
that is done with; the code of the move, -1 where it was not searched, or an end of the game refuted it at once."""
# Places in `counts`.
NODES, CHILDREN, LEAVES, PROBES, HITS, STORED, CUTS, FIRST_CUTS, BY_END, BY_TABLE, SPARED, DEEPEST, FILLED = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
COUNTS = 15
"""Nodes; children made; finished ones among them; look-ups in the table, with success; entries written; nodes answered
by a child, by the first that was searched, by a finished child, by the table; children that were left out; the depth of
the deepest node; entries written over the same position, into room, and over others."""
_GOES_ON = -2
_VALUE, _PATTERN = 30_000, 50
"""How many points of the history heuristic outweigh a unit of the value, and being proposed one place earlier."""
_MARKED_OF = 64
"""Where a ply has less than this part of all positions, threads mark what they search: what is below is soon done."""
_MOST = 1 << 53
"""Orders of children lie between minus this and this, but for what comes before all others."""
_ANSWER = 1 << 55


@jit
def _sooner(score: Any) -> Any:
    """A child's score one ply earlier, for the same player."""
    if score > 1:
        return score - 1
    if score < -1:
        return score + 1
    return score


@jit
def _question(asked: Any, same: Any) -> Any:
    """The score that a child is asked about: of the same player to move it is to reach it, of the other not to."""
    if same:
        if asked > 1:
            return asked + 1
        return asked - 1 if asked < 0 else asked
    if asked > 1:
        return -asked
    return 2 - asked if asked < 0 else 1 - asked


@jit
def _code(position: Any, after: Any, move: Any, standing: Any, size: Any) -> Any:
    """A number for a move, by what it changes on the board; where that is nothing, by its choices; size: a power of 2.

    So two moves that are written alike and do different things, such as drops into a column that fills up, are two.
    """
    found = EMPTY
    for place in range(standing):
        found = scramble(found ^ position[place] ^ after[place])
    if found == EMPTY:
        found = word(move[0] + 3)
        for place in range(move[1]):
            found = scramble(found ^ word(move[2 + place] + 1))
    return number(found & word(size - 1))


@jit
def _prefer_answers(position: Any, child: Any, ending: Any, frame: Any, T: Any, B: Any, places: Any) -> None:
    """Where a child was refuted by an end of the game, search those others first that change what that changes."""
    for other in range(frame[BASE], frame[BASE] + frame[MANY]):
        if B[other, ORDER] <= 0:
            continue
        for place in range(places[STANDING]):
            if (T[ending, place] ^ T[child, place]) & (T[other, place] ^ position[place]) != EMPTY:
                B[other, ORDER] |= _ANSWER
                break


@jit
def _proposed(move: Any, proposals: Any, many: Any) -> Any:
    """How early patterns propose a move: as many as are proposed for the first, 0 for one that is not proposed."""
    for place in range(many):
        same = True
        for part in range(2 + move[1]):
            if proposals[place, part] != move[part]:
                same = False
                break
        if same:
            return many - place
    return 0


@jit
def _best_known(frame: Any, table: Any, T: Any, K: Any, H: Any, B: Any, counts: Any, to_move_at: Any,
                width: Any) -> Any:
    """Note what the table knows of children that were not searched; one that answers the question, or -1."""
    asked = frame[ASKED]
    mover = number(T[frame[ROW], to_move_at])
    for child in range(frame[BASE], frame[BASE] + frame[MANY]):
        if B[child, ORDER] <= 0:
            continue
        counts[PROBES] += 1
        known = look_up(table, K[child], width, H[child])
        if known == EMPTY:
            continue
        counts[HITS] += 1
        low, high = lower_of(known), upper_of(known)
        if number(T[child, to_move_at]) == mover:
            low, high = _sooner(low), _sooner(high)
        else:
            low, high = -_sooner(high), -_sooner(low)
        B[child, LEAST] = low
        B[child, MOST] = high
        frame[LOWER] = max(frame[LOWER], low)
        if low >= asked:
            counts[BY_TABLE] += 1
            counts[CUTS] += 1
            return child
        if high < asked:
            B[child, ORDER] = -1
            B[child, CODE] = -1
            counts[SPARED] += 1
    return -1


@jit
def _spot(spread: Any, busy: Any) -> Any:
    """Where `busy` has a position that is being searched."""
    return number(spread & word(len(busy) - 1))


@jit
def _open(depth: Any, row: Any, asked: Any, frames: Any) -> None:
    """Begin with a position."""
    frames[depth, PHASE] = 0
    frames[depth, ENDING] = -1
    frames[depth, MARKED] = 0
    frames[depth, ROW] = row
    frames[depth, ASKED] = asked


@solver("ROW", "ROW", "LINES", "LINES", "ROWS")
def none_proposed(row: Any, before: Any, proposals: Any, entries: Any, scratch: Any) -> Any:
    """What stands in for a kernel's `candidates` where there are no patterns."""
    return 0


@solver("NUMBER", "ROW", "ROWS", "LINES", "LINE")
def begin(asked: Any, row: Any, T: Any, frames: Any, state: Any) -> Any:
    """Prepare a question about a position."""
    for place in range(len(row)):
        T[0, place] = row[place]
    state[DEPTH] = 0
    state[STATUS] = GOING
    frames[0, BASE] = 0
    frames[0, MANY] = 1
    _open(0, 0, asked, frames)
    return 0


@solver("EXPAND", "PACK_LEAST", "VALUE_OF", "CANDIDATES", "LINES", "LINE", "LINE", "ROWS", "ROWS", "ROWS", "ROW",
        "LINES", "LINES", "LINES", "LINES", "ROWS", "ROWS", "LINES", "ROW", "LINE", "LINES", "LINE", "NUMBER")
def search(expand: Any, pack_least: Any, value_of: Any, candidates: Any, proposals: Any, places: Any, elements: Any,
           table: Any, T: Any, K: Any, H: Any, M: Any, B: Any, frames: Any, E: Any, X: Any, U: Any, history: Any,
           busy: Any, counts: Any, plies: Any, state: Any, limit: Any) -> Any:
    """Go on for up to so many positions; the new status. The answer is in B[0]: bounds of the root's score.

    Arenas, whose rows belong together: T positions, K their packed representatives, H the spread keys, M moves,
    B notes. `plies` counts positions by depth; `proposals` has room for what patterns propose.

    Children are searched in this order: one that the table calls best; those that answer what refuted another; the
    others by the game's value, the history heuristic, and the order in which patterns propose them. A move that cut off
    gains in the history as many points as others were searched before it, and each of those loses one (Tromp,
    "Fhourstones"); moves that an end of the game refuted at once do not count, as little was tried. (On 35 cells, four
    in a row: 19 million positions, 280 million where they count.)

    Threads that work on the same question see in `busy`, if it has more than one place, what the others are searching:
    after the first child, such children come last (Kerrigan, "Simplified ABDADA").
    """
    outcome_at, to_move_at, width = places[OUTCOME], places[TO_MOVE], places[PACKED]
    last = counts[NODES] + limit
    depth = state[DEPTH]
    room = len(T)
    while True:
        frame = frames[depth]
        row, asked = frame[ROW], frame[ASKED]
        position = T[row]
        finished = False
        if frame[PHASE] == 0:
            if counts[NODES] >= last:
                state[DEPTH] = depth
                return GOING
            if depth + 1 >= len(frames):
                state[STATUS] = TOO_DEEP
                return TOO_DEEP
            lower, upper = -WIN, WIN
            best = FULL
            if depth == 0:
                pack_least(position, K[row], elements, U)
                H[row] = digest(K[row], width)
            known = look_up(table, K[row], width, H[row])
            counts[PROBES] += 1
            if known != EMPTY:
                counts[HITS] += 1
                lower, upper = lower_of(known), upper_of(known)
                best = best_of(known)
            if lower >= asked or upper < asked:
                counts[BY_TABLE] += 1
                finished = True
            else:
                base = frame[BASE] + frame[MANY]
                counts[NODES] += 1
                plies[depth, 0] += 1
                many = expand(position, T[base:], M[base:], E, X)
                if many < 0 or base + many >= room:
                    status = NO_ROOM if many >= 0 or number(position[places[FAILURE]]) == 1 else FAILED
                    state[STATUS] = status
                    return status
                counts[CHILDREN] += many
                mover = number(position[to_move_at])
                # finished children first
                least, most = -WIN, -WIN
                going = 0
                for child in range(base, base + many):
                    after = T[child]
                    outcome = number(after[outcome_at])
                    if outcome == _GOES_ON:
                        going += 1
                        B[child, ORDER] = 0
                        continue
                    counts[LEAVES] += 1
                    score = 0
                    if outcome >= 0:
                        score = WIN - 1 if outcome == mover else 1 - WIN
                    else:
                        state[SEEN_DRAW] = 1
                    B[child, LEAST] = score
                    B[child, MOST] = score
                    B[child, ORDER] = -1
                    least, most = max(least, score), max(most, score)
                    if score >= asked:
                        frame[ENDING] = child
                if many == 0:  # `expand` has seen how the game ends here
                    outcome = number(position[outcome_at])
                    if outcome == _GOES_ON:
                        state[STATUS] = FAILED
                        return FAILED
                    least = 0
                    if outcome >= 0:
                        least = WIN if outcome == mover else -WIN
                    lower, upper, most = least, least, least
                    finished = True
                elif least >= asked:
                    counts[BY_END] += 1
                    counts[CUTS] += 1
                    counts[SPARED] += going
                    going = 0
                    most = WIN - 1
                    finished = True
                elif going:
                    most = WIN - 2
                    proposed = 0
                    if places[PROPOSING]:
                        before = T[frames[max(depth - 1, 0), ROW]]
                        proposed = candidates(position, before, proposals, E, X)
                        if proposed < 0:
                            state[STATUS] = NO_ROOM if number(position[places[FAILURE]]) == 1 else FAILED
                            return state[STATUS]
                    for child in range(base, base + many):
                        if B[child, ORDER] < 0:
                            continue
                        after = T[child]
                        B[child, LEAST] = 2 - WIN
                        B[child, MOST] = WIN - 2
                        code = _code(position, after, M[child], places[STANDING], len(history[0]))
                        B[child, CODE] = code
                        pack_least(after, K[child], elements, U)
                        H[child] = digest(K[child], width)
                        order = history[mover, code]
                        if (H[child] & word(0xFFFF)) == best:
                            order += 1 << 52
                        if places[VALUED]:
                            value = value_of(after)
                            order += (value if number(after[to_move_at]) == mover else -value) * _VALUE
                        if proposed > 0:
                            order += _proposed(M[child], proposals, proposed) * _PATTERN
                        B[child, ORDER] = 1 + min(max(order, -_MOST), _MOST) + _MOST
                if len(busy) > 1 and not finished and plies[depth, 0] * _MARKED_OF < counts[NODES]:
                    frame[MARKED] = 1
                    busy[_spot(H[row], busy)] = H[row]
                frame[PHASE] = 1
                frame[BASE] = base
                frame[MANY] = many
                frame[LOWER] = max(lower, least)
                frame[UPPER] = upper
                frame[BEGUN] = counts[NODES]
                frame[CHILD] = -1
                counts[DEEPEST] = max(counts[DEEPEST], depth)
                if finished:
                    lower, upper = max(lower, least), min(upper, most)
        if not finished and frame[CHILD] < 0:
            child = _best_known(frame, table, T, K, H, B, counts, to_move_at, width)
            if child >= 0:
                finished = True
                lower, upper = frame[LOWER], frame[UPPER]
                effort = logarithm(counts[NODES] - frame[BEGUN] + 1)
                counts[STORED] += 1
                counts[FILLED + put(table, K[row], width, H[row],
                                    bounds(lower, upper, H[child], effort, state[AGE]), effort, state[AGE])] += 1
        if not finished:
            base, many = frame[BASE], frame[MANY]
            chosen = -1
            order = 0
            deferring = frame[MARKED] == 1 and frame[CHILD] >= 0
            for child in range(base, base + many):
                worth = B[child, ORDER]
                if deferring and worth > 0 and busy[_spot(H[child], busy)] == H[child]:
                    worth = 1
                if worth > order:
                    chosen, order = child, worth
            if chosen >= 0:
                B[chosen, ORDER] = 0
                frame[CHILD] = chosen
                same = number(T[chosen, to_move_at]) == number(position[to_move_at])
                frames[depth + 1, BASE] = base
                frames[depth + 1, MANY] = many
                depth += 1
                _open(depth, chosen, _question(asked, same), frames)
                continue
            lower, upper = frame[LOWER], -WIN
            for child in range(base, base + many):
                upper = max(upper, B[child, MOST])
            upper = min(upper, frame[UPPER])
            effort = logarithm(counts[NODES] - frame[BEGUN] + 1)
            counts[STORED] += 1
            counts[FILLED + put(table, K[row], width, H[row], bounds(lower, upper, word(0), effort, state[AGE]),
                                effort, state[AGE])] += 1
        # the position is answered: tell its parent, until one goes on
        while True:
            if frames[depth, MARKED]:
                spread = H[frames[depth, ROW]]
                if busy[_spot(spread, busy)] == spread:
                    busy[_spot(spread, busy)] = EMPTY
            if depth == 0:
                B[0, LEAST] = lower
                B[0, MOST] = upper
                state[DEPTH] = 0
                state[STATUS] = ANSWERED
                return ANSWERED
            child = frames[depth, ROW]
            depth -= 1
            frame = frames[depth]
            parent = T[frame[ROW]]
            mover = number(parent[to_move_at])
            if number(T[child, to_move_at]) == mover:
                low, high = _sooner(lower), _sooner(upper)
            else:
                low, high = -_sooner(upper), -_sooner(lower)
            B[child, LEAST] = max(B[child, LEAST], low)
            B[child, MOST] = min(B[child, MOST], high)
            B[child, ORDER] = -1
            frame[LOWER] = max(frame[LOWER], low)
            if low < frame[ASKED]:
                ending = frames[depth + 1, ENDING]
                if ending >= 0:
                    B[child, CODE] = -1
                    _prefer_answers(parent, child, ending, frame, T, B, places)
                break
            base, many = frame[BASE], frame[MANY]
            tried = 0
            left = 0
            most = -WIN
            effort = logarithm(counts[NODES] - frame[BEGUN] + 1)
            for other in range(base, base + many):
                most = max(most, B[other, MOST])
                if B[other, ORDER] > 0:
                    left += 1
                elif other != child and B[other, CODE] >= 0 and number(T[other, outcome_at]) == _GOES_ON:
                    tried += 1
                    history[mover, B[other, CODE]] -= 1
            counts[SPARED] += left
            counts[CUTS] += 1
            if tried == 0:
                counts[FIRST_CUTS] += 1
            history[mover, B[child, CODE]] += tried
            lower, upper = frame[LOWER], min(frame[UPPER], most)
            row = frame[ROW]
            counts[STORED] += 1
            counts[FILLED + put(table, K[row], width, H[row],
                                bounds(lower, upper, H[child], effort, state[AGE]), effort, state[AGE])] += 1

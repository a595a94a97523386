"""Principal variation search to a given depth, for any game, with a transposition table, killer moves and history.

The search is a loop, not recursive, with a frame for each ply. `search` resumes where the previous call stopped: its
whole state is in the arrays that it is given, so that the caller can check the clock between two calls. A score is from
the view of the player to move: `WIN` minus the plies to the end where the end was seen, else the game's `value`. Moves
are made one at a time, as most positions are refuted by their first move.

Several threads may search the same position, each with arrays of its own except for `table`, `busy` and read-only
arrays. A thread need not search what another has stored in the table.

Arrays: `row` and `before` uint64[words of a row], `proposals` and `entries` int64[room, numbers], `scratch`
uint64[rows, words of a row]; for the others see the fields of the named tuples.
"""

from __future__ import annotations

from interpreter.kernel.plain import number, scramble, stir, word
from solver.native.busy import is_marked, mark, unmark
from solver.native.functions import (
    Candidates,
    Lines,
    Offer,
    Pack,
    Row,
    Rows,
    Step,
    ValueOf,
    compiled,
    handed_in,
    inlined,
)
from solver.native.learned import own_value, sum_up, value_after, value_of_row
from solver.native.ordering import KILLER, add_others, by_chance, leave_out, move_number, order_of, pick, reward
from solver.native.pvs_state import (
    BY_CHANCE,
    DONE,
    ENTER,
    ESTIMATES,
    FAIL,
    GIVE,
    GO_ON,
    NO_MOVE,
    ORDER,
    PROPOSED,
    PROPOSED_FIRST,
    Rules,
    Search,
)
from solver.native.scores import INFINITE, MOST, WIN, ended, from_table, to_table
from solver.native.transposition import (
    FILLED,
    PAIR,
    REPLACED,
    UPDATED,
    claim,
    effort_of,
    find,
    fingerprint,
    pair_digest,
    same_key,
    seal,
    work_of,
)
from solver.native.workspace import DRAWS, FORBIDDEN, GOES_ON, copy_row, failed_by

LOWER, UPPER, EXACT = 1, 2, 3
"""Whether a score in the table is a lower bound, an upper bound, or exact."""
_SCORE, _SCORE_BITS = 3, 45
"""The first bit of the score in the data word of a table entry, and its number of bits."""
_ZERO = 1 << _SCORE_BITS - 1
"""Added to scores in the table, so that the stored numbers are not negative."""
_TAKE = 5
"""A further next step of the search, besides those of `pvs_state`: take the score of a child."""
REDUCED_FROM = 3
"""The least remaining depth at which late moves are searched with reduced depth first."""
MARKED_FROM = 3
"""The least remaining depth at which threads mark the move that they search."""
_PUT_OFF = -1
"""The order of a move that was deferred, as another thread is searching it."""
_NO_LOOP = 1 << 30


@inlined
def _give(own: Search, score: int, complete: int, loop: int) -> None:
    """Set the score to hand to the parent, with its `complete` and `loop` (see `Frame`)."""
    state = own.state[0]
    state.score, state.complete, state.loop = score, complete, loop


# ---- beginning a position


@inlined
def _enter(rules: Rules, own: Search, ply: int) -> int:
    """Probe the table for a position, and list its moves in order: GO_ON, GIVE or FAIL."""
    frame, row, counts, settings = own.frames[ply], own.rows[ply], own.counts[0], own.settings[0]
    own.lengths[ply] = 0
    frame.first_alpha = frame.alpha
    frame.best = -INFINITE
    frame.best_move = 0
    frame.legal = 0
    frame.next = 0
    frame.complete = 1
    frame.loop = _NO_LOOP
    frame.hash_move = 0
    frame.side = number(row[settings.to_move]) & 1
    frame.null_window = 0
    frame.summed = 0
    if settings.cyclic == 0:
        rules.pack(row, own.packed[ply])
    if settings.fingerprinted == 1:
        fingerprint(own.packed[ply], own.keys[ply])
    if _known(own, ply):
        return GIVE
    if ply > 0 and frame.depth < len(own.margins) and frame.beta - frame.alpha == 1:
        status = _foresee(rules, own, ply)
        if status != GO_ON:
            return status
    count = _list_moves(rules, own, ply)
    if count < 0:
        own.state[0].failed = ply
        return FAIL
    counts.offered += count
    frame.count = count
    return GO_ON


@inlined
def _known(own: Search, ply: int) -> bool:
    """Whether the score in the table answers the position, which is then given; sets the hash move where there is one.
    """
    frame, counts, table, key = own.frames[ply], own.counts[0], own.table, own.keys[ply]
    width = len(key)
    counts.probes += 1
    hashed = pair_digest(key)
    frame.hashed = number(hashed)
    index, known = find(table, key, width, hashed, PAIR)
    if index < 0:
        return False
    counts.hits += 1
    frame.hash_move = number(table[index, width + 1])
    result = from_table(number(known >> word(_SCORE) & word((1 << _SCORE_BITS) - 1)) - _ZERO, ply)
    bound = number(known & word(3))
    complete = number(known >> word(2) & word(1))
    sound = complete == 1 or effort_of(known) >= frame.depth
    above = bound & LOWER != 0 and result >= frame.beta and (sound or result > MOST)
    below = bound & UPPER != 0 and result <= frame.alpha and (sound or result < -MOST)
    if ply == 0 or own.settings[0].table == ORDER:
        return False
    if own.settings[0].table == ESTIMATES:
        if abs(result) > MOST or effort_of(known) < frame.depth:
            return False
        complete = 0
    if above or below or (bound == EXACT and sound):
        counts.table_cuts += 1
        whole = complete == 1 or (above and result > MOST) or (below and result < -MOST)
        _give(own, result, 1 if whole else 0, _NO_LOOP)
        return True
    return False


@inlined
def _foresee(rules: Rules, own: Search, ply: int) -> int:
    """Cut off where a position's value is so far outside of the window that a search would hardly bring it back.

    The result is GIVE with the value plus the margin of the remaining depth as score, GO_ON where the position has to
    be searched, or FAIL. Nothing is stored in the table.
    """
    frame, row, counts = own.frames[ply], own.rows[ply], own.counts[0]
    counts.leaves += 1
    frame.summed = own.learned.shape[0].used
    score = min(max(value_of_row(rules.value_of, own.learned, row, ply), -MOST), MOST)
    if number(row[own.settings[0].failure]) != 0:
        own.state[0].failed = ply
        return FAIL
    least, most = score + own.margins[frame.depth, 0], score + own.margins[frame.depth, 1]
    if least < frame.beta and most > frame.alpha:
        return GO_ON
    counts.foreseen += 1
    _give(own, least if least >= frame.beta else most, 0, _NO_LOOP)
    return GIVE


@inlined
def _list_moves(rules: Rules, own: Search, ply: int) -> int:
    """List the moves to search and set their order; the number of moves, negative where a rule fails."""
    frame, row, moves, settings = own.frames[ply], own.rows[ply], own.moves[ply], own.settings[0]
    choosing = settings.choosing_first if ply == 0 else settings.choosing
    count = 0
    proposed = 0
    if choosing in (PROPOSED, PROPOSED_FIRST):
        count = rules.candidates(row, own.rows[ply - 1] if ply > 0 else own.before[0], moves, own.entries, own.scratch)
        if count > 0 and choosing == PROPOSED:
            frame.complete = 0
            if settings.width > 0:
                count = min(count, settings.width)
        proposed = count
        if count > 0 and choosing == PROPOSED_FIRST:
            others = rules.offer(row, own.others, own.entries, own.scratch)
            if others < 0 or count + others > len(moves):
                row[settings.failure] = max(row[settings.failure], word(1))
                count = -1
            else:
                count = add_others(moves, count, own.others, others)
    if count == 0:
        count = rules.offer(row, moves, own.entries, own.scratch)
        if choosing == BY_CHANCE and count > settings.width:
            frame.complete = 0
            chance = word(settings.seed)
            for k in range(len(own.packed[ply])):
                chance = scramble(stir(chance ^ own.packed[ply, k]))
            count = by_chance(moves, count, settings.width, chance)
    if ply == 0 and count >= 0:
        count = leave_out(moves, count, own.left_out)
    if count > 0:
        _order_moves(own, ply, count, proposed)
    return count


@inlined
def _order_moves(own: Search, ply: int, count: int, proposed: int) -> None:
    """Set the order in which moves are tried; at the root, ties are broken at random."""
    frame, moves, order = own.frames[ply], own.moves[ply], own.order[ply]
    seed = word(own.settings[0].seed)
    for k in range(count):
        order[k] = order_of(move_number(moves[k]), frame.hash_move, own.killers[ply], own.history, frame.side)
        if k < proposed:
            order[k] += proposed - k
        if ply == 0:
            seed = stir(seed)
            order[k] = (order[k] << 10) + number(scramble(seed) >> word(54))


# ---- trying moves


@inlined
def _try_next(rules: Rules, own: Search, ply: int) -> int:
    """Make the next move.

    The result is ENTER where its position is to be searched, _TAKE where its score is known, GO_ON where the move is
    illegal or deferred, or FAIL.
    """
    frame, counts, settings = own.frames[ply], own.counts[0], own.settings[0]
    row, after = own.rows[ply], own.rows[ply + 1]
    k = frame.next
    pick(own.moves[ply], own.order[ply], k, frame.count)
    if len(own.busy) > 1 and _is_put_off(own, ply):
        return GO_ON
    frame.next = k + 1
    frame.child = k
    copy_row(row, after)
    counts.nodes += 1
    code = rules.step(after, own.moves[ply][k], own.entries, own.scratch)
    if code > 0:
        counts.taken_back += 1
        return GO_ON
    if code < 0:
        if not failed_by(after, settings.failure, settings.outgrown):
            own.state[0].failed = ply + 1
            return FAIL
        frame.legal += 1
        frame.same = 0
        frame.null_window = 0
        own.lengths[ply + 1] = 0
        _give(own, 0, 0, _NO_LOOP)
        return _TAKE
    outcome = number(after[settings.outcome])
    frame.same = 1 if after[settings.to_move] == row[settings.to_move] else 0
    status = ENTER
    if outcome != GOES_ON:
        counts.ends += 1
        _give(own, ended(outcome, number(row[settings.to_move]), settings.players, ply + 1), 1, _NO_LOOP)
        status = _TAKE
    elif settings.cyclic != 0:
        rules.pack(after, own.packed[ply + 1])
        status = _look_for_repetition(own, ply)
        if status == GO_ON:
            return GO_ON
    frame.legal += 1
    if status == ENTER and frame.depth <= 1:
        return _take_value(rules, own, ply)
    if status == ENTER:
        low, high = frame.alpha, frame.beta
        frame.null_window = 1 if frame.legal > 1 and high - low > 1 else 0
        frame.reduced = _reduction(own, ply)
        if frame.marked != 0:
            mark(own.busy, word(frame.marked))
        own.frames[ply + 1].depth = frame.depth - 1 - frame.reduced
        _set_window(own, ply)
        return ENTER
    own.lengths[ply + 1] = 0
    frame.null_window = 0
    return _TAKE


@inlined
def _is_put_off(own: Search, ply: int) -> bool:
    """Whether the next move is deferred, as another thread is searching it; else set the hash to mark it by."""
    frame, order, k = own.frames[ply], own.order[ply], own.frames[ply].next
    frame.marked = 0
    if frame.depth < MARKED_FROM:
        return False
    hashed = scramble(word(frame.hashed) ^ word(move_number(own.moves[ply][k])))
    if frame.legal > 0 and order[k] != _PUT_OFF and is_marked(own.busy, hashed):
        order[k] = _PUT_OFF
        return True
    frame.marked = number(hashed)
    return False


@inlined
def _reduction(own: Search, ply: int) -> int:
    """By how many plies the depth of the next child is reduced; 0 where `Settings.late` is 0."""
    frame, settings = own.frames[ply], own.settings[0]
    late = settings.late
    order = own.order[ply, frame.child]
    if late == 0 or frame.depth < REDUCED_FROM or frame.legal <= late or order >= KILLER or order == _PUT_OFF:
        return 0
    return 2 if frame.legal > 3 * late and frame.depth > 2 * REDUCED_FROM else 1


@inlined
def _look_for_repetition(own: Search, ply: int) -> int:
    """Check whether the position after a move repeats an earlier one.

    The result is ENTER where it does not, _TAKE with the score of the repetition, or GO_ON where that is forbidden.
    """
    settings, key, frame = own.settings[0], own.packed[ply + 1], own.frames[ply]
    met = _NO_LOOP
    for other in range(ply, -1, -1):
        if same_key(own.packed[other], key):
            met = other
            break
    if met == _NO_LOOP:
        for other in range(settings.history):
            if same_key(own.past[other], key):
                met = -1
                break
    if met == _NO_LOOP:
        return ENTER
    own.counts[0].loops += 1
    frame.loop = min(frame.loop, met)
    if settings.repeating == FORBIDDEN:
        return GO_ON
    score = 0 if settings.repeating == DRAWS and settings.players != 1 else ply + 1 - WIN
    _give(own, score, 1, met)
    return _TAKE


@inlined
def _take_value(rules: Rules, own: Search, ply: int) -> int:
    """Give the value of the position after a move, a leaf at the horizon: _TAKE, or FAIL."""
    frame, after = own.frames[ply], own.rows[ply + 1]
    own.counts[0].leaves += 1
    score = min(max(own_value(rules.value_of, own.learned, after), -MOST), MOST)
    if own.learned.shape[0].used != 0:
        if frame.summed == 0:
            frame.summed = 1
            sum_up(own.learned, own.rows[ply], ply)
        score = value_after(own.learned, own.rows[ply], after, ply, score)
    if number(after[own.settings[0].failure]) != 0:
        own.state[0].failed = ply + 1
        return FAIL
    _give(own, score if frame.same == 1 else -score, 0, _NO_LOOP)
    own.lengths[ply + 1] = 0
    frame.null_window = 0
    return _TAKE


@inlined
def _set_window(own: Search, ply: int) -> None:
    """Set the window of a child."""
    frame, child = own.frames[ply], own.frames[ply + 1]
    low, high = frame.alpha, frame.beta
    if frame.null_window == 1:
        high = low + 1
    if frame.same == 0:
        low, high = -high, -low
    child.alpha = low
    child.beta = high


@inlined
def _is_asked_again(own: Search, ply: int) -> bool:
    """Whether the child has to be searched again, without the reduction of its depth or with the full window.

    Changes the child's score to the parent's view. A win that was seen holds at any depth.
    """
    frame, state = own.frames[ply], own.state[0]
    if frame.same == 0:
        state.score = -state.score
    if frame.reduced > 0 and state.score > frame.alpha and state.score <= MOST:
        own.frames[ply + 1].depth += frame.reduced
        frame.reduced = 0
        _set_window(own, ply)
        return True
    if frame.null_window == 1 and state.score > frame.alpha and state.score < frame.beta:
        frame.null_window = 0
        _set_window(own, ply)
        return True
    return False


@inlined
def _take(own: Search, ply: int) -> None:
    """Update the best score, alpha and the principal variation with a child's score, and count a cut-off."""
    frame, state, counts = own.frames[ply], own.state[0], own.counts[0]
    if frame.marked != 0:
        unmark(own.busy, word(frame.marked))
    score = state.score
    frame.loop = min(frame.loop, state.loop)
    frame.complete = min(frame.complete, state.complete)
    if score <= frame.best:
        return
    frame.best = score
    if score <= frame.alpha:
        return
    best = move_number(own.moves[ply][frame.child])
    frame.best_move = best
    frame.alpha = score
    _extend_line(own, ply)
    if score >= frame.beta:
        counts.cuts += 1
        counts.first_cuts += 1 if frame.legal == 1 else 0
        frame.complete = state.complete
        frame.loop = state.loop
        reward(best, own.killers[ply], own.history, frame.side, frame.depth)


@inlined
def _extend_line(own: Search, ply: int) -> None:
    """Set the principal variation of a position to the child's move, followed by that of the child."""
    move, line, after = own.moves[ply][own.frames[ply].child], own.lines[ply], own.lines[ply + 1]
    for k in range(len(move)):
        line[0, k] = move[k]
    length = min(own.lengths[ply + 1], len(line) - 1)
    for index in range(length):
        for k in range(len(move)):
            line[index + 1, k] = after[index, k]
    own.lengths[ply] = length + 1


@inlined
def _finish(own: Search, ply: int) -> None:
    """Give a position's score, and store it in the table if it does not depend on the path to the position."""
    frame, settings = own.frames[ply], own.settings[0]
    if frame.legal == 0:  # every move would repeat a position
        frame.best = 0 if settings.stuck == 0 else ply - WIN if settings.stuck == 1 else WIN - ply
    loop = frame.loop
    if loop >= ply and (ply > 0 or own.left_out[0, 0] == NO_MOVE):
        loop = _NO_LOOP
        _store(own, ply)
    _give(own, frame.best, frame.complete, loop)


@inlined
def _store(own: Search, ply: int) -> None:
    """Store a position's score in the table."""
    frame, counts, table, key, age = own.frames[ply], own.counts[0], own.table, own.keys[ply], own.settings[0].age
    width = len(key)
    bound = EXACT
    if frame.best <= frame.first_alpha:
        bound = UPPER
    elif frame.best >= frame.beta:
        bound = LOWER
    index, became = claim(table, key, width, word(frame.hashed), frame.depth, age, PAIR)
    move = word(frame.best_move)
    if became == UPDATED and frame.best_move == 0:
        move = table[index, width + 1]
    counts.stored += 1 if became == FILLED else 0
    counts.replaced += 1 if became == REPLACED else 0
    table[index, width + 1] = move
    seal(table, index, key, width, word(bound) | word(frame.complete) << word(2)
         | word(to_table(frame.best, ply) + _ZERO) << word(_SCORE) | work_of(frame.depth, age))


# ---- entry points


@handed_in
def none_proposed(row: Row, before: Row, proposals: Lines, entries: Lines, scratch: Rows) -> int:
    """Stands in for a kernel's `candidates` where there are no patterns."""
    return 0


@handed_in
def no_value(row: Row) -> int:
    """Stands in for a kernel's `value_of` where only forced ends count."""
    return 0


@compiled
def value_at_root(value_of: ValueOf, own: Search) -> int:
    """The value of the root for its player to move, without a search."""
    return value_of_row(value_of, own.learned, own.rows[0], 0)


@compiled
def search(offer: Offer, candidates: Candidates, step: Step, value_of: ValueOf, pack: Pack, own: Search,
           limit: int) -> int:
    """Search until `limit` nodes were visited in all, or the search is halted, fails or is done; the next step."""
    rules = Rules(offer, candidates, step, value_of, pack)
    state, counts = own.state[0], own.counts[0]
    status = state.status
    ply = state.ply
    while True:
        frame = own.frames[ply]
        if status == ENTER:
            if counts.nodes >= limit or own.halted[0] != 0:
                break
            status = _enter(rules, own, ply)
        elif status == GO_ON:
            if frame.next >= frame.count or frame.alpha >= frame.beta:
                _finish(own, ply)
                status = GIVE
                continue
            if counts.nodes >= limit or own.halted[0] != 0:
                break
            status = _try_next(rules, own, ply)
            if status == ENTER:
                ply += 1
        elif ply == 0:
            status = DONE
            break
        else:
            ply -= 1
            status = _TAKE
            if _is_asked_again(own, ply):
                ply += 1
                status = ENTER
        if status == FAIL:
            break
        if status == _TAKE:
            _take(own, ply)
            status = GO_ON
    state.status = status
    state.ply = ply
    return status

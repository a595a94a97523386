"""Null-window alpha-beta for solving: answers whether the score of a position is at least a given one.

Scores are from the view of the player to move: WIN - n is a win in n plies, -(WIN - n) a loss in n plies, 0 a draw; 1
and -1 as bounds stand for a win and a loss in any number of plies. The questions "at least 0?" and "at least 1?" lead
to questions of the same kind at all depths, and are answered only where all play ends. "At least WIN - n?" asks for a
win within n plies; n bounds its depth, and its answer does not depend on the path to a position. So both kinds of
answers are correct with transpositions, and the second also with cycles. The caller (`solver.drivers.weak`) decides
which questions to ask, and finds the principal variation.

The search is iterative: its frames are in arrays, so that it can pause after a number of positions and resume in the
next call.

Arrays: `row` and `before` uint64[words of a row], `proposals` and `entries` int64[room, numbers], `scratch`
uint64[rows, words of a row]; for the others see the fields of the named tuples.
"""

from __future__ import annotations

from typing import NamedTuple

import attrs

from interpreter.analysis.hopes import OTHER, OWN
from interpreter.kernel.plain import EMPTY, FULL, word
from solver.native.busy import is_marked, mark, unmark
from solver.native.functions import (
    Candidates,
    Expand,
    Lines,
    PackLeast,
    Records,
    Row,
    Rows,
    ValueOf,
    Word,
    compiled,
    handed_in,
    inlined,
    part,
    prefetch,
)
from solver.native.ordering import change_number, proposed_rank
from solver.native.transposition import (
    BUCKET,
    FILLED,
    UPDATED,
    best_of,
    bounds,
    bucket_of,
    logarithm,
    look_up,
    lower_of,
    put,
    upper_of,
)
from solver.native.workspace import (
    ANSWERED,
    FAILED,
    GOES_ON,
    GOING,
    NO_ROOM,
    TOO_DEEP,
    Context,
    Rules,
    Workspace,
    copy_row,
    mover_of,
    outcome_of,
    represent,
    why_failed,
)

WIN = 32000
"""Larger than the number of plies of any game that is searched."""
_VALUE, _PATTERN = 30_000, 50
"""The weights, in points of the history heuristic, of one unit of the value and of one place among the proposals."""
_MARKED_OF = 64
"""Threads mark positions at plies that have less than 1/64 of all positions; subtrees at other plies are too small."""
MANY = 1 << 20
"""From this many searched positions on, the table is not used at plies with few positions below each position."""
_FEW = 2
"""How many positions are few: the average size of a subtree, its root included. Probing a large table takes as long as
searching one or two positions."""
_LARGE = 1 << 20
"""A table with this many entries exceeds the processor's caches."""
_MOST = 1 << 53
"""The order of a child is clamped to -_MOST ... _MOST; `_ANSWER` is set on top of that."""
_ANSWER = 1 << 55
_BEST = 1 << 52


@attrs.define(eq=False)
class Frame:
    """A position on the path from the root to the current position."""

    opened: int = 0
    """Whether its children have been generated."""
    row: int = 0
    begin: int = 0
    """The row of its first child."""
    count: int = 0
    """The number of children."""
    asked: int = 0
    """The question: whether the player to move reaches at least this score."""
    lower: int = 0
    upper: int = 0
    """Bounds of the score."""
    child: int = 0
    """The row of the child that was searched last, -1 for none."""
    begun: int = 0
    """The node count when it was opened."""
    ending: int = 0
    """A child that ends the game and answers the question, or -1."""
    marked: int = 0
    """Whether the position is marked in `busy` as being searched."""


@attrs.define(eq=False)
class Note:
    """Bounds and move ordering of a child."""

    lower: int = 0
    upper: int = 0
    """Bounds of the score, for the parent's player to move."""
    order: int = 0
    """The priority in the move ordering, highest first; 0 while it is being searched, -1 when it is finished."""
    move: int = 0
    """The number of the move in the history; -1 where the table refuted it, or an end of the game did so at once."""


@attrs.define(eq=False)
class Counts:
    """Counters of a search."""

    nodes: int = 0
    children: int = 0
    """Children generated."""
    leaves: int = 0
    """Children that end the game."""
    probes: int = 0
    hits: int = 0
    """Probes of the table, and those that found the position."""
    stored: int = 0
    """Entries written."""
    cuts: int = 0
    """Nodes answered by a child (cut-offs)."""
    first_cuts: int = 0
    """Cut-offs by the first child that was searched."""
    by_end: int = 0
    """Cut-offs by a child that ends the game."""
    by_table: int = 0
    """Positions answered by their own entry in the table, or by that of a child."""
    spared: int = 0
    """Children that were not searched, because of a cut-off or because the table refuted them."""
    deepest: int = 0
    """The depth of the deepest node."""
    updated: int = 0
    filled: int = 0
    replaced: int = 0
    """Entries written over the same position, into free room, and over other positions."""


@attrs.define(eq=False)
class State:
    """The state of a search between two calls."""

    depth: int = 0
    status: int = 0
    age: int = 0
    """The age of the question, modulo 256, which the entries that it writes get."""
    seen_draw: int = 0
    """Whether a drawn end was met, or a position that its player to move cannot win any more."""
    shallow: int = 0
    """The first ply whose positions have so small subtrees that they are neither stored in the table nor probed."""


class Search(NamedTuple):
    """One search; the first note holds its result, the bounds of the root's score."""

    frames: Records[Frame]
    notes: Records[Note]
    """One for each position of the arenas."""
    history: Lines
    """[players, moves]: points of the history heuristic."""
    busy: Row
    """See `busy`."""
    counts: Records[Counts]
    """One record."""
    state: Records[State]
    """One record."""


# ---- scores


@inlined
def _sooner(score: int) -> int:
    """A child's score as counted from its parent, one ply earlier, for the same player."""
    if score > 1:
        return score - 1
    if score < -1:
        return score + 1
    return score


@inlined
def _question(asked: int, same: bool) -> int:
    """The score to ask of a child; where the opponent is to move there, "no" answers the parent's question with "yes".
    """
    if same:
        if asked > 1:
            return asked + 1
        return asked - 1 if asked < 0 else asked
    if asked > 1:
        return -asked
    return 2 - asked if asked < 0 else 1 - asked


@inlined
def _as_parent(lower: int, upper: int, same: bool) -> tuple[int, int]:
    """Bounds of a child's score, from the view of the parent's player to move."""
    if same:
        return _sooner(lower), _sooner(upper)
    return -_sooner(upper), -_sooner(lower)


# ---- steps


@part
def _first_shallow(work: Workspace, own: Search) -> int:
    """The first ply from which on subtrees have at most `_FEW` positions on average.

    The number of frames while fewer than `MANY` positions were searched. Measured: 1.03 times as fast on 35 cells, four
    in a row, 1.05 times on 4x4 with neutral stones, with 4 and 8 % more positions. With `_FEW` = 4, the latter took
    37 % more positions and the same time.
    """
    result = len(own.frames)
    if own.counts[0].nodes < MANY:
        return result
    below = 0
    for ply in range(len(own.frames) - 1, 0, -1):
        below += work.plies[ply]
        if below > _FEW * work.plies[ply]:
            break
        result = ply
    return result


@inlined
def _open(own: Search, depth: int, row: int, asked: int) -> None:
    """Reset the frame of a ply for a position and a question about it."""
    frame = own.frames[depth]
    frame.opened = 0
    frame.ending = -1
    frame.marked = 0
    frame.row = row
    frame.asked = asked


@part
def _store(context: Context, work: Workspace, own: Search, depth: int, best: Word) -> None:
    """Store the bounds of a position in the table, with the hash of its best child, unless its ply is shallow."""
    if depth >= own.state[0].shallow:
        return
    frame, counts, age = own.frames[depth], own.counts[0], own.state[0].age
    effort = logarithm(counts.nodes - frame.begun + 1)
    counts.stored += 1
    became = put(context.table, work.keys[frame.row], context.layout[0].packed, work.hashes[frame.row],
                 bounds(frame.lower, frame.upper, best, effort, age))
    if became == UPDATED:
        counts.updated += 1
    elif became == FILLED:
        counts.filled += 1
    else:
        counts.replaced += 1


@inlined
def _enter(rules: Rules, context: Context, work: Workspace, own: Search, depth: int) -> int:
    """Probe the table for a position, and generate and order its children.

    The result is GOING if they are to be searched, ANSWERED, NO_ROOM or FAILED.
    """
    frame, counts, layout = own.frames[depth], own.counts[0], context.layout[0]
    row = frame.row
    position = work.positions[row]
    frame.lower, frame.upper = -WIN, WIN
    best = FULL
    if depth == 0:
        represent(rules.pack_least, context, work, row)
    known = EMPTY
    if depth < own.state[0].shallow:
        known = look_up(context.table, work.keys[row], layout.packed, work.hashes[row])
        counts.probes += 1
    if known != EMPTY:
        counts.hits += 1
        frame.lower, frame.upper = lower_of(known), upper_of(known)
        best = best_of(known)
    if frame.lower >= frame.asked or frame.upper < frame.asked:
        counts.by_table += 1
        return ANSWERED
    if layout.hoping and _hopeless(rules, own, depth, position):
        return ANSWERED
    base = frame.begin + frame.count
    counts.nodes += 1
    work.plies[depth] += 1
    count = rules.expand(position, work.positions[base:], work.moves[base:], work.entries, work.scratch)
    if count < 0:
        return why_failed(context, position)
    if base + count >= len(work.positions):
        return NO_ROOM
    counts.children += count
    frame.begin, frame.count = base, count
    status = _look_at_ends(context, work, own, depth)
    if status == GOING:
        status = _order_children(rules, context, work, own, depth, best)
        if status != GOING:
            return status
    elif status == FAILED:
        return FAILED
    others = len(own.busy) > 1 and depth + 1 < own.state[0].shallow
    if others and status == GOING and work.plies[depth] * _MARKED_OF < counts.nodes:
        frame.marked = 1
        mark(own.busy, work.hashes[row])
    frame.opened = 1
    frame.begun = counts.nodes
    frame.child = -1
    counts.deepest = max(counts.deepest, depth)
    return status


@inlined
def _hopeless(rules: Rules, own: Search, depth: int, position: Row) -> bool:
    """Tighten the bounds by which players can still win; whether that answers the question."""
    frame = own.frames[depth]
    hopes = rules.value_of(position)
    if not hopes & OWN:
        frame.upper = min(frame.upper, 0)
        own.state[0].seen_draw = 1
    if not hopes & OTHER:
        frame.lower = max(frame.lower, 0)
    return frame.lower >= frame.asked or frame.upper < frame.asked


@inlined
def _look_at_ends(context: Context, work: Workspace, own: Search, depth: int) -> int:
    """Score the children that end the game: ANSWERED if they answer the question, FAILED, or GOING."""
    frame, counts = own.frames[depth], own.counts[0]
    position = work.positions[frame.row]
    mover = mover_of(context, position)
    least = -WIN
    going = 0
    for child in range(frame.begin, frame.begin + frame.count):
        outcome = outcome_of(context, work.positions[child])
        note = own.notes[child]
        if outcome == GOES_ON:
            going += 1
            note.order = 0
            continue
        counts.leaves += 1
        score = 0
        if outcome >= 0:
            score = WIN - 1 if outcome == mover else 1 - WIN
        else:
            own.state[0].seen_draw = 1
        note.lower = score
        note.upper = score
        note.order = -1
        least = max(least, score)
        if score >= frame.asked:
            frame.ending = child
    if frame.count == 0:  # `expand` has set the outcome of this position
        outcome = outcome_of(context, position)
        if outcome == GOES_ON:
            return FAILED
        least = 0
        if outcome >= 0:
            least = WIN if outcome == mover else -WIN
        frame.lower, frame.upper = least, least
        return ANSWERED
    frame.lower = max(frame.lower, least)
    if least >= frame.asked:
        counts.by_end += 1
        counts.cuts += 1
        counts.spared += going
        frame.upper = min(frame.upper, WIN - 1)
        return ANSWERED
    return GOING


@inlined
def _one_goes_on(own: Search, frame: Frame) -> bool:
    """Whether there is a child that does not end the game."""
    for child in range(frame.begin, frame.begin + frame.count):  # noqa: SIM110
        if own.notes[child].order == 0:
            return True
    return False


@inlined
def _order_children(rules: Rules, context: Context, work: Workspace, own: Search, depth: int, best: Word) -> int:
    """Set the order of the children that do not end the game; `best` has 16 bits of the hash of the best child.

    The best child of the table comes first; the others are ordered by the sum of the game's value, the history
    heuristic, and their rank among the moves that patterns propose. The result is GOING, NO_ROOM or FAILED.
    """
    frame, layout = own.frames[depth], context.layout[0]
    position = work.positions[frame.row]
    mover = mover_of(context, position)
    shallow = depth + 1 >= own.state[0].shallow
    proposed = 0
    if layout.proposing and _one_goes_on(own, frame):
        before = work.positions[own.frames[max(depth - 1, 0)].row]
        proposed = rules.candidates(position, before, work.proposals, work.entries, work.scratch)
        if proposed < 0:
            return why_failed(context, position)
    for child in range(frame.begin, frame.begin + frame.count):
        note = own.notes[child]
        if note.order < 0:
            continue
        after = work.positions[child]
        note.lower = 2 - WIN
        note.upper = WIN - 2
        note.move = change_number(position, after, work.moves[child], layout.standing, len(own.history[0]))
        hashed = FULL
        if shallow:
            work.hashes[child] = hashed
        else:
            hashed = represent(rules.pack_least, context, work, child)
        order = own.history[mover, note.move]
        if (hashed & word(0xFFFF)) == best:
            order += _BEST
        if layout.valued:
            value = rules.value_of(after)
            if layout.hoping:
                value >>= 2  # drop the flags of who can still win
            order += (value if mover_of(context, after) == mover else -value) * _VALUE
        if proposed > 0:
            order += proposed_rank(work.moves[child], work.proposals, proposed) * _PATTERN
        note.order = 1 + min(max(order, -_MOST), _MOST) + _MOST
    return GOING


@inlined
def _best_known(context: Context, work: Workspace, own: Search, depth: int) -> int:
    """Take bounds of the unsearched children from the table; return a child that answers the question, or -1.

    The entries of a large table are all prefetched first: 1.06 times as fast with 33 million entries, slower with few.
    """
    frame, counts, width = own.frames[depth], own.counts[0], context.layout[0].packed
    if depth + 1 >= own.state[0].shallow:
        return -1
    mover = mover_of(context, work.positions[frame.row])
    for child in range(frame.begin, frame.begin + (frame.count if len(context.table) >= _LARGE else 0)):
        if own.notes[child].order > 0:
            prefetch(context.table, bucket_of(work.hashes[child], context.table, BUCKET))
    for child in range(frame.begin, frame.begin + frame.count):
        note = own.notes[child]
        if note.order <= 0:
            continue
        counts.probes += 1
        known = look_up(context.table, work.keys[child], width, work.hashes[child])
        if known == EMPTY:
            continue
        counts.hits += 1
        low, high = _as_parent(lower_of(known), upper_of(known), mover_of(context, work.positions[child]) == mover)
        note.lower = low
        note.upper = high
        frame.lower = max(frame.lower, low)
        if low >= frame.asked:
            counts.by_table += 1
            counts.cuts += 1
            return child
        if high < frame.asked:
            note.order = -1
            note.move = -1
            counts.spared += 1
    return -1


@inlined
def _choose(work: Workspace, own: Search, depth: int) -> int:
    """The child to search next; -1 where none is left.

    After the first child, those that other threads are searching come last (Kerrigan, "Simplified ABDADA").
    """
    frame = own.frames[depth]
    chosen = -1
    order = 0
    deferring = frame.marked == 1 and frame.child >= 0
    for child in range(frame.begin, frame.begin + frame.count):
        worth = own.notes[child].order
        if deferring and worth > 0 and is_marked(own.busy, work.hashes[child]):
            worth = 1
        if worth > order:
            chosen, order = child, worth
    return chosen


@inlined
def _descend(context: Context, work: Workspace, own: Search, depth: int, child: int) -> None:
    """Begin the search of a child, one ply deeper."""
    frame, after = own.frames[depth], own.frames[depth + 1]
    own.notes[child].order = 0
    frame.child = child
    same = mover_of(context, work.positions[child]) == mover_of(context, work.positions[frame.row])
    after.begin = frame.begin
    after.count = frame.count
    _open(own, depth + 1, child, _question(frame.asked, same))


@inlined
def _prefer_answers(context: Context, work: Workspace, own: Search, depth: int, child: int, ending: int) -> None:
    """Move up the siblings that change the same part of the board as the move `ending`, which refuted a child at once.
    """
    frame, positions = own.frames[depth], work.positions
    for other in range(frame.begin, frame.begin + frame.count):
        note = own.notes[other]
        if note.order <= 0:
            continue
        for k in range(context.layout[0].standing):
            if (positions[ending, k] ^ positions[child, k]) & (positions[other, k] ^ positions[frame.row, k]) != EMPTY:
                note.order |= _ANSWER
                break


@inlined
def _cut(context: Context, work: Workspace, own: Search, depth: int, child: int) -> None:
    """Cut off, as a child has answered the question: update the history, the counters and the upper bound."""
    frame, counts = own.frames[depth], own.counts[0]
    mover = mover_of(context, work.positions[frame.row])
    tried = 0
    left = 0
    most = -WIN
    for other in range(frame.begin, frame.begin + frame.count):
        note = own.notes[other]
        most = max(most, note.upper)
        if note.order > 0:
            left += 1
        elif other != child and note.move >= 0 and outcome_of(context, work.positions[other]) == GOES_ON:
            tried += 1
            own.history[mover, note.move] -= 1
    counts.spared += left
    counts.cuts += 1
    if tried == 0:
        counts.first_cuts += 1
    own.history[mover, own.notes[child].move] += tried
    frame.upper = min(frame.upper, most)


@inlined
def _give_up(own: Search, depth: int) -> None:
    """Fail low, as no child has answered the question: the upper bound is the highest of the children's."""
    frame = own.frames[depth]
    upper = -WIN
    for child in range(frame.begin, frame.begin + frame.count):
        upper = max(upper, own.notes[child].upper)
    frame.upper = min(upper, frame.upper)


@inlined
def _return(context: Context, work: Workspace, own: Search, depth: int) -> int:
    """Pass the bounds of an answered position up to its parent, and on from each parent that they answer.

    The result is the depth of the first parent that has to go on, -1 for none.
    """
    while True:
        answered = own.frames[depth]
        if answered.marked:
            unmark(own.busy, work.hashes[answered.row])
        child = answered.row
        note = own.notes[child]
        if depth == 0:
            note.lower = answered.lower
            note.upper = answered.upper
            return -1
        depth -= 1
        frame = own.frames[depth]
        same = mover_of(context, work.positions[child]) == mover_of(context, work.positions[frame.row])
        low, high = _as_parent(answered.lower, answered.upper, same)
        note.lower = max(note.lower, low)
        note.upper = min(note.upper, high)
        note.order = -1
        frame.lower = max(frame.lower, low)
        if low < frame.asked:
            if answered.ending >= 0:
                note.move = -1
                _prefer_answers(context, work, own, depth, child, answered.ending)
            return depth
        _cut(context, work, own, depth, child)
        _store(context, work, own, depth, work.hashes[child])


# ---- entry points


@handed_in
def none_proposed(row: Row, before: Row, proposals: Lines, entries: Lines, scratch: Rows) -> int:
    """Stands in for a kernel's `candidates` where there are no patterns."""
    return 0


@compiled
def begin(asked: int, row: Row, work: Workspace, own: Search) -> int:
    """Set up a search that asks whether the score of a position is at least `asked`."""
    copy_row(row, work.positions[0])
    own.state[0].depth = 0
    own.state[0].status = GOING
    own.frames[0].begin = 0
    own.frames[0].count = 1
    _open(own, 0, 0, asked)
    return 0


@compiled
def search(expand: Expand, pack_least: PackLeast, value_of: ValueOf, candidates: Candidates, context: Context,
           work: Workspace, own: Search, limit: int) -> int:
    """Search up to `limit` more positions; return the new status.

    Children are searched in this order: the best one of the table; those that answer the refutation of a sibling; the
    others by the game's value, the history heuristic, and the order in which patterns propose them. A move that cuts
    off gains one point in the history for each sibling that was searched before it, and each of those loses one (Tromp,
    "Fhourstones"). Moves that an end of the game refuted at once do not count, as they took almost no search. (On 35
    cells, four in a row: 19 million positions, 280 million where they count.)
    """
    rules = Rules(expand, pack_least, value_of, candidates)
    state, counts = own.state[0], own.counts[0]
    state.shallow = _first_shallow(work, own)
    last = counts.nodes + limit
    depth = state.depth
    while True:
        frame = own.frames[depth]
        status = GOING
        if not frame.opened:
            if counts.nodes >= last:
                state.depth = depth
                return GOING
            status = TOO_DEEP if depth + 1 >= len(own.frames) else _enter(rules, context, work, own, depth)
            if status > ANSWERED:
                state.depth = depth
                state.status = status
                return status
        if status == GOING and frame.child < 0:
            child = _best_known(context, work, own, depth)
            if child >= 0:
                status = ANSWERED
                _store(context, work, own, depth, work.hashes[child])
        if status == GOING:
            child = _choose(work, own, depth)
            if child >= 0:
                _descend(context, work, own, depth, child)
                depth += 1
                continue
            _give_up(own, depth)
            _store(context, work, own, depth, EMPTY)
        depth = _return(context, work, own, depth)
        if depth < 0:
            state.depth = 0
            state.status = ANSWERED
            return ANSWERED



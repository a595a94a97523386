"""Proof-number search (df-pn): whether one player, the attacker, can force a win from a position.

A position's proof number estimates how many positions must be proven won to prove it, its disproof number the same for
"cannot be won". The search descends depth first to the child that needs the fewest, as long as a position's numbers
stay below thresholds (Nagai, 2002). Instead of the sum of the children's numbers it takes the greatest, plus one for
each other open child (weak proof numbers; Ueda, Hashimoto, Hashimoto and Iida, 2008), because a sum counts
transpositions many times. A child's number may exceed its best sibling's by a quarter before the search switches
(Pawlewicz and Lew, 2007).

Cycles. A position that repeats one on the path to it counts as not won there, as the attacker makes no progress. A
proof never depends on that: it is a finite tree, valid on every path. A disproof may; `Note.depends` holds the depth of
the first position on the path that it depends on. If that is the position itself or a later one, the disproof is valid
on every path: its positions form a set without a win that the defender need not leave. Only such disproofs go into the
table. The others are stored as "twins" for this path to the position only (by a hash of the path; Kishimoto and
Mueller, 2004), so that the search does not loop; they are never used for another path.

Arrays: `row` uint64[words of a row]; for those of the named tuples, see their fields.
"""

from __future__ import annotations

from typing import NamedTuple

import attrs

from interpreter.kernel.plain import EMPTY, number, scramble, word
from solver.native.functions import (
    Expand,
    PackLeast,
    Records,
    Row,
    Rows,
    Word,
    compiled,
    inlined,
    part,
)
from solver.native.transposition import FILLED, UPDATED, logarithm, look_up, put, work_of
from solver.native.workspace import (
    ANSWERED,
    FAILED,
    GOES_ON,
    GOING,
    NO_ROOM,
    TOO_DEEP,
    Context,
    Workspace,
    copy_row,
    mover_of,
    outcome_of,
    represent,
    same_words,
    way_on,
    why_failed,
)

INFINITE = (1 << 24) - 1
"""The proof number of a disproven position, and the disproof number of a proven one."""
NOTHING = 1 << 30
"""The value of `Note.depends` for what depends on no position of the path."""


@attrs.define(eq=False)
class Frame:
    """A position on the path to the one that is searched."""

    opened: int = 0
    """Whether its children have been generated."""
    row: int = 0
    begin: int = 0
    """The row of its first child."""
    count: int = 0
    """The number of its children."""
    proof_limit: int = 0
    disproof_limit: int = 0
    """The search leaves the position when one of its numbers reaches its limit."""
    begun: int = 0
    """How many positions had been searched when it was opened."""
    least: int = 0
    """The mover's own number (proof if the attacker moves, else disproof): the least among the children's."""
    second: int = 0
    """The second least."""
    greatest: int = 0
    """The other number, derived from the greatest among the children's."""
    chosen: int = 0
    """The child with the least number; -1 for none."""
    open_children: int = 0
    """The number of children whose other number is not 0."""


@attrs.define(eq=False)
class Note:
    """The numbers of a child."""

    proof: int = 0
    disproof: int = 0
    depends: int = 0
    """The depth of the first position on the path that a disproof depends on, or NOTHING."""


@attrs.define(eq=False)
class Counts:
    """Statistics of a search."""

    nodes: int = 0
    """Positions expanded."""
    children: int = 0
    """Children generated."""
    leaves: int = 0
    """Finished positions among the children."""
    probes: int = 0
    hits: int = 0
    """Look-ups of new children in the table, and how many of them found an entry."""
    stored: int = 0
    """Table entries written."""
    by_end: int = 0
    """Positions decided by a finished child."""
    by_table: int = 0
    """Children decided by a table entry that was written after they were noted."""
    repeated: int = 0
    """Repetitions."""
    twins: int = 0
    """Children decided by a twin."""
    deepest: int = 0
    """The depth of the deepest position."""
    updated: int = 0
    filled: int = 0
    replaced: int = 0
    """Table entries written over the same position, into an empty entry, and over another position."""


@attrs.define(eq=False)
class State:
    """The state of a search between calls."""

    depth: int = 0
    status: int = 0
    age: int = 0
    """The age of the search's table entries, modulo 256."""
    not_decided: int = 0
    """Whether a drawn end or a repetition was met, so that no win need not mean a loss."""
    attacker: int = 0
    """The player whose win is to be proven."""
    cyclic: int = 0
    """Whether positions can repeat."""


class Search(NamedTuple):
    """The arrays of one search; the first note is the answer: the numbers of the root."""

    frames: Records[Frame]
    notes: Records[Note]
    """One for each position in the arenas."""
    twins: Rows
    """Rows of a packed position, the hash of a path to it, and the depth that its disproof depends on."""
    trail: Row
    """A hash of the path to each depth."""
    counts: Records[Counts]
    """A single record."""
    state: Records[State]
    """A single record."""


# ---- contents of table entries


@inlined
def _noted(proof: int, disproof: int, effort: int, age: int) -> Word:
    """The numbers of a position, with the effort and the age, packed into a word of a table entry."""
    return word(proof) | word(disproof) << word(24) | work_of(effort, age)


@inlined
def proof_of(known: Word) -> int:
    """The proof number of an entry."""
    return number(known & word(INFINITE))


@inlined
def disproof_of(known: Word) -> int:
    """The disproof number of an entry."""
    return number(known >> word(24) & word(INFINITE))


@inlined
def _own(note: Note, attacking: bool) -> int:
    """The own number of the parent's mover: the proof number if the attacker moves there, else the disproof number."""
    return note.proof if attacking else note.disproof


@inlined
def _other(note: Note, attacking: bool) -> int:
    """The other number: the disproof number if the attacker moves in the parent, else the proof number."""
    return note.disproof if attacking else note.proof


@inlined
def _settle(note: Note, won: bool) -> None:
    """Note a proof (`won`) or disproof that is valid on every path."""
    note.proof = 0 if won else INFINITE
    note.disproof = INFINITE if won else 0
    note.depends = NOTHING


# ---- steps


@part
def _on_the_way(context: Context, work: Workspace, own: Search, depth: int, child: int) -> int:
    """The depth at which a position occurs on the path; -1 if it does not."""
    for ply in range(depth + 1):
        row = own.frames[ply].row
        if work.hashes[row] == work.hashes[child] and same_words(work.keys[row], work.keys[child],
                                                                 context.layout[0].packed):
            return ply
    return -1


@part
def _note_child(context: Context, work: Workspace, own: Search, depth: int, child: int) -> None:
    """Note the numbers of an unfinished child, from a repetition, the table or a twin; else 1 and 1."""
    note, counts, state, width = own.notes[child], own.counts[0], own.state[0], context.layout[0].packed
    key, hashed = work.keys[child], work.hashes[child]
    note.depends = NOTHING
    counts.probes += 1
    if state.cyclic:
        ply = _on_the_way(context, work, own, depth, child)
        if ply >= 0:
            counts.repeated += 1
            state.not_decided = 1
            note.proof, note.disproof, note.depends = INFINITE, 0, ply
            return
    known = look_up(context.table, key, width, hashed)
    note.proof, note.disproof = 1, 1
    if known != EMPTY:
        counts.hits += 1
        note.proof, note.disproof = proof_of(known), disproof_of(known)
        if note.proof == 0 or note.disproof == 0:
            return
    if state.cyclic:
        way = way_on(own.trail[depth], hashed)
        twin = own.twins[number(way & word(len(own.twins) - 1))]
        if twin[width] == way and same_words(twin, key, width):
            counts.twins += 1
            note.proof, note.disproof = INFINITE, 0
            note.depends = number(twin[width + 1])


@inlined
def _enter(expand: Expand, pack_least: PackLeast, context: Context, work: Workspace, own: Search, depth: int) -> int:
    """Generate the children of a position and note their numbers; return GOING, NO_ROOM or FAILED."""
    frame, counts, state = own.frames[depth], own.counts[0], own.state[0]
    position = work.positions[frame.row]
    if depth == 0:
        represent(pack_least, context, work, frame.row)
        own.trail[0] = scramble(work.hashes[frame.row])
    else:
        own.trail[depth] = way_on(own.trail[depth - 1], work.hashes[frame.row])
    base = frame.begin + frame.count
    counts.nodes += 1
    counts.deepest = max(counts.deepest, depth)
    work.plies[depth] += 1
    count = expand(position, work.positions[base:], work.moves[base:], work.entries, work.scratch)
    if count < 0:
        return why_failed(context, position)
    if base + count >= len(work.positions):
        return NO_ROOM
    counts.children += count
    frame.begin, frame.count = base, count
    attacking = mover_of(context, position) == state.attacker
    if count == 0:  # `expand` has written the outcome
        outcome = outcome_of(context, position)
        if outcome == GOES_ON:
            return FAILED
        if outcome < 0:
            state.not_decided = 1
        frame.count = 1
        _settle(own.notes[base], outcome == state.attacker)
    elif _look_at_ends(context, work, own, depth, attacking):
        counts.by_end += 1
    else:
        for child in range(base, base + count):
            if outcome_of(context, work.positions[child]) == GOES_ON:
                represent(pack_least, context, work, child)
                _note_child(context, work, own, depth, child)
    frame.opened = 1
    frame.begun = counts.nodes
    return GOING


@inlined
def _look_at_ends(context: Context, work: Workspace, own: Search, depth: int, attacking: bool) -> bool:
    """Note the results of finished children; whether one of them decides the position."""
    frame, state = own.frames[depth], own.state[0]
    settled = False
    for child in range(frame.begin, frame.begin + frame.count):
        note = own.notes[child]
        outcome = outcome_of(context, work.positions[child])
        if outcome == GOES_ON:
            note.proof, note.disproof = 1, 1
            continue
        own.counts[0].leaves += 1
        won = outcome == state.attacker
        if outcome < 0:
            state.not_decided = 1
        _settle(note, won)
        settled = settled or won == attacking
    return settled


@inlined
def _add_up(own: Search, depth: int, attacking: bool) -> None:
    """Compute a position's numbers: the mover's own is the least, the other the greatest plus one per other open child.
    """
    frame = own.frames[depth]
    least, second, chosen = INFINITE, INFINITE, -1
    greatest, open_children = 0, 0
    for child in range(frame.begin, frame.begin + frame.count):
        note = own.notes[child]
        value, other = _own(note, attacking), _other(note, attacking)
        if value < least:
            least, second, chosen = value, least, child
        elif value < second:
            second = value
        if other > 0:
            open_children += 1
            greatest = max(greatest, other)
    if greatest < INFINITE and open_children > 0:
        greatest = min(greatest + open_children - 1, INFINITE - 1)
    if least == 0:
        greatest = INFINITE
    frame.least, frame.second, frame.chosen = least, second, chosen
    frame.greatest, frame.open_children = greatest, open_children


@inlined
def _within_limits(frame: Frame, attacking: bool) -> bool:
    """Whether the search continues below a position."""
    limit_own = frame.proof_limit if attacking else frame.disproof_limit
    limit_other = frame.disproof_limit if attacking else frame.proof_limit
    return (frame.least > 0 and frame.greatest > 0 and frame.least < limit_own and frame.greatest < limit_other
            and frame.chosen >= 0)


@inlined
def _has_news(context: Context, work: Workspace, own: Search, child: int, attacking: bool) -> bool:
    """Update a child's note from the table; whether the numbers changed."""
    note, counts = own.notes[child], own.counts[0]
    if note.depends != NOTHING:
        return False
    before_own, before_other = _own(note, attacking), _other(note, attacking)
    known = look_up(context.table, work.keys[child], context.layout[0].packed, work.hashes[child])
    if known == EMPTY:
        return False
    note.proof, note.disproof = proof_of(known), disproof_of(known)
    if _own(note, attacking) == before_own and _other(note, attacking) == before_other:
        return False
    if note.proof == 0 or note.disproof == 0:
        counts.by_table += 1
    return True


@inlined
def _descend(own: Search, depth: int, attacking: bool) -> None:
    """Set up the frame of the child with the least number, with its limits."""
    frame, after = own.frames[depth], own.frames[depth + 1]
    most_own = frame.proof_limit if attacking else frame.disproof_limit
    most_other = frame.disproof_limit if attacking else frame.proof_limit
    limit_own = min(most_own, min(frame.second + frame.second // 4 + 1, INFINITE))
    limit_other = most_other if most_other >= INFINITE else most_other - (frame.open_children - 1)
    after.opened = 0
    after.row = frame.chosen
    after.begin = frame.begin
    after.count = frame.count
    after.proof_limit = limit_own if attacking else limit_other
    after.disproof_limit = limit_other if attacking else limit_own


@inlined
def _rests_on(own: Search, depth: int, attacking: bool) -> int:
    """The depth of the first position on the path that a position's disproof depends on, or NOTHING."""
    frame = own.frames[depth]
    depends = NOTHING
    if attacking:
        for child in range(frame.begin, frame.begin + frame.count):
            depends = min(depends, own.notes[child].depends)
    else:
        depends = -1
        for child in range(frame.begin, frame.begin + frame.count):
            if own.notes[child].disproof == 0:
                depends = max(depends, own.notes[child].depends)
    return NOTHING if depends >= depth else depends


@inlined
def _leave(context: Context, work: Workspace, own: Search, depth: int, attacking: bool) -> None:
    """Write the numbers of a position to its note, and to the table or the twins."""
    frame, counts, state, width = own.frames[depth], own.counts[0], own.state[0], context.layout[0].packed
    row = frame.row
    proof = frame.least if attacking else frame.greatest
    disproof = frame.greatest if attacking else frame.least
    depends = NOTHING
    if disproof == 0:
        proof = INFINITE
        depends = _rests_on(own, depth, attacking)
    elif proof == 0:
        disproof = INFINITE
    effort = logarithm(counts.nodes - frame.begun + 1)
    if depends == NOTHING:
        counts.stored += 1
        became = put(context.table, work.keys[row], width, work.hashes[row],
                     _noted(proof, disproof, effort, state.age))
        if became == UPDATED:
            counts.updated += 1
        elif became == FILLED:
            counts.filled += 1
        else:
            counts.replaced += 1
    else:
        way = own.trail[depth]
        twin = own.twins[number(way & word(len(own.twins) - 1))]
        for k in range(width):
            twin[k] = work.keys[row, k]
        twin[width] = way
        twin[width + 1] = word(depends)
    note = own.notes[row]
    note.proof, note.disproof = proof, disproof
    if depth > 0:
        note.depends = depends


# ---- entry points


@compiled
def begin(attacker: int, cyclic: int, age: int, row: Row, work: Workspace, own: Search) -> int:
    """Prepare a search for whether the attacker wins from a position."""
    copy_row(row, work.positions[0])
    state, root = own.state[0], own.frames[0]
    state.depth = 0
    state.status = GOING
    state.age = age
    state.attacker = attacker
    state.cyclic = cyclic
    root.opened = 0
    root.row = 0
    root.begin = 0
    root.count = 1
    root.proof_limit = INFINITE
    root.disproof_limit = INFINITE
    return 0


@compiled
def search(expand: Expand, pack_least: PackLeast, context: Context, work: Workspace, own: Search, limit: int) -> int:
    """Continue the search for up to `limit` positions; return the new status."""
    state, counts = own.state[0], own.counts[0]
    last = counts.nodes + limit
    depth = state.depth
    while True:
        frame = own.frames[depth]
        attacking = mover_of(context, work.positions[frame.row]) == state.attacker
        if not frame.opened:
            if counts.nodes >= last:
                state.depth = depth
                return GOING
            status = TOO_DEEP
            if depth + 1 < len(own.frames):
                status = _enter(expand, pack_least, context, work, own, depth)
            if status != GOING:
                state.depth = depth
                state.status = status
                return status
        _add_up(own, depth, attacking)
        if _within_limits(frame, attacking):
            if counts.nodes >= last:
                state.depth = depth
                return GOING
            if _has_news(context, work, own, frame.chosen, attacking):
                continue
            _descend(own, depth, attacking)
            depth += 1
            continue
        _leave(context, work, own, depth, attacking)
        if depth == 0:
            state.depth = 0
            state.status = ANSWERED
            return ANSWERED
        depth -= 1

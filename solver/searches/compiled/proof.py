"""Proof-number search (df-pn): whether one player, the attacker, can force a win from a position.

A position's proof number says how many positions would have to be proven won to prove it, its disproof number the same
for "cannot be won"; the search goes depth first to where the fewest are missing, as long as a position's numbers stay
under thresholds (Nagai, 2002). Of the other moves' numbers the greatest counts and not the sum, plus one for each (weak
proof numbers; Ueda, Hashimoto, Hashimoto and Iida, 2008), because transpositions would count many times. A child may go
over its best sibling by a quarter before the search changes (Pawlewicz and Lew, 2007).

Cycles. A position that comes back on the way to itself counts as not won there, as the attacker gets nowhere with it. A
proof never rests on that: it is a finite tree, right after any moves. A disproof may; `NOTE_DEPENDS` holds the depth of
the first position on the way that it rests on. Where that is the position itself or a later one, the disproof holds
after any moves: its positions are a set that the defender can keep to, in which there is no win. Only such disproofs go
into the table. The others are kept apart, for the very same way to the position (by a hash of the way; Kishimoto and
Mueller's "twins", 2004), so that the search does not go round; they never say anything about another way.
"""

from __future__ import annotations

from typing import Any

from interpreter.kernel.plain import EMPTY, jit, number, scramble, solver, word
from solver.searches.compiled.table import digest, logarithm, look_up, put

# Places in `state`.
DEPTH, STATUS, AGE, NOT_DECIDED, ATTACKER, CYCLIC = 0, 1, 2, 3, 4, 5
STATE = 6
"""NOT_DECIDED: whether a drawn end or a repetition was met, so that not winning is not losing."""
# What STATUS says.
GOING, ANSWERED, NO_ROOM, TOO_DEEP, FAILED = 0, 1, 2, 3, 4
# Places in `places`.
OUTCOME, TO_MOVE, FAILURE, PACKED = 0, 1, 2, 3
# Places in a frame.
PHASE, ROW, BASE, MANY, MOST_PROOF, MOST_DISPROOF, BEGUN = 0, 1, 2, 3, 4, 5, 6
FRAME = 7
# Places in notes on children.
NOTE_PROOF, NOTE_DISPROOF, NOTE_DEPENDS = 0, 1, 2
# Places in `counts`.
NODES, CHILDREN, LEAVES, PROBES, HITS, STORED, BY_END, BY_TABLE, AGAIN, REPEATED, TWINS, DEEPEST, FILLED = (
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)
COUNTS = 15
"""Positions expanded; children made; finished ones among them; look-ups, with success; entries written; positions
answered by a finished child, by the table alone; positions expanded before; repetitions; answers from twins; the depth
of the deepest position; entries written over the same position, into room, over others."""

INFINITE = (1 << 24) - 1
"""A proof number of what cannot be proven."""
NOTHING = 1 << 30
"""On no position of the way."""
_GOES_ON = -2


@jit
def _noted(proof: Any, disproof: Any, effort: Any, age: Any) -> Any:
    """An entry's last word."""
    return word(proof) | word(disproof) << word(24) | word(effort) << word(48) | word(age) << word(56)


@jit
def proof_of(known: Any) -> Any:
    """The proof number of an entry."""
    return number(known & word(INFINITE))


@jit
def disproof_of(known: Any) -> Any:
    """The disproof number of an entry."""
    return number(known >> word(24) & word(INFINITE))


@jit
def _on_the_way(key: Any, spread: Any, width: Any, depth: Any, frames: Any, K: Any, H: Any) -> Any:
    """The depth at which a position stands on the way; -1 where it does not."""
    for ply in range(depth + 1):
        row = frames[ply, ROW]
        if H[row] != spread:
            continue
        same = True
        for part in range(width):
            if K[row, part] != key[part]:
                same = False
                break
        if same:
            return ply
    return -1


@jit
def _note_child(child: Any, depth: Any, width: Any, table: Any, twins: Any, trail: Any, frames: Any, K: Any, H: Any,
                B: Any, counts: Any, state: Any) -> Any:
    """Note the numbers of a child that is not finished."""
    B[child, NOTE_DEPENDS] = NOTHING
    counts[PROBES] += 1
    if state[CYCLIC]:
        ply = _on_the_way(K[child], H[child], width, depth, frames, K, H)
        if ply >= 0:
            counts[REPEATED] += 1
            state[NOT_DECIDED] = 1
            B[child, NOTE_PROOF], B[child, NOTE_DISPROOF], B[child, NOTE_DEPENDS] = INFINITE, 0, ply
            return 0
    known = look_up(table, K[child], width, H[child])
    if known != EMPTY:
        counts[HITS] += 1
        B[child, NOTE_PROOF], B[child, NOTE_DISPROOF] = proof_of(known), disproof_of(known)
        if B[child, NOTE_PROOF] == 0 or B[child, NOTE_DISPROOF] == 0:
            return 0
    else:
        B[child, NOTE_PROOF], B[child, NOTE_DISPROOF] = 1, 1
    if state[CYCLIC]:
        way = scramble(trail[depth] ^ H[child])
        place = number(way & word(len(twins) - 1))
        if twins[place, width] == way:
            same = True
            for part in range(width):
                if twins[place, part] != K[child, part]:
                    same = False
                    break
            if same:
                counts[TWINS] += 1
                B[child, NOTE_PROOF], B[child, NOTE_DISPROOF] = INFINITE, 0
                B[child, NOTE_DEPENDS] = number(twins[place, width + 1])
    return 0


@solver("NUMBER", "NUMBER", "NUMBER", "ROW", "ROWS", "LINES", "LINE")
def begin(attacker: Any, cyclic: Any, age: Any, row: Any, T: Any, frames: Any, state: Any) -> Any:
    """Prepare the question whether a player wins from a position."""
    for place in range(len(row)):
        T[0, place] = row[place]
    state[DEPTH] = 0
    state[STATUS] = GOING
    state[AGE] = age
    state[ATTACKER] = attacker
    state[CYCLIC] = cyclic
    frames[0, PHASE] = 0
    frames[0, ROW] = 0
    frames[0, BASE] = 0
    frames[0, MANY] = 1
    frames[0, MOST_PROOF] = INFINITE
    frames[0, MOST_DISPROOF] = INFINITE
    return 0


@solver("EXPAND", "PACK_LEAST", "LINE", "LINE", "ROWS", "ROWS", "ROW", "ROWS", "ROWS", "ROW", "LINES", "LINES",
        "LINES", "LINES", "ROWS", "ROWS", "LINE", "LINES", "LINE", "NUMBER")
def prove(expand: Any, pack_least: Any, places: Any, elements: Any, table: Any, twins: Any, trail: Any, T: Any,
          K: Any, H: Any, M: Any, B: Any, frames: Any, E: Any, X: Any, U: Any, counts: Any, plies: Any, state: Any,
          limit: Any) -> Any:
    """Go on for up to so many positions; the new status. The answer is in B[0]: the numbers of the root.

    The arenas are those of `solver.searches.compiled.alphabeta`; `trail` has a hash of the way to each depth, `twins`
    rows of a position, the hash of a way to it, and on which depth its disproof rests.
    """
    outcome_at, to_move_at, width, attacker = places[OUTCOME], places[TO_MOVE], places[PACKED], state[ATTACKER]
    last = counts[NODES] + limit
    depth = state[DEPTH]
    room = len(T)
    while True:
        frame = frames[depth]
        row = frame[ROW]
        position = T[row]
        attacking = number(position[to_move_at]) == attacker
        if frame[PHASE] == 0:
            if counts[NODES] >= last:
                state[DEPTH] = depth
                return GOING
            if depth + 1 >= len(frames):
                state[STATUS] = TOO_DEEP
                return TOO_DEEP
            if depth == 0:
                pack_least(position, K[row], elements, U)
                H[row] = digest(K[row], width)
                trail[0] = scramble(H[row])
            else:
                trail[depth] = scramble(trail[depth - 1] ^ H[row])
            base = frame[BASE] + frame[MANY]
            counts[NODES] += 1
            counts[DEEPEST] = max(counts[DEEPEST], depth)
            plies[depth, 0] += 1
            many = expand(position, T[base:], M[base:], E, X)
            if many < 0 or base + many >= room:
                status = NO_ROOM if many >= 0 or number(position[places[FAILURE]]) == 1 else FAILED
                state[STATUS] = status
                return status
            counts[CHILDREN] += many
            settled = False
            going = 0
            for child in range(base, base + many):
                outcome = number(T[child, outcome_at])
                if outcome == _GOES_ON:
                    going += 1
                    B[child, NOTE_PROOF], B[child, NOTE_DISPROOF] = 1, 1
                    continue
                counts[LEAVES] += 1
                won = outcome == attacker
                if outcome < 0:
                    state[NOT_DECIDED] = 1
                B[child, NOTE_PROOF] = 0 if won else INFINITE
                B[child, NOTE_DISPROOF] = INFINITE if won else 0
                B[child, NOTE_DEPENDS] = NOTHING
                settled = settled or won == attacking
            if many == 0:  # `expand` has seen how the game ends here
                outcome = number(position[outcome_at])
                if outcome == _GOES_ON:
                    state[STATUS] = FAILED
                    return FAILED
                if outcome < 0:
                    state[NOT_DECIDED] = 1
                base, many = base, 1
                won = outcome == attacker
                B[base, NOTE_PROOF] = 0 if won else INFINITE
                B[base, NOTE_DISPROOF] = INFINITE if won else 0
                B[base, NOTE_DEPENDS] = NOTHING
            elif settled:
                counts[BY_END] += 1
            elif going:
                for child in range(base, base + many):
                    if number(T[child, outcome_at]) != _GOES_ON:
                        continue
                    pack_least(T[child], K[child], elements, U)
                    H[child] = digest(K[child], width)
                    _note_child(child, depth, width, table, twins, trail, frames, K, H, B, counts, state)
            frame[PHASE] = 1
            frame[BASE] = base
            frame[MANY] = many
            frame[BEGUN] = counts[NODES]
        base, many = frame[BASE], frame[MANY]
        # the numbers of the position: of the mover's own kind the least, of the other the greatest and one for each
        own = NOTE_PROOF if attacking else NOTE_DISPROOF
        other = NOTE_DISPROOF if attacking else NOTE_PROOF
        least, second, chosen = INFINITE, INFINITE, -1
        greatest, open_children = 0, 0
        for child in range(base, base + many):
            value = B[child, own]
            if value < least:
                least, second, chosen = value, least, child
            elif value < second:
                second = value
            if B[child, other] > 0:
                open_children += 1
                greatest = max(greatest, B[child, other])
        if greatest < INFINITE and open_children > 0:
            greatest = min(greatest + open_children - 1, INFINITE - 1)
        if least == 0:
            greatest = INFINITE
        most_own = frame[MOST_PROOF] if attacking else frame[MOST_DISPROOF]
        most_other = frame[MOST_DISPROOF] if attacking else frame[MOST_PROOF]
        if least > 0 and greatest > 0 and least < most_own and greatest < most_other and chosen >= 0:
            if counts[NODES] >= last:
                state[DEPTH] = depth
                return GOING
            # what is known of the child may be newer than the note
            if B[chosen, NOTE_DEPENDS] == NOTHING:
                before_own, before_other = B[chosen, own], B[chosen, other]
                known = look_up(table, K[chosen], width, H[chosen])
                if known != EMPTY:
                    B[chosen, NOTE_PROOF], B[chosen, NOTE_DISPROOF] = proof_of(known), disproof_of(known)
                    if B[chosen, own] != before_own or B[chosen, other] != before_other:
                        if B[chosen, own] == 0 or B[chosen, other] == 0:
                            counts[BY_TABLE] += 1
                        continue
            limit_own = min(most_own, min(second + second // 4 + 1, INFINITE))
            limit_other = most_other if most_other >= INFINITE else most_other - (open_children - 1)
            depth += 1
            frames[depth, PHASE] = 0
            frames[depth, ROW] = chosen
            frames[depth, BASE] = base
            frames[depth, MANY] = many
            frames[depth, MOST_PROOF] = limit_own if attacking else limit_other
            frames[depth, MOST_DISPROOF] = limit_other if attacking else limit_own
            continue
        proof = least if attacking else greatest
        disproof = greatest if attacking else least
        depends = NOTHING
        if disproof == 0:
            proof = INFINITE
            if attacking:
                for child in range(base, base + many):
                    depends = min(depends, B[child, NOTE_DEPENDS])
            else:
                depends = -1
                for child in range(base, base + many):
                    if B[child, NOTE_DISPROOF] == 0:
                        depends = max(depends, B[child, NOTE_DEPENDS])
            if depends >= depth:
                depends = NOTHING
        elif proof == 0:
            disproof = INFINITE
        effort = logarithm(counts[NODES] - frame[BEGUN] + 1)
        if depends == NOTHING:
            counts[STORED] += 1
            counts[FILLED + put(table, K[row], width, H[row], _noted(proof, disproof, effort, state[AGE]), effort,
                                state[AGE])] += 1
        else:
            way = trail[depth]
            place = number(way & word(len(twins) - 1))
            for part in range(width):
                twins[place, part] = K[row, part]
            twins[place, width] = way
            twins[place, width + 1] = word(depends)
        if depth == 0:
            B[0, NOTE_PROOF] = proof
            B[0, NOTE_DISPROOF] = disproof
            state[DEPTH] = 0
            state[STATUS] = ANSWERED
            return ANSWERED
        B[row, NOTE_PROOF] = proof
        B[row, NOTE_DISPROOF] = disproof
        B[row, NOTE_DEPENDS] = depends
        depth -= 1

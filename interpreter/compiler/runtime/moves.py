"""Lists moves and carries them out, for any rules.

Moves are listed as `entries`, int64[room, ENTRY_WIDTH]: a form, the number of moves, the number of values, the values
of the first choices, and the set from which the last choice is made. `state` is the row of a position, uint64[WIDTH],
`scratch` are scratch rows, uint64[SCRATCH, WIDTH], and `move` is int64[MOVE_WIDTH]: a rule, the number of values, and
the values.
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.compiler.runtime.game import (
    CHOICE,
    FAILED,
    GOING,
    OUTCOME,
    PASS,
    SEATS,
    SWAP,
    TO_MOVE,
    TURN,
    WIDTH,
    act,
    can_move,
    carry_out,
    close,
    follow,
    force,
    has_move,
    illegal,
    image,
    list_by_rules,
    may_pass,
    may_swap,
    moves,
    next_after_chance,
    next_player,
    settle,
    swap_sides,
    take,
    take_all,
)
from interpreter.compiler.runtime.sets import pick
from interpreter.compiler.runtime.types import (
    EMPTY,
    ONE,
    Bool,
    Cells,
    Int,
    Line,
    Lines,
    Row,
    Rows,
    Static,
    Table,
    lowest,
    number,
    word,
)


class FormTables(NamedTuple):
    """How to decode entries of moves; tables have an item for each form of entries, or for each list of a form."""

    rule: Table
    """The rule of the form's moves."""
    many: Table
    """The number of combinations of values from the form's lists."""
    mask: Table
    """Whether the form has a set."""
    low: Table
    """The value that the first cell of the set stands for."""
    start: Table
    """The index of the form's first list; one item more than there are forms."""
    size_of: Table
    """By list: its number of values."""
    place: Table
    """By list: the index of its first value in `value_of`."""
    value_of: Table
    """The values of all lists."""


# ---- listing


def alone(state: Row, mover: Int, entries: Lines, n: Int, rule: Static, form: Static) -> Int:
    """Append the entry of passing, or of swapping sides, where that is allowed; the number of entries."""
    if rule == PASS:
        allowed = may_pass(state, mover)
    else:
        allowed = may_swap(state, mover) >= 0
    if allowed and n < len(entries):
        entries[n, 0] = form
        entries[n, 1] = 1
        entries[n, 2] = 0
        n += 1
    return n


def listed(state: Row, entries: Lines, scratch: Rows, passing: Static, pass_form: Static, swapping: Static,
           swap_form: Static, chance: Static, by_chance: Table) -> Int:
    """List the pseudo-legal moves as entries; the number of entries."""
    n = 0
    if number(state[OUTCOME]) != GOING:
        return n
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    n = list_by_rules(state, mover, entries, n, scratch)
    if chance:  # noqa: SIM102  # a question of its own, which games without chance do not have
        if n > 0 and by_chance[entries[0, 0]] != 0:
            return n
    if passing:
        n = alone(state, mover, entries, n, PASS, pass_form)
    if swapping:
        n = alone(state, mover, entries, n, SWAP, swap_form)
    return n


def someone_can_move(state: Row, entries: Lines, scratch: Rows, players: Static) -> Bool:
    """Whether some player would have a legal move if it were to move."""
    return any(has_move(state, player, entries, scratch) for player in range(players))


def offered_or_pass(state: Row, entries: Lines, scratch: Rows, taken_back: Static, passes: Static, pass_form: Static,
                    players: Static) -> Int:
    """List the pseudo-legal moves as entries, or a pass where it is forced; the number of entries."""
    n = moves(state, entries, scratch)
    if passes:
        # where rules take moves back, all pseudo-legal moves may be illegal
        if taken_back and number(state[OUTCOME]) == GOING and not has_move(
                state, number(state[TO_MOVE]), entries, scratch):
            n = 0
        if n == 0 and number(state[OUTCOME]) == GOING and someone_can_move(state, entries, scratch, players):
            entries[0, 0] = pass_form
            entries[0, 1] = 1
            entries[0, 2] = 0
            n = 1
    return n


def total(entries: Lines, n: Int) -> Int:
    """The number of moves in the first n entries."""
    many = 0
    for e in range(n):
        many += entries[e, 1]
    return many


def set_of_entry(entries: Lines, e: Int, words: Static) -> Cells:
    """The set from which the last choice of an entry is made."""
    return tuple(word(entries[e, CHOICE + k]) for k in range(words))


def taken(entries: Lines, e: Int, k: Int, move: Line, values: Static, forms: FormTables, lists: Static,
          words: Static) -> None:
    """Write move number k of an entry into `move`; `lists` says whether some form has lists."""
    form = entries[e, 0]
    move[0] = forms.rule[form]
    size = entries[e, 2]
    for i in range(size):
        move[2 + i] = entries[e, values + i]
    if lists:
        ways = forms.many[form]
        rest = k % ways
        k = k // ways
    if forms.mask[form] != 0:
        move[2 + size] = pick(set_of_entry(entries, e, words), k) + forms.low[form]
        size += 1
    if lists:
        first = forms.start[form]
        last = forms.start[form + 1]
        for i in range(last - first):
            at = last - 1 - i
            move[2 + size + at - first] = forms.value_of[forms.place[at] + rest % forms.size_of[at]]
            rest = rest // forms.size_of[at]
        size += last - first
    move[1] = size


def all_taken(entries: Lines, e: Int, move_rows: Lines, at: Int, values: Static, rule: Table, low: Table, alone: Table,
              words: Static) -> Int:
    """Write the moves of an entry into rows of `move_rows` from `at` on; the index after them.

    `alone` says which forms have nothing but values and a set: their moves are written cell by cell.
    """
    form: Int = entries[e, 0]
    many: Int = entries[e, 1]
    if alone[form] == 0:
        for k in range(many):
            take(entries, e, k, move_rows[at + k])
        return at + many
    size = entries[e, 2]
    part = 0
    rest = word(entries[e, CHOICE])
    for k in range(many):
        if words > 1:
            while rest == EMPTY:
                part += 1
                rest = word(entries[e, CHOICE + part])
        move = move_rows[at + k]
        move[0] = rule[form]
        move[1] = size + 1
        for i in range(size):
            move[2 + i] = entries[e, values + i]
        move[2 + size] = (part << 6) + lowest(rest) + low[form]
        rest &= rest - ONE
    return at + many


def legal_moves(state: Row, entries: Lines, move_rows: Lines, scratch: Rows, taken_back: Static, passes: Static,
                players: Static) -> Int:
    """List the legal moves, one per row; their number."""
    n = moves(state, entries, scratch)
    many = 0
    for e in range(n):
        if taken_back:
            for k in range(entries[e, 1]):
                if many >= len(move_rows):
                    state[FAILED] = word(1)
                    return many
                take(entries, e, k, move_rows[many])
                trial = scratch[0]
                for i in range(WIDTH):
                    trial[i] = state[i]
                if act(trial, move_rows[many], scratch) == 0:
                    many += 1
                if trial[FAILED] != EMPTY:
                    state[FAILED] = trial[FAILED]
        else:
            if many + entries[e, 1] > len(move_rows):
                state[FAILED] = word(1)
                return many
            many = take_all(entries, e, move_rows, many)
    if passes and many == 0 and number(state[OUTCOME]) == GOING and someone_can_move(state, entries, scratch, players):
        move_rows[0, 0] = PASS
        move_rows[0, 1] = 0
        many = 1
    return many


def has_some_move(state: Row, who: Int, entries: Lines, scratch: Rows, taken_back: Static, by_list: Static,
                  passing: Static, swapping: Static) -> Bool:
    """Whether a player would have a legal move if it were to move; `by_list` where `moves` lists only legal moves."""
    supposed = scratch[1]
    for k in range(WIDTH):
        supposed[k] = state[k]
    supposed[TO_MOVE] = word(who)
    supposed[OUTCOME] = word(GOING)
    found = False
    if taken_back:
        move = entries[len(entries) - 1]
        n = moves(supposed, entries, scratch)
        for e in range(n):
            for k in range(entries[e, 1]):
                take(entries, e, k, move)
                trial = scratch[0]
                for i in range(WIDTH):
                    trial[i] = supposed[i]
                taken = act(trial, move, scratch)
                if trial[FAILED] != EMPTY:
                    state[FAILED] = trial[FAILED]
                    return False
                if taken == 0:
                    return True
    elif by_list:
        found = moves(supposed, entries, scratch) > 0
    else:
        mover = who ^ number(state[SEATS])
        found = can_move(supposed, mover, scratch)
        if passing and not found:
            found = may_pass(supposed, mover)
        if swapping and not found:
            found = may_swap(supposed, mover) >= 0
    if supposed[FAILED] != EMPTY:  # even where a move was found: no rule is tried after one that fails
        state[FAILED] = supposed[FAILED]
    return found


# ---- carrying out


def closed(state: Row, mover: Int, limit: Static, failure: Static) -> None:
    """Apply forced rules until none applies."""
    for _ in range(limit):
        if force(state, mover) == 0 or state[FAILED] != EMPTY:
            return
    state[FAILED] = word(failure)


def nothing_to_close(state: Row, mover: Int) -> None:
    """Stands in for `close` where no rule is forced."""


def swapped(state: Row, scratch: Rows, by_seats: Table, swap: Static, turns: Static) -> None:
    """Swap sides by the pie rule that applies: swap the seats, or map the position by the symmetry `swap`."""
    pie = may_swap(state, number(state[TO_MOVE]) ^ number(state[SEATS]))
    state[TURN] = word(min(number(state[TURN]) + 1, turns))
    if pie >= 0:
        if by_seats[pie] != 0:
            state[SEATS] = word(1 - number(state[SEATS]))
            state[TO_MOVE] = word(1 - number(state[TO_MOVE]))
        elif swap >= 0:
            before = scratch[0]
            for k in range(WIDTH):
                before[k] = state[k]
            image(before, swap, state)
            state[TURN] = before[TURN]


def acted(state: Row, move: Line, scratch: Rows, swapping: Static, follows: Static, forced: Static, unbounded: Static,
          taken_back: Static, turns: Static, chance: Static, of_chance: Table) -> Int:
    """Carry out a move without determining the outcome; 1 where it is illegal, else 0."""
    rule = move[0]
    if swapping and rule == SWAP:
        swap_sides(state, scratch)
        return 0
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    carry_out(state, mover, move, rule)
    if rule >= 0:
        if follows:
            follow(state, mover)
        if forced:
            close(state, mover)
        if unbounded:
            settle(state)
        if taken_back and illegal(state, mover):
            return 1
    if turns > 0:
        state[TURN] = word(min(number(state[TURN]) + 1, turns))
    if chance:  # noqa: SIM102  # a question of its own, which games without chance do not have
        if rule >= 0 and of_chance[rule] != 0:
            state[TO_MOVE] = word(next_after_chance(state, mover) ^ number(state[SEATS]))
            return 0
    state[TO_MOVE] = word(next_player(state, mover) ^ number(state[SEATS]))
    return 0

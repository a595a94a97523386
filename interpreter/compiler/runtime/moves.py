"""Listing moves and carrying them out, whatever the rules are.

Moves are listed as entries of `E`: a form, how many moves, how many values, the values of the first choices, and the
set that the last choice is made from. `S` is the row of a position, `X` rows to work on, `m` a move.
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
    """What the entries of moves mean: a number for each form of entries, or for each list of choices of a form."""

    rule: Table
    """The rule of the form's moves."""
    many: Table
    """How many ways the form's lists give."""
    mask: Table
    """Whether the form ends in a set."""
    low: Table
    """What the first cell of the set stands for."""
    start: Table
    """Where the form's lists begin; one item more than there are forms."""
    size_of: Table
    """By list: how many values it has."""
    place: Table
    """By list: where its values begin."""
    value_of: Table
    """The values of all lists."""


# ---- listing


def alone(S: Row, mover: Int, E: Lines, n: Int, rule: Static, form: Static) -> Int:
    """Add the entry of passing, or of swapping sides, where that is allowed; how many entries there are."""
    if rule == PASS:
        allowed = may_pass(S, mover)
    else:
        allowed = may_swap(S, mover) >= 0
    if allowed and n < len(E):
        E[n, 0] = form
        E[n, 1] = 1
        E[n, 2] = 0
        n += 1
    return n


def listed(S: Row, E: Lines, X: Rows, passing: Static, pass_form: Static, swapping: Static, swap_form: Static,
           chance: Static, by_chance: Table) -> Int:
    """List the moves that the rules offer, as entries; how many entries."""
    n = 0
    if number(S[OUTCOME]) != GOING:
        return n
    mover = number(S[TO_MOVE]) ^ number(S[SEATS])
    n = list_by_rules(S, mover, E, n, X)
    if chance:  # noqa: SIM102  # a question of its own, which games without chance do not have
        if n > 0 and by_chance[E[0, 0]] != 0:
            return n
    if passing:
        n = alone(S, mover, E, n, PASS, pass_form)
    if swapping:
        n = alone(S, mover, E, n, SWAP, swap_form)
    return n


def someone_can_move(S: Row, E: Lines, X: Rows, players: Static) -> Bool:
    """Whether some player would have a move, were it to move."""
    return any(has_move(S, player, E, X) for player in range(players))


def offered_or_pass(S: Row, E: Lines, X: Rows, taken_back: Static, passes: Static, pass_form: Static,
                    players: Static) -> Int:
    """The entries of moves, a pass where one must."""
    n = moves(S, E, X)
    if passes:
        # where rules take moves back, what is offered may all be illegal
        if taken_back and number(S[OUTCOME]) == GOING and not has_move(S, number(S[TO_MOVE]), E, X):
            n = 0
        if n == 0 and number(S[OUTCOME]) == GOING and someone_can_move(S, E, X, players):
            E[0, 0] = pass_form
            E[0, 1] = 1
            E[0, 2] = 0
            n = 1
    return n


def total(E: Lines, n: Int) -> Int:
    """How many moves some entries have."""
    many = 0
    for e in range(n):
        many += E[e, 1]
    return many


def set_of_entry(E: Lines, e: Int, words: Static) -> Cells:
    """The set that the last choice of an entry is made from."""
    return tuple(word(E[e, CHOICE + k]) for k in range(words))


def taken(E: Lines, e: Int, k: Int, m: Line, values: Static, forms: FormTables, lists: Static, words: Static) -> None:
    """Write the move with number k of an entry into m; `lists` says whether some form has any."""
    form = E[e, 0]
    m[0] = forms.rule[form]
    size = E[e, 2]
    for i in range(size):
        m[2 + i] = E[e, values + i]
    if lists:
        ways = forms.many[form]
        rest = k % ways
        k = k // ways
    if forms.mask[form] != 0:
        m[2 + size] = pick(set_of_entry(E, e, words), k) + forms.low[form]
        size += 1
    if lists:
        first = forms.start[form]
        last = forms.start[form + 1]
        for i in range(last - first):
            at = last - 1 - i
            m[2 + size + at - first] = forms.value_of[forms.place[at] + rest % forms.size_of[at]]
            rest = rest // forms.size_of[at]
        size += last - first
    m[1] = size


def all_taken(E: Lines, e: Int, M: Lines, at: Int, values: Static, rule: Table, low: Table, alone: Table,
              words: Static) -> Int:
    """Write the moves of an entry into rows of M from `at` on; the place after them.

    Where the last choice is from a set, they are written cell by cell; `alone` says of which forms that is all.
    """
    form: Int = E[e, 0]
    many: Int = E[e, 1]
    if alone[form] == 0:
        for k in range(many):
            take(E, e, k, M[at + k])
        return at + many
    size = E[e, 2]
    part = 0
    rest = word(E[e, CHOICE])
    for k in range(many):
        if words > 1:
            while rest == EMPTY:
                part += 1
                rest = word(E[e, CHOICE + part])
        m = M[at + k]
        m[0] = rule[form]
        m[1] = size + 1
        for i in range(size):
            m[2 + i] = E[e, values + i]
        m[2 + size] = (part << 6) + lowest(rest) + low[form]
        rest &= rest - ONE
    return at + many


def legal_moves(S: Row, E: Lines, M: Lines, X: Rows, taken_back: Static, passes: Static, players: Static) -> Int:
    """List the legal moves, one a row; how many."""
    n = moves(S, E, X)
    many = 0
    for e in range(n):
        if taken_back:
            for k in range(E[e, 1]):
                if many >= len(M):
                    S[FAILED] = word(1)
                    return many
                take(E, e, k, M[many])
                T = X[0]
                for i in range(WIDTH):
                    T[i] = S[i]
                if act(T, M[many], X) == 0:
                    many += 1
                if T[FAILED] != EMPTY:
                    S[FAILED] = T[FAILED]
        else:
            if many + E[e, 1] > len(M):
                S[FAILED] = word(1)
                return many
            many = take_all(E, e, M, many)
    if passes and many == 0 and number(S[OUTCOME]) == GOING and someone_can_move(S, E, X, players):
        M[0, 0] = PASS
        M[0, 1] = 0
        many = 1
    return many


def has_some_move(S: Row, who: Int, E: Lines, X: Rows, taken_back: Static, by_list: Static, passing: Static,
                  swapping: Static) -> Bool:
    """Whether a player would have a move, were it to move; `by_list` where the list of moves has the legal ones alone.
    """
    T = X[1]
    for k in range(WIDTH):
        T[k] = S[k]
    T[TO_MOVE] = word(who)
    T[OUTCOME] = word(GOING)
    found = False
    if taken_back:
        m = E[len(E) - 1]
        n = moves(T, E, X)
        for e in range(n):
            for k in range(E[e, 1]):
                take(E, e, k, m)
                U = X[0]
                for i in range(WIDTH):
                    U[i] = T[i]
                taken = act(U, m, X)
                if U[FAILED] != EMPTY:
                    S[FAILED] = U[FAILED]
                    return False
                if taken == 0:
                    return True
    elif by_list:
        found = moves(T, E, X) > 0
    else:
        mover = who ^ number(S[SEATS])
        found = can_move(T, mover, X)
        if passing and not found:
            found = may_pass(T, mover)
        if swapping and not found:
            found = may_swap(T, mover) >= 0
    if T[FAILED] != EMPTY:  # also where one is found after a rule failed: no rule is tried after one that fails
        S[FAILED] = T[FAILED]
    return found


# ---- carrying out


def closed(S: Row, mover: Int, limit: Static, failure: Static) -> None:
    """Apply forced rules until none applies."""
    for _ in range(limit):
        if force(S, mover) == 0 or S[FAILED] != EMPTY:
            return
    S[FAILED] = word(failure)


def nothing_to_close(S: Row, mover: Int) -> None:
    """No rule is forced."""


def swapped(S: Row, X: Rows, by_seats: Table, swap: Static, turns: Static) -> None:
    """Swap sides by the pie rule that holds: by seats, or by the symmetry `swap` of the pieces."""
    pie = may_swap(S, number(S[TO_MOVE]) ^ number(S[SEATS]))
    S[TURN] = word(min(number(S[TURN]) + 1, turns))
    if pie >= 0:
        if by_seats[pie] != 0:
            S[SEATS] = word(1 - number(S[SEATS]))
            S[TO_MOVE] = word(1 - number(S[TO_MOVE]))
        elif swap >= 0:
            T = X[0]
            for k in range(WIDTH):
                T[k] = S[k]
            image(T, swap, S)
            S[TURN] = T[TURN]


def acted(S: Row, m: Line, X: Rows, swapping: Static, follows: Static, forced: Static, unbounded: Static,
          taken_back: Static, turns: Static, chance: Static, of_chance: Table) -> Int:
    """Carry out a move but for its outcome; 1 where a rule takes it back, else 0."""
    rule = m[0]
    if swapping and rule == SWAP:
        swap_sides(S, X)
        return 0
    mover = number(S[TO_MOVE]) ^ number(S[SEATS])
    carry_out(S, mover, m, rule)
    if rule >= 0:
        if follows:
            follow(S, mover)
        if forced:
            close(S, mover)
        if unbounded:
            settle(S)
        if taken_back and illegal(S, mover):
            return 1
    if turns > 0:
        S[TURN] = word(min(number(S[TURN]) + 1, turns))
    if chance:  # noqa: SIM102  # a question of its own, which games without chance do not have
        if rule >= 0 and of_chance[rule] != 0:
            S[TO_MOVE] = word(next_after_chance(S, mover) ^ number(S[SEATS]))
            return 0
    S[TO_MOVE] = word(next_player(S, mover) ^ number(S[SEATS]))
    return 0

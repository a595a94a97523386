"""Moves that patterns propose.

Each pattern, in each way in which it can lie, is a variant `v`. Places are steps in a padded grid of cells from the
cell at which a pattern begins (`base`). A row of P is a proposed move, its pattern and its priority.
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.compiler.runtime.game import (
    CHOICE,
    FAILED,
    MOVE_WIDTH,
    PASS,
    SCRATCH,
    SEATS,
    SWAP,
    TO_MOVE,
    WIDTH,
    act,
    add_proposal,
    comes_before,
    is_offered,
    may_pass,
    may_swap,
    moves,
    pattern_holds,
    pattern_matches,
    pattern_move,
    pattern_value,
    propose,
    try_starts,
)
from interpreter.compiler.runtime.moves import FormTables
from interpreter.compiler.runtime.types import (
    EMPTY,
    ONE,
    Bool,
    Int,
    Line,
    Lines,
    Row,
    Rows,
    Static,
    Table,
    entry,
    number,
    rows,
    word,
)


class VariantTables(NamedTuple):
    """Variants; tables with `from` in their names say where a variant's part of others begins, and have one item more
    than there are variants."""

    grid: Table
    """The cells of the padded grid, -1 where there is none."""
    base_of: Table
    """By cell: its place in the grid."""
    pattern: Table
    priority: Table
    rule: Table
    """The rule of the move."""
    outside_from: Table
    outside: Table
    """Places that are outside the board."""
    tests_from: Table
    test: Table
    """Predicates that hold."""
    places_from: Table
    """By test: where its places begin."""
    values_from: Table
    value: Table
    """What gives a value of the move, below 0 where a place itself is the value."""
    value_place: Table
    value_places_from: Table
    """By value: where its places begin."""


class SortedValues(NamedTuple):
    """Values in a row of some rules' moves that are sorted, as their order makes no difference."""

    groups: Static
    """How many there are."""
    group_rule: Table
    group_first: Table
    group_last: Table
    """Where in a move they begin and end."""


def proposal_before(one: Line, other: Line) -> Bool:
    """Whether a proposed move comes before another."""
    if one[MOVE_WIDTH + 1] != other[MOVE_WIDTH + 1]:
        return one[MOVE_WIDTH + 1] > other[MOVE_WIDTH + 1]
    if one[MOVE_WIDTH] != other[MOVE_WIDTH]:
        return one[MOVE_WIDTH] < other[MOVE_WIDTH]
    if one[0] != other[0]:
        return one[0] < other[0]
    for i in range(min(one[1], other[1])):
        if one[2 + i] != other[2 + i]:
            return one[2 + i] < other[2 + i]
    return one[1] < other[1]


def move_offered(E: Lines, offers: Int, m: Line, values: Static, forms: FormTables, words: Static) -> Bool:
    """Whether a move is among those that entries offer."""
    for e in range(offers):
        form = E[e, 0]
        if forms.rule[form] != m[0]:
            continue
        size = E[e, 2]
        first = forms.start[form]
        last = forms.start[form + 1]
        if m[1] != size + forms.mask[form] + last - first:
            continue
        good = True
        for i in range(size):
            if m[2 + i] != E[e, values + i]:
                good = False
        if good and forms.mask[form] != 0:
            v = m[2 + size] - forms.low[form]
            good = v >= 0 and v < 64 * words
            if good:
                good = (word(E[e, CHOICE + (v >> 6)]) >> (v & 63)) & ONE != EMPTY
            size += 1
        for i in range(last - first):
            there = False
            for k in range(forms.size_of[first + i]):
                if forms.value_of[forms.place[first + i] + k] == m[2 + size + i]:
                    there = True
            good = good and there
        if good:
            return True
    return False


def variant_matches(S: Row, mover: Int, variant: Int, base: Int, goal: Int, variants: VariantTables) -> Bool:
    """Whether a pattern matches."""
    for k in range(variants.outside_from[variant], variants.outside_from[variant + 1]):
        if variants.grid[base + variants.outside[k]] >= 0:
            return False
    for k in range(variants.tests_from[variant], variants.tests_from[variant + 1]):
        if not pattern_holds(S, mover, variants.test[k], base, variants.places_from[k], goal):
            return False
    return True


def variant_move(S: Row, mover: Int, variant: Int, base: Int, goal: Int, m: Line, variants: VariantTables,
                 unordered: SortedValues) -> Bool:
    """Write the move of a pattern into m; whether its places are on the board."""
    m[0] = variants.rule[variant]
    start = variants.values_from[variant]
    size = variants.values_from[variant + 1] - start
    m[1] = size
    for i in range(size):
        at = start + i
        if variants.value[at] < 0:
            chosen = variants.grid[base + variants.value_place[variants.value_places_from[at]]]
        else:
            chosen = pattern_value(S, mover, variants.value[at], base, variants.value_places_from[at], goal)
        if chosen < 0:
            return False
        m[2 + i] = chosen
    for group in range(unordered.groups):
        if m[0] == unordered.group_rule[group]:
            for _ in range(unordered.group_first[group], unordered.group_last[group]):
                for j in range(unordered.group_first[group], unordered.group_last[group]):
                    if m[j + 1] < m[j]:
                        swapped = m[j]
                        m[j] = m[j + 1]
                        m[j + 1] = swapped
    return True


def proposal_added(P: Lines, n: Int, pattern: Int, worth: Int) -> Int:
    """Keep the move in row n, unless it is in a row before; how many there are."""
    size = P[n, 1]
    for other in range(n):
        same = True
        for i in range(2 + size):
            if P[other, i] != P[n, i]:
                same = False
                break
        if same:
            known = P[other, MOVE_WIDTH]
            highest_yet = P[other, MOVE_WIDTH + 1]
            if worth > highest_yet or (worth == highest_yet and pattern < known):
                P[other, MOVE_WIDTH] = pattern
                P[other, MOVE_WIDTH + 1] = worth
            return n
    P[n, MOVE_WIDTH] = pattern
    P[n, MOVE_WIDTH + 1] = worth
    return n + 1


def variants_tried(S: Row, mover: Int, P: Lines, n: Int, cell: Int, first: Int, last: Int, goal: Int, E: Lines,
                   offers: Int, X: Rows, variants: VariantTables, taken_back: Static) -> Int:
    """Try the patterns that begin at a cell; how many moves are proposed then."""
    base = variants.base_of[cell]
    for v in range(first, last):
        if not pattern_matches(S, mover, v, base, goal):
            continue
        if n >= len(P):
            S[FAILED] = word(1)
            return n
        m = P[n]
        if not pattern_move(S, mover, v, base, goal, m):
            continue
        if not is_offered(E, offers, m):
            continue
        if taken_back:
            T = X[0]
            for i in range(WIDTH):
                T[i] = S[i]
            if act(T, m, X) != 0:
                continue
        n = add_proposal(P, n, variants.pattern[v], variants.priority[v])
    return n


def proposed(S: Row, B: Row, P: Lines, E: Lines, X: Rows) -> Int:
    """The moves that patterns propose, the best first; how many."""
    mover = number(S[TO_MOVE]) ^ number(S[SEATS])
    offers = moves(S, E, X)
    n = 0
    if offers == 0:
        return n
    n = try_starts(S, B, mover, P, n, E, offers, X)
    for i in range(1, n):
        k = i
        while k > 0 and comes_before(P[k], P[k - 1]):
            for j in range(MOVE_WIDTH + 2):
                moved = P[k, j]
                P[k, j] = P[k - 1, j]
                P[k - 1, j] = moved
            k -= 1
    return n


@entry
def proposals(S: Row, B: Row, P: Lines, E: Lines) -> Int:
    """The same, called from outside."""
    X = rows(SCRATCH, WIDTH)
    return propose(S, B, P, E, X)


def put_first(S: Row, P: Lines, n: Int, rule: Static) -> Int:
    """Put passing, or swapping sides, before the proposed moves; how many there are then, -1 without room."""
    if n >= len(P):
        S[FAILED] = word(1)
        return -1
    k = n
    while k > 0:
        for j in range(MOVE_WIDTH + 2):
            P[k, j] = P[k - 1, j]
        k -= 1
    P[0, 0] = rule
    P[0, 1] = 0
    P[0, MOVE_WIDTH] = -1
    P[0, MOVE_WIDTH + 1] = 0
    return n + 1


@entry
def candidates(S: Row, B: Row, P: Lines, E: Lines, X: Rows, passing: Static, swapping: Static) -> Int:
    """The moves that patterns propose, after swapping sides and passing where that is allowed; how many.

    0 where nothing is proposed.
    """
    n = propose(S, B, P, E, X)
    if passing and n > 0 and may_pass(S, number(S[TO_MOVE]) ^ number(S[SEATS])):
        n = put_first(S, P, n, PASS)
    if swapping and n > 0 and may_swap(S, number(S[TO_MOVE]) ^ number(S[SEATS])) >= 0:
        n = put_first(S, P, n, SWAP)
    if S[FAILED] != EMPTY:
        return -1
    return n

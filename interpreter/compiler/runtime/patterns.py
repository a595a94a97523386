"""Moves that patterns propose.

Each pattern in each of its orientations is a variant `v`. Places are offsets in a padded grid of cells from the cell at
which a pattern begins (`base`). A row of `proposal_rows` is a proposed move, its pattern and its priority.
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
    """The variants of patterns; tables with `from` in their names have the index at which a variant's part of another
    table begins, and one item more than there are variants."""

    grid: Table
    """The cells of the padded grid, -1 outside the board."""
    base_of: Table
    """By cell: its index in the grid."""
    pattern: Table
    priority: Table
    rule: Table
    """The rule of the move."""
    outside_from: Table
    outside: Table
    """Places that must be outside the board."""
    tests_from: Table
    test: Table
    """Predicates that must hold."""
    passing_over: Table
    """The next variant with another first test."""
    places_from: Table
    """By test: the index at which its places begin."""
    values_from: Table
    value: Table
    """The expression that computes a value of the move, negative where the cell at a place itself is the value."""
    value_place: Table
    value_places_from: Table
    """By value: the index at which its places begin."""


class SortedValues(NamedTuple):
    """Consecutive values of some rules' moves that are sorted, as their order makes no difference."""

    groups: Static
    """The number of groups of such values."""
    group_rule: Table
    group_first: Table
    group_last: Table
    """The index in a move of the first value of a group, and of its last."""


def proposal_before(one: Line, other: Line) -> Bool:
    """Whether a proposal comes before another: by priority, then pattern, rule and values."""
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


def move_offered(entries: Lines, offers: Int, move: Line, values: Static, forms: FormTables, words: Static) -> Bool:
    """Whether a move is one of those of the first `offers` entries."""
    for e in range(offers):
        form = entries[e, 0]
        if forms.rule[form] != move[0]:
            continue
        size = entries[e, 2]
        first = forms.start[form]
        last = forms.start[form + 1]
        if move[1] != size + forms.mask[form] + last - first:
            continue
        good = True
        for i in range(size):
            if move[2 + i] != entries[e, values + i]:
                good = False
        if good and forms.mask[form] != 0:
            v = move[2 + size] - forms.low[form]
            good = v >= 0 and v < 64 * words
            if good:
                good = (word(entries[e, CHOICE + (v >> 6)]) >> (v & 63)) & ONE != EMPTY
            size += 1
        for i in range(last - first):
            there = False
            for k in range(forms.size_of[first + i]):
                if forms.value_of[forms.place[first + i] + k] == move[2 + size + i]:
                    there = True
            good = good and there
        if good:
            return True
    return False


def variant_matches(state: Row, mover: Int, variant: Int, base: Int, goal: Int, variants: VariantTables) -> Bool:
    """Whether a variant matches, given that its first test holds."""
    for k in range(variants.outside_from[variant], variants.outside_from[variant + 1]):
        if variants.grid[base + variants.outside[k]] >= 0:
            return False
    for k in range(variants.tests_from[variant] + 1, variants.tests_from[variant + 1]):
        if not pattern_holds(state, mover, variants.test[k], base, variants.places_from[k], goal):
            return False
    return True


def variant_move(state: Row, mover: Int, variant: Int, base: Int, goal: Int, move: Line, variants: VariantTables,
                 unordered: SortedValues) -> Bool:
    """Write the move that a variant proposes into `move`; whether its places are on the board."""
    move[0] = variants.rule[variant]
    start = variants.values_from[variant]
    size = variants.values_from[variant + 1] - start
    move[1] = size
    for i in range(size):
        at = start + i
        if variants.value[at] < 0:
            chosen = variants.grid[base + variants.value_place[variants.value_places_from[at]]]
        else:
            chosen = pattern_value(state, mover, variants.value[at], base, variants.value_places_from[at], goal)
        if chosen < 0:
            return False
        move[2 + i] = chosen
    for group in range(unordered.groups):
        if move[0] == unordered.group_rule[group]:
            for _ in range(unordered.group_first[group], unordered.group_last[group]):
                for j in range(unordered.group_first[group], unordered.group_last[group]):
                    if move[j + 1] < move[j]:
                        swapped = move[j]
                        move[j] = move[j + 1]
                        move[j + 1] = swapped
    return True


def proposal_added(proposal_rows: Lines, n: Int, pattern: Int, worth: Int) -> Int:
    """Add the proposal in row n, merged with an earlier one of the same move; the number of proposals."""
    size = proposal_rows[n, 1]
    for other in range(n):
        same = True
        for i in range(2 + size):
            if proposal_rows[other, i] != proposal_rows[n, i]:
                same = False
                break
        if same:
            known = proposal_rows[other, MOVE_WIDTH]
            highest_yet = proposal_rows[other, MOVE_WIDTH + 1]
            if worth > highest_yet or (worth == highest_yet and pattern < known):
                proposal_rows[other, MOVE_WIDTH] = pattern
                proposal_rows[other, MOVE_WIDTH + 1] = worth
            return n
    proposal_rows[n, MOVE_WIDTH] = pattern
    proposal_rows[n, MOVE_WIDTH + 1] = worth
    return n + 1


def variants_tried(state: Row, mover: Int, proposal_rows: Lines, n: Int, cell: Int, first: Int, last: Int, goal: Int,
                   entries: Lines, offers: Int, scratch: Rows, variants: VariantTables, taken_back: Static) -> Int:
    """Try the patterns at a cell; the number of proposals.

    Where a first test fails, all variants that begin with it are skipped: proposals by 76 patterns take 7.2
    microseconds, and 8.1 without skipping.
    """
    base = variants.base_of[cell]
    onward = first
    while onward < last:
        v = onward
        k = variants.tests_from[v]
        if k < variants.tests_from[v + 1] and not pattern_holds(state, mover, variants.test[k], base,
                                                                variants.places_from[k], goal):
            onward = variants.passing_over[v]
            continue
        onward = v + 1
        if not pattern_matches(state, mover, v, base, goal):
            continue
        if n >= len(proposal_rows):
            state[FAILED] = word(1)
            return n
        move = proposal_rows[n]
        if not pattern_move(state, mover, v, base, goal, move):
            continue
        if not is_offered(entries, offers, move):
            continue
        if taken_back:
            trial = scratch[0]
            for i in range(WIDTH):
                trial[i] = state[i]
            if act(trial, move, scratch) != 0:
                continue
        n = add_proposal(proposal_rows, n, variants.pattern[v], variants.priority[v])
    return n


def proposed(state: Row, before: Row, proposal_rows: Lines, entries: Lines, scratch: Rows) -> Int:
    """Write the moves that patterns propose, best first; their number."""
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    offers = moves(state, entries, scratch)
    n = 0
    if offers == 0:
        return n
    n = try_starts(state, before, mover, proposal_rows, n, entries, offers, scratch)
    for i in range(1, n):
        k = i
        while k > 0 and comes_before(proposal_rows[k], proposal_rows[k - 1]):
            for j in range(MOVE_WIDTH + 2):
                moved = proposal_rows[k, j]
                proposal_rows[k, j] = proposal_rows[k - 1, j]
                proposal_rows[k - 1, j] = moved
            k -= 1
    return n


@entry
def proposals(state: Row, before: Row, proposal_rows: Lines, entries: Lines) -> Int:
    """The entry for `propose`, with scratch rows of its own."""
    scratch = rows(SCRATCH, WIDTH)
    return propose(state, before, proposal_rows, entries, scratch)


def put_first(state: Row, proposal_rows: Lines, n: Int, rule: Static) -> Int:
    """Insert passing, or swapping sides, before the proposals; the number of proposals, -1 where there is no room."""
    if n >= len(proposal_rows):
        state[FAILED] = word(1)
        return -1
    k = n
    while k > 0:
        for j in range(MOVE_WIDTH + 2):
            proposal_rows[k, j] = proposal_rows[k - 1, j]
        k -= 1
    proposal_rows[0, 0] = rule
    proposal_rows[0, 1] = 0
    proposal_rows[0, MOVE_WIDTH] = -1
    proposal_rows[0, MOVE_WIDTH + 1] = 0
    return n + 1


@entry
def candidates(state: Row, before: Row, proposal_rows: Lines, entries: Lines, scratch: Rows, passing: Static,
               swapping: Static) -> Int:
    """Write the moves that patterns propose, preceded by swapping sides and passing where allowed; their number.

    The result is 0 where patterns propose nothing, -1 where a rule fails.
    """
    n = propose(state, before, proposal_rows, entries, scratch)
    if passing and n > 0 and may_pass(state, number(state[TO_MOVE]) ^ number(state[SEATS])):
        n = put_first(state, proposal_rows, n, PASS)
    if swapping and n > 0 and may_swap(state, number(state[TO_MOVE]) ^ number(state[SEATS])) >= 0:
        n = put_first(state, proposal_rows, n, SWAP)
    if state[FAILED] != EMPTY:
        return -1
    return n

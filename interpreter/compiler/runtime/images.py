"""Images of positions under symmetries, and the least of them.

A symmetry permutes the members of sets of cells and of sets of links. Kind 0 has the sets of cells, one for each piece;
each other kind is one set of links. Where a kind has a table of the images of all subsets of `steps` members, the image
of a set is an or of a few look-ups; else it is computed member by member.
"""

from __future__ import annotations

from typing import NamedTuple

from interpreter.compiler.runtime.game import (
    FAILED,
    OUTCOME,
    POSITION,
    SEATS,
    TO_MOVE,
    TURN,
    VALUES_FROM,
    WIDTH,
    canonical_among,
    canonical_row,
    claimed,
    image,
    image_order,
    least_image,
    least_recoloured,
    less,
    recoloured_order,
    settle,
)
from interpreter.compiler.runtime.types import (
    EMPTY,
    ONE,
    Bool,
    Int,
    Line,
    Row,
    Rows,
    Static,
    StaticBool,
    Table,
    Tables,
    Word,
    WordTable,
    WordTables,
    entry,
    lowest,
    number,
    row,
    unrolled,
    word,
)


class SetMaps(NamedTuple):
    """How symmetries map sets of cells and of links; tables have an item for each kind of set, unless noted otherwise.
    """

    kinds: Static
    """The number of kinds of sets."""
    pieces: Static
    """The number of sets of cells."""
    set_words: Table
    """The number of words of a set."""
    sizes: Table
    """The number of members a set can have."""
    starts: Table
    """The index in a row at which the sets begin."""
    steps: Table
    """The number of members that are looked up at once, 0 where there is no table of subsets."""
    strides: Table
    """The number of words in the table of subsets for one word of an image."""
    places: Tables
    """For each symmetry, the index at which its part of the table of subsets, or else of members, begins."""
    subsets: WordTables
    """The images of subsets."""
    goals: Tables
    """The images of members."""
    sources: Table
    """For each symmetry and each piece, the index in a row of the set that is mapped to that of the piece."""
    from_empty: StaticBool
    """Whether the image of the empty cells is computed as the complement of that of the others."""
    every: WordTable
    """All cells."""


class ValueMaps(NamedTuple):
    """How symmetries map the values of variables; tables by symmetry and place have `value_count` items a symmetry."""

    value_count: Static
    """The number of variables."""
    converting: StaticBool
    """Whether some symmetry maps values, and not only their places."""
    value_from: Table
    """By symmetry and place: the place from which the value comes."""
    value_at: Table
    """By symmetry and place: the index in `values` at which the images begin, -1 where values stay the same."""
    value_low: Table
    """By symmetry and place: the least value."""
    values: Table
    """The images of values, lists laid out one after another."""
    missing: Table
    """By place: the value that stands for nothing."""
    pile_from: Static
    """The first place whose value holds the covered pieces of a pile."""
    pile_bits: Static
    """The bits of a piece in a pile."""


# ---- sets


def image_word(state: Row, at: Int, place: Int, subsets: WordTable, size: Static, step: Static) -> Word:
    """One word of the image of the set at state[at], by the table of subsets."""
    found = EMPTY
    for part in unrolled(range((size + step - 1) // step)):
        found |= subsets[word(place + (part << step)) + (
            (state[at + (part * step >> 6)] >> (part * step & 63)) & word((1 << step) - 1))]
    return found


def move_members(state: Row, at: Int, place: Int, target: Row, to: Int, goals: Table, many: Static,
                 from_empty: StaticBool, every: WordTable) -> None:
    """Write the image of the set at state[at] to target[to], member by member.

    With `from_empty` the image of the empty cells is the complement of that of the other cells, which are fewer for
    most of a game.
    """
    for part in range(many):
        target[to + part] = EMPTY
    for part in range(many):
        rest = state[at + part]
        if from_empty and at == 0:
            rest ^= every[part]
        while rest != EMPTY:
            c = goals[place + (part << 6) + lowest(rest)]
            rest &= rest - ONE
            target[to + (c >> 6)] |= ONE << (c & 63)
    if from_empty and at == 0:
        for part in range(many):
            target[to + part] ^= every[part]


# ---- images


def piled_image(covered: Word, by: Int, pile_bits: Static, values: Table) -> Word:
    """The covered pieces of a pile, each replaced by its image; the images begin at index `by` of the table."""
    found = EMPTY
    rest = covered
    shift = 0
    while rest != EMPTY:
        found |= word(values[by + number(rest & word((1 << pile_bits) - 1))]) << shift
        rest >>= pile_bits
        shift += pile_bits
    return found


def image_value(state: Row, symmetry: Int, k: Int, variables: ValueMaps) -> Int:
    """The value at place k of the variables in the image of a position.

    It comes from the place that the symmetry maps to k, and is itself mapped where it is a cell, player or direction.
    """
    place = symmetry * variables.value_count + k
    old = number(state[VALUES_FROM + variables.value_from[place]])
    if variables.converting:
        by = variables.value_at[place]
        if k >= variables.pile_from:
            if by >= 0:
                old = number(piled_image(state[VALUES_FROM + variables.value_from[place]], by, variables.pile_bits,
                                         variables.values))
        elif by >= 0 and old != variables.missing[k]:
            old = variables.values[by + old - variables.value_low[place]]
    return old


def write_image(state: Row, symmetry: Int, target: Row, sets: SetMaps, variables: ValueMaps, swaps: Table,
                unbounded: StaticBool) -> None:
    """Write the image of a position under a symmetry into another row.

    `swaps` says for each symmetry whether it swaps the players, `unbounded` whether the board has no borders.
    """
    for kind in unrolled(range(sets.kinds)):
        place = sets.places[kind][symmetry]
        for p in range(sets.pieces if kind == 0 else 1):
            at = sets.sources[symmetry * sets.pieces + p] if kind == 0 else sets.starts[kind]
            to = p * sets.set_words[kind] if kind == 0 else sets.starts[kind]
            if sets.steps[kind] != 0:
                for part in unrolled(range(sets.set_words[kind])):
                    target[to + part] = image_word(state, at, place + part * sets.strides[kind], sets.subsets[kind],
                                              sets.sizes[kind], sets.steps[kind])
            else:
                move_members(state, at, place, target, to, sets.goals[kind], sets.set_words[kind],
                             sets.from_empty and kind == 0, sets.every)
    for k in range(variables.value_count):
        target[VALUES_FROM + k] = word(image_value(state, symmetry, k, variables))
    for k in range(TO_MOVE, POSITION):
        target[k] = state[k]
    if swaps[symmetry] != 0:
        target[TO_MOVE] = word(1 - number(state[TO_MOVE]))
        if number(state[OUTCOME]) >= 0:
            target[OUTCOME] = word(1 - number(state[OUTCOME]))
    for k in range(POSITION, WIDTH):
        target[k] = EMPTY
    if unbounded:
        settle(target)
        target[FAILED] = EMPTY


def no_image(state: Row, symmetry: Int, target: Row) -> None:
    """Stands in for `image` where there are no symmetries."""


def comes_less(state: Row, other: Row, parts: Static, part_at: Table, part_words: Table, most: Static) -> Bool:
    """Whether a position comes before another in the interpreter's order.

    Sets of cells and links, which begin at `part_at`, are compared as numbers; sets of more than `most` words in a loop
    that is not unrolled.
    """
    for part in unrolled(range(parts)):
        if part_words[part] > most:
            for k in range(part_at[part] + part_words[part] - 1, part_at[part] - 1, -1):
                if state[k] != other[k]:
                    return state[k] < other[k]
        else:
            for k in unrolled(range(part_words[part])):
                if state[part_at[part] + part_words[part] - 1 - k] != other[part_at[part] + part_words[part] - 1 - k]:
                    return (state[part_at[part] + part_words[part] - 1 - k]
                            < other[part_at[part] + part_words[part] - 1 - k])
    for k in range(VALUES_FROM, POSITION):
        if state[k] != other[k]:
            return number(state[k]) < number(other[k])
    return False


def order_after_image(state: Row, symmetry: Int, spare: Row, other: Row, staying: StaticBool) -> Int:
    """The same as `order_early`, of an image that is made before it is compared."""
    image(state, symmetry, spare)
    if staying:
        spare[TO_MOVE] = state[TO_MOVE]
    if less(spare, other):
        return -1
    for k in range(POSITION):
        if spare[k] != other[k]:
            return 1
    return 0


def order_early(state: Row, symmetry: Int, spare: Row, other: Row, staying: StaticBool, sets: SetMaps,
                variables: ValueMaps, swaps: Table) -> Int:
    """Below 0 where the image under a symmetry comes before `other`, 0 where it is that. `spare` is a row to work on.

    With `staying` the image keeps the player to move. The image is compared while it is computed.
    """
    for kind in unrolled(range(sets.kinds)):
        place = sets.places[kind][symmetry]
        for p in range(sets.pieces if kind == 0 else 1):
            at = sets.sources[symmetry * sets.pieces + p] if kind == 0 else sets.starts[kind]
            to = p * sets.set_words[kind] if kind == 0 else sets.starts[kind]
            if sets.steps[kind] != 0:
                for part in unrolled(range(sets.set_words[kind] - 1, -1, -1)):
                    found = image_word(state, at, place + part * sets.strides[kind], sets.subsets[kind],
                                       sets.sizes[kind], sets.steps[kind])
                    if found != other[to + part]:
                        return -1 if found < other[to + part] else 1
            else:
                move_members(state, at, place, spare, to, sets.goals[kind], sets.set_words[kind],
                             sets.from_empty and kind == 0, sets.every)
                for k in range(to + sets.set_words[kind] - 1, to - 1, -1):
                    if spare[k] != other[k]:
                        return -1 if spare[k] < other[k] else 1
    for k in range(variables.value_count):
        old = image_value(state, symmetry, k, variables)
        there = number(other[VALUES_FROM + k])
        if old != there:
            return -1 if old < there else 1
    swapping = swaps[symmetry] != 0
    if not staying:
        old = number(state[TO_MOVE])
        there = number(other[TO_MOVE])
        if swapping:
            old = 1 - old
        if old != there:
            return -1 if old < there else 1
    old = number(state[TURN])
    there = number(other[TURN])
    if old != there:
        return -1 if old < there else 1
    old = number(state[OUTCOME])
    there = number(other[OUTCOME])
    if swapping and old >= 0:
        old = 1 - old
    if old != there:
        return -1 if old < there else 1
    old = number(state[SEATS])
    there = number(other[SEATS])
    if old != there:
        return -1 if old < there else 1
    return 0


# ---- the least image


def least_of_images(state: Row, target: Row, spare: Row, chosen: Line, first: Int, last: Int) -> Int:
    """Write the least of a position and its images; how many of the symmetries, the identity included, yield it.

    `spare` is a scratch row.
    """
    for k in range(WIDTH):
        target[k] = state[k]
    many = 1
    for k in range(first, last):
        g = chosen[k]
        order = image_order(state, g, spare, target)
        if order == 0:
            many += 1
        elif order < 0:
            image(state, g, target)
            many = 1
    return many


def least_of_one(state: Row, target: Row, spare: Row, chosen: Line, first: Int, last: Int) -> Int:
    """Copy a position that has no other images into `target`; 1, for the identity."""
    for k in range(WIDTH):
        target[k] = state[k]
    return 1


@entry
def canonical_of_row(state: Row, target: Row, groups: Static, elements: Static, chosen: Table, group_from: Table,
                     working: StaticBool) -> Int:
    """Write the least image of a position under the symmetries into `target`.

    For each of the `groups` of conditions that can hold, `group_from` is where the symmetries that apply then begin in
    `chosen`. `working` says whether comparing needs a scratch row.
    """
    if elements == 0:
        for k in range(WIDTH):
            target[k] = state[k]
    elif groups > 1:
        group = claimed(state)
        least_image(state, target, row(WIDTH) if working else state, chosen, group_from[group], group_from[group + 1])
    else:
        least_image(state, target, row(WIDTH) if working else state, chosen, 0, elements)
    return 0


@entry
def canonical_of_some(state: Row, target: Row, spare: Row, chosen: Line) -> Int:
    """Write the least image under `chosen` symmetries, the first of them the identity; how many of them yield it.

    `spare` is a scratch row.
    """
    return least_image(state, target, spare, chosen, 1, len(chosen))


@entry
def canonical_many(states: Rows, first: Int, last: Int, images: Rows) -> Int:
    """Write the least images of positions."""
    for place in range(first, last):
        state = states[place]
        canonical_row(state, images[place])
        if state[FAILED] != EMPTY:
            return place
    return last


@entry
def canonical_among_many(states: Rows, first: Int, last: Int, chosen: Line, images: Rows, counts: Line) -> Int:
    """Write the least images of positions under some symmetries."""
    spare = row(WIDTH)
    for place in range(first, last):
        state = states[place]
        counts[place] = canonical_among(state, images[place], spare, chosen)
    return last


def least_of_recoloured(state: Row, target: Row, spare: Row, chosen: Line, first: Int, last: Int) -> None:
    """Write the least of a position and its images that keep the player to move. `spare` is a scratch row."""
    for k in range(WIDTH):
        target[k] = state[k]
    for k in range(first, last):
        g = chosen[k]
        if recoloured_order(state, g, spare, target) < 0:
            image(state, g, target)
            target[TO_MOVE] = state[TO_MOVE]


@entry
def least_many(states: Rows, first: Int, last: Int, images: Rows, staying: StaticBool, chosen: Table,
               group_from: Table, group_until: Table) -> Int:
    """Write the least images of positions under a part of the symmetries that apply to each.

    With `staying` the images keep the player to move.
    """
    spare = row(WIDTH)
    for place in range(first, last):
        state = states[place]
        group = claimed(state)
        if state[FAILED] != EMPTY:
            return place
        if staying:
            least_recoloured(state, images[place], spare, chosen, group_from[group], group_until[group])
        else:
            least_image(state, images[place], spare, chosen, group_from[group], group_until[group])
    return last

"""Positions in as few words as their values need, and the numbers of their tiers (made by `lowering.packing`).

A plane has for each cell one bit of the number of the piece there. Tables with a number for each plane and each word of
a set of cells have them plane by plane: `plane_word` is where these bits stand in a packed position, `plane_shift` from
which bit on, `plane_bits` how many they are.
"""

from __future__ import annotations

from interpreter.compiler.runtime.game import OUTCOME, POSITION, SEATS, TO_MOVE, TURN, VALUES_FROM, WIDTH
from interpreter.compiler.runtime.types import (
    EMPTY,
    FULL,
    Int,
    Row,
    Static,
    StaticBool,
    Table,
    WordTable,
    number,
    popcount,
    unrolled,
    word,
)


def packed_row(S: Row, P: Row, width: Static, first_source: Table, source: Table, shift: Table, plus: Table,
               count: Static, value_word: Table, value_shift: Table, value_low: Table, missing: Table) -> None:
    """Write a position in as few words as its values need.

    Packed word k is made of the words of the row at the places `source` from first_source[k] on, each shifted; to those
    that have a `plus`, it is added before.
    """
    for k in unrolled(range(width)):
        found = EMPTY
        for i in unrolled(range(first_source[k], first_source[k + 1])):
            if plus[i] != 0:
                found |= word(number(S[source[i]]) + plus[i]) << shift[i]
            else:
                found |= S[source[i]] << shift[i]
        P[k] = found
    for k in range(count):
        value = number(S[VALUES_FROM + k])
        if value != missing[k]:
            P[value_word[k]] |= word(value + value_low[k]) << value_shift[k]


def unpacked_row(P: Row, S: Row, pieces: Static, words: Static, planes: Static, every: WordTable, plane_word: Table,
                 plane_shift: Table, plane_bits: Table, links: Static, link_at: Table, link_word: Table,
                 link_shift: Table, link_bits: Table, last_word: Table, last_shift: Table, last_bits: Table,
                 count: Static, value_word: Table, value_shift: Table, value_mask: Table, value_low: Table,
                 missing: Table) -> None:
    """Write the row of a packed position.

    `last_word`, `last_shift` and `last_bits` are those of who is to move, the turn, the outcome and the seats.
    """
    for part in unrolled(range(words)):
        bits = tuple(
            (P[plane_word[b * words + part]] >> plane_shift[b * words + part]) & word(
                (1 << plane_bits[b * words + part]) - 1) if plane_bits[b * words + part] < 64
            else P[plane_word[b * words + part]] for b in range(planes))
        empty = every[part]
        for b in unrolled(range(planes)):
            empty &= ~bits[b]
        for piece in unrolled(range(1, pieces)):
            held = FULL
            for b in unrolled(range(planes)):
                held &= bits[b] if (piece >> b) & 1 != 0 else ~bits[b]
            S[piece * words + part] = held
        S[part] = empty
    for k in unrolled(range(links)):
        S[link_at[k]] = (P[link_word[k]] >> link_shift[k]) & word((1 << link_bits[k]) - 1) if link_bits[k] < 64 else (
            P[link_word[k]])
    for k in range(count):
        value = number((P[value_word[k]] >> value_shift[k]) & word(value_mask[k]))
        if value == 0:
            value = missing[k]
        else:
            value -= value_low[k]
        S[VALUES_FROM + k] = word(value)
    S[TO_MOVE] = (P[last_word[0]] >> last_shift[0]) & word((1 << last_bits[0]) - 1)
    S[TURN] = (P[last_word[1]] >> last_shift[1]) & word((1 << last_bits[1]) - 1)
    S[OUTCOME] = word(number((P[last_word[2]] >> last_shift[2]) & word((1 << last_bits[2]) - 1)) - 2)
    S[SEATS] = (P[last_word[3]] >> last_shift[3]) & word((1 << last_bits[3]) - 1)
    for k in range(POSITION, WIDTH):
        S[k] = EMPTY


def tier_of_packed(P: Row, counting: StaticBool, turn_word: Static, turn_shift: Static, turn_mask: Static,
                   quantities: Static, sizes: Table, falling: Table, first_count: Table, count_piece: Table,
                   count_part: Table, count_cells: WordTable, first_value: Table, value_word: Table,
                   value_shift: Table, value_mask: Table, first_phase: Table, phases: Table, planes: Static,
                   words: Static, plane_word: Table, plane_shift: Table) -> Int:
    """The number of a packed position's tier.

    Its digits are the turn, where `counting`, and quantities, of which each has so many `sizes`: cells counted that
    hold pieces, those from `first_count` on, and the values of variables, from `first_value` on; where `first_phase` is
    not -1, `phases` says from there on what each value counts.
    """
    found = number((P[turn_word] >> turn_shift) & word(turn_mask)) if counting else 0
    for q in unrolled(range(quantities)):
        many = 0
        for k in unrolled(range(first_count[q], first_count[q + 1])):
            held = count_cells[k]
            for b in unrolled(range(planes)):
                if (count_piece[k] >> b) & 1 != 0:
                    held &= P[plane_word[b * words + count_part[k]]] >> plane_shift[b * words + count_part[k]]
                else:
                    held &= ~(P[plane_word[b * words + count_part[k]]] >> plane_shift[b * words + count_part[k]])
            many += popcount(held)
        for k in range(first_value[q], first_value[q + 1]):
            value = number((P[value_word[k]] >> value_shift[k]) & word(value_mask[k]))
            if first_phase[q] < 0:
                many += value
            else:
                many += phases[first_phase[q] + value]
        if falling[q] != 0:
            found = found * sizes[q] + (sizes[q] - 1 - many)
        else:
            found = found * sizes[q] + many
    return found

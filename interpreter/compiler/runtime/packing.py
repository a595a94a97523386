"""Packs positions into as few words as their values need, and computes tier numbers (see `lowering.packing`).

A bit plane has for each cell one bit of the number of its piece. A field of a packed position is given by its word, its
first bit (a shift), and its number of bits (or a mask).
"""

from __future__ import annotations

from typing import NamedTuple

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


class PackedWords(NamedTuple):
    """The words of the row that each packed word is made of, except for the values of variables."""

    width: Static
    """The number of packed words."""
    first_source: Table
    """For each packed word, the index in the next tables at which its words begin; one item more than packed words."""
    source: Table
    """The index of a word in the row."""
    shift: Table
    """The number of bits by which it is shifted."""
    plus: Table
    """The number that is added to it before the shift."""


class Planes(NamedTuple):
    """The fields of bit planes; tables have an item for each plane and each word of a set of cells, plane by plane."""

    planes: Static
    plane_word: Table
    plane_shift: Table
    plane_bits: Table


class LinkFields(NamedTuple):
    """The fields of links; tables have an item for each word of links."""

    links: Static
    """The number of words of links."""
    link_at: Table
    """The index of the word in the row."""
    link_word: Table
    link_shift: Table
    link_bits: Table


class LastFields(NamedTuple):
    """The fields of four numbers: the player to move, the turn, the outcome, and the seats."""

    last_word: Table
    last_shift: Table
    last_bits: Table


class ValueFields(NamedTuple):
    """The fields of the values of variables."""

    value_word: Table
    value_shift: Table
    value_mask: Table


class Variables(NamedTuple):
    """How the values of variables are encoded."""

    value_count: Static
    """How many there are."""
    value_low: Table
    """The number that is added to a value, so that 0 stands for no value."""
    missing: Table
    """The value in a row that stands for no value."""


class TurnField(NamedTuple):
    """The field of the turn."""

    turn_word: Static
    turn_shift: Static
    turn_mask: Static


class Quantities(NamedTuple):
    """The quantities that make a tier; tables with `first` in their names have one item more than quantities."""

    quantities: Static
    """How many there are."""
    sizes: Table
    """The number of values that each can have."""
    falling: Table
    """Whether it decreases in the course of a game."""
    first_count: Table
    """The index in the next three tables at which its counts of cells begin."""
    count_piece: Table
    """The piece on the counted cells."""
    count_part: Table
    """The index of a word in sets of cells."""
    count_cells: WordTable
    """The cells of that word that are counted."""
    first_value: Table
    """The index of its first variable among the fields of values."""
    first_phase: Table
    """The index at which its `phases` begin, -1 where a value counts as itself."""
    phases: Table
    """The count of each value."""


def packed_row(state: Row, packed: Row, made_of: PackedWords, values: ValueFields, variables: Variables) -> None:
    """Pack a position into as few words as its values need."""
    for k in unrolled(range(made_of.width)):
        found = EMPTY
        for i in unrolled(range(made_of.first_source[k], made_of.first_source[k + 1])):
            if made_of.plus[i] != 0:
                found |= word(number(state[made_of.source[i]]) + made_of.plus[i]) << made_of.shift[i]
            else:
                found |= state[made_of.source[i]] << made_of.shift[i]
        packed[k] = found
    for k in range(variables.value_count):
        value = number(state[VALUES_FROM + k])
        if value != variables.missing[k]:
            packed[values.value_word[k]] |= word(value + variables.value_low[k]) << values.value_shift[k]


def unpacked_row(packed: Row, state: Row, pieces: Static, words: Static, every: WordTable, cells: Planes,
                 layers: LinkFields, last: LastFields, values: ValueFields, variables: Variables) -> None:
    """Unpack a packed position into a row; `every` is the set of all cells."""
    for part in unrolled(range(words)):
        bits = tuple(
            (packed[cells.plane_word[b * words + part]] >> cells.plane_shift[b * words + part]) & word(
                (1 << cells.plane_bits[b * words + part]) - 1) if cells.plane_bits[b * words + part] < 64
            else packed[cells.plane_word[b * words + part]] for b in range(cells.planes))
        empty = every[part]
        for b in unrolled(range(cells.planes)):
            empty &= ~bits[b]
        for piece in unrolled(range(1, pieces)):
            held = FULL
            for b in unrolled(range(cells.planes)):
                held &= bits[b] if (piece >> b) & 1 != 0 else ~bits[b]
            state[piece * words + part] = held
        state[part] = empty
    for k in unrolled(range(layers.links)):
        state[layers.link_at[k]] = (packed[layers.link_word[k]] >> layers.link_shift[k]) & word(
            (1 << layers.link_bits[k]) - 1) if layers.link_bits[k] < 64 else packed[layers.link_word[k]]
    for k in range(variables.value_count):
        value = number((packed[values.value_word[k]] >> values.value_shift[k]) & word(values.value_mask[k]))
        if value == 0:
            value = variables.missing[k]
        else:
            value -= variables.value_low[k]
        state[VALUES_FROM + k] = word(value)
    state[TO_MOVE] = (packed[last.last_word[0]] >> last.last_shift[0]) & word((1 << last.last_bits[0]) - 1)
    state[TURN] = (packed[last.last_word[1]] >> last.last_shift[1]) & word((1 << last.last_bits[1]) - 1)
    state[OUTCOME] = word(
        number((packed[last.last_word[2]] >> last.last_shift[2]) & word((1 << last.last_bits[2]) - 1)) - 2)
    state[SEATS] = (packed[last.last_word[3]] >> last.last_shift[3]) & word((1 << last.last_bits[3]) - 1)
    for k in range(POSITION, WIDTH):
        state[k] = EMPTY


def tier_of_packed(packed: Row, counting: StaticBool, turn: TurnField, tiers: Quantities, values: ValueFields,
                   cells: Planes, words: Static) -> Int:
    """The tier number of a packed position, whose digits are the turn, where `counting`, and the quantities."""
    found = number((packed[turn.turn_word] >> turn.turn_shift) & word(turn.turn_mask)) if counting else 0
    for q in unrolled(range(tiers.quantities)):
        many = 0
        for k in unrolled(range(tiers.first_count[q], tiers.first_count[q + 1])):
            held = tiers.count_cells[k]
            for b in unrolled(range(cells.planes)):
                if (tiers.count_piece[k] >> b) & 1 != 0:
                    held &= packed[cells.plane_word[b * words + tiers.count_part[k]]] >> (
                        cells.plane_shift[b * words + tiers.count_part[k]])
                else:
                    held &= ~(packed[cells.plane_word[b * words + tiers.count_part[k]]] >> (
                        cells.plane_shift[b * words + tiers.count_part[k]]))
            many += popcount(held)
        for k in range(tiers.first_value[q], tiers.first_value[q + 1]):
            value = number((packed[values.value_word[k]] >> values.value_shift[k]) & word(values.value_mask[k]))
            if tiers.first_phase[q] < 0:
                many += value
            else:
                many += tiers.phases[tiers.first_phase[q] + value]
        if tiers.falling[q] != 0:
            found = found * tiers.sizes[q] + (tiers.sizes[q] - 1 - many)
        else:
            found = found * tiers.sizes[q] + many
    return found

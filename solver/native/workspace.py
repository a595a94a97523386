"""What searches for the value of a position share: a game's kernel, its layout, a table, and arrays to work with.

Arrays: `position`, `row`, `into`, `one` and `other` uint64[words of a row]; those of the named tuples as they say.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

import attrs

from interpreter.kernel.plain import number, scramble, stir, word
from solver.native.functions import (
    Candidates,
    Expand,
    Line,
    Lines,
    PackLeast,
    Records,
    Row,
    Rows,
    ValueOf,
    Word,
    inlined,
)
from solver.native.transposition import digest

GOING, ANSWERED, NO_ROOM, TOO_DEEP, FAILED = 0, 1, 2, 3, 4
"""The status of a search: to be gone on with, answered; a position's arrays, or the plies, need more room; a rule
failed."""
GOES_ON = -2
"""The outcome of a position in which the game is not over."""
DRAW = -1
DRAWS, LOSES, FORBIDDEN = 0, 1, 2
"""What a repetition does."""


@attrs.define(eq=False)
class Layout:
    """Where a row has what searches look at."""

    outcome: int = 0
    to_move: int = 0
    failure: int = 0
    packed: int = 0
    """Words of a packed position."""
    valued: int = 0
    """Whether there is a value to order by."""
    standing: int = 0
    """How many words, the first, say what stands on the board."""
    proposing: int = 0
    """Whether there are patterns to order by."""
    hoping: int = 0
    """Whether the value's last bits say who can still win: see `interpreter.analysis.hopes`."""


class Rules(NamedTuple):
    """A game's kernel."""

    expand: Expand
    pack_least: PackLeast
    value_of: ValueOf
    candidates: Candidates


class Context(NamedTuple):
    """What all searches of a solution share."""

    layout: Records[Layout]
    """One."""
    elements: Line
    """[symmetries]: the numbers of those that merge positions."""
    table: Rows
    """As `transposition` says."""


class Workspace(NamedTuple):
    """What one search works with. The first four are arenas: rows with one index belong to one position.

    `positions` [room, words of a row], `keys` [room, width], `hashes` [room], `moves` [room, 2 + n], `entries` [room,
    numbers], `scratch` and `images` [rows, words of a row], `proposals` [room, numbers], `plies` [plies].
    """

    positions: Rows
    keys: Rows
    """Packed representatives."""
    hashes: Row
    moves: Lines
    """The moves that led to positions."""
    entries: Lines
    scratch: Rows
    images: Rows
    """Entries of moves, rows and packed positions for the kernel to work with."""
    proposals: Lines
    """What patterns propose."""
    plies: Line
    """How many positions were searched at each distance from the first."""


class Chance(Protocol):
    """A record with the state of a random sequence."""

    chance: int


@inlined
def next_random(state: Chance) -> Word:
    """The next word of a record's random sequence."""
    chance = stir(word(state.chance))
    state.chance = number(chance)
    return scramble(chance)


@inlined
def represent(pack_least: PackLeast, context: Context, work: Workspace, row: int) -> Word:
    """Write the packed representative of a position and its hash, which is the result."""
    pack_least(work.positions[row], work.keys[row], context.elements, work.images)
    hashed = digest(work.keys[row], context.layout[0].packed)
    work.hashes[row] = hashed
    return hashed


@inlined
def outcome_of(context: Context, position: Row) -> int:
    """GOES_ON, DRAW, or who won."""
    return number(position[context.layout[0].outcome])


@inlined
def mover_of(context: Context, position: Row) -> int:
    """Who is to move."""
    return number(position[context.layout[0].to_move])


@inlined
def why_failed(context: Context, position: Row) -> int:
    """The status where an entry of the kernel failed in a position."""
    return NO_ROOM if number(position[context.layout[0].failure]) == 1 else FAILED


@inlined
def way_on(way: Word, hashed: Word) -> Word:
    """A hash of a way to a position, from that of the way to the one before it."""
    return scramble(way ^ hashed)


@inlined
def same_words(one: Row, other: Row, width: int) -> bool:
    """Whether the first words of two rows are equal."""
    for k in range(width):  # noqa: SIM110
        if one[k] != other[k]:
            return False
    return True


@inlined
def is_outgrown(row: Row, failure: int, outgrown: int) -> bool:
    """Whether a move failed as it left the window on an unbounded board: such a game counts as drawn.

    `failure` is where a row says why it failed, `outgrown` what it says then; 0 for boards with borders.
    """
    return bool(outgrown != 0 and number(row[failure]) == outgrown)


@inlined
def copy_row(row: Row, into: Row) -> None:
    """Write a row into another."""
    for k in range(len(row)):
        into[k] = row[k]



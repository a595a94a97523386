"""Data shared by the searches for a position's value: a game's kernel and layout, a table, and work arrays.

Arrays: `position`, `row`, `into`, `one` and `other` uint64[words of a row]; for those of the named tuples, see their
fields.
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
"""The status of a search: in progress, answered, out of room in its arrays, out of plies, or failed in a rule."""
GOES_ON = -2
"""The outcome of a position in which the game is not over."""
DRAW = -1
DRAWS, LOSES, FORBIDDEN = 0, 1, 2
"""The effect of a repetition."""


@attrs.define(eq=False)
class Layout:
    """Where a row has the words that searches read, and what a game provides."""

    outcome: int = 0
    to_move: int = 0
    failure: int = 0
    packed: int = 0
    """The number of words of a packed position."""
    valued: int = 0
    """Whether there is a value for move ordering."""
    standing: int = 0
    """The number of words, at the start of a row, that describe what stands on the board."""
    proposing: int = 0
    """Whether there are patterns for move ordering."""
    hoping: int = 0
    """Whether the value's lowest bits say who can still win: see `interpreter.analysis.hopes`."""


class Rules(NamedTuple):
    """The functions of a game's kernel."""

    expand: Expand
    pack_least: PackLeast
    value_of: ValueOf
    candidates: Candidates


class Context(NamedTuple):
    """Data shared by all searches of a solution."""

    layout: Records[Layout]
    """A single record."""
    elements: Line
    """[symmetries]: the numbers of the symmetries that merge positions."""
    table: Rows
    """The transposition table: see `transposition`."""


class Workspace(NamedTuple):
    """The arrays of one search.

    The first four are arenas: rows with the same index belong to one position. `positions` [room, words of a row],
    `keys` [room, width], `hashes` [room], `moves` [room, 2 + n], `entries` [room, numbers], `scratch` and `images`
    [rows, words of a row], `proposals` [room, numbers], `plies` [plies].
    """

    positions: Rows
    keys: Rows
    """The packed representatives of positions."""
    hashes: Row
    moves: Lines
    """The moves that led to positions."""
    entries: Lines
    scratch: Rows
    images: Rows
    """Work arrays of the kernel: entries of moves, rows and packed positions."""
    proposals: Lines
    """The moves that patterns propose."""
    plies: Line
    """The number of positions searched at each distance from the root."""


class Chance(Protocol):
    """A record with the state of a random number generator."""

    chance: int


@inlined
def next_random(state: Chance) -> Word:
    """The next random word of a record's generator."""
    chance = stir(word(state.chance))
    state.chance = number(chance)
    return scramble(chance)


@inlined
def represent(pack_least: PackLeast, context: Context, work: Workspace, row: int) -> Word:
    """Write the packed representative of a position and its hash; return the hash."""
    pack_least(work.positions[row], work.keys[row], context.elements, work.images)
    hashed = digest(work.keys[row], context.layout[0].packed)
    work.hashes[row] = hashed
    return hashed


@inlined
def outcome_of(context: Context, position: Row) -> int:
    """The outcome of a position: GOES_ON, DRAW or the winner."""
    return number(position[context.layout[0].outcome])


@inlined
def mover_of(context: Context, position: Row) -> int:
    """The player to move."""
    return number(position[context.layout[0].to_move])


@inlined
def why_failed(context: Context, position: Row) -> int:
    """The status of a search whose kernel call failed in a position: NO_ROOM or FAILED."""
    return NO_ROOM if number(position[context.layout[0].failure]) == 1 else FAILED


@inlined
def way_on(way: Word, hashed: Word) -> Word:
    """The hash of a path to a position, from the hash of the path to the position before it."""
    return scramble(way ^ hashed)


@inlined
def same_words(one: Row, other: Row, width: int) -> bool:
    """Whether the first words of two rows are equal."""
    for k in range(width):  # noqa: SIM110
        if one[k] != other[k]:
            return False
    return True


@inlined
def failed_by(row: Row, failure: int, cause: int) -> bool:
    """Whether a move failed for one cause: it left the window on an unbounded board, or every move would repeat a
    position. Games that fail so count as drawn.

    `failure` is the index of the word of a row with the cause of a failure, `cause` that word, 0 where a game cannot
    fail so.
    """
    return bool(cause != 0 and number(row[failure]) == cause)


@inlined
def copy_row(row: Row, into: Row) -> None:
    """Copy a row into another."""
    for k in range(len(row)):
        into[k] = row[k]



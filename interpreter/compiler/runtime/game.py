"""Declarations of what every kernel defines itself: functions made from the rules, and the layout of rows.

Runtime functions refer to these names, and the library does not substitute them. The functions here only declare their
signatures; the numbers are those of a board with one word of cells and two pieces, for tests.
"""

from __future__ import annotations

from interpreter.compiler.runtime.types import Bool, Int, Line, Lines, Pages, Row, Rows, Table, Word

# ---- rows: the sets of empty cells and of the two pieces, then the other words

VALUES_FROM: Int = 3
"""The index of the first variable."""
TO_MOVE: Int = 3
"""The index of the player to move, by seat."""
TURN: Int = 4
"""The index of the number of moves made, which is capped where more make no difference."""
OUTCOME: Int = 5
"""The index of the outcome: a player, DRAW or GOING."""
SEATS: Int = 6
"""The index of the flag whether the players have swapped seats."""
POSITION: Int = 7
"""The number of words that make the position."""
FAILED: Int = 7
"""The index of the failure number of a rule; 0 for no failure."""
WIDTH: Int = 8
"""The number of words of a row."""
GOING: Int = -2
"""The outcome of an unfinished game."""
DRAW: Int = -1
"""The outcome of a draw."""
NO_NUMBER: Int = -(1 << 62)
"""A placeholder for a number that has no value."""

PASS: Int = -1
"""The rule number of a pass."""
SWAP: Int = -2
"""The rule number of swapping sides."""

# ---- move entries: form, number of moves, number of values, the values, and the set that the last one is chosen from

CHOICE: Int = 4
"""The index of the set in an entry."""
MOVE_WIDTH: Int = 3
"""The length of a move: its rule, its number of values, the values."""
ENTRY_WIDTH: Int = 5
"""The length of an entry."""
SCRATCH: Int = 5
"""The number of scratch rows."""
PLAYING: Int = 5
"""The number of rows for random games: the scratch rows, and the table of earlier positions."""


# ---- functions made from the rules; a mover is a player by colour, not by seat


def carry_out(state: Row, mover: Int, move: Line, rule: Int) -> None:
    """Carry out the effects of a move's rule."""
    raise NotImplementedError


def list_by_rules(state: Row, mover: Int, entries: Lines, n: Int, scratch: Rows) -> Int:
    """Append the entries of the moves of all rules; the number of entries."""
    raise NotImplementedError


def heads_by_rules(state: Row, mover: Int, entries: Lines, n: Int, scratch: Rows) -> Int:
    """Append the entries of the first choices of all rules; the number of entries."""
    raise NotImplementedError


def can_move(state: Row, mover: Int, scratch: Rows) -> Bool:
    """Whether some rule has a move."""
    raise NotImplementedError


def next_player(state: Row, mover: Int) -> Int:
    """The player to move after the mover."""
    raise NotImplementedError


def next_after_chance(state: Row, mover: Int) -> Int:
    """The player to move after a chance move."""
    raise NotImplementedError


def weight_of(state: Row, mover: Int, move: Line) -> Int:
    """The weight with which chance draws a move: what its rule declares, 1 for other moves."""
    raise NotImplementedError


def payoff(state: Row, player: Int) -> Int:
    """The payoff of a finished game for a player."""
    raise NotImplementedError


def force(state: Row, mover: Int) -> Int:
    """Apply the first forced rule that applies; its number, 0 for none."""
    raise NotImplementedError


def follow(state: Row, mover: Int) -> None:
    """Carry out the effects that follow every move."""
    raise NotImplementedError


def illegal(state: Row, mover: Int) -> Bool:
    """Whether a rule makes the move just carried out illegal."""
    raise NotImplementedError


def rank(state: Row, mover: Int) -> Int:
    """The rank of a legal move, by the position after it; only moves with the greatest rank remain legal."""
    raise NotImplementedError


def may_pass(state: Row, mover: Int) -> Bool:
    """Whether the mover may pass."""
    raise NotImplementedError


def may_swap(state: Row, mover: Int) -> Int:
    """The number of the pie rule that allows swapping sides, -1 for none."""
    raise NotImplementedError


def ends(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
    """The outcome by the first of the ends that holds, GOING where none does."""
    raise NotImplementedError


def stuck_ends(state: Row) -> Int:
    """The outcome by the ends for positions without a move, GOING where none holds."""
    raise NotImplementedError


def value(state: Row) -> Int:
    """The game's value of a position for the player to move."""
    raise NotImplementedError


def claimed(state: Row) -> Int:
    """A bitmask of the symmetry conditions that hold."""
    raise NotImplementedError


def image(state: Row, symmetry: Int, target: Row) -> None:
    """Write the image of a position under a symmetry into another row."""
    raise NotImplementedError


def less(state: Row, other: Row) -> Bool:
    """Whether a position comes before another in the order of the interpreter."""
    raise NotImplementedError


def image_order(state: Row, symmetry: Int, spare: Row, other: Row) -> Int:
    """Compare the image under a symmetry with another position: negative where it comes before, 0 where equal."""
    raise NotImplementedError


def recoloured_order(state: Row, symmetry: Int, spare: Row, other: Row) -> Int:
    """`image_order`, but the image keeps the player to move."""
    raise NotImplementedError


def canonical_row(state: Row, target: Row) -> Int:
    """Write the least image of a position under the symmetries into `target`."""
    raise NotImplementedError


def canonical_among(state: Row, target: Row, spare: Row, chosen: Line) -> Int:
    """Write the least image under `chosen` symmetries, the first of them the identity; how many of them yield it."""
    raise NotImplementedError


def least_recoloured(state: Row, target: Row, spare: Row, chosen: Table, first: Int, last: Int) -> None:
    """Write the least of a position and its images that keep the player to move."""
    raise NotImplementedError


def settle(state: Row) -> None:
    """Shift the pieces on an unbounded board to the start of its window."""
    raise NotImplementedError


def least_image(state: Row, target: Row, spare: Row, chosen: Table, first: Int, last: Int) -> Int:
    """Write the least of a position and its images; how many of the symmetries, the identity included, yield it."""
    raise NotImplementedError


def pack(state: Row, packed: Row) -> None:
    """Pack a position into as few words as its values need."""
    raise NotImplementedError


def unpack(packed: Row, state: Row) -> None:
    """Unpack a packed position into a row."""
    raise NotImplementedError


def tier(packed: Row) -> Int:
    """The tier number of a packed position."""
    raise NotImplementedError


def key(state: Row) -> Word:
    """The hash key of a position."""
    raise NotImplementedError


def repetition_key(state: Row) -> Word:
    """The hash key of those parts of a position that the repetition rule compares."""
    raise NotImplementedError


def key_change(state: Row, other: Row) -> Word:
    """The xor of the keys of two positions."""
    raise NotImplementedError


# ---- functions that other runtime functions define for a game


def close(state: Row, mover: Int) -> None:
    """Apply forced rules until none applies."""
    raise NotImplementedError


def swap_sides(state: Row, scratch: Rows) -> None:
    """Swap sides by the pie rule that holds."""
    raise NotImplementedError


def act(state: Row, move: Line, scratch: Rows) -> Int:
    """Carry out a move without determining the outcome; 1 where it is illegal, else 0."""
    raise NotImplementedError


def moves(state: Row, entries: Lines, scratch: Rows) -> Int:
    """List the pseudo-legal moves as entries; the number of entries."""
    raise NotImplementedError


def moves_ranked(state: Row, entries: Lines, scratch: Rows) -> Int:
    """The same, with moves of less than the greatest rank."""
    raise NotImplementedError


def offered(state: Row, entries: Lines, scratch: Rows) -> Int:
    """List the pseudo-legal moves as entries, or a pass where it is forced; the number of entries."""
    raise NotImplementedError


def take(entries: Lines, e: Int, k: Int, move: Line) -> None:
    """Write move number k of an entry into `move`."""
    raise NotImplementedError


def take_all(entries: Lines, e: Int, move_rows: Lines, at: Int) -> Int:
    """Write the moves of an entry into rows of `move_rows` from `at` on; the index after them."""
    raise NotImplementedError


def total(entries: Lines, n: Int) -> Int:
    """The number of moves in the first n entries."""
    raise NotImplementedError


def legal(state: Row, entries: Lines, move_rows: Lines, scratch: Rows) -> Int:
    """List the legal moves, one per row; their number."""
    raise NotImplementedError


def has_move(state: Row, who: Int, entries: Lines, scratch: Rows) -> Bool:
    """Whether a player, by seat, would have a legal move if it were to move."""
    raise NotImplementedError


def outcome(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
    """The outcome after a move of the mover, GOING where the game is not over."""
    raise NotImplementedError


def quick_outcome(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
    """The outcome after a move; may be GOING where the game ends only because there is no move."""
    raise NotImplementedError


def stuck_outcome(state: Row) -> Int:
    """The outcome where there is no move; sets a failure where no rule defines it."""
    raise NotImplementedError


def apply(state: Row, move: Line, entries: Lines, scratch: Rows) -> Int:
    """Carry out a move and determine the outcome; 1 where the move is illegal, else 0."""
    raise NotImplementedError


def advance(state: Row, move: Line, entries: Lines, scratch: Rows) -> Int:
    """The same, but a game that ends because there is no move may be left open."""
    raise NotImplementedError


def draw(state: Row, seed: Word, entries: Lines, scratch: Rows, move: Line) -> tuple[Word, Bool]:
    """Draw a legal move uniformly at random; the next seed, and whether one was drawn."""
    raise NotImplementedError


def play(state: Row, seed: Word, limit: Int, entries: Lines, scratch: Rows, move: Line) -> Int:
    """Play up to `limit` legal moves drawn uniformly at random; how many were played."""
    raise NotImplementedError


def forget(scratch: Rows) -> None:
    """Clear the table of earlier positions."""
    raise NotImplementedError


def remember(scratch: Rows, state: Row, most: Int) -> Int:
    """Add a position to the table of earlier positions if it was there less than `most` times; how often it was."""
    raise NotImplementedError


def heads(state: Row, entries: Lines, scratch: Rows) -> Int:
    """List the first choices of moves as entries; the number of entries."""
    raise NotImplementedError


def take_head(entries: Lines, e: Int, k: Int, move: Line) -> None:
    """Write the first choices number k of an entry into `move`."""
    raise NotImplementedError


def most_ways(state: Row) -> Int:
    """An upper bound on the number of continuations of a move after its first choices."""
    raise NotImplementedError


def tries(state: Row, scratch: Rows, move: Line, k: Int) -> Bool:
    """Complete the move in `move` by continuation number k; whether that exists."""
    raise NotImplementedError


def tails(state: Row, entries: Lines, n: Int, scratch: Rows, move: Line) -> Int:
    """Append entries of the continuations of the first choices in `move`; the number of entries."""
    raise NotImplementedError


def count_moves(level_rows: Rows, entry_pages: Pages, progress: Lines, scratch: Rows, move: Line, counts: Line,
                ended: Line, depth: Int, bulk: Bool) -> Int:
    """Count the move sequences of a tree by length; `progress` has the iteration state of each level."""
    raise NotImplementedError


def children(state: Row, child_rows: Rows, move_rows: Lines, entries: Lines, scratch: Rows) -> Int:
    """Write the position after each legal move into a row of `child_rows`, the move into `move_rows`; their number."""
    raise NotImplementedError


def least(state: Row, packed: Row, elements: Line, spares: Rows) -> Int:
    """Pack the least image of a position under some symmetries; how many of them leave the position unchanged."""
    raise NotImplementedError


# ---- move proposals by patterns


def pattern_holds(state: Row, mover: Int, kind: Int, base: Int, at: Int, goal: Int) -> Bool:
    """Whether a pattern's predicate holds at its places."""
    raise NotImplementedError


def pattern_value(state: Row, mover: Int, kind: Int, base: Int, at: Int, goal: Int) -> Int:
    """The value of a pattern's expression at its places."""
    raise NotImplementedError


def pattern_matches(state: Row, mover: Int, variant: Int, base: Int, goal: Int) -> Bool:
    """Whether a variant of a pattern matches."""
    raise NotImplementedError


def pattern_move(state: Row, mover: Int, variant: Int, base: Int, goal: Int, move: Line) -> Bool:
    """Write the move that a variant proposes into `move`; whether its places are on the board."""
    raise NotImplementedError


def comes_before(one: Line, other: Line) -> Bool:
    """Whether a proposal comes before another in the order of proposals."""
    raise NotImplementedError


def is_offered(entries: Lines, offers: Int, move: Line) -> Bool:
    """Whether a move is one of those of the first `offers` entries."""
    raise NotImplementedError


def add_proposal(proposal_rows: Lines, n: Int, pattern: Int, worth: Int) -> Int:
    """Add the proposal in row n, merged with an earlier one of the same move; the number of proposals."""
    raise NotImplementedError


def try_starts(state: Row, before: Row, mover: Int, proposal_rows: Lines, n: Int, entries: Lines, offers: Int,
               scratch: Rows) -> Int:
    """Try the patterns at each of the mover's start cells; the number of proposals."""
    raise NotImplementedError


def propose(state: Row, before: Row, proposal_rows: Lines, entries: Lines, scratch: Rows) -> Int:
    """Write the moves that patterns propose, best first; their number."""
    raise NotImplementedError

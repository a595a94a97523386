"""What every kernel has of its own: functions that its rules become, and numbers that say how its rows are laid out.

Runtime functions call and name these; the library leaves them as they are. Here the functions only say what they take
and give, and the numbers are those of a board with one word of cells and two pieces, for tests.
"""

from __future__ import annotations

from interpreter.compiler.runtime.types import Bool, Int, Line, Lines, Pages, Row, Rows, Table, Word

# ---- rows: the sets of two pieces and of what is empty, and what follows them

VALUES_FROM: Int = 3
"""Where variables begin."""
TO_MOVE: Int = 3
"""Where the player to move stands, by seats."""
TURN: Int = 4
"""Where the number of moves made stands, as far as it counts."""
OUTCOME: Int = 5
"""Where the outcome stands: a player, DRAW or GOING."""
SEATS: Int = 6
"""Where it stands whether the players have changed seats."""
POSITION: Int = 7
"""How many words make the position."""
FAILED: Int = 7
"""Where the number of a rule's failure stands; 0 for none."""
WIDTH: Int = 8
"""How many words a row has."""
GOING: Int = -2
"""The outcome while the game goes on."""
DRAW: Int = -1
"""The outcome of a draw."""
NO_NUMBER: Int = -(1 << 40)
"""Stands for no number."""

PASS: Int = -1
"""The rule of a move that passes."""
SWAP: Int = -2
"""The rule of a move that swaps sides."""

# ---- entries of moves: a form, how many moves, how many values, the values, and the set that the last is chosen from

CHOICE: Int = 4
"""Where an entry has its set."""
MOVE_WIDTH: Int = 3
"""Numbers of a move: its rule, how many values it has, the values."""
ENTRY_WIDTH: Int = 5
"""Numbers of an entry."""
SCRATCH: Int = 5
"""Rows that functions work on."""
PLAYING: Int = 5
"""Rows that random games work on: those, and the table of positions that came before."""


# ---- what the rules become; a mover is a player by colour, not by seat


def carry_out(state: Row, mover: Int, move: Line, rule: Int) -> None:
    """Carry out what a move's rule says."""
    raise NotImplementedError


def list_by_rules(state: Row, mover: Int, entries: Lines, n: Int, scratch: Rows) -> Int:
    """Add the entries of all rules' moves; how many there are."""
    raise NotImplementedError


def heads_by_rules(state: Row, mover: Int, entries: Lines, n: Int, scratch: Rows) -> Int:
    """Add the entries of all rules' first choices; how many there are."""
    raise NotImplementedError


def can_move(state: Row, mover: Int, scratch: Rows) -> Bool:
    """Whether some rule has a move."""
    raise NotImplementedError


def next_player(state: Row, mover: Int) -> Int:
    """Who moves after the mover."""
    raise NotImplementedError


def next_after_chance(state: Row, mover: Int) -> Int:
    """Who has the turn after a move of chance."""
    raise NotImplementedError


def weight_of(state: Row, mover: Int, move: Line) -> Int:
    """How likely a move is to be drawn beside the others: what a rule of chance says, 1 for other moves."""
    raise NotImplementedError


def payoff(state: Row, mover: Int, player: Int) -> Int:
    """What the end of the game is worth to a player, who is the mover meanwhile."""
    raise NotImplementedError


def force(state: Row, mover: Int) -> Int:
    """Apply the first forced rule that can be; its number, 0 for none."""
    raise NotImplementedError


def follow(state: Row, mover: Int) -> None:
    """The effects that follow every move."""
    raise NotImplementedError


def illegal(state: Row, mover: Int) -> Bool:
    """Whether a rule takes a move back."""
    raise NotImplementedError


def rank(state: Row, mover: Int) -> Int:
    """The number that decides which legal moves remain, in the position after one of them."""
    raise NotImplementedError


def may_pass(state: Row, mover: Int) -> Bool:
    """Whether the mover may pass."""
    raise NotImplementedError


def may_swap(state: Row, mover: Int) -> Int:
    """The pie rule by which sides may be swapped, -1 for none."""
    raise NotImplementedError


def ends(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
    """The outcome by the ends in their order, GOING where none holds."""
    raise NotImplementedError


def stuck_ends(state: Row) -> Int:
    """The outcome by the ends that hold where there is no move, GOING where none does."""
    raise NotImplementedError


def value(state: Row) -> Int:
    """The game's value of a position for the player to move."""
    raise NotImplementedError


def claimed(state: Row) -> Int:
    """Which conditions of symmetries hold, as bits."""
    raise NotImplementedError


def image(state: Row, symmetry: Int, target: Row) -> None:
    """Write the image of a position under a symmetry into another row."""
    raise NotImplementedError


def less(state: Row, other: Row) -> Bool:
    """Whether a position comes before another in the order of the interpreter."""
    raise NotImplementedError


def image_order(state: Row, symmetry: Int, spare: Row, other: Row) -> Int:
    """Below 0 where the image under a symmetry comes before another position, 0 where it is that position."""
    raise NotImplementedError


def recoloured_order(state: Row, symmetry: Int, spare: Row, other: Row) -> Int:
    """The same, but that the image's player to move stays."""
    raise NotImplementedError


def canonical_row(state: Row, target: Row) -> Int:
    """Write the least image of a position under the symmetries into `target`."""
    raise NotImplementedError


def canonical_among(state: Row, target: Row, spare: Row, chosen: Line) -> Int:
    """Write the least image under some symmetries, of which the first is the identity; how many give it."""
    raise NotImplementedError


def least_recoloured(state: Row, target: Row, spare: Row, chosen: Table, first: Int, last: Int) -> None:
    """Write the least of a position and its images, who is to move staying."""
    raise NotImplementedError


def settle(state: Row) -> None:
    """Shift everything on an unbounded board to where its window begins."""
    raise NotImplementedError


def least_image(state: Row, target: Row, spare: Row, chosen: Table, first: Int, last: Int) -> Int:
    """Write the least of a position and its images under some symmetries; how many, with the identity, give it."""
    raise NotImplementedError


def pack(state: Row, packed: Row) -> None:
    """Write a position in as few words as its values need."""
    raise NotImplementedError


def unpack(packed: Row, state: Row) -> None:
    """Write the row of a packed position."""
    raise NotImplementedError


def tier(packed: Row) -> Int:
    """The number of a packed position's tier."""
    raise NotImplementedError


def key(state: Row) -> Word:
    """The key of a position."""
    raise NotImplementedError


def repetition_key(state: Row) -> Word:
    """The key of what the repetition rule knows of a position."""
    raise NotImplementedError


def key_change(state: Row, other: Row) -> Word:
    """What the keys of two positions differ by, as a word to xor with."""
    raise NotImplementedError


# ---- what other runtime functions make of these, for a game


def close(state: Row, mover: Int) -> None:
    """Apply forced rules until none applies."""
    raise NotImplementedError


def swap_sides(state: Row, scratch: Rows) -> None:
    """Swap sides by the pie rule that holds."""
    raise NotImplementedError


def act(state: Row, move: Line, scratch: Rows) -> Int:
    """Carry out a move but for its outcome; 1 where a rule takes it back, else 0."""
    raise NotImplementedError


def moves(state: Row, entries: Lines, scratch: Rows) -> Int:
    """List the moves that the rules offer, as entries; how many entries."""
    raise NotImplementedError


def moves_ranked(state: Row, entries: Lines, scratch: Rows) -> Int:
    """The same, those that do not remain among them."""
    raise NotImplementedError


def offered(state: Row, entries: Lines, scratch: Rows) -> Int:
    """The entries of moves, a pass where one must."""
    raise NotImplementedError


def take(entries: Lines, e: Int, k: Int, move: Line) -> None:
    """Write the move with number k of an entry into `move`."""
    raise NotImplementedError


def take_all(entries: Lines, e: Int, move_rows: Lines, at: Int) -> Int:
    """Write the moves of an entry into rows of `move_rows` from `at` on; the place after them."""
    raise NotImplementedError


def total(entries: Lines, n: Int) -> Int:
    """How many moves some entries have."""
    raise NotImplementedError


def legal(state: Row, entries: Lines, move_rows: Lines, scratch: Rows) -> Int:
    """List the legal moves, one a row; how many."""
    raise NotImplementedError


def has_move(state: Row, who: Int, entries: Lines, scratch: Rows) -> Bool:
    """Whether a player would have a move, were it to move; players by seats."""
    raise NotImplementedError


def outcome(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
    """The outcome after a move of the mover, GOING while it goes on."""
    raise NotImplementedError


def quick_outcome(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
    """The outcome after a move, which may be left open where it is that there is no move."""
    raise NotImplementedError


def stuck_outcome(state: Row) -> Int:
    """The outcome where there is no move; where no rule says it, a rule fails."""
    raise NotImplementedError


def apply(state: Row, move: Line, entries: Lines, scratch: Rows) -> Int:
    """Carry out a move and see how the game stands; 1 where it is illegal."""
    raise NotImplementedError


def advance(state: Row, move: Line, entries: Lines, scratch: Rows) -> Int:
    """The same, but that no move is left may be seen later."""
    raise NotImplementedError


def draw(state: Row, seed: Word, entries: Lines, scratch: Rows, move: Line) -> tuple[Word, Bool]:
    """Draw a move, each legal one as likely as any other; the next seed, and whether there is one."""
    raise NotImplementedError


def play(state: Row, seed: Word, limit: Int, entries: Lines, scratch: Rows, move: Line) -> Int:
    """Play random moves, each legal one as likely as any other; how many were played."""
    raise NotImplementedError


def forget(scratch: Rows) -> None:
    """Empty the table of earlier positions."""
    raise NotImplementedError


def remember(scratch: Rows, state: Row, most: Int) -> Int:
    """Put a position into the table of earlier positions if it was there less often; how often it was."""
    raise NotImplementedError


def heads(state: Row, entries: Lines, scratch: Rows) -> Int:
    """List the first choices of moves, as entries; how many entries."""
    raise NotImplementedError


def take_head(entries: Lines, e: Int, k: Int, move: Line) -> None:
    """Write the first choices with number k of an entry into `move`."""
    raise NotImplementedError


def most_ways(state: Row) -> Int:
    """The most ways in which a move can go on after its first choices."""
    raise NotImplementedError


def tries(state: Row, scratch: Rows, move: Line, k: Int) -> Bool:
    """Go on with the move in `move` in way k; whether there is that way."""
    raise NotImplementedError


def tails(state: Row, entries: Lines, n: Int, scratch: Rows, move: Line) -> Int:
    """List how moves with the first choices in `move` go on, as entries; how many entries."""
    raise NotImplementedError


def count_moves(level_rows: Rows, entry_pages: Pages, progress: Lines, scratch: Rows, move: Line, counts: Line,
                ended: Line, depth: Int, bulk: Bool) -> Int:
    """Count the move sequences of a tree; `progress` has each level's entries and the place of its next move."""
    raise NotImplementedError


def children(state: Row, child_rows: Rows, move_rows: Lines, entries: Lines, scratch: Rows) -> Int:
    """Make all positions after a legal move, a row of `child_rows` for each, and its move in `move_rows`; how many."""
    raise NotImplementedError


def least(state: Row, packed: Row, elements: Line, spares: Rows) -> Int:
    """Pack the least image of a position under some symmetries; how many of them leave the position as it is."""
    raise NotImplementedError


# ---- patterns: what they propose


def pattern_holds(state: Row, mover: Int, kind: Int, base: Int, at: Int, goal: Int) -> Bool:
    """Whether a predicate holds at its places."""
    raise NotImplementedError


def pattern_value(state: Row, mover: Int, kind: Int, base: Int, at: Int, goal: Int) -> Int:
    """A value over its places."""
    raise NotImplementedError


def pattern_matches(state: Row, mover: Int, variant: Int, base: Int, goal: Int) -> Bool:
    """Whether a pattern matches."""
    raise NotImplementedError


def pattern_move(state: Row, mover: Int, variant: Int, base: Int, goal: Int, move: Line) -> Bool:
    """Write the move of a pattern into `move`; whether its places are on the board."""
    raise NotImplementedError


def comes_before(one: Line, other: Line) -> Bool:
    """Whether a proposed move comes before another."""
    raise NotImplementedError


def is_offered(entries: Lines, offers: Int, move: Line) -> Bool:
    """Whether a move is among those that entries offer."""
    raise NotImplementedError


def add_proposal(proposal_rows: Lines, n: Int, pattern: Int, worth: Int) -> Int:
    """Keep the move in row n, unless it is in a row before; how many there are."""
    raise NotImplementedError


def try_starts(state: Row, before: Row, mover: Int, proposal_rows: Lines, n: Int, entries: Lines, offers: Int,
               scratch: Rows) -> Int:
    """Try the patterns of each start of the player to move; how many moves are proposed then."""
    raise NotImplementedError


def propose(state: Row, before: Row, proposal_rows: Lines, entries: Lines, scratch: Rows) -> Int:
    """The moves that patterns propose, the best first; how many."""
    raise NotImplementedError

"""The data of a principal variation search: frames, table, counters and settings; see `pvs`."""

from __future__ import annotations

from typing import NamedTuple

import attrs

from solver.native.functions import (
    Candidates,
    Line,
    Lines,
    Offer,
    Pack,
    Planes,
    Records,
    Row,
    Rows,
    Step,
    ValueOf,
)
from solver.native.learned import Learned

EXTRA = 2
"""Words of a table entry besides the key: the data word, with the score, and the number of the best move."""
ENTER, GO_ON, GIVE, DONE, FAIL = range(5)
"""The next step of the search: enter a position, try its next move, give its score to the parent, none as the root is
done, or none as a rule failed."""
EVERY, PROPOSED, PROPOSED_FIRST, BY_CHANCE = range(4)
"""Which moves are searched: all, those that patterns propose, all with the proposed ones first, a random selection."""
ALL, ESTIMATES, ORDER = range(3)
"""What the transposition table is used for: all its scores, only those of unfinished play, or only the order of moves.
"""
NO_MOVE = -99
"""The rule of a line that holds no move."""


@attrs.define(eq=False)
class Frame:
    """A position on the path from the root to the current position."""

    alpha: int = 0
    beta: int = 0
    first_alpha: int = 0
    """Alpha when the position was entered."""
    best: int = 0
    """The best score so far."""
    best_move: int = 0
    """The number of its move, 0 where no score was above alpha."""
    depth: int = 0
    """The remaining depth in plies."""
    count: int = 0
    """The number of moves."""
    next: int = 0
    """The index of the next move."""
    child: int = 0
    """The index of the move that is being searched."""
    legal: int = 0
    """The number of legal moves made so far."""
    null_window: int = 0
    """Whether the child is searched with a null window."""
    reduced: int = 0
    """The late move reduction of the child, in plies."""
    complete: int = 0
    """Whether all play was searched to its end."""
    loop: int = 0
    """The lowest ply whose position is repeated below, on which the score depends; -1 for the game before the root."""
    same: int = 0
    """Whether the child has the same player to move."""
    hash_move: int = 0
    """The number of the best move in the table."""
    side: int = 0
    """Which half of the history applies."""
    hashed: int = 0
    """The hash of the position."""
    marked: int = 0
    """The hash of the child's move in this position, by which it is marked in `Search.busy`; 0 where it is not."""
    summed: int = 0
    """Whether the learned weights of the position were summed up."""


@attrs.define(eq=False)
class Counts:
    """Counters of a search."""

    nodes: int = 0
    leaves: int = 0
    ends: int = 0
    cuts: int = 0
    first_cuts: int = 0
    probes: int = 0
    hits: int = 0
    table_cuts: int = 0
    stored: int = 0
    replaced: int = 0
    offered: int = 0
    """Moves listed."""
    taken_back: int = 0
    """Moves that a rule took back after they were made."""
    loops: int = 0
    """Repetitions."""
    foreseen: int = 0
    """Positions cut off by their value; see `Search.margins`."""


@attrs.define(eq=False)
class State:
    """The state of a search between two calls."""

    status: int = 0
    ply: int = 0
    failed: int = 0
    """The ply whose row says why a rule failed."""
    score: int = 0
    complete: int = 0
    loop: int = 0
    """What a position gives to its parent; see `Frame`."""


@attrs.define(eq=False)
class Settings:
    """The constants of a search."""

    to_move: int = 0
    outcome: int = 0
    failure: int = 0
    """The indices of these words in a row."""
    outgrown: int = 0
    """The failure code of a row that has outgrown an unbounded board: such play counts as drawn. 0 for other boards."""
    players: int = 0
    cyclic: int = 0
    """Whether positions can repeat."""
    repeating: int = 0
    """The effect of a repetition: DRAWS, LOSES or FORBIDDEN of `workspace`."""
    stuck: int = 0
    """The result where all moves are forbidden: 0 a draw, 1 a loss, 2 a win."""
    age: int = 0
    seed: int = 0
    history: int = 0
    """The number of positions in `Search.past`."""
    choosing: int = 0
    choosing_first: int = 0
    """Which moves are searched, and which at the root."""
    width: int = 0
    """The most moves that are searched, where patterns or chance choose them."""
    late: int = 0
    """Late move reductions begin after this many moves; 0 for none."""
    fingerprinted: int = 0
    """Whether the keys of the table are fingerprints of positions."""
    table: int = 0
    """What scores in the table are used for: ALL, or ESTIMATES or ORDER, as those that a search proves depend on the
    path to a position."""


class Rules(NamedTuple):
    """A game's kernel."""

    offer: Offer
    candidates: Candidates
    step: Step
    value_of: ValueOf
    pack: Pack


class Search(NamedTuple):
    """The arrays of one search; `room` is the most moves of a position, and a move has 2 + n numbers.

    `rows` [plies, words of a row], `before` [1, words of a row], `others` [room, 2 + n], `entries` [room, numbers],
    `scratch` [rows, words of a row], `moves` [plies, room, 2 + n], `order` [plies, room], `frames` and `lengths`
    [plies], `killers` [plies, 2], `history` [2 * HISTORY], `packed` and `past` [positions, width], `keys` [plies,
    words], `lines` [plies, plies, 2 + n], `left_out` [moves, 2 + n].
    """

    rows: Rows
    """The row of each ply."""
    before: Rows
    """The row of the position before the root."""
    others: Lines
    entries: Lines
    scratch: Rows
    """Scratch space for moves, entries of moves, and rows."""
    moves: Planes
    """The moves of each ply."""
    order: Lines
    """The priority of each move in the move ordering, highest first."""
    frames: Records[Frame]
    killers: Lines
    """Two killer moves for each ply."""
    history: Line
    packed: Rows
    """The packed position of each ply."""
    table: Rows
    """The transposition table."""
    lines: Planes
    """The principal variation from each ply on."""
    lengths: Line
    """The lengths of the principal variations."""
    keys: Rows
    """The key of each ply's position in the table: the packed position, or its fingerprint, if
    `Settings.fingerprinted`."""
    past: Rows
    """The packed positions of the game before the root."""
    left_out: Lines
    """The moves that are not searched at the root; one line of NO_MOVE for none."""
    busy: Row
    """See `busy`."""
    halted: Line
    """[1]: any thread ends the search by writing a number other than 0."""
    counts: Records[Counts]
    """One record."""
    state: Records[State]
    """One record."""
    settings: Records[Settings]
    """One record."""
    learned: Learned
    """Learned weights that value positions instead of the game's `value`, where there are any."""
    margins: Lines
    """int64[plies + 1, 2]: the least and the most that a search of this depth adds to the value, in most positions;
    empty where no position is cut off by its value. See `solver.players.margins`."""

"""What an alpha-beta search knows: the plies on the way, the table, what is counted, and what is fixed; see `pvs`."""

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
"""Words of an entry of the table besides the key: what is known, with the score, and the number of the best move."""
ENTER, GO_ON, GIVE, DONE, FAIL = range(5)
"""What the search does next: begin a position, try its next move, hand its score to the one before, nothing more."""
EVERY, PROPOSED, PROPOSED_FIRST, BY_CHANCE = range(4)
"""Which moves are searched: all, those that patterns propose, all but these first, some of them by chance."""
NO_MOVE = -99
"""The rule of a line that holds no move."""


@attrs.define(eq=False)
class Frame:
    """A position on the way to the one that is searched."""

    alpha: int = 0
    beta: int = 0
    first_alpha: int = 0
    """What alpha was at first."""
    best: int = 0
    """The best score so far."""
    best_move: int = 0
    """The number of its move, 0 where no score was above alpha."""
    depth: int = 0
    """How many plies deep is searched from here."""
    count: int = 0
    """How many moves there are."""
    next: int = 0
    """The index of the next one."""
    child: int = 0
    """The index of the one that is searched."""
    legal: int = 0
    """How many moves were made."""
    null_window: int = 0
    """Whether the child is asked only whether it is better than alpha."""
    reduced: int = 0
    """How many plies less deep the child is searched, as it comes late."""
    complete: int = 0
    """Whether all play was followed to its end."""
    loop: int = 0
    """The first ply on the way that the score rests on, as a position comes back to it."""
    same: int = 0
    """Whether the child has the same player to move."""
    hash_move: int = 0
    """The number of the best move that the table knows."""
    side: int = 0
    """Which half of the history counts."""
    hashed: int = 0
    """The hash of the position,"""
    marked: int = 0
    """and that of the child's move in it, where other threads can see that it is searched; else 0."""
    summed: int = 0
    """Whether the learned weights of the position were summed up."""


@attrs.define(eq=False)
class Counts:
    """What is counted."""

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
    again: int = 0
    """Children that were searched again with a whole window."""
    offered: int = 0
    """Moves."""
    taken_back: int = 0
    """Moves that a rule takes back."""
    loops: int = 0
    """Repetitions."""
    expanded: int = 0
    foreseen: int = 0
    """Positions whose value was enough; see `Search.margins`."""
    deepest: int = 0


@attrs.define(eq=False)
class State:
    """Where a search stands."""

    status: int = 0
    ply: int = 0
    failed: int = 0
    """The ply whose row says why a rule failed."""
    score: int = 0
    complete: int = 0
    loop: int = 0
    """What is handed to the position before: see `Frame`."""


@attrs.define(eq=False)
class Settings:
    """What is fixed in a search."""

    to_move: int = 0
    outcome: int = 0
    failure: int = 0
    """Where a row has these."""
    outgrown: int = 0
    """How a row says there that it has outgrown an unbounded board: such play counts as drawn. 0 for other boards."""
    players: int = 0
    cyclic: int = 0
    """Whether positions may come back."""
    repeating: int = 0
    """What a repetition does."""
    stuck: int = 0
    """What it means that all moves are forbidden: 0 a draw, 1 a loss, 2 a win."""
    age: int = 0
    seed: int = 0
    history: int = 0
    """How many positions of the game so far there are."""
    choosing: int = 0
    choosing_first: int = 0
    """Which moves are searched, and which of the root."""
    width: int = 0
    """At most so many of them."""
    late: int = 0
    """Moves after so many are searched less deep first; 0 for none."""
    fingerprinted: int = 0
    """Whether the table has fingerprints of positions."""
    untabled: int = 0
    """Whether the table only orders moves, as what a position is worth hangs on the way to it."""


class Rules(NamedTuple):
    """A game's kernel."""

    offer: Offer
    candidates: Candidates
    step: Step
    value_of: ValueOf
    pack: Pack


class Search(NamedTuple):
    """One search: plies stand first; a move has 2 + n numbers, and there is room for some moves in a position.

    `rows` [plies, words of a row], `before` [1, words of a row], `others` [room, 2 + n], `entries` [room, numbers],
    `scratch` [rows, words of a row], `moves` [plies, room, 2 + n], `order` [plies, room], `frames` and `lengths`
    [plies], `killers` [plies, 2], `history` [2 * HISTORY], `packed` and `past` [positions, width], `keys` [plies,
    words], `lines` [plies, plies, 2 + n], `left_out` [moves, 2 + n].
    """

    rows: Rows
    """The row of each ply."""
    before: Rows
    """One: the row before the first."""
    others: Lines
    entries: Lines
    scratch: Rows
    """To work with: moves, entries of moves, and rows."""
    moves: Planes
    """The moves of each ply."""
    order: Lines
    """How early each is tried."""
    frames: Records[Frame]
    killers: Lines
    """Two for each ply."""
    history: Line
    packed: Rows
    """The packed position of each ply."""
    table: Rows
    """The transposition table."""
    lines: Planes
    """The principal variation from each ply on."""
    lengths: Line
    """How long these are."""
    keys: Rows
    """What the table has for each ply's position: the packed one, or its fingerprint, if `Settings.fingerprinted`."""
    past: Rows
    """The packed positions of the game so far."""
    left_out: Lines
    """The moves of the root that are not looked at; one line of NO_MOVE for none."""
    busy: Row
    """See `busy`."""
    halted: Line
    """One number: anything but 0 ends the search where it is, whoever writes it."""
    counts: Records[Counts]
    """One."""
    state: Records[State]
    """One."""
    settings: Records[Settings]
    """One."""
    learned: Learned
    """What values positions instead of the game's `value`, where there is something."""
    margins: Lines
    """int64[plies + 1, 2]: how far a search of so many plies moves a score from the value, at least and at most; of no
    plies where all is searched. See `solver.players.margins`."""

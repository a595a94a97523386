"""The data of a Monte-Carlo tree search: tree, current game, counters and settings; see `mcts`."""

from __future__ import annotations

from typing import NamedTuple

import attrs

from solver.native.functions import (
    Candidates,
    Line,
    Lines,
    Offer,
    Pack,
    PayoffOf,
    RandomGame,
    Records,
    Rows,
    Step,
    ValueOf,
    Weigh,
)
from solver.native.learned import VALUE_UNIT, Learned

ILLEGAL, DRAWN, WON = -1, 1, 2
"""The proof of a node, besides OPEN: an illegal move, which a rule takes back; a draw; WON + player: a win."""
DONE, WAITING, FAIL, TREE_FULL, SETTLED = range(5)
"""Why a search ended: the root is proven, the limit of games is reached or the search was halted, a rule failed, the
tree has no room for the children of the root, no other move can become the most visited one."""
SELDOM = 1e9
"""The UCT value of a move that was never tried."""
WHOLE = 1024
"""Points of a win; a draw has half of them."""
UNIT = VALUE_UNIT
"""The minimax value of a win; that of a loss is -UNIT."""
JUDGED, PAID = -2, -3
"""Other ends of a game: it was stopped early and has the points of `State.share`, or the game's file declares payoffs,
and it has the points of `Search.worths`."""
NOWHERE, EVERYWHERE, BELOW_ROOT = range(3)
"""Where only moves that patterns propose are tried."""
INHERITED = 50
"""The most games that a new node's move inherits from another position."""


@attrs.define(eq=False)
class Node:
    """A position and the move that leads to it."""

    children: int = 0
    """Its children as `shared_tree.packed` has them, 0 where it is not expanded; a part of the moves where only those
    that patterns propose are searched."""
    visits: int = 0
    points: int = 0
    """The points of the player who moved to it, in all visits: WHOLE for a win, half of it for a draw."""
    proven: int = 0
    mover: int = 0
    """The player who moved to it."""
    later_visits: int = 0
    """RAVE: games in which its move was made, now or later, by the same player. With PUCT, the prior probability of its
    move, times UNIT."""
    later_points: int = 0
    """The points in these games. With PUCT, the points of its static value, which count as one visit."""
    code: int = 0
    """With `rave` the index of the move and its player in `Search.made`. In games with chance, which have no `rave`,
    the weight of a chance move among those of its position, and 0 for a player's move."""
    worth: int = 0
    """The minimax value by the game's `value`, for the player who moved to it, from -UNIT to UNIT."""


@attrs.define(eq=False)
class Counts:
    """Counters of a search."""

    played: int = 0
    """Games."""
    simulated: int = 0
    """Moves of random games."""
    proofs: int = 0
    taken_back: int = 0
    """Moves that a rule took back after they were made."""
    loops: int = 0
    """Repetitions."""
    ends: int = 0


@attrs.define(eq=False)
class State:
    """The state of the current game."""

    chance: int = 0
    """The state of a random sequence."""
    node: int = 0
    length: int = 0
    proof: int = 0
    """How the game ended."""
    share: int = 0
    """The points of the player `judged` in a game that was stopped early."""
    judged: int = 0
    goal: int = 0
    """The visits that the root will have when the time is up; 0 for a search that uses all of its time."""


@attrs.define(eq=False)
class Settings:
    """The constants of a search."""

    to_move: int = 0
    outcome: int = 0
    failure: int = 0
    """The indices of these words in a row."""
    outgrown: int = 0
    """The failure code of a row that has outgrown an unbounded board: such games are drawn. 0 for other boards."""
    stuck: int = 0
    """The failure code of a row in which every move would repeat a position, which is forbidden: such random games are
    drawn. 0 for other games."""
    players: int = 0
    cyclic: int = 0
    """Whether positions can repeat."""
    repeating: int = 0
    """The effect of a repetition: DRAWS, LOSES or FORBIDDEN of `workspace`."""
    history: int = 0
    """The number of positions in `Search.past`."""
    limit: int = 0
    """The number of moves after which a random game is stopped."""
    rave: int = 0
    """The RAVE equivalence parameter: the visits of a move that count as much as its RAVE statistics; 0 for no RAVE."""
    minimax: int = 0
    """The share of the minimax value in the value of a move, in thousandths."""
    guided: int = 0
    """Whether PUCT selects moves."""
    temperature: int = 0
    """The temperature of the prior probabilities, in thousandths of a win."""
    proposing: int = 0
    """Whether only moves that patterns propose are tried: NOWHERE, EVERYWHERE or BELOW_ROOT."""
    widening: int = 0
    """The number of moves of a position that are tried at first; 0 for all."""
    scale: int = 0
    """The `value` that stands for three quarters of all games won; 0 where only its sign counts."""
    chance: int = 0
    """The most chance moves of a position that are kept; 0 in a game without chance."""
    threads: int = 0
    """The number of threads that search the same tree."""
    paying: int = 0
    """Whether the game's file declares payoffs."""
    low: int = 0
    high: int = 0
    """The payoffs that have no points, and all points."""


class Rules(NamedTuple):
    """A game's kernel."""

    offer: Offer
    step: Step
    value_of: ValueOf
    pack: Pack
    random_game: RandomGame
    weigh: Weigh
    payoff_of: PayoffOf
    candidates: Candidates


SHARED = ("tree", "moves", "used", "claims", "past", "sides", "settings")
"""The fields of `Search` that threads which search the same tree share."""


class Search(NamedTuple):
    """The arrays of one search."""

    rows: Rows
    """[4, words of a row]: the current position, the one before, scratch space, and the position before the root."""
    entries: Lines
    scratch: Rows
    offered: Lines
    move: Line
    """Scratch space for entries of moves, rows, and moves."""
    tree: Records[Node]
    moves: Lines
    """[nodes, 2 + n]: the move that leads to each node."""
    used: Line
    claims: Line
    """See `shared_tree`."""
    halted: Line
    """[1]: any thread ends the search after the current game by writing a number other than 0."""
    path: Line
    """[plies]: the nodes of the current game."""
    made: Line
    """int64[2 * HISTORY]: the last game in which each move was made, by the move's code."""
    known: Line
    """int64[2 * HISTORY]: the child of an ancestor that each move leads to, by the move's code."""
    keys: Line
    """[room]: the estimates by which new nodes are sorted."""
    packed: Rows
    """[plies, width]: the packed positions of the current game."""
    past: Rows
    """[positions, width]: the packed positions of the game before the root."""
    sides: Line
    """[players]: the player under whose number each player wins."""
    shares: Line
    """[room]: the weights of the listed chance moves."""
    worths: Line
    """[players]: the points of each side in the game that was played."""
    counts: Records[Counts]
    """One record."""
    state: Records[State]
    """One record."""
    settings: Records[Settings]
    """One record."""
    learned: Learned
    """Learned weights that value positions instead of the game's `value`, where there are any."""

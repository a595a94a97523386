"""What a Monte-Carlo tree search knows: its tree, the game that is played, and what is fixed; see `mcts`."""

from __future__ import annotations

from typing import NamedTuple

import attrs

from solver.native.functions import (
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

OPEN, ILLEGAL, DRAWN, WON = 0, -1, 1, 2
"""How a node is proven: not; a move that a rule takes back; a draw; WON + player: a win."""
DONE, WAITING, FAIL, TREE_FULL = range(4)
"""Why a search ended: the root is proven, so many games were played, a rule failed, the tree is full."""
SELDOM = 1e9
"""What is expected of a move that was never tried."""
WHOLE = 1024
"""Points of a win; a draw has half of them."""
UNIT = VALUE_UNIT
"""The worth of a win by minimax; a loss has as much below 0."""
JUDGED, PAID = -2, -3
"""How a game ended otherwise: one that was broken off has the points of `State.share`, and one for whose ends the file
says what they are worth those of `Search.worths`."""
INHERITED = 50
"""At most so many games of another position are counted for a new node's move."""


@attrs.define(eq=False)
class Node:
    """A position, by the move that leads to it."""

    first: int = 0
    """Where its children begin, -1 where there are none yet."""
    count: int = 0
    """How many there are."""
    visits: int = 0
    points: int = 0
    """Of the player who moved to it: WHOLE for a win, half of it for a draw."""
    proven: int = 0
    mover: int = 0
    """Who moved to it."""
    later_visits: int = 0
    """Games in which its move was made, now or later, by the same player."""
    later_points: int = 0
    """Of these games."""
    code: int = 0
    """With `rave` a number for the move and its player, below that of `Search.made`. In games with chance, which have
    no `rave`, how likely a move of chance is beside the others of its position, and 0 of a player's."""
    worth: int = 0
    """What minimax says by the game's `value` for the player who moved to it, from -UNIT to UNIT."""


@attrs.define(eq=False)
class Counts:
    """What is counted."""

    played: int = 0
    """Games."""
    simulated: int = 0
    """Moves of random games."""
    proofs: int = 0
    deepest: int = 0
    taken_back: int = 0
    """Moves that a rule takes back."""
    loops: int = 0
    """Repetitions."""
    ends: int = 0


@attrs.define(eq=False)
class State:
    """The game that is played."""

    chance: int = 0
    """The state of a random sequence."""
    node: int = 0
    length: int = 0
    proof: int = 0
    """How the game ended."""
    share: int = 0
    """Of a game that was broken off, the points of the player `judged`."""
    judged: int = 0


@attrs.define(eq=False)
class Settings:
    """What is fixed in a search."""

    to_move: int = 0
    outcome: int = 0
    failure: int = 0
    """Where a row has these."""
    outgrown: int = 0
    """How a row says there that it has outgrown an unbounded board: such a game counts as drawn. 0 for other boards."""
    players: int = 0
    cyclic: int = 0
    """Whether positions may come back."""
    repeating: int = 0
    """What a repetition does."""
    history: int = 0
    """How many positions of the game so far there are."""
    limit: int = 0
    """Moves after which a random game is broken off."""
    rave: int = 0
    """As many games count as much as those in which a move was made later; 0 where the latter do not count."""
    minimax: int = 0
    """The share of minimax in what a move is worth, in thousandths."""
    widening: int = 0
    """How many moves of a position are tried at first; 0 for all."""
    scale: int = 0
    """The `value` that stands for three quarters of all games won; 0 where only its sign counts."""
    chance: int = 0
    """At most so many moves of chance are kept of a position; 0 in a game without chance."""
    threads: int = 0
    """How many threads search the same tree."""
    paying: int = 0
    """Whether the file says what ends are worth."""
    low: int = 0
    high: int = 0
    """What an end is worth that has no points, and one that has all."""


class Rules(NamedTuple):
    """A game's kernel."""

    offer: Offer
    step: Step
    value_of: ValueOf
    pack: Pack
    random_game: RandomGame
    weigh: Weigh
    payoff_of: PayoffOf


SHARED = ("tree", "moves", "used", "claims", "past", "sides", "settings")
"""What threads share of `Search` that search the same tree."""


class Search(NamedTuple):
    """One search."""

    rows: Rows
    """[3, words of a row]: the position that was reached, the one before, and one to work with."""
    entries: Lines
    scratch: Rows
    offered: Lines
    move: Line
    """To work with: entries of moves, rows, and moves."""
    tree: Records[Node]
    moves: Lines
    """[nodes, 2 + n]: the move that leads to each."""
    used: Line
    claims: Line
    """See `shared_tree`."""
    halted: Line
    """[1]: anything but 0 ends the search after a game, whoever writes it."""
    path: Line
    """[plies]: the nodes of a game."""
    made: Line
    """By a move's code the last game in which it was made. int64[2 * HISTORY]"""
    known: Line
    """By a move's code the child of a position that has it. int64[2 * HISTORY]"""
    keys: Line
    """[room]: what is expected of each move that is listed, to sort them by."""
    packed: Rows
    """[plies, width]: the packed positions of a game."""
    past: Rows
    """[positions, width]: those of the game so far."""
    sides: Line
    """[players]: for each the one by whose number the player wins."""
    shares: Line
    """[room]: what each move of chance that is listed weighs."""
    worths: Line
    """[players]: the points of the game that was played, for each side."""
    counts: Records[Counts]
    """One."""
    state: Records[State]
    """One."""
    settings: Records[Settings]
    """One."""
    learned: Learned
    """What values positions instead of the game's `value`, where there is something."""

"""The outcome after a move, and carrying out moves with their outcomes."""

from __future__ import annotations

from interpreter.compiler.runtime.game import (
    DRAW,
    FAILED,
    GOING,
    OUTCOME,
    SEATS,
    TO_MOVE,
    act,
    ends,
    has_move,
    outcome,
    quick_outcome,
    stuck_ends,
)
from interpreter.compiler.runtime.types import EMPTY, Int, Line, Lines, Row, Rows, Static, number, word

DRAWS, WINS, LOSES = 1, 2, 3
"""The result for a player without a move, by the `no moves` rule; 0 where it defines none."""


def result_of_no_move(who: Int, result: Static, players: Static) -> Int:
    """The outcome where a player has no move, by the `no moves` rule."""
    if result == 1:
        return DRAW
    if result == 2:
        return who
    if players == 2:
        return 1 - who
    return DRAW


def found_outcome(state: Row, mover: Int, entries: Lines, scratch: Rows, stuck: Static, result: Static, seated: Static,
                  players: Static) -> Int:
    """The outcome after a move of the mover, GOING where the game is not over.

    `stuck` says whether some ends are only for positions without a move, `result` is that of the `no moves` rule, and
    `seated` says whether the outcome has to be converted from colours to seats.
    """
    found = ends(state, mover, entries, scratch)
    if (stuck or result) and found == GOING and not has_move(state, number(state[TO_MOVE]), entries, scratch):
        if stuck:
            found = stuck_ends(state)
            if result and found == GOING:
                found = result_of_no_move(number(state[TO_MOVE]) ^ number(state[SEATS]), result, players)
        else:
            found = result_of_no_move(number(state[TO_MOVE]) ^ number(state[SEATS]), result, players)
    if seated and found >= 0:
        found = found ^ number(state[SEATS])
    return found


def outcome_soon(state: Row, mover: Int, entries: Lines, scratch: Rows) -> Int:
    """The outcome after a move; may be GOING where the game ends only because there is no move."""
    return outcome(state, mover, entries, scratch)


def outcome_without_move(state: Row, stuck: Static, result: Static, endless: Static, failure: Static,
                         players: Static) -> Int:
    """The outcome where there is no move; sets a failure where no rule defines it."""
    if stuck:
        found = stuck_ends(state)
        if found >= 0:
            return found ^ number(state[SEATS])
        if found != GOING:
            return found
    if result:
        return result_of_no_move(number(state[TO_MOVE]), result, players)
    if endless:
        return DRAW
    if state[FAILED] == EMPTY:
        state[FAILED] = word(failure)
    return GOING


def applied(state: Row, move: Line, entries: Lines, scratch: Rows) -> Int:
    """Carry out a move and determine the outcome; 1 where the move is illegal, else 0."""
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    code = act(state, move, scratch)
    if code != 0:
        return code
    state[OUTCOME] = word(outcome(state, mover, entries, scratch))
    return 0


def advanced(state: Row, move: Line, entries: Lines, scratch: Rows) -> Int:
    """The same, but a game that ends because there is no move may be left open."""
    mover = number(state[TO_MOVE]) ^ number(state[SEATS])
    code = act(state, move, scratch)
    if code != 0:
        return code
    state[OUTCOME] = word(quick_outcome(state, mover, entries, scratch))
    return 0

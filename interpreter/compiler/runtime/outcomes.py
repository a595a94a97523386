"""How the game stands after a move, and moves with that."""

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
"""What becomes of who has no move, by the `no moves` rule; 0 where it does not say."""


def result_of_no_move(who: Int, result: Static, players: Static) -> Int:
    """The outcome where a player has no move, by the `no moves` rule."""
    if result == 1:
        return DRAW
    if result == 2:
        return who
    if players == 2:
        return 1 - who
    return DRAW


def found_outcome(S: Row, mover: Int, E: Lines, X: Rows, stuck: Static, result: Static, seated: Static,
                  players: Static) -> Int:
    """The outcome after a move of the mover, GOING while it goes on.

    `stuck` where some ends are only for positions without a move, `result` what the `no moves` rule says.
    """
    found = ends(S, mover, E, X)
    if (stuck or result) and found == GOING and not has_move(S, number(S[TO_MOVE]), E, X):
        if stuck:
            found = stuck_ends(S)
            if result and found == GOING:
                found = result_of_no_move(number(S[TO_MOVE]) ^ number(S[SEATS]), result, players)
        else:
            found = result_of_no_move(number(S[TO_MOVE]) ^ number(S[SEATS]), result, players)
    if seated and found >= 0:
        found = found ^ number(S[SEATS])
    return found


def outcome_soon(S: Row, mover: Int, E: Lines, X: Rows) -> Int:
    """The outcome after a move, which may be left open where it is that there is no move."""
    return outcome(S, mover, E, X)


def outcome_without_move(S: Row, stuck: Static, result: Static, endless: Static, failure: Static,
                         players: Static) -> Int:
    """The outcome where there is no move; where no rule says it, a rule fails."""
    if stuck:
        found = stuck_ends(S)
        if found >= 0:
            return found ^ number(S[SEATS])
        if found != GOING:
            return found
    if result:
        return result_of_no_move(number(S[TO_MOVE]), result, players)
    if endless:
        return DRAW
    if S[FAILED] == EMPTY:
        S[FAILED] = word(failure)
    return GOING


def applied(S: Row, m: Line, E: Lines, X: Rows) -> Int:
    """Carry out a move and see how the game stands; 1 where it is illegal."""
    mover = number(S[TO_MOVE]) ^ number(S[SEATS])
    code = act(S, m, X)
    if code != 0:
        return code
    S[OUTCOME] = word(outcome(S, mover, E, X))
    return 0


def advanced(S: Row, m: Line, E: Lines, X: Rows) -> Int:
    """The same, but that no move is left may be seen later."""
    mover = number(S[TO_MOVE]) ^ number(S[SEATS])
    code = act(S, m, X)
    if code != 0:
        return code
    S[OUTCOME] = word(quick_outcome(S, mover, E, X))
    return 0

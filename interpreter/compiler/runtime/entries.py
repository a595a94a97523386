"""What is called from outside on one position."""

from __future__ import annotations

from interpreter.compiler.runtime.game import (
    DRAW,
    FAILED,
    GOING,
    MOVE_WIDTH,
    OUTCOME,
    PLAYING,
    SCRATCH,
    SEATS,
    WIDTH,
    apply,
    legal,
    payoff,
    play,
    unpack,
    value,
)
from interpreter.compiler.runtime.types import (
    EMPTY,
    Int,
    Line,
    Lines,
    Row,
    Rows,
    Static,
    Word,
    entry,
    line,
    number,
    row,
    rows,
    scramble,
    stir,
    word,
)


@entry
def list_moves(S: Row, E: Lines, M: Lines, endless: Static, failure: Static) -> Int:
    """List the legal moves of a position; how many."""
    X = rows(SCRATCH, WIDTH)
    many = legal(S, E, M, X)
    if not endless and many == 0 and number(S[OUTCOME]) == GOING and S[FAILED] == EMPTY:
        S[FAILED] = word(failure)
    return many


@entry
def apply_move(S: Row, m: Line, E: Lines) -> Int:
    """Carry out a move; 1 where a rule takes it back."""
    X = rows(SCRATCH, WIDTH)
    return apply(S, m, E, X)


@entry
def value_of(S: Row) -> Int:
    """The game's value of a position for the player to move."""
    return value(S)


@entry
def payoff_of(S: Row, player: Int) -> Int:
    """What a finished game is worth to a player, by the file's declarations."""
    return payoff(S, player ^ number(S[SEATS]), player)


@entry
def payoffs_of(P: Rows, first: Int, last: Int, player: Int, S: Row, found: Line) -> Int:
    """What some packed positions are worth to a player whose games are over; gives `last`, or where a rule failed."""
    for at in range(first, last):
        unpack(P[at], S)
        if number(S[OUTCOME]) != GOING:
            found[at] = payoff(S, player ^ number(S[SEATS]), player)
            if S[FAILED] != EMPTY:
                return at
    return last


@entry
def play_out(S: Row, seed: Word, limit: Int, E: Lines) -> Int:
    """Play random moves to the end; how many."""
    X = rows(PLAYING, WIDTH)
    m = line(MOVE_WIDTH)
    return play(S, seed, limit, E, X, m)


@entry
def play_outs(start: Row, seed: Word, limit: Int, games: Int, E: Lines, results: Line) -> Int:
    """Play games from a position; results counts draws, each player's wins, and unfinished games."""
    X = rows(PLAYING, WIDTH)
    m = line(MOVE_WIDTH)
    S = row(WIDTH)
    plies = 0
    for game in range(games):
        for i in range(WIDTH):
            S[i] = start[i]
        seed = stir(seed)
        plies += play(S, scramble(seed), limit, E, X, m)
        if S[FAILED] != EMPTY:
            start[FAILED] = S[FAILED]
            return -1 - game
        found = number(S[OUTCOME])
        results[found + 1 if found >= DRAW else len(results) - 1] += 1
    return plies

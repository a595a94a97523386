"""Entries of a kernel for a single position."""

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
def list_moves(state: Row, entries: Lines, move_rows: Lines, endless: Static, failure: Static) -> Int:
    """List the legal moves of a position; how many."""
    scratch = rows(SCRATCH, WIDTH)
    many = legal(state, entries, move_rows, scratch)
    if not endless and many == 0 and number(state[OUTCOME]) == GOING and state[FAILED] == EMPTY:
        state[FAILED] = word(failure)
    return many


@entry
def apply_move(state: Row, move: Line, entries: Lines) -> Int:
    """Carry out a move; 1 where it is illegal."""
    scratch = rows(SCRATCH, WIDTH)
    return apply(state, move, entries, scratch)


@entry
def value_of(state: Row) -> Int:
    """The game's value of a position for the player to move."""
    return value(state)


@entry
def payoff_of(state: Row, player: Int) -> Int:
    """The payoff of a finished game for a player, as the rules declare it."""
    return payoff(state, player ^ number(state[SEATS]))


@entry
def payoffs_of(packed: Rows, first: Int, last: Int, player: Int, state: Row, found: Line) -> Int:
    """Write a player's payoffs of the finished games among packed positions; `last`, or where a rule failed."""
    for at in range(first, last):
        unpack(packed[at], state)
        if number(state[OUTCOME]) != GOING:
            found[at] = payoff(state, player ^ number(state[SEATS]))
            if state[FAILED] != EMPTY:
                return at
    return last


@entry
def play_out(state: Row, seed: Word, limit: Int, entries: Lines) -> Int:
    """Play random moves to the end of the game, at most `limit`; how many were played."""
    scratch = rows(PLAYING, WIDTH)
    move = line(MOVE_WIDTH)
    return play(state, seed, limit, entries, scratch, move)


@entry
def play_outs(start: Row, seed: Word, limit: Int, games: Int, entries: Lines, results: Line) -> Int:
    """Play random games from a position; `results` counts draws, the wins of each player, and unfinished games.

    Returns the number of plies of all games, or -1 - game where a rule failed.
    """
    scratch = rows(PLAYING, WIDTH)
    move = line(MOVE_WIDTH)
    state = row(WIDTH)
    plies = 0
    for game in range(games):
        for i in range(WIDTH):
            state[i] = start[i]
        seed = stir(seed)
        plies += play(state, scramble(seed), limit, entries, scratch, move)
        if state[FAILED] != EMPTY:
            start[FAILED] = state[FAILED]
            return -1 - game
        found = number(state[OUTCOME])
        results[found + 1 if found >= DRAW else len(results) - 1] += 1
    return plies

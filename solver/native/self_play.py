"""Self-play training of pattern weights by TD(lambda).

Each move is the best by a one-ply search or, sometimes, a random one. After a game, each of its positions is trained
towards what followed: the value of its best move and, as long as best moves were played, those of the positions after
it, with weights that decay by `lambda` (Sutton, "Learning to predict by the methods of temporal differences", 1988). A
position's value is the hyperbolic tangent of its sum, 1 for a win of the first player's pieces; weights follow the
gradient of the cross entropy, so that a confident error is unlearned as fast as any other. The step size of a weight
depends on how far its errors agree in sign (Beal and Smith, "Temporal coherence and prediction decay in TD learning",
1999).

`play` resumes where it stopped, also within a game: its whole state is in the arrays that it is given, so that the same
number of games and the same seed give the same weights, however often it was interrupted.

Arrays: `start` uint64[words of a row]; for those of the named tuples, see their fields.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import attrs

from interpreter.kernel.plain import EMPTY, ONE, below, lowest, number
from solver.native.functions import (
    Line,
    Lines,
    Links,
    Offer,
    RandomGame,
    Reals,
    Records,
    Row,
    Rows,
    Step,
    ValueOf,
    compiled,
    inlined,
)
from solver.native.learned import VALUE_UNIT, changed_cells, piece_at, read_contents, term_of, value_of_number
from solver.native.workspace import GOES_ON, copy_row, next_random

FIRST, SECOND, TERM = range(3)
"""Indices of the weights besides the patterns': for the first or second player to move, and for the game's `value`."""
OTHERS = 3
WAITING, FAIL = range(2)
"""The result of `play`: it reached one of its limits, or a rule failed."""
_MOVED, _OVER, _FAILED = range(3)
"""What happened in a position of a game: a move was made, the game is over, or a rule failed."""
_SMALL = 1e-9


@attrs.define(eq=False)
class Rates:
    """The parameters of learning."""

    exploring: float = 0.1
    """The share of random moves."""
    fading: float = 0.7
    """Lambda."""
    learning: float = 2.0
    """The learning rate, divided among all weights of a position.

    More than 1 is not too much, as weights whose errors differ in sign move less: at equal nodes, weights learned with
    1 won 94, 76, 58 and 56 of 100 games of four games against those with 0.3, and those with 2 won 62, 57, 53 and 46
    against those with 1 or the best before.
    """


@attrs.define(eq=False)
class Setting:
    """The constants of a training run."""

    words: int = 0
    pieces: int = 0
    cells: int = 0
    patterns: int = 0
    """The number of patterns, including numbers that the rules keep, which come last."""
    numbers: int = 0
    to_move: int = 0
    seats: int = 0
    outcome: int = 0
    failure: int = 0
    """The indices of these words in a row; see `learned`."""
    term: int = 0
    """Whether the game's `value` is a term of the sum."""
    scale: int = 0
    """The `value` at which the term reaches half of its limit."""
    opening: int = 0
    """The most random moves at the start of a game."""
    limit: int = 0
    """The number of moves after which a game is stopped."""
    second: int = 0
    """See `learned.Shape`."""


@attrs.define(eq=False)
class Progress:
    """The progress of a training run."""

    games: int = 0
    positions: int = 0
    chance: int = 0
    """The state of the random number generator."""
    begun: int = 0
    """That state at the end of the last game: from there the game in progress can be played again."""
    going: int = 0
    """Whether a game is in progress."""
    length: int = 0
    """The number of its moves to learn from."""
    random: int = 0
    """The number of games to come that are played at random, whose positions are trained towards the result."""


class Rules(NamedTuple):
    """The functions of a game's kernel."""

    offer: Offer
    step: Step
    value_of: ValueOf
    random_game: RandomGame


class Lesson(NamedTuple):
    """The arrays of a training run."""

    begin: Line
    touched: Links
    powers: Links
    bases: Line
    """See `learned.Learned`; several patterns may share weights."""
    numbers: Lines
    signs: Line
    """int64[patterns]: 1, or -1 where a pattern swaps the players."""
    labels: Lines
    """int64[2, pieces]: the digit of each content of a cell; in the second line with the players swapped."""
    weights: Reals
    trends: Reals
    """The sum of each weight's errors."""
    turmoil: Reals
    """The sum of the absolute values of each weight's errors."""
    others: Reals
    """float64[9]: the weights besides the patterns', then their trends, then their turmoil."""
    rates: Records[Rates]
    """A single record."""
    contents: Line
    """int64[cells]"""
    indices: Lines
    """int64[limit + 1, patterns]: the indices of the weights of each position of the game."""
    movers: Line
    terms: Reals
    targets: Reals
    """float64[limit + 1]: the value of the best move of each position, from the view of the first player's pieces."""
    greedy: Line
    """int64[limit + 1]: whether the best move was played."""
    rows: Rows
    """Two rows: the position of the game, and the one after a move."""
    offered: Lines
    entries: Lines
    scratch: Rows
    move: Line
    errors: Reals
    """float64[2]: the sum of the squares of errors, and their number."""
    progress: Records[Progress]
    setting: Records[Setting]


@inlined
def _colour(own: Lesson, row: Row) -> int:
    """The colour of the player to move: 0 for the first player's pieces, 1 for the second's."""
    setting = own.setting[0]
    return number(row[setting.to_move]) ^ number(row[setting.seats])


@inlined
def _result(own: Lesson, row: Row) -> float:
    """1 if the first player's pieces won, -1 if the second's did, 0 for a draw."""
    setting = own.setting[0]
    outcome = number(row[setting.outcome])
    if outcome < 0:
        return 0.0
    return 1.0 if outcome ^ number(row[setting.seats]) == 0 else -1.0


@inlined
def _label(own: Lesson, pattern: int, piece: int) -> int:
    """The digit of a cell's content in a pattern's index."""
    return int(own.labels[0 if own.signs[pattern] > 0 else 1, piece])


@inlined
def _find_indices(own: Lesson, row: Row, ply: int) -> None:
    """Write the indices of the weights of a position's patterns."""
    setting, contents, indices = own.setting[0], own.contents, own.indices[ply]
    read_contents(row, setting.words, setting.pieces, setting.cells, contents)
    for pattern in range(setting.patterns):
        indices[pattern] = own.bases[pattern]
    for cell in range(setting.cells):
        for k in range(own.begin[cell], own.begin[cell + 1]):
            pattern = own.touched[k]
            indices[pattern] += _label(own, pattern, contents[cell]) * own.powers[k]
    for k in range(setting.numbers):
        indices[setting.patterns - setting.numbers + k] = _number_index(own, row, k)


@inlined
def _number_index(own: Lesson, row: Row, k: int) -> int:
    """The index of the weight of a number that the rules keep."""
    setting, kept = own.setting[0], own.numbers[k]
    pattern = setting.patterns - setting.numbers + k
    index = int(own.bases[pattern]) + value_of_number(row, kept)
    if kept[1] >= 0:
        piece = piece_at(row, setting.words, setting.pieces, kept[1] >> 6, kept[1] & 63)
        index += _label(own, pattern, piece) * kept[3]
    return index


@inlined
def _plane(own: Lesson, pattern: int, colour: int) -> int:
    """The offset to a pattern's weights for positions with `colour` to move."""
    return (colour if own.signs[pattern] > 0 else 1 - colour) * own.setting[0].second


@inlined
def _sum_of(own: Lesson, ply: int, colour: int) -> float:
    """The sum of the weights of a position's patterns, with `colour` to move."""
    total = 0.0
    indices = own.indices[ply]
    for pattern in range(own.setting[0].patterns):
        total += own.signs[pattern] * own.weights[indices[pattern] + _plane(own, pattern, colour)]
    return total


@inlined
def _sum_after(own: Lesson, row: Row, after: Row, ply: int, total: float) -> float:
    """The pattern sum after a move; `total` is the sum before it, with the same player to move as after it."""
    setting, indices, colour = own.setting[0], own.indices[ply], _colour(own, after)
    for forth in range(2):  # change the indices, then restore them
        for w in range(setting.words):
            left = changed_cells(row, after, setting.words, setting.pieces, w)
            while left != EMPTY:
                bit = lowest(left)
                left &= left - ONE
                cell = 64 * w + bit
                then = piece_at(after, setting.words, setting.pieces, w, bit)
                now = own.contents[cell]
                for k in range(own.begin[cell], own.begin[cell + 1]):
                    pattern = own.touched[k]
                    step = (_label(own, pattern, then) - _label(own, pattern, now)) * own.powers[k]
                    if forth == 0:
                        before = indices[pattern]
                        plane = _plane(own, pattern, colour)
                        total += own.signs[pattern] * (own.weights[plane + before + step] - own.weights[plane + before])
                        indices[pattern] = before + step
                    else:
                        indices[pattern] -= step
    for k in range(setting.numbers):
        pattern = setting.patterns - setting.numbers + k
        plane = _plane(own, pattern, colour)
        total += own.signs[pattern] * (own.weights[plane + _number_index(own, after, k)]
                                       - own.weights[plane + indices[pattern]])
    return total


@inlined
def _besides(own: Lesson, colour: int, term: float) -> float:
    """The part of a position's sum that does not come from patterns."""
    return float(own.others[FIRST if colour == 0 else SECOND] + own.others[TERM] * term)


@inlined
def _term(rules: Rules, own: Lesson, row: Row) -> float:
    """The game's `value`, scaled to -1 to 1, from the view of the first player's pieces."""
    if own.setting[0].term == 0:
        return 0.0
    result = term_of(rules.value_of(row), own.setting[0].scale) / float(VALUE_UNIT)
    return result if _colour(own, row) == 0 else -result


@inlined
def _choose(rules: Rules, own: Lesson, ply: int) -> int:
    """Evaluate all moves of a position, write the value of the best one to `targets`, and choose a move to play.

    Returns its number, -1 if a rule fails, -2 if there is none.
    """
    setting, row, after = own.setting[0], own.rows[0], own.rows[1]
    count = rules.offer(row, own.offered, own.entries, own.scratch)
    if count < 0:
        return -1
    side = 1.0 if _colour(own, row) == 0 else -1.0
    first = _sum_of(own, ply, 0)
    second = first if setting.second == 0 else _sum_of(own, ply, 1)
    chosen = -2
    highest = -10.0
    ties = 0
    other = -2
    others = 0
    for k in range(count):
        copy_row(row, after)
        code = rules.step(after, own.offered[k], own.entries, own.scratch)
        if code < 0:
            row[setting.failure] = after[setting.failure]
            return -1
        if code > 0:
            continue
        worth = 0.0
        if number(after[setting.outcome]) != GOES_ON:
            worth = _result(own, after)
        else:
            mover = _colour(own, after)
            worth = math.tanh(_sum_after(own, row, after, ply, first if mover == 0 else second)
                              + _besides(own, mover, _term(rules, own, after)))
            if number(after[setting.failure]) != 0:
                row[setting.failure] = after[setting.failure]
                return -1
        others += 1
        if below(next_random(own.progress[0]), others) == 0:
            other = k
        if side * worth > highest:
            highest = side * worth
            chosen = k
            ties = 1
        elif side * worth == highest:
            ties += 1
            if below(next_random(own.progress[0]), ties) == 0:
                chosen = k
    if chosen < 0:
        return -2
    own.targets[ply] = side * highest
    own.greedy[ply] = 1
    if below(next_random(own.progress[0]), 1 << 20) < int(own.rates[0].exploring * (1 << 20)) and other != chosen:
        own.greedy[ply] = 0
        chosen = other
    return chosen


@inlined
def _choose_randomly(rules: Rules, own: Lesson, ply: int) -> int:
    """Choose one of all legal moves; returns as `_choose` does."""
    row, after, offered = own.rows[0], own.rows[1], own.offered
    count = rules.offer(row, offered, own.entries, own.scratch)
    own.greedy[ply] = 1
    while count > 0:
        k = below(next_random(own.progress[0]), count)
        copy_row(row, after)
        code = rules.step(after, offered[k], own.entries, own.scratch)
        if code == 0:
            return k
        if code < 0:
            row[own.setting[0].failure] = after[own.setting[0].failure]
            return -1
        count -= 1
        copy_row(offered[count], offered[k])
    return -1 if count < 0 else -2


@inlined
def _begin(rules: Rules, start: Row, own: Lesson) -> bool:
    """Begin a game with random moves; return False if a rule fails."""
    progress, row = own.progress[0], own.rows[0]
    copy_row(start, row)
    progress.going, progress.length = 1, 0
    opening = below(next_random(progress), own.setting[0].opening + 1)
    return opening == 0 or rules.random_game(row, next_random(progress), opening, own.entries, own.scratch,
                                             own.move) >= 0


@inlined
def _make_move(rules: Rules, own: Lesson) -> int:
    """Choose a move of the game in progress, make it, and note what the position teaches; return what happened."""
    setting, progress, row = own.setting[0], own.progress[0], own.rows[0]
    ply = progress.length
    if ply >= setting.limit or number(row[setting.outcome]) != GOES_ON:
        return _OVER
    _find_indices(own, row, ply)
    own.movers[ply] = _colour(own, row)
    own.terms[ply] = _term(rules, own, row)
    chosen = _choose(rules, own, ply) if progress.random == 0 else _choose_randomly(rules, own, ply)
    if chosen == -2:
        return _OVER
    if chosen < 0 or rules.step(row, own.offered[chosen], own.entries, own.scratch) != 0:
        return _FAILED
    progress.length += 1
    return _MOVED


@inlined
def _teach(own: Lesson, length: int) -> None:
    """Train on the positions of a game, the last one first."""
    setting, rates = own.setting[0], own.rates[0]
    then = 0.0
    share = rates.learning / (setting.patterns + OTHERS)
    for ply in range(length - 1, -1, -1):
        target = own.targets[ply]
        if ply < length - 1 and own.greedy[ply] == 1:
            target += rates.fading * (then - target)
        then = target
        colour, term = own.movers[ply], own.terms[ply]
        said = math.tanh(_sum_of(own, ply, colour) + _besides(own, colour, term))
        error = target - said
        own.errors[0] += error * error
        own.errors[1] += 1.0
        indices = own.indices[ply]
        for pattern in range(setting.patterns):
            place, own_slope = indices[pattern] + _plane(own, pattern, colour), error * own.signs[pattern]
            agreed = abs(own.trends[place]) / (own.turmoil[place] + _SMALL)
            if own.turmoil[place] == 0.0:
                agreed = 1.0
            own.weights[place] += share * agreed * own_slope
            own.trends[place] += own_slope
            own.turmoil[place] += abs(own_slope)
        _teach_other(own, FIRST if colour == 0 else SECOND, share * error, error)
        if setting.term != 0:
            _teach_other(own, TERM, share * error * term, error * term)


@inlined
def _teach_other(own: Lesson, which: int, step: float, slope: float) -> None:
    """Update a weight that belongs to no pattern."""
    agreed = 1.0
    if own.others[2 * OTHERS + which] > 0.0:
        agreed = abs(own.others[OTHERS + which]) / own.others[2 * OTHERS + which]
    own.others[which] += agreed * step
    own.others[OTHERS + which] += slope
    own.others[2 * OTHERS + which] += abs(slope)


@compiled
def play(offer: Offer, step: Step, value_of: ValueOf, random_game: RandomGame, start: Row, own: Lesson,
         until: int, moves: int) -> int:
    """Play games and learn from them until `until` games were played in all, or for `moves` moves, or ends of games.

    Returns WAITING, or FAIL if a rule fails; the next call then repeats that game.
    """
    rules = Rules(offer, step, value_of, random_game)
    progress = own.progress[0]
    for _ in range(moves):
        if progress.games >= until:
            break
        if progress.going == 0 and not _begin(rules, start, own):
            found = _FAILED
        else:
            found = _make_move(rules, own)
        if found == _MOVED:
            continue
        progress.going = 0
        if found == _FAILED:
            progress.chance = progress.begun
            return FAIL
        if progress.random > 0:
            progress.random -= 1
            own.targets[:progress.length] = _result(own, own.rows[0])
        _teach(own, progress.length)
        progress.games += 1
        progress.positions += progress.length
        progress.begun = progress.chance
    return WAITING

"""What random games of a compiled game say of it: their length, its payoffs, and the scale of its `value`.

Players and learning use these before they begin; `solver.complexity` and `solver.forecast` play random games of their
own, to count positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from interpreter.arrays import Words
from interpreter.model.state import State
from solver.entries import Entries

LONGEST = 2_000
"""Moves after which a random game is cut off."""
_SAMPLED = 100
"""Random games that sample the range of payoffs."""


def scale_of_value(entries: Entries, games: int = 200) -> int:
    """The mean absolute `value` of positions reached by random play, one from each of `games` games; at least 1.

    Raises RuleError where a rule fails.
    """
    total, count = 0, 0
    start = entries.game.start().state
    length = max(2.0, length_of_games(entries, start, 10))
    for row, _ in _random_games(entries, start, games, lambda seed: 1 + int(seed * length / games)):
        if entries.kernel.state(row).outcome is None:
            total, count = total + abs(int(entries.value_of(row))), count + 1
    return max(1, total // max(count, 1))


def length_of_games(entries: Entries, state: State, games: int) -> float:
    """The mean length of random games from a position, in plies; `LONGEST` where all outgrow the board.

    Raises RuleError where a rule fails.
    """
    lengths = [plies for _, plies in _random_games(entries, state, games)]
    return sum(lengths) / len(lengths) if lengths else LONGEST


def worths_of_ends(entries: Entries, state: State, games: int = _SAMPLED) -> tuple[int, int]:
    """The least and the greatest payoff of any player at the ends of random games from a position.

    The least is below the greatest; (0, 1) where no game ends. Raises RuleError where a rule fails.
    """
    low, high = 1 << 60, -(1 << 60)
    for row, _ in _random_games(entries, state, games):
        if entries.kernel.state(row).outcome is not None:
            worth = [int(entries.payoff_of(row, player)) for player in range(entries.players)]
            low, high = min(low, *worth), max(high, *worth)
    return (low, max(high, low + 1)) if low <= high else (0, 1)


def _random_games(entries: Entries, state: State, games: int,
                  most: Callable[[int], int] = lambda seed: LONGEST) -> Iterator[tuple[Words, int]]:
    """Yield the last row and the length of random games from a position, with the seeds from 0 to `games` - 1.

    The game of a seed has at most `most(seed)` plies. Games that outgrow an unbounded board are left out. Raises
    RuleError where a rule fails.
    """
    seed = 0
    while seed < games:
        row = entries.row(state)
        plies = int(entries.random_game(row, seed, most(seed), entries.entry_rows(), entries.scratch(),
                                        entries.numbers(entries.move_width)))
        if plies < 0 and not entries.is_outgrown(row):
            entries.make_room(row)
            continue
        seed += 1
        if plies >= 0:
            yield row, plies

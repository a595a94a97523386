"""How often a kernel's random play makes each legal move, compared with the interpreter's move list.

Random play makes all legal moves equally often, and each chance move in proportion to its weight. `check_frequencies`
draws one move from a position many times and compares the resulting states with those of the interpreter's moves by a
chi-square test: a first test with few draws and, if that is odd or misses a state, a second one with many, which
decides. So a false alarm is as rare as in the second test: less than one in 10^9, for all tests together less than one
in 10^4.
"""

from __future__ import annotations

import random
from collections import Counter
from statistics import NormalDist

from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import Move, State

FIRST, SECOND = 8, 250
"""The draws per legal move in the two tests."""
ODD, WRONG = 1e-3, 1e-9
"""The p-values of the two tests below which the frequencies are odd, or wrong."""


def check_frequencies(game: Game, kernel: Kernel, state: State) -> int:
    """Compare how often random play leads to each state after one move; return the number of such states.

    Raises RuleError where the rules fail in the position.
    """
    moves = game.engine.legal(state)
    by_chance = game.engine.chance.decides(state)
    expected: Counter[State] = Counter()
    for move in moves:
        after = game.engine.apply(state, move)
        if after is not None:
            expected[after._replace(outcome=None)] += game.engine.chance.weight(state, move) if by_chance else 1
    if game.rules.repetition == "forbidden":
        expected.pop(state, None)
    if len(expected) > 1:
        for draws, chance in ((FIRST, ODD), (SECOND, WRONG)):
            found = drawn(kernel, state, draws * len(moves), first=draws)
            assert set(found) <= set(expected), "random play leads where no legal move does"
            missing = set(expected) - set(found)
            if not missing and not too_far(found, expected, chance):
                break
        else:
            assert not missing, f"{len(missing)} of {len(expected)} states are never reached"
            raise AssertionError(f"not as often as expected: {sorted(found[one] / expected[one] for one in found)}")
    return len(expected)


def drawn(kernel: Kernel, state: State, draws: int, *, first: int) -> Counter[State]:
    """The states after one random move, always from the same position."""
    start = kernel.row(state)
    found: Counter[tuple[int, ...]] = Counter()
    for seed in range(draws):
        row = start.copy()
        kernel.play_out(row, seed * 1_000_003 + first, 1)
        found[tuple(int(word) for word in row)] += 1
    counts: Counter[State] = Counter()
    for words, count in found.items():
        counts[kernel.state(words)._replace(outcome=None)] += count
    return counts


def too_far(found: Counter[State], expected: Counter[State], chance: float) -> bool:
    """Whether counts deviate from the expected shares more than they do with the given probability.

    The chi-square quantile is the approximation of Wilson and Hilferty, who take its cube root for normal.
    """
    each = found.total() / expected.total()
    square = sum((found[state] - each * ways) ** 2 / (each * ways) for state, ways in expected.items())
    freedom = len(expected) - 1
    part = 2 / (9 * freedom)
    quantile: float = freedom * (1 - part + NormalDist().inv_cdf(1 - chance) * part**0.5) ** 3
    return square > quantile


def positions(game: Game, count: int, most: int, seed: int) -> list[State]:
    """Up to `count` positions of random games in which there is a choice, none with more than `most` legal moves."""
    dice, found = random.Random(seed), list[State]()
    for _ in range(5 * count):
        state, choices = game.engine.start(), list[Move]()
        try:
            choices = game.engine.legal(state)
            for _ in range(dice.randrange(60)):
                after = game.engine.apply(state, dice.choice(choices)) if choices else None
                if after is None or after.outcome is not None:
                    break
                state, choices = after, game.engine.legal(after)
        except RuleError:
            continue
        if 1 < len(choices) <= most and state not in found:
            found.append(state)
            if len(found) == count:
                break
    return found

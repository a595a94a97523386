"""Chance rules in kernels: moves agree with the interpreter, and draws follow the weights."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import pytest

import dslgame
from dslgame.testing import check_against
from dslgame.testing.disagreement import Disagreement
from interpreter.kernel.kernel import Kernel, NotLowered
from tests.language.test_chance import HEAD, RACE
from tests.reference import pig
from tests.walking import Walk

DRAWN = HEAD + """\
var drawn in 0..5

chance draw(d in 1..4) weight d * d when drawn = 0:
    drawn := d

chance miss weight 6 when drawn = 0:
    drawn := 5

move wait:
    drawn := 0

draw when drawn > 0
"""
"""One draw ends the game, with weights 1, 4, 9, 16 and 6 of 36."""
LARGE = DRAWN.replace("weight d * d", "weight d * d * 500000000 * 100000000").replace(
    "weight 6", "weight 6 * 500000000 * 100000000")
"""The same chances, by weights whose sum has 62 bits by its bound."""
GAMES = {
    "race": RACE,
    "two rules": RACE + "chance miss weight 4 when thrown = 0:\n    thrown := 1\n",
    "weights": RACE.replace("(d in 1..6) when", "(d in 1..6) weight (d + score[mover]) mod 4 when"),
    "pass": RACE + "pass when thrown > 4\n",
    "turns": RACE + "turn again when score[mover] mod 2 = 1\nturn passes when thrown = 1\n",
    "taken back": RACE + "illegal when thrown = score[mover] + 2\nillegal when thrown = 3\n",
    "stuck": RACE.replace("(n in 1..2)", "(n in 1..2 where thrown > 2)") + "no moves loses\n",
    "order": RACE + "turn order Red, Blue, Blue\nturn passes when thrown = 1\n",
    "swap": RACE + "pie rule after turn 3 by seats\n",
    "repetition": RACE.replace("score[mover] += thrown\n", "score[mover] := (score[mover] + thrown) mod 4\n")
    + "repetition draws\n",
}


@pytest.mark.parametrize("name", GAMES)
def test_a_kernel_plays_chance_as_the_interpreter_does(name: str) -> None:
    """Moves, positions, outcomes and turns agree in random games."""
    game = dslgame.loads(GAMES[name])
    Walk(game, Kernel.of(game, native=False)).walk(3, 0.5, plies=20)


@pytest.mark.parametrize("taken_back", [False, True])
@pytest.mark.parametrize("large", [False, True])
def test_random_play_draws_by_weight(large: bool, taken_back: bool) -> None:
    """The chi-square of 3,600 draws with 4 degrees of freedom exceeds 18.5 once in a thousand; the seeds are fixed."""
    text = (LARGE if large else DRAWN) + ("illegal when drawn = 4\n" if taken_back else "")
    kernel = Kernel.of(dslgame.loads(text), native=False)
    seen: Counter[int] = Counter()
    for seed in range(3600):
        row = kernel.start()
        assert kernel.play_out(row, seed) == 1
        seen[int(kernel.state(row).values[0] or 0)] += 1
    weights = {1: 1, 2: 4, 3: 9, 5: 6} | ({} if taken_back else {4: 16})
    assert set(seen) == set(weights)
    expected = {drawn: 3600 * weight / sum(weights.values()) for drawn, weight in weights.items()}
    assert sum((seen[drawn] - often) ** 2 / often for drawn, often in expected.items()) < 18.5


def test_draws_by_large_weights_are_the_same_in_native_kernels() -> None:
    """Sums of more than 32 bits do not overflow in the product with a random word."""
    game = dslgame.loads(LARGE)
    kernels = Kernel.of(game, native=False), Kernel.of(game)
    for seed in range(40):
        rows = [kernel.start() for kernel in kernels]
        for kernel, row in zip(kernels, rows, strict=True):
            kernel.play_out(row, seed)
        assert kernels[0].state(rows[0]) == kernels[1].state(rows[1])


def test_weights_whose_sum_may_leave_the_machine_type_are_left_to_the_interpreter() -> None:
    """Nine weights of 62 bits have a sum of 66."""
    game = dslgame.loads(DRAWN.replace("1..4", "1..9").replace("0..5", "0..9").replace(
        "weight d * d", "weight 999999999 * 999999999 * 4"))
    with pytest.raises(NotLowered, match="weights of chance whose sum can have more than 62 bits"):
        Kernel.of(game, native=False)
    drawn = {move: share for move, share in game.engine.chance.probabilities(game.engine.start()) if move.values}
    assert len(set(drawn.values())) == 1
    assert 1 - sum(drawn.values()) == Fraction(6, 6 + 9 * 999999999**2 * 4)


def test_a_weight_that_may_be_negative_is_left_to_the_interpreter() -> None:
    """Such a weight would fail while moves are generated."""
    text = RACE.replace("when thrown = 0", "weight 5 - d when thrown = 0")
    with pytest.raises(NotLowered, match="may be negative"):
        Kernel.of(dslgame.loads(text), native=False)


def test_verify_compares_the_chances_of_a_reference() -> None:
    """A reference whose die is loaded does not agree."""

    class Loaded(pig.Reference):
        """A die that shows 6 half of the time."""

        def probability(self, state: pig.State, move: str) -> Fraction:
            return Fraction(1, 2) if move == "6" else Fraction(1, 10)

    game = dslgame.load("pig", goal=5)
    check_against(game, pig.Reference(goal=5), games=2)
    with pytest.raises(Disagreement, match="the chances"):
        check_against(game, Loaded(goal=5), games=2)

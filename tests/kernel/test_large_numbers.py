"""Numbers of up to 62 bits, beside Python: in the interpreter, in kernels, and in JavaScript with BigInts."""

from __future__ import annotations

from pathlib import Path
from random import Random

import attrs
import pytest

import dslgame
from interpreter.compiler.lowering.refusals import MOST_BITS, bits_of_numbers
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from tests.kernel.test_javascript import Player, compiled, hold, needs_node, player  # noqa: F401 (a fixture)
from tests.kernel.test_kernel_chance import LARGE

MOST = (1 << MOST_BITS) - 1
SIZES = (7, 1 << 20, 1 << 31, (1 << 53) - 1, 1 << 53, (1 << 53) + 1, 1 << 60)
"""The magnitudes of the numbers that expressions begin from."""
EXPRESSIONS = 16


@attrs.frozen
class Number:
    """An expression: as the language and Python write it, and its bounds."""

    said: str
    python: str
    low: int
    high: int


def said(value: int) -> str:
    """A number, whose digits the language takes nine at a time."""
    if abs(value) < 10**9:
        return f"({value})" if value < 0 else str(value)
    return f"({said(value // 10**9)} * 500000000 * 2 + {value % 10**9})"


def leaf(random: Random) -> Number:
    """A variable or a constant."""
    if random.random() < 0.6:
        place = random.randrange(len(SIZES))
        return Number(f"x{place}", f"x[{place}]", -SIZES[place], SIZES[place])
    value = random.choice(SIZES) - random.randrange(9)
    return Number(said(value), str(value), value, value)


def number(random: Random, depth: int) -> Number:
    """A random expression all of whose parts are within 62 bits."""
    while depth > 0:
        one, other = number(random, depth - 1), number(random, random.randrange(depth))
        kind = random.choice(("+", "-", "*", "div", "mod", "min", "max", "abs", "if", "sum"))
        corners = [0]
        match kind:
            case "+" | "-" | "*":
                corners = [eval(f"{a} {kind} {b}") for a in (one.low, one.high) for b in (other.low, other.high)]
                result = Number(f"({one.said} {kind} {other.said})", f"({one.python} {kind} {other.python})",
                                min(corners), max(corners))
            case "div" | "mod":
                by = random.choice(SIZES) * random.choice((1, -1))
                sign, most = ("//", max(-one.low, one.high, -1)) if kind == "div" else ("%", abs(by))
                result = Number(f"({one.said} {kind} {said(by)})", f"({one.python} {sign} {by})", -most, most)
            case "min" | "max":
                result = Number(f"{kind}({one.said}, {other.said})", f"{kind}({one.python}, {other.python})",
                                min(one.low, other.low), max(one.high, other.high))
            case "abs":
                result = Number(f"abs({one.said})", f"abs({one.python})", 0, max(-one.low, one.high))
            case "if":
                result = Number(f"({one.said} if {other.said} < {one.said} else {other.said})",
                                f"({one.python} if {other.python} < {one.python} else {other.python})",
                                min(one.low, other.low), max(one.high, other.high))
            case _:
                k = f"k{depth}"
                result = Number(f"sum({one.said} * {k} for {k} in 1..3 where {k} != 2)", f"(4 * {one.python})",
                                min(0, 9 * one.low), max(0, 9 * one.high))
        if max(-result.low, result.high) <= MOST and max(map(abs, corners)) <= MOST:
            return result
    return leaf(random)


def made(seed: int) -> tuple[Game, list[Number]]:
    """A game whose moves put the values of random expressions into variables."""
    random = Random(seed)
    items = [number(random, random.randrange(1, 5)) for _ in range(EXPRESSIONS)]
    lines = ['game "Large"', "players A, B", "board square(2, 5)", "pieces a of A, b of B"]
    lines += [f"var x{place} in {said(-size)}..{said(size)} = {said(size - 3)}" for place, size in enumerate(SIZES)]
    lines += [f"var e{place} in {said(item.low)}..{said(item.high)} or none = none" for place, item in enumerate(items)]
    lines += ["var turns in 0..99", "move place(c in empty):", "    c := own", "    turns += 1"]
    lines += [f"    e{place} := {item.said}" for place, item in enumerate(items)]
    lines += [f"    x{place} := ((x{place} mod {min(size, 1 << 29)}) * {987_654_321 + place} + turns) "
              f"mod {said(size)} - {said(size)} div (turns + 1)" for place, size in enumerate(SIZES)]
    lines += ["win A when no empty and e0 mod 2 = 0", "win B when no empty"]
    return dslgame.loads("\n".join(lines) + "\n"), items


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
def test_large_numbers_are_as_in_python(seed: int) -> None:
    """The interpreter, the kernel in Python and the native one calculate as Python does, whatever is large on the way.
    """
    game, items = made(seed)
    assert 53 < bits_of_numbers(game.rules, game.board.size) <= MOST_BITS
    kernels = compiled(game), Kernel.of(game)
    state = game.engine.start()
    while state.outcome is None:
        move = game.engine.legal(state)[0]
        after = game.engine.apply(state, move)
        assert after is not None
        space = {"x": state.values[: len(SIZES)]}
        expected = [eval(item.python, {}, space) for item in items]
        assert list(after.values[len(SIZES) : -1]) == expected
        for kernel in kernels:
            assert kernel.after(state, move) == after
        state = after


@needs_node
@pytest.mark.parametrize("seed", [1, 2, *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(3, 9))])
def test_large_numbers_are_the_same_in_javascript(seed: int, player: Player, tmp_path: Path) -> None:  # noqa: F811
    """Rows, values and outcomes of games agree; values past 2**53 are BigInts."""
    hold(made(seed)[0], player, tmp_path)


@needs_node
def test_draws_by_large_weights_are_the_same_in_javascript(player: Player, tmp_path: Path) -> None:  # noqa: F811
    """Sums of weights past 2**53, of numbers that all are smaller."""
    hold(dslgame.loads(LARGE), player, tmp_path)


@needs_node
def test_what_is_large_only_on_the_way_is_not_rounded(player: Player, tmp_path: Path) -> None:  # noqa: F811
    """A generator of random numbers whose states have 30 bits and whose products have 60."""
    game = dslgame.loads("""game "Generator"
players A, B
board square(1, 3)
pieces a of A, b of B
var seed in 0..999999928 = 123456789
move place(c in empty):
    c := own
    seed := (seed * 999999937 + 12345) mod 999999929
win A when no empty and seed mod 2 = 0
win B when no empty
""")
    position = game.start().play("a1").play("b1").play("c1")
    assert (position.state.values, position.outcome) == ((210781626,), "A")
    hold(game, player, tmp_path)

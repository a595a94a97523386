"""Rules that fail: a kernel fails at the same moves as the interpreter, with the same code.

The interpreter stops where a rule fails; a kernel records the failure and goes on, and must do no harm after it.
"""

from __future__ import annotations

from textwrap import indent

import pytest
from hypothesis import HealthCheck, example, given, reject, settings

from dsl.diagnostics import GameFileError
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.kernel.kernel import Kernel
from interpreter.kernel.loading import COMPILER
from tests.failing_games import failing_files
from tests.probe import SAMPLE, loaded, start_of
from tests.walking import Walk

VARIABLES = """
var n in 0..9 = 3
var m in 0..9 or none
var kind in pieces or none
var last in cells or none
var home in cells = "b1"
var heat[cell] in 0..5
"""
FAILING = {
    "a value that is none, and then a number outside its range": "n := m + n + 8",
    "a piece from no cell, on no cell": "c.north := piece(c.north)",
    "a piece that is none, on no cell": "c.north := kind",
    "a piece that is none": "c := kind",
    "a number outside its range, at no cell": "heat[c.north] := n + 5",
    "no cell for a variable that needs one, and then a step from it": "home := c.north\ncarry home to home.south",
    "a cell that is nowhere on the board": "heat[cell(3, 1)] := 1",
    "a ray from no cell among cells of which something fails": "last := c.north\n"
        "n := count(ray(last, north, {x in cells where m > 1}))",
    "a line of no length, of cells of which something fails": "if line({x in mine where m > 1}, n - 3):\n    n := 4",
    "a piece carried from no cell, and then one put where it was to go": "carry c.north to c\nc := own",
    "a piece put on no cell, and then another": "c.north := piece(c)\nc.north := own",
    "something in each round": "each x in cells:\n    heat[x] := heat[x.east] + m",
    "a condition of cells, in positions that have none": "n := count({x in stone and bottom where line(mine, m)})",
}
"""Effects of a move, one for each kind of failure that kernels once handled differently, or that did harm later."""
ENDS = "draw when no empty\nno moves draws\n"


def check(text: str, *, native: bool = False, passes: tuple[Passes, ...] = (Passes(), Passes.none())) -> None:
    """Play a game of these declarations by its kernels and by the interpreter."""
    game = loaded(start_of(*SAMPLE), text)
    for used in passes:
        Walk(game, Kernel.of(game, native=native, passes=used), may_fail=True).walk(3, 5, plies=5)


def check_random(text: str) -> None:
    """The same, rejecting texts that the checker refuses or that cannot be lowered."""
    try:
        check(text)
    except (GameFileError, NotLowered):
        reject()


@pytest.mark.parametrize("what", FAILING)
def test_kernel_fails_with_the_code_of_the_interpreter(what: str) -> None:
    """If two things fail, the code is that of the first."""
    check(f"{VARIABLES}move go(c in cells):\n{indent(FAILING[what], '    ')}\n{ENDS}")


GROWING = """
    n := n + 2
    then y in cells:
        heat[y] := 1
"""
TRIED_RULES = {
    "a number outside its range, before a further choice": "move go(c in empty):\n    c := own" + GROWING,
    "a carry from no cell, before a further choice": "move go(c in empty):\n    c := own\n    n := n + 1\n"
        "    if n > 5:\n        carry c.north to c.south\n    then y in empty when n < 9:\n        n := 7\n",
    "a number outside its range, by a local name": "move go(c in empty, let e = c.north):\n"
        "    let many = count(mine)\n    if e != none:\n        carry c to e\n    c := own\n    n := n + many"
        + GROWING,
    "a condition of going on": "move go(c in empty):\n    c := own\n    n := n + 2\n"
        "    then y in empty when m > 3:\n        y := own\n",
    "a further step of the same rule": "move go(c in mine, d in empty):\n    carry c to d\n    n := n + 2\n"
        "    then go(d)\n",
    "a further step of another rule": "move go(c in mine, d in empty):\n    carry c to d\n    n := n + 2\n"
        "    then on(d) or stop if n < 9\nstep on(c in mine, d in theirs):\n    carry c to d\n    n := n + 1\n",
    "the domain of a choice": "move go(c in empty where n < 5 or heat[c.north] < 9):\n    c := own\n    n := n + 1\n",
    "two rules, of which the second does not fail": "move go(c in empty):\n    c := own" + GROWING
        + "move fine(c in empty and top):\n    c := own\n",
    "two rules, of which the first does not fail": "move fine(c in empty and top):\n    c := own\n"
        "move go(c in empty):\n    c := own" + GROWING,
    "a move that is taken back": "move go(c in empty):\n    c := own" + GROWING + "illegal when n > 7\n",
    "effects after every move": "move go(c in empty):\n    c := own\n    then y in empty:\n        n := n + 1\n"
        "after every move:\n    n := n + 2\nillegal when n > 8\n",
    "what passing asks": "move go(c in empty):\n    c := own\n    n := n + 1\npass when m > 3\n",
}
"""Rules that fail in play, mostly in moves that are only tried to see whether one exists."""
ASKED_BY = {
    "the rule for no move": "no moves loses\n",
    "passing": "draw when n = 9\nno moves passes\n",
    "an end before others": "lose opponent when no moves\ndraw when n >= 5\nno moves draws\n",
    "an end before others, of which one fails": "draw when no moves\nwin mover when m > 2\n",
    "an end that fails before it asks": "win mover when m > 2 and no moves\nno moves draws\n",
    "an end that asks nothing but at times": "win mover when n > 8 and no moves\n",
    "an end that fails after it asks": "win mover when no moves and m > 2\nno moves draws\n",
    "an end that asks for anyone": "draw when no moves for anyone or n = 9\nno moves passes\n",
}
"""The rules that try them."""


def tried(rule: str, asked: str) -> str:
    """The declarations of a game with a failing rule and a rule that tries it."""
    return f"{VARIABLES}{TRIED_RULES[rule]}{ASKED_BY[asked]}draw when m = n and kind = stone and last = home\n"


FIRST_RULE, FIRST_ASKED = next(iter(TRIED_RULES)), next(iter(ASKED_BY))


@pytest.mark.parametrize(("rule", "asked"), [
    *((rule, FIRST_ASKED) for rule in TRIED_RULES), *((FIRST_RULE, asked) for asked in list(ASKED_BY)[1:])])
def test_move_that_is_tried_fails_as_in_the_interpreter(rule: str, asked: str) -> None:
    """Whether or not another move is found, and whatever the ends evaluate."""
    check(tried(rule, asked))


@pytest.mark.slow
@pytest.mark.parametrize("asked", ASKED_BY)
@pytest.mark.parametrize("rule", TRIED_RULES)
def test_each_move_that_is_tried_fails_as_in_the_interpreter(rule: str, asked: str) -> None:
    """The same for all combinations."""
    check(tried(rule, asked))


@pytest.mark.slow
@pytest.mark.parametrize("compiler", ["llvm", "numba"])
@pytest.mark.parametrize("rule", [FIRST_RULE, "a further step of another rule", "a move that is taken back"])
def test_move_that_is_tried_fails_in_compiled_kernels(
        rule: str, compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same with both compilers."""
    monkeypatch.setenv(COMPILER, compiler)
    check(tried(rule, FIRST_ASKED), native=True, passes=(Passes(),))


ROUND = settings(deadline=None, suppress_health_check=list(HealthCheck))
TRIED = VARIABLES + """
move go(c in cells):
    cell(0 if some mine else 3, 0) := empty
    home.east := empty
illegal when n > 1
""" + ENDS
"""A rule that fails in a move of the other player, which is only tried."""
LENGTH = VARIABLES + """
move go(c in cells where count(mine) > 3, d in {x in mine where line(mine, 0)}):
    last := c if d in top else home
no moves passes
""" + ENDS.replace("no moves draws\n", "")
"""A line length that fails, in a condition that is never reached, as no cell can be chosen before it."""
FORCED = VARIABLES + """
move go(c in cells):
    c := own
forced push(c in occupied where c.north is not mine):
    carry c to c.south
""" + ENDS
"""A forced rule that fails, and would be forced for ever."""


@pytest.mark.slow
@settings(ROUND, max_examples=10)
@example(TRIED)
@example(FORCED)
@example(LENGTH)
@given(failing_files())
def test_kernel_of_random_rules_fails_as_the_interpreter(text: str) -> None:
    """With all passes and with none."""
    check_random(text)


@pytest.mark.slow
@settings(ROUND, max_examples=60)
@given(failing_files())
def test_kernels_of_many_random_rules_fail_as_the_interpreter(text: str) -> None:
    """The same with more examples."""
    check_random(text)


@pytest.mark.slow
def test_compiled_kernel_fails_with_the_code_of_the_interpreter() -> None:
    """All these failures in one game, with a rule for each."""
    rules = "".join(f"move go_{number}(c in cells):\n{indent(effect, '    ')}\n"
                    for number, effect in enumerate(FAILING.values()))
    check(f"{VARIABLES}{rules}{ENDS}", native=True, passes=(Passes(),))

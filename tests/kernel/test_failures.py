"""Rules that fail: a kernel fails at the same moves as the interpreter, and with the same code.

The interpreter stops where a rule fails, a kernel notes it and goes on, so that what it does then must do no harm.
"""

from __future__ import annotations

from textwrap import indent

import pytest
from hypothesis import HealthCheck, example, given, reject, settings

from dsl.diagnostics import GameFileError
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.kernel.kernel import Kernel
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
    "something in each round": "each x in cells:\n    heat[x] := heat[x.east] + m",
}
"""What a move does, for each thing that once failed differently, or did harm after it."""
ENDS = "draw when no empty\nno moves draws\n"


def check(text: str, *, native: bool = False, passes: tuple[Passes, ...] = (Passes(), Passes.none())) -> None:
    """Play a game of these declarations by its kernels and by the interpreter."""
    game = loaded(start_of(*SAMPLE), text)
    for used in passes:
        Walk(game, Kernel.of(game, native=native, passes=used), may_fail=True).walk(3, 5, plies=5)


def check_random(text: str) -> None:
    """The same, unless the checker sees that something fails, or a kernel cannot have it."""
    try:
        check(text)
    except (GameFileError, NotLowered):
        reject()


@pytest.mark.parametrize("what", FAILING)
def test_kernel_fails_with_the_code_of_the_interpreter(what: str) -> None:
    """Of two things that fail, the first one says why."""
    check(f"{VARIABLES}move go(c in cells):\n{indent(FAILING[what], '    ')}\n{ENDS}")


ROUND = settings(deadline=None, suppress_health_check=list(HealthCheck))
TRIED = VARIABLES + """
move go(c in cells):
    cell(0 if some mine else 3, 0) := empty
    home.east := empty
illegal when n > 1
""" + ENDS
"""A rule that fails in a move of the other player, which is only tried."""
FORCED = VARIABLES + """
move go(c in cells):
    c := own
forced push(c in occupied where c.north is not mine):
    carry c to c.south
""" + ENDS
"""One that fails, and would be forced for ever."""


@settings(ROUND, max_examples=30)
@example(TRIED)
@example(FORCED)
@given(failing_files())
def test_kernel_of_random_rules_fails_as_the_interpreter(text: str) -> None:
    """With all passes, and with none."""
    check_random(text)


@pytest.mark.slow
@settings(ROUND, max_examples=150)
@given(failing_files())
def test_kernels_of_many_random_rules_fail_as_the_interpreter(text: str) -> None:
    """The same for longer."""
    check_random(text)


@pytest.mark.slow
def test_compiled_kernel_fails_with_the_code_of_the_interpreter() -> None:
    """All of these things, a rule for each."""
    rules = "".join(f"move go_{number}(c in cells):\n{indent(effect, '    ')}\n"
                    for number, effect in enumerate(FAILING.values()))
    check(f"{VARIABLES}{rules}{ENDS}", native=True, passes=(Passes(),))

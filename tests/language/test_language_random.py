"""Random expressions, compared with an independent evaluation: every value must agree.

Both the interpreter and a kernel's text are compared. Both also play games of random expressions, so that these are
evaluated in effects, after moves, and with bound names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import attrs
import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st

from dsl.diagnostics import GameFileError
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from tests.expressions import Drawing, Expression, as_set, conditions, numbers, sets, single_cells
from tests.probe import SAMPLE, cells, loaded, shown, start_of
from tests.walking import Walk

Found = TypeVar("Found", str, set[str], Game)
NEVER = {"G303", "G311", "G317"}
"""The codes for rules that never apply, ends that never hold, and networks that never have a cell."""
PASSES = [Passes(), Passes.none(),
          *(Passes(**{field.name: False}) for field in attrs.fields(Passes) if field.name != "images")]


def tried(probe: Callable[[str], Found], text: str) -> Found:
    """The result of a probe; an expression that the checker refuses as never possible is rejected and drawn again."""
    try:
        return probe(text)
    except GameFileError as problem:
        if {found.code for found in problem.diagnostics if found.severity == "error"} <= NEVER:
            reject()
        raise


@settings(max_examples=settings().max_examples // 2)
@given(expression=numbers())
def test_random_number(expression: Expression) -> None:
    """Arithmetic, counts, sums and maxima over sets, conditional numbers."""
    assert tried(shown, expression.text) == str(expression.meaning({}))


@settings(max_examples=settings().max_examples)
@given(expression=conditions())
def test_random_condition(expression: Expression) -> None:
    """Comparisons, membership, quantifiers, `and`, `or`, `not`."""
    assert tried(shown, expression.text) == ("yes" if expression.meaning({}) else "no")


@settings(max_examples=settings().max_examples)
@given(expression=sets())
def test_random_set(expression: Expression) -> None:
    """Set arithmetic, braces, neighbours, rays, groups; cells and pieces used as sets."""
    assert tried(cells, f"({expression.text} + {{}})") == as_set(expression.meaning({}))


@settings(max_examples=settings().max_examples // 2)
@given(expression=single_cells())
def test_random_cell(expression: Expression) -> None:
    """Steps, cells by row and column, conditional cells."""
    assert tried(shown, expression.text) == str(expression.meaning({})).replace("None", "none")


# ---- the same by kernels


def made(text: str) -> Game:
    """A game with random expressions."""
    return loaded(start_of(*SAMPLE), text)


@st.composite
def games(draw: st.DrawFn) -> tuple[str, Expression, Expression, Expression, int]:
    """A game with random expressions as the set and condition of its choice, in its effects, its end and its value."""
    drawing, depth = Drawing(draw), draw(st.integers(1, 3))
    domain, guard = drawing.set(depth, ()), drawing.condition(depth, ("c",))
    stones, turned = drawing.set(depth - 1, ("c",)), drawing.cell(depth - 1, ("c",))
    end, value = drawing.condition(depth, ()), drawing.number(depth, ())
    text = f"""
var n in 0..9
move probe(c in {domain} where {guard}):
    {{{stones}}} := own
    n := max(0, min(9, n + {drawing.number(depth - 1, ("c",))}))
    if n > 1:
        {{{turned}}} := empty
win mover when n > 3 and ({end} or n > 7)
draw when no empty
no moves draws
value {value}
"""
    return text, domain, guard, value, draw(st.integers(0, len(PASSES) - 1))


def check_game(drawn: tuple[str, Expression, Expression, Expression, int], *, native: bool = False) -> None:
    text, domain, guard, value, passes = drawn
    game = tried(made, text)
    kernel = Kernel.of(game, native=native, passes=PASSES[passes])
    start = game.engine.start()
    expected = {name for name in as_set(domain.meaning({})) if guard.meaning({"c": name})}
    assert {game.board.names[move.values[0]] for move in kernel.legal(start)} == expected
    assert kernel.value(start) == game.heuristic(start) == value.meaning({})
    Walk(game, kernel, may_fail=True).walk(1, 1, plies=3)


@pytest.mark.slow
@settings(max_examples=settings().max_examples // 2)
@given(games())
def test_random_games_by_kernels(drawn: tuple[str, Expression, Expression, Expression, int]) -> None:
    """With all passes, none, or all but one."""
    check_game(drawn)


@pytest.mark.slow
@settings(max_examples=8)
@given(games())
def test_random_games_by_compiled_kernels(drawn: tuple[str, Expression, Expression, Expression, int]) -> None:
    """The same with compiled kernels."""
    check_game(drawn, native=True)

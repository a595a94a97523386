"""Random play makes each legal move equally often: every game, random rule files, each pass on and off.

The interpreter lists the moves; `tests.frequencies` says how often each must be made. Kernels in plain Python run the
text that is also compiled, which `test_kernel` compares.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import attrs
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import dslgame
from interpreter import hooks
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.game import Game
from interpreter.kernel.kernel import Kernel
from tests.discovery import FOLDER, found_games, one_in_slow
from tests.frequencies import check_frequencies, positions
from tests.random_games import rule_files, shooting_files

FEW, MANY = 40, 150
"""The most legal moves of a tested position: in every run, and in the slow tests."""
SAMPLE = ("isolation", "nex", "pentago", "go", "kalah", "ultimate_tic_tac_toe")
"""Games that together use every way to draw a random move, tested in every run; all others in the slow tests."""
FEW_EXAMPLES = settings.default.max_examples // 10 if settings.default else 10

REMOVED = """game "Removed"
players X, O
board square(3, 3)
pieces x of X, o of O
start:
    {"b1", "c1", "a2"} := x
    {"b2", "c2", "a3"} := o
move place(c in empty):
    c := own
    then n in cells - ({q in cells where piece(q) = empty} - "a1"):
        n := own
draw when no empty
"""
SHRINKING = """game "Shrinking"
players X, O
board square(3, 3)
pieces x of X, o of O
define others(s) = cells - (s - "a1")
move place(c in empty):
    c := own
    then n in others(mine):
        n := own
draw when no empty
"""
FILLED = """game "Filled"
players X, O
board square(3, 3)
pieces x of X, o of O
start:
    {"b3", "c3", "b2"} := x
    {"a3", "c2", "a2"} := o
move place(c in empty and top, d in empty):
    c := own
    then n in {(empty + empty), row(2)}:
        n := own
move shoot(c in empty):
    c := own
    then n in {empty, "a3"}:
        n := own
draw when no empty
no moves draws
"""
"""A cell filled before the further choice is in the set chosen from, unless the set is evaluated again."""


def every_pass() -> Iterator[Passes]:
    """All passes, none, and all but each."""
    yield Passes()
    yield Passes.none()
    for field in attrs.fields(Passes):
        yield Passes(**{field.name: False})


def check_positions(game: Game, kernel: Kernel, count: int, most: int) -> None:
    """Check some positions of random games; in games that rarely give a choice there may be none."""
    for state in positions(game, count, most, seed=5):
        check_frequencies(game, kernel, state)


@pytest.mark.parametrize("text", [
    pytest.param(REMOVED, id="removed"), pytest.param(SHRINKING, id="shrinking", marks=pytest.mark.slow),
    pytest.param(FILLED, id="filled", marks=pytest.mark.slow)])
def test_sets_that_grow_while_others_shrink_leave_no_move_out(text: str) -> None:
    """The subtracted set may read the position by functions, or be a definition's argument."""
    game = dslgame.loads(text)
    for passes in every_pass():
        assert check_frequencies(game, Kernel.of(game, native=False, passes=passes), game.engine.start()) > 1


@pytest.mark.parametrize("name", SAMPLE)
def test_each_legal_move_is_played_as_often(name: str) -> None:
    """In a position with few moves."""
    game = dslgame.load(FOLDER / f"{name}.game")
    check_positions(game, Kernel.of(game, native=False), 1, FEW)


@settings(max_examples=FEW_EXAMPLES)
@given(text=shooting_files())
def test_each_legal_move_of_random_rules_is_played_as_often(text: str) -> None:
    """Further choices from random sets that read the position in all ways."""
    check_random_rules(text, [Passes()])


def check_random_rules(text: str, tried: list[Passes]) -> None:
    """Check positions of random rules, which may fail in them."""
    try:
        game = dslgame.loads(text)
    except dslgame.GameFileError:  # a move that can never be made
        assume(False)
        raise
    states = positions(game, 2, MANY, seed=3)
    for passes in tried:
        try:
            kernel = Kernel.of(game, native=False, passes=passes)
        except NotLowered:
            assume(False)
        for state in states:
            check_frequencies(game, kernel, state)


@pytest.mark.slow
@pytest.mark.parametrize("path", found_games(), ids=lambda path: path.stem)
def test_each_legal_move_of_every_game_is_played_as_often(path: Path) -> None:
    """In several positions, with all passes."""
    game = dslgame.load(path)
    check_positions(game, Kernel.of(game, native=False), 2, MANY)


@pytest.mark.parametrize("path", one_in_slow(3, found_games(), 0))
def test_each_legal_move_of_every_game_is_played_as_often_without_passes(path: Path) -> None:
    """Games of all kinds; the others only when lowering changes."""
    game = dslgame.load(path)
    check_positions(game, Kernel.of(game, native=False, passes=Passes.none()), 2, MANY)


@pytest.mark.slow
@pytest.mark.parametrize("name", SAMPLE)
def test_each_legal_move_is_played_as_often_with_each_pass_off(name: str) -> None:
    """And all others on."""
    game = dslgame.load(FOLDER / f"{name}.game")
    for passes in every_pass():
        check_positions(game, Kernel.of(game, native=False, passes=passes), 2, FEW)


@pytest.mark.slow
@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_each_legal_move_is_played_as_often_with_hooks(path: Path) -> None:
    """Some hooks draw moves themselves."""
    game = dslgame.load(path.with_suffix(".game"))
    check_positions(game, Kernel.of(game, native=False, hooks=hooks.load(path)), 3, MANY)


@pytest.mark.slow
@settings(max_examples=5 * FEW_EXAMPLES)
@given(text=st.one_of(shooting_files(), rule_files()))
def test_each_legal_move_of_many_random_rules_is_played_as_often(text: str) -> None:
    """With all passes, with none, and with one off."""
    chance = random.Random(text)
    check_random_rules(text, [Passes(), Passes.none(), chance.choice(list(every_pass()))])


@pytest.mark.slow
@pytest.mark.parametrize("name", ["amazons", "isolation", "nex"])
def test_each_legal_move_is_played_as_often_by_a_compiled_kernel(name: str) -> None:
    """Drawn by compiled code, in positions with many moves."""
    game = dslgame.load(FOLDER / f"{name}.game")
    check_positions(game, Kernel.of(game), 2, 3_000)

"""Kernels of every game, compared with the interpreter and with published counts.

Each game's kernel runs in plain Python beside the interpreter, briefly here and longer in the slow tests. Compilation
takes some seconds per game: a few compiled kernels are tested here, more in the slow tests, and all in the thorough
ones.
"""

from __future__ import annotations

import ast
import time
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path

import pytest

import dslgame
from dslgame.perft_files import Expected
from dslgame.testing.engines import KernelEngine
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.compiler.primitives import OF_VECTORS
from interpreter.kernel.kernel import Kernel
from tests import million
from tests.discovery import FOLDER, GameCase, every_case, few_of, found_counts, found_games, one_in
from tests.walking import Walk

SECONDS = 0.1
"""For the games of one file in plain Python, at two choices of params."""
SLOW_SECONDS = 20.0
COMPILED = ("connect_four", "english_draughts")
"""Kernels compiled in every run: forced rules, moves of several steps."""
SAMPLE = ("amazons", "tic_tac_toe", "hexplode", "twixt", "breakthrough", "dots_and_boxes", "go", "havannah", "hex",
          "kalah", "nex", "nine_mens_morris", "pentago", "reversi", "shift_tac_toe", "sliding_puzzle", "unlur")
"""Kernels compiled in the slow tests; the thorough ones compile all."""
GAMES = 2_000
"""The most random games of a compiled kernel in the thorough tests."""
SOME = found_games()[::4]
"""Games whose perft counts plain kernels compute in every run."""
COUNTING_SECONDS = 0.003
"""For the counts at lower depths of a perft file, in plain Python."""
SMALL = 80
"""The largest count of a perft file that a plain kernel computes in every run."""
COUNTED = 300_000
"""The largest count of a perft file that is left to a plain kernel."""


# ---- beside the interpreter


@cache
def plain(case: GameCase) -> Kernel:
    """A kernel in plain Python."""
    return Kernel.of(case.load(), native=False)


@pytest.mark.parametrize("case", every_case(6, 0, rest=2))
def test_plain_kernel_plays_as_the_interpreter(case: GameCase) -> None:
    """Every game can be lowered, and its kernel agrees with the interpreter."""
    walk = Walk(plain(case).game, plain(case))
    walk.walk(50, SECONDS / 2)
    assert walk.plies


@pytest.mark.parametrize("path", [
    pytest.param(path, id=path.stem, marks=pytest.mark.slow if path.stem in SAMPLE[::2] else pytest.mark.thorough)
    for path in found_games()])
def test_plain_kernel_without_improvements_plays_as_the_interpreter(path: Path) -> None:
    """Passes must not change play: with all of them off, and with each one off."""
    game = GameCase(path).load()
    for passes in passes_to_try():
        Walk(game, Kernel.of(game, native=False, passes=passes)).walk(2, SECONDS / 4)


def passes_to_try() -> Iterator[Passes]:
    """No passes; then all but one, for each pass."""
    import attrs

    yield Passes.none()
    for field in attrs.fields(Passes):
        yield Passes(**{field.name: False})


for_compiled = pytest.mark.parametrize("path", [FOLDER / f"{name}.game" for name in COMPILED],
                                       ids=lambda path: path.stem)


@lru_cache(maxsize=8)
def compiled(path: Path) -> Kernel:
    """A compiled kernel."""
    return Kernel.of(GameCase(path).load())


@for_compiled
def test_compiled_kernel_plays_as_the_interpreter(path: Path) -> None:
    """A short run."""
    walk = Walk(compiled(path).game, compiled(path))
    walk.walk(100, 4 * SECONDS)
    assert walk.plies


@pytest.mark.parametrize("name", few_of([(name,) for name in SAMPLE]))
def test_compiled_kernel_of_a_sample_plays_as_the_interpreter(name: str) -> None:
    """A sample of games that together use all kinds of rules."""
    game = GameCase(FOLDER / f"{name}.game").load()
    walk = Walk(game, Kernel.of(game))
    walk.walk(200, 1.0)
    assert walk.plies


@pytest.mark.thorough
@pytest.mark.parametrize("path", found_games(), ids=lambda path: path.stem)
def test_compiled_kernel_plays_thousands_of_games_as_the_interpreter(path: Path) -> None:
    """All legal moves of each position are compared; larger games stop at the time limit."""
    game = GameCase(path).load()
    walk = Walk(game, Kernel.of(game))
    walk.walk(GAMES, SLOW_SECONDS)
    assert walk.plies


@for_compiled
def test_compiled_text_does_what_it_does_uncompiled(path: Path) -> None:
    """The same seeds give the same random games in both: plies, results and last positions."""
    native = compiled(path)
    other = plain(GameCase(path))
    assert native.text == other.text
    assert native.play_outs(3, seed=5, limit=60) == other.play_outs(3, seed=5, limit=60)
    for seed in range(3):
        rows = [native.start(), other.start()]
        plies = [kernel.play_out(row, seed, 40) for kernel, row in zip((native, other), rows, strict=True)]
        assert plies[0] == plies[1]
        assert native.state(rows[0]) == other.state(rows[1])


@pytest.mark.parametrize("path", one_in(4, found_games(), 2, rest=2))
def test_random_games_of_a_kernel_are_games_of_the_rules(path: Path) -> None:
    """The final state of `play_out` is consistent with the rules: no end is missed and none is seen too early."""
    kernel = plain(GameCase(path))
    game = kernel.game
    row = kernel.start()
    plies = kernel.play_out(row, 3, 12)
    state = kernel.state(row)
    assert plies == 12 or state.outcome is not None
    if state.outcome is None:
        assert game.engine.legal(state) == kernel.legal(state)
    else:
        assert kernel.legal(state) == []


# ---- counts


@pytest.mark.parametrize(("case", "expected"), [
    pytest.param(case, item, id=f"{case.path.stem} {item}",
                 marks=() if case.path in SOME and not case.params else
                 pytest.mark.thorough if number % 2 else pytest.mark.slow)
    for number, (case, item) in enumerate(found_counts()) if item.kind in ("perft", "nodes") and item.count <= SMALL
])
def test_plain_kernel_counts_what_the_perft_file_expects(case: GameCase, expected: Expected) -> None:
    """The smaller counts, if the counts at lower depths are quick as well; the others are slow or thorough tests."""
    kernel = counting(case, expected.ignore_ends, False)
    row = kernel.row(expected.start(kernel.game).state)
    since = time.process_time()
    for depth in range(1, expected.depth):
        kernel.perft(depth, bulk=True, start=row)
        if time.process_time() - since > COUNTING_SECONDS:
            pytest.skip("left to the slow tests")
    assert counted(case, expected, native=False) == expected.count


@pytest.mark.parametrize(("case", "expected"), [
    pytest.param(case, item, id=f"{case.path.stem} {item}",
                 marks=pytest.mark.slow if item.count > COUNTED and number % 2 else pytest.mark.thorough)
    for number, (case, item) in enumerate(found_counts(far=True))
    if item.kind in ("perft", "nodes") and item.count > SMALL
])
def test_kernel_counts_what_the_perft_file_expects(case: GameCase, expected: Expected) -> None:
    """All larger counts, including those beyond the interpreter's reach; a plain kernel does those up to the limit."""
    assert counted(case, expected, native=expected.count > COUNTED) == expected.count


def counted(case: GameCase, expected: Expected, *, native: bool) -> int:
    """The count that a kernel computes."""
    kernel = counting(case, expected.ignore_ends, native)
    state = expected.start(kernel.game).state
    counts, _ = kernel.perft(expected.depth, bulk=True, start=kernel.row(state))
    return 1 + sum(counts) if expected.kind == "nodes" else counts[-1]


@lru_cache(maxsize=4)
def counting(case: GameCase, ignore_ends: bool, native: bool) -> Kernel:
    """The kernel that counts, without the ends of the game if they are ignored."""
    import attrs

    if not native and not ignore_ends:
        return plain(case)
    game = case.load()
    return Kernel.of(attrs.evolve(game, engine=game.endless) if ignore_ends else game, native=native)


def test_games_that_end_are_counted() -> None:
    """Games that end before the full depth are counted; with bulk counting the last moves are not made."""
    kernel = Kernel.of(dslgame.load("hex", size=2), native=False)
    assert kernel.perft(4) == ([4, 12, 24, 12], 24)
    assert kernel.perft(4, bulk=True)[0] == [4, 12, 24, 12]


# ---- what the text is


@pytest.mark.parametrize("path", one_in(3, found_games(), 0, rest=2))
def test_names_of_values_hide_no_function(path: Path) -> None:
    """A local name from the game must not shadow a function that is called."""
    tree = ast.parse(plain(GameCase(path)).text)
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    names = {function.name for function in functions}
    for function in functions:
        called = {node.func.id for node in ast.walk(function)
                  if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)}
        assert called <= names | SUPPORT, function.name
        stored = {node.id for node in ast.walk(function)
                  if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        assert not stored & called, function.name


SUPPORT = {"abs", "len", "max", "min", "range", "below", "deposit", "extract", "highest", "line", "lowest", "nth",
           "number", "numbers", "popcount", "row", "rows", "scramble", "stir", "word", *OF_VECTORS}


def test_engine_of_the_tests_is_that_of_verify() -> None:
    """`KernelEngine` begins with a kernel in plain Python."""
    game = dslgame.load("tic_tac_toe")
    assert KernelEngine(game).legal(game.engine.start()) == game.engine.legal(game.engine.start())


@pytest.mark.thorough
@pytest.mark.parametrize("path", found_games(), ids=lambda path: path.stem)
def test_a_million_plies_of_compiled_kernels_are_as_the_interpreter_has_them(path: Path) -> None:
    """Each game plays its share of the plies; `python -m tests.million --seed N --part K/10` plays others."""
    game = GameCase(path).load()
    assert million.play(game, Kernel.of(game), million.PLIES // len(found_games()), seed=0)

"""Hooks: the bundled ones are compared with the interpreter, and files with mistakes are refused."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random

import networkx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import dslgame
from interpreter import hooks, unions
from interpreter.compiler import ir
from interpreter.compiler.emit.llvm import ModuleWriter
from interpreter.compiler.printer import printed_function
from interpreter.game import Game
from interpreter.kernel import loading
from interpreter.kernel.kernel import Kernel
from tests.discovery import FOLDER

FOUND = sorted(path.stem for path in FOLDER.glob("*.py") if path.stem != "__init__")
CASES: dict[str, list[dict[str, int]]] = {
    "chess": [{}],
    "havannah": [{"size": 2}, {"size": 3}, {"size": 4}, {"size": 8}],
    "hex": [{"size": 2}, {"size": 5}, {"size": 9}],
    "hexplode": [{"side": 2}, {"side": 3}, {"side": 6}],
    "lines_of_action": [{"size": 4}, {"size": 8}, {"size": 11}],
    "nex": [{"rows": 2, "columns": 3}, {"rows": 3, "columns": 3}, {"rows": 9, "columns": 8}],
    "oware": [{"houses": 2, "seeds": 2}, {"houses": 6}, {"houses": 3, "seeds": 9}],
    "trax": [{"line": 2}, {"line": 3}, {"line": 8}],
    "twixt": [{"rows": 5, "columns": 5}, {"rows": 8, "columns": 8, "swap": 1},
              {"rows": 7, "columns": 10, "swap": 0, "early_draw": 1}, {"rows": 9, "columns": 9},
              {"rows": 24, "columns": 24}, {"rows": 6, "columns": 31, "swap": 0}],
    "ultimate_tic_tac_toe": [{}],
    "y": [{"size": 3}, {"size": 5}, {"size": 12}],
}
"""The params at which hooks are tested: small boards, one-word boards, and larger ones, which are slow tests.
Every hook file has some."""
COMPILED = ["havannah size=4", "hexplode side=3", "nex rows=3 columns=3", "twixt rows=8 columns=8 swap=1"]
"""The cases that the slow tests compile; the thorough tests compile all."""
PAIRS = [pytest.param(name, params, id=" ".join([name, *(f"{key}={value}" for key, value in params.items())]),
                      marks=(pytest.mark.slow if number == 1 else pytest.mark.thorough) if number else ())
         for name in FOUND for number, params in enumerate(CASES.get(name, [{}]))]


def hooked(name: str, params: dict[str, int], *, native: bool) -> tuple[Game, Kernel]:
    return _hooked(name, tuple(params.items()), native)


@cache
def _hooked(name: str, params: tuple[tuple[str, int], ...], native: bool) -> tuple[Game, Kernel]:
    game = dslgame.load(FOLDER / f"{name}.game", **dict(params))
    return game, Kernel.of(game, native=native, hooks=hooks.load(FOLDER / f"{name}.py"))


def test_hooks_are_there() -> None:
    """The most expensive rules of the five original systems have hooks, and every hook file has test cases."""
    assert {"hex", "hexplode", "nex", "trax", "twixt", "y"} <= set(FOUND)
    assert set(CASES) == set(FOUND)


@pytest.mark.parametrize("name", FOUND)
def test_hooks_that_come_with_games_are_ir(name: str) -> None:
    """LLVM can therefore compile them, without Numba."""
    _, kernel = hooked(name, CASES[name][0], native=False)
    assert not kernel.assembled.not_ir
    assert not any(isinstance(function, ir.Foreign) for function in kernel.assembled.module.functions)


LEFT_TO_NUMBA = {
    "no such statement: for": "for n in (0, 1):\n        if state[n] == EMPTY:\n            return DRAW",
    "ends: helped is given (Row, Int) and (Row, Word)": "n = helped(state, 1) + helped(state, ONE)",
    "ends: 'n' is Int and then Bool": "n = 1\n    n = state[0] == EMPTY",
    "ends: popcount does not take (Int)": "n = popcount(3)",
    "ends: returns Bool and Int": "if mover > 1:\n        return state[0] == EMPTY",
    "ends: state[0] & 1: '&' of Word and Int": "n = state[0] & 1",
    "ends: n: has no value on some way that leads here":
        "if state[0] == EMPTY:\n        n = 1\n    if state[0] == EMPTY:\n        return n - 2",
}
"""Statements that IR cannot express, by the reason that is reported."""


@pytest.mark.parametrize("reason", LEFT_TO_NUMBA)
def test_hooks_that_are_more_than_ir_stay_python(reason: str, tmp_path: Path) -> None:
    """Then no function of the kernel is IR; the reason names the function and the problem."""
    path = tmp_path / "file.py"
    path.write_text("from interpreter.hooks import DRAW, EMPTY, GOING, ONE, hook, part, popcount\n\n\n@part\n"
                    "def helped(state, n):\n    return state[0] + ONE\n\n\n"
                    f'@hook("ends")\ndef ends(state, mover, entries, scratch):\n    {LEFT_TO_NUMBA[reason]}\n'
                    "    return GOING\n")
    kernel = Kernel.of(dslgame.load("tic_tac_toe"), native=False, hooks=hooks.load(path))
    assert reason in kernel.assembled.not_ir
    assert reason in loading.why_numba(kernel.assembled)
    assert any(isinstance(function, ir.Foreign) for function in kernel.assembled.module.functions)


@pytest.mark.slow
def test_hooks_that_are_more_than_ir_are_compiled_by_numba(tmp_path: Path) -> None:
    """Numba compiles such a hook, which here draws every game at once."""
    path = tmp_path / "file.py"
    path.write_text("from interpreter.hooks import DRAW, GOING, hook\n\n\n"
                    '@hook("ends")\ndef ends(state, mover, entries, scratch):\n    for n in (1, 2):\n'
                    "        if n == 2:\n            return DRAW\n    return GOING\n")
    kernel = Kernel.of(dslgame.load("tic_tac_toe"), hooks=hooks.load(path), kept=False)
    assert kernel.assembled.not_ir
    assert kernel.perft(3) == ([9, 0, 0], 9)


@pytest.mark.parametrize(("name", "params"), PAIRS)
def test_hooks_play_as_the_interpreter_does(name: str, params: dict[str, int]) -> None:
    """In random games moves, their order and positions agree.

    One row goes through the whole game, with the words that the hooks keep in it, and each position also starts a row
    of its own.
    """
    game, kernel = hooked(name, params, native=False)
    engine = game.engine
    valued = game.rules.value is not None and game.board.size < 100

    @settings(max_examples=3, deadline=None, suppress_health_check=list(HealthCheck), database=None)
    @given(seed=st.integers(0, 10**6))
    def play(seed: int) -> None:
        chance = Random(seed)
        state = engine.start()
        row = kernel.row(state)
        for _ in range(40):
            legal = engine.legal(state)
            assert [kernel.move(found) for found in kernel.moves(row)] == legal
            if not legal:
                break
            move = chance.choice(legal)
            after = engine.apply(state, move)
            assert kernel.after(state, move) == after
            assert kernel.apply(row, kernel.coded(move))
            assert kernel.state(row) == after
            if valued:
                assert int(kernel.functions["value_of"](row)) == kernel.value(after) == game.heuristic(after)
            assert after is not None
            state = after

    play()


@pytest.mark.parametrize(("name", "params"), [
    pytest.param(*pair.values, id=pair.id, marks=pytest.mark.slow if pair.id in COMPILED else pytest.mark.thorough)
    for pair in PAIRS])
def test_hooks_play_as_the_kernel_does(name: str, params: dict[str, int]) -> None:
    """Thousands of random games from the same seeds have as many moves and the same results.

    If rules take moves back and hooks do not list those moves, random moves use fewer random numbers; then perft counts
    are compared.
    """
    game, kernel = hooked(name, params, native=True)
    if game.rules.illegal and "moves" in {hook.point for hook in hooks.load(FOLDER / f"{name}.py").hooks}:
        assert kernel.perft(4) == Kernel.of(game).perft(4)
        return
    assert kernel.play_outs(2000, 7, limit=400) == Kernel.of(game).play_outs(2000, 7, limit=400)


@pytest.mark.parametrize(("name", "params"), [
    pytest.param("trax", {}, id="trax"), pytest.param("twixt", {}, id="twixt", marks=pytest.mark.slow)])
def test_hooks_value_large_boards_as_the_rules_do(name: str, params: dict[str, int]) -> None:
    """In games that are kept from ending, values equal those without hooks, and at some plies the interpreter's."""
    game, kernel = hooked(name, params, native=True)
    plain, engine = Kernel.of(game), game.engine
    seen = set()
    for seed in range(8):
        chance = Random(seed)
        state = engine.start()
        row = kernel.row(state)
        for ply in range(30):
            legal = engine.legal(state) if ply < 3 else [plain.move(found) for found in plain.moves(plain.row(state))]
            after = None
            for _ in range(8):
                move = chance.choice(legal)
                after = plain.after(state, move)
                if after is not None and after.outcome is None:
                    break
            if after is None or after.outcome is not None:
                break
            assert kernel.apply(row, kernel.coded(move))
            value = int(kernel.functions["value_of"](row))
            assert value == kernel.value(after) == plain.value(after)
            if (seed + ply) % 16 == 0:
                assert value == game.heuristic(after)
            seen.add(value)
            state = after
    assert len(seen) > 5


# ---- files that do not fit

GAME = """
game "Probe"
players Red, Blue
board square(3, 3)
pieces red of Red, blue of Blue

define beside(c) = neighbours(c) and mine

move place(c in empty where no beside(c)):
    c := own

no moves loses
"""


def probe() -> Game:
    return dslgame.loads(GAME)


def written(folder: Path, text: str) -> hooks.Hooks:
    path = folder / "own.py"
    path.write_text(text, encoding="utf-8")
    return hooks.load(path)


def test_definition_can_be_replaced(tmp_path: Path) -> None:
    """The hook of a definition is called with the row, the mover and the arguments, and replaces it."""
    found = written(tmp_path, """
from interpreter.hooks import EMPTY, hook

@hook("define beside")
def beside(state, mover, c):
    return EMPTY
""")
    game = probe()
    kernel = Kernel.of(game, native=False, hooks=found)
    state = game.start().play("a1").state
    state = state._replace(to_move=0)
    assert len(game.engine.legal(state)) == 6
    assert len(kernel.legal(state)) == 8


def test_hook_can_call_what_it_replaces(tmp_path: Path) -> None:
    """`compiled_NAME` is the replaced function; constants, tables, kept words and parts are compiled with the hook."""
    found = written(tmp_path, """
from interpreter.hooks import hook, keep, part, table, word, number

EXTRA = 5

@table
def SIZES(game):
    return [game.board.size]

@keep
def COUNTED(game):
    return 1

@part
def added(state):
    state[COUNTED] = word(number(state[COUNTED]) + SIZES[0] + EXTRA)

@hook("do place")
def do_place(state, mover, move):
    compiled_do_place(state, mover, move)
    added(state)
""")
    game = probe()
    kernel = Kernel.of(game, native=False, hooks=found)
    row = kernel.start()
    kernel.apply(row, kernel.moves(row)[0])
    assert kernel.state(row) == game.start().play(game.start().moves()[0]).state
    assert row[kernel.assembled.layout.own] == 14


ABREAST = """
from interpreter.hooks import EMPTY, ONE, abreast, hook, keep, number, word

@keep
def LINES(game):
    return 64

@hook("value")
def value(state):
    found = EMPTY
    for k in abreast(0, 40):
        state[LINES + k] = state[LINES + 20 + k] | word(k) << 1 | ONE
        found |= state[LINES + k]
    return number(found)
"""
VALUED = """game "Valued"
players White, Black
board square(2, 2)
pieces stone of White, counter of Black

move place(c in empty):
    c := own

draw when no empty
value 0
"""


@pytest.mark.parametrize("rest", ["", "    for n in (1, 2):\n        found |= word(n)\n"])
def test_rounds_of_a_loop_are_computed_several_at_once(rest: str, tmp_path: Path) -> None:
    """`abreast` lets LLVM vectorise the loop; the value is the sequential one, also when compiled by Numba."""
    found = written(tmp_path, ABREAST.replace("    return number(found)", f"{rest}    return number(found)"))
    game = dslgame.loads(VALUED)
    plain, native = (Kernel.of(game, native=native, hooks=found, kept=False) for native in (False, True))
    expected, rows = 0, [0] * 64
    for k in range(40):
        rows[k] = rows[20 + k] | 2 * k + 1
        expected |= rows[k]
    for kernel in (plain, native):
        assert kernel.functions["value_of"](kernel.start()) == expected
    assert bool(rest) == bool(plain.assembled.not_ir)
    if not rest:
        text = ModuleWriter(plain.assembled.module, inlined=True, deposits=False).text("value_of")
        assert "!llvm.loop !1\n" in text
        assert "!1 = distinct !{!1, !0}\n" in text
        assert "for k in abreast(0, 40):" in printed_function(plain.assembled.module.function("value"))


def test_parts_can_be_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are imported under any name, with the parts they call, without annotations; nothing else is copied."""
    (tmp_path / "parts_of_mine.py").write_text("""
from typing import Any

from interpreter.hooks import number, part, word

def plain(row: Any) -> int:
    return 1

@part
def inner(row: Any, place: int) -> Any: return number(row[place]) + 1

@part
def outer(row: Any, place: int) -> None:
    row[place] = word(inner(row, place))
""", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    found = written(tmp_path, """
from interpreter.hooks import hook, keep, lowest
from parts_of_mine import outer as counted, plain

@keep
def COUNTED(game):
    return 1

@hook("do place")
def do_place(state: list[int], mover: int, move: list[int]) -> None:
    compiled_do_place(state, mover, move)
    counted(state, COUNTED)
""")
    assert [text.partition(":")[0] for text in found.parts] == ["def counted(row, place)", "def inner(row, place)"]
    kernel = Kernel.of(probe(), native=False, hooks=found)
    row = kernel.start()
    kernel.apply(row, kernel.moves(row)[0])
    assert row[kernel.assembled.layout.own] == 1


@given(st.lists(st.tuples(st.integers(0, 19), st.integers(0, 19)), max_size=30))
def test_union_find_of_hooks(pairs: list[tuple[int, int]]) -> None:
    """The chains of the union-find are the components of a graph and carry all marks of their cells."""
    row = [7] * 25
    graph = networkx.Graph()
    graph.add_nodes_from(range(20))
    for cell in range(20):
        unions.join(row, 5, cell, cell, 1 << cell % 16)
    for one, other in pairs:
        graph.add_edge(one, other)
        first, second = unions.chain(row, 5, one), unions.chain(row, 5, other)
        if first != second:
            found = unions.marks(row, 5, first) | unions.marks(row, 5, second)
            unions.join(row, 5, second, first, found)
            unions.join(row, 5, first, first, found)
    for cells in networkx.connected_components(graph):
        assert len({unions.chain(row, 5, cell) for cell in cells}) == 1
        assert unions.marks(row, 5, unions.chain(row, 5, min(cells))) == sum({1 << cell % 16 for cell in cells})
    assert len({unions.chain(row, 5, cell) for cell in graph}) == networkx.number_connected_components(graph)
    assert row[:5] == [7] * 5


@pytest.mark.parametrize(("text", "said"), [
    ("@hook('ends')\ndef", "own.py:2: this is not Python"),
    ("x = 1\n", "own.py:1: there is no hook in this file"),
    ("1 / 0\n", "own.py:1: ZeroDivisionError"),
    ("from interpreter.hooks import hook\n@hook('nothing')\ndef f(state):\n    pass\n",
     "own.py:3: 'nothing' is no rule point of this game, expected one of: canonical, define beside, do place, draw"),
    ("from interpreter.hooks import hook\nx = 'ends'\n@hook(x)\ndef f(state):\n    pass\n",
     "own.py:4: expected a rule point as text"),
    ("from interpreter.hooks import hook\n@hook('ends')\ndef f(state):\n    pass\n",
     "own.py:3: f has 1 parameters, expected 4: (state, mover, entries, scratch)"),
    ("from interpreter.hooks import hook\n@hook('define beside')\ndef f(state):\n    pass\n",
     "own.py:3: f has 1 parameters, expected 3: (state, mover, argument_1)"),
    ("from interpreter.hooks import hook, table\n@table\ndef T(game):\n    return [1 // 0]\n"
     "@hook('ends')\ndef f(state, mover, entries, scratch):\n    pass\n", "T: ZeroDivisionError"),
    ("from interpreter.hooks import hook, keep\n@keep\ndef K(game):\n    return -5\n"
     "@hook('ends')\ndef f(state, mover, entries, scratch):\n    pass\n",
     "K: ValueError: found -5 words, expected 0 or more"),
    ("from interpreter.hooks import hook\n@hook('illegal')\ndef f(state, mover):\n    pass\n",
     "'illegal' is no rule point of this game"),
    ("from interpreter.hooks import hook\n@hook('value')\ndef f(state):\n    pass\n\n\n"
     "@hook('value')\ndef g(state):\n    pass\n", "own.py:8: 'value' has a hook already"),
])
def test_hook_file_that_does_not_fit_is_refused(tmp_path: Path, text: str, said: str) -> None:
    """The error gives the file, the line and what was expected."""
    with pytest.raises(hooks.HookError) as caught:
        Kernel.of(probe(), native=False, hooks=written(tmp_path, text))
    assert said in str(caught.value)


def test_hook_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    """The error says that the file cannot be read."""
    with pytest.raises(hooks.HookError, match="cannot be read"):
        hooks.load(tmp_path / "none.py")


def test_game_file_runs_no_code(tmp_path: Path) -> None:
    """A Python file beside a game that is not bundled is not opened."""
    (tmp_path / "own.game").write_text(GAME, encoding="utf-8")
    (tmp_path / "own.py").write_text("raise SystemExit('ran')\n", encoding="utf-8")
    game = dslgame.load(tmp_path / "own.game")
    assert len(Kernel.of(game, native=False).legal(game.engine.start())) == 9

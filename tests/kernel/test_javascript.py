"""Kernels in JavaScript, run under Node and compared with the interpreter and the primitives in plain Python."""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import attrs
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import dslgame
from interpreter.compiler import ir
from interpreter.compiler.emit import javascript_game
from interpreter.compiler.emit.javascript import emitted, reachable, support_text, taken_names
from interpreter.compiler.emit.javascript_game import ENTRIES, game_module
from interpreter.compiler.emit.javascript_text import halves
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.layout import Layout, join, split
from interpreter.compiler.primitives import PRIMITIVES
from interpreter.compiler.reader import IRError, read_functions
from interpreter.errors import RuleError
from interpreter.game import Game
from interpreter.kernel import plain, wide_plain
from interpreter.kernel.kernel import Kernel
from interpreter.model.state import State
from tests.app.test_cli import run
from tests.discovery import found_games, one_in
from tests.kernel.test_kernel_language import HEAD, PARTS
from tests.language import test_cheapest

PLAYER = Path(__file__).parents[1] / "javascript_player.mjs"
NODE = shutil.which("node")
MOST_PLIES, LIMIT = 40, 60
"""The most plies of games that are compared ply by ply, and of random games."""
UNBOUNDED = 4
"""The divisor of both limits on unbounded boards, where the interpreter needs long for a move."""
FIRST = ("hex", "hexplode", "reversi", "tic_tac_toe", "trax")
"""The games of the default tests: small and large boards, sets of one word and of many, forced rules."""
WORDS = (1 << 64) - 1

needs_node = pytest.mark.skipif(NODE is None, reason="there is no program `node` here")


@attrs.frozen
class Player:
    """A Node process that answers requests."""

    process: subprocess.Popen[str]

    def ask(self, **request: object) -> Any:
        """Send a request and return the answer; fail if Node reports a problem."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        assert "problem" not in answer, answer["problem"]
        return whole(answer["answer"])


def whole(value: Any) -> Any:
    """An answer with the numbers that its BigInts are."""
    match value:
        case list():
            return list(map(whole, value))
        case dict():
            return {key: whole(item) for key, item in value.items()}
        case str() if re.fullmatch(r"-?\d+n", value):
            return int(value[:-1])
    return value


@pytest.fixture(scope="module")
def player() -> Iterator[Player]:
    """One Node process for all tests of the module."""
    assert NODE is not None
    with subprocess.Popen([NODE, str(PLAYER)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                          encoding="utf-8") as process:
        yield Player(process)
        assert process.stdin is not None
        process.stdin.close()


# ---- games


def compiled(game: Game) -> Kernel:
    """The kernel that is translated to JavaScript: without hooks."""
    return Kernel.of(game, native=False)


def row_text(row: list[int], count: int) -> list[str]:
    """The first words of a row in the format of the JavaScript player: hexadecimal."""
    return [format(value & WORDS, "x") for value in row[:count]]


@needs_node
@pytest.mark.parametrize("path", [
    *(pytest.param(path, id=path.stem) for path in found_games() if path.stem in FIRST),
    *one_in(16, [path for path in found_games() if path.stem not in FIRST], 3, rest=2)])
def test_games_are_played_as_by_the_interpreter(path: Path, player: Player, tmp_path: Path) -> None:
    """In random games moves and their order, rows, outcomes, boards, variables and move texts agree."""
    hold(dslgame.load(path), player, tmp_path)


@needs_node
@pytest.mark.parametrize("path", [
    *(pytest.param(path, id=path.stem) for path in found_games() if path.stem == "hexplode"),
    *one_in(48, [path for path in found_games() if path.stem != "hexplode"], 5, rest=3)])
def test_games_with_bigints_are_played_as_by_the_interpreter(path: Path, player: Player, tmp_path: Path,
                                                             monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules of games with large numbers do all that others do."""
    monkeypatch.setattr(javascript_game, "SAFE_BITS", -1)
    hold(dslgame.load(path), player, tmp_path)
    assert "BigInt(limit)" in (tmp_path / "game.mjs").read_text(encoding="utf-8")


@needs_node
@pytest.mark.slow
@pytest.mark.parametrize("big", [False, True])
@pytest.mark.parametrize("construct", PARTS)
def test_constructs_mean_the_same(construct: str, big: bool, player: Player, tmp_path: Path,
                                  monkeypatch: pytest.MonkeyPatch) -> None:
    """Constructs that few games use, and rules that fail, with JavaScript's numbers and with BigInts."""
    if big:
        monkeypatch.setattr(javascript_game, "SAFE_BITS", -1)
    hold(dslgame.loads(HEAD + PARTS[construct].lstrip()), player, tmp_path)


@needs_node
@pytest.mark.parametrize("board", ["one word", "words in a tuple", "many words"])
def test_ways_cost_the_same(board: str, player: Player, tmp_path: Path) -> None:
    """`cheapest` agrees on sets of one word and of several."""
    hold(dslgame.loads(test_cheapest.GAME.format(board=test_cheapest.BOARDS[board])), player, tmp_path)


def hold(game: Game, player: Player, folder: Path) -> None:
    """Play random games in JavaScript and compare them with those of the interpreter and of the plain kernel."""
    kernel = compiled(game)
    layout = kernel.assembled.layout
    module = folder / "game.mjs"
    module.write_text(game_module(game, kernel.assembled), encoding="utf-8")
    random = Random(game.title)
    share = UNBOUNDED if game.board.unbounded else 1
    limit = LIMIT // share
    games = [[random.randrange(1 << 30) for _ in range(MOST_PLIES // share)] for _ in range(2)]
    seeds = [random.randrange(1 << 64) for _ in range(3)]
    answer = player.ask(module=str(module), games=games, seeds=list(map(str, seeds)), limit=limit,
                        count=layout.position)
    for choices, said in zip(games, answer["games"], strict=True):
        state = game.engine.start()
        for ply, now in enumerate(said):
            if "failed" in now:
                failed = failure_of(partial(follow, game, state, choices[ply - 1 : ply] if ply else []))
                limits = [failure for failure in kernel.assembled.failures if not failure.startswith("G")]
                assert failed == now["failed"] or now["failed"] in limits
                break
            if ply:
                state = follow(game, state, choices[ply - 1 : ply])
            compare(game, layout, state, now)
        else:
            assert len(said) == len(choices) + 1 or not game.engine.legal(state)
    for seed, found in zip(seeds, answer["randomly"], strict=True):
        row = kernel.start()
        failed = failure_of(partial(kernel.play_out, row, seed, limit))
        assert found.get("failed", "") == failed
        assert failed or found["row"] == row_text(row, layout.position)


def failure_of(act: Callable[[], object]) -> str:
    """The code or message of the failure that `act` raises; '' if it raises none."""
    try:
        act()
    except RuleError as problem:
        return problem.code
    except NotLowered as problem:
        return str(problem)
    return ""


def follow(game: Game, state: State, choices: list[int]) -> State:
    """The state after some moves, each chosen by a number modulo the count of legal moves. Raises RuleError."""
    for choice in choices:
        legal = game.engine.legal(state)
        after = game.engine.apply(state, legal[choice % len(legal)])
        assert after is not None
        state = after
    game.engine.legal(state)
    return state


def compare(game: Game, layout: Layout, state: State, now: dict[str, Any]) -> None:
    """Compare what JavaScript reports of a position with the interpreter."""
    legal = game.engine.legal(state)
    assert now["moves"] == [[move.rule, *move.values] for move in legal]
    assert now["row"] == row_text(layout.row(state), layout.position)
    assert now["outcome"] == state.outcome
    assert now["toMove"] == (state.to_move if state.outcome is None else None)
    assert now["board"] == [next(piece for piece, cells in enumerate(state.pieces) if cells >> cell & 1)
                            for cell in range(game.board.size)]
    piles = game.engine.evaluator.piles
    assert [value for values in now["variables"] for value in values] == list(
        state.values if piles is None else state.values[: piles.start])
    if piles is not None:
        assert now["piles"] == [list(piles.at(state, cell)) for cell in range(game.board.size)]
    for move, text in zip(legal, now["texts"], strict=True):
        assert text in (None, game.notation.write(state, move))


@pytest.mark.parametrize("name", FIRST)
def test_moves_are_written_as_the_game_does(name: str) -> None:
    """The notations of these games use only the values of a move, so that JavaScript can write all of them."""
    game = dslgame.load(name)
    text = game_module(game, compiled(game).assembled)
    assert '"notation": [' in text
    assert '"notation": null' not in text


@needs_node
def test_passes_and_exchanges_of_sides_are_written_as_the_game_does(player: Player, tmp_path: Path) -> None:
    """Passes and swaps use their own notation."""
    game = dslgame.loads("""
game "Probe"
players Red, Blue
board square(3, 3)
pieces red of Red, blue of Blue
move place(c in empty):
    c := own
draw when no empty
pass
notation pass "-"
notation swap "X!" or "swap"
pie rule after turn 1
symmetry left right mirror swapping players
""".lstrip())
    hold(game, player, tmp_path)
    (tmp_path / "run.mjs").write_text(
        'import { game } from "./game.mjs"; const after = game.play(game.start(), game.legal(game.start())[0]);\n'
        'export const texts = () => game.legal(after).filter((move) => move.rule < 0).map((move) => game.text(move));\n'
        'export const r1 = 0;\n', encoding="utf-8")
    [(texts, _)] = player.ask(module=str(tmp_path / "run.mjs"), calls=[["texts", []]])
    assert sorted(texts) == ["-", "X!"]


def test_only_what_is_called_is_written() -> None:
    """The module contains neither search functions nor symmetry tables."""
    game = dslgame.load("tic_tac_toe")
    module = compiled(game).assembled.module
    names = {function.name for function in reachable(module, ENTRIES)}
    assert {"list_moves", "legal", "play", "has_line_3"} <= names
    assert not names & {"perft", "image", "pack_least", "key"}
    text = emitted(module, ENTRIES)
    assert "IMAGE_SWAPS" not in text
    assert "function perft(" not in text


def test_a_function_in_python_is_refused() -> None:
    """A Python function is refused where it is an entry or called; an unused one does no harm."""
    given_in_python = ir.Foreign("by_hand", (), ir.INT, "def by_hand():\n    return 1")
    caller = ir.Function("caller", (), ir.INT, "", (ir.Return(ir.Call("by_hand", (), ir.INT)),))
    alone = ir.Function("alone", (), ir.INT, "", (ir.Return(ir.Literal(1, ir.INT)),))
    module = ir.Module("", (), (), (given_in_python, caller, alone))
    assert "function alone()" in emitted(module, ["alone"])
    with pytest.raises(IRError, match="by_hand is written in Python"):
        emitted(module, ["caller"])


# ---- what support.js has, beside plain Python

_word = st.one_of(st.integers(0, WORDS), st.integers(0, 63).map(lambda place: 1 << place), st.just(0), st.just(WORDS))
_number = st.one_of(st.integers(-(1 << 50), 1 << 50), st.integers(-5, 70), st.integers(-(1 << 33), 1 << 33))
_many = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture(scope="module")
def support(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The support code as a module of its own."""
    path = tmp_path_factory.mktemp("support") / "support.mjs"
    path.write_text(support_text(), encoding="utf-8")
    return path


def flat(values: list[int], sorts: list[ir.Sort]) -> list[int]:
    """Arguments as JavaScript takes them: a word as two halves."""
    return [number for value, sort in zip(values, sorts, strict=True)
            for number in (map(int, halves(value)) if sort == ir.WORD else (value,))]


def value_of(answer: list[Any], sort: ir.Sort) -> int:
    """The result of a function, with the halves of a word joined."""
    first, second = answer
    return (first & 0xFFFFFFFF) | (second & 0xFFFFFFFF) << 32 if sort == ir.WORD else int(first)


SCALARS: dict[str, Callable[..., int]] = {
    name: getattr(plain, name) for name, primitive in PRIMITIVES.items()
    if primitive.parameters and primitive.parameters[0] == ir.WORD}
"""The primitives on words, as plain Python functions."""


@needs_node
@pytest.mark.parametrize("name", SCALARS)
def test_primitives_give_what_they_give_in_python(name: str, player: Player, support: Path) -> None:
    """On random words, words with one cell and the full word."""
    sorts = [sort for sort in PRIMITIVES[name].parameters if sort is not None]
    result = PRIMITIVES[name].sort(sorts)
    assert result is not None

    @_many
    @given(st.lists(st.tuples(*[_word if sort == ir.WORD else st.integers(0, (1 << 32) - 1) for sort in sorts]),
                    min_size=1, max_size=20))
    def check(cases: list[tuple[int, ...]]) -> None:
        if name in ("lowest", "highest", "nth"):
            cases = [case for case in cases if case[0]]
        if name == "nth":
            cases = [(cells, place % cells.bit_count()) for cells, place in cases]
        if name == "below":
            cases = [(random, limit) for random, limit in cases if limit]
        assume(cases)
        answers = player.ask(module=str(support), calls=[[name, flat(list(case), sorts)] for case in cases])
        assert [value_of(answer, result) for answer in answers] == [SCALARS[name](*case) for case in cases]

    check()


_set = st.lists(_word, min_size=13, max_size=13).map(tuple)
VECTORS: dict[str, tuple[st.SearchStrategy[Any], ...]] = {
    "either": (_set, _set), "both": (_set, _set), "minus": (_set, _set), "some": (_set,), "equal": (_set, _set),
    "count": (_set,), "single": (st.integers(0, 13 * 64 - 1), _set), "shift": (_set, st.integers(-200, 200)),
    "read": (st.lists(_word, min_size=20, max_size=20), st.integers(0, 7), _set)}


@needs_node
@pytest.mark.parametrize("name", VECTORS)
def test_sets_of_many_words_are_as_in_python(name: str, player: Player, support: Path) -> None:
    """Vector primitives agree on sets of 13 words."""
    @_many
    @given(st.tuples(*VECTORS[name]))
    def check(case: tuple[Any, ...]) -> None:
        expected = getattr(wide_plain, name)(*case)
        as_halves = [part if isinstance(part, int) else [int(half) for word in part for half in halves(word)]
                     for part in case]
        [(found, _)] = player.ask(module=str(support), calls=[[name, as_halves]])
        if isinstance(expected, tuple):
            assert join([half & 0xFFFFFFFF | (other & 0xFFFFFFFF) << 32 for half, other in
                         zip(found[::2], found[1::2], strict=True)]) == join(expected)
        else:
            assert found == expected

    check()


# ---- functions, beside the same functions in Python

WORD_OPERATORS = ["a & b", "a | b", "a ^ b", "a + b", "a - b", "a * b", "~a", "a - ONE", "a & ~b",
                  *(f"a {way} {by}" for way in ("<<", ">>") for by in (0, 1, 31, 32, 33, 63)),
                  "a << (n & 63)", "a >> (n & 63)", "ONE << (n & 63)", "word(n)", "word(5 - n)", "FULL ^ a",
                  "a if a < b else b", "a // (b | ONE)", "a % (b | ONE)"]
INT_OPERATORS = ["n + m", "n - m", "n // (m % 99 + 1)", "n % 7", "n % -7", "n // 64", "n & m", "n | m", "n ^ m",
                 "n & 63", "n >> 3", "n >> (m & 63)", "(n & 255) << (m & 15)", "-n", "~n", "abs(n)",
                 "min(n, m)", "max(n, m)", "1 if 0 <= n < m <= 1000 else 0", "1 if not n < m else 2", "number(word(n))",
                 "n * 3 - (m - n)"]


@pytest.fixture(scope="module")
def module_of(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., tuple[Path, dict[str, Any], ir.Module]]:
    """Return a function that compiles a text to a JavaScript file, Python functions and IR."""
    def make(text: str, *, big: bool = False) -> tuple[Path, dict[str, Any], ir.Module]:
        functions = read_functions([text], ir.WORD, {})
        names = [function.name for function in functions]
        module = ir.Module("", (), (), functions)
        path = tmp_path_factory.mktemp("functions") / "functions.mjs"
        renamed = [f"{name}{'$' if name in taken_names() else ''} as test_{name}" for name in names]
        exports = f"export {{ {', '.join(renamed)} }};"
        path.write_text(f"{support_text()}\n{emitted(module, names, big=big)}\n{exports}\n", encoding="utf-8")
        tree = ast.parse(text)
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                for argument in node.args.args:
                    argument.annotation = None
        in_python: dict[str, Any] = dict(vars(plain))
        exec(compile(tree, "<text>", "exec"), in_python)
        return path, in_python, module

    return make


@needs_node
@pytest.mark.parametrize("big", [False, True])
def test_operators_give_what_they_give_in_python(player: Player, module_of: Callable[..., Any], big: bool) -> None:
    """Operators on words wrap at 64 bits; those on numbers are exact, of 61 bits where they are BigInts."""
    texts = [*WORD_OPERATORS, *INT_OPERATORS]
    path, in_python, _ = module_of("\n".join(
        f"def f{number}(a: Word, b: Word, n: Int, m: Int):\n    return {text}" for number, text in enumerate(texts)),
        big=big)
    numbers = st.one_of(_number, st.integers(-(1 << 60), 1 << 60)) if big else _number

    @_many
    @given(_word, _word, numbers, st.one_of(numbers.map(lambda number: number % 1000), numbers))
    def check(a: int, b: int, n: int, m: int) -> None:
        arguments = flat([a, b], [ir.WORD, ir.WORD]) + [f"{value}n" if big else value for value in (n, m)]
        answers = player.ask(module=str(path), calls=[[f"test_f{number}", arguments] for number in range(len(texts))])
        for number, (text, answer) in enumerate(zip(texts, answers, strict=True)):
            expected = in_python[f"f{number}"](a, b, n, m)
            if number < len(WORD_OPERATORS):
                assert value_of(answer, ir.WORD) == expected & WORDS, text
            else:
                assert answer[0] == expected, text

    check()


PROGRAMS = '''
def later(n: Int):
    last = 9
    for k in range(n):
        last = k
    for k in range(n, n + 3):
        n = n + k
    return last * 100 + k + n

def back(n: Int):
    found = 0
    for k in range(n, -1, -1):
        if k % 3 == 2:
            continue
        if k == 1:
            break
        found = (found * 2 + k) % 1009
    return found

def swapped(n: Int):
    a = n
    b = n + 1
    for _ in range(n):
        a, b = b, (a + b) % 1009
    return a

def bump(S: Row):
    S[0] += ONE
    return number(S[0])

def ordered(n: Int):
    S = row(2)
    S[0] = word(n)
    first = number(S[0]) * 1000 + bump(S)
    second = bump(S) * 10 + number(S[0])
    if number(S[0]) > 5 and bump(S) > 7 or bump(S) < 0:
        first += 1
    third = number(S[0]) if bump(S) > 3 else bump(S) * 2
    return first + second * 100000 + third * 10000000

def both_of(a: Word, b: Word):
    return a & b, a | b

def pairs(n: Int):
    low, high = both_of(word(n), word(n * 3))
    low, high = high, low
    return number(low) * 1000 + number(high)

def lines(n: Int):
    E = numbers(4, 3)
    rest = n
    for k in range(4):
        m = E[k]
        m[0] = rest % 10
        E[k, 1] = number(ONE << (k * 20))
        E[k, 2] |= number(ONE << 63)
        rest = rest // 10
    total = 0
    for k in range(len(E)):
        total = total * 10 + E[k, 0]
        if word(E[k, 2]) >> 63 == ONE and word(E[k, 1]) == ONE << (k * 20):
            total += 1
    tail = E[2:]
    return total * 100 + len(tail) * 10 + len(tail[0])

def reserved(new: Int, set: Int):
    get = new + set
    return get

def high(n: Int):
    r1 = n * 2
    return r1

def while_first(n: Int):
    rest = word(n)
    found = 0
    while rest != EMPTY and popcount(rest) > 1:
        found += lowest(rest) if found % 2 == 0 else highest(rest)
        rest &= rest - ONE
    return found
'''


@needs_node
@pytest.mark.parametrize("big", [False, True])
def test_statements_do_what_they_do_in_python(player: Player, module_of: Callable[..., Any], big: bool) -> None:
    """Loops and the values their names keep, the order of evaluation of calls and rows, and multiple assignment."""
    path, in_python, module = module_of(PROGRAMS, big=big)
    cases = [(function.name, [n] * len(function.parameters)) for function in module.functions
             if all(name.sort == ir.INT for name in function.parameters) for n in (0, 1, 2, 5, 12, 77, 12345)]
    answers = player.ask(module=str(path), calls=[
        (f"test_{name}", [f"{value}n" if big else value for value in arguments]) for name, arguments in cases])
    for (name, arguments), (answer, _) in zip(cases, answers, strict=True):
        assert answer == in_python[name](*arguments), (name, arguments)


@needs_node
def test_a_loop_goes_through_the_cells_of_a_set(player: Player, module_of: Callable[..., Any]) -> None:
    """The loop goes in board order over the cells that the set had when it began."""
    path, _, _ = module_of("def f(a: Word):\n    found = 1\n    for c in members(a):\n        a |= ONE << 63\n"
                           "        found = (found * 31 + c) % 1009\n    return found")
    for cells in (0, 1, 1 << 40, 0b1011 | 1 << 33, (1 << 63) - 1):
        expected = 1
        for cell in range(64):
            if cells >> cell & 1:
                expected = (expected * 31 + cell) % 1009
        assert player.ask(module=str(path), calls=[["test_f", flat([cells], [ir.WORD])]])[0][0] == expected


@needs_node
def test_a_number_that_is_too_large_is_an_error(player: Player, module_of: Callable[..., Any]) -> None:
    """A number that JavaScript cannot hold exactly is an error and never rounded."""
    path, _, _ = module_of("def f(a: Word):\n    return number(a) + 1")
    assert player.ask(module=str(path), calls=[["test_f", flat([1 << 50], [ir.WORD])]])[0][0] == (1 << 50) + 1
    with pytest.raises(AssertionError, match="RangeError: 1152921504606846976 is too large for a number"):
        player.ask(module=str(path), calls=[["test_f", flat([1 << 60], [ir.WORD])]])


def test_halves_are_put_together_again() -> None:
    """`split` inverts `halves` for words and for negative numbers."""
    for value in (0, 1, WORDS, 1 << 63, -1, -2, -(1 << 40), 0x123456789ABCDEF0):
        low, high = map(int, halves(value))
        assert -(1 << 31) <= low < 1 << 31
        assert split((low & 0xFFFFFFFF) | (high & 0xFFFFFFFF) << 32, 1) == [value & WORDS]


# ---- the command


def test_compile_writes_a_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The file is named after the game and never overwrites an existing one without --force."""
    monkeypatch.chdir(tmp_path)
    result = run("compile", "tic_tac_toe", "--target", "javascript")
    assert result.stdout.startswith("tic-tac-toe.mjs: Tic-Tac-Toe as a module, ")
    text = (tmp_path / "tic-tac-toe.mjs").read_text(encoding="utf-8")
    assert text.endswith("export const game = new Game(kernel, facts);\nexport default game;\n")
    assert run("compile", "tic_tac_toe", "--target", "javascript", "--show").stdout == text
    refused = run("compile", "tic_tac_toe", "--target", "javascript")
    assert refused.exit_code == 1
    assert "tic-tac-toe.mjs exists and stays as it is: give --force to write over it" in refused.stderr
    found = json.loads(run("compile", "tic_tac_toe", "--target", "javascript", "-o", "t.mjs", "--json").stdout)
    assert found == {"game": "Tic-Tac-Toe", "params": {}, "without": [], "target": "javascript", "file": "t.mjs",
                     "bytes": len(text.encode())}
    assert run("compile", "tic_tac_toe", "--target", "python", "-o", "t.py").exit_code == 0
    written = (tmp_path / "t.py").read_text(encoding="utf-8")
    assert "def list_moves(state, entries, move_rows):" in written
    assert run("compile", "tic_tac_toe", "--target", "python", "--show").stdout == written


@pytest.mark.parametrize(("options", "message"), [
    (("--target", "java"), "'java' is not one of 'python', 'javascript'"),
    (("-o", "game.mjs"), "give --target python or --target javascript"),
    (("--target", "javascript", "--points"), "leave --ir, --points and --many out"),
    (("--target", "javascript", "--show", "-o", "game.mjs"), "--show prints what --output would write"),
    (("--target", "javascript", "--hooks", "mine.py"), "leave --hooks out"),
])
def test_options_that_do_not_go_together_are_wrong_use(
        options: tuple[str, ...], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command exits with code 2 and writes no file."""
    monkeypatch.chdir(tmp_path)
    result = run("compile", "tic_tac_toe", *options)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())
    assert list(tmp_path.iterdir()) == []

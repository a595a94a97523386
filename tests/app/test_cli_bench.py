"""The commands that measure and show kernels: `dslgame bench` and `dslgame compile`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from math import inf
from pathlib import Path
from typing import Any

import attrs
import pytest

import dslgame
from dslgame import bundled, measuring
from interpreter.compiler.lowering.errors import NotLowered
from interpreter.compiler.lowering.module_builder import Passes
from interpreter.compiler.module_reader import read_module
from interpreter.compiler.pipeline import STEPS
from interpreter.kernel.kernel import Kernel
from tests.app.test_cli import run

ROOT = Path(__file__).parents[2]
FAST = ("--seconds", "0.02")


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An environment with a cache of its own."""
    return {**os.environ, "DSLGAME_CACHE": str(tmp_path_factory.mktemp("kernels")), "PYTHONPATH": str(ROOT)}


def in_new_process(environment: dict[str, str], *arguments: str) -> Any:
    """The JSON object that the command prints in a new process."""
    command = [sys.executable, "-m", "dslgame", *arguments, "--json"]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout)


# ---- bench


@pytest.mark.slow
def test_bench_measures_interpreter_and_kernel(kept: dict[str, str]) -> None:
    """Both play the same game, the kernel faster, and a second process loads the kernel from the cache."""
    first, second = (in_new_process(kept, "bench", "tic_tac_toe", *FAST) for _ in range(2))
    for found in (first, second):
        assert found.keys() == {"game", "params", "seed", "seconds", "plies", "measured_seconds",
                                "compiled_seconds", "missing", "interpreter", "kernel", "hooks"}
        interpreter, kernel = found["interpreter"], found["kernel"]
        for rate in ("playouts_per_second", "moves_per_second", "perft_nodes_per_second"):
            assert kernel[rate] > interpreter[rate] > 0
        for way in (interpreter, kernel):
            assert 7.2 < way["moves_per_playout"] < 8
            assert way["moves_per_second"] == pytest.approx(
                way["playouts_per_second"] * way["moves_per_playout"], rel=0.1)
            assert way["unfinished"] == 0
        assert interpreter["compile_seconds"] is None
        assert found["hooks"] is None
    assert first["kernel"]["cached"] is False
    assert second["kernel"]["cached"] is True


def test_bench_prints_a_table() -> None:
    """The table has a line for each way to play, and one for their ratio."""
    result = run("bench", "tic_tac_toe", *FAST)
    assert result.exit_code == 0, result.stderr
    lines = result.stdout.splitlines()
    assert lines[0] == "Tic-Tac-Toe"
    assert [line.split("  ")[1] for line in lines[2:5]] == ["interpreter", "kernel", "kernel / interpreter"]
    assert lines[5].startswith("random games of 7.")


def test_bench_tells_of_games_that_are_left() -> None:
    """The table tells the share of games that were cut at the limit of plies."""
    result = run("bench", "tic_tac_toe", *FAST, "--plies", "4")
    assert "random games of 4.00 moves (100% left after 4)" in result.stdout


def test_bench_measures_the_interpreter_alone_where_there_is_no_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a kernel the interpreter alone is measured, and the output names what the compiler does not know."""
    def refuse(*arguments: object, **options: object) -> Kernel:
        raise NotLowered("the function dance")

    monkeypatch.setattr(Kernel, "of", refuse)
    result = run("bench", "tic_tac_toe", *FAST)
    assert result.exit_code == 0
    assert "no kernel: the compiler does not know the function dance\n" in result.stdout
    found = json.loads(run("bench", "tic_tac_toe", *FAST, "--json").stdout)
    assert found["kernel"] is None
    assert found["missing"]["kernel"] == "the compiler does not know the function dance"
    failed = run("compile", "tic_tac_toe")
    assert failed.exit_code == 1
    assert failed.stderr.startswith("error: the rules cannot be compiled: the compiler does not know the function danc")


def test_ways_that_count_differently_are_a_mistake() -> None:
    """Ways with different perft counts raise Disagreement, as their speeds cannot be compared."""
    game = dslgame.load("tic_tac_toe")
    wrong = measuring.Way("kernel", lambda games, seed, limit, until=0: measuring.Played(games, 1, 0, 1),
                          lambda depth, until=0: [9, 71, 1])
    with pytest.raises(measuring.Disagreement, match="interpreter and kernel count differently at depth 2: 72 and 71"):
        measuring.measure([measuring.interpreted(game), wrong], seconds=0.1, rounds=1)


def test_interpreter_counts_what_perft_files_expect() -> None:
    """The measured tree walk counts the numbers of the perft file."""
    assert measuring.interpreter_counts(dslgame.load("tic_tac_toe").engine, 5) == [9, 72, 504, 3024, 15120]


@pytest.mark.parametrize("name", ["chomp", "nim"])
def test_trees_that_end_are_counted_to_their_end(name: str) -> None:
    """The depth of perft is no larger than the depth of the tree."""
    speeds = measuring.measure([measuring.interpreted(dslgame.load(name, **({"rows": 2, "columns": 2} if name == "chomp"
                                                                            else {"a": 0, "b": 0, "c": 1, "d": 2})))],
                               seconds=0.1, rounds=1)
    assert speeds["interpreter"].perft_depth <= 5


class Slow:
    """A way to play on a simulated clock: each move takes a second, and games have a given number of moves."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, moves: int, first_moves: int) -> None:
        self.now, self.moves, self.first_moves = 0.0, moves, first_moves
        monkeypatch.setattr("dslgame.measuring.time.process_time", lambda: self.now)

    def play(self, games: int, seed: int, limit: int, until: float = inf) -> measuring.Played:
        """Play, and stop after a move once time is up."""
        for number in range(games * self.moves):
            if number and self.now > until:
                return measuring.Played(number // self.moves, number - number % self.moves, 0, number)
            self.now += 1
        return measuring.Played(games, games * self.moves, 0, games * self.moves)

    def count(self, depth: int, until: float = inf) -> list[int]:
        """Count positions, with one look at the clock for each."""
        counts = [0] * depth
        for level in range(depth):
            for _ in range(self.first_moves ** (level + 1)):
                counts[level] += 1
                self.now += 1
                if level and self.now > until:
                    return counts
        return counts


@pytest.mark.parametrize(("moves", "first_moves"), [(3, 2), (40, 7), (100_000, 10), (100_000, 90)])
def test_measuring_takes_the_time_that_was_asked_for(monkeypatch: pytest.MonkeyPatch, moves: int,
                                                     first_moves: int) -> None:
    """Measuring keeps to its time: moves of cut games count, and without a whole game there is no rate of games."""
    slow = Slow(monkeypatch, moves, first_moves)
    speeds = measuring.measure([measuring.Way("slow", slow.play, slow.count)], seconds=1000)
    assert 500 < slow.now <= 1500
    assert speeds["slow"].moves_per_second == pytest.approx(1)
    assert speeds["slow"].perft_nodes_per_second == pytest.approx(1)
    assert speeds["slow"].moves_per_playout == (moves if moves < 1000 else None)
    assert speeds["slow"].playouts_per_second == (pytest.approx(1 / moves) if moves < 1000 else None)
    assert speeds["slow"].cut_off == (moves > 1000)


def test_games_that_are_cut_off_go_on() -> None:
    """A game that was cut continues in the next call, so that not only first moves of long games are measured."""
    game = dslgame.load("tic_tac_toe")
    way, whole = measuring.interpreted(game), measuring.interpreted(game).play(1, 5, 1000)
    cut = [way.play(1, 5, 1000, -1.0) for _ in range(whole.moves)]
    assert [played.made for played in cut] == [1] * whole.moves
    assert sum(played.games for played in cut) == 1
    assert 5 <= sum(played.moves for played in cut) <= whole.moves


def test_bench_leaves_out_what_takes_long_to_compile(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks are left out, with a note, where compiling the kernel took longer than measuring is to take."""
    monkeypatch.setattr(measuring, "PATIENCE", 0.0)
    monkeypatch.setattr(measuring, "from_disk", lambda kernel, name: False)
    result = run("bench", "ultimate_tic_tac_toe", "--seconds", "0.01")
    assert result.exit_code == 0
    assert "no hooks: left out: compiling takes about" in result.stdout
    assert "of compiling" in result.stdout.splitlines()[-1]


# ---- hooks

HOOKS = """\
from interpreter.hooks import hook


@hook("ends")
def ends(state, mover, entries, scratch):
    return compiled_ends(state, mover, entries, scratch)
"""


@pytest.fixture
def hooks(tmp_path: Path) -> str:
    """A hook file that does not change the game."""
    path = tmp_path / "mine.py"
    path.write_text(HOOKS)
    return str(path)


def test_bench_measures_hooks(hooks: str) -> None:
    """Hooks are measured beside the kernel without them."""
    found = json.loads(run("bench", "tic_tac_toe", *FAST, "--hooks", hooks, "--json").stdout)
    assert found["missing"] == {}
    assert found["hooks"]["playouts_per_second"] > found["interpreter"]["playouts_per_second"]
    assert "\n  hooks / kernel " in run("bench", "tic_tac_toe", *FAST, "--hooks", hooks).stdout
    assert "def compiled_ends(" in run("compile", "tic_tac_toe", "--show", "--hooks", hooks).stdout


@pytest.mark.slow
def test_hooks_that_play_another_game_are_not_measured(tmp_path: Path) -> None:
    """Hooks with different perft counts are refused."""
    path = tmp_path / "wrong.py"
    path.write_text(HOOKS.replace("compiled_ends(state, mover, entries, scratch)",
                                  "0 if number(state[1]) & 16 else GOING"))
    result = run("bench", "tic_tac_toe", *FAST, "--hooks", str(path))
    assert result.exit_code == 1
    assert "interpreter and hooks count differently at depth 2: 72 and " in " ".join(result.stderr.split())


@pytest.mark.parametrize(("text", "message"), [
    (HOOKS.replace('"ends"', '"end"'), ":5: 'end' is no rule point of this game, expected one of: "),
    (HOOKS.replace("(state, mover, entries, scratch):", "(state, mover):"),
     ":5: ends has 2 parameters, expected 4: (state, mover, entries, scratch)"),
    ("x = 1\n", "there is no hook in this file"),
    ("def\n", ":1: this is not Python: "),
], ids=["point", "parameters", "none", "syntax"])
def test_wrong_hooks_are_told_with_their_place(tmp_path: Path, text: str, message: str) -> None:
    """A wrong hook file is reported with its place and without a traceback."""
    path = tmp_path / "wrong.py"
    path.write_text(text)
    for command in ("bench", "compile"):
        result = run(command, "tic_tac_toe", "--hooks", str(path))
        assert result.exit_code == 1
        assert result.stderr.startswith(f"error: {path}")
        assert message in result.stderr
    assert run("compile", "tic_tac_toe", "--hooks", str(path), "--no-hooks").exit_code == 2


@pytest.mark.slow
@pytest.mark.parametrize("command", ["bench", "compile"])
def test_hook_that_no_compiler_takes_is_no_internal_error(tmp_path: Path, command: str) -> None:
    """A hook that neither LLVM nor Numba compiles is reported as an error of the hook."""
    path = tmp_path / "wrong.py"
    path.write_text(HOOKS.replace("compiled_ends(state, mover, entries, scratch)", "int(str(state[1]).encode()[0])"))
    result = run(command, "tic_tac_toe", *(FAST if command == "bench" else ()), "--hooks", str(path))
    assert result.exit_code == 1, result.output
    assert result.stderr.startswith("error: a hook can be compiled neither by LLVM (")
    assert "nor by Numba (" in result.stderr


def test_file_beside_a_game_of_ones_own_is_not_run(tmp_path: Path) -> None:
    """A Python file beside a user's own game is never loaded; only bundled games have hooks."""
    for suffix in (".game", ".py"):
        (tmp_path / f"mine{suffix}").write_text("raise SystemExit(9)\n")
    assert bundled.hooks_file(tmp_path / "mine.game") is None
    assert bundled.hooks_file(bundled.FOLDER / "tic_tac_toe.game") is None
    (tmp_path / "mine.game").write_text((bundled.FOLDER / "tic_tac_toe.game").read_text(encoding="utf-8"))
    assert run("compile", str(tmp_path / "mine.game"), "--show").exit_code == 0


def test_hooks_beside_a_bundled_game_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hooks beside a bundled game are used, and left out with --no-hooks."""
    monkeypatch.setattr(bundled, "FOLDER", tmp_path.resolve())
    monkeypatch.chdir(tmp_path.parent)
    (tmp_path / "mine.game").write_text((ROOT / "games" / "tic_tac_toe.game").read_text(encoding="utf-8"))
    (tmp_path / "mine.py").write_text(HOOKS)
    assert "def compiled_ends(" in run("compile", "mine", "--show").stdout
    assert "def compiled_ends(" not in run("compile", "mine", "--show", "--no-hooks").stdout


# ---- compile


@pytest.mark.slow
def test_compile_tells_sizes_and_times(kept: dict[str, str]) -> None:
    """The JSON has the sizes, and for each entry function its name and whether it was cached."""
    found = in_new_process(kept, "compile", "tic_tac_toe")
    assert found["lines"] > 100
    assert found["row_words"] == Kernel.of(dslgame.load("tic_tac_toe"), native=False).assembled.layout.width
    assert {function["name"] for function in found["functions"]} >= {"list_moves", "apply_move", "play_outs", "perft"}
    assert all(function["cached"] for function in in_new_process(kept, "compile", "tic_tac_toe")["functions"])


@pytest.mark.slow
def test_every_function_is_compiled() -> None:
    """The command compiles every entry function of the kernel."""
    text = Kernel.of(dslgame.load("tic_tac_toe"), native=False).text
    names = [line.split("(")[0].removeprefix("def ") for before, line in zip(text.splitlines(), text.splitlines()[1:],
             strict=False) if before == "@entry"]
    stdout = run("compile", "tic_tac_toe", "--many").stdout
    assert [name for name in names if f"\n  {name} " not in stdout] == []


def test_compile_shows_a_module_that_runs(tmp_path: Path) -> None:
    """The printed module runs as plain Python and plays like the kernel."""
    size = ("-p", "rows=4", "-p", "columns=4")
    shown = run("compile", "connect_four", *size, "--show", "--target", "python").stdout
    assert shown.startswith('"""Connect Four (rows=4, columns=4, length=4): the kernel')
    assert max(map(len, shown.splitlines())) <= 160
    names: dict[str, Any] = {}
    exec(compile(shown, "shown", "exec"), names)
    kernel = Kernel.of(dslgame.load("connect_four", rows=4, columns=4), native=False)
    expected = kernel.play_outs(20, 5)
    kernel.functions = names
    assert kernel.play_outs(20, 5) == expected
    as_json = json.loads(run("compile", "connect_four", *size, "--show", "--json").stdout)
    assert as_json["text"] == shown
    assert as_json["lines"] > 100


def test_compile_shows_people_the_rules_before_abbreviated_tables() -> None:
    """For people large tables are abbreviated and come after the functions, which are unchanged."""
    complete, _, _ = run("compile", "tic_tac_toe", "--show", "--target", "python").stdout.rpartition("\n\n\n")
    shown = run("compile", "tic_tac_toe", "--show").stdout
    functions, _, tables = shown.rpartition("\n\n\n")
    assert functions == complete
    assert "\nIMAGES_CELLS = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ... 2064 numbers]\n" in f"\n{tables}"
    assert len(tables.splitlines()) < 30


def test_compile_shows_ir() -> None:
    """The IR shows sorts; as JSON it is complete and reads back as the same module."""
    shown = run("compile", "tic_tac_toe", "--ir").stdout
    assert "\ndef has_line_3(cells: Word) -> Bool:\n" in shown
    assert " ... 2064 numbers]\n" in shown
    found = json.loads(run("compile", "tic_tac_toe", "--ir", "--json").stdout)
    assert read_module(found["text"]) == Kernel.of(dslgame.load("tic_tac_toe"), native=False).assembled.module
    for other in ("--show", "--points", "--many"):
        assert run("compile", "tic_tac_toe", "--ir", other).exit_code == 2
    assert run("compile", "tic_tac_toe", "--ir", "--target", "python").exit_code == 2


def test_compile_shows_what_there_is_after_a_step() -> None:
    """`--after` shows the IR after a pass and names the passes that were left out."""
    names = [field.name for field in attrs.fields(Passes)]
    found = json.loads(run("compile", "tic_tac_toe", "--ir", "--after", "shifts", "--json").stdout)
    assert found["without"] == names[names.index("shifts") + 1 :]
    passes = attrs.evolve(Passes.none(), **dict.fromkeys(names[: names.index("shifts") + 1], True))
    expected = Kernel.of(dslgame.load("tic_tac_toe"), native=False, passes=passes).assembled.module
    assert read_module(found["text"]) == expected
    values = json.loads(run("compile", "tic_tac_toe", "--ir", "--after", "symbols", "--json").stdout)["text"]
    assert "    with let(empty):\n        empty = state[0]\n" in values
    assert json.loads(run("compile", "tic_tac_toe", "--ir", "--after", names[-1], "--json").stdout)["without"] == []
    result = run("compile", "tic_tac_toe", "--show", "--after", "shift")
    assert result.exit_code == 2
    assert ("'--after': there is no step 'shift'; the steps are lowering, vectors, " in " ".join(result.stderr.split()))


@pytest.mark.slow
def test_compile_shows_each_step() -> None:
    """`--after` works for every step, from lowering to hooks and the pass after them."""
    texts = {}
    for step in STEPS:
        found = json.loads(run("compile", "hex", "-p", "size=4", "--ir", "--after", step, "--json").stdout)
        assert bool(found["hooks"]) == (step in ("hooks", "unused")), step
        texts[step] = found["text"]
    assert "def has_move(" in texts["lowering"]
    assert texts["lowering"] != texts["sharing"] != texts["symbols"]
    assert len({texts[step] for step in ("images", "hooks", "unused")}) == 3


def test_compile_leaves_passes_out() -> None:
    """`--without` leaves a pass out and changes the module."""
    shown = run("compile", "connect_four", "--show").stdout
    without = run("compile", "connect_four", "--show", "--without", "shifts").stdout
    assert shown != without
    kernel = Kernel.of(dslgame.load("connect_four"), native=False, passes=Passes(shifts=False))
    assert kernel.text.partition("\n\n\n")[2].strip() in without


def test_compile_lists_rule_points() -> None:
    """Rule points are listed with the signatures that hooks must have."""
    stdout = run("compile", "breakthrough", "--points").stdout
    assert "move advance moves_advance(state, mover, entries, n, scratch)" in " ".join(stdout.split())
    assert "define ahead " in stdout
    points = json.loads(run("compile", "breakthrough", "--points", "--json").stdout)["points"]
    assert {"point": "ends", "function": "ends", "parameters": ["state", "mover", "entries", "scratch"]} in points
    assert run("compile", "breakthrough", "--points", "--show").exit_code == 2


def test_unknown_pass_is_wrong_use() -> None:
    """An unknown pass is refused, and the known ones are listed."""
    result = run("compile", "tic_tac_toe", "--without", "shift")
    assert result.exit_code == 2
    assert "there is no pass 'shift'; the passes are " in " ".join(result.stderr.split())
    assert "Did you mean 'shifts'?" in " ".join(result.stderr.split())

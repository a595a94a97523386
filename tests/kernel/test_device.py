"""GPU kernels on machines without a GPU: simulated threads, and kernels compiled for an absent GPU."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path
from unittest import mock

import pytest

import dslgame
from dslgame import bundled
from interpreter.device.program import SMALL, NoDevice, Program, calls_itself, check_device, numba_cuda, tables_of
from interpreter.kernel.kernel import Kernel
from tests.discovery import one_in_slow
from tests.language.test_cheapest import ASKED_OFTEN

ROOT = Path(__file__).parents[2]
PARTS = 14
"""The number of processes that share the games; three are slow tests, the others thorough ones."""
NAMES = bundled.names()
LAUNCHED = ("play_thread", "mark_thread", "list_thread", "apply_thread", "begin_thread", "step_thread",
            "count_thread", "sample_thread", "show_thread", "close_thread", "perft_thread")
CONSTANTS = 1 << 16
"""The bytes of constant memory of a GPU function."""
has_compiler = importlib.util.find_spec("nvidia.cuda_nvcc") is not None if importlib.util.find_spec("nvidia") else False


def simulated(*names: str, module: str = "tests.device") -> str:
    """The output of `python -m tests.device`, or of another module, with a simulated GPU."""
    done = subprocess.run([sys.executable, "-m", module, *names], capture_output=True, text=True, cwd=ROOT,
                          env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.slow
def test_games_on_a_simulated_gpu_are_those_of_the_processor() -> None:
    """Random games, legal moves, environment steps, leaves and perft counts agree.

    Includes games with chance, hidden information, and moves of variable length, whose actions are indices into lists.
    """
    names = ("tic_tac_toe", "connect_four", "hex", "pig", "kuhn_poker", "russian_draughts")
    assert simulated(*names).splitlines() == [*(f"{name}: the same" for name in names), "counts: the same"]


@pytest.mark.slow
def test_recordings_streams_hidden_things_sharing_and_ends_on_a_simulated_gpu() -> None:
    """All launches and copies use the caller's stream; views hide what the rules hide; DLPack shares memory.

    Games that end before a player moves, and that wait where they ended, agree with the processor.
    """
    said = simulated(module="tests.device_use")
    assert said == "recordings, streams, hidden things, sharing, ends: as they should be\n"


@pytest.mark.parametrize("part", [
    pytest.param(part, marks=pytest.mark.slow if part % 5 == 3 else pytest.mark.thorough) for part in range(PARTS)])
def test_every_game_on_a_simulated_gpu(part: int) -> None:
    """Small batches of every game; a game that cannot run says why."""
    names = NAMES[part::PARTS]
    said = simulated(*names).splitlines()
    assert [line.split(":")[0] for line in said if not line.startswith("counts")] == list(names)


def test_no_gpu_is_a_message() -> None:
    """The error says what to do."""
    if os.path.exists("/dev/nvidia0"):
        pytest.skip("there is one")
    with pytest.raises(NoDevice, match=r"there is no GPU that CUDA can use: .*NUMBA_ENABLE_CUDASIM=1"):
        check_device()


@pytest.mark.skipif(not has_compiler, reason="needs the compiler of the extra 'cuda'")
@pytest.mark.parametrize("name", one_in_slow(12, NAMES, 5))
def test_game_is_compiled_for_a_gpu_that_is_not_there(name: str) -> None:
    """The kernel compiles to PTX for an H100."""
    kernel = Kernel.of(dslgame.load(name), native=False)
    text = Program.of(kernel).ptx("play_thread")
    assert ".target sm_90" in text
    assert ".extern .func" not in text
    assert sum(int(size) for size in re.findall(r"^\.const .*\[(\d+)\]", text, re.MULTILINE)) <= CONSTANTS


def test_large_tables_are_no_constants() -> None:
    """Large tables go to the GPU's global memory, as they would exceed the constant memory."""
    kernel = Kernel.of(dslgame.load("lines_of_action"), native=False)
    tables = tables_of(kernel.assembled.module)
    assert sum(values.nbytes for values in tables.values()) > CONSTANTS // 2  # each function has its own
    program = Program.of(kernel)
    with mock.patch.object(numba_cuda(), "is_available", return_value=False):
        placed = program._placed()
    for name, values in tables.items():
        told = getattr(placed[name], "__cuda_array_interface__", None)
        assert (told is not None) == (values.size > SMALL)
        if told is not None:
            assert (told["shape"], told["typestr"]) == (values.shape, values.dtype.str)
    with (mock.patch.object(numba_cuda(), "is_available", return_value=True),
          mock.patch.object(numba_cuda(), "to_device", side_effect=lambda values: ("there", values))):
        placed = Program.of(kernel)._placed()
    assert {name for name, value in placed.items() if isinstance(value, tuple)} == {
        name for name, values in tables.items() if values.size > SMALL}


@pytest.mark.slow
@pytest.mark.skipif(not has_compiler, reason="needs the compiler of the extra 'cuda'")
def test_ways_are_compiled() -> None:
    """`cheapest` compiles, with the costs in the thread's local memory."""
    text = Program.of(Kernel.of(dslgame.loads(ASKED_OFTEN), native=False)).ptx("play_thread")
    assert ".entry" in text
    assert ".extern .func" not in text


@pytest.mark.slow
@pytest.mark.skipif(not has_compiler, reason="needs the compiler of the extra 'cuda'")
def test_every_launched_function_is_compiled() -> None:
    """Boards of one word and of several, chance, and recursive functions."""
    for name in ("connect_four", "hex", "pig", "russian_draughts"):
        program = Program.of(Kernel.of(dslgame.load(name), native=False))
        program.listed = name == "russian_draughts"
        assert bool(calls_itself(program.kernel)) == program.listed
        for launched in LAUNCHED:
            text = program.ptx(launched)
            assert ".entry" in text, (name, launched)
            assert ".extern .func" not in text, (name, launched)


@pytest.mark.slow
def test_the_program_that_measures_runs_from_start_to_end() -> None:
    """The benchmark runs with a simulated GPU, whose figures mean nothing, and prints the table of games."""
    def said(*words: str) -> list[str]:
        done = subprocess.run([sys.executable, "-m", "bench.gpu", *words], capture_output=True, text=True, cwd=ROOT,
                              env={**os.environ, "NUMBA_ENABLE_CUDASIM": "1"}, check=False)
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stdout.splitlines()

    table = said("--seconds", "0.01", "tic_tac_toe")
    assert table[2].startswith("| tic_tac_toe | 4 | ")
    assert said("--status", "go", "russian_draughts")[2:] == [
        "| go | 72 | yes | no: its rule on repetition forbids moves by what the game was like before |",
        "| russian_draughts | 88 | yes, on a stack: captures or moves go on | yes |"]

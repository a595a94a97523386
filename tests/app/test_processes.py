"""Programs of others: however a match ends, it leaves none of their processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from dslgame.programs import workers
from dslgame.programs.arena import Pairing, Setting
from dslgame.programs.channels import Deadline, Program
from dslgame.programs.processes import end_all
from tests.peers import nought, script, typed

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no sessions and no such signals")
ROOT = Path(__file__).parents[2]
PATIENT = 60.0
"""A limit in seconds for anything to happen, even on a busy machine."""

STUBBORN = """
import signal, subprocess
for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
    signal.signal(number, signal.SIG_IGN)
def note(pid):
    with open(PIDS, "a") as file:
        file.write(f"{pid}\\n")
note(os.getpid())
SLEEP = [sys.executable, "-I", "-S", "-c", "import time; time.sleep(3000)"]
note(subprocess.Popen(SLEEP).pid)
note(subprocess.Popen(SLEEP, start_new_session=True).pid)
if os.fork() == 0:  # a daemon: nobody's child, with a session of its own, and children
    os.setsid()
    if os.fork() == 0:
        note(os.getpid())
        note(subprocess.Popen(SLEEP, start_new_session=True).pid)
        note("whole")
        time.sleep(3000)
    os._exit(0)
os.wait()
for line in sys.stdin:
    words = line.split()
    if words[0] == "start": print("ready stubborn")
    if words[0] == "go" or words[0] == "quit": time.sleep(3000)
time.sleep(3000)
"""
"""An engine that hangs, ignores requests to end, and has children in other sessions and groups."""


def stubborn(folder: Path) -> tuple[list[str], Path]:
    """The engine's command, and the file in which it records its process ids."""
    pids = folder / "pids"
    return script(folder, "stubborn", STUBBORN.replace("PIDS", repr(str(pids)))), pids


def noted(pids: Path, *, engines: int = 1) -> list[int]:
    """The ids of all processes of the engines, once all have started."""
    end = time.monotonic() + PATIENT
    while time.monotonic() < end:
        lines = pids.read_text().split() if pids.exists() else []
        if lines.count("whole") == engines:
            return [int(line) for line in lines if line != "whole"]
        time.sleep(0.02)
    raise AssertionError("the engine did not start")


def check_gone(pids: list[int]) -> None:
    """Check that none of the processes runs any more."""
    assert len(pids) >= 5
    end = time.monotonic() + PATIENT
    while [pid for pid in pids if lives(pid)] and time.monotonic() < end:
        time.sleep(0.02)
    assert not [pid for pid in pids if lives(pid)]


def lives(pid: int) -> bool:
    """Whether a process runs and is no zombie."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def test_a_program_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    command, pids = stubborn(tmp_path)
    other = Program(script(tmp_path, "other", "print('here')\ntime.sleep(3000)"))
    program = Program(command)
    found = noted(pids)
    assert all(lives(pid) for pid in found)
    program.close(patience=0)
    check_gone(found)
    assert other.receive(Deadline(PATIENT)) == "here"
    assert lives(other._process.pid), "only what belongs to the one is ended"
    other.close(patience=0)


def test_what_is_left_is_ended_at_the_end(tmp_path: Path) -> None:
    """`end_all` also ends a program that was not closed."""
    command, pids = stubborn(tmp_path)
    program = Program(command)
    found = noted(pids)
    end_all()
    check_gone(found)
    program.close(patience=0)


def test_a_program_that_stops_reading_is_ended(tmp_path: Path) -> None:
    """A program stopped by SIGSTOP is ended by `close`."""
    program = Program(script(tmp_path, "stops", "print('here'); os.kill(os.getpid(), 19); time.sleep(3000)"))
    assert program.receive(Deadline(PATIENT)) == "here"
    pid = program._process.pid
    program.close(patience=0)
    assert not lives(pid)


@pytest.mark.parametrize(("says", "expected"), [
    ('{"number": 0, "mov', r"that played game 1 ended with exit code 0, 2 times"), ("xyzzy\n", "JSONDecodeError"),
])
def test_a_worker_that_ends_within_a_line_ends_the_match(says: str, expected: str,
                                                         monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is killed while it writes a game's record is one that ended; the match does not wait for it."""
    worker = f"import sys; sys.stdin.readline(); sys.stdin.readline(); sys.stdout.write({says!r})"
    monkeypatch.setattr(workers, "python_command", lambda *arguments: [sys.executable, "-c", worker])
    source = nought().rules.source
    setting = Setting(source.name, source.text, {}, [("a", "random"), ("b", "random")], None, None, 0, 100)
    with pytest.raises(workers.WorkerEnded, match=expected):
        list(workers.play_all(setting, [Pairing(0, (0, 1), ())], 1))


def heeds_signals() -> None:
    """In a child process, restore the default handling of signals that shells and `nohup` make their jobs ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


def check_ended(number: signal.Signals, folder: Path, pids: Path, *match: str, engines: int,
                searching: float = 0.0) -> None:
    """Send a signal to a match some seconds after its engines began, and check that it ends and leaves none of them."""
    process = subprocess.Popen(
        [sys.executable, "-m", "dslgame", "match", *match],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, preexec_fn=heeds_signals)
    try:
        found = noted(pids, engines=engines)
        time.sleep(searching)
        process.send_signal(number)
        _, errors = process.communicate(timeout=PATIENT)
        assert process.returncode == 130, errors
        assert "Traceback" not in errors
        check_gone(found)
    finally:
        process.kill()
        process.wait()


@pytest.mark.slow
@pytest.mark.parametrize("level", ["mcts", "alphabeta"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_match_ends_while_a_level_thinks(number: signal.Signals, level: str, tmp_path: Path) -> None:
    """A signal during a search ends the match, and the search's result is not used to play on."""
    command, pids = stubborn(tmp_path)
    check_ended(number, tmp_path, pids, "connect_four", f"{level} seconds=3000", f"lines {typed(command)}", "--games",
                "2", "--threads", "1", "--move-time", "4000", engines=1, searching=5)


@pytest.mark.slow
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_match_that_is_ended_leaves_nothing(number: signal.Signals, threads: int, tmp_path: Path) -> None:
    """Any signal during a move that never comes ends the match, with one process and with workers."""
    command, pids = stubborn(tmp_path)
    check_ended(number, tmp_path, pids, "tic_tac_toe", f"lines {typed(command)}", "random", "--games", str(2 * threads),
                "--threads", str(threads), "--move-time", "3000", engines=threads)

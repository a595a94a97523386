"""Starts foreign programs, and reliably kills them with all processes that they started.

A program gets its own session and a mark in its environment, which its descendants inherit. `end` kills the program,
its process group and all descendants, including those that moved to other sessions (`setsid`) and those whose parents
ended: on Linux this process adopts such orphans as a subreaper, elsewhere they are found by their mark among all
processes. Nothing is asked to end here, as protocols do that before: processes are killed, so that none can refuse.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import IO, Any

import psutil

MARK = "DSLGAME_PROGRAM"
"""The environment variable with a program's mark."""
UNKILLABLE = 5.0
"""Seconds to wait for a killed process to end, which may take long within a system call."""
ROUNDS = 50
"""The most rounds of killing: each looks for processes that were started meanwhile, until none is found."""
_PR_SET_CHILD_SUBREAPER = 36
_OURS = f"{os.environ.get(MARK, '')}/{uuid.uuid4()}"
"""The prefix of the marks of this process: its own mark, if it was started with one, and a new id."""


class Started:
    """A started program with its mark."""

    def __init__(self, command: Sequence[str], **streams: int | IO[Any]) -> None:
        """Start the program, with streams as for `subprocess.Popen`. Raises OSError."""
        _adopt()
        self.mark = f"{_OURS}/{uuid.uuid4()}"
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", MARK: self.mark}
        self.process: subprocess.Popen[bytes] = subprocess.Popen(  # type: ignore[call-overload]  # streams are named
            command, env=environment, start_new_session=True, **streams)
        _RUNNING.add(self)

    def processor(self) -> float | None:
        """The processor time in seconds of the program and its descendants; None where the system does not tell."""
        try:
            root = psutil.Process(self.process.pid)
            return sum(sum(process.cpu_times()[:4]) for process in (root, *root.children(recursive=True)))
        except psutil.Error:
            return None

    def end(self) -> None:
        """Kill the program and all processes that it started."""
        _kill_all(self.mark, self.process)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(UNKILLABLE)
        _RUNNING.discard(self)


_RUNNING: set[Started] = set()


def end_all() -> None:
    """Kill all programs that this process started, and all processes that these left behind."""
    for started in list(_RUNNING):
        started.end()
    _kill_all(_OURS, None)


atexit.register(end_all)


def _kill_all(mark: str, root: subprocess.Popen[bytes] | None) -> None:
    """Kill a process, its group, and all processes with a mark with their descendants, until none is found."""
    for _ in range(ROUNDS):
        result = {process for process in _candidates() if _has(process, mark)}
        if root is not None:
            with suppress(psutil.Error):
                result.add(psutil.Process(root.pid))
        for process in list(result):
            with suppress(psutil.Error):
                result.update(process.children(recursive=True))
        result = {process for process in result if _lives(process)}
        if root is not None and sys.platform != "win32" and root.poll() is None:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(root.pid, signal.SIGKILL)
        for process in result:
            with suppress(psutil.Error):
                process.kill()
        _reap(result)
        if not result:
            return


def _reap(killed: Iterable[psutil.Process]) -> None:
    """Wait until killed processes have ended, and reap those that this process adopted."""
    left = list(killed)
    end = time.monotonic() + UNKILLABLE
    while (left := [process for process in left if _lives(process)]) and time.monotonic() < end:
        time.sleep(0.002)
    known = {started.process.pid for started in list(_RUNNING)}  # these are reaped by `Popen`
    for process in killed:
        if process.pid not in known:
            with suppress(ChildProcessError, AttributeError):
                os.waitpid(process.pid, os.WNOHANG)


def _candidates() -> Iterator[psutil.Process]:
    """The processes that may have a mark: the descendants of this process if it adopts orphans, else all processes."""
    if _adopts():
        with suppress(psutil.Error):
            yield from psutil.Process().children(recursive=True)
    else:
        yield from psutil.process_iter()


def _has(process: psutil.Process, mark: str) -> bool:
    """Whether a process has a mark that begins with the given one."""
    with suppress(psutil.Error, OSError, ValueError):
        return bool(process.environ().get(MARK, "").startswith(mark))
    return False


def _lives(process: psutil.Process) -> bool:
    with suppress(psutil.Error):
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    return False


_adopting = False


def _adopts() -> bool:
    return _adopting


def _adopt() -> None:
    """Make this process adopt descendants whose parents end (a subreaper), which only Linux can do."""
    global _adopting
    if sys.platform == "linux" and not _adopting:
        with suppress(OSError, AttributeError):
            _adopting = ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


# ---- signals

_ENDING = (signal.SIGINT, signal.SIGTERM, *((signal.SIGHUP,) if sys.platform != "win32" else ()))
"""Signals that ask the process to end."""

_asked_to_end = False
"""Whether a signal has come since the last call of `ended_by_signals`."""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Let SIGTERM and SIGHUP raise KeyboardInterrupt in the block, as Ctrl-C does, so that programs are ended.

    Where other code may have caught it, `check_interrupted` raises it again.
    """
    global _asked_to_end
    _asked_to_end = False
    with _handling(_ENDING, _interrupt):
        yield


def check_interrupted() -> None:
    """Raise KeyboardInterrupt again if a signal raised it and a player's search caught it to return a move."""
    if _asked_to_end:
        raise KeyboardInterrupt


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ignore the signals that ask to end in the block, which must be short."""
    with _handling(_ENDING, signal.SIG_IGN):
        yield


@contextmanager
def _handling(numbers: Sequence[signal.Signals], handler: Any) -> Iterator[None]:
    """Set a handler of signals in the block, in the main thread only, as signals do not reach others."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in numbers
              if signal.getsignal(number) is not signal.SIG_IGN}  # signals that `nohup` ignores stay ignored
    try:
        yield
    finally:
        for number, result in before.items():
            signal.signal(number, result if result is not None else signal.SIG_DFL)


def _interrupt(number: int, frame: object) -> None:
    global _asked_to_end
    _asked_to_end = True
    raise KeyboardInterrupt

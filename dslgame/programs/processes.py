"""Starting programs of others, and ending them with everything that they started, whatever these do about it.

A program gets a session of its own and a mark in its environment, which what it starts inherits. `end` ends the
program, its group, its children and theirs, also those that went into sessions of their own (`setsid`), and those whose
parents are gone: on Linux this process takes such orphans in, and elsewhere they are found by their mark among all
processes.
Nothing is asked to end here (protocols do that before): what is ended is killed, so that nothing can refuse.
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
"""The variable of the environment that has a program's mark."""
UNKILLABLE = 5.0
"""Seconds that a process which was killed is waited for: one in the midst of a system call may take long."""
ROUNDS = 50
"""How often what was started meanwhile is looked for, until there is nothing."""
_PR_SET_CHILD_SUBREAPER = 36
_OURS = f"{os.environ.get(MARK, '')}/{uuid.uuid4()}"
"""What the marks of this process begin with: its own, where it was started so, then one that is new."""


class Started:
    """A program that was started, and its mark."""

    def __init__(self, command: Sequence[str], **streams: int | IO[Any]) -> None:
        """Start it, with streams as `subprocess.Popen` has them. Raises OSError."""
        _adopt()
        self.mark = f"{_OURS}/{uuid.uuid4()}"
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", MARK: self.mark}
        self.process: subprocess.Popen[bytes] = subprocess.Popen(  # type: ignore[call-overload]  # streams are named
            command, env=environment, start_new_session=True, **streams)
        _RUNNING.add(self)

    def processor(self) -> float | None:
        """Seconds of the processor that it and its children have used so far; None where the system does not tell."""
        try:
            root = psutil.Process(self.process.pid)
            return sum(sum(process.cpu_times()[:4]) for process in (root, *root.children(recursive=True)))
        except psutil.Error:
            return None

    def end(self) -> None:
        """End it, and all that it started, at once."""
        _kill_all(self.mark, self.process)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(UNKILLABLE)
        _RUNNING.discard(self)


_RUNNING: set[Started] = set()


def end_all() -> None:
    """End all programs that this process started, and what is left of what they started."""
    for started in list(_RUNNING):
        started.end()
    _kill_all(_OURS, None)


atexit.register(end_all)


def _kill_all(mark: str, root: subprocess.Popen[bytes] | None) -> None:
    """Kill a process, its group, and all that have a mark or come from one that does, until none is found."""
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
    """Wait until killed processes are gone, and take note of the end of those that became ours."""
    left = list(killed)
    end = time.monotonic() + UNKILLABLE
    while (left := [process for process in left if _lives(process)]) and time.monotonic() < end:
        time.sleep(0.002)
    known = {started.process.pid for started in list(_RUNNING)}  # theirs is told by `Popen`
    for process in killed:
        if process.pid not in known:
            with suppress(ChildProcessError, AttributeError):
                os.waitpid(process.pid, os.WNOHANG)


def _candidates() -> Iterator[psutil.Process]:
    """The processes among which those with a mark are: those below this one, where it takes orphans in, or all."""
    if _adopts():
        with suppress(psutil.Error):
            yield from psutil.Process().children(recursive=True)
    else:
        yield from psutil.process_iter()


def _has(process: psutil.Process, mark: str) -> bool:
    """Whether a process has a mark, or one that begins so."""
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
    """Make this process the parent of processes below it whose own parents end, where the system can do that."""
    global _adopting
    if sys.platform == "linux" and not _adopting:
        with suppress(OSError, AttributeError):
            _adopting = ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == 0


# ---- signals

_ENDING = (signal.SIGINT, signal.SIGTERM, *((signal.SIGHUP,) if sys.platform != "win32" else ()))
"""Signals that ask to end."""

_asked_to_end = False
"""Whether a signal has come since `ended_by_signals` began."""


@contextmanager
def ended_by_signals() -> Iterator[None]:
    """Have SIGTERM and SIGHUP raise KeyboardInterrupt meanwhile, as Ctrl-C does, so that programs are ended.

    What catches it can be asked about afterwards: `check_interrupted`.
    """
    global _asked_to_end
    _asked_to_end = False
    with _handling(_ENDING, _interrupt):
        yield


def check_interrupted() -> None:
    """Raise KeyboardInterrupt again where a signal raised it and a player's search caught it, to end with a move."""
    if _asked_to_end:
        raise KeyboardInterrupt


@contextmanager
def undisturbed() -> Iterator[None]:
    """Have no signal that asks to end disturb what is done meanwhile, which must be short."""
    with _handling(_ENDING, signal.SIG_IGN):
        yield


@contextmanager
def _handling(numbers: Sequence[signal.Signals], handler: Any) -> Iterator[None]:
    """Handle signals so, in the main thread; in others, which signals do not reach, as before."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, handler) for number in numbers
              if signal.getsignal(number) is not signal.SIG_IGN}  # what `nohup` ignores stays so
    try:
        yield
    finally:
        for number, result in before.items():
            signal.signal(number, result if result is not None else signal.SIG_DFL)


def _interrupt(number: int, frame: object) -> None:
    global _asked_to_end
    _asked_to_end = True
    raise KeyboardInterrupt

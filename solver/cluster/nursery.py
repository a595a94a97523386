"""Worker processes on this machine: the nursery, a process that prepares and forks workers, and their main loop.

A forked worker has the modules, the game and its kernel at once, and shares their memory with the other workers. The
nursery has one thread, so that no other thread's work is interrupted by a fork.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import signal
import sys
import threading
from multiprocessing.connection import Connection
from pathlib import Path
from queue import SimpleQueue
from types import FrameType

from solver.cluster.results import loaded, store

PREPARE, FORK = "prepare", "fork"
"""The commands to a nursery: run a step with its arguments; or fork a worker, whose connection's descriptor is sent
right after the command."""


def main(descriptor: int, folder: str, memory: int) -> None:
    """Run a nursery: execute the commands from a connection until it is closed, then wait for all workers and exit."""
    from multiprocessing.reduction import recv_handle

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, _reap)
    told = Connection(descriptor)
    with contextlib.suppress(EOFError, OSError):
        while True:
            what, step, arguments = pickle.loads(told.recv_bytes())
            if what == PREPARE:
                with contextlib.suppress(Exception):  # a worker that needs it fails in the same way, and reports it
                    step(*arguments)
            elif what == FORK:
                own = recv_handle(told)
                if os.fork() == 0:
                    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                    told.close()
                    work(Connection(own), folder, memory)
                os.close(own)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()
    shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)  # skip the interpreter's cleanup, which takes a while and is not needed


def _reap(number: int, frame: FrameType | None) -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def work(connection: Connection, folder: str, memory: int) -> None:
    """Run a worker: execute the steps from a connection, store the results in a folder, and reply where they are.

    Never returns: the process exits when the connection is closed.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit(memory)
    waiting: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=(connection, waiting, folder), daemon=True).start()
    while True:
        number, step, arguments = pickle.loads(waiting.get())
        answer: tuple[bool, object]
        try:
            answer = True, store(step(*(loaded(argument) for argument in arguments)), Path(folder) / f"{number}")
        except Exception as problem:
            answer = False, problem
        del arguments
        with contextlib.suppress(OSError):  # the connection is closed: the other thread exits the process
            connection.send_bytes(_sendable((number, *answer)))
        del answer


def _sendable(reply: tuple[int, bool, object]) -> bytes:
    try:
        return pickle.dumps(reply)
    except Exception:
        number, _, problem = reply
        return pickle.dumps((number, False, RuntimeError(f"{type(problem).__name__}: {problem}")))


def _listen(connection: Connection, waiting: SimpleQueue[bytes], folder: str) -> None:
    """Queue incoming steps while another one runs, and exit the process when the connection is closed."""
    try:
        while True:
            waiting.put(connection.recv_bytes())
    except (EOFError, OSError):
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


def _limit(memory: int) -> None:
    """Limit this process to `memory` MiB of data, shared with other processes or not; does nothing on Windows."""
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (memory << 20, memory << 20))

"""Processes that do steps on this machine: one that prepares what all need and forks them, and what they run.

A worker that is forked has the modules, the game and its kernel at once, and shares their memory with the others. The
process that forks has one thread, so that nothing is cut in half by it.
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
"""What a nursery is told to do: a step with its arguments; or a fork, with the descriptor of the new worker's
connection right after that."""


def main(descriptor: int, folder: str, memory: int) -> None:
    """The process that forks: does what it is told through a connection, until that is closed."""
    from multiprocessing.reduction import recv_handle

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, _reap)
    told = Connection(descriptor)
    with contextlib.suppress(EOFError, OSError):
        while True:
            what, step, arguments = pickle.loads(told.recv_bytes())
            if what == PREPARE:
                with contextlib.suppress(Exception):  # a worker that needs it meets the same, and tells
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
    os._exit(0)  # there is nothing to put in order, which would take a while


def _reap(number: int, frame: FrameType | None) -> None:
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def work(connection: Connection, folder: str, memory: int) -> None:
    """Do the steps that come through a connection, store the results in a folder, and say where they are; ends with
    the process when the connection is closed."""
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
        with contextlib.suppress(OSError):  # nobody wants it: the other thread ends the process
            connection.send_bytes(_sendable((number, *answer)))
        del answer


def _sendable(reply: tuple[int, bool, object]) -> bytes:
    try:
        return pickle.dumps(reply)
    except Exception:
        number, _, problem = reply
        return pickle.dumps((number, False, RuntimeError(f"{type(problem).__name__}: {problem}")))


def _listen(connection: Connection, waiting: SimpleQueue[bytes], folder: str) -> None:
    """Take steps while another one is done, and notice when nobody is there any more."""
    try:
        while True:
            waiting.put(connection.recv_bytes())
    except (EOFError, OSError):
        shutil.rmtree(folder, ignore_errors=True)
        os._exit(0)


def _limit(memory: int) -> None:
    """Let this process have no more than so many MiB of its own, with what it shares with others."""
    if sys.platform == "win32":
        return
    import resource

    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_DATA, (memory << 20, memory << 20))

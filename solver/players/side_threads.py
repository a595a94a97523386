"""Worker threads beside the thread that plays, for parallel searches and for pondering.

They are daemon threads: a program that ends while they search does not wait for them. Each task has a new thread,
because starting one takes only a tenth of a millisecond.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Result = TypeVar("Result")
NAME = "dslgame"
"""The name of these threads."""


class SideThread(Generic[Result]):
    """Runs a function on a thread of its own, which `begin` starts."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._thread = threading.Thread(target=self._do, name=NAME, daemon=True)
        self._lock, self._done = threading.Lock(), threading.Event()
        self._begun = self._running = self._cancelled = False
        self.result: Result | None = None
        """The result of the function, once it is done; None if it failed."""
        self.problem: BaseException | None = None
        """The exception that the function raised, if any."""

    def begin(self) -> None:
        """Start the thread. Raises RuntimeError where no more threads can be started."""
        try:
            self._begun = True
            self._thread.start()
        except BaseException:  # an interruption may come before or after the thread starts
            with self._lock:
                self._cancelled = not self._running
            raise

    def _do(self) -> None:
        with self._lock:
            if self._cancelled:
                return
            self._running = True
        try:
            self.result = self._work()
        except BaseException as problem:  # `check` raises it in the waiting thread
            self.problem = problem
        finally:
            self._done.set()

    @property
    def running(self) -> bool:
        """Whether the thread was started and is not done."""
        return self._begun and not self._cancelled and not self._done.is_set()

    def wait(self) -> None:
        """Wait until the thread is done, if it was started."""
        if self._begun and not self._cancelled:
            self._done.wait()
            self._thread.join()


def wait_for(threads: Sequence[SideThread[Result]]) -> None:
    """Wait until all threads are done; Ctrl-C does not end the wait, and is raised after it."""
    interrupted = False
    for thread in threads:
        while True:
            try:
                thread.wait()
                break
            except KeyboardInterrupt:
                interrupted = True
    if interrupted:
        raise KeyboardInterrupt


def check(threads: Sequence[SideThread[Result]]) -> None:
    """Raise the exception of the first thread that failed."""
    for thread in threads:
        if thread.problem is not None:
            raise thread.problem

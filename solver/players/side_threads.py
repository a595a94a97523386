"""Worker threads beside the thread that plays, for parallel searches and for pondering.

They are daemon threads: a program that ends while they search does not wait for them. Each task has a new thread,
because starting one takes only a tenth of a millisecond.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

from solver.interruptions import deferred

Result = TypeVar("Result")
NAME = "dslgame"
"""The name of these threads."""


class SideThread(Generic[Result]):
    """Runs a function on a thread of its own, which `begin` starts."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._thread = threading.Thread(target=self._do, name=NAME, daemon=True)
        self._begun = False
        self.result: Result | None = None
        """The result of the function, once it is done; None if it failed."""
        self.problem: BaseException | None = None
        """The exception that the function raised, if any."""

    def begin(self) -> None:
        """Start the thread. Raises RuntimeError where no more threads can be started."""
        with deferred():
            self._thread.start()
            self._begun = True

    def _do(self) -> None:
        try:
            self.result = self._work()
        except BaseException as problem:  # `check` raises it in the waiting thread
            self.problem = problem

    @property
    def running(self) -> bool:
        """Whether the thread was started and is not done."""
        return self._begun and self._thread.is_alive()

    def wait(self) -> None:
        """Wait until the thread is done, if it was started; a Ctrl-C meanwhile is raised after that."""
        if self._begun:
            with deferred():
                self._thread.join()


def wait_for(threads: Sequence[SideThread[Result]]) -> None:
    """Wait until all threads are done; a Ctrl-C meanwhile is raised after that."""
    with deferred():
        for thread in threads:
            thread.wait()


def check(threads: Sequence[SideThread[Result]]) -> None:
    """Raise the exception of the first thread that failed."""
    for thread in threads:
        if thread.problem is not None:
            raise thread.problem

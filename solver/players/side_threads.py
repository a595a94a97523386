"""Work on threads of its own, beside the one that plays: of several threads in one search, and of thinking ahead.

They are daemons: a program that ends while they search does not wait for them. Each piece of work has a thread of its
own, as to begin one takes a tenth of a millisecond.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Generic, TypeVar

Result = TypeVar("Result")
NAME = "dslgame"
"""What these threads are called."""


class SideThread(Generic[Result]):
    """Something that is to be done on a thread of its own, from `begin` on."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._thread = threading.Thread(target=self._do, name=NAME, daemon=True)
        self._lock, self._done = threading.Lock(), threading.Event()
        self._begun = self._running = self._cancelled = False
        self.result: Result | None = None
        """What came out, once it is done; None where it failed."""
        self.problem: BaseException | None = None
        """What went wrong."""

    def begin(self) -> None:
        """Begin it. Raises RuntimeError where there can be no more threads."""
        try:
            self._begun = True
            self._thread.start()
        except BaseException:  # an interruption may come before there is a thread, or after it began
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
        except BaseException as problem:  # for whoever waits for its end
            self.problem = problem
        finally:
            self._done.set()

    @property
    def running(self) -> bool:
        """Whether it was begun and is not done."""
        return self._begun and not self._cancelled and not self._done.is_set()

    def wait(self) -> None:
        """Wait until it is done, if it was begun."""
        if self._begun and not self._cancelled:
            self._done.wait()
            self._thread.join()


def wait_for(threads: Sequence[SideThread[Result]]) -> None:
    """Wait until all are done, also where Ctrl-C comes meanwhile, which is raised then."""
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
    """Raise what went wrong in the first that failed."""
    for thread in threads:
        if thread.problem is not None:
            raise thread.problem

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
        self._begun, self._done = False, threading.Event()
        self.result: Result | None = None
        """What came out, once it is done; None where it failed."""
        self.problem: BaseException | None = None
        """What went wrong."""

    def begin(self) -> None:
        """Begin it. Raises RuntimeError where there can be no more threads."""
        self._begun = True
        try:
            threading.Thread(target=self._do, name=NAME, daemon=True).start()
        except RuntimeError:
            self._begun = False
            raise

    def _do(self) -> None:
        try:
            self.result = self._work()
        except BaseException as problem:  # raised where its end is waited for
            self.problem = problem
        finally:
            self._done.set()

    @property
    def running(self) -> bool:
        """Whether it was begun and is not done."""
        return self._begun and not self._done.is_set()

    def wait(self) -> None:
        """Wait until it is done, if it was begun."""
        if self._begun:
            self._done.wait()


def wait_for(threads: Sequence[SideThread[Result]]) -> None:
    """Wait until all are done. Raises what went wrong in the first that failed."""
    for thread in threads:
        thread.wait()
    for thread in threads:
        if thread.problem is not None:
            raise thread.problem

"""Work on threads of its own, beside the one that plays: of several threads in one search, and of thinking ahead.

They are daemons: a program that ends while they search does not wait for them. Each piece of work has a thread of its
own, as to begin one takes a tenth of a millisecond.
"""

from __future__ import annotations

import threading
from collections.abc import Callable


class SideThread:
    """Something that is being done on a thread of its own."""

    def __init__(self, work: Callable[[], object]) -> None:
        self._work = work
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._do, name="dslgame", daemon=True)
        self._thread.start()

    def _do(self) -> None:
        try:
            self._work()
        except BaseException as problem:  # raised where its end is waited for
            self._problem = problem

    @property
    def running(self) -> bool:
        """Whether it is not done."""
        return self._thread.is_alive()

    def wait(self) -> None:
        """Wait until it is done. Raises what went wrong in it."""
        self._thread.join()
        if self._problem is not None:
            raise self._problem

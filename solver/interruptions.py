"""Ctrl-C at places where it does no harm.

Python may raise KeyboardInterrupt between any two bytecodes of the main thread: also right after it took a lock, which
is then never released, so that other threads wait for it for ever; and while Numba converts the arguments of a call,
which ends in a TypeError.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from interpreter.arrays import Numbers

_deferring = False
"""Whether the main thread holds Ctrl-C back; asked first, as changing a handler takes 5 microseconds."""


@contextmanager
def deferred(halted: Numbers | None = None) -> Iterator[None]:
    """Hold the first Ctrl-C back until the end; it writes 1 to `halted` (int64[1]), so that the work stops early.

    A second Ctrl-C is raised at once. On threads other than the main one, where Ctrl-C raises nothing, this does
    nothing.
    """
    global _deferring
    if (_deferring and halted is None) or threading.current_thread() is not threading.main_thread() or not callable(
            before := signal.getsignal(signal.SIGINT)):
        yield
        return
    met: list[tuple[int, FrameType | None]] = []

    def note(number: int, frame: FrameType | None) -> None:
        met.append((number, frame))
        if halted is not None:
            halted[0] = 1
        if len(met) > 1:
            raise KeyboardInterrupt

    signal.signal(signal.SIGINT, note)
    outer, _deferring = _deferring, True
    try:
        yield
    finally:
        _deferring = outer
        signal.signal(signal.SIGINT, before)
        if len(met) == 1:
            before(*met[0])

"""Ctrl-C for tests: raised by a timer, and heard also where the tests run in the background."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

ENDED = 60.0
"""A limit in seconds for the end of work that would otherwise take ten minutes."""


@contextmanager
def ctrl_c() -> Iterator[None]:
    """Let Ctrl-C raise KeyboardInterrupt, as it does in a program in the foreground."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def interruption(seconds: float = 0.3) -> Iterator[None]:
    """Send Ctrl-C after some seconds."""
    def interrupt(_: int, frame: FrameType | None) -> None:
        if frame is not None and frame.f_code.co_name == "_remove":  # what a weak reference's callback raises is lost
            signal.setitimer(signal.ITIMER_REAL, 0.01)
        else:
            signal.raise_signal(signal.SIGINT)

    before, began = signal.signal(signal.SIGALRM, interrupt), time.monotonic()
    try:
        with ctrl_c():
            signal.setitimer(signal.ITIMER_REAL, seconds)
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert time.monotonic() - began < ENDED

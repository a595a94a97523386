"""Breaks off calls of code that others wrote, such as a reference, when they do not return, and reading without an end.

A call may compute for a time, and wait for longer without computing. So it is not broken off because the machine is
busy with other work.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

Value = TypeVar("Value")

SHARE = 10
"""A call may take one in this many parts of the time of a run."""
LEAST = 1.0
"""The least processor time that a call may take, in seconds."""
WAITING = 5
"""How many times as long a call may wait."""
MOST_VALUES = 1 << 20
"""The most values that are read of one answer: as many as a game may have legal moves."""
_IDLE = 0.005
"""A call waits, rather than being kept waiting by a busy machine, where it computes less than this share of its time.
"""
_LOOKS = 5
"""How often a call is looked at in the time that it may take."""


class Endless(Exception):
    """Raised where an answer has more than `MOST_VALUES` values, as that of an endless iterator."""


class Hangs(BaseException):
    """Raised within a call that has taken too long, with the time as text; not an Exception, which the code may catch.
    """


def for_a_call(seconds: float | None) -> float | None:
    """The processor time that a call may take in a run of some seconds; None, without an end, in one without a limit.
    """
    return None if seconds is None else max(LEAST, seconds / SHARE)


@contextmanager
def within(seconds: float | None) -> Iterator[None]:
    """Raise Hangs in the block once it has computed for `seconds`, or waited for `WAITING` times as long.

    Only the main thread can be interrupted, and only on systems with interval timers; elsewhere the block may take as
    long as it likes. Code in C is interrupted when it returns to Python.
    """
    if seconds is None or not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    limit, began, spent = seconds, time.monotonic(), time.process_time()
    entered = began

    def look(_: int, frame: FrameType | None) -> None:
        nonlocal began, spent
        now, used = time.monotonic(), time.process_time() - spent
        passed = now - began
        waits = passed >= WAITING * limit and used < _IDLE * passed
        if used >= limit or waits:
            began, spent = now, spent + used  # raised again if the block goes on for as long, but not while it is left
            raise Hangs(f"{WAITING * limit:g} s" if waits else f"{limit:g} s of processor time")

    handler = signal.signal(signal.SIGALRM, look)
    other, repeated = signal.setitimer(signal.ITIMER_REAL, limit / _LOOKS, limit / _LOOKS)
    try:
        yield
    finally:
        left = max(1e-3, other - (time.monotonic() - entered)) if other else 0.0
        signal.setitimer(signal.ITIMER_REAL, left, repeated)
        signal.signal(signal.SIGALRM, handler)


def ending(values: Iterable[Value]) -> Iterator[Value]:
    """Yield values one by one. Raises Endless."""
    for number, value in enumerate(values):
        if number == MOST_VALUES:
            raise Endless(f"more than {MOST_VALUES:,} values")
        yield value

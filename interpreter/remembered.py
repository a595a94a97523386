"""Answers about an object that are remembered for as long as the object is used: a game's kernel, its hooks."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

KeyT = TypeVar("KeyT")
FoundT = TypeVar("FoundT")


def remembered(function: Callable[[KeyT], FoundT]) -> Callable[[KeyT], FoundT]:
    """A function that is asked once for each object. What it gives must not refer to the object, or nothing is freed.

    Two threads that ask at the same time may both compute; both get the first answer that is there.
    """
    known: WeakKeyDictionary[KeyT, FoundT] = WeakKeyDictionary()

    @wraps(function)
    def found(key: KeyT) -> FoundT:
        if key not in known:
            known.setdefault(key, function(key))
        return known[key]

    return found

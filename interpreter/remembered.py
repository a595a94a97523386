"""A cache of results for an object, such as a game's kernel or hooks, that lives as long as the object."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar
from weakref import WeakKeyDictionary

KeyT = TypeVar("KeyT")
FoundT = TypeVar("FoundT")


def remembered(function: Callable[[KeyT], FoundT]) -> Callable[[KeyT], FoundT]:
    """Cache a function's result for each object, weakly: a result that refers to its object keeps it alive for ever.

    Two threads that call at the same time may both compute; both get the result that is stored first.
    """
    known: WeakKeyDictionary[KeyT, FoundT] = WeakKeyDictionary()

    @wraps(function)
    def found(key: KeyT) -> FoundT:
        if key not in known:
            known.setdefault(key, function(key))
        return known[key]

    return found

"""Comparison and representation of classes by their fields, written once for all of them.

attrs would generate both for each of the 126 classes of `dsl.syntax.rules` and `dsl.hir` at each start of a program:
half of the time to load these modules, 35 of 69 ms of processor time. They are declared with `eq=False, repr=False`
instead, and have `ByFields` as a base. A field with `eq=False` or `repr=False` is left out here as well.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import attrs


class ByFields:
    """Equal to objects of the same class with equal fields; shown as `Name(field=value, ...)`."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if other.__class__ is not self.__class__:
            return NotImplemented
        compared = _compared(self.__class__)
        return bool(compared(self) == compared(other))

    def __hash__(self) -> int:
        return hash((self.__class__, _compared(self.__class__)(self)))

    def __repr__(self) -> str:
        kind: type[Any] = self.__class__
        shown = (field.name for field in attrs.fields(kind) if field.repr)
        return f"{kind.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in shown)})"


_COMPARED: dict[type, Callable[[object], Any]] = {}


def _compared(kind: type[Any]) -> Callable[[object], Any]:
    """A getter of the values of the fields by which a class is compared."""
    result = _COMPARED.get(kind)
    if result is None:
        names = [field.name for field in attrs.fields(kind) if field.eq]
        result = _COMPARED[kind] = attrgetter(*names) if names else _nothing
    return result


def _nothing(value: object) -> tuple[()]:
    return ()

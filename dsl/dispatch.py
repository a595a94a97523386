"""Methods dispatched on the type of their argument: a faster `functools.singledispatchmethod`.

Before Python 3.14 that one creates a function, and copies the attributes of another to it, at each attribute access: an
analysis that evaluates a million terms spent most of its time on that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import singledispatch
from types import MethodType
from typing import Any, Generic, TypeVar, overload

Result = TypeVar("Result")
Registered = TypeVar("Registered", bound=Callable[..., Any])


class dispatched(Generic[Result]):
    """A method with other implementations for other types of its first argument, added by `@NAME.register`.

    The implementation found for a type is cached, and an attribute access only creates a bound method.
    """

    def __init__(self, function: Callable[..., Result]) -> None:
        self._dispatcher = dispatcher = singledispatch(function)
        self._found: dict[type, Callable[..., Result]] = {}
        result = self._found

        def call(instance: object, argument: object, *others: Any) -> Result:
            kind = argument.__class__
            method = result.get(kind)
            if method is None:
                method = result[kind] = dispatcher.dispatch(kind)
            return method(instance, argument, *others)

        self._call = call

    def register(self, function: Registered) -> Registered:
        """Register a function for the types in the annotation of its first argument."""
        self._found.clear()
        self._dispatcher.register(function)
        return function

    def add(self, forms: Mapping[type, Callable[..., Result]]) -> None:
        """Register functions of another module, by the types that they are for."""
        self._found.clear()
        for kind, function in forms.items():
            self._dispatcher.register(kind, function)

    def extended(self) -> dispatched[Result]:
        """A copy for a subclass, which may add implementations and replace those for the same types."""
        made = type(self)(self._dispatcher.dispatch(object))
        for kind, function in self._dispatcher.registry.items():
            made._dispatcher.register(kind, function)
        return made

    @overload
    def __get__(self, instance: None, owner: type) -> dispatched[Result]: ...

    @overload
    def __get__(self, instance: object, owner: type | None = None) -> Callable[..., Result]: ...

    def __get__(self, instance: object, owner: type | None = None) -> dispatched[Result] | Callable[..., Result]:
        return self if instance is None else MethodType(self._call, instance)


__all__ = ["dispatched"]

"""Methods that are chosen by the type of their argument: `functools.singledispatchmethod`, but quick.

Before Python 3.14 that makes a function, and copies the attributes of another to it, whenever it is looked up: an
analysis that asks a million times what a term stands for spent most of its time so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import singledispatch
from types import MethodType
from typing import Any, Generic, TypeVar, overload

Result = TypeVar("Result")
Registered = TypeVar("Registered", bound=Callable[..., Any])


class dispatched(Generic[Result]):
    """A method with other forms for other types of its first argument, added by `@NAME.register`.

    What was found for a type is kept, and looking the method up makes a bound method and nothing else.
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
        """Make a function the form for the types that the annotation of its first argument names."""
        self._found.clear()
        self._dispatcher.register(function)
        return function

    def add(self, forms: Mapping[type, Callable[..., Result]]) -> None:
        """Add forms that are functions of another module, by the types that they are for."""
        self._found.clear()
        for kind, function in forms.items():
            self._dispatcher.register(kind, function)

    def extended(self) -> dispatched[Result]:
        """The same for a subclass, to which it may add forms and other ones for the same types."""
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

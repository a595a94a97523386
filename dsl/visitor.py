"""Traverses trees of nodes: the parts of a node, and copies of a node with other parts.

For each class two functions are generated from its annotations when its first object is visited, so that a traversal
does not inspect the fields of each object: `parts` returns the nodes directly inside one, `with_parts` rebuilds a node
with its parts changed. A field holds nodes where its annotation names a class of nodes, by itself, with `None`, or in
tuples; spans, sorts and uses of definitions are not nodes. The nodes in mappings are not visited.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from operator import attrgetter, is_
from types import NoneType
from typing import Any, TypeVar

import attrs

from dsl.by_fields import ByFields

_Node = TypeVar("_Node", bound=ByFields)
_Parts = Callable[[Any], Sequence[Any]]
_Rebuild = Callable[[Any, Callable[[Any], Any]], Any]
_WORD = re.compile(r"\w+")
_FLAT = re.compile(r"tuple\[\w+, \.\.\.\]")
"""Matches an annotation of a flat tuple of nodes."""


def parts(node: object) -> Sequence[Any]:
    """The nodes directly inside a node, or in a tuple and its nested tuples, in the order of the fields."""
    return _PARTS[node.__class__](node)


def walk(node: object) -> Iterator[Any]:
    """Yield a node and everything inside it in preorder, without recursion."""
    stack = [node]
    pop = stack.pop
    known = _PARTS
    while stack:
        node = pop()
        yield node
        stack += known[node.__class__](node)[::-1]


def with_parts(node: _Node, change: Callable[[Any], Any]) -> _Node:
    """A node with `change` applied to each of its parts; the same object where no part changes."""
    made: _Node = _REBUILDS[node.__class__](node, change)
    return made


# ---- generated from the classes


class _GeneratedParts(dict[type, _Parts]):
    """`parts` by the class of the node, generated on first use."""

    def __missing__(self, kind: type) -> _Parts:
        made = self[kind] = _parts_of(kind)
        return made


class _GeneratedRebuilds(dict[type, _Rebuild]):
    """`with_parts` by the class of the node, generated on first use."""

    def __missing__(self, kind: type) -> _Rebuild:
        made = self[kind] = _rebuild_of(kind)
        return made


def _fields(kind: type[Any]) -> dict[str, str]:
    """The fields of a class that may hold nodes, with their annotations."""
    result: dict[str, str] = {}
    if ByFields not in kind.__mro__:
        return result
    for field in attrs.fields(kind):
        written = str(field.type)
        owner = next(base for base in kind.__mro__ if field.name in vars(base).get("__annotations__", ()))
        names = vars(sys.modules[owner.__module__])
        words = _WORD.findall(written)
        if "Mapping" not in words and any(
                isinstance(names.get(word), type) and issubclass(names[word], ByFields) for word in words):
            result[field.name] = written
    return result


def _parts_of(kind: type) -> _Parts:
    fields = _fields(kind)
    if not fields:
        return _flattened if issubclass(kind, tuple) else _none
    get = attrgetter(*fields)
    count = ["tuple" in written for written in fields.values()]
    maybe = ["None" in _WORD.findall(written) for written in fields.values()]
    if len(fields) == 1:
        if not count[0]:
            return (lambda node: () if (part := get(node)) is None else (part,)) if maybe[0] else (
                lambda node: (get(node),))
        return get if _FLAT.fullmatch(next(iter(fields.values()))) else lambda node: _flattened(get(node))
    if not any(count):
        return (lambda node: [part for part in get(node) if part is not None]) if any(maybe) else get
    return lambda node: _flattened(get(node))


def _none(node: object) -> tuple[()]:
    return ()


def _flattened(values: tuple[Any, ...]) -> list[Any]:
    """The nodes in a tuple and in its nested tuples."""
    result: list[Any] = []
    for value in values:
        if isinstance(value, ByFields):
            result.append(value)
        elif value.__class__ is tuple:
            result += _flattened(value)
    return result


def _rebuild_of(kind: type[Any]) -> _Rebuild:
    fields = _fields(kind)
    if not fields:
        return _unchanged
    get = [(name, attrgetter(name), "tuple" in written) for name, written in fields.items()]
    others = [(field.name, attrgetter(field.name)) for field in attrs.fields(kind) if field.name not in fields]

    def rebuild(node: Any, change: Callable[[Any], Any]) -> Any:
        values: dict[str, Any] = {}
        same = True
        for name, value_of, count in get:
            old = value_of(node)
            new = values[name] = _changed(old, change) if count else None if old is None else change(old)
            same = same and new is old
        if same:
            return node
        for name, value_of in others:
            values[name] = value_of(node)
        return kind(**values)

    return rebuild


def _unchanged(node: Any, change: Callable[[Any], Any]) -> Any:
    return node


def _changed(values: tuple[Any, ...], change: Callable[[Any], Any]) -> tuple[Any, ...]:
    """A tuple with its nodes changed; the same object where none changes."""
    result = tuple([change(value) if isinstance(value, ByFields) else
                    _changed(value, change) if value.__class__ is tuple else value for value in values])
    return values if all(map(is_, result, values)) else result


_PARTS = _GeneratedParts({tuple: _flattened, NoneType: _none})
_REBUILDS = _GeneratedRebuilds()

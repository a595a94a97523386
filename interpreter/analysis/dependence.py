"""Dependence analysis: whether an expression depends on bound names, the mover, or the position.

`depends_on` returns the slots that determine a value, None where it depends on the position.
`interpreter.analysis.fixed` caches values in the interpreter by it, `interpreter.compiler.passes.tables` makes tables.
Results are cached in mappings that the caller keeps alongside the rules.
"""

from __future__ import annotations

from collections.abc import Callable
from operator import attrgetter
from typing import Any

import attrs

from dsl import hir
from dsl.by_fields import ByFields
from dsl.checks.reads import reads_itself
from dsl.hir import bound_in
from dsl.words import Reads

MOVER = -1
"""The slot number that stands for the mover in dependences."""


Depending = dict[int, tuple[object, frozenset[int] | None]]
"""The dependences of terms by id; the terms are kept alive with them, as ids are reused once a term is gone."""
Free = dict[int, tuple[object, frozenset[int]]]
"""The free slots of terms by id, in the same way."""


def depends_on(node: object, known: Depending) -> frozenset[int] | None:
    """The slots that determine a term's value, with the mover as -1; None where it depends on the position."""
    if id(node) not in known:
        known[id(node)] = node, _depends_on(node, known)
    return known[id(node)][1]


def _depends_on(node: object, known: Depending) -> frozenset[int] | None:
    itself = reads_itself(node)
    if itself & Reads.POSITION:
        return None
    if isinstance(node, hir.Local):
        return frozenset((node.slot,))
    free: set[int] = {MOVER} if itself & Reads.MOVER else set()
    for part in hir.parts(node):
        result = depends_on(part, known)
        if result is None:
            return None
        free |= result
    return frozenset(free.difference(bound_in(node)))


def free_slots(node: object, known: Free) -> frozenset[int]:
    """The free slots of a term: those that it reads and does not bind itself, with the mover as -1."""
    if id(node) not in known:
        known[id(node)] = node, _free_slots(node, known)
    return known[id(node)][1]


def _free_slots(node: object, known: Free) -> frozenset[int]:
    if isinstance(node, hir.Local):
        return frozenset((node.slot,))
    free: set[int] = {MOVER} if reads_itself(node) & Reads.MOVER else set()
    for part in hir.parts(node):
        free |= free_slots(part, known)
    return frozenset(free.difference(bound_in(node)))


Shapes = dict[int, tuple[object, tuple[object, tuple[int, ...]]]]
"""The shapes of terms by id, with the terms."""


def shape_of(node: object, known: Shapes) -> tuple[object, tuple[int, ...]]:
    """A term's shape, in which slots are numbered in order of occurrence, and its free slots in that order.

    Terms of the same shape whose free slots have the same values are equal: the uses of a definition, for example.
    """
    if id(node) not in known:
        places: dict[int, int] = {}
        bound = {slot for part in hir.walk(node) for slot in bound_in(part)}
        shape = _shape(node, places)
        known[id(node)] = node, ((shape, tuple(places[slot] for slot in places if slot in bound)),
                                 tuple(slot for slot in places if slot not in bound))
    return known[id(node)][1]


def _shape(node: object, places: dict[int, int]) -> object:
    kind = node.__class__
    if kind is tuple:
        return tuple([_shape(part, places) for part in node])  # type: ignore[attr-defined]
    if not isinstance(node, ByFields):
        return node
    values, slot = _SHAPED[kind]
    return kind, *[places.setdefault(value, len(places)) if number == slot else _shape(value, places)
                   for number, value in enumerate(values(node))]


class _Shaped(dict[type, tuple[Callable[[object], tuple[Any, ...]], int]]):
    """For each class of nodes a getter of the fields that make up its shape, and the index of its slot (-1: none)."""

    def __missing__(self, kind: type[Any]) -> tuple[Callable[[object], tuple[Any, ...]], int]:
        left_out = {"span", "used"}
        if kind in (hir.Binding, hir.Choice, hir.Local):
            left_out |= {"name", "names"}
        names = [field.name for field in attrs.fields(kind) if field.name not in left_out]
        get = attrgetter(*names)
        made = self[kind] = get if len(names) > 1 else lambda node: (get(node),), (
            names.index("slot") if "slot" in names else -1)
        return made


_SHAPED = _Shaped()

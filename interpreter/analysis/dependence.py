"""What the value of an expression depends on: bound names, the mover, or the position.

The one answer to "is this constant?": `depends_on` gives the slots that decide a value, None where the position does.
`interpreter.analysis.fixed` keeps values for the interpreter by it, `interpreter.compiler.passes.tables` writes tables.
Results are remembered in mappings that the caller keeps, beside the rules that they are of.
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
"""The mover as a slot on which terms depend."""


Depending = dict[int, tuple[object, frozenset[int] | None]]
"""What terms depend on, by their ids; the terms are kept with it, as an id may be another's once a term is gone."""
Free = dict[int, tuple[object, frozenset[int]]]
"""The same of the slots that they read."""


def depends_on(node: object, known: Depending) -> frozenset[int] | None:
    """The slots that decide a term's value, the mover among them as -1; None where the position does."""
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
    """The slots that a term reads and does not bind itself; the mover as -1."""
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
"""The shapes of terms by their ids."""


def shape_of(node: object, known: Shapes) -> tuple[object, tuple[int, ...]]:
    """A term but for the numbers of its slots, and the slots that it does not bind itself, in their order.

    Terms of one shape whose slots have the same values mean the same: a definition that is used twice, for example.
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
    """What gives the values of a node that its shape consists of, and which of them is its slot (-1: none)."""

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

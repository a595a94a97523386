"""What a term's value depends on: bound names, the mover, or the position."""

from __future__ import annotations

import attrs

from dsl import meaning
from dsl.reads import Reads, reads_itself
from dsl.sorts import Sort

MOVER = -1
"""The mover as a slot on which terms depend."""


@attrs.frozen
class Bound:
    """A bound name in a kernel's text."""

    name: str
    may_be_none: bool = False
    sort: Sort | None = None


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
    if isinstance(node, meaning.Local):
        return frozenset((node.slot,))
    free: set[int] = {MOVER} if itself & Reads.MOVER else set()
    for part in meaning.parts(node):
        found = depends_on(part, known)
        if found is None:
            return None
        free |= found
    return frozenset(free - bound_in(node))


def bound_in(node: object) -> set[int]:
    """The slots that a node itself binds."""
    slots = {node.slot} if isinstance(node, (meaning.Binding, meaning.Let)) else set()
    binding = getattr(node, "binding", None)
    if isinstance(binding, meaning.Binding):
        slots.add(binding.slot)
    return slots


def free_slots(node: object, known: Free) -> frozenset[int]:
    """The slots that a term reads and does not bind itself; the mover as -1."""
    if id(node) not in known:
        known[id(node)] = node, _free_slots(node, known)
    return known[id(node)][1]


def _free_slots(node: object, known: Free) -> frozenset[int]:
    if isinstance(node, meaning.Local):
        return frozenset((node.slot,))
    free: set[int] = {MOVER} if reads_itself(node) & Reads.MOVER else set()
    for part in meaning.parts(node):
        free |= free_slots(part, known)
    return frozenset(free - bound_in(node))


Shapes = dict[int, tuple[object, tuple[object, tuple[int, ...]]]]
"""The shapes of terms by their ids."""


def shape_of(node: object, known: Shapes) -> tuple[object, tuple[int, ...]]:
    """A term but for the numbers of its slots, and the slots that it does not bind itself, in their order.

    Terms of one shape whose slots have the same values mean the same: a definition that is used twice, for example.
    """
    if id(node) not in known:
        places: dict[int, int] = {}
        bound = {slot for part in meaning.walk(node) for slot in bound_in(part)}
        shape = _shape(node, places)
        known[id(node)] = node, ((shape, tuple(places[slot] for slot in places if slot in bound)),
                                 tuple(slot for slot in places if slot not in bound))
    return known[id(node)][1]


def _shape(node: object, places: dict[int, int]) -> object:
    if isinstance(node, tuple):
        return tuple(_shape(part, places) for part in node)
    kind = type(node)
    if not attrs.has(kind) or isinstance(node, Sort):
        return node
    found: list[object] = [kind.__name__]
    names = isinstance(node, (meaning.Binding, meaning.Choice, meaning.Local))
    for field in attrs.fields(kind):
        value = getattr(node, field.name)
        if field.name == "slot":
            found.append(places.setdefault(value, len(places)))
        elif field.name not in ("span", "used") and not (names and field.name in ("name", "names")):
            found.append(_shape(value, places))
    return tuple(found)

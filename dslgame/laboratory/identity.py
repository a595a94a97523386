"""A digest of a game's rules that does not depend on names: games with the same digest are the same game.

It is computed from the resolved rules, in which params are replaced by their values, definitions are expanded, and
players, pieces, variables and choices are numbered. It ignores what affects neither the positions nor the outcomes:
titles, names of params, notation, drawing, and hints for searches. So equal digests prove that two games are equal up
to names; different digests prove nothing.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from enum import Enum
from typing import Any

import attrs

from dsl import hir
from dsl.by_fields import ByFields
from dsl.resolve.sorts import Enumerated, Sort
from interpreter.game import Game

_LEFT_OUT: Mapping[type[Any], frozenset[str]] = {
    hir.Rules: frozenset({"source", "title", "params", "genre", "notations", "value", "empty_glyph", "cells_drawn",
                          "enumerations"}),
    hir.PieceKind: frozenset({"glyph", "colour", "sign", "shape"}),
    hir.Move: frozenset({"name"}),
    hir.Forced: frozenset({"name"}),
    hir.Choice: frozenset({"names"}),
    hir.Binding: frozenset({"name"}),
    hir.Local: frozenset({"name"}),
    hir.Let: frozenset({"name"}),
    hir.Keep: frozenset({"name"}),
    hir.Perform: frozenset({"name"}),
    hir.LayerKind: frozenset({"name"}),
    hir.CourseKind: frozenset({"name"}),
    hir.VariableKind: frozenset({"name"}),
    hir.End: frozenset({"names_param"}),
}
"""For each class the fields that the digest ignores, as they only name, write or draw something."""
_NAMED = (hir.PieceKind,)
"""Classes whose name is an identity: the digest has a number instead."""


def digest(game: Game) -> str:
    """The digest of a game's rules at its params, as 32 hexadecimal digits."""
    form = _Form()
    players = len(game.players)
    text = repr((players, form.of(attrs.evolve(game.rules, players=()))))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


class _Form:
    """Converts rules to nested tuples of plain values, with names numbered in the order of their first occurrence."""

    def __init__(self) -> None:
        self._numbers: dict[tuple[str, str], int] = {}

    def of(self, node: object) -> object:
        """The form of a node, a tuple of nodes, or a plain value."""
        if isinstance(node, tuple):
            return tuple(map(self.of, node))
        if isinstance(node, Enumerated):
            return (type(node).__name__, self._number("values", node.name), len(node.values), node.shapes)
        if isinstance(node, Mapping):
            return tuple(sorted((key, self.of(value)) for key, value in node.items()))
        if isinstance(node, ByFields | Sort):
            return self._of_fields(node)
        if isinstance(node, Enum):
            return node.name
        return node

    def _of_fields(self, node: ByFields | Sort) -> object:
        kind: type[Any] = type(node)
        left_out = _LEFT_OUT.get(kind, frozenset())
        result: list[object] = [kind.__name__]
        for field in attrs.fields(kind):
            if not field.eq or field.name in left_out:
                continue
            value = getattr(node, field.name)
            if field.name == "name" and isinstance(node, _NAMED):
                value = self._number("piece", value)
            result.append(self.of(value))
        return tuple(result)

    def _number(self, what: str, name: str) -> int:
        return self._numbers.setdefault((what, name), len(self._numbers))

"""Traversal of syntax trees and resolved rules: the functions of `dsl.visitor` that are generated from the classes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import attrs

from dsl import hir, visitor
from dsl.by_fields import ByFields
from dsl.checker import check
from dsl.syntax.source import Source
from tests.discovery import found_games


def asked(node: Any) -> list[Any]:
    """The direct child nodes, found by reflection: the definition of `visitor.parts`."""
    values = node if isinstance(node, tuple) else [
        getattr(node, field.name) for field in attrs.fields(type(node)) if field.name != "used"]
    found: list[Any] = []
    for value in values:
        if isinstance(value, ByFields):
            found.append(value)
        elif isinstance(value, tuple):
            found += asked(value)
    return found


def everything(path: Path) -> Iterator[Any]:
    """The declarations of a game's file, and its resolved rules."""
    checked = check(Source(path.name, path.read_text(encoding="utf-8")), {})
    assert checked.rules is not None
    yield from checked.file.declarations
    yield checked.rules


def test_parts_are_all_nodes_in_the_fields() -> None:
    """Children come in field order, and a walk is in preorder."""
    kinds: set[type] = set()
    for path in found_games()[::2]:
        for root in everything(path):
            nodes = list(visitor.walk(root))
            stack = [root]
            for node in nodes:
                assert node is stack.pop()
                parts = asked(node)
                assert list(map(id, visitor.parts(node))) == list(map(id, parts))
                stack += reversed(parts)
            assert not stack
            kinds |= set(map(type, nodes))
    assert len(kinds) > 100


def test_nodes_are_made_again_of_changed_parts() -> None:
    """Only nodes with changed children are rebuilt; the other fields and the class are kept."""
    def renumbered(node: Any) -> Any:
        if isinstance(node, hir.Local):
            return attrs.evolve(node, slot=node.slot + 100)
        return visitor.with_parts(node, renumbered)

    game = next(path for path in found_games() if path.stem == "english_draughts")
    *declarations, resolved = everything(game)
    assert visitor.with_parts(declarations[0], lambda part: part) is declarations[0]
    move = resolved.moves[0]
    assert visitor.with_parts(move, lambda part: part) is move
    made = renumbered(move)
    assert made != move
    for old, new in zip(visitor.walk(move), visitor.walk(made), strict=True):
        assert type(new) is type(old)
        assert getattr(new, "span", None) is getattr(old, "span", None)
        assert getattr(new, "used", None) is getattr(old, "used", None)
        if isinstance(old, hir.Local):
            assert new.slot == old.slot + 100
        holds = any(isinstance(part, hir.Local) for part in visitor.walk(old))
        assert (new is not old) == holds

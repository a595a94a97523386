"""Rule objects are compared and shown by their fields: `dsl.by_fields`."""

from __future__ import annotations

import copy
import pickle

import attrs

from dsl import hir, hir_expressions
from dsl.by_fields import ByFields
from dsl.resolve.sorts import BOOLEAN
from dsl.syntax import expressions, rules
from dsl.syntax.parser import parse
from dsl.syntax.source import NOWHERE, Source, Span

GAME = 'game "T"\nplayers X, O\nboard square(3, 3)\npieces x of X, o of O\nmove m(c in empty):\n    c := own\n'


def test_equal_fields_make_equal_nodes() -> None:
    """Positions in the text do not matter; classes do; equal nodes have equal hashes."""
    one, other = (parse(Source("t", "\n" * number + GAME)).file.declarations for number in (0, 3))
    assert one == other
    assert hash(one) == hash(other)
    assert one[-1].span != other[-1].span
    assert parse(Source("t", GAME.replace("own", "x"))).file.declarations[:-1] == one[:-1]
    assert parse(Source("t", GAME.replace("own", "x"))).file.declarations[-1] != one[-1]
    assert rules.Text("a", span=NOWHERE) != rules.Constant(True, span=NOWHERE)
    first = hir.Literal(1, sort=BOOLEAN, span=NOWHERE)
    assert {first: "here"}[hir.Literal(1, sort=BOOLEAN, span=Span.at(3, 4))] == "here"
    assert first != hir.Literal(0, sort=BOOLEAN, span=NOWHERE)
    assert first != hir.Local(1, "c", sort=BOOLEAN, span=NOWHERE)


def test_nodes_show_their_fields() -> None:
    """Fields that attrs hides in the repr are left out."""
    assert repr(rules.Name("c", span=NOWHERE)) == "Name(text='c')"
    assert repr(hir.Not(hir.Literal(1, sort=BOOLEAN, span=NOWHERE), sort=BOOLEAN, span=NOWHERE)).startswith(
        "Not(sort=")


def test_nodes_are_copied_and_kept() -> None:
    """Nodes are frozen, have slots, and survive pickling and copying."""
    node = rules.Name("c", span=NOWHERE)
    assert pickle.loads(pickle.dumps(node)) == copy.deepcopy(node) == attrs.evolve(node, text="c") == node
    assert not hasattr(node, "__dict__")


def test_every_rule_object_does_so() -> None:
    """Generating comparisons for one class would take a millisecond at every start."""
    kinds = [kind for module in (rules, expressions, hir, hir_expressions) for kind in vars(module).values()
             if isinstance(kind, type) and kind is not hir.Use and kind.__module__ == module.__name__]
    assert len(kinds) > 100
    assert [kind.__name__ for kind in kinds if "__eq__" in vars(kind) or "__repr__" in vars(kind)] == []
    assert [kind.__name__ for kind in kinds if not issubclass(kind, ByFields)] == []

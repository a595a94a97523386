"""Effects: each has a complete meaning, in one module of `interpreter/effects`."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from dsl import hir
from interpreter.effects import EFFECTS
from interpreter.effects.meaning import EffectMeaning, Further

ROOT = Path(__file__).parent.parent.parent


def test_each_effect_has_its_meaning() -> None:
    assert set(EFFECTS) == set(hir.Effect.__subclasses__())


def test_an_effect_without_a_part_is_an_error() -> None:
    """The error occurs when the module is imported, and names the missing part."""
    class Half(Further[hir.Then]):
        pass

    with pytest.raises(TypeError, match="image"):
        Half()  # type: ignore[abstract]
    assert EffectMeaning.__abstractmethods__ == {"action", "write", "image"}


def test_what_carries_effects_out_and_what_lowers_them_asks_for_none_by_its_class() -> None:
    """Execution, lowering and analyses do not depend on an effect's class, except for effects that continue a move."""
    for name in ("semantics/effects", "compiler/lowering/effects", "analysis/termination", "analysis/movement",
                 "analysis/symmetry_proof"):
        tree = ast.parse((ROOT / f"interpreter/{name}.py").read_text(encoding="utf-8"))
        named = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute) and isinstance(
            node.value, ast.Name) and node.value.id == "hir"}
        assert named & {kind.__name__ for kind in EFFECTS} <= {"Then", "Proceed"}, name

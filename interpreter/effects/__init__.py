"""The meanings of effects: one module for each family of effects, found by listing this folder.

A module has a dictionary `EFFECTS` from its classes of `dsl.hir.Effect` to their meanings: the function that carries
out an effect, its lowering to IR, its normal form under symmetries, and its changes of numbers and places of pieces.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from dsl import hir
from interpreter.effects.meaning import Action, EffectMeaning

EFFECTS: Mapping[type[hir.Effect], EffectMeaning[Any]] = {
    kind: meaning for item in pkgutil.iter_modules(__path__)
    for kind, meaning in getattr(import_module(f"{__name__}.{item.name}"), "EFFECTS", {}).items()}
"""The meaning of every effect, by its class."""

__all__ = ["EFFECTS", "Action", "EffectMeaning"]

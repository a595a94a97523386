"""The kinds of board: one module each, found by listing this folder.

>>> from dsl.boards import KINDS
>>> KINDS["hexagon"].arguments
('side',)
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module

from dsl.boards.kind import Kind


def _found() -> Mapping[str, Kind]:
    """The `KIND` of each module here that has one, by its word, in the order of the words."""
    modules = (import_module(f"{__name__}.{item.name}") for item in pkgutil.iter_modules(__path__))
    kinds: list[Kind] = [module.KIND for module in modules if hasattr(module, "KIND")]
    return {kind.word: kind for kind in sorted(kinds, key=lambda kind: kind.word)}


KINDS: Mapping[str, Kind] = _found()
"""Every kind of board by its word."""
ASSUMED: Kind = max(KINDS.values(), key=lambda kind: len(kind.words))
"""The kind assumed for a game without a valid board declaration: the one with the most words, so that few are unknown.
"""

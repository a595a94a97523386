"""What the function words mean: one module for each family of words, found by listing this folder.

A module has a dictionary `MEANINGS`: for each of its words the value in a position, the bounds, the lowering to IR and
the normal form under symmetries. The records, which say how words are written, are in `dsl.words`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterator, Mapping
from importlib import import_module

from interpreter.words.meaning import Meaning


def _found() -> Iterator[tuple[str, Meaning]]:
    for item in pkgutil.iter_modules(__path__):
        yield from getattr(import_module(f"{__name__}.{item.name}"), "MEANINGS", {}).items()


MEANINGS: Mapping[str, Meaning] = dict(_found())
"""The meaning of every function word that is called with arguments, by its name."""

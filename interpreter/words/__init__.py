"""The meanings of function words: one module for each family of words, found by listing this folder.

A module has a dictionary `MEANINGS` from its words to their meanings: the value in a position, the bounds, the lowering
to IR and the normal form under symmetries. The records that define the syntax of words are in `dsl.words`.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Mapping
from importlib import import_module

from interpreter.words.aggregates import AGGREGATIONS
from interpreter.words.cheapest import CHEAPEST
from interpreter.words.closures import CLOSURES
from interpreter.words.meaning import Meaning


def _found() -> Mapping[str, Meaning]:
    """Collect the meanings of all modules here. Raises ValueError where two modules define the same word."""
    result: dict[str, Meaning] = {}
    for item in pkgutil.iter_modules(__path__):
        meanings = getattr(import_module(f"{__name__}.{item.name}"), "MEANINGS", {})
        if twice := result.keys() & meanings.keys():
            raise ValueError(f"{item.name}.py: {', '.join(sorted(twice))} has a meaning in another module as well")
        result |= meanings
    return result


MEANINGS: Mapping[str, Meaning] = _found()
"""The meaning of every function word that is called with arguments, by its name."""

__all__ = ["AGGREGATIONS", "CHEAPEST", "CLOSURES", "MEANINGS", "Meaning"]

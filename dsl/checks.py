"""Rules that cannot hold: what the checker finds once names and sorts are right."""

from __future__ import annotations

from collections.abc import Iterator

from dsl import meaning, rules
from dsl.diagnostics import Diagnostic
from dsl.scope import World


def run_checks(file: rules.GameFile, found: meaning.Rules | None, world: World) -> Iterator[Diagnostic]:
    """All checks, one after another."""
    yield from ()

"""Checking a game file: everything that can be said about it without playing.

`check(source, params)` parses, resolves, and runs the checks in `dsl.checks.impossible` on the result. It returns
findings; only a programmer's mistake raises. What needs a board or play is found in `interpreter`.
"""

from __future__ import annotations

from collections.abc import Mapping

import attrs

from dsl import hir
from dsl.checks.impossible import run_checks
from dsl.diagnostics import Diagnostic, has_errors, in_source_order
from dsl.resolve.declarations import resolve
from dsl.syntax.parser import parse
from dsl.syntax.rules import GameFile
from dsl.syntax.source import Source


@attrs.frozen
class Checked:
    """What checking gives: the rules where there is no error, the declarations, and every finding."""

    rules: hir.Rules | None
    file: GameFile
    diagnostics: tuple[Diagnostic, ...]


def check(source: Source, params: Mapping[str, int]) -> Checked:
    """Check a text with some parameters overridden."""
    parsed = parse(source)
    diagnostics = list(parsed.diagnostics)
    found: hir.Rules | None = None
    if parsed.file.declarations:
        found, world = resolve(parsed.file, params)
        diagnostics += world.diagnostics
        if not has_errors(diagnostics):  # with a rule missing, what the others lack means nothing
            diagnostics += run_checks(parsed.file, found, world)
    ordered = tuple(in_source_order(diagnostics))
    return Checked(None if has_errors(ordered) else found, parsed.file, ordered)

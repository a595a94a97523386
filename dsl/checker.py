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
from dsl.resolve.notes import Notes
from dsl.resolve.scope import World
from dsl.syntax.parser import Parsed, parse
from dsl.syntax.rules import GameFile
from dsl.syntax.source import Source


@attrs.frozen
class Checked:
    """What checking gives: the rules where there is no error, the declarations, and every finding."""

    rules: hir.Rules | None
    file: GameFile
    diagnostics: tuple[Diagnostic, ...]


def check(source: Source, params: Mapping[str, int], notes: Notes | None = None) -> Checked:
    """Check a text with some parameters overridden; what editors want to know goes into `notes`."""
    parsed = parse(source)
    return judged(parsed, *resolved(parsed, params, notes))


def resolved(parsed: Parsed, params: Mapping[str, int],
             notes: Notes | None = None) -> tuple[hir.Rules | None, World | None]:
    """The rules of a parsed file, where there is no mistake, and what its names mean; nothing of an empty one."""
    return resolve(parsed.file, params, notes) if parsed.file.declarations else (None, None)


def judged(parsed: Parsed, result: hir.Rules | None, world: World | None) -> Checked:
    """Every finding about a file that is parsed and resolved."""
    diagnostics = list(parsed.diagnostics)
    if world is not None:
        diagnostics += world.diagnostics
        if not has_errors(diagnostics):  # with a rule missing, what the others lack means nothing
            diagnostics += run_checks(parsed.file, result, world)
    ordered = tuple(in_source_order(diagnostics))
    return Checked(None if has_errors(ordered) else result, parsed.file, ordered)

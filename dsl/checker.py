"""Checks a game file: reports everything that can be found without playing.

`check(source, params)` parses, resolves, and runs the checks of `dsl.checks.impossible` on the result. It returns
findings; only a programming error raises. What needs a board or play is checked in `interpreter`.
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
    """The result of a check: the rules where there is no error, the declarations, and every finding."""

    rules: hir.Rules | None
    file: GameFile
    diagnostics: tuple[Diagnostic, ...]


def check(source: Source, params: Mapping[str, int], notes: Notes | None = None) -> Checked:
    """Check a text with some parameters overridden; fills `notes` for an editor, if given."""
    parsed = parse(source)
    return judged(parsed, *resolved(parsed, params, notes))


def resolved(parsed: Parsed, params: Mapping[str, int],
             notes: Notes | None = None) -> tuple[hir.Rules | None, World | None]:
    """The rules of a parsed file, where there is no error, and the world of its names; None and None for an empty file.
    """
    return resolve(parsed.file, params, notes) if parsed.file.declarations else (None, None)


def judged(parsed: Parsed, result: hir.Rules | None, world: World | None) -> Checked:
    """Collect the findings of a file that is parsed and resolved, and run the checks where there is no error."""
    diagnostics = list(parsed.diagnostics)
    if world is not None:
        diagnostics += world.diagnostics
        if not has_errors(diagnostics):  # with a rule missing, findings about the others are meaningless
            diagnostics += run_checks(parsed.file, result, world)
    ordered = tuple(in_source_order(diagnostics))
    return Checked(None if has_errors(ordered) else result, parsed.file, ordered)

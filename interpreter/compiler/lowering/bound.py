"""Bound names during the lowering of a kernel's functions."""

from __future__ import annotations

import attrs

from dsl.resolve.sorts import Sort
from interpreter.compiler import ir


@attrs.frozen
class Bound:
    """A bound name while a function is lowered."""

    value: ir.Expr | None
    """The name or number that gives its value; None where it is never used."""
    may_be_none: bool = False
    sort: Sort | None = None

"""Bound names while a kernel's functions are lowered."""

from __future__ import annotations

import attrs

from dsl.resolve.sorts import Sort
from interpreter.compiler import ir


@attrs.frozen
class Bound:
    """A bound name while a function is lowered."""

    value: ir.Expr | None
    """What gives its value: a name or a number; None where it is never asked for."""
    may_be_none: bool = False
    sort: Sort | None = None

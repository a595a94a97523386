"""Bound names in the text of a kernel."""

from __future__ import annotations

import attrs

from dsl.resolve.sorts import Sort


@attrs.frozen
class Bound:
    """A bound name in a kernel's text."""

    name: str
    may_be_none: bool = False
    sort: Sort | None = None

"""The meaning of every diagnostic code: the text behind `dslgame explain` and the reference in the documentation.

The texts are in `catalogue.toml`. A code is never reused: one code, one meaning. Checking and playing do not need this
module; it is loaded when an explanation is asked for.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from importlib import resources

import attrs


@attrs.frozen
class Entry:
    """The explanation of one code."""

    code: str
    title: str
    what: str
    why: str
    example: str
    """A text that produces the code; for the codes of files and params, how to produce it."""
    fix: str


def _read() -> dict[str, Entry]:
    text = resources.files("dsl.diagnostics").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return {
        code: Entry(code, **{field: value.strip("\n") for field, value in texts.items()})
        for code, texts in tomllib.loads(text).items()
    }


ENTRIES: Mapping[str, Entry] = _read()
"""Every code, in order."""

"""Looking at files again and again: what `dslgame check --watch` waits for."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

EVERY = 0.3
"""Seconds between looks at files."""


def changes(files: Sequence[str], every: float = EVERY) -> Iterator[list[str]]:
    """All files at once, then those that have changed, each time some have. Ends with KeyboardInterrupt."""
    seen = {file: _stamp(file) for file in files}
    yield list(files)
    while True:
        time.sleep(every)
        now = {file: _stamp(file) for file in files}
        changed = [file for file in files if now[file] != seen[file]]
        seen = now
        if changed:
            yield changed


def _stamp(file: str) -> tuple[int, int] | None:
    """What changes when a file is written; None where there is no file."""
    try:
        result = Path(file).stat()
    except OSError:
        return None
    return result.st_mtime_ns, result.st_size

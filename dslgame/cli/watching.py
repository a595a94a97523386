"""Polling files for changes, for `dslgame check --watch`."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

EVERY = 0.3
"""Seconds between two polls."""


def changes(files: Sequence[str], every: float = EVERY) -> Iterator[list[str]]:
    """Yield all files, then after each change the files that have changed, until KeyboardInterrupt."""
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
    """The modification time and the size of a file; None where there is no file."""
    try:
        result = Path(file).stat()
    except OSError:
        return None
    return result.st_mtime_ns, result.st_size

"""Stamps of game files, by which the page and the server notice that a file was saved."""

from __future__ import annotations

import os


def when_saved(path: str) -> str | None:
    """A stamp that changes when a file is saved; None where there is no such file."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return f"{status.st_mtime_ns}-{status.st_size}"

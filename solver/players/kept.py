"""Cache files for results that are measured once per game, such as margins, beside the cached kernels.

Each is for one kernel, one version of the searches' own code, and one learned value where there is one.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from dsl.syntax.grammar import cache_folder
from dsl.whole_file import write_whole

if TYPE_CHECKING:
    from solver.entries import Entries
    from solver.learning.trained import Trained


def kept_at(folder: str, entries: Entries, settings: tuple[object, ...], trained: Trained | None) -> Path:
    """The path of the cache file for a result with these settings."""
    from solver.native.runtime import stamp

    parts = [entries.kernel.text, stamp(), repr(settings)]
    if trained is not None:
        parts.append(hashlib.sha256(trained.weights.tobytes()).hexdigest())
    name = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    return cache_folder() / folder / f"{name}.json"


def keep(path: Path, content: object) -> None:
    """Write a result as JSON, atomically; a file that cannot be written is skipped without an error."""
    with contextlib.suppress(OSError):
        write_whole(path, json.dumps(content).encode())

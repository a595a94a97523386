"""Files with what is found out once of how a search plays a game, in the folder where kernels are kept.

Each is for one kernel, one state of the searches' own code, and one learned value where there is one.
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
    """Where something is kept that was found out with these settings."""
    from solver.native.runtime import stamp

    parts = [entries.kernel.text, stamp(), repr(settings)]
    if trained is not None:
        parts.append(hashlib.sha256(trained.weights.tobytes()).hexdigest())
    name = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    return cache_folder() / folder / f"{name}.json"


def keep(path: Path, content: object) -> None:
    """Write what was found as JSON; nothing is left half-written, and no error is told where it cannot be written."""
    with contextlib.suppress(OSError):
        write_whole(path, json.dumps(content).encode())

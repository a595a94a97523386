"""The default resources of solvers: most of the free memory, so that the machine stays usable, and all cores."""

from __future__ import annotations

import os
import re
from pathlib import Path

SHARE = 0.8
_GROUP_FILES = (
    ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory.current"),
    ("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes"),
)


def most_memory() -> int:
    """The default memory limit in MiB, for the whole process."""
    from solver.budget import memory_used

    group = _free_of_group()
    free = _free_of_machine()
    return memory_used() + max(64, int(SHARE * (free if group is None else min(free, group))))


def cores() -> int:
    """The number of processor cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _free_of_machine() -> int:
    """The available memory of the machine in MiB; see `solver.budget.memory_used`."""
    try:
        result = re.search(r"^MemAvailable:\s+([0-9]+) kB", Path("/proc/meminfo").read_text(encoding="ascii"), re.M)
    except OSError:
        result = None
    if result is not None:
        return int(result[1]) >> 10
    import psutil

    return int(psutil.virtual_memory().available) >> 20


def _free_of_group() -> int | None:
    """The memory in MiB that the limit of the container (cgroup) leaves; None without a limit."""
    for limit, used in _GROUP_FILES:
        try:
            return max(0, int(Path(limit).read_text("ascii")) - int(Path(used).read_text("ascii"))) >> 20
        except (OSError, ValueError):  # no such file, or "max"
            continue
    return None

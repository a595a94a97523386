"""Opens saved solutions of either kind: a file, or the folder or URL that a cluster wrote."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from solver.cluster.solution import ClusterSolution
    from solver.tables.saved import SavedSolution


def open_solution(place: str | Path) -> SavedSolution | ClusterSolution:
    """Open a saved solution. Raises Refused, which says what is wrong with it, and OSError."""
    text = str(place)
    if "://" in text or Path(text).is_dir():
        from solver.cluster.solution import ClusterSolution

        return ClusterSolution.open(text)
    from solver.tables.saved import SavedSolution

    return SavedSolution.open(Path(text))

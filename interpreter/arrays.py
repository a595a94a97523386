"""Names for the NumPy arrays that functions take and give; NumPy itself is not imported, as it takes time to start."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Words: TypeAlias = "NDArray[np.uint64]"
"""Words of 64 bits: states, a row for each position; keys, seeds."""
Numbers: TypeAlias = "NDArray[np.int64]"
"""Numbers with a sign: moves, counts, offsets, outcomes."""
Truths: TypeAlias = "NDArray[np.bool_]"
"""Truth values: legality, what has ended."""
Floats: TypeAlias = "NDArray[np.float32]"
"""Real numbers of 32 bits: planes of observations, rewards."""
Reals: TypeAlias = "NDArray[np.float64]"
"""Real numbers of 64 bits: places in a picture, probabilities."""
Bytes: TypeAlias = "NDArray[np.uint8]"
"""Bytes: bits spread out, packed positions, values as they are kept in files."""
Integers: TypeAlias = "NDArray[np.integer]"
"""Whole numbers of any width, where they are kept as narrow as they can be."""

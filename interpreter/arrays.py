"""Type aliases for NumPy arrays, without importing NumPy, which takes time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Words: TypeAlias = "NDArray[np.uint64]"
"""64-bit words: states, a row for each position; keys, seeds."""
Numbers: TypeAlias = "NDArray[np.int64]"
"""Signed integers: moves, counts, offsets, outcomes."""
Truths: TypeAlias = "NDArray[np.bool_]"
"""Truth values: masks of legal moves and of games that are over."""
Floats: TypeAlias = "NDArray[np.float32]"
"""32-bit floats: observation planes, rewards."""
Reals: TypeAlias = "NDArray[np.float64]"
"""64-bit floats: coordinates in a picture, probabilities."""
Bytes: TypeAlias = "NDArray[np.uint8]"
"""Bytes: unpacked bits, packed positions, values as stored in files."""
Integers: TypeAlias = "NDArray[np.integer]"
"""Integers of any width, where they are stored as narrow as possible."""
